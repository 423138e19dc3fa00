"""All numbers are equal to those of the command."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES

import lightloom
from lightloom import Fabric


def _custom(p, cassettes):
    """Cassette c feeds ToRs that transmit into c + 1, c + 2, …, c + p."""
    return [
        (start * p + step - 1, start, (start + step) % cassettes)
        for start in range(cassettes)
        for step in range(1, p + 1)
    ]


DESIGNS = [
    *({"family": "shufflecast", "p": p, "k": k} for p, k in [(2, 1), (2, 2), (2, 3), (2, 4)]),
    *({"family": "shufflecast", "p": p, "k": k} for p, k in [(3, 2), (4, 2), (4, 3), (8, 1)]),
    {"family": "shufflecast", "p": 3, "k": 2, "router": "arborescence"},
    {"family": "shufflecast", "p": 4, "k": 2, "router": "arborescence", "extra_hops": 1},
    *({"family": "kautz", "p": 2, "tors": tors} for tors in (2, 3, 7, 16, 21, 64)),
    *({"family": "kautz", "p": 4, "tors": tors} for tors in (3, 17, 64, 100)),
    *({"family": "kautz", "p": 8, "tors": tors} for tors in (24, 121)),
    *({"tors": tors} for tors in (24, 50, 200)),
    {"family": "custom", "p": 2, "cassettes": 5},
    {"family": "custom", "p": 3, "cassettes": 7},
    {"family": "kautz", "p": 4, "tors": 40, "housing": "receiver", "spares_percent": 12},
    {"family": "shufflecast", "p": 4, "k": 2, "transceiver": "10gbase-er",
     "catalogue": "datasheets-2026", "years": 3, "energy_price": "0.12 USD"},
    {"family": "shufflecast", "p": 2, "k": 3, "fault_signalling": "on"},
    {"family": "kautz", "p": 4, "tors": 30, "tor_model": "extreme-x670-g2-48x-4q"},
    {"family": "kautz", "p": 3, "tors": 14, "accelerator": "cepheus-board",
     "tor_model": "cisco-93180yc-ex", "transceiver": "25gbase-er"},
    {"family": "kautz", "p": 2, "tors": 14, "transceiver": "25gbase-er", "pad_at": "receiver",
     "margin": "1.6 dB", "headroom": "0.5 dB"},
    {"inventory": EXAMPLES / "netbox-racks.csv", "site": ["Harbor Hall"], "location": ["Row *"]},
    {"open": EXAMPLES / "hall-1024.toml"},
]  # fmt: skip

_LIT = ("catalogue", "transceiver", "pad_at", "margin", "headroom", "years", "energy_price")


class Both:
    """One design, for Python and for the command."""

    def __init__(self, design, folder, cli):
        said = dict(design)
        file = said.pop("open", None)
        cassettes = said.pop("cassettes", None)
        if cassettes:
            edges = _custom(said["p"], cassettes)
            path = folder / f"{said['p']}-{cassettes}.csv"
            rows = "".join(f"{tor},{start},{end}\n" for tor, start, end in edges)
            path.write_text("tor,from_cassette,to_cassette\n" + rows)
            said["edges"] = np.array(edges)
        self.fabric = Fabric.open(file, **said) if file else Fabric(**said)
        if cassettes:
            said["edges"] = path
        self.cli = cli
        self.flags = [str(file)] if file else []
        self.lit = []
        for name, value in said.items():
            flags = self.lit if name in _LIT else self.flags
            for item in value if isinstance(value, list) else [value]:
                flags += [f"--{name.replace('_', '-')}", str(item)]

    def ask(self, command, *arguments):
        lit = self.lit if command in ("budget", "compare", "plan") else []
        return self.cli(command, *self.flags, *lit, *arguments)


@pytest.fixture(scope="module", params=DESIGNS, ids=lambda d: "-".join(map(str, d.values()))[:60])
def both(request, tmp_path_factory, cli):
    return Both(request.param, tmp_path_factory.mktemp("edges"), cli)


def test_fabric_and_facts(both):
    fabric, printed = both.fabric, both.ask("fabric")
    assert (fabric.p, fabric.cassettes) == (printed["p"], printed["cassettes"])
    assert fabric.edges.tolist() == printed["edges"]
    assert fabric.info().report == both.ask("info")


def test_trees(both):
    fabric = both.fabric
    for source in {0, len(fabric) // 2, len(fabric) - 1}:
        tree, printed = fabric.tree(source), both.ask("tree", "--source", source)
        assert tree.source == printed["source"]
        assert tree.relays.tolist() == printed["relays"]
        assert tree.max_hops == printed["max_hops"]
        assert {str(tor): path for tor, path in tree.paths.items()} == printed["paths"]
        assert {str(t): int(h) for t, h in enumerate(tree.hops) if t != source} == {
            tor: len(path) - 1 for tor, path in printed["paths"].items()
        }
        assert fabric.tree(fabric.tor_names[source]) == tree


def test_rules_and_relay_sets(both):
    fabric = both.fabric
    sets = fabric.relay_sets()
    assert len(sets) == len(fabric)
    for tor in {0, len(fabric) - 1}:
        printed = both.ask("rules", "--tor", tor)
        assert fabric.rules(tor).tolist() == printed["sources"]
        assert [s for s, relays in enumerate(sets) if tor in relays] == printed["sources"]
    assert all(np.array_equal(sets[s], fabric.tree(s).relays) for s in (0, len(fabric) - 1))


def test_parallel(both):
    assert both.fabric.parallel().report == both.ask("parallel")
    sources = sorted({0, len(both.fabric) - 1})
    printed = both.ask("parallel", "--sources", ",".join(map(str, sources)))
    assert both.fabric.parallel(sources).report == printed


FAILURES = ["relay:0", "tx:1", "tor:1", "cassette:0", "splitter:0,relay:1"]


def without_rate(both, report):
    """A recovery without its drain, if there are optics: the flags of `recover` name none."""
    if not both.lit:
        return report
    phases = [{**phase, "time": None} if "time" in phase else phase for phase in report["phases"]]
    return {**report, "drain": None, "phases": phases}


@pytest.mark.parametrize("failed", FAILURES)
def test_failures(both, failed):
    if len(both.fabric) > 200:
        failed = "relay:0"
    assert both.fabric.impact(failed).report == both.ask("impact", "--failed", failed)
    printed = without_rate(both, both.ask("recover", "--failed", failed))
    assert without_rate(both, both.fabric.recover(failed).report) == printed
    assert without_rate(both, both.fabric.recover(failed.split(",")).report) == printed


def test_recovery_by_other_means(both):
    if len(both.fabric) > 100:
        return
    printed = both.ask(
        "recover", "--failed", "relay:1", "--objective", "fewest-hops", "--throughput"
    )
    found = both.fabric.recover([1], objective="fewest-hops", throughput=True)
    assert without_rate(both, found.report) == without_rate(both, printed)
    assert found.throughput()["active"].tolist() == [row["active"] for row in printed["throughput"]]


@pytest.mark.parametrize("case", ["worst", "typical", "monte-carlo"])
def test_budget(both, case):
    if len(both.fabric) > 200 and case == "monte-carlo":
        return
    budget, printed = both.fabric.budget(case), both.ask("budget", "--case", case)
    assert budget.report == printed
    for array, key in [
        (budget.loss_db, "loss_db"),
        (budget.margin_db, "margin_db"),
        (budget.received_dbm, "rx_dbm"),
    ]:
        assert array.dtype == np.float64
        found = [None if np.isnan(value) else value for value in array]
        assert found == [branch[key] for branch in printed["branches"]]
    frame = budget.branches()
    assert frame["loss_db"].tolist() == [branch["loss_db"] for branch in printed["branches"]]


def test_trace(both):
    fabric = both.fabric
    sent = fabric.trace("F0")
    assert sent.report == both.ask("budget", "--trace", "F0")
    one = sent.branches[0]["light"]
    ends = f"{one['from_tor']}->{one['to_tor']}"
    typical = fabric.trace(ends, "typical")
    assert typical.report == both.ask("budget", "--trace", ends, "--case", "typical")
    hops = sent.hops()
    assert len(hops) == sum(len(branch["hops"]) for branch in sent.branches)
    assert set(hops["hop"]) <= {"thing", "cable", "unplaced"}


def test_spec(both):
    spec = both.fabric.spec()
    assert spec.report == both.ask("budget", "--spec")
    met = [demand["met"] for demand in spec["transceivers"]]
    keeps = spec["keeps_greatest_launch"]
    assert spec.is_met is (
        False if False in met or keeps is False else None if keeps is None or not met else True
    )


@pytest.mark.parametrize(
    ("transceiver", "p", "met"),
    [("10g-l40", 4, True), ("10gbase-er", 4, False), ("400g-lr4-10", 2, None)],
)
def test_spec_is_met(transceiver, p, met):
    """The overload of 400g-lr4-10 is unknown."""
    assert Fabric("kautz", p=p, tors=24, transceiver=transceiver).spec().is_met is met


def test_compare(both):
    assert both.fabric.compare().report == both.ask("compare")
    assert both.fabric.compare(64).report == both.ask("compare", "--core-ports", 64)


def test_plans_are_the_same_bytes(both, tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    plan, printed = both.fabric.plan(ours), both.ask("plan", "--out", theirs)
    assert {**plan.report, "out": None} == {**printed, "out": None}
    names = sorted(path.name for path in theirs.iterdir())
    assert sorted(path.name for path in ours.iterdir()) == names
    for name in names:
        assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name
    # A plan whose light does not arrive is not good, in Python and in the command.
    found, said = plan.verify(), both.cli("verify", theirs)
    assert found.report == said
    opened = lightloom.Plan.open(ours)
    assert opened == plan
    assert len(plan.cables()) == opened.report["housings"][0]["fibres"]


def test_applied_recovery(both, tmp_path):
    if len(both.fabric) > 100:
        return
    recovery = both.fabric.recover("relay:0")
    plan = recovery.apply(tmp_path / "ours")
    both.ask("recover", "--failed", "relay:0", "--apply", tmp_path / "theirs")
    for name in ("rules.json", "cables.csv", "plan.json"):
        ours, theirs = (tmp_path / side / name for side in ("ours", "theirs"))
        if not both.lit:
            assert ours.read_bytes() == theirs.read_bytes()
        elif name == "cables.csv":
            # The flags of `recover` name no optics, so its plan has no pads.
            cables = [
                pd.read_csv(side).drop(columns=["pad", "pad_label"]) for side in (ours, theirs)
            ]
            pd.testing.assert_frame_equal(*cables)
    verification = plan.verify()
    assert verification.good == (plan.lit and recovery.report["restored"])
    assert not (plan.lit and verification.faults)


def test_growth(cli, tmp_path):
    fabric = lightloom.Fabric(family="shufflecast", p=2, k=3, housing="receiver")
    plan = fabric.plan(tmp_path / "old")
    grown = plan.grow(30, tmp_path / "ours", phases=[30, 40])
    done = cli("grow", tmp_path / "old", "--phases", "30,40", "--out", tmp_path / "theirs")
    assert {**grown.report, "out": None} == {**done, "out": None}
    for name in ("growth.csv", "stages.json", "plan.json"):
        ours, theirs = (tmp_path / side / name for side in ("ours", "theirs"))
        assert ours.read_bytes() == theirs.read_bytes()
    assert grown.plan.verify().good
    cords = grown.cords()
    assert set(cords["action"]) <= {"build", "move", "plug"}
    # Numbers of a stage and lengths are numbers, whatever is missing.
    assert cords["stage"].dtype == cords["order"].dtype == "int64"
    assert cords["needed_m"].dtype == cords["there_m"].dtype == cords["lay_m"].dtype == "float64"
    assert len(grown.moved) == grown["moved_transmit_cords"]
    back = grown.plan.shrink(tors=24)
    assert back["tors"] == 24
    with pytest.raises(lightloom.DesignError, match="out"):
        back.plan  # noqa: B018 - nothing was written
    with pytest.raises(lightloom.DesignError, match="racks"):
        plan.shrink()


def test_risk_and_repairs(both, tmp_path):
    if len(both.fabric) > 40:
        return
    risk = both.fabric.risk()
    assert risk.report == both.ask("risk")
    assert len(risk.groups()) == len(risk)
    repairs = both.fabric.repairs(tmp_path / "ours")
    printed = both.ask("repairs", "--out", tmp_path / "theirs")
    assert {**repairs.report, "out": None} == {**printed, "out": None}
    for name in ("repairs.jsonl", "index.json"):
        ours, theirs = (tmp_path / side / name for side in ("ours", "theirs"))
        assert ours.read_bytes() == theirs.read_bytes()


def test_exploration(cli):
    assert lightloom.explore(64).report == cli("explore", "--tors", 64)
    limits = {"max_hops": 4, "ports_per_tor": 8, "margin": "1 dB", "rank_by": "fibre"}
    limits |= {"max_cables": 300, "max_tray_percent": 50}
    flags = [part for k, v in limits.items() for part in (f"--{k.replace('_', '-')}", v)]
    found = lightloom.explore(96, **limits)
    assert found.report == cli("explore", "--tors", 96, *flags)
    assert found.front()["pareto"].all()
    assert len(found.designs()) == len(found)
    design = EXAMPLES / "hall-1024.toml"
    assert lightloom.explore(design=design).report == cli("explore", design)


def test_unused_ports(cli):
    assert lightloom.unused_ports().report == cli("unused-ports")
    found = lightloom.unused_ports(rack_units=[42, 48], oversubscription="1:1,3:1", p=4, k=2)
    printed = cli("unused-ports", "--rack-units", "42,48", "--oversubscription", "1:1,3:1",
               "--p", 4, "--k", 2)  # fmt: skip
    assert found.report == printed
    assert len(found.cases()) == len(found) == len(printed["cases"])


def test_new_design(cli, tmp_path):
    ours, theirs = tmp_path / "ours.toml", tmp_path / "theirs.toml"
    found = lightloom.new_design(ours, tors=100, p=4)
    printed = cli("new", "--tors", 100, "--p", 4, "--out", theirs)
    assert {**found.report, "design": None} == {**printed, "design": None}
    assert ours.read_text() == theirs.read_text()
    assert Fabric.open(ours) == Fabric(tors=100, p=4)


@pytest.mark.parametrize("options", [{}, {"seed": 7}, {"seeds": 3}, {"threads": 2}])
def test_simulation(cli, options, tmp_path):
    scenario = EXAMPLES / "incast.toml"
    flags = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
    printed = cli("simulate", scenario, "--out", tmp_path / "theirs", *flags)
    found = lightloom.Scenario.open(scenario).run(out=tmp_path / "ours", **options)
    printed.pop("timing")
    assert {key: value for key, value in found.report.items() if key != "timing"} == printed
    names = sorted(path.name for path in (tmp_path / "theirs").iterdir())
    assert sorted(path.name for path in (tmp_path / "ours").iterdir()) == names
    for name in names:
        ours, theirs = (tmp_path / side / name for side in ("ours", "theirs"))
        assert ours.read_bytes() == theirs.read_bytes(), name
    assert lightloom.Result.open(tmp_path / "theirs") == found
