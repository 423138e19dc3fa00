"""Sweeps: each point once, whatever dies on the way."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import lightloom
from lightloom import DesignError, Fabric, Scenario, sweep

BASE = Fabric(p=2, k=2, transceiver="10gbase-er")
POINTS = sweep.grid({"p": [2, 3], "k": [2, 3], "rack_pitch": ["0.6 m", "0.8 m"]})
SCENARIO = {
    "version": 1,
    "seed": 5,
    "until": "1 ms",
    "network": {
        "kind": "leaf-spine",
        "leaves": 2,
        "spines": 1,
        "hosts_per_leaf": 2,
        "rate": "100 Gb/s",
        "length": "10 m",
    },
    "flow": [{"from": 0, "to": 3, "size": "64 kB"}],
}


def threads(count=2):
    return ThreadPoolExecutor(count)


def test_rows_are_the_answers_of_single_calls(tmp_path):
    found = sweep.run(BASE, POINTS, tmp_path, ask=("info", "budget"), executor=threads())
    assert len(found) == len(POINTS) and not found.missing and not found.refused
    assert [row["key"] for row in found.rows] == sorted(row["key"] for row in found.rows)
    for row in found.rows:
        alone = Fabric(
            p=row["p"], k=row["k"], rack_pitch=row["rack_pitch"], transceiver="10gbase-er"
        )
        assert row["info.max_hops"] == alone.info().max_hops
        assert row["info.tors"] == len(alone)
        assert row["budget.worst_margin_db"] == alone.budget().worst_margin_db
        assert row["budget.verdict"] == alone.budget().verdict
    table = found.table()
    assert len(table) == len(POINTS) and table["info.tors"].dtype.kind == "i"


def test_results_do_not_depend_on_the_executor(tmp_path):
    one = sweep.run(BASE, POINTS, tmp_path / "threads", executor=threads(1))
    other = sweep.run(BASE, reversed(POINTS), tmp_path / "processes")
    assert one == other
    files = [(tmp_path / name / "sweep.parquet").read_bytes() for name in ("threads", "processes")]
    assert files[0] == files[1]


def test_a_sweep_goes_on_and_repeats_nothing(tmp_path):
    first = sweep.run(BASE, POINTS[:3], tmp_path, executor=threads())
    assert len(first) == 3
    whole = sweep.run(BASE, POINTS, tmp_path, executor=threads())
    assert len(whole) == len(POINTS)
    again = sweep.run(BASE, POINTS * 2, tmp_path, executor=threads())
    assert again == whole
    attempts = whole.attempts()
    assert len(attempts) == len(POINTS) and (attempts["attempt"] == 1).all()
    # A changed parameter computes only what it touches.
    more = [*POINTS, {"p": 4, "k": 2, "rack_pitch": "0.6 m"}]
    assert len(sweep.run(BASE, more, tmp_path, executor=threads()).attempts()) == len(more)


def test_a_point_that_is_refused_is_a_row(tmp_path):
    points = [{"tors": 12}, {"tors": 1}, {"p": 3, "tors": 40}]
    found = sweep.run(Fabric(p=2, tors=20), points, tmp_path, executor=threads())
    (refused,) = found.refused
    assert refused["tors"] == 1
    with pytest.raises(DesignError) as alone:
        Fabric(p=2, tors=1)
    assert refused["refused"] == str(alone.value)
    assert "1 refused" in repr(found)


def test_scenarios_are_swept_by_dotted_names(tmp_path):
    points = sweep.grid({"network.rate": ["100 Gb/s", "400 Gb/s"], "seed": [1, 2]})
    found = sweep.run(SCENARIO, points, tmp_path, executor=threads())
    for row in found.rows:
        network = {**SCENARIO["network"], "rate": row["network.rate"]}
        alone = Scenario({**SCENARIO, "network": network}).run(seed=row["seed"])
        assert row["goodput.all.goodput_bps"] == alone.report["goodput"]["all"]["goodput_bps"]
        assert row["flows.completed"] == 1
    with pytest.raises(DesignError, match="the scenario has no 'flows' there"):
        sweep.run(SCENARIO, [{"flows.0.size": "1 kB"}], tmp_path / "x", executor=threads())


def test_a_worker_that_is_killed_costs_no_point(tmp_path):
    """Processes of our own: one is killed while it works, and the sweep goes on."""
    killed = []

    def kill(done, of):
        workers = multiprocessing.active_children()
        if workers and not killed and done >= 2:
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

    points = sweep.grid({"tors": list(range(10, 40))})
    base = Fabric(p=2, tors=10)
    found = sweep.run(base, points, tmp_path / "killed", progress=kill)
    assert killed and not found.refused
    assert found == sweep.run(base, points, tmp_path / "quiet", executor=threads())
    lost = found.attempts()["lost"]
    assert lost.notna().any() and (found.attempts()["seconds"].notna().sum() == len(points))


def at_thirteen(text, act):
    """Runs a task; at one point something else happens before."""
    from lightloom._sweep.task import run

    if '\\"fabric.tors\\", 13' in text:
        act()
    return run(text)


def die(text):
    """A task that kills its worker at one point."""
    return at_thirteen(text, lambda: os._exit(9))


def sleep(text):
    """A task that never ends at one point."""
    return at_thirteen(text, lambda: threading.Event().wait())


EIGHT = [{"tors": tors} for tors in range(10, 18)]


def test_a_point_that_kills_its_worker_is_given_up_alone(tmp_path, monkeypatch):
    base = Fabric(p=2, tors=10)
    with monkeypatch.context() as changed:
        changed.setattr(sweep, "run_task", die)
        found = sweep.run(base, EIGHT, tmp_path)
    (refused,) = found.refused
    assert refused["tors"] == 13 and "its worker died 2 times" in refused["refused"]
    assert len(found) == len(EIGHT) and not found.missing
    # It is no outcome: with a worker that lives, it is answered.
    again = sweep.run(base, EIGHT, tmp_path, executor=threads())
    assert not again.refused and len(again) == len(EIGHT)
    assert again == sweep.run(base, EIGHT, tmp_path / "new", executor=threads())


def test_a_point_has_a_deadline(tmp_path, monkeypatch):
    base = Fabric(p=2, tors=10)
    with monkeypatch.context() as changed:
        changed.setattr(sweep, "run_task", sleep)
        found = sweep.run(base, EIGHT, tmp_path, deadline_s=4)
    # On a machine that is busy others may be late too. Each has a row, and the late ones say so.
    assert len(found) == len(EIGHT)
    assert 13 in [row["tors"] for row in found.refused]
    assert {row["refused"] for row in found.refused} == {"took longer than 4 s"}
    again = sweep.run(base, EIGHT, tmp_path, executor=threads())
    assert not again.refused and len(again) == len(EIGHT)


DRIVER = """
import os, sys, lightloom
from lightloom import sweep
from concurrent.futures import ThreadPoolExecutor

