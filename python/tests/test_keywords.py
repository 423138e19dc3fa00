"""Refusals name the keyword and the values that it takes."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES

import lightloom
from lightloom import DesignError, DesignTypeError, Fabric, LightloomError, Scenario
from lightloom._inputs import SETTINGS

FABRIC = Fabric(p=4, k=2)
STRIDE = Scenario.open(EXAMPLES / "incast.toml")

WHOLE = [
    "p",
    "k",
    "tors",
    "extra_hops",
    "tor_breakout",
    "logical",
    "racks_per_row",
    "frame_units",
    "spare_positions_percent",
    "spares_percent",
    "crews",
    "modules_per_shift",
    "trunks_per_shift",
    "cords_between_rows_per_shift",
    "cords_within_row_per_shift",
    "measurements_per_shift",
    "feed_splices",
    "feed_panels",
    "branch_splices",
    "branch_panels",
    "samples",
    "seed",
    "years",
]
LENGTHS = [
    "rack_pitch",
    "row_pitch",
    "width",
    "depth",
    "tray_height",
    "tray_width",
    "tray_depth",
    "fibre_diameter",
    "rack_entry",
    "slack",
    "fibre_length",
]
UNITS = {
    **dict.fromkeys(LENGTHS, 'a length such as "12.5 m", with its unit'),
    "rate": 'a bit rate such as "400 Gbps", with its unit',
    **dict.fromkeys(
        ("penalty", "ageing", "margin", "headroom"), 'a ratio such as "3.4 dB", with its unit'
    ),
    **dict.fromkeys(
        ("largest_file", "memory"),
        'a data size such as "1.5 MB" or "64 KiB" '
        "(units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), with its unit",
    ),
    "energy_price": 'an amount such as "37.37 USD", with its unit',
}
PATHS = ["edges", "inventory", "devices", "interfaces", "building", "placement", "keep", "parts"]
LISTS = [
    "site",
    "location",
    "status",
    "frames",
    "tor_ports",
    "tor_reserved",
    "feed_inline",
    "branch_inline",
]
TEXTS = [
    "family",
    "router",
    "tor_model",
    "accelerator",
    "tor_role",
    "fault_signalling",
    "transmit_port",
    "rows_from",
    "housing",
    "cabling",
    "shuffle",
    "polish",
    "catalogue",
    "transceiver",
    "splitter_part",
    "fibre",
    "connector",
    "mpo",
    "splice",
    "panel",
    "pad",
    "pad_at",
    "accept",
    "fibre_accounting",
    "price_case",
    "prices",
]

NUMBERS = [0.6, np.float64(2.5), np.float32(2.5), float("nan"), Fraction(1, 2), Decimal("0.6")]
WHOLES = [1, 0, -3, np.int64(1), np.uint8(2), 2**70]
OTHERS = [True, np.True_, b"1", object(), {"a": 1}, 1j, ...]


def refused(name, value):
    said = {"p": 4, "k": 2, name: value}
    with pytest.raises(DesignTypeError) as caught:
        Fabric(**said)
    assert caught.value.field == name and isinstance(caught.value, TypeError)
    message = str(caught.value)
    assert message.startswith(f"{name}: found ")
    return message.partition("; expected ")[2]


def test_every_setting_is_looked_at():
    listed = [*WHOLE, *UNITS, *PATHS, *LISTS, *TEXTS, "cross_aisles", "percentile"]
    assert sorted(listed) == sorted(SETTINGS) and len(set(listed)) == len(listed)


def test_a_length_without_its_unit():
    with pytest.raises(DesignTypeError) as caught:
        Fabric(p=4, k=2, rack_pitch=0.6)
    assert str(caught.value) == (
        'rack_pitch: found 0.6; expected a length such as "12.5 m", with its unit'
    )


@pytest.mark.parametrize("name", UNITS)
def test_quantities(name):
    for value in (*NUMBERS, *WHOLES, *OTHERS, Path("0.6 m"), ["0.6 m"]):
        assert refused(name, value) == UNITS[name]
    # The scenario crate refuses a number without a unit in a text.
    with pytest.raises(DesignError) as caught:
        Fabric(p=4, k=2, **{name: "0.6"}).budget()
    assert caught.value.field == name
    expected = UNITS[name].removesuffix(", with its unit")
    assert str(caught.value) == f'{name}: found "0.6"; expected {expected}'


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(name):
    for value in (*NUMBERS, *OTHERS, "1", Path("1"), [1]):
        assert refused(name, value) == "a whole number"


@pytest.mark.parametrize("name", PATHS)
def test_paths(name):
    for value in (*NUMBERS, *WHOLES, *OTHERS):
        assert refused(name, value) == "a path"


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name):
    for value in (*NUMBERS, *WHOLES, *OTHERS, Path("x"), ["x"]):
        assert refused(name, value) == "a text"


@pytest.mark.parametrize("name", LISTS)
def test_lists(name):
    for value in (*NUMBERS, *WHOLES, *OTHERS):
        assert refused(name, value) == "a text, or several in a list"
    for value in (*NUMBERS, *WHOLES, None, Path("x")):
        assert refused(name, ["x", value]) == "a text"


def test_lists_of_lengths():
    one = UNITS["rack_pitch"]
    for value in (*NUMBERS, *WHOLES, *OTHERS):
        assert refused("cross_aisles", value) == f"{one}, or several in a list"
        assert refused("cross_aisles", ["3 m", value]) == one


def test_percentiles():
    for value in (*OTHERS, Decimal(1), Path("1"), [1]):
        assert refused("percentile", value) == "a number"
    # All number types get the same message.
    same = [
        Fabric(p=4, k=2, percentile=value)
        for value in (2.5, "2.5", np.float64(2.5), np.float32(2.5), Fraction(5, 2))
    ]
    assert all(fabric == same[0] for fabric in same)
    whole = [Fabric(p=4, k=2, percentile=value) for value in (2, np.int64(2), np.uint8(2), "2")]
    assert all(fabric == whole[0] for fabric in whole)
    for value in (0, 51, float("nan"), float("inf"), 10**400):
        with pytest.raises(DesignError) as caught:
            Fabric(p=4, k=2, percentile=value).budget("monte-carlo")
        assert caught.value.field == "percentile"


def racks(**columns):
    return pd.DataFrame({"name": [f"R{i}" for i in range(8)], "row": "A", **columns})


def scenario(text):
    return Scenario((EXAMPLES / "incast.toml").read_text() + text)


REFUSALS = {
    "p": lambda: Fabric(p=1, k=2),
    "k": lambda: Fabric(p=4, k=0),
    "no k": lambda: Fabric(p=4),
    "nothing": lambda: Fabric(),
    "family": lambda: Fabric("none", p=4, k=2),
    "tors": lambda: Fabric("kautz", p=4, tors=10**9),
    "k of kautz": lambda: Fabric("kautz", p=4, k=3, tors=9),
    "no edges": lambda: Fabric("custom", p=4),
    "edges": lambda: Fabric("custom", p=2, edges=[(0, 0, 1)]),
    "no such edges": lambda: Fabric("custom", p=2, edges="no such.csv"),
    "tors and k": lambda: Fabric(p=4, k=2, tors=31),
    "router": lambda: Fabric(p=4, k=2, router="other"),
    "router of kautz": lambda: Fabric("kautz", p=4, tors=20, router="algorithm1"),
    "extra hops": lambda: Fabric(p=4, k=2, extra_hops=2),
    "hops of algorithm1": lambda: Fabric(p=4, k=2, router="algorithm1", extra_hops=1),
    "tor model": lambda: Fabric(p=4, k=2, tor_model="nobody-9000"),
    "accelerator": lambda: Fabric(p=4, k=2, accelerator="nobodys-board"),
    "accelerator and logical": lambda: Fabric(p=4, k=2, accelerator="cepheus-board", logical=4),
    "fault signalling": lambda: Fabric(p=4, k=2, fault_signalling="perhaps"),
    "housing": lambda: Fabric(p=4, k=2, housing="cellar"),
    "spares": lambda: Fabric(p=4, k=2, spares_percent=10**6),
    "status alone": lambda: Fabric(p=4, k=2, status="active"),
    "site alone": lambda: Fabric(p=4, k=2, site="A"),
    "location alone": lambda: Fabric(p=4, k=2, location=["A", "B"]),
    "no such inventory": lambda: Fabric(p=4, k=2, inventory="no such.csv"),
    "inventory too small": lambda: Fabric(p=4, k=2, inventory=racks()),
    "no such column": lambda: Fabric("kautz", p=2, inventory=racks(), site="A"),
    "no such site": lambda: Fabric("kautz", p=2, inventory=racks(site="B"), site="A"),
    "no such location": lambda: Fabric("kautz", p=2, inventory=racks(site="B"), location="["),
    "no such plan": lambda: Fabric(p=4, k=2, keep="no such"),
    "placement": lambda: Fabric(p=4, k=2, placement="no such.csv"),
    "racks per row": lambda: Fabric(p=4, k=2, racks_per_row=0),
    "pitch": lambda: Fabric(p=4, k=2, rack_pitch="0 m"),
    "pitch of nothing": lambda: Fabric(p=4, k=2, rack_pitch="wide"),
    "aisles": lambda: Fabric(p=4, k=2, cross_aisles=["wide"]),
    "catalogue": lambda: Fabric(p=4, k=2, catalogue="mine"),
    "parts": lambda: Fabric(p=4, k=2, parts="no such.toml"),
    "transceiver": lambda: Fabric(p=4, k=2, transceiver="none").budget(),
    "rate": lambda: Fabric(p=4, k=2, rate="1 bps").budget(),
    "splitter": lambda: Fabric(p=4, k=2, splitter_part="none").budget(),
    "fibre": lambda: Fabric(p=4, k=2, fibre="none").budget(),
    "inline": lambda: Fabric(p=4, k=2, feed_inline=["none"]).budget(),
    "splices": lambda: Fabric(p=4, k=2, feed_splices=10**6).budget(),
    "penalty": lambda: Fabric(p=4, k=2, penalty="31 dB").budget(),
    "accept": lambda: Fabric(p=4, k=2, accept="luck").budget(),
    "samples": lambda: Fabric(p=4, k=2, samples=0).budget("monte-carlo"),
    "negative seed": lambda: Fabric(p=4, k=2, seed=-1).budget("monte-carlo"),
    "years": lambda: Fabric(p=4, k=2, years=0),
    "no price": lambda: Fabric(p=4, k=2, years=3),
    "price": lambda: Fabric(p=4, k=2, energy_price="5000 USD"),
    "accounting": lambda: Fabric(p=4, k=2, fibre_accounting="third"),
    "fibre length": lambda: Fabric(p=4, k=2, fibre_length="0 m"),
    "setting of a file": lambda: Fabric.open(EXAMPLES / "hall-1024.toml", rack_pitch="0 m"),
    "key of a file": lambda: Fabric.open(EXAMPLES / "hall-1024.toml", tors=3),
    "source": lambda: FABRIC.tree(99),
    "source by type": lambda: FABRIC.tree(1.5),
    "tor": lambda: FABRIC.rules("no rack"),
    "tor by name": lambda: FABRIC.tor("no rack"),
    "sources": lambda: FABRIC.parallel([99]),
    "sources by type": lambda: FABRIC.parallel(3),
    "sources twice": lambda: FABRIC.parallel([1, 1]),
    "no sources": lambda: FABRIC.parallel([]),
    "failed": lambda: FABRIC.impact("relay:99"),
    "failed kind": lambda: FABRIC.impact("door:9"),
    "failed branch": lambda: FABRIC.impact("branch:0->1"),
    "failed twice": lambda: FABRIC.impact("relay:1,relay:1"),
    "failed nothing": lambda: FABRIC.impact([]),
    "failed by type": lambda: FABRIC.impact(1.5),
    "failed in a picture": lambda: FABRIC.svg(failed="rx:0/9"),
    "tree in a picture": lambda: FABRIC.svg(tree=99),
    "method": lambda: FABRIC.recover("relay:1", method="luck"),
    "method of kautz": lambda: Fabric("kautz", p=4, tors=20).recover("relay:1", "algorithm2"),
    "objective": lambda: FABRIC.recover("relay:1", objective="luck"),
    "objective of algorithm2": lambda: FABRIC.recover("relay:1", "algorithm2", "fewest-hops"),
    "objective of repairs": lambda: FABRIC.repairs("/tmp/never", objective="luck"),
    "case": lambda: FABRIC.budget("luck"),
    "threads": lambda: FABRIC.budget("monte-carlo", threads=0),
    "threads by type": lambda: FABRIC.budget("monte-carlo", threads="2"),
    "core ports": lambda: FABRIC.compare(0),
    "core ports by type": lambda: FABRIC.compare("32"),
    "out": lambda: FABRIC.plan("/dev/null"),
    "out of repairs": lambda: FABRIC.repairs("/dev/null"),
    "out of a recovery": lambda: FABRIC.recover("relay:1").apply("/dev/null"),
    "out by type": lambda: FABRIC.plan(3),
    "apply by type": lambda: FABRIC.recover("relay:1").apply(3),
    "too large": lambda: Fabric("kautz", p=4, tors=200_000).impact("relay:0"),
    "rank by": lambda: lightloom.explore(32, rank_by="luck"),
    "max cost": lambda: lightloom.explore(32, max_cost="much"),
    "max cost currency": lambda: lightloom.explore(32, max_cost="5 XXX"),
    "margin": lambda: lightloom.explore(32, margin="much"),
    "margin by type": lambda: lightloom.explore(32, margin=1.0),
    "explored case": lambda: lightloom.explore(32, case="luck"),
    "explored tors": lambda: lightloom.explore(10**6),
    "max hops": lambda: lightloom.explore(32, max_hops=-1),
    "no tors": lambda: lightloom.explore(),
    "parallel sources": lambda: lightloom.explore(32, parallel_sources=1.5),
    "model": lambda: lightloom.unused_ports(model="none"),
    "rack units": lambda: lightloom.unused_ports(rack_units=1),
    "oversubscription": lambda: lightloom.unused_ports(oversubscription="none"),
    "server ports": lambda: lightloom.unused_ports(server_ports="none"),
    "new design": lambda: lightloom.new_design(Path(__file__).parent, tors=9),
    "new design of nothing": lambda: lightloom.new_design("/tmp/never.toml"),
    "no such folder": lambda: lightloom.verify("no such"),
    "no such run": lambda: lightloom.Result.open("no such"),
    "no such scenario": lambda: Scenario.open("no such"),
    "seeds": lambda: STRIDE.run(seeds=0),
    "run threads": lambda: STRIDE.run(threads=-1),
    "many threads": lambda: STRIDE.run(threads=10**6),
    "trace": lambda: STRIDE.run(trace="/no/such/trace"),
    "trace of seeds": lambda: STRIDE.run(trace="/tmp/never", seeds=2),
    "run seed": lambda: STRIDE.run(seed=-1),
    "run out": lambda: STRIDE.run(out="/dev/null"),
    "key of a scenario": lambda: scenario("\n[nonsense]\nx = 1\n"),
}
FLAG = re.compile(r"(^|[^\w-])--[a-z]")
# Settings that are not keywords, although a report about them could name a key of a file.
KEY = re.compile(r"\b(fabric|routing|hall|splitters|order|optics|cost)\.[a-z_]+\b")


@pytest.mark.parametrize("what", REFUSALS)
def test_no_refusal_speaks_of_flags(what):
    with pytest.raises(LightloomError) as caught:
        REFUSALS[what]()
    error, message = caught.value, str(caught.value)
    assert not FLAG.search(message), message
    assert error.field is None or not error.field.startswith("-"), error.field
    if error.file is None:
        assert error.field is None or not KEY.fullmatch(error.field), error.field
        # The field is the name of an argument of the caller.
        assert error.field is None or " " not in error.field


def test_fields_are_keywords():
    expected = {
        "source": "source",
        "tor": "tor",
        "sources": "sources",
        "failed": "failed",
        "failed in a picture": "failed",
        "method": "method",
        "objective": "objective",
        "case": "case",
        "threads": "threads",
        "core ports": "core_ports",
        "rank by": "rank_by",
        "max cost": "max_cost",
        "rack units": "rack_units",
        "oversubscription": "oversubscription",
        "seeds": "seeds",
        "trace of seeds": "trace",
        "splitter": "splitter_part",
        "no price": "energy_price",
        "pitch": "rack_pitch",
        "setting of a file": "rack_pitch",
        "apply by type": "out",
        "spares": "spares_percent",
    }
    for what, field in expected.items():
        with pytest.raises(LightloomError) as caught:
            REFUSALS[what]()
        assert caught.value.field == field, what
        assert str(caught.value).startswith(field), what


def test_cures_are_keywords():
    with pytest.raises(LightloomError) as caught:
        REFUSALS["trace of seeds"]()
    assert "leave out seeds=, and choose the run with seed=" in str(caught.value)
    with pytest.raises(LightloomError) as caught:
        REFUSALS["catalogue"]()
    assert "parts=" in str(caught.value)


@pytest.mark.parametrize("name", ["--source", "x --seed", '" --site "', "\\", '\\" --p 4'])
def test_what_somebody_said_stays(name):
    with pytest.raises(DesignError) as caught:
        FABRIC.tree(name)
    quoted = name.strip().replace("\\", "\\\\").replace('"', '\\"')
    assert f'found "{quoted}"' in str(caught.value)
    with pytest.raises(DesignError) as caught:
        FABRIC.impact(f"relay:{name}")
    assert caught.value.field == "failed" and f'found "{quoted}"' in str(caught.value)
