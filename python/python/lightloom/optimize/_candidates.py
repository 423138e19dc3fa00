"""The fabrics that a pod could have, and the cords that move when it grows."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lightloom.errors import InfeasibleError, LightloomError
from lightloom.exploring import explore
from lightloom.fabric import Fabric
from lightloom.optimize._choosing import CALLER, Choice, Pod

PARTS = ("family", "p", "housing", "cabling", "transceiver")
"""What is chosen, in the order of :class:`Choice`."""


def settings_of(choice: Choice) -> dict[str, Any]:
    """The settings of a choice without its optics."""
    return {key: getattr(choice, key) for key in ("family", "p", "housing", "cabling")}


def _choice(pod: Pod, first: dict[str, Any], later: dict[str, Any] | None) -> Choice:
    family, p, housing, cabling, transceiver = _key(first)
    return Choice(pod.name, family, p, housing, cabling, transceiver, first, later, 0)


def _key(design: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(design[key] for key in PARTS)


def _designs(
    tors: int, wanted: Mapping[str, list[Any]], given: Mapping[str, Any]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The priced designs of a size by what a pod chooses."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for design in explore(tors, **given).report["designs"]:
        is_wanted = all(not words or design[key] in words for key, words in wanted.items())
        if is_wanted and design["cost"] is not None:
            found.setdefault(_key(design), design)
    return found


def candidates_of(
    pod: Pod, wanted: Mapping[str, list[Any]], given: Mapping[str, Any]
) -> list[Choice]:
    """The fabrics that a pod could have.

    Raises
    ------
    InfeasibleError
        If there is none.
    """
    now = _designs(pod.tors, wanted, given)
    if pod.tors_later is None:
        found = [_choice(pod, design, None) for design in now.values()]
    else:
        later = _designs(pod.tors_later, wanted, given)
        moved: dict[tuple[Any, ...], int | None] = {}
        found = []
        for key, design in now.items():
            if key in later:
                choice = _choice(pod, design, later[key])
                if key[:4] not in moved:
                    moved[key[:4]] = _moved(pod, choice, given)
                cords = moved[key[:4]]
                if cords is not None:
                    found.append(choice._replace(moved_cords=cords))
    if not found:
        sizes = f"{pod.tors} ToRs" + (f" and {pod.tors_later} later" if pod.tors_later else "")
        message = f"{CALLER}: pod {pod.name!r} has no design for {sizes}; allow more of them"
        raise InfeasibleError(message)
    return found


def _moved(pod: Pod, choice: Choice, given: Mapping[str, Any]) -> int | None:
    """The cords that move when the pod grows; ``None`` if its plan cannot."""
    with tempfile.TemporaryDirectory() as place:
        try:
            plan = Fabric(**{**given, **settings_of(choice)}, tors=pod.tors).plan(
                Path(place) / "plan"
            )
            return plan.grow(pod.tors_later)._moved_cords
        except LightloomError:
            return None
