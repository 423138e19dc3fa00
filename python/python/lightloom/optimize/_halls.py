"""A placement as numbers: a hall, rules about its racks, and the model of both."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._lightloom import place_ground
from lightloom._report import count
from lightloom.errors import DesignError, InfeasibleError
from lightloom.fabric import Fabric
from lightloom.optimize import _solver
from lightloom.optimize._solver import Rule

Whole = npt.NDArray[np.int64]
CALLER = "prove_placement"
_MOST_PRODUCTS = 2_000_000


class Hall(NamedTuple):
    """A placement as numbers."""

    racks: list[str]
    currency: str | None
    costs: Whole
    """The cost of a cord, by the racks of shelf and ToR."""
    flows: Whole
    """The number of branches, by ToRs; the diagonal has the feed of each ToR too."""
    usable: list[int]
    """The racks that may hold a ToR."""
    step: int
    """What the costs were divided by."""
    kept: dict[int, int]
    """The racks of ToRs that an old plan keeps."""


def hall_of(fabric: Fabric, forbidden: Sequence[str]) -> Hall:
    """The racks of a fabric with the costs of cords between them.

    Raises
    ------
    DesignError
        If a name is of no rack, or the hall is too large for a proof.
    InfeasibleError
        If the ToRs do not fit.
    """
    ground = place_ground(fabric._project)
    racks, costs = ground["racks"], ground["costs"]
    for name in forbidden:
        _rack(racks, name, "forbidden")
    closed = {*ground["closed"], *(racks.index(name) for name in forbidden)}
    usable = [
        at for at in range(len(racks)) if at not in closed and costs[at, at] < ground["impossible"]
    ]
    if len(usable) < fabric.tors:
        message = f"{CALLER}: {count(fabric.tors, 'ToR')} in {count(len(usable), 'usable rack')}"
        raise InfeasibleError(message)
    sender, receiver, *_ = fabric._project.branches()
    flows = np.zeros((fabric.tors, fabric.tors), np.int64)
    np.add.at(flows, (sender, receiver), 1)
    flows += np.eye(fabric.tors, dtype=np.int64)
    pairs = np.count_nonzero(np.triu(flows + flows.T, 1))
    if pairs * len(usable) ** 2 > _MOST_PRODUCTS:
        tors, places = count(fabric.tors, "ToR"), count(len(usable), "rack")
        message = f"tors: {tors} in {places} are too many for a proof; search with Fabric.place"
        raise DesignError(message, field="tors")
    step = math.gcd(*np.unique(costs[np.ix_(usable, usable)]).tolist()) or 1
    kept = {tor: at for tor, at in enumerate(ground["kept"]) if at is not None}
    return Hall(racks, ground["currency"], costs // step, flows, usable, step, kept)


def _rack(racks: Sequence[str], name: str, field: str) -> int:
    if name not in racks:
        message = f"{field}: found {name!r}; no rack for ToRs has that name"
        raise DesignError(message, field=field)
    return racks.index(name)


class Rules:
    """What a user says about the racks, one rule after the other."""

    def __init__(self, fabric: Fabric, hall: Hall, rack_groups: Mapping[str, str]) -> None:
        self.all: list[Rule] = []
        self._fabric, self._hall = fabric, hall
        self._groups: dict[str, list[int]] = {}
        for name, group in _inputs.text_pairs("rack_groups", rack_groups).items():
            self._groups.setdefault(group, []).append(_rack(hall.racks, name, "rack_groups"))

    def keep_plan(self) -> None:
        """Keeps the ToRs of an old plan in their racks."""
        for tor, rack in self._hall.kept.items():
            name = f"keep: ToR {tor} in {self._hall.racks[rack]}, as in the old plan"
            self.all.append(Rule(name, partial(_stay, tor, {rack})))

    def allow(self, allowed: Mapping[str | int, Iterable[str]]) -> None:
        """Says the racks that ToRs may stand in."""
        if not isinstance(allowed, Mapping):
            raise _inputs.wrong_type("allowed", allowed, "a mapping of ToRs to names of racks")
        for tor, names in allowed.items():
            number = self._fabric._tor(tor, "allowed")
            said = _inputs.texts("allowed", names, "the name of a rack")
            racks = {_rack(self._hall.racks, name, "allowed") for name in said}
            name = f"allowed: ToR {number} in {', '.join(said) or 'no rack'}"
            self.all.append(Rule(name, partial(_stay, number, racks)))

    def keep(self, field: str, sets: Iterable[Iterable[_inputs.ToR]], rule: Any) -> None:
        """Adds a rule for each set of ToRs."""
        if isinstance(sets, (str, Mapping)) or not isinstance(sets, Iterable):
            raise _inputs.wrong_type(field, sets, "a list of sets of ToRs, such as [[0, 1]]")
        for each in sets:
            tors = self._fabric._tors(each, field)
            if not self._groups:
                message = f"{field}: needs rack_groups, which say what racks are one group"
                raise DesignError(message, field=field)
            name = f"{field}: ToRs {', '.join(map(str, tors))}"
            self.all.append(Rule(name, partial(rule, tors)))

    def in_one(self, tors: Sequence[int], model: Any) -> None:
        """All of a set stand in one group."""
        chosen = [model.cp.new_bool_var("") for _ in self._groups]
        model.cp.add_exactly_one(chosen)
        for tor in tors:
            for group, racks in zip(chosen, self._groups.values(), strict=True):
                model.cp.add(sum(model.at(tor, rack) for rack in racks) >= group)

    def in_different(self, tors: Sequence[int], model: Any) -> None:
        """No two of a set stand in one group."""
        for racks in self._groups.values():
            model.cp.add(sum(model.at(tor, rack) for tor in tors for rack in racks) <= 1)

    def limit(self, most: Mapping[str, int]) -> None:
        """Says the most ToRs of groups of racks."""
        if not isinstance(most, Mapping):
            raise _inputs.wrong_type("most", most, "a mapping of groups of racks to numbers")
        for group, number in most.items():
            if group not in self._groups:
                message = f"most: found {group!r}; rack_groups has no such group"
                raise DesignError(message, field="most")
            limit = _inputs.number("most", number)
            name = f"most: {count(limit, 'ToR')} in group {group}"
            self.all.append(Rule(name, partial(_at_most, limit, self._groups[group])))


def _stay(tor: int, racks: set[int], model: Any) -> None:
    model.cp.add_bool_or([model.at(tor, rack) for rack in racks])


def _at_most(limit: int, racks: Sequence[int], model: Any) -> None:
    tors = range(model.tors)
    model.cp.add(sum(model.at(tor, rack) for tor in tors for rack in racks) <= limit)


class Model:
    """A model of CP-SAT: which ToR stands in which rack."""

    def __init__(self, hall: Hall, rules: Sequence[Rule]) -> None:
        module = _solver.cp_model(CALLER)
        self.cp = module.CpModel()
        self.tors, self.usable = len(hall.flows), hall.usable
        self._is_at = {
            (tor, rack): self.cp.new_bool_var("")
            for tor in range(self.tors)
            for rack in hall.usable
        }
        for tor in range(self.tors):
            self.cp.add_exactly_one(self._is_at[tor, rack] for rack in hall.usable)
        for rack in hall.usable:
            self.cp.add_at_most_one(self._is_at[tor, rack] for tor in range(self.tors))
        for rule in rules:
            rule.add(self)

    def at(self, tor: int, rack: int) -> Any:
        """Whether a ToR stands in a rack; 0 if the rack cannot be used."""
        return self._is_at.get((tor, rack), 0)

    def price(self, hall: Hall) -> None:
        """Adds the cost of all cords.

        Cords have few prices, because they come in stock lengths. So a pair of ToRs has a variable
        for each step of its price: whether their racks are farther apart than that.
        """
        flows, costs = hall.flows, hall.costs
        terms = []
        for tor in range(self.tors):
            for rack in self.usable:
                terms.append(int(flows[tor, tor] * costs[rack, rack]) * self._is_at[tor, rack])
        kinds: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for one in range(self.tors):
            for other in range(one + 1, self.tors):
                out, back = int(flows[one, other]), int(flows[other, one])
                if out or back:
                    kinds.setdefault((out, back), []).append((one, other))
        for (out, back), pairs in kinds.items():
            terms += self._steps(out * costs + back * costs.T, pairs)
        self.cp.minimize(sum(terms))

    def _steps(self, costs: Whole, pairs: Sequence[tuple[int, int]]) -> list[Any]:
        """What pairs of ToRs cost that exchange as much."""
        apart = [(here, there) for here in self.usable for there in self.usable if here != there]
        prices = sorted({int(costs[pair]) for pair in apart})
        terms: list[Any] = [prices[0] * len(pairs)]
        for low, high in itertools.pairwise(prices):
            near = {
                here: [at for (of, at) in apart if of == here and costs[of, at] <= low]
                for here in self.usable
            }
            back = {
                here: [of for (of, at) in apart if at == here and costs[of, at] <= low]
                for here in self.usable
            }
            ways: dict[int, list[Any]] = {}
            for one, other in pairs:
                is_far = self.cp.new_bool_var("")
                terms.append((high - low) * is_far)
                for rack in self.usable:
                    for of, to, where in ((one, other, near), (other, one, back)):
                        close = [self._is_at[to, at] for at in where[rack]]
                        self.cp.add_bool_or([self._is_at[of, rack].negated(), is_far, *close])
                ways.setdefault(one, []).append(is_far)
                ways.setdefault(other, []).append(is_far)
            # A rack has few near racks, so few cords of a ToR can be short. The pairs imply this.
            # The solver bounds the cost much faster if it is said.
            for tor, far in ways.items():
                room = sum(
                    len({*near[rack], *back[rack]}) * self._is_at[tor, rack] for rack in self.usable
                )
                self.cp.add(len(far) - sum(far) <= room)
        return terms

    def hint(self, racks: Sequence[int]) -> None:
        """Begins with ToRs in these racks."""
        for (tor, rack), var in self._is_at.items():
            self.cp.add_hint(var, racks[tor] == rack)
