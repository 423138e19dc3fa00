#!/usr/bin/env python3
"""Threads in the twin: alone, beside a busy program, and with more threads than cores.

    bench/twin/threads.py [--runs N] [--scenario FILE] [--lightloom PATH]

Every case runs once in each round, one after the other. The script prints the medians of N rounds
(default 5), with the minimum and the maximum. The busy program is an endless loop, pinned to the
second core. Processor time and context switches of the last round show where the time went: threads
that spin use processor time, threads that sleep switch voluntarily, and threads that lose their
core switch involuntarily. The script needs only Python's standard library and a machine with two
cores.
"""

import argparse
import os
import statistics
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from run import ROOT, run

# Name, threads, whether a busy program occupies a core.
CASES = [
    ("1 thread", 1, False),
    ("2 threads", 2, False),
    ("7 threads", 7, False),
    ("1 thread beside a busy program", 1, True),
    ("2 threads beside a busy program", 2, True),
    ("7 threads beside a busy program", 7, True),
]
# The two rows of each ratio, and its goal.
RATIOS = [
    ("2 threads", "1 thread", 1.7),
    ("7 threads", "1 thread", None),
    ("2 threads beside a busy program", "1 thread beside a busy program", 0.9),
    ("7 threads beside a busy program", "1 thread beside a busy program", None),
]


@contextmanager
def a_busy_program(wanted: bool):
    """Runs a busy program on the second core during the context."""
    if not wanted:
        yield
        return
    core = sorted(os.sched_getaffinity(0))[1]
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        os.sched_setaffinity(busy.pid, {core})
        yield
    finally:
        busy.kill()
        busy.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scenario", default="bench/twin/stride-1024.toml")
    parser.add_argument("--lightloom", type=Path, default=ROOT / "target/release/lightloom")
    asked = parser.parse_args()
    if len(os.sched_getaffinity(0)) < 2:
        sys.exit("bench/twin/threads.py: this needs two cores")
    rates: dict[str, list[float]] = {name: [] for name, _, _ in CASES}
    last = {}
    for _ in range(asked.runs):
        for name, threads, beside in CASES:
            with a_busy_program(beside):
                rate, usage, report = run(asked.lightloom, asked.scenario, threads)
            rates[name].append(rate)
            last[name] = (usage, report["timing"].get("threads_used", threads))
    load = " ".join(f"{load:.2f}" for load in os.getloadavg())
    cores = len(os.sched_getaffinity(0))
    print(f"{asked.scenario}, {asked.runs} rounds; load at the end {load}; {cores} cores\n")
    print(
        f"{'':33} {'used':>4} {'Mhops/s':>8} {'least to most':>16} {'user s':>7} {'system s':>8} "
        f"{'slept':>8} {'lost core':>9}"
    )
    for name, of in rates.items():
        usage, used = last[name]
        spread = f"{min(of) / 1e6:.2f} to {max(of) / 1e6:.2f}"
        print(
            f"{name:33} {used:4} {statistics.median(of) / 1e6:8.2f} {spread:>16} "
            f"{usage.ru_utime:7.2f} {usage.ru_stime:8.2f} {usage.ru_nvcsw:8} {usage.ru_nivcsw:9}"
        )
    print()
    for one, other, goal in RATIOS:
        each = [a / b for a, b in zip(rates[one], rates[other])]
        wanted = "" if goal is None else f"; goal {goal}"
        print(f"{one} / {other}: {statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f}){wanted}")


if __name__ == "__main__":
    main()
