"""Bounds: below every assignment, and below what a search finds."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightloom import DesignError, Fabric, InfeasibleError
from lightloom._lightloom import place_ground, placed
from lightloom.optimize import feed_bound, placement_bound, projection_bound, prove_placement


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 6), st.integers(0, 2**32 - 1), st.booleans())
def test_the_bound_is_below_every_assignment(size, seed, sparse):
    draws = np.random.default_rng(seed)
    flows = draws.integers(0, 9, (size, size)).astype(float)
    flows *= draws.random((size, size)) < (0.4 if sparse else 1.0)
    places = draws.random((size, 2)) * 100
    far = np.hypot(*np.moveaxis(places[:, None] - places[None], -1, 0))
    bound = projection_bound(flows, far)
    best = min(
        float((flows * far[np.ix_(order, order)]).sum())
        for order in map(list, itertools.permutations(range(size)))
    )
    assert bound <= best + 1e-6 * max(best, 1.0)


def test_the_bound_is_sharp_where_all_assignments_are_alike():
    size = 7
    alike = np.ones((size, size)) - np.eye(size)
    assert projection_bound(alike, 3.0 * alike) == pytest.approx(3.0 * size * (size - 1))


@pytest.mark.parametrize("family", [{"p": 2, "k": 3}, {"family": "kautz", "p": 3, "tors": 60}])
def test_the_bound_is_below_what_a_search_finds(family):
    fabric = Fabric(**family)
    bound = placement_bound(fabric)
    placed = placement_bound(fabric.place(chains=1, rounds=4).fabric)
    assert placed.routed_m == pytest.approx(bound.routed_m)
    assert 0 < bound.routed_m <= placed.now_m < bound.now_m
    assert bound.share < placed.share <= 1


@pytest.mark.parametrize("housing", ["receiver", "zone"])
def test_other_housings_are_refused(housing):
    with pytest.raises(DesignError, match="splitters at the senders") as refused:
        placement_bound(Fabric(p=2, tors=12, housing=housing))
    assert refused.value.field == "housing"


@pytest.mark.parametrize(
    ("flows", "far", "field"),
    [
        (np.ones((2, 3)), np.ones((2, 3)), "flows"),
        (np.ones((2, 2)), np.ones((3, 3)), "flows"),
        (np.ones((2, 2)), np.array([[0.0, 1.0], [2.0, 0.0]]), "distances"),
    ],
)
def test_matrices_that_are_none_are_refused(flows, far, field):
    with pytest.raises(DesignError) as refused:
        projection_bound(flows, far)
    assert refused.value.field == field


def racks_of(fabric):
    ground = place_ground(fabric._project)
    return ground["racks"], ground["costs"], ground["impossible"]


SMALL = [
    {"p": 2, "tors": 6},
    {"p": 2, "k": 2},
    {"family": "kautz", "p": 2, "tors": 6},
    {"family": "kautz", "p": 3, "tors": 6},
]


@pytest.mark.parametrize("family", SMALL)
def test_both_proofs_agree_and_the_planner_prices_the_same(family):
    fabric = Fabric(**family)
    branches = prove_placement(fabric, method="branch-and-bound")
    solver = prove_placement(fabric, time_s=60)
    for found in (branches, solver):
        assert found.proved and found.bound == pytest.approx(found.cost)
        assert found.cost == pytest.approx(found.report["after"]["cords_cost"], abs=1e-6)
        assert found.cost <= found.report["before"]["cords_cost"]
        assert tuple(found.fabric.tor_names) == found.racks
        assert pickle.loads(pickle.dumps(found)) == found
    assert branches.cost == pytest.approx(solver.cost)
    # What a search finds is no cheaper.
    searched = fabric.place(chains=1, rounds=2).after["cords_cost"]
    assert searched >= branches.cost - 1e-6


@settings(deadline=None, max_examples=12)
@given(st.data())
def test_rules_hold_and_nothing_within_them_is_cheaper(data):
    """All placements of six ToRs are tried, by code of its own."""
    fabric = Fabric(p=2, tors=6)
    racks, costs, _ = racks_of(fabric)
    size = len(racks)
    group = {name: data.draw(st.sampled_from("ab"), label=name) for name in racks}
    tors = st.lists(st.integers(0, 5), min_size=2, max_size=3, unique=True)
    apart = data.draw(st.lists(tors.filter(lambda each: len(each) < 3), max_size=1))
    together = data.draw(st.lists(tors, max_size=1))
    fixed = data.draw(st.integers(0, 5))
    rack = data.draw(st.sampled_from(racks))
    most = {"a": data.draw(st.integers(2, 6))} if "a" in group.values() else {}

    def keeps(at):
        held = [group[racks[each]] for each in at]
        return (
            at[fixed] == racks.index(rack)
            and all(len({held[tor] for tor in each}) == len(each) for each in apart)
            and all(len({held[tor] for tor in each}) == 1 for each in together)
            and all(held.count(name) <= limit for name, limit in most.items())
        )

    sender, receiver, *_ = fabric._project.branches()
    orders = (at for at in itertools.permutations(range(size), 6) if keeps(at))
    prices = [
        sum(costs[at[one], at[other]] for one, other in zip(sender, receiver, strict=True))
        + sum(costs[each, each] for each in at)
        for at in itertools.islice(orders, 20_000)
    ]
    said = {"apart": apart, "together": together, "most": most, "rack_groups": group}
    said["allowed"] = {fixed: [rack]}
    if not prices:
        with pytest.raises(InfeasibleError, match="cannot all hold"):
            prove_placement(fabric, **said)
        return
    found = prove_placement(fabric, **said, time_s=60)
    at = [racks.index(name) for name in found.racks]
    assert keeps(at) and found.proved
    assert found.cost * 1e6 == pytest.approx(min(prices))


def test_a_smallest_set_of_rules_that_conflict_is_named():
    fabric = Fabric(p=2, tors=6)
    racks, *_ = racks_of(fabric)
    groups = dict(zip(racks, "aabbcc", strict=False))
    with pytest.raises(InfeasibleError) as refused:
        prove_placement(
            fabric,
            allowed={0: [racks[0]], 1: [racks[2]], 2: racks},
            rack_groups=groups,
            together=[[0, 1], [2, 3]],
            most={"a": 6},
        )
    named = str(refused.value).splitlines()
    assert named[0].endswith("these cannot all hold; change one of them:")
    assert sorted(named[1:]) == [
        f"- allowed: ToR 0 in {racks[0]}",
        f"- allowed: ToR 1 in {racks[2]}",
        "- together: ToRs 0, 1",
    ]


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"allowed": {0: ["no such"]}}, "allowed"),
        ({"allowed": {99: []}}, "allowed"),
        ({"allowed": [0]}, "allowed"),
        ({"forbidden": ["no such"]}, "forbidden"),
        ({"rack_groups": {"no such": "a"}}, "rack_groups"),
        ({"apart": [[0, 1]]}, "apart"),
        ({"together": "0"}, "together"),
        ({"most": {"a": 1}}, "most"),
        ({"method": "magic"}, "method"),
        ({"time_s": 0}, "time_s"),
        ({"time_s": "1 s"}, "time_s"),
        ({"time_s": float("nan")}, "time_s"),
        ({"workers": 0}, "workers"),
        ({"allowed": {0: ["R1.01"]}, "method": "branch-and-bound"}, "method"),
    ],
)
def test_wrong_rules_name_their_keyword(said, field):
    with pytest.raises(DesignError) as refused:
        prove_placement(Fabric(p=2, tors=6), **said)
    assert refused.value.field == field


def test_what_is_too_large_or_elsewhere_is_refused():
    with pytest.raises(DesignError, match=r"search with Fabric\.place"):
        prove_placement(Fabric(p=4, k=4))
    with pytest.raises(DesignError, match="splitters at the senders"):
        prove_placement(Fabric(p=2, tors=6, housing="receiver"))
    fabric = Fabric(p=2, tors=6)
    racks, *_ = racks_of(fabric)
    with pytest.raises(InfeasibleError, match="6 ToRs in 0 usable racks"):
        prove_placement(fabric, forbidden=racks)


@pytest.mark.parametrize(
    "family",
    [
        {"p": 2, "k": 3},
        {"p": 2, "tors": 12},
        {"p": 3, "k": 2},
        {"family": "kautz", "p": 3, "tors": 60},
        {"family": "kautz", "p": 2, "tors": 7},
    ],
)
def test_the_bound_on_feeds_is_below_every_placement(family):
    fabric = Fabric(**family, housing="receiver")
    bound = feed_bound(fabric)
    draws = np.random.default_rng(2)
    racks, *_ = racks_of(fabric)
    now = [bound.now_m, feed_bound(fabric.place(chains=1, rounds=2).fabric).now_m]
    for _ in range(8):
        names = [racks[at] for at in draws.permutation(len(racks))[: fabric.tors]]
        moved = Fabric._of(placed(fabric._project, names))
        again = feed_bound(moved)
        assert again.routed_m == pytest.approx(bound.routed_m)
        now.append(again.now_m)
    assert 0 < bound.routed_m <= min(now) + 1e-9


def test_the_bound_on_feeds_is_for_receivers():
    with pytest.raises(DesignError, match="splitters at the receivers"):
        feed_bound(Fabric(p=2, tors=12))


def test_placed_fabrics_are_refused_by_name():
    fabric = Fabric(p=2, tors=6)
    names = list(fabric.tor_names)
    for wrong in (names[:-1], [*names[:-1], "no such"], [names[0], *names[:-1]]):
        with pytest.raises(DesignError) as refused:
            placed(fabric._project, wrong)
        assert refused.value.field == "racks"


def test_a_plan_that_is_kept_stays_in_its_racks(tmp_path):
    old = Fabric(family="kautz", p=2, tors=6).plan(tmp_path / "old")
    fabric = Fabric(family="kautz", p=2, tors=8, keep=old.folder)
    found = prove_placement(fabric, time_s=60)
    assert found.racks[:6] == tuple(old.fabric.tor_names)
    assert found.proved and found.fabric.plan(tmp_path / "new").verify()
    searched = fabric.place(chains=1, rounds=2)
    assert searched.moved_cords is not None and searched.report["kept_tors"] == 6
    assert searched.after["cords_cost"] >= found.cost - 1e-6
    with pytest.raises(InfeasibleError) as refused:
        prove_placement(fabric, allowed={0: [old.fabric.tor_names[1]]})
    first, second = old.fabric.tor_names[:2]
    # The rack of ToR 1 is taken by ToR 1, and ToR 0 has one: two smallest sets.
    assert sorted(str(refused.value).splitlines()[1:]) in (
        [f"- allowed: ToR 0 in {second}", f"- keep: ToR 0 in {first}, as in the old plan"],
        [f"- allowed: ToR 0 in {second}", f"- keep: ToR 1 in {second}, as in the old plan"],
    )
    with pytest.raises(DesignError, match="keeps no plan"):
        prove_placement(fabric, method="branch-and-bound")


def test_racks_without_a_switch_get_no_tor(tmp_path):
    """Racks 0 to 5 have a switch and stand far apart; 6 to 9 have none and stand side by side."""
    far = [f"R{at},A,{20 * at + 1}" for at in range(6)]
    near = [f"R{at},A,{at - 3}" for at in range(6, 10)]
    rows = {
        "racks": ["name,row,position", *far, *near],
        "devices": ["name,rack,position,u_height,role"]
        + [f"s{at},R{at},40,1,Leaf" for at in range(6)],
        "interfaces": ["device,name,type,enabled,cable,mark_connected,tags,description"]
        + [
            f"s{at},Ethernet1/{port},25gbase-x-sfp28,true,,,," for at in range(6) for port in (1, 2)
        ],
        "places": ["tor,rack", *(f"{at},R{at}" for at in range(6))],
    }
    for name, lines in rows.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    fabric = Fabric(
        family="kautz",
        p=2,
        tors=6,
        inventory=tmp_path / "racks.csv",
        devices=tmp_path / "devices.csv",
        interfaces=tmp_path / "interfaces.csv",
        placement=tmp_path / "places.csv",
        transceiver="25gbase-lr",
    )
    for method in ("cp-sat", "branch-and-bound"):
        found = prove_placement(fabric, method=method)
        assert set(found.racks) == {f"R{at}" for at in range(6)} and found.proved
        assert len(found.report["light"]) == 2
