"""Fabrics and trees as Python objects: names, slices, equality, pickles, representations."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES

import lightloom
from lightloom import DesignError, Fabric, Plan, Settings

FABRICS = [
    Fabric(p=4, k=2),
    Fabric("kautz", p=4, tors=50, housing="receiver"),
    Fabric(tors=24, transceiver="10gbase-er", catalogue="datasheets-2026", years=2,
           energy_price="0.1 USD"),
    Fabric("custom", p=2, edges=[(0, 0, 1), (1, 1, 0), (2, 0, 0)]),
    Fabric.open(EXAMPLES / "hall-1024.toml"),
]  # fmt: skip


def test_every_setting_has_a_name():
    from lightloom import _inputs

    named = set(_inputs.SETTINGS) | set(_inputs.QUANTITIES)
    assert named == set(Settings.__annotations__)


def test_what_a_fabric_says():
    fabric = Fabric(p=4, k=2)
    assert (fabric.family, fabric.p, fabric.k, fabric.tors) == ("shufflecast", 4, 2, 32)
    assert (fabric.cassettes, fabric.router, fabric.housing) == (8, "algorithm1", "sender")
    assert len(fabric) == len(fabric.tor_names) == 32
    assert fabric.tor(np.int64(3)) == 3 == fabric.tor(fabric.tor_names[3]) == fabric.tor("3")
    assert Fabric("kautz", p=4, tors=50).k is None
    expected = "<Fabric shufflecast p=4 k=2: 32 ToRs, 8 cassettes, algorithm1>"
    assert repr(fabric) == expected


def test_arrays_have_the_stated_types_and_cannot_be_changed():
    fabric = Fabric(p=4, k=2)
    tree, sets = fabric.tree(5), fabric.relay_sets()
    shapes = [
        (fabric.edges, (32, 3), np.uint32),
        (tree.relay_row, (8,), np.uint32),
        (tree.hops, (32,), np.uint32),
        (sets.offsets, (33,), np.uint64),
        (sets.relays, (256,), np.uint32),
        (fabric.budget().loss_db, (128,), np.float64),
        (fabric.impact("relay:8").lost, (32,), np.uint32),
    ]
    for array, shape, dtype in shapes:
        assert (array.shape, array.dtype) == (shape, dtype)
    for array in (fabric.edges, tree.relay_row, tree.hops, sets.relays, sets[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_relay_sets_are_views_and_slices():
    sets = Fabric("kautz", p=4, tors=50).relay_sets()
    assert sets[3].base is sets.relays
    assert np.array_equal(sets[-1], sets[49])
    assert [relays.tolist() for relays in sets[2:8:3]] == [sets[2].tolist(), sets[5].tolist()]
    assert len(list(sets)) == len(sets) == 50
    for wrong in (50, -51):
        with pytest.raises(IndexError):
            sets[wrong]


def test_paths():
    tree = Fabric(p=4, k=2).tree(0)
    assert tree.path(5) == tree.paths[5] == tree.path("5")
    assert tree.path(5)[0] == 0 and tree.path(5)[-1] == 5
    assert len(tree.paths) == 31 and 0 not in tree.paths and 32 not in tree.paths
    # The source's own packet comes back to it, but it is on no path.
    assert tree.path(0) == [0]
    assert len(tree) == 8


@pytest.mark.parametrize("fabric", FABRICS, ids=repr)
def test_equality_pickles_and_copies(fabric):
    again = pickle.loads(pickle.dumps(fabric))
    assert again == fabric and hash(again) == hash(fabric)
    assert copy.deepcopy(fabric) == fabric
    assert Fabric.from_document(fabric.document()) == fabric
    assert again.info() == fabric.info()
    assert again.budget().report == fabric.budget().report
    assert all(again != other for other in FABRICS if other is not fabric)
    assert fabric != "a fabric"
    answers = [fabric.tree(1), fabric.relay_sets(), fabric.impact("relay:0"), fabric.parallel()]
    answers += [fabric.recover("relay:0"), fabric.budget(), fabric.compare()]
    for answer in answers:
        assert pickle.loads(pickle.dumps(answer)) == answer


def test_what_differs_is_unequal():
    fabric = Fabric(p=4, k=2)
    assert fabric == Fabric("shufflecast", tors=32, p=4)
    others = [
        {"housing": "receiver"},
        {"router": "arborescence"},
        {"transceiver": "10gbase-er", "catalogue": "datasheets-2026"},
        {"rack_pitch": "0.8 m"},
        {"fibre_accounting": "whole"},
        {"fibre_length": "50 m"},
        {"samples": 10},
        {"spares_percent": 6},
    ]
    for other in others:
        assert fabric != Fabric(p=4, k=2, **other), other


def test_a_pickle_needs_no_files(tmp_path):
    racks = tmp_path / "racks.csv"
    rows = "".join(f"A{i},Row 1,{i}\n" for i in range(1, 9))
    racks.write_text("name,row,position\n" + rows)
    design = tmp_path / "design.toml"
    design.write_text('version = 1\n[fabric]\np = 2\n[hall]\ninventory = "racks.csv"\n')
    fabric = Fabric.open(design)
    pickled = pickle.dumps(fabric)
    for file in (racks, design):
        file.unlink()
    again = pickle.loads(pickled)
    assert again == fabric and again.tor_names == tuple(f"A{i}" for i in range(1, 9))


def test_tables_in_memory(tmp_path):
    racks = pd.DataFrame({"name": [f"A{i}" for i in range(8)], "row": "1", "position": range(1, 9)})
    file = tmp_path / "racks.csv"
    racks.to_csv(file, index=False)
    assert Fabric(inventory=racks, p=2) == Fabric(inventory=file, p=2)
    assert lightloom.explore(inventory=racks) == lightloom.explore(inventory=file)
    edges = Fabric("kautz", p=2, tors=9).edges
    assert np.array_equal(Fabric("custom", p=2, edges=edges).edges, edges)
    columns = ["tor", "from_cassette", "to_cassette"]
    frame = pd.DataFrame(edges, columns=columns)
    assert Fabric("custom", p=2, edges=frame) == Fabric("custom", p=2, edges=edges)


def test_settings_go_over_a_file():
    fabric = Fabric.open(str(EXAMPLES / "hall-1024.toml"), housing="sender")
    assert fabric.housing == "sender"
    assert fabric != Fabric.open(EXAMPLES / "hall-1024.toml")


def test_failures_are_texts_lists_and_numbers():
    fabric = Fabric(p=4, k=2)
    expected = fabric.impact("relay:8,tx:1")
    assert fabric.impact(["relay:8", "tx:1"]) == expected == fabric.impact([8, "tx:1"])
    assert fabric.impact(np.array([8])) == fabric.impact(8) == fabric.impact("relay:8")
    assert expected.failed_sources == [1, 8]
    assert expected.lost[1] == 31
    name = fabric.tor_names[8]
    assert fabric.impact(f"relay:{name}") == fabric.impact(8)


def test_a_recovery():
    fabric = Fabric(p=4, k=2)
    recovery = fabric.recover("relay:8")
    assert recovery.restored and recovery.via and recovery.phases and not recovery.unreachable
    assert recovery.failed_sources == [8] and recovery.not_counted == []
    given_up = fabric.recover("relay:8", method="algorithm2")
    assert given_up.restored and given_up.failed_sources == given_up.not_counted == [8]
    assert not fabric.recover("tor:8").restored
    assert recovery.max_hops == max(recovery.hops.values())
    rules = recovery.rules()
    assert set(rules["change"]) == {"add", "delete"}
    added = sum(len(change["add"]) for change in recovery.changes.values())
    assert (rules["change"] == "add").sum() == added
    assert recovery != fabric.recover("relay:9")
    assert len(recovery.throughput()) == 0


def test_a_plan(tmp_path):
    racks = pd.DataFrame(
        {"name": ["NA", "null", "007", "1e3", "x", "y", "z", "é"], "row": "1"}
    ).assign(position=range(1, 9))
    fabric = Fabric(p=2, k=2, inventory=racks)
    plan = fabric.plan(tmp_path / "plan")
    assert plan.verify() and plan.lit and plan.optical == "not assessed"
    opened = Plan.open(tmp_path / "plan")
    assert opened == plan and opened.fabric == fabric and pickle.loads(pickle.dumps(plan)) == plan
    cables, ports = plan.cables(), plan.ports()
    assert cables["length_m"].dtype == np.float64 and cables["from_tor"].dtype == np.int64
    assert cables["to_tor"].isna().sum() == 8
    assert set(ports["name"]) == set(racks["name"])
    assert len(plan.bom()) and len(plan.trays())
    assert cables["panels"].dtype == cables["splices"].dtype == np.int64
    (tmp_path / "plan" / "rules.json").write_text('{"relays":{},"accept":{},"via":{}}')
    verification = plan.verify()
    assert not verification and verification.faults
    with pytest.raises(DesignError, match=r"has no plan\.json"):
        Plan.open(tmp_path)


def test_a_plan_says_what_it_warns_of_and_assumes(tmp_path):
    fabric = Fabric(p=2, k=2, slack="2 m", tray_width="10 mm", tray_depth="10 mm")
    plan = fabric.plan(tmp_path / "plan")
    fullest = plan.trays().iloc[0]
    assert 25 < fullest["fill_percent"] < 100
    assert len(plan.warnings) == (plan.trays()["fill_percent"] > 25).sum()
    assert fullest["tray"] in plan.warnings[0] and "25 %" in plan.warnings[0]
    assumed = {assumption["what"]: assumption["value"] for assumption in plan.assumed}
    assert assumed["rack_pitch"] == "0.6 m" and "slack" not in assumed
    assert plan.unplaced == []
    opened = Plan.open(tmp_path / "plan")
    assert opened == plan and opened.warnings == plan.warnings and opened.assumed == []
    assert pickle.loads(pickle.dumps(fabric)).plan(tmp_path / "again").assumed == plan.assumed
    said = Fabric(p=2, k=2, slack="2 m", tray_width="10 mm", tray_depth="10 mm", rack_pitch="0.6 m")
    same = said.plan(tmp_path / "said")
    assert same == plan and said == fabric
    assert "rack_pitch" not in {assumption["what"] for assumption in same.assumed}
    with pytest.raises(DesignError, match=r"the fibres do not fit"):
        Fabric(p=2, k=2, tray_width="1 mm", tray_depth="1 mm").plan(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_notebooks_show_a_table():
    budget = Fabric(p=4, k=2).budget()
    shown = budget._repr_html_()
    assert shown.count("<tr>") == 21 and "margin (dB)" in shown and "and 108 more" in shown


def test_representations_are_one_line():
    fabric = Fabric(p=4, k=2)
    answers = [fabric, fabric.tree(0), fabric.relay_sets(), fabric.info(), fabric.risk()]
    answers += [fabric.parallel(), fabric.impact(1), fabric.recover(1), fabric.budget()]
    answers += [fabric.compare(), lightloom.explore(32), lightloom.unused_ports()]
    for answer in answers:
        assert repr(answer).startswith("<") and "\n" not in repr(answer)
