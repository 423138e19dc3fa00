"""The model of a choice: which candidate each pod takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from lightloom.errors import InfeasibleError
from lightloom.optimize import _solver
from lightloom.optimize._solver import Rule

CALLER = "choose"


@dataclass(frozen=True)
class Pod:
    """A pod that gets a fabric."""

    name: str
    """Its name; no two pods have one."""
    tors: int
    """Its number of ToRs at first."""
    tors_later: int | None = None
    """Its number of ToRs later; ``None``: it does not grow."""


class Choice(NamedTuple):
    """A fabric that a pod could have."""

    pod: str
    """The pod."""
    family: str
    """The family."""
    p: int
    """Outputs of a splitter."""
    housing: str
    """Where the splitters are."""
    cabling: str
    """The cabling."""
    transceiver: str
    """The transceiver."""
    first: dict[str, Any]
    """The design at first, as :func:`lightloom.explore` lists it."""
    later: dict[str, Any] | None
    """The design of the later size, or ``None``."""
    moved_cords: int
    """Cords that move when the pod grows; 0 if it does not."""

    @property
    def cost(self) -> float:
        """The cost at first, in the currency of the catalogue."""
        return _amount(self.first)

    @property
    def cost_later(self) -> float:
        """The cost of the whole later size; without one, of the first."""
        return _amount(self.later or self.first)

    @property
    def margin_db(self) -> float | None:
        """The least margin of both sizes, in dB; ``None`` if one is unknown."""
        margins = [each["worst_margin_db"] for each in (self.first, self.later) if each]
        return None if None in margins else min(margins)

    def most(self, key: str) -> float:
        """The larger value of both sizes.

        Raises
        ------
        KeyError
            If a design has no such number.

        Examples
        --------
        >>> from lightloom.optimize import Pod, choose
        >>> found = choose([Pod("a", 12)], splitters=[2])
        >>> found.choices[0].most("ports_per_tor")
        2.0
        """
        return max(float(each[key]) for each in (self.first, self.later) if each)


def _amount(design: dict[str, Any]) -> float:
    return float(design["cost"].split()[0])


def cents(cost: float) -> int:
    """Money as a whole number."""
    return round(cost * 100)


class Model:
    """A model of CP-SAT: which candidate each pod takes."""

    def __init__(self, candidates: Sequence[Sequence[Choice]], rules: Sequence[Rule]) -> None:
        self.cp = _solver.cp_model(CALLER).CpModel()
        self.all = [[(choice, self.cp.new_bool_var("")) for choice in each] for each in candidates]
        for each in self.all:
            self.cp.add_exactly_one(var for _, var in each)
        for rule in rules:
            rule.add(self)

    def total(self, of: Callable[[Choice], int]) -> Any:
        """The sum over all pods."""
        return sum(of(choice) * var for each in self.all for choice, var in each)

    def using(self, key: str) -> dict[Any, list[Any]]:
        """The variables of the candidates with each value."""
        found: dict[Any, list[Any]] = {}
        for each in self.all:
            for choice, var in each:
                found.setdefault(getattr(choice, key), []).append(var)
        return found


def kinds(model: Model, key: str) -> Any:
    """The number of different values that are chosen."""
    used = []
    for variables in model.using(key).values():
        is_used = model.cp.new_bool_var("")
        model.cp.add_max_equality(is_used, variables)
        used.append(is_used)
    return sum(used)


def have_same(key: str, model: Model) -> None:
    """All pods have one value."""
    model.cp.add(kinds(model, key) <= 1)


def few_transceivers(model: Model, limit: float) -> None:
    """The pods use at most this number of kinds of transceivers."""
    model.cp.add(kinds(model, "transceiver") <= int(limit))


def each_at_most(of: Callable[[Choice], float], model: Model, limit: float) -> None:
    """No candidate above a limit."""
    for each in model.all:
        for choice, var in each:
            if of(choice) > limit:
                model.cp.add(var == 0)


def margin(model: Model, limit: float) -> None:
    """An unknown margin is no margin."""
    for each in model.all:
        for choice, var in each:
            if choice.margin_db is None or choice.margin_db < limit:
                model.cp.add(var == 0)


def sum_at_most(of: Callable[[Choice], int], scale: int, model: Model, limit: float) -> None:
    """A sum over all pods within a limit."""
    model.cp.add(model.total(of) <= int(limit * scale + 1e-6))


def goal_of(model: Model, goal: str) -> Any:
    """What is least."""
    if goal == "hops":
        worst = model.cp.new_int_var(0, 1 << 20, "")
        for each in model.all:
            for choice, var in each:
                model.cp.add(worst >= int(choice.most("max_hops"))).only_enforce_if(var)
        return worst
    of: dict[str, Callable[[Choice], int]] = {
        "cost": lambda choice: cents(choice.cost_later),
        "moved": lambda choice: choice.moved_cords,
        "fibre": lambda choice: round(choice.most("fibre_m")),
    }
    return model.total(of[goal])


def solve(
    candidates: Sequence[Sequence[Choice]],
    rules: Sequence[Rule],
    goals: Sequence[str],
    asked: _solver.Effort,
    answer: Callable[[tuple[Choice, ...], bool], object],
) -> tuple[tuple[Choice, ...], bool]:
    """The choice that is best goal after goal, and whether that is proved.

    ``answer`` makes the result of a stopped call.
    """
    reached: list[Rule] = []
    picked: tuple[Choice, ...] = ()
    proved = True
    for goal in goals or ("cost",):
        model = Model(candidates, [*rules, *reached])
        value = goal_of(model, goal)
        model.cp.minimize(value)
        try:
            solved = _solver.solve(model.cp, asked, CALLER)
        except _solver.Infeasible:
            _solver.refuse(rules, lambda some: Model(candidates, some).cp, CALLER)
        if solved.found:
            picked = tuple(
                next(choice for choice, var in each if solved.values(var)) for each in model.all
            )
        proved = proved and solved.proved
        if solved.stopped:
            result = answer(picked, False) if picked else None
            raise _solver.interrupted(result, "the proof that no choice is better")
        if not solved.found:
            break
        reached.append(Rule(goal, partial(_held, goal, solved.objective)))
    if not picked:
        message = f"{CALLER}: found no choice within {asked.time_s:g} s; give more time_s"
        raise InfeasibleError(message)
    return picked, proved


def _held(goal: str, most: int, model: Model) -> None:
    model.cp.add(goal_of(model, goal) <= most)
