"""Times the twin on collective operations over the shipped hall of 1,024 racks, one host at each ToR.

    python3 bench/collectives.py --lightloom target/release/lightloom
    python3 bench/collectives.py --lightloom target/release/lightloom --sweep

Every run is a process of its own on one thread. The table has its wall clock, its peak memory and what it simulated.
With --sweep it is one process on all cores that runs every schedule of a broadcast with nine sizes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HALL = Path(__file__).resolve().parent.parent / "examples" / "hall-1024.toml"
RUNS = [
    ("broadcast", "binomial", "16 MB"),
    ("broadcast", "chain", "16 MB"),
    ("broadcast", "binomial-pipeline", "16 MB"),
    ("broadcast", "double-tree", "16 MB"),
    ("broadcast", "scatter-doubling", "16 MB"),
    ("broadcast", "scatter-ring", "16 MB"),
    ("broadcast", "multicast", "16 MB"),
    ("broadcast", "scatter-ring", "1 MB"),
    ("allreduce", "halving-doubling", "16 MB"),
]


def scenario(operation, schedule, size):
    """The text of a scenario with one operation of all hosts."""
    group = '[[group]]\nname = "all"\nmembers = "all"\n' if schedule == "multicast" else ""
    of_group = 'group = "all"\n' if group else ""
    return f"""version = 1
until = "1 s"
[network]
kind = "design"
file = {json.dumps(str(HALL))}
hosts_per_tor = 1
spines = 16
rate = "100 Gb/s"
length = "20 m"
{group}[[collective]]
operation = "{operation}"
schedule = "{schedule}"
size = "{size}"
{of_group}"""


def ask(command):
    """Wall clock in seconds, peak memory in MB, and the answer of a command."""
    begun = time.monotonic()
    child = subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE)
    answer = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        sys.exit(f"the command ended with {status}")
    return time.monotonic() - begun, usage.ru_maxrss / 1000, json.loads(answer)


def run(lightloom, text):
    """As ask, of a run of a scenario."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "s.toml"
        file.write_text(text)
        return ask([lightloom, "simulate", str(file)])


def sweep(lightloom):
    """Times all broadcasts of nine sizes."""
    of = ["--op", "broadcast", "--size", "64kB..16MB"]
    seconds, peak, report = ask([lightloom, "collective", str(HALL), *of])
    print(f"{report['runs']} runs: {seconds:.0f} s, {peak / 1000:.1f} GB")


def main():
    """Runs all rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lightloom", required=True)
    parser.add_argument("--sweep", action="store_true", help="time lightloom collective")
    given = parser.parse_args()
    lightloom = given.lightloom
    print(f"load {os.getloadavg()[0]:.2f}")
    if given.sweep:
        sweep(lightloom)
        return
    print("| operation, schedule, size | messages | simulated | data hops | time | peak |")
    print("|---|---|---|---|---|---|")
    for row in RUNS:
        seconds, peak, report = run(lightloom, scenario(*row))
        one = report["collectives"][0]
        if one["completed"] != 1:
            sys.exit(f"{row} did not complete")
        simulated = one["times"][0]["last_ps"] / 1e9
        hops = report["work"]["data_hops"] / 1e6
        print(
            f"| {', '.join(row)} | {one['messages']:,} | {simulated:.2f} ms | {hops:.1f} million "
            f"| {seconds:.1f} s | {peak:.0f} MB |"
        )


if __name__ == "__main__":
    main()
