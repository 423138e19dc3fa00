"""Ctrl-C in every long call: what it gives, and what it says is missing.

No test here depends on who is faster. A call either has no part, or a part that agrees with the
whole answer, or is done all the same.
"""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest
from conftest import EXAMPLES
from stops import Pressed, press, press_before, pressed, stopped

import lightloom
from lightloom import (
    Advice,
    Exploration,
    Fabric,
    Impacts,
    Parallel,
    ParallelSoFar,
    Placement,
    Plan,
    Recoveries,
    Result,
    Scenario,
    Trees,
)
from lightloom import _lightloom as extension
from lightloom.optimize import qap

# Names and numbers of what is open; nothing that takes long.
SHORT = {
    "cassettes", "extra_hops", "family", "housing", "k", "p", "router", "tors",
    "tor", "tor_names", "tors_listed", "recovered", "memory", "keys",
    "sheet_columns", "single_failures", "interval",
}  # fmt: skip

PROBLEM = qap.Instance(*np.random.default_rng(5).integers(0, 9, (2, 8, 8)))


class Place:
    """A folder with a plan and what the calls need."""

    def __init__(self, folder):
        self.folder = folder
        self.fabric = Fabric(p=2, k=2, transceiver="10gbase-er")
        self.plan = self.fabric.plan(folder / "plan")
        self.repaired = self.fabric.recover("relay:5").apply(folder / "repaired")
        self.project = extension.Project.open_written((self.plan.folder, None))
        self.configs = str(folder / "configs")
        self.back = folder / "back"
        self.back.mkdir()
        configs = self.plan.configs("openflow", self.configs)
        for tor in range(8):
            flows = configs.texts[f"tor-{tor}.flows"] + configs.texts[f"tor-{tor}.gate"]
            (self.back / f"tor-{tor}.dump-flows").write_text(flows)
            (self.back / f"tor-{tor}.dump-groups").write_text(configs.texts[f"tor-{tor}.groups"])
        self.form = folder / "form.csv"
        self.form.write_text("label,far_at\nB0.0,B2.0\nB2.0,B0.0\n")
        text = (EXAMPLES / "stride.toml").read_text()
        self.text = text.replace("10 MB", "10 kB")
        self.file = folder / "run.toml"
        self.file.write_text(self.text)
        self.scenario = Scenario.open(self.file)
        self.result = self.scenario.run(out=folder / "run")
        self.made = 0

    def out(self):
        self.made += 1
        return str(self.folder / f"out-{self.made}")

    def recovery(self):
        return self.fabric.recover("relay:5")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return Place(tmp_path_factory.mktemp("stops"))


