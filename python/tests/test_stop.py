"""Long calls: Ctrl-C, progress, and the interpreter's lock."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading

import pytest
from conftest import EXAMPLES
from stops import press, pressed, pressed_twice, stopped

import lightloom
from lightloom import Fabric, Interrupted, ParallelSoFar, Scenario
from lightloom import _lightloom as extension

# Against a test that would never end. No test compares a time with it.
HANG_S = 300


@pytest.fixture
def endless(tmp_path):
    """A scenario that takes minutes. It ends because it is stopped."""
    scenario = tmp_path / "long.toml"
    text = (EXAMPLES / "stride.toml").read_text()
    scenario.write_text(text.replace("10 MB", "10 GB").replace("100 ms", "100 s"))
    return Scenario.open(scenario)


def test_a_signal_from_outside(endless, tmp_path):
    """A real Ctrl-C, to a program of its own."""
    script = f"""
        import lightloom
        told = []
        def tell(done, of):
            if not told:
                print("working", flush=True)
            told.append(done)
        try:
            lightloom.Scenario.open({endless._path!r}).run(progress=tell)
        except lightloom.Interrupted as stopped:
            result = stopped.result
            assert result.end == "stopped" and result.missing == stopped.missing, stopped.missing
            print(stopped.missing, flush=True)
    """
    # The process must not inherit a parent that ignores Ctrl-C.
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as child:
        assert child.stdout.readline() == "working\n", child.stderr.read()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=HANG_S)
    assert child.returncode == 0 and out.startswith("simulated time from "), (out, err)
    assert out.endswith(" s to 100 s\n")


def test_a_simulation_so_far(endless, tmp_path):
    found = stopped(endless.run, out=tmp_path / "out", progress=press)
    result = found.result
    assert result.end == "stopped" and not result.finished
    end = result.report["end"]
    assert 0 < end["reached_ps"] < end["until_ps"] == 100 * 10**12
    assert result.missing == found.missing
    assert result.missing == f"simulated time from {end['reached_ps'] / 1e12:g} s to 100 s"
    # Nothing is written, but it can be.
    assert not (tmp_path / "out").exists()
    result.save(tmp_path / "out")
    saved = lightloom.Result.open(tmp_path / "out")
    assert saved.missing == result.missing and saved.report["end"] == end
    whole = Scenario.open(EXAMPLES / "stride.toml").run()
    assert whole.missing == ""


def test_runs_of_several_seeds_so_far(endless):
    found = stopped(endless.run, seeds=5, threads=2, progress=press)
    result = found.result
    begun = len(result.report["replicas"])
    assert 0 < begun < 5 and len(result.report["not_begun"]) == 5 - begun
    seeds = [run["seed"] for run in result.report["replicas"]] + result.report["not_begun"]
    assert seeds == [1, 2, 3, 4, 5]
    assert result.missing.startswith("seed 1: simulated time from ")
    assert result.missing.endswith(f"; {5 - begun} of 5 runs not begun")


def test_designs_so_far():
    """It is stopped when a fabric is done. At this size each takes longer than a look."""

    def after_one(done, of):
        if done:
            press(done, of)

    found = stopped(lightloom.explore, 8192, progress=after_one)
    result = found.result
    assert len(result.designs()) == len(result) > 0 and result.report["unexplored"] > 0
    unexplored = result.report["unexplored"]
    assert result.missing == found.missing
    assert result.missing.split() == [str(unexplored), "fabrics", "not", "explored"] or (
        result.missing == "1 fabric not explored"
    )


@pytest.mark.parametrize("named", [None, range(8)])
def test_trees_so_far(named):
    fabric = Fabric("kautz", p=8, tors=16_384)
    found = stopped(fabric.parallel, named, progress=press)
    part = found.result
    if part is None:
        assert named is not None and found.missing == "the trees, and whether they exist"
        return
    assert found.missing == part.missing
    if isinstance(part, ParallelSoFar):
        assert part.at_least <= part.at_most == 8 and len(part.trees) <= part.at_least
        assert part.missing and "ParallelSoFar" in repr(part)


def test_work_that_goes_on_is_waited_for(monkeypatch):
    """This call looks at no stop, so it is left after 200 ms at most. What it does is not lost."""
    fabric = Fabric("kautz", p=4, tors=512)
    whole = fabric.recover("relay:8", throughput=True)
    found = stopped(pressed(fabric._project.recover), "relay:8", None, None, True)
    found._make_result_with(lambda raw: lightloom._report.parse(raw), "the recovery")
    assert found.result == whole.report and found.missing == "" and found.ready


def test_a_second_ctrl_c_ends_at_once():
    fabric = Fabric("kautz", p=4, tors=512)
    call = pressed(fabric._project.recover)
    with pressed_twice() as heard:
        try:
            call("relay:8", None, None, True)
        except KeyboardInterrupt as found:
            ended = type(found)
    assert ended is KeyboardInterrupt and len(heard) == 2


def test_ctrl_c_while_the_part_is_waited_for():
    fabric = Fabric("kautz", p=4, tors=512)
    found = stopped(pressed(fabric._project.recover), "relay:8", None, None, True)
    found._make_result_with(str, "the recovery")
    part = found._part
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        pressed(part.wait)()
    except KeyboardInterrupt as plain:
        ended = type(plain)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended is KeyboardInterrupt
    # The next access waits again.
    assert '"restored"' in found.result


def test_a_call_that_fails_after_the_stop(tmp_path):
    missing = str(tmp_path / "none")
    found = stopped(pressed(extension.verify), (missing, None), None)
    found._make_result_with(str, "the verification")
    assert found.result is None
    assert (
        found.missing.startswith("the verification; the call failed: ") and missing in found.missing
    )


def test_an_interrupt_of_ones_own():
    plain = Interrupted()
    assert plain.result is None and plain.missing == "the answer" and plain.ready
    assert isinstance(plain, KeyboardInterrupt) and str(plain) == "interrupted"
    assert Interrupted("no", 3, missing="4").result == 3


class Enough(Exception):
    pass


def test_a_callback_ends_the_call(tmp_path):
    def tell(done, of):
        raise Enough

    with pytest.raises(Enough):
        Fabric("kautz", p=4, tors=20_000).plan(tmp_path / "plan", progress=tell)
    assert not (tmp_path / "plan").exists()


def test_a_callback_that_interrupts(endless):
    def tell(done, of):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        endless.run(progress=tell)
    assert caught.value.result.end == "stopped"


def test_what_is_told():
    calls = []
    Scenario.open(EXAMPLES / "stride.toml").run(progress=lambda *news: calls.append(news))
    assert calls and all(0 <= done <= of for done, of in calls)
    assert all(type(number) is int for news in calls for number in news)
    calls.clear()
    found = Fabric(p=4, k=3).parallel(progress=lambda *news: calls.append(news))
    # 48 cassettes: each is tried once for 4 trees, and joins each of them.
    assert found.possible and {of for _, of in calls} == {48 * 5}
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_bars(capsys):
    Fabric("kautz", p=4, tors=20_000).info(progress=True)
    assert "Measuring" in capsys.readouterr().err
    Fabric(p=4, k=3).parallel([0, 7], progress=True)
    assert "Searching" in capsys.readouterr().err
    for call in (Fabric(p=4, k=2).info, Fabric(p=4, k=2).parallel):
        with pytest.raises(lightloom.DesignTypeError, match="progress"):
            call(progress=3)


def test_other_threads_run_meanwhile(endless):
    """If the lock were held, this thread would not go on before the simulation is over."""
    enough, began, ended = threading.Event(), threading.Event(), threading.Event()

    def tell(done, of):
        began.set()
        if enough.is_set():
            raise Enough

    def run():
        with pytest.raises(Enough):
            endless.run(progress=tell)
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    assert began.wait(HANG_S)
    rounds = sum(1 for _ in range(100_000))
    assert rounds == 100_000 and not ended.is_set()
    enough.set()
    thread.join(HANG_S)
    assert ended.is_set()


def test_calls_from_other_threads(tmp_path):
    fabric = Fabric(p=4, k=3)
    expected = (fabric.info(), fabric.tree(5), fabric.recover("relay:8"))
    found = []

    def ask(number):
        fabric.plan(tmp_path / str(number))
        found.append((fabric.info(), fabric.tree(5), fabric.recover("relay:8")))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8
