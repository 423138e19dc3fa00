"""Times the same trees by NetworkX's breadth-first search, in seconds: the best of several runs.

    python bench/networkx_bfs.py --lightloom target/release/lightloom [--json FILE]

The fabrics come from `lightloom fabric --json`. Loading and building graphs is not timed. NetworkX
finds trees with the same number of hops (checked here) but does not balance the relays' load.
"""

import argparse
import json
import subprocess
import time

import networkx as nx


def ask(lightloom, command, flags):
    line = [lightloom, command, *flags, "--json"]
    return json.loads(subprocess.run(line, check=True, capture_output=True).stdout)


def graphs(fabric):
    """For each ToR the receivers of its splitter, and the graph of cassettes with ToRs as edges."""
    cassettes = nx.MultiDiGraph()
    cassettes.add_nodes_from(range(fabric["cassettes"]))
    cassettes.add_edges_from((a, b, tor) for tor, a, b in fabric["edges"])
    receivers = {}
    for tor, a, _ in fabric["edges"]:
        receivers.setdefault(a, []).append(tor)
    tors = nx.DiGraph()
    tors.add_nodes_from(range(len(fabric["edges"])))
    tors.add_edges_from((tor, to) for tor, _, b in fabric["edges"] for to in receivers[b])
    return tors, cassettes


def best(runs, work, arguments):
    """The fastest of several runs, each with its own argument."""
    seconds = []
    for argument in arguments[:runs]:
        start = time.perf_counter()
        work(argument)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def predecessors(graph):
    return lambda source: dict(nx.bfs_predecessors(graph, source))


def tree(graph):
    return lambda source: nx.bfs_tree(graph, source)


def paths(graph):
    return lambda source: nx.single_source_shortest_path(graph, source)


def of_all(work, sources):
    def run(_):
        for source in sources:
            work(source)

    return run


def one_tree(lightloom, runs):
    flags = ["--family", "kautz", "--p", "4", "--tors", "163840"]
    fabric = ask(lightloom, "fabric", flags)
    tors, cassettes = graphs(fabric)
    sources = [641 * i for i in range(runs)]
    roots = [fabric["edges"][source][2] for source in sources]
    ours = ask(lightloom, "tree", [*flags, "--source", "0"])["max_hops"]
    theirs = max(nx.single_source_shortest_path_length(tors, 0).values())
    assert ours == theirs, f"lightloom says {ours} hops, NetworkX {theirs}"
    return {
        "tree_163840/tors/bfs_predecessors": best(runs, predecessors(tors), sources),
        "tree_163840/tors/bfs_tree": best(runs, tree(tors), sources),
        "tree_163840/tors/paths": best(runs, paths(tors), sources),
        "tree_163840/cassettes/bfs_predecessors": best(runs, predecessors(cassettes), roots),
        "tree_163840/cassettes/bfs_tree": best(runs, tree(cassettes), roots),
    }


def all_trees(lightloom, runs, name, size):
    flags = ["--family", name, "--p", "4", *size]
    fabric = ask(lightloom, "fabric", flags)
    tors, cassettes = graphs(fabric)
    ours = ask(lightloom, "info", flags)["max_hops"]
    lengths = nx.all_pairs_shortest_path_length(tors)
    theirs = max(hops for _, reached in lengths for hops in reached.values())
    assert ours == theirs, f"lightloom says {ours} hops, NetworkX {theirs}"
    roots = [b for _, _, b in fabric["edges"]]
    times = {}
    for graph, where, sources in [(tors, "tors", list(tors)), (cassettes, "cassettes", roots)]:
        for work in [predecessors, tree]:
            key = f"all_trees_1024/{name}/{where}/bfs_{work.__name__}"
            times[key] = best(runs, of_all(work(graph), sources), range(runs))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lightloom", required=True, help="the binary that the fabrics come from")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", help="write the seconds to this file as well")
    options = parser.parse_args()
    times = {
        **one_tree(options.lightloom, options.runs),
        **all_trees(options.lightloom, options.runs, "kautz", ["--tors", "1024"]),
        **all_trees(options.lightloom, options.runs, "shufflecast", ["--k", "4"]),
    }
    print(f"NetworkX {nx.__version__}, best of {options.runs}")
    for name, seconds in times.items():
        print(f"{seconds:10.4f} s  {name}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(times, file, indent=1)


if __name__ == "__main__":
    main()