def die(done, of):
    if done >= 5:
        os._exit(9)

points = sweep.grid({"tors": list(range(10, 30))})
sweep.run(lightloom.Fabric(p=2, tors=10), points, sys.argv[1], executor=ThreadPoolExecutor(1),
          progress=die)
"""


def test_a_driver_that_is_killed_goes_on(tmp_path):
    died = subprocess.run([sys.executable, "-c", DRIVER, str(tmp_path)])
    assert died.returncode == 9
    points = sweep.grid({"tors": list(range(10, 30))})
    with sqlite3.connect(tmp_path / "sweep.sqlite") as held:
        (before,) = held.execute("SELECT count(*) FROM outcomes").fetchone()
    assert 0 < before < len(points)
    found = sweep.run(Fabric(p=2, tors=10), points, tmp_path, executor=threads())
    assert len(found) == len(points)
    done = found.attempts()
    assert (done.groupby("key")["seconds"].count() == 1).all() and len(done) == len(points)


def test_dask_loses_no_point_with_a_worker(tmp_path):
    distributed = pytest.importorskip("distributed")
    points = sweep.grid({"p": [2, 3, 4, 5], "tors": list(range(10, 60))})
    base = Fabric(p=2, tors=10)
    killed = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def kill(done, of):
            if done >= 50 and not killed:
                nanny = next(iter(cluster.workers.values()))
                killed.append(nanny.pid)
                os.kill(nanny.pid, signal.SIGKILL)

        found = sweep.run(base, points, tmp_path / "dask", client=client, progress=kill)
    assert killed and len(found) == len(points) == 200 and not found.refused
    plain = sweep.run(base, points, tmp_path / "processes")
    assert found == plain
    files = [(tmp_path / name / "sweep.parquet").read_bytes() for name in ("dask", "processes")]
    assert files[0] == files[1]
    with pytest.raises(DesignError, match="client: is closed") as refused:
        sweep.run(base, points, tmp_path / "closed", client=client)
    assert refused.value.field == "client"


def test_samples_are_seeded():
    between = {"p": [2, 3, 4], "tors": (10, 99), "spares_percent": (0.5, 2.5)}
    one, other = sweep.sample(20, between, seed=4), sweep.sample(20, between, seed=4)
    assert one == other != sweep.sample(20, between, seed=5)
    assert all(10 <= point["tors"] <= 99 and isinstance(point["tors"], int) for point in one)
    assert all(0.5 <= point["spares_percent"] <= 2.5 for point in one)


@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        ({"points": [{"colour": 1}]}, "colour", "unknown setting"),
        ({"points": [3]}, "points[0]", "a mapping of parameters"),
        ({"ask": ["hops"]}, "ask", "expected some of info"),
        ({"base": 7}, "base", "a Fabric, or a scenario"),
        ({"executor": threads(1), "client": None, "threads": -1}, "threads", "expected 0 to"),
    ],
)
def test_wrong_sweeps_are_refused(tmp_path, asked, field, said):
    call = {"base": BASE, "points": POINTS, "executor": threads(1), **asked}
    with pytest.raises(DesignError, match=said) as refused:
        sweep.run(call.pop("base"), call.pop("points"), tmp_path / "out", **call)
    assert refused.value.field == field


def test_a_folder_of_another_sweep_is_refused(tmp_path):
    sweep.run(BASE, POINTS[:1], tmp_path, executor=threads(1))
    with pytest.raises(DesignError, match="is of another sweep") as refused:
        sweep.run(Fabric(p=4, k=2), POINTS[:1], tmp_path, executor=threads(1))
    assert refused.value.field == "out"
    (tmp_path / "file").write_text("")
    with pytest.raises(DesignError, match="cannot be used as the ledger"):
        sweep.run(BASE, POINTS[:1], tmp_path / "file", executor=threads(1))
    (tmp_path / "text").mkdir()
    (tmp_path / "text/sweep.sqlite").write_text("no database, but long enough to be read as one")
    with pytest.raises(DesignError, match="cannot be used as the ledger"):
        sweep.run(BASE, POINTS[:1], tmp_path / "text", executor=threads(1))


def test_a_plan_that_was_read_back_is_no_base(tmp_path):
    plan = BASE.plan(tmp_path / "plan")
    fabric = lightloom.Plan.open(plan.folder).fabric
    with pytest.raises(DesignError, match="give its design") as refused:
        sweep.run(fabric, POINTS, tmp_path / "out", executor=threads(1))
    assert refused.value.field == "base"


def test_a_sweep_is_drawn_and_seen_while_it_is_at_work(tmp_path, monkeypatch):
    shown = []

    class Handle:
        def update(self, figure):
            shown.append(figure)

    def display(figure, display_id):
        shown.append(figure)
        return Handle()

    display_module = pytest.importorskip("IPython.display")
    monkeypatch.setattr(display_module, "display", display)
    with ThreadPoolExecutor(1) as threads:
        found = sweep.run(
            Fabric(p=2, k=2),
            sweep.grid({"k": [2, 3, 4]}),
            tmp_path,
            executor=threads,
            live=("k", "info.max_hops"),
        )
    last = shown[-1].axes[0]
    drawn = sorted(zip(*last.lines[0].get_data(), strict=True))
    assert drawn == [(2, 3), (3, 5), (4, 7)]
    assert sorted(found.plot("k", "info.max_hops").lines[0].get_ydata()) == [3, 5, 7]
    with pytest.raises(DesignError, match="no row has it"):
        found.plot("k", "no such")


@pytest.mark.parametrize("live", ["k", ("k",), ("k", 3), 5])
def test_a_live_view_of_anything_but_two_columns_is_refused(tmp_path, live):
    with pytest.raises(DesignError) as refused:
        sweep.run(Fabric(p=2, k=2), [], tmp_path, live=live)
    assert refused.value.field == "live"


def test_a_live_view_of_no_column_is_told(tmp_path):
    with ThreadPoolExecutor(1) as threads, pytest.warns(UserWarning, match="no point has both"):
        found = sweep.run(
            Fabric(p=2, k=2), [{"k": 3}], tmp_path, executor=threads, live=("k", "no such")
        )
    assert len(found) == 1
