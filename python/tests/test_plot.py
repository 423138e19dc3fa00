"""Figures: units on every axis, the numbers of the reports, and no overlapping names."""

from __future__ import annotations

import inspect
import itertools
import json
import subprocess
import sys
import warnings

import matplotlib
import numpy as np
import pytest
from conftest import EXAMPLES

matplotlib.use("Agg")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.collections import LineCollection, PolyCollection
from test_random import values

import lightloom
from lightloom import DesignError, Fabric, Scenario, SimulationError, plot
from lightloom._lightloom import Budgeted

INVENTORY = EXAMPLES / "netbox-racks.csv"
FABRICS = {
    8: Fabric(p=2, k=2),
    24: Fabric(p=4, inventory=INVENTORY, site="Harbor Hall", location="Row *"),
    192: Fabric("shufflecast", p=4, k=3),
    1024: Fabric.open(EXAMPLES / "hall-1024.toml"),
}


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def result():
    return Scenario.open(EXAMPLES / "incast.toml").run()


def drawn(ax):
    """Lays out a figure; a text that does not fit raises a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax.figure.canvas.draw()
    assert ax.get_xlabel().endswith(")") and "(" in ax.get_xlabel()
    assert ax.get_ylabel().endswith(")") and "(" in ax.get_ylabel()
    assert ax.get_title()
    return ax


def collections(ax, kind):
    return {
        found.get_label().partition(",")[0]: found
        for found in ax.collections
        if isinstance(found, kind)
    }


def metres_of_fibre(lines, most):
    ends = np.array(lines.get_segments())
    lengths = np.abs(ends[:, 1] - ends[:, 0]).sum(axis=1)
    fibres = np.round(((np.array(lines.get_linewidths()) - 0.5) / 5.5) ** 2 * most)
    return float((lengths * fibres).sum())


@pytest.mark.parametrize("tors", FABRICS)
def test_a_floor_plan_holds_the_hall(tors):
    fabric = FABRICS[tors]
    ax = drawn(plot.floor_plan(fabric))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("along the rows (m)", "across the rows (m)")
    racks = collections(ax, PolyCollection)
    assert len(racks["ToR"].get_paths()) == fabric.tors
    x, y, row, rows = fabric._project.places()
    middles = {tuple(p.vertices[:4].mean(axis=0).round(3)) for p in racks["ToR"].get_paths()}
    assert middles == set(zip(x.round(3), y.round(3), strict=True))
    # All rows have their names on the right, if there is room.
    side = [label.get_text() for label in ax.child_axes[0].get_yticklabels()]
    assert side == rows and len(rows) == row.max() + 1


def test_fibres_are_as_long_as_the_stretches_of_the_plan(tmp_path):
    fabric = FABRICS[192]
    lines = collections(plot.floor_plan(fabric), LineCollection)["fibres in a tray"]
    report = fabric.plan(tmp_path / "plan").report
    most = max(tray["fibres"] for tray in report["trays"])
    assert lines.get_label() == f"fibres in a tray, at most {most:,}"
    *ends, fibres = fabric._project.tray_stretches(None)
    lengths = (ends[2] - ends[0]) + (ends[3] - ends[1])
    assert metres_of_fibre(lines, most) == pytest.approx(float((lengths * fibres).sum()))


@pytest.mark.parametrize("tors", FABRICS)
def test_a_tree_and_failures_are_drawn_in(tors):
    fabric = FABRICS[tors]
    tree = fabric.tree(0)
    one, other = (int(tor) for tor in tree.relays[-2:])
    failed = [f"relay:{one}", f"tx:{other}"]
    ax = drawn(plot.floor_plan(fabric, tree, failed))
    racks = collections(ax, PolyCollection)
    lost = int(fabric.impact(failed).lost[0])
    assert len(racks["ToR that is cut off"].get_paths()) == lost > 0
    relays = len(racks["ToR that relays"].get_paths())
    assert len(tree) - lost <= relays <= len(tree)
    fibres = collections(ax, LineCollection)
    assert {"fibres in a tray", "fibres with light of the tree", "fibres that stay dark"} == set(
        fibres
    )
    marks = {line.get_label(): line.get_xydata() for line in ax.lines}
    x, y, *_ = fabric._project.places()
    assert marks["source"].tolist() == [[x[0], y[0]]]
    assert marks["failed"].tolist() == [[x[one], y[one]], [x[other], y[other]]]
    # The legend is below the hall.
    said = {text.get_text() for text in ax.figure.legends[0].get_texts()}
    assert {"source", "failed", "ToR that relays", "ToR that is cut off"} <= said


def test_kinds_differ_in_grey():
    ax = plot.floor_plan(FABRICS[192], 0, ["relay:4", "tx:5"])
    weights = np.array([0.299, 0.587, 0.114])
    racks = collections(ax, PolyCollection)
    greys = {name: float(c.get_facecolor()[0][:3] @ weights) for name, c in racks.items()}
    assert greys["ToR"] - greys["ToR that relays"] > 0.2
    assert racks["ToR that is cut off"].get_hatch()
    lines = collections(ax, LineCollection)
    grey = {name: float(c.get_color()[0][:3] @ weights) for name, c in lines.items()}
    assert grey["fibres in a tray"] - grey["fibres with light of the tree"] > 0.2
    assert lines["fibres that stay dark"].get_linestyle()[0][1] is not None


def test_names_of_racks_stay_texts():
    import pandas as pd

    names = ["$x_1$", '<b>&"', "a\\b", "100%", "r5", "r6", "r7", "r8"]
    racks = pd.DataFrame({"name": names, "row": "$\\frac$", "position": range(1, 9)})
    ax = drawn(plot.floor_plan(Fabric("kautz", p=2, inventory=racks), tree=0))
    assert {text.get_text() for text in ax.texts} == set(names)
    side = ax.child_axes[0].get_yticklabels()
    assert not any(text.get_parse_math() for text in [*ax.texts, *side, ax.title])


def test_a_histogram_has_every_branch_and_the_limit():
    for fabric in FABRICS.values():
        budget = fabric.budget()
        ax = drawn(plot.budget(budget))
        assert sum(bar.get_height() for bar in ax.patches) == len(budget)
        assert ax.lines[0].get_xdata()[0] == 0
        assert ax.get_xlim()[0] < 0 < budget.worst_margin_db < ax.get_xlim()[1]
        labels = {text.get_text() for text in ax.get_legend().get_texts()}
        assert {"limit, 0 dB", f"least margin, {budget.worst_margin_db:.2f} dB"} < labels
        # An inset enlarges them, because the margins of one hall differ little.
        (inset,) = ax.child_axes
        assert sum(bar.get_height() for bar in inset.patches) == len(budget)
        assert inset.get_xlabel() == "margin (dB)" and inset.get_ylabel() == "branches (number)"
        assert inset.patches[0].get_x() == pytest.approx(float(budget.margin_db.min()))


def test_margins_that_nobody_knows_are_counted():
    budget = FABRICS[8].budget()
    report = dict(budget.report)
    report["branches"] = [{**branch, "margin_db": None} for branch in report["branches"]]
    unknown = lightloom.Budget(FABRICS[8], Budgeted.of_json(json.dumps(report)))
    assert drawn(plot.budget(unknown)).texts[0].get_text() == "no margin is known"
    report["branches"][:8] = budget.report["branches"][:8]
    half = plot.budget(lightloom.Budget(FABRICS[8], Budgeted.of_json(json.dumps(report))))
    labels = [text.get_text() for text in half.get_legend().get_texts()]
    assert "8 branches, 8 more unknown" in labels


@pytest.mark.parametrize("tors", FABRICS)
def test_an_impact_is_its_distribution(tors):
    fabric = FABRICS[tors]
    impacts = [fabric.impact("relay:4"), fabric.impact("cassette:1")]
    ax = drawn(plot.impact(impacts))
    assert len({(line.get_linestyle(), line.get_marker()) for line in ax.lines}) == 2
    for line, impact in zip(ax.lines, impacts, strict=True):
        points = dict(line.get_xydata()[1:].tolist())
        for lost in impact.distribution:
            expected = 100 * np.mean(impact.lost <= lost)
            assert points[lost] == pytest.approx(expected)
        assert line.get_xdata()[-1] == tors - 1
    assert plot.impact(impacts[0]).lines[0].get_label() == "relay:4"


@pytest.mark.parametrize("tors", [8, 192, 1024])
@pytest.mark.parametrize("against", ["power_w", "max_hops", "worst_margin_db"])
def test_a_front_has_every_design_and_names_that_do_not_meet(tors, against):
    exploration = lightloom.explore(tors)
    ax = drawn(plot.front(exploration, against=against))
    points = [line for line in ax.lines if line.get_linestyle() == "None"]
    assert sum(len(line.get_xdata()) for line in points) == len(exploration)
    front = [line for line in points if "dominated" not in line.get_label()]
    costs = sorted(cost * 1e3 for line in front for cost in line.get_xdata())
    assert costs == pytest.approx(sorted(exploration.front().cost_usd))
    # The mark shows the family, its filling shows the place of the splitters.
    looks = {(line.get_marker(), line.get_fillstyle()) for line in points}
    kinds = {(design["family"], design["housing"]) for design in exploration["designs"]}
    assert len(looks) == len(kinds)
    boxes = [text.get_window_extent() for text in ax.texts]
    assert boxes
    for at, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:at])


def test_throughput_is_the_results(result):
    ax = drawn(plot.throughput(result))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time (ms)", "throughput (Gb/s)")
    values, edges, _ = ax.patches[1].get_data()
    assert values.tolist() == (result.goodput_bps / 1e9).tolist()
    assert edges[:-1].tolist() == pytest.approx((result.time_s * 1e3).tolist())
    assert edges[-1] - edges[-2] == pytest.approx(result["throughput"]["interval_ps"] / 1e9)


def test_flows_have_lines_of_their_own(result):
    ax = drawn(plot.throughput(result, flows=[0, 3]))
    flows = result.flows().set_index("flow")
    for line, flow in zip(ax.lines, (0, 3), strict=True):
        start, end = line.get_xdata()
        took = flows.completion_ps[flow] / 1e9
        assert end - start == pytest.approx(took)
        assert line.get_ydata()[0] == pytest.approx(flows.size_bytes[flow] * 8 / took / 1e6)
    assert len({(line.get_linestyle(), line.get_marker()) for line in ax.lines}) == 2
    every = drawn(plot.throughput(result, flows=True))
    assert len(every.lines) == result.report["flows"]["completed"]
    with pytest.raises(SimulationError, match="there are 1,991 flows"):
        plot.throughput(result, flows=1991)


def test_several_runs_have_no_one_throughput():
    with pytest.raises(SimulationError):
        plot.throughput(Scenario.open(EXAMPLES / "incast.toml").run(seeds=2))


def test_axes_of_ones_own_are_drawn_into(result):
    _, axes = pyplot.subplots(1, 5)
    fabric = FABRICS[8]
    drawings = [
        plot.floor_plan(fabric, ax=axes[0]),
        plot.budget(fabric.budget(), ax=axes[1]),
        plot.impact(fabric.impact("relay:1"), ax=axes[2]),
        plot.front(lightloom.explore(8), ax=axes[3]),
        plot.throughput(result, ax=axes[4]),
    ]
    assert drawings == list(axes)
    assert len(pyplot.get_fignums()) == 1


def test_what_cannot_be_drawn_is_refused():
    fabric = FABRICS[8]
    with pytest.raises(TypeError):
        plot.floor_plan("fabric")
    with pytest.raises(TypeError):
        plot.budget(fabric)
    with pytest.raises(TypeError):
        plot.impact([fabric])
    with pytest.raises(TypeError):
        plot.floor_plan(fabric, ax=3)
    with pytest.raises(DesignError):
        plot.floor_plan(fabric, tree=8)
    with pytest.raises(DesignError, match="expected one of power_w"):
        plot.front(lightloom.explore(8), against="beauty")
    # No half-drawn figure is left.
    assert pyplot.get_fignums() == []


CALLS = [
    "floor_plan(fabric)",
    "budget(fabric.budget())",
    "impact(fabric.impact('relay:1'))",
    "front(lightloom.explore(8))",
    f"throughput(lightloom.Scenario.open({str(EXAMPLES / 'incast.toml')!r}).run())",
]


@pytest.mark.parametrize("call", CALLS)
def test_without_matplotlib_it_says_so(call):
    script = f"""
