#!/usr/bin/env python3
"""The stride permutation in the twin: rates, their ratios, and memory per host.

    bench/twin/run.py [--runs N] [--lightloom PATH]

Every scenario runs once in each round, one after the other, so all share the other load of the
machine. The script prints the medians of N rounds (default 5). Rates are data packets times links
divided by the time of reading, set-up and run. The script needs only Python's standard library.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Name, scenario, threads.
CASES = [
    ("128 hosts", "examples/stride.toml", 1),
    ("128 hosts, an acknowledgement for 4 packets", "bench/twin/stride-coalesced.toml", 1),
    ("128 hosts, DCQCN off", "bench/twin/stride-no-dcqcn.toml", 1),
    ("1,024 hosts", "bench/twin/stride-1024.toml", 1),
    ("1,024 hosts, DCQCN off", "bench/twin/stride-1024-no-dcqcn.toml", 1),
    ("1,024 hosts, 2 threads", "bench/twin/stride-1024.toml", 2),
    ("8,192 hosts, 100 kB each", "bench/twin/stride-8192.toml", 1),
]
# The two rows of each ratio, and its goal.
RATIOS = [
    ("1,024 hosts", "128 hosts", 0.7),
    ("8,192 hosts, 100 kB each", "128 hosts", 0.5),
    ("1,024 hosts, 2 threads", "1,024 hosts", 1.7),
]


def run(lightloom: Path, scenario: str, threads: int) -> tuple[float, resource.struct_rusage, dict]:
    """Data hops per second, the resource usage of the process, and the report."""
    command = [lightloom, "simulate", ROOT / scenario, "--threads", str(threads), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{scenario}: ended with code {child.returncode}")
    report = json.loads(text)
    seconds = report["timing"]["read_s"] + report["timing"]["run_s"]
    return report["work"]["data_hops"] / seconds, usage, report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--lightloom", type=Path, default=ROOT / "target/release/lightloom")
    asked = parser.parse_args()
    rates: dict[str, list[float]] = {name: [] for name, _, _ in CASES}
    last = {}
    for _ in range(asked.runs):
        for name, scenario, threads in CASES:
            rate, usage, report = run(asked.lightloom, scenario, threads)
            rates[name].append(rate)
            last[name] = (usage.ru_maxrss * 1024 / report["network"]["hosts"], report)
    load = " ".join(f"{load:.2f}" for load in os.getloadavg())
    print(f"{asked.runs} rounds; load at the end {load}; {os.cpu_count()} cores\n")
    print(f"{'':45} {'Mhops/s':>8} {'least to most':>16} {'control/data':>13} {'events':>12} {'kB/host':>8}")
    for name, of in rates.items():
        memory, report = last[name]
        work = report["work"]
        spread = f"{min(of) / 1e6:.2f} to {max(of) / 1e6:.2f}"
        control = work["control_hops"] / work["data_hops"]
        print(
            f"{name:45} {statistics.median(of) / 1e6:8.2f} {spread:>16} {control:13.2f} "
            f"{work['events']:12,} {memory / 1e3:8.1f}"
        )
    print()
    for one, other, goal in RATIOS:
        each = [a / b for a, b in zip(rates[one], rates[other])]
        ratio = statistics.median(each)
        print(f"{one} / {other}: {ratio:.2f} ({min(each):.2f} to {max(each):.2f}); goal {goal}")


if __name__ == "__main__":
    main()
