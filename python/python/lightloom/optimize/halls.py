"""Proofs of placements in small halls, with rules about who stands where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from lightloom import _choices, _inputs
from lightloom._lightloom import cords, placed
from lightloom._report import Report, count, parse
from lightloom.errors import DesignError, InfeasibleError
from lightloom.fabric import Fabric
from lightloom.optimize import _solver, qap
from lightloom.optimize._halls import CALLER, Hall, Model, Rules, hall_of
from lightloom.optimize._solver import Rule

Placed = TypeVar("Placed", bound=Fabric)


class ProvedPlacement(Report, Generic[Placed]):
    """The cheapest racks for the ToRs of a fabric, as far as they are proved.

    Keys of ``report``: ``method``, ``currency``, ``racks``, ``cost``, ``bound``, ``proved``, the
    cords ``before`` and ``after``, and ``light``, the verdicts on the light before and after.

    Attributes
    ----------
    fabric : Fabric
        The fabric with its ToRs in these racks.
    """

    fabric: Placed

    def __init__(self, fabric: Placed, report: dict[str, Any]) -> None:
        super().__init__(report)
        self.fabric = fabric

    @property
    def proved(self) -> bool:
        """Whether no placement within the rules costs less."""
        return bool(self.report["proved"])

    @property
    def cost(self) -> float:
        """What all cords cost: money, or metres of stock length if a price is unknown."""
        return float(self.report["cost"])

    @property
    def bound(self) -> float:
        """No placement within the rules costs less than this."""
        return float(self.report["bound"])

    @property
    def racks(self) -> tuple[str, ...]:
        """The rack of each ToR, by name."""
        return tuple(self.report["racks"])

    @property
    def missing(self) -> str:
        """What a solver without enough time lacks; an empty text if the placement is proved."""
        return "" if self.proved else "the proof that no placement costs less"

    def __reduce__(self) -> tuple[object, ...]:
        return (ProvedPlacement, (self.fabric, self.report))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProvedPlacement):
            return NotImplemented
        return self.report == other.report and bool(self.fabric == other.fabric)

    def __repr__(self) -> str:
        unit = self.report["currency"] or "m"
        word = "proved" if self.proved else f"bound {self.bound:,.2f}"
        tors = count(len(self.racks), "ToR")
        return f"<ProvedPlacement of {tors}: cords {self.cost:,.2f} {unit}, {word}>"


def prove_placement(
    fabric: Placed,
    *,
    time_s: float = 60.0,
    allowed: Mapping[str | int, Iterable[str]] | None = None,
    forbidden: Iterable[str] = (),
    rack_groups: Mapping[str, str] | None = None,
    together: Iterable[Iterable[_inputs.ToR]] = (),
    apart: Iterable[Iterable[_inputs.ToR]] = (),
    most: Mapping[str, int] | None = None,
    method: _choices.Proof = "cp-sat",
    workers: int | None = None,
    seed: int = 0,
) -> ProvedPlacement[Placed]:
    """Proves which racks make the cords of a small fabric cheapest, with rules about the racks.

    The splitters are at the senders. ToRs that an old plan keeps stay in their racks, and racks
    without a switch in an inventory of devices get none. About ten ToRs are proved within a minute.
    For larger halls the answer has a bound, and :meth:`Fabric.place` finds better placements
    faster.

    Parameters
    ----------
    fabric : Fabric
        The fabric.
    time_s : float, optional
        Most seconds for the solver. Branch and bound takes what it needs.
    allowed : mapping of ToR to racks, optional
        The racks that a ToR may stand in, by name. A ToR that has one rack is fixed.
    forbidden : iterable of str, optional
        Names of racks that get no ToR.
    rack_groups : mapping of str to str, optional
        The group of each rack by name, such as its power feed. Others are in no group.
    together, apart : iterable of sets of ToRs, optional
        The ToRs of a set stand in one group of racks; no two of a set stand in one group.
    most : mapping of str to int, optional
        The most ToRs in each group of racks.
    method : {"cp-sat", "branch-and-bound"}, optional
        OR-Tools CP-SAT, or branch and bound, which needs no package and knows ``forbidden`` alone.
    workers : int, optional
        Threads of CP-SAT; by default one per core. A proved cost does not depend on them; which of
        several equal placements is found may.
    seed : int, optional
        Seed of CP-SAT.

    Returns
    -------
    ProvedPlacement
        The placed fabric, its cost, and a bound. The planner has priced it again.

    Raises
    ------
    InfeasibleError
        If no placement keeps all rules. The message names a smallest set of rules that conflict.
    DesignError
        If a rule names no ToR or no rack, if the splitters are not at the senders, if the hall is
        too large for a proof, or if the fabric is that of a plan that was read back.
    ImportError
        If OR-Tools is missing: ``pip install lightloom[optimize]``.
    Interrupted
        On Ctrl-C. Its ``result`` has the best placement so far.

    Examples
    --------
    >>> from lightloom import Fabric
    >>> found = prove_placement(Fabric(p=2, tors=6), method="branch-and-bound")
    >>> found.proved, found.cost == found.bound
    (True, True)
    """
    if fabric.housing != "sender":
        message = f"housing: is {fabric.housing}; proofs are for splitters at the senders"
        raise DesignError(message, field="housing")
    said = _inputs.text("method", method)
    if said not in ("cp-sat", "branch-and-bound"):
        message = f"method: found {method!r}; expected cp-sat or branch-and-bound"
        raise DesignError(message, field="method")
    hall = hall_of(fabric, _inputs.texts("forbidden", forbidden, "the name of a rack"))
    asked = _solver.effort(time_s, workers, seed)
    rules = Rules(fabric, hall, rack_groups or {})
    rules.keep_plan()
    rules.allow(allowed or {})
    rules.keep("together", together, rules.in_one)
    rules.keep("apart", apart, rules.in_different)
    rules.limit(most or {})
    if said == "branch-and-bound":
        if rules.all:
            message = (
                "method: branch-and-bound takes no rules but forbidden, and keeps no plan; "
                "use cp-sat"
            )
            raise DesignError(message, field="method")
        return _by_branches(fabric, hall)
    return _by_solver(fabric, hall, rules.all, asked)


def _instance(hall: Hall) -> qap.Instance:
    """The placement as a quadratic assignment; racks without a ToR have facilities of no flow."""
    size = len(hall.usable)
    flows = np.zeros((size, size), np.int64)
    flows[: len(hall.flows), : len(hall.flows)] = hall.flows
    return qap.Instance(flows, hall.costs[np.ix_(hall.usable, hall.usable)])


def _by_branches(fabric: Placed, hall: Hall) -> ProvedPlacement[Placed]:
    proof = qap.prove(_instance(hall), fabric.tors)
    racks = [hall.usable[at] for at in proof.locations[: fabric.tors]]
    return _answer(fabric, hall, racks, proof.cost, "branch-and-bound")


def _by_solver(
    fabric: Placed, hall: Hall, rules: Sequence[Rule], asked: _solver.Effort
) -> ProvedPlacement[Placed]:
    def feasible(some: Sequence[Rule]) -> Any:
        return Model(hall, some).cp

    model = Model(hall, rules)
    model.price(hall)
    found = qap.solve(_instance(hall), chains=1, rounds=1).locations[: fabric.tors]
    model.hint([hall.usable[at] for at in found])
    try:
        solved = _solver.solve(model.cp, asked, CALLER)
    except _solver.Infeasible:
        _solver.refuse(rules, feasible, CALLER)
    if not solved.found:
        if solved.stopped:
            raise _solver.interrupted(None, "a placement")
        message = f"{CALLER}: found no placement within {asked.time_s:g} s; give more time_s"
        raise InfeasibleError(message)
    racks = [
        next(rack for rack in hall.usable if solved.values(model.at(tor, rack)))
        for tor in range(fabric.tors)
    ]
    answer = _answer(fabric, hall, racks, solved.bound, "cp-sat")
    if solved.stopped:
        raise _solver.interrupted(answer, answer.missing)
    return answer


def _answer(
    fabric: Placed, hall: Hall, racks: Sequence[int], bound: int, method: str
) -> ProvedPlacement[Placed]:
    """The placed fabric with its cords as the planner prices them."""
    names = [hall.racks[rack] for rack in racks]
    there = type(fabric)._of(placed(fabric._project, names))
    before, after = (parse(cords(each._project)) for each in (fabric, there))
    scale = 1e6 / hall.step
    paid = hall.costs[np.ix_(racks, racks)]
    cost = int((hall.flows * paid).sum())
    report = {
        "method": method,
        "currency": hall.currency,
        "racks": names,
        "cost": cost / scale,
        "bound": min(bound, cost) / scale,
        "proved": bound >= cost,
        "before": before["cords"],
        "after": after["cords"],
        "light": [str(each.budget().verdict) for each in (fabric, there)],
    }
    return ProvedPlacement(there, report)
