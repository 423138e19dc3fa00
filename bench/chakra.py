#!/usr/bin/env python3
"""Measure a run of a trace of Chakra with 100,000 nodes.

    python3 bench/chakra.py --lightloom target/release/lightloom

Each of 1,000 ranks has 100 nodes: 50 computations, each behind the one before, and an allreduce of 64 kB behind every one.
Ten ranks that stand beside each other are a process group. Prints the time of the commands and the peak of their resident
memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "examples/chakra"))
from step import ALLREDUCE, COLLECTIVE, COMPUTATION, node, records

RANKS = 1_000
LAYERS = 50
GROUP = 10
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
file = "step.0.et"
process_groups = "groups.json"
allreduce = "ring"
"""


def program(rank: int) -> bytes:
    """Return the file of a rank."""
    nodes = []
    for layer in range(LAYERS):
        micros = 20 + (rank * 7 + layer * 13) % 10
        before = [2 * layer - 2] if layer else []
        nodes.append(node(2 * layer, "layer", COMPUTATION, before, micros))
        said = {"comm_type": ALLREDUCE, "comm_size": 64_000, "pg_name": str(rank // GROUP + 1)}
        nodes.append(node(2 * layer + 1, "sum", COLLECTIVE, [2 * layer], **said))
    return records(nodes)


def main() -> int:
    """Run the commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lightloom", required=True)
    binary = str(Path(parser.parse_args().lightloom).resolve())
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for rank in range(RANKS):
            (place / f"step.{rank}.et").write_bytes(program(rank))
        groups = {str(one + 1): list(range(one * GROUP, (one + 1) * GROUP)) for one in range(RANKS // GROUP)}
        (place / "groups.json").write_text(json.dumps(groups))
        (place / "s.toml").write_text(SCENARIO)
        print(f"load {os.getloadavg()[0]:.2f}")
        for line in [
            ["trace", "step.0.et", "--process-groups", "groups.json", "--json"],
            ["simulate", "s.toml", "--json"],
        ]:
            began = time.perf_counter()
            done = subprocess.run([binary, *line], cwd=place, capture_output=True, text=True, check=False)
            took = time.perf_counter() - began
            if done.returncode != 0:
                print(done.stderr, file=sys.stderr)
                return 1
            answer = json.loads(done.stdout)
            most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
            told = answer["traces"][0] if "traces" in answer else answer
            print(f"{line[0]}: {told['operations']} nodes, {took:.1f} s, at most {most:.2f} GB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
