#!/usr/bin/env python3
"""The stride permutation and broadcasts, over links and over light, in the twin: rates, their ratios, and memory per host.

    bench/twin/run.py [--runs N] [--lightloom PATH] [--against PATH] [--kind KIND ...] [--only TEXT]

Every scenario runs once in each round, one after the other, so all share the other load of the
machine. The script prints the medians of N rounds (default 5). Rates are data packets times links
divided by the time of reading, set-up and run; a copy counts on each of its links. Beside them stand the same
hops divided by the processor time of the whole process: other load changes that less, and with several threads
it is the rate of one core.
Kinds are unicast, multicast, light and largest. Largest takes minutes, so it runs only when asked for. A program from
before the twin had groups runs unicast only.
With --against, a second program runs every scenario directly before or after the first, in turns. The
script then prints the ratios. The first must reach 0.97 of the second. The script needs only Python's
standard library.
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
CASES = {
    "unicast": [
        ("128 hosts", "examples/stride.toml", 1),
        ("128 hosts, an acknowledgement for 4 packets", "bench/twin/stride-coalesced.toml", 1),
        ("128 hosts, DCQCN off", "bench/twin/stride-no-dcqcn.toml", 1),
        ("1,024 hosts", "bench/twin/stride-1024.toml", 1),
        ("1,024 hosts, DCQCN off", "bench/twin/stride-1024-no-dcqcn.toml", 1),
        ("1,024 hosts, 2 threads", "bench/twin/stride-1024.toml", 2),
        ("8,192 hosts, 100 kB each", "bench/twin/stride-8192.toml", 1),
    ],
    "multicast": [
        ("1,024 hosts, 8 groups of 128", "bench/twin/broadcast-1024.toml", 1),
        ("1,024 hosts, 128 groups of 8", "bench/twin/broadcast-1024-small.toml", 1),
        ("1,024 hosts, 8 groups of 128, 2 threads", "bench/twin/broadcast-1024.toml", 2),
    ],
    "light": [
        ("1,024 ToRs, 1 broadcast over light", "bench/twin/light-1024-1-reliable.toml", 1),
        ("1,024 ToRs, 4 broadcasts over light", "bench/twin/light-1024-4-reliable.toml", 1),
        ("1,024 ToRs, 1 broadcast of datagrams", "bench/twin/light-1024-1-datagrams.toml", 1),
        ("1,024 ToRs, 4 broadcasts of datagrams", "bench/twin/light-1024-4-datagrams.toml", 1),
    ],
    "largest": [("16,384 hosts, 256 groups of 128, 2 threads", "bench/twin/broadcast-16384.toml", 2)],
}
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
    parser.add_argument("--against", type=Path, help="another program, to be compared with")
    parser.add_argument("--kind", nargs="+", choices=list(CASES), default=["unicast", "multicast", "light"])
    parser.add_argument("--only", default="", help="the cases whose names hold this text")
    asked = parser.parse_args()
    cases = [case for kind in asked.kind for case in CASES[kind] if asked.only in case[0]]
    rates: dict[str, list[float]] = {name: [] for name, _, _ in cases}
    others: dict[str, list[float]] = {name: [] for name, _, _ in cases}
    processor: dict[str, list[float]] = {name: [] for name, _, _ in cases}
    by_core: dict[str, list[float]] = {name: [] for name, _, _ in cases}
    last = {}
    for turn in range(asked.runs):
        for name, scenario, threads in cases:
            spent = {}
            both = [asked.lightloom] + ([asked.against] if asked.against else [])
            for program in both[:: 1 if turn % 2 else -1]:
                rate, usage, report = run(program, scenario, threads)
                spent[program] = usage.ru_utime + usage.ru_stime
                (rates if program is asked.lightloom else others)[name].append(rate)
                if program is asked.lightloom:
                    by_core[name].append(report["work"]["data_hops"] / spent[program])
                    last[name] = (usage.ru_maxrss * 1024 / report["network"]["hosts"], report)
            if asked.against:
                processor[name].append(spent[asked.against] / spent[asked.lightloom])
    load = " ".join(f"{load:.2f}" for load in os.getloadavg())
    print(f"{asked.runs} rounds; load at the end {load}; {os.cpu_count()} cores\n")
    print(f"{'':45} {'Mhops/s':>8} {'least to most':>16} {'by core':>8} {'control/data':>13} {'events':>12} {'kB/host':>8}")
    for name, of in rates.items():
        memory, report = last[name]
        work = report["work"]
        spread = f"{min(of) / 1e6:.2f} to {max(of) / 1e6:.2f}"
        control = work["control_hops"] / work["data_hops"]
        print(
            f"{name:45} {statistics.median(of) / 1e6:8.2f} {spread:>16} "
            f"{statistics.median(by_core[name]) / 1e6:8.2f} {control:13.2f} "
            f"{work['events']:12,} {memory / 1e3:8.1f}"
        )
    print()
    for name in rates if asked.against else []:
        each = [one / other for one, other in zip(rates[name], others[name])]
        print(
            f"{name}: {statistics.median(each):.3f} of the other's rate "
            f"({min(each):.3f} to {max(each):.3f}); {statistics.median(processor[name]):.3f} by processor time"
        )
    for one, other, goal in RATIOS:
        if one not in rates or other not in rates:
            continue
        each = [a / b for a, b in zip(rates[one], rates[other])]
        ratio = statistics.median(each)
        print(f"{one} / {other}: {ratio:.2f} ({min(each):.2f} to {max(each):.2f}); goal {goal}")


if __name__ == "__main__":
    main()
