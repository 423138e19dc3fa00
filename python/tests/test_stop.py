"""Long calls: Ctrl-C, progress, and the interpreter's lock."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import EXAMPLES

import lightloom
from lightloom import Fabric, Interrupted, Scenario

# The time for an interrupted call to return on a busy machine. On an idle machine it takes 0.15 s.
SOON_S = 1.0

HEAD = f"""
import sys, time, lightloom
from pathlib import Path
def tell(done, of):
    if done:
        print("working", flush=True)
try:
    %s
except lightloom.Interrupted as stopped:
    print("stopped", flush=True)
    result = stopped.result
    time.sleep(%s)
    %s
    print("right", flush=True)
EXAMPLES = {str(EXAMPLES)!r}
"""


def interrupt(call, then="pass", wait_s=0.0):
    """Runs a call in a process, interrupts it, and returns the time that it took to end."""
    script = HEAD % (call, wait_s, then)
    line = [sys.executable, "-c", textwrap.dedent(script)]
    # The process must not inherit a parent that ignores Ctrl-C.
    with subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as child:
        assert child.stdout.readline() == "working\n", child.stderr.read()
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        began = time.monotonic()
        rest = "working\n"
        while rest == "working\n":
            rest = child.stdout.readline()
        took = time.monotonic() - began
        assert rest == "stopped\n", rest + child.stderr.read()
        assert child.stdout.readline() == "right\n", child.stderr.read()
        assert child.wait(timeout=60) == 0, child.stderr.read()
    assert took < SOON_S, took
    return took


def test_ctrl_c_during_a_plan(tmp_path):
    out = tmp_path / "plan"
    call = f"lightloom.Fabric('kautz', p=4, tors=30_000).plan({str(out)!r}, progress=tell)"
    # An abandoned call must not write its plan later.
    interrupt(call, f"assert result is None and not Path({str(out)!r}).exists()", wait_s=3)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_the_old_plan(tmp_path):
    out = tmp_path / "plan"
    Fabric("kautz", p=4, tors=8).plan(out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    interrupt(f"lightloom.Fabric('kautz', p=4, tors=30_000).plan({str(out)!r}, progress=tell)")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_ctrl_c_during_a_monte_carlo_budget():
    made = "lightloom.Fabric('shufflecast', p=4, k=4, samples=100_000)"
    interrupt(f"{made}.budget('monte-carlo', progress=tell)", "assert result is None")


def test_ctrl_c_during_a_simulation(tmp_path):
    scenario = tmp_path / "long.toml"
    text = (EXAMPLES / "stride.toml").read_text()
    scenario.write_text(text.replace("10 MB", "1 GB").replace("100 ms", "10 s"))
    out = tmp_path / "out"
    call = f"lightloom.Scenario.open({str(scenario)!r}).run(out={str(out)!r}, progress=tell)"
    then = f"assert result.end == 'stopped' and not result.finished; result.save({str(out)!r})"
    interrupt(call, then)
    saved = lightloom.Result.open(out)
    assert saved.end == "stopped" and saved.report["end"]["reached_ps"] > 0


def test_ctrl_c_keeps_what_is_explored():
    then = "assert result.report['unexplored'] > 0 and len(result.designs()) == len(result) > 0"
    # Each fabric takes longer than the time that a stop allows.
    interrupt("lightloom.explore(8192, progress=tell)", then)


@pytest.mark.parametrize(
    "call",
    [
        "lightloom.Fabric('kautz', p=4, tors=16_000).relay_sets(progress=tell)",
        "lightloom.Fabric('kautz', p=4, tors=30_000).info(progress=tell)",
        "lightloom.Fabric('kautz', p=4, tors=4096).risk(progress=tell)",
        "lightloom.Fabric('shufflecast', p=4, k=4).repairs('never', progress=tell)",
    ],
)
def test_ctrl_c_during_other_long_calls(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    interrupt(call)


class Enough(Exception):
    pass


def test_a_callback_ends_the_call(tmp_path):
    def tell(done, of):
        raise Enough

    with pytest.raises(Enough):
        Fabric("kautz", p=4, tors=20_000).plan(tmp_path / "plan", progress=tell)
    assert not (tmp_path / "plan").exists()


def test_a_callback_that_interrupts(tmp_path):
    def tell(done, of):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        Scenario.open(EXAMPLES / "stride.toml").run(progress=tell)
    assert caught.value.result.end == "stopped"


def test_what_is_told():
    calls = []
    Scenario.open(EXAMPLES / "stride.toml").run(progress=lambda *news: calls.append(news))
    assert calls and all(0 <= done <= of for done, of in calls)
    assert all(type(number) is int for news in calls for number in news)


def test_bars(capsys):
    Fabric("kautz", p=4, tors=20_000).info(progress=True)
    assert "Measuring" in capsys.readouterr().err
    with pytest.raises(lightloom.DesignTypeError, match="progress"):
        Fabric(p=4, k=2).info(progress=3)


def test_other_threads_run_meanwhile():
    """If the lock were held, nothing in this loop would run until the simulation is over."""
    scenario = Scenario.open(EXAMPLES / "stride.toml")
    done = threading.Event()

    def run():
        scenario.run()
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    rounds = 0
    while not done.is_set():
        rounds += 1
        time.sleep(0.001)
    thread.join()
    assert rounds > 20


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