# Calls of a fabric, by the method of the extension. `more` is a progress callback, or nothing.
OF_FABRIC = {
    "relay_sets": lambda at, more: at.fabric.relay_sets(**more),
    "rules": lambda at, more: at.fabric.rules(3),
    "info": lambda at, more: at.fabric.info(**more),
    "parallel": lambda at, more: at.fabric.parallel(**more),
    "impact": lambda at, more: at.fabric.impact("relay:5"),
    "recover": lambda at, more: at.fabric.recover("relay:5", throughput=True),
    "risk": lambda at, more: at.fabric.risk(**more),
    "trees": lambda at, more: at.fabric.trees(**more),
    "impacts": lambda at, more: at.fabric.impact_many(range(8), **more),
    "recoveries": lambda at, more: at.fabric.recover_many(range(8), **more),
    "place": lambda at, more: at.fabric.place(chains=1, rounds=2, **more),
    "repairs": lambda at, more: at.fabric.repairs(at.out(), **more),
    "budget": lambda at, more: at.fabric.budget("monte-carlo", **more),
    "spec": lambda at, more: at.fabric.spec(),
    "compare": lambda at, more: at.fabric.compare(),
    "plan": lambda at, more: at.fabric.plan(at.out(), **more),
}
# Other calls with answers of the package, by the function of the extension.
OTHERS = {
    "trace_light": lambda at, more: at.fabric.trace("0->4", "monte-carlo", **more),
    "fastest_schedules": lambda at, more: at.fabric.collective(
        "broadcast", size="8 kB..64 kB", **more
    ),
    "fastest_beside": lambda at, more: at.scenario.collective(
        "allgather", size="8 kB", members=4, start="1 us", **more
    ),
    "configs": lambda at, more: at.plan.configs("openflow", at.out()),
    "configs_diff": lambda at, more: at.plan.rollout(at.repaired, "openflow", at.out()),
    "verify_configs": lambda at, more: lightloom.verify_configs(at.configs, at.back),
    "verify": lambda at, more: at.plan.verify(**more),
    "report": lambda at, more: at.plan.as_html(**more),
    "draw": lambda at, more: at.plan.drawings(),
    "lint": lambda at, more: at.plan.lint(),
    "grow": lambda at, more: at.plan.grow(10, **more),
    "shrink": lambda at, more: at.plan.shrink(7, **more),
    "take_as_built": lambda at, more: at.plan.as_built(at.form, **more),
    "as_built_form": lambda at, more: at.plan.as_built_form(),
    "write_design": lambda at, more: lightloom.new_design(at.out(), tors=12, **more),
    "explore_designs": lambda at, more: lightloom.explore(24, **more),
    "study_unused_ports": lambda at, more: lightloom.unused_ports(),
    "run_scenario": lambda at, more: at.scenario.run(**more),
    "assign_dense": lambda at, more: qap.solve(PROBLEM, chains=1, rounds=2, **more),
    "prove_dense": lambda at, more: qap.prove(PROBLEM),
}
# Calls whose answers the package puts to further use. They have no part of their own.
PLAIN = {
    "restore": lambda at: pressed(extension.Project.restore)(at.project.document()),
    "open_plan": lambda at: pressed(extension.Project.open_plan)((at.plan.folder, None)),
    "open_written": lambda at: pressed(extension.Project.open_written)((at.plan.folder, None)),
    "__new__": lambda at: pressed(extension.Project)([("fabric.p", 4), ("fabric.k", 3)], None, {}),
    "document": lambda at: pressed(at.project.document)(),
    "same_as": lambda at: pressed(at.project.same_as)(at.project),
    "edges": lambda at: pressed(at.project.edges)(),
    "tree": lambda at: pressed(at.project.tree)(3),
    "places": lambda at: pressed(at.project.places)(),
    "branches": lambda at: pressed(at.project.branches)(),
    "tray_stretches": lambda at: pressed(at.project.tray_stretches)(None),
    "floor": lambda at: pressed(at.project.floor)(),
    "dark": lambda at: pressed(at.project.dark)("relay:5"),
    "lost": lambda at: pressed(at.project.lost)("relay:5", 2),
    "rack_lengths": lambda at: pressed(at.project.rack_lengths)(),
    "placed": lambda at: pressed(extension.placed)(at.fabric._project, at.fabric.tor_names),
    "cords": lambda at: pressed(extension.cords)(at.project),
    "place_ground": lambda at: pressed(extension.place_ground)(at.fabric._project),
    "lost_pairs": lambda at: pressed(at.project.lost_pairs)("relay:5"),
    "look_at_scenario": lambda at: pressed(extension.look_at_scenario)(str(at.file), {}),
    "read_run": lambda at: pressed(extension.read_run)(str(at.folder / "run")),
    "write_run": lambda at: pressed(extension.write_run)(at.out(), at.result._files),
    "write_tables": lambda at: pressed(extension.write_tables)(at.out(), {"a.csv": b"a\n"}),
    "arrow_columns": lambda at: pressed(extension.arrow_columns)(
        "flows.arrow", at.result._files["flows.arrow"]
    ),
    "application_trace": lambda at: pressed(extension.application_trace)(
        str(at.file), None, None, None, None, None
    ),
    "netbox": lambda at: pressed(at.project.netbox)(None, None, None, False, False),
}  # fmt: skip
TYPED = {**OF_FABRIC, **OTHERS}


def tells(name):
    """Whether a call of the extension takes a progress callback."""
    call = getattr(extension, name, None) or getattr(extension.Project, name)
    return "progress" in inspect.signature(call).parameters


TELLS = sorted(filter(tells, TYPED))


def test_every_long_call_is_here():
    methods = {name for name in vars(extension.Project) if not name.startswith("_")} | {"__new__"}
    functions = {name for name in extension.__all__ if name[0].islower()} - {"__version__"}
    assert (methods | functions) - SHORT == set(TYPED) | set(PLAIN)
    assert not SHORT & (set(TYPED) | set(PLAIN)) and len(TELLS) == 23


