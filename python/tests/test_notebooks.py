"""Runs the notebooks of examples/ unchanged against the installed package."""

from __future__ import annotations

import json
import shutil

import nbformat
import pytest
from conftest import EXAMPLES
from nbclient import NotebookClient

import lightloom

NOTEBOOKS = EXAMPLES / "notebooks"
# The values that each notebook computes, as expressions of its variables.
VALUES = {
    "splitter-size": (
        "relays hops len(exploration) float(kautz.worst_margin_db[4]) int(kautz.max_hops[2])"
    ),
    "failures": "lost source after quick.max_hops len(rules) recovery.restored risk.cutting_pairs",
    "budget": "len(branches) budget.worst_margin_db float(splitter_share) margins pads",
    "placement": (
        "saved float(bound.routed_m) float(bound.now_m) proved.proved proved.cost apart.proved "
        "apart.cost"
    ),
    "schedule": "len(jobs) found.makespan_s found.bound_s run.makespan_s gain",
    "sweep": "len(points) len(found) len(again) repeated len(found.refused)",
    "single-failures": (
        "len(failures) len(impacts) int(table.lost_pairs.max()) len(recoveries) bool(restored)"
    ),
    "twin": "len(incast) float(last_s) float(least_s) result.finished len(flows)",
}


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    """Runs a notebook in a folder with the files that it reads, and returns its values."""
    examples = tmp_path_factory.mktemp("examples")
    for file in EXAMPLES.iterdir():
        if file.is_file():
            shutil.copy(file, examples)
    (examples / "notebooks").mkdir()
    found = {}

    def run(name):
        if name not in found:
            notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
            tell = f"import json\nprint(json.dumps([{', '.join(VALUES[name].split())}]))"
            notebook.cells.append(nbformat.v4.new_code_cell(tell))
            notebook.cells.append(nbformat.v4.new_code_cell("print(lightloom.__file__)"))
            where = {"metadata": {"path": str(examples / "notebooks")}}
            NotebookClient(notebook, timeout=600, kernel_name="python3", resources=where).execute()
            values, file = (cell.outputs[0].text for cell in notebook.cells[-2:])
            assert file.strip() == lightloom.__file__
            found[name] = (json.loads(values), notebook)
        return found[name]

    return run


def test_every_notebook_is_tested():
    assert {file.stem for file in NOTEBOOKS.glob("*.ipynb")} == set(VALUES)


@pytest.mark.parametrize("name", VALUES)
def test_it_holds_no_outputs_and_no_paths(name):
    text = (NOTEBOOKS / f"{name}.ipynb").read_text()
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None
    assert "/home/" not in text and '"/' not in text and "\\\\" not in text


@pytest.mark.parametrize("name", VALUES)
def test_it_runs_and_shows_something(name, computed):
    _, notebook = computed(name)
    shown = [
        set(output.data)
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "data" in output
    ]
    assert any("image/png" in kinds for kinds in shown), shown
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # Readers should not see a warning on the error stream.
            assert output.get("name") != "stderr", output


def test_splitter_size(computed):
    relays, hops, designs, margin, longest = computed("splitter-size")[0]
    assert relays == {"2": 96, "4": 48}
    trees = {p: lightloom.Fabric("kautz", p=p, tors=192).tree(0) for p in (2, 4)}
    assert hops == {str(p): tree.max_hops for p, tree in trees.items()}
    paper = {"catalogue": "shufflecast-2022"}
    assert designs == len(lightloom.explore(192, case="best", **paper))
    best = lightloom.Fabric("kautz", p=4, tors=192, housing="receiver", **paper)
    assert margin == best.budget("best").worst_margin_db
    assert longest == lightloom.Fabric("kautz", p=2, tors=192).info().max_hops


def test_failures(computed):
    lost, source, after, quick, rules, restored, cutting = computed("failures")[0]
    fabric = lightloom.Fabric("shufflecast", p=4, k=3)
    assert fabric.impact("relay:8").sources[source] == lost > 0
    recovery = fabric.recover("relay:8")
    assert restored and recovery.restored
    assert (after, rules) == (recovery.max_hops, len(recovery.rules()))
    assert fabric.info().max_hops <= quick <= after
    assert cutting == 0


def test_budget(computed):
    branches, worst, share, margins, pads = computed("budget")[0]
    assert branches == 24 * 4
    assert margins["4"] == worst
    # A 1:4 splitter loses at most 7.4 dB; polarisation takes 0.3, and two connector pairs 1.5 dB.
    assert share == pytest.approx(7.4 / 9.2, abs=0.01)
    assert pads["2"] and pads["4"] is None and pads["8"] is None
    assert margins["2"] - margins["4"] > 3 and margins["4"] - margins["8"] > 3


def test_twin(computed):
    senders, last_s, least_s, finished, flows = computed("twin")[0]
    assert (senders, finished) == (16, True)
    assert least_s == pytest.approx(16e6 * 8 / 100e9)
    assert least_s < last_s < 1.1 * least_s
    assert flows == lightloom.Scenario.open(EXAMPLES / "incast.toml").flows


def test_placement(computed):
    saved, routed, now, proved, cost, both, dearer = computed("placement")[0]
    assert saved > 0.45 and 0 < routed < now and proved and both and cost <= dearer
    fabric = lightloom.Fabric("kautz", p=4, tors=256)
    assert lightloom.optimize.placement_bound(fabric).routed_m == pytest.approx(routed)


def test_schedule(computed):
    jobs, solver, bound, twin, gain = computed("schedule")[0]
    assert jobs == 16 and bound <= solver * (1 + 1e-12) and gain >= 0
    assert twin == pytest.approx(solver, rel=0.05)


def test_sweep(computed):
    points, done, again, repeated, refused = computed("sweep")[0]
    assert points == done == again == 200 and repeated == 0 and refused == 0


def test_single_failures(computed):
    failures, answered, most, repairs, restored = computed("single-failures")[0]
    assert failures == answered == len(lightloom.Fabric(p=4, k=4).single_failures())
    assert most > 0 and repairs == 64 and restored
