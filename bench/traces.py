#!/usr/bin/env python3
"""Measure a run of a trace with a million operations.

    python3 bench/traces.py --lightloom target/release/lightloom

Each of 1,000 ranks computes, sends 4 kB to the next one, and receives as much from the one before it, 334 times. Prints the
time of the whole command and the peak of its resident memory.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RANKS = 1_000
ROUNDS = 334
SCENARIO = """version = 1
until = "10 s"
[network]
kind = "leaf-spine"
leaves = 40
spines = 10
hosts_per_leaf = 25
rate = "100 Gb/s"
delay = "1 us"
[[trace]]
file = "rounds.goal"
"""


def trace() -> str:
    """Return the trace."""
    lines = [f"num_ranks {RANKS}"]
    for rank in range(RANKS):
        lines.append(f"rank {rank} {{")
        for turn in range(ROUNDS):
            takes = 1000 + (rank * 7 + turn * 13) % 500
            lines += [
                f"c{turn}: calc {takes}",
                f"s{turn}: send 4096b to {(rank + 1) % RANKS} tag {turn % 7}",
                f"r{turn}: recv 4096b from {(rank - 1) % RANKS} tag {turn % 7}",
                f"s{turn} requires c{turn}",
            ]
            if turn:
                lines += [f"c{turn} requires r{turn - 1}", f"c{turn} requires s{turn - 1}"]
        lines.append("}")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lightloom", required=True)
    program = str(Path(parser.parse_args().lightloom).resolve())
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "rounds.goal").write_text(trace())
        (Path(place) / "rounds.toml").write_text(SCENARIO)
        begin = time.monotonic()
        ran = subprocess.run([program, "simulate", "rounds.toml", "--quiet"], cwd=place, check=False)
        seconds = time.monotonic() - begin
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9
    print(f"{3 * RANKS * ROUNDS:,} operations: {seconds:.1f} s, {peak:.2f} GB, load {os.getloadavg()[0]:.1f}")
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main())