def numbers(answer):
    """What is compared of an answer: not where it was written to."""
    report = getattr(answer, "report", answer)
    if not isinstance(report, dict):
        return report.tolist() if hasattr(report, "tolist") else report
    return {key: value for key, value in report.items() if key not in ("out", "design", "timing")}


def agrees(found, whole):
    """The part of a stopped call against the whole answer, and what it says is missing."""
    part = found.result
    assert found.ready and found.result is part
    if part is None:
        assert found.missing
    elif found.missing == "":
        assert type(part) is type(whole) and numbers(part) == numbers(whole)
    elif isinstance(part, ParallelSoFar):
        assert part.missing == found.missing and part.at_least <= len(whole.sources) <= part.at_most
        assert all((whole.trees[tor] == tree).all() for tor, tree in part.trees.items())
    elif isinstance(part, Exploration):
        designs = {str(design["fibre_m"]) for design in whole.report["designs"]}
        assert {str(design["fibre_m"]) for design in part.report["designs"]} <= designs
        assert "not explored" in part.missing and len(part) > 0
    elif isinstance(part, (Trees, Impacts, Recoveries)):
        assert part.missing == found.missing and len(part) < len(whole) == 8
        assert all(part[at] == whole[at] for at in range(len(part)))
    elif isinstance(part, Advice):
        assert part.missing == found.missing and len(part) < len(whole)
        assert all(case in whole.report["cases"] for case in part.report["cases"])
    elif isinstance(part, Placement):
        assert part.missing == found.missing and len(part.curve) < len(whole.curve) == 2
        assert part.before == whole.before
    elif isinstance(part, qap.Assigned):
        assert part.missing == found.missing and len(part.curve) < len(whole.curve) == 2
        assert part.cost == PROBLEM.cost(part.locations) >= whole.cost
    elif isinstance(part, qap.Proof):
        assert part.missing == found.missing and not part.proved
        assert part.cost == PROBLEM.cost(part.locations) >= whole.cost
    else:
        assert isinstance(part, Result) and part.end == "stopped" and not part.finished
        assert part.missing == found.missing and "simulated time from" in part.missing
        assert part.report["end"]["until_ps"] == 10**11
    again = pickle.loads(pickle.dumps(found))
    assert (again.missing, again.done, again.of) == (found.missing, found.done, found.of)
    assert type(again.result) is type(part)


def part_type(whole):
    return {Parallel: (Parallel, ParallelSoFar)}.get(type(whole), type(whole))


@pytest.mark.parametrize("name", sorted(TYPED))
def test_ctrl_c_before_it_begins(place, name, monkeypatch):
    call = TYPED[name]
    whole = call(place, {})
    if name in OF_FABRIC:
        project = place.fabric._project
        monkeypatch.setattr(place.fabric, "_project", Pressed(project, name))
    else:
        press_before(monkeypatch, getattr(extension, name))
    found = stopped(call, place, {})
    part = found.result
    monkeypatch.undo()
    assert part is None or isinstance(part, part_type(whole))
    agrees(found, whole)


@pytest.mark.parametrize("name", TELLS)
def test_ctrl_c_from_its_own_callback(place, name):
    call = TYPED[name]
    whole = call(place, {})
    found = stopped(call, place, {"progress": press})
    assert found.of > 0 and 0 <= found.done <= found.of
    agrees(found, whole)


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_ctrl_c_without_a_part(place, name):
    found = stopped(PLAIN[name], place)
    assert found.ready and found.result is None and found.missing == "the answer"


def test_nothing_is_written_after_a_stop(place):
    """A call either was done before it heard of the stop, or leaves nothing."""
    for call in (
        lambda out: pressed(place.project.netbox)(out, None, None, False, False),
        lambda out: pressed(extension.configs)(place.project, "openflow", None, None, out),
    ):
        out = place.folder / f"unwritten-{place.made}"
        place.made += 1
        found = stopped(call, str(out))
        found._make_result_with(lambda raw: raw, "nothing was written")
        assert (found.result is None) == (not out.exists())


def test_a_stopped_plan_leaves_the_old_one(place):
    before = {path.name: path.read_bytes() for path in (place.folder / "plan").iterdir()}
    other = Fabric("kautz", p=4, tors=20_000)
    found = stopped(other.plan, place.plan.folder, progress=press)
    assert found.result is None and found.missing == "the plan; nothing was written"
    assert {path.name: path.read_bytes() for path in (place.folder / "plan").iterdir()} == before
    assert Plan.open(place.plan.folder).verify()
