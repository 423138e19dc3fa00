"""Prints one table from the results of `bench/run.sh`: Criterion, NetworkX and the command."""

import argparse
import json
from pathlib import Path

# For each Criterion benchmark the NetworkX runs that make trees of the same depth.
NETWORKX = {
    "tree_163840/rotated": [
        "tree_163840/tors/bfs_predecessors",
        "tree_163840/tors/bfs_tree",
        "tree_163840/cassettes/bfs_predecessors",
        "tree_163840/cassettes/bfs_tree",
    ],
    "tree_163840/project": ["tree_163840/tors/paths"],
    **{
        f"all_trees_1024/{ours}": [
            f"all_trees_1024/{family}/{where}/bfs_{work}"
            for where in ["tors", "cassettes"]
            for work in ["predecessors", "tree"]
        ]
        for ours, family in [
            ("kautz_balanced", "kautz"),
            ("kautz_rotated", "kautz"),
            ("shufflecast_algorithm1", "shufflecast"),
        ]
    },
}
# Time goals of the project, in seconds.
TARGETS = {"plan_1024": 1.0, "files_16384": 5.0, "tree_163840": 0.05, "parallel_1024": 5.0}


def criterion(folder):
    """(best, median) seconds of every benchmark."""
    measured = {}
    for file in sorted(folder.rglob("new/sample.json")):
        name = json.loads(file.with_name("benchmark.json").read_text())["full_id"]
        sample = json.loads(file.read_text())
        each = sorted(t / n / 1e9 for t, n in zip(sample["times"], sample["iters"]))
        measured[name] = (each[0], each[len(each) // 2])
    return measured


def say(seconds):
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--criterion", type=Path, required=True, help="Criterion's folder")
    parser.add_argument("--networkx", type=Path, required=True, help="JSON of networkx_bfs.py")
    parser.add_argument("--cli", type=Path, required=True, help="lines: name seconds kilobytes")
    options = parser.parse_args()
    networkx = json.loads(options.networkx.read_text())
    rows = [("what", "best", "median", "target or peak", "NetworkX", "ratio")]
    for name, (best, median) in criterion(options.criterion).items():
        target = TARGETS.get(name.split("/")[0])
        rows.append((name, say(best), say(median), f"< {say(target)}" if target else "", "", ""))
        for theirs in NETWORKX.get(name, []):
            seconds = networkx[theirs]
            rows.append((f"  {theirs}", "", "", "", say(seconds), f"{seconds / best:.0f}x"))
    runs = {}
    for line in options.cli.read_text().splitlines():
        name, seconds, kilobytes = line.rsplit(" ", 2)
        runs.setdefault(name, []).append((float(seconds), int(kilobytes)))
    for name, each in runs.items():
        seconds, peak = sorted(s for s, _ in each), max(k for _, k in each)
        target = f"peak {peak / 1024:.0f} MiB"
        rows.append((name, say(seconds[0]), say(seconds[len(seconds) // 2]), target, "", ""))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        first, *rest = [f"{row[0]:<{widths[0]}}"] + [f"{c:>{w}}" for c, w in zip(row[1:], widths[1:])]
        print("  ".join([first, *rest]).rstrip())


if __name__ == "__main__":
    main()
