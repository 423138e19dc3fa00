"""Points of a sweep: which values its parameters take."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from lightloom import _inputs
from lightloom.errors import DesignError

Point: TypeAlias = dict[str, Any]


def grid(parameters: Mapping[str, Iterable[Any]]) -> list[Point]:
    """Every combination of the values of parameters, the last one changing fastest.

    Parameters
    ----------
    parameters : mapping of str to iterable
        The values of each parameter.

    Returns
    -------
    list of dict
        The points.

    Raises
    ------
    DesignError
        If a parameter has no values.

    Examples
    --------
    >>> grid({"p": [2, 4], "k": [2, 3]})[1]
    {'p': 2, 'k': 3}
    """
    values = {name: _values(name, each) for name, each in _named(parameters).items()}
    return [dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())]


def sample(
    count: int, parameters: Mapping[str, Sequence[Any] | tuple[float, float]], seed: int = 0
) -> list[Point]:
    """Random points: each parameter takes one of a list, or a number between two.

    Parameters
    ----------
    count : int
        The number of points.
    parameters : mapping of str to list or pair
        A list of values, or a pair ``(low, high)`` of numbers: whole numbers give whole numbers.
    seed : int, optional
        Seed of the draws.

    Returns
    -------
    list of dict
        The points.

    Raises
    ------
    DesignError
        If a parameter has no values.

    Examples
    --------
    >>> sample(2, {"p": [2, 4], "tors": (10, 40)}, seed=1) == sample(
    ...     2, {"p": [2, 4], "tors": (10, 40)}, seed=1
    ... )
    True
    """
    draws = random.Random(_inputs.number("seed", seed))
    named = _named(parameters)

    def draw(name: str) -> Any:
        between = named[name]
        if isinstance(between, tuple) and len(between) == 2:
            low, high = between
            if isinstance(low, int) and isinstance(high, int):
                return draws.randint(low, high)
            return draws.uniform(float(low), float(high))
        return draws.choice(_values(name, between))

    return [{name: draw(name) for name in named} for _ in range(_inputs.number("count", count))]


def _named(parameters: object) -> dict[str, Any]:
    if not isinstance(parameters, Mapping) or not parameters:
        raise _inputs.wrong_type("parameters", parameters, "a mapping of names to values")
    return {_inputs.text("parameters", name): value for name, value in parameters.items()}


def _values(name: str, values: object) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise _inputs.wrong_type(name, values, "a list of values")
    found = list(values)
    if not found:
        raise DesignError(f"{name}: has no values", field=name)
    return found
