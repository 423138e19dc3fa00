"""The types of every table of the package. They depend on the table, never on its rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES

import lightloom
from lightloom import Fabric, Scenario

FABRIC = Fabric(p=4, k=2)
TEXT = pd.Series(["a"]).dtype
INT, MAYBE, REAL, FLAG = np.dtype("int64"), pd.Int64Dtype(), np.dtype("float64"), np.dtype(bool)
LIST = np.dtype(object)

DESIGNS = {
    "family": TEXT, "p": INT, "k": MAYBE, "housing": TEXT, "cabling": TEXT,
    "transceiver": TEXT, "max_hops": INT,
    "mean_hops": REAL, "parallel_sources": MAYBE, "ports_per_tor": INT, "transceivers": INT,
    "fibre_m": REAL, "long_runs": INT, "cables_beyond_rows": INT, "fullest_tray_percent": REAL,
    "rack_units": INT, "power_w": REAL, "cost_usd": REAL, "cost": TEXT,
    "cost_low": TEXT, "cost_high": TEXT, "assumed_percent": REAL, "dearer": TEXT,
    "over_first": REAL, "may_exceed": FLAG, "missing": LIST, "cost_compares": FLAG,
    "priced_as": TEXT, "worst_margin_db": REAL,
    "worst_headroom_db": REAL, "pad": TEXT, "gaps": LIST, "hazards": LIST, "verdict": TEXT,
    "pareto": FLAG, "pareto_open": FLAG,
}  # fmt: skip
REJECTED = {
    "family": TEXT, "p": MAYBE, "housing": TEXT, "cabling": TEXT, "transceiver": TEXT,
    "reasons": LIST,
}  # fmt: skip
BRANCHES = {
    "from_tor": INT, "to_tor": INT, "loss_db": REAL, "rx_dbm": REAL, "margin_db": REAL,
    "rx_max_dbm": REAL, "headroom_db": REAL, "q": REAL, "pre_fec_ber": REAL,
    "pre_fec_ber_is_bound": FLAG, "frame_loss": REAL, "frame_loss_is_bound": FLAG,
    "failing_share": REAL, "verdict": TEXT, "mend": LIST,
}  # fmt: skip
CASES = {
    "rack_units": INT, "oversubscription": TEXT, "server_ports": TEXT, "model": TEXT,
    "unused_ports": INT, "unused_gbps": REAL,
}  # fmt: skip
RULES = {"tor": INT, "source": INT, "change": TEXT}
RATES = {"active": INT, "before": REAL, "after": REAL, "degradation": REAL, "ci95": REAL}


def check(frame, expected):
    """These columns have these types, in this order. Other columns also have numbers or texts."""
    assert list(frame.columns)[: len(expected)] == list(expected)
    for name, kind in frame.dtypes.items():
        assert kind == expected.get(name, kind), name
        assert name in expected or kind != LIST, name


@pytest.fixture(scope="module")
def explorations():
    return {
        # A Shufflecast has k, a Kautz fabric has none. Some sizes have only one family, some have
        # no design.
        "both": lightloom.explore(64),
        "kautz": lightloom.explore(63),
        "none": lightloom.explore(64, max_hops=1, max_cost="1 USD"),
        "paper": lightloom.explore(40, catalogue="shufflecast-2022", case="best"),
    }


@pytest.mark.parametrize("name", ["both", "kautz", "none", "paper"])
def test_designs(explorations, name):
    found = explorations[name]
    for table in (found.designs(), found.front()):
        check(table, DESIGNS)
    check(found.rejected(), REJECTED)
    report = found.report["designs"]
    table = found.designs()
    assert len(table) == len(report)
    for key in ("p", "k", "max_hops", "parallel_sources", "transceivers", "family", "pareto"):
        column = [None if pd.isna(value) else value for value in table[key]]
        assert column == [design[key] for design in report]
    # Numbers can be compared and added without a conversion.
    assert (table[table.k == 2].k == 2).all() and table.transceivers.sum() >= 0


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"catalogue": "shufflecast-2022", "transceiver": "100g-2km"},
        # With a pad.
        {"transceiver": "25gbase-er"},
        {"catalogue": "datasheets-2026", "transceiver": "10gbase-lr"},
        {"catalogue": "datasheets-2026", "transceiver": "100gbase-dr"},
        # Too much loss: the table lists what would improve it.
        {"penalty": "30 dB"},
    ],
    ids=str,
)
@pytest.mark.parametrize("case", ["worst", "typical", "monte-carlo"])
def test_branches(settings, case):
    budget = Fabric(p=2, k=2, samples=50, **settings).budget(case)
    check(budget.branches(), BRANCHES)


def test_ratios_have_one_floor():
    for transceiver, least in (("10g-l40", 1e-15), ("10g-zr", 1e-12), ("4wdm-40", None)):
        branches = Fabric(p=2, k=2, transceiver=transceiver).budget().branches()
        if least is None:
            assert branches.pre_fec_ber.isna().all() and not branches.pre_fec_ber_is_bound.any()
            continue
        assert (branches.pre_fec_ber == least).all() and branches.pre_fec_ber_is_bound.all()
        assert (branches.frame_loss > 1e-15).all() and branches.frame_loss_is_bound.all()


def test_pads_and_policies():
    rows = {"p": 2, "tors": 14, "transceiver": "25gbase-er"}
    budget = Fabric("kautz", **rows).budget()
    assert budget.pad == "lc-9db at the transmitter" and budget.verdict == "warn"
    # The receiver breaks without the splitter, and without the pad.
    assert len(budget.hazards) == 2 and budget.hazards == budget.report["hazards"]
    strict = Fabric("kautz", headroom="3 dB", **rows).budget()
    assert strict.verdict == "marginal" and strict.worst_headroom_db < 3
    bare = Fabric("kautz", pad="none", **rows).budget()
    assert bare.pad is None and bare.verdict == "fail" and bare.worst_headroom_db < 0
    assert {change["change"] for change in bare.branches().mend[0]} >= {"pad"}
    named = Fabric("kautz", pad="lc-7db", pad_at="receiver", **rows).budget()
    assert named.pad == "lc-7db at the receiver"
    # The margin of an exploration is a limit.
    some, fewer = (lightloom.explore(14, margin=least) for least in ("1 dB", "5 dB"))
    assert 0 < len(fewer) < len(some)
    assert fewer.designs().worst_margin_db.min() >= 5 > some.designs().worst_margin_db.min() >= 1


def test_other_answers():
    check(lightloom.unused_ports(rack_units=42).cases(), CASES)
    groups = {"group": TEXT, "parts": INT, "cut_off": INT, "sources_hit": INT}
    check(FABRIC.risk().groups(), groups)
    for failed in ("relay:8", "rx:0/1", "tor:9"):
        recovery = FABRIC.recover(failed, throughput=True)
        check(recovery.rules(), RULES)
        check(recovery.throughput(), RATES)
    # No rule changes, and nothing was measured.
    fabric = Fabric("custom", p=2, edges=[(0, 0, 1), (1, 1, 0), (2, 0, 0), (3, 1, 1)])
    for tor in range(4):
        recovery = fabric.recover(f"relay:{tor}")
        check(recovery.rules(), RULES)
        check(recovery.throughput(), RATES)


def kinds(frame):
    """The type of each column; for a column of categories, the type of the categories."""
    found = {}
    for name, dtype in frame.dtypes.items():
        found[name] = dtype.categories.dtype if isinstance(dtype, pd.CategoricalDtype) else dtype
    return found


@pytest.mark.parametrize(
    "fabric",
    [FABRIC, Fabric("kautz", p=2, tors=12, housing="receiver"),
     Fabric(inventory=EXAMPLES / "racks.csv", p=4)],
    ids=["4,2", "receivers", "inventory"],
)  # fmt: skip
def test_sheets(fabric, tmp_path):
    plan = fabric.plan(tmp_path / "plan")
    trays = {"tray": TEXT, "fibres": INT, "fill_percent": REAL}
    check(plan.trays(), trays)
    for table in (plan.cables(), plan.ports(), plan.bom()):
        for name, kind in kinds(table).items():
            texts = table[name].astype(str)
            numbers = texts.str.fullmatch(r"-?\d+(\.\d+)?|<NA>|nan|").all()
            # A column of numbers has a number type. A rack name that looks like a number is a text.
            if kind == TEXT:
                named = name.endswith(("name", "rack", "label")) or "rack" in name
                assert named or not numbers or (texts == "").all(), name
            else:
                assert kind in (INT, MAYBE, REAL), name
    missing = dict(plan.cables().dtypes)
    assert missing["splitter"] == missing["branch"] == MAYBE


def test_results():
    scenario = Scenario.open(EXAMPLES / "incast.toml")
    result = scenario.run()
    for table in (result.flows(), result.throughput(), result.links()):
        for name, kind in kinds(table).items():
            assert kind != LIST, name
            if name.endswith(("_ps", "_bytes", "_bps")):
                assert kind.kind in "iuf", name
    replicas = scenario.run(seeds=2, seed=2**64 - 2).replicas()
    # A seed can be any 64-bit number.
    assert replicas.seed.tolist() == [2**64 - 2, 2**64 - 1]
    assert replicas.seed.dtype == np.uint64
    types = dict(replicas.dtypes)
    assert types["mean_completion_ps"] == types["p99_completion_ps"] == MAYBE
    assert types["end"] == TEXT and types["goodput_bps"] == REAL
    assert types["completed"] == types["reached_ps"] == INT
