"""Batches: answers of many at once are those of single calls."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stops import press, stopped

import lightloom
from lightloom import DesignError, Fabric

FABRICS = [
    Fabric(p=2, k=2),
    Fabric(p=2, k=3),
    Fabric(family="kautz", p=3, tors=17),
    Fabric(family="kautz", p=2, tors=13, fault_signalling="on"),
]


@st.composite
def failure_sets(draw):
    fabric = draw(st.sampled_from(FABRICS))
    part = st.sampled_from(fabric.single_failures()) | st.integers(0, fabric.tors - 1)
    sets = st.lists(part | st.lists(part, min_size=1, max_size=3, unique_by=str), max_size=6)

    def is_twice(one):
        named = [one] if isinstance(one, (int, str)) else one
        texts = [f"relay:{each}" if isinstance(each, int) else each for each in named]
        return len(set(texts)) < len(texts)

    return fabric, [one for one in draw(sets) if not is_twice(one)]


@settings(deadline=None, max_examples=60)
@given(failure_sets())
def test_impacts_are_those_of_single_calls(drawn):
    fabric, sets = drawn
    impacts = fabric.impact_many(sets)
    assert len(impacts) == len(sets) and not impacts.missing
    table = impacts.table()
    for at, one in enumerate(sets):
        alone = fabric.impact(one)
        assert impacts[at] == alone
        assert impacts.failed[at] == alone.failed
        assert impacts.lost[at].tolist() == alone.lost.tolist()
        assert impacts.failed_sources[at] == alone.failed_sources
        assert impacts.unaffected_fraction[at] == pytest.approx(alone.unaffected_fraction)
        pairs = impacts.pairs(at)
        assert np.bincount(pairs[:, 0], minlength=fabric.tors).tolist() == alone.lost.tolist()
        assert not (pairs[:, 0] == pairs[:, 1]).any()
        hit = [lost for lost in alone.sources.values() if lost]
        assert table["failed"][at] == ",".join(alone.failed)
        assert table["failed_sources"][at] == len(alone.failed_sources)
        assert table["sources_hit"][at] == len(hit)
        assert table["most_lost"][at] == max(hit, default=0)
        assert table["lost_pairs"][at] == len(pairs)


@settings(deadline=None, max_examples=40)
@given(failure_sets(), st.sampled_from(["fewest-changes", "fewest-hops"]))
def test_recoveries_are_those_of_single_calls(drawn, objective):
    fabric, sets = drawn
    whole = fabric.recover_many(sets, objective=objective)
    ends = fabric.recover_many(sets, objective=objective, rollout=False)
    rollout = ("phases", "drain", "outage", "without_rollout")
    for at, one in enumerate(sets):
        alone = fabric.recover(one, objective=objective)
        assert whole[at] == alone
        assert not ends[at].has_rollout
        plain = {key: value for key, value in alone.report.items() if key not in rollout}
        assert {k: v for k, v in ends[at].report.items() if k not in rollout} == plain
        for table in (whole.table(), ends.table()):
            assert bool(table["restored"][at]) is alone.restored
            added = sum(len(lists["add"]) for lists in alone.changes.values())
            assert table["rules_to_add"][at] == added
            assert table["incomplete_sources"][at] == len(alone.unreachable)
            assert table["stand_ins"][at] == len(alone.via)
            assert table["max_hops"][at] == alone.max_hops


def test_trees_are_those_of_single_calls():
    fabric = FABRICS[2]
    trees = fabric.trees([3, "R1.01", 3])
    assert trees.sources.tolist() == [3, fabric.tor("R1.01"), 3]
    for tree in trees:
        assert tree == fabric.tree(tree.source)
    assert fabric.hops().tolist() == [fabric.tree(tor).hops.tolist() for tor in range(17)]
    assert len(fabric.trees()) == 17 and len(fabric.trees([])) == 0
    assert pickle.loads(pickle.dumps(trees)) == trees
    assert trees[-1] == fabric.tree(3)
    with pytest.raises(IndexError):
        trees[3]


def test_a_recovery_without_its_rollout_says_so():
    recovery = FABRICS[0].recover_many(["relay:1"], rollout=False)[0]
    for ask in ("phases", "outage"):
        with pytest.raises(DesignError, match="rollout=True") as refused:
            getattr(recovery, ask)
        assert refused.value.field == ask
    assert "not computed" in recovery._repr_html_()


def test_a_refused_set_does_not_end_the_others(tmp_path):
    fabric = Fabric(p=2, k=2)
    sets = ["relay:1", "branch:0->4", "relay:2"]
    assert sets[1] in fabric.single_failures()
    recoveries = fabric.recover_many(sets, method="algorithm2")
    assert list(recoveries.refused) == [1]
    with pytest.raises(DesignError) as alone:
        fabric.recover("branch:0->4", method="algorithm2")
    with pytest.raises(DesignError) as refused:
        recoveries[1]
    assert str(refused.value) == str(alone.value)
    table = recoveries.table()
    assert table["refused"] == [None, str(alone.value), None]
    assert table["restored"] == [True, None, True]
    assert not recoveries.all_restored and "1 refused" in repr(recoveries)
    frame = table.to_pandas()
    assert frame["max_hops"].isna().tolist() == [False, True, False]
    assert str(frame["max_hops"].dtype) == "Int64" and str(frame["restored"].dtype) == "boolean"
    again = pickle.loads(pickle.dumps(recoveries))
    assert again == recoveries and again[0] == recoveries[0]
    plan = again[2].apply(tmp_path / "plan")
    assert plan.verify().good


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        ("relay:1", "expected a list of failure sets"),
        (7, "expected a list of failure sets"),
        ([1, 2, "relay:99"], "set 2: failed: relay:99"),
        ([1, []], "set 1: .*names no failure"),
        ([["relay:1", 1]], "set 0: .*relay:1 is there twice"),
        ([1.5], "expected a ToR's number or its rack's name"),
    ],
)
def test_wrong_sets_are_refused_by_their_number(sets, said):
    for ask in (FABRICS[0].impact_many, FABRICS[0].recover_many):
        with pytest.raises(DesignError, match=said) as refused:
            ask(sets)
        assert refused.value.field == "failed"


def test_a_plan_around_failures_is_refused(tmp_path):
    repaired = Fabric(p=2, k=2).recover("relay:1").apply(tmp_path / "plan").fabric
    for ask in (repaired.impact_many, repaired.recover_many):
        with pytest.raises(DesignError, match="is a plan around failures"):
            ask([2])
    with pytest.raises(DesignError, match="is a plan around failures"):
        repaired.hops()


def test_memory_is_checked_before_the_work():
    small = Fabric(p=4, k=3, memory="40 MB")
    with pytest.raises(DesignError, match=r"needs about .* of memory") as refused:
        small.impact_many([0] * 1_000_000)
    assert refused.value.field == "memory"


def test_a_stopped_call_keeps_what_is_done():
    fabric = Fabric(p=4, k=3)
    sets = [one % fabric.tors for one in range(4000)]

    def press_later(done, of):
        if done:
            press(done, of)

    some = stopped(fabric.recover_many, sets, rollout=False, progress=press_later).result
    assert 0 < len(some) < len(sets)
    assert some.missing == f"{len(sets) - len(some):,} of 4,000 failure sets"
    assert some[0] == fabric.recover_many([0], rollout=False)[0]
    assert len(some.table()) == len(some)


def test_tables_go_to_other_libraries_without_loss():
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    fabric = FABRICS[1]
    table = fabric.impact_many(fabric.single_failures()).table()
    frame = table.to_pandas()
    assert table.to_polars().to_dicts() == frame.to_dict("records")
    assert table.to_arrow().to_pylist() == frame.to_dict("records")
    assert polars.DataFrame(table).height == pyarrow.table(table).num_rows == len(table)
    assert pickle.loads(pickle.dumps(table)) == table
    assert table != fabric.impact_many(["relay:0"]).table()
    with pytest.raises(KeyError, match="the columns are failed"):
        table["nothing"]
    with pytest.raises(ValueError, match="read-only"):
        table["lost_pairs"][0] = 1
    assert f"and {len(table) - 10} more rows" in table._repr_html_()


def test_branches_of_a_budget_are_those_of_its_report():
    fabric = Fabric(p=4, k=3, transceiver="10gbase-er", catalogue="datasheets-2026")
    budget = fabric.budget()
    table, rows = budget.table(), budget.report["branches"]
    assert len(table) == len(rows) == len(budget) == len(fabric.edges) * 4
    for name in table.columns:
        values = table[name]
        for value, row in zip(values, rows, strict=True):
            told = row.get(name)
            if name == "mend":
                assert (value is None) == (not told)
            elif name.endswith("_is_bound"):
                assert bool(value) is bool(told)
            elif told is None:
                assert np.isnan(value)
            else:
                assert value == told
    again = pickle.loads(pickle.dumps(budget))
    assert again == budget and again.table() == table
    assert again["case"] == budget.case and again["branches"] == rows
    assert isinstance(budget, lightloom.Budget)


@pytest.mark.parametrize("housing", ["sender", "receiver"])
def test_a_placement_is_cheaper_and_can_be_planned(housing, tmp_path):
    fabric = Fabric(p=2, tors=60, housing=housing, transceiver="10gbase-er")
    found = fabric.place(chains=2, rounds=2, seed=4, fixed=[0, "R1.02"])
    assert found == fabric.place(chains=2, rounds=2, seed=4, fixed=[0, "R1.02"])
    assert len(found.curve) == 2 and not found.missing and found.not_taken is None
    before, after = found.before, found.after
    assert after["cords_cost"] < before["cords_cost"]
    assert found.report["kept_tors"] == 2
    moved = [a != b for a, b in zip(fabric.tor_names, found.fabric.tor_names, strict=True)]
    assert sum(moved) == found.moved_tors and not moved[0] and not moved[fabric.tor("R1.02")]
    # What the placed plan's own files say.
    for each, told in ((fabric, before), (found.fabric, after)):
        plan = each.plan(tmp_path / f"plan-{told is after}")
        assert plan.verify().good
        cables = plan.cables()
        feeds = cables["kind"] == "feed" if "kind" in cables else cables["label"].str[0] == "F"
        stock = cables["stock_m"]
        assert stock[feeds].sum() == pytest.approx(told["feeds_stock_m"])
        assert stock[~feeds].sum() == pytest.approx(told["branches_stock_m"])
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.fabric.tor_names == found.fabric.tor_names


def test_racks_are_kept_free_and_groups_kept():
    fabric = Fabric(p=2, tors=12)
    spare = Fabric(p=2, tors=12, racks_per_row=8)
    names = set(fabric.tor_names)
    groups = {name: "a" if name < "R2" else "b" for name in names}
    found = fabric.place(chains=1, rounds=1, rack_groups=groups)
    for old, new in zip(fabric.tor_names, found.fabric.tor_names, strict=True):
        assert groups[old] == groups[new]
    with pytest.raises(DesignError, match="where ToR 3 stands before the search") as refused:
        spare.place(chains=1, rounds=1, forbidden=[spare.tor_names[3]])
    assert refused.value.field == "forbidden"


@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        ({}, "time", "is missing"),
        ({"time": "soon"}, "time", "expected a time such as 60s"),
        ({"time": "0 s"}, "time", "more than nothing"),
        ({"time": "1 s", "rounds": 1}, "time", "one of the two"),
        ({"chains": 2}, "rounds", "is missing"),
        ({"rounds": 1, "chains": 10**9}, "time", "at most 256 chains"),
        ({"rounds": 0}, "time", "chains and rounds such as 2x500"),
        ({"rounds": 1, "fixed": ["R99"]}, "fixed", "R99"),
        ({"rounds": 1, "forbidden": ["R99"]}, "forbidden", "R99"),
        ({"rounds": 1, "rack_groups": {"R99": "a"}}, "rack_groups", "R99"),
        ({"rounds": 1, "rack_groups": ["R99"]}, "rack_groups", "mapping"),
    ],
)
def test_wrong_searches_are_refused(asked, field, said):
    with pytest.raises(DesignError, match=said) as refused:
        Fabric(p=2, tors=12).place(**asked)
    assert refused.value.field == field


def test_what_cannot_be_placed_is_refused(tmp_path):
    shuffled = Fabric(p=2, tors=12, housing="zone", cabling="trunked", shuffle="modules")
    with pytest.raises(DesignError, match="only whole rows change places") as refused:
        shuffled.place(rounds=1, fixed=[3])
    assert refused.value.field == "fixed"
    plan = Fabric(p=2, tors=12).plan(tmp_path / "plan")
    with pytest.raises(DesignError, match="place its design"):
        lightloom.Plan.open(plan.folder).fabric.place(rounds=1)
