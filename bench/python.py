"""Times the Python package against NetworkX and Rust: the best of several runs.

    .venv-python/bin/maturin build --release --manifest-path python/Cargo.toml --out target/wheels-release
    .venv-python/bin/python -m pip install --force-reinstall --no-deps target/wheels-release/*.whl
    .venv-python/bin/python bench/python.py

Needs a release wheel, NetworkX, and cargo for the time in Rust.
"""

import argparse
import subprocess
import threading
import time
from pathlib import Path

import networkx as nx
from lightloom import Fabric, Scenario

ROOT = Path(__file__).resolve().parents[1]


def best(runs, prepare, work):
    """The fastest of several runs. The time of `prepare` is not counted."""
    seconds = []
    for _ in range(runs):
        thing = prepare()
        start = time.perf_counter()
        work(thing)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def networkx_relays(graph):
    """The relays of all sources by breadth-first search: each ToR with a successor in the tree."""
    return {
        source: {source, *dict(nx.bfs_predecessors(graph, source)).values()} for source in graph
    }


def relay_sets():
    for said in ({"family": "kautz", "p": 4, "tors": 1024}, {"p": 4, "k": 4}):
        graph = nx.DiGraph(Fabric(**said).to_networkx().edges())
        ours = best(20, lambda: Fabric(**said), Fabric.relay_sets)
        theirs = best(3, lambda: graph, networkx_relays)
        name = " ".join(map(str, said.values()))
        print(
            f"all-source relay sets, {name}: {ours * 1e3:.2f} ms; NetworkX {theirs * 1e3:.0f} ms; "
            f"{theirs / ours:.0f} times (goal 100)"
        )


def one_tree(tors=163_840, runs=300):
    fabric = Fabric("kautz", p=4, tors=tors)
    sources = iter(range(runs))
    ours = best(runs, lambda: next(sources), fabric.tree)
    line = ["cargo", "run", "--quiet", "--release", "-p", "lightloom", "--example"]
    line += ["one_tree", "--", str(tors), str(runs)]
    rust = float(subprocess.run(line, cwd=ROOT, check=True, capture_output=True).stdout)
    print(
        f"one tree of {tors:,} ToRs as arrays: {ours * 1e6:.0f} us; Rust {rust * 1e6:.0f} us; "
        f"{ours / rust - 1:+.1%} (goal +10%)"
    )


def graphs(tors=16_384):
    took = best(3, lambda: Fabric("kautz", p=4, tors=tors), Fabric.to_networkx)
    print(f"to_networkx() of {tors:,} ToRs: {took:.2f} s (goal 2 s)")


def two_threads():
    scenario = Scenario.open(ROOT / "examples/stride.toml")

    def run(count):
        threads = [threading.Thread(target=scenario.run) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    one = best(3, lambda: 1, run)
    two = best(3, lambda: 2, run)
    print(
        f"simulations: one {one:.2f} s; two threads {two:.2f} s; {two / one:.2f} times (goal 1.3)"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.parse_args()
    relay_sets()
    one_tree()
    graphs()
    two_threads()


if __name__ == "__main__":
    main()