import sys
sys.modules["matplotlib"] = None
import lightloom
fabric = lightloom.Fabric(p=2, k=2)
lightloom.plot.{call}
"""
    line = [sys.executable, "-c", script]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    name = call.partition("(")[0]
    expected = f"matplotlib is needed for plot.{name}(): pip install lightloom[plot]"
    assert done.stderr.strip().splitlines()[-1] == f"ImportError: {expected}"


def test_matplotlib_is_loaded_only_when_needed():
    script = "import sys, lightloom; lightloom.plot.budget; print('matplotlib' in sys.modules)"
    line = [sys.executable, "-c", script]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n", done.stderr


GOOD = {
    "floor_plan": FABRICS[8],
    "budget": FABRICS[8].budget(),
    "impact": FABRICS[8].impact("relay:1"),
    "front": lightloom.explore(8),
    "throughput": Scenario.open(EXAMPLES / "incast.toml").run(),
    "points": [{"a": 1, "b": 2.5}],
    "search": FABRICS[8].place(chains=1, rounds=1),
    "schedule": [lightloom.optimize.Start("a", 3, 0.0, 1e-3, ())],
    "collective": FABRICS[8].collective("allgather", size="8 kB", schedules="ring"),
}


@pytest.mark.parametrize("name", plot.__all__)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_values_are_drawn_or_refused(name, data):
    what = getattr(plot, name)
    first, *others = inspect.signature(what).parameters
    said = {first: data.draw(st.one_of(values, st.just(GOOD[name])))}
    other = data.draw(st.sampled_from(others))
    said[other] = data.draw(values)
    if name == "points":
        said |= {"x": data.draw(st.one_of(st.just("a"), values)), "y": "b"}
    try:
        what(**said)
    except lightloom.LightloomError:
        pass
    finally:
        pyplot.close("all")


def test_recorded_flows_are_drawn_over_time():
    text = (EXAMPLES / "stride.toml").read_text().replace("10 MB", "1 MB")
    recorded = Scenario(text + '[probes]\ninterval = "10 us"\nflows = true\n').run()
    ax = drawn(plot.throughput(recorded, flows=[2, 5]))
    series = recorded.throughput(flows=True)
    for patch, flow in zip(ax.patches, (2, 5), strict=True):
        values, _, _ = patch.get_data()
        rates = series[series.flow == flow].goodput_bps / 1e9
        assert values[values > 0].tolist() == pytest.approx(rates.tolist())
    assert len({patch.get_linestyle() for patch in ax.patches}) == 2


def test_rooms_of_a_building_are_drawn_apart(tmp_path):
    fabric = Fabric.open(EXAMPLES / "building-1024.toml")
    ax = drawn(plot.floor_plan(fabric))
    outlines = [patch for patch in ax.patches if patch.get_height() in (30, 26)]
    spans = sorted((patch.get_y(), patch.get_y() + patch.get_height()) for patch in outlines)
    assert len(spans) == 3
    assert all(below[1] < above[0] for below, above in itertools.pairwise(spans))
    names = {text.get_text() for text in ax.texts}
    assert {"Room A", "Room B", "Room C"} <= names
    trays = fabric.plan(tmp_path / "plan").trays()
    assert set(trays["pathway"]) == {"tray", "under-floor", "duct", "riser"}
    assert trays.loc[trays["tray"] == "way riser", "existing_percent"].tolist() == [5.0]
