"""Grows and shrinks plans, and checks the written files alone: `growth_replay.py` replays every stage, and NetworkX
finds the edge connectivity of the grown graph and the number of parallel sources in every stage.
"""

import csv
import json
import subprocess
from collections import defaultdict

import networkx as nx
import pytest
from growth_replay import replay

HOUSINGS = ["receiver", "sender", "zone", "trunked"]
MODEL = ("--tor-model", "juniper-qfx5110-48s-4c")


def housed(housing):
    """The flags of a housing. Plans with trunks name the interfaces of their ToRs, too."""
    return ("--housing", "zone", "--cabling", "trunked", *MODEL) if housing == "trunked" else ("--housing", housing)

CASES = [
    (("--family", "shufflecast", "--p", "4", "--k", "2"), (192,)),
    (("--family", "kautz", "--p", "4", "--tors", "64"), (256, 1000)),
    (("--family", "kautz", "--p", "3", "--tors", "31"), (50, 81)),
    (("--family", "kautz", "--p", "2", "--tors", "12"), (20, 33)),
]


def run(binary, *line):
    done = subprocess.run(
        [binary, *map(str, line), "--json"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{line}: {done.stderr}{done.stdout[:500]}"
    return json.loads(done.stdout)


def cables(folder):
    with open(folder / "cables.csv", newline="") as file:
        return {row["label"]: row for row in csv.DictReader(file)}


def multigraph(rows):
    """Cassettes are the sets of receivers that splitters light. ToR t is the edge from the cassette that feeds it
    to the one that it feeds.
    """
    lit = defaultdict(set)
    for row in rows.values():
        if row["kind"] == "branch":
            lit[int(row["from_tor"])].add(int(row["to_tor"]))
    fed_by = {tor: frozenset(lit[source]) for source in lit for tor in lit[source]}
    graph = nx.MultiDiGraph()
    for tor, receivers in lit.items():
        graph.add_edge(fed_by[tor], frozenset(receivers), key=tor)
    return graph


def arborescences(graph, count):
    """Whether `count` edge-disjoint arborescences with free roots exist, each beside one more edge into its root:
    roots are lowered greedily, with flows of NetworkX (Frank, 1978).
    """
    flow = nx.DiGraph()
    for tail, head in graph.edges():
        if tail != head:
            known = flow.get_edge_data(tail, head, {"capacity": 0})["capacity"]
            flow.add_edge(tail, head, capacity=known + 1)
    if min(dict(graph.in_degree()).values()) < count:
        return False
    for cassette in graph:
        flow.add_edge("source", cassette, capacity=count)
    for cassette in graph:
        spare = nx.maximum_flow_value(flow, "source", cassette) - count
        here = flow["source"][cassette]
        here["capacity"] -= min(spare, here["capacity"])
    return sum(flow["source"][cassette]["capacity"] for cassette in graph) <= count


def parallel(graph):
    most = min(dict(graph.in_degree()).values())
    return next((q for q in range(most, 0, -1) if arborescences(graph, q)), 0)


def parallel_of(edges, cassettes):
    """The parallel sources of edges by ToR among cassettes. 0: some cassette does not reach another."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(cassettes)
    for tor, (tail, head) in edges.items():
        graph.add_edge(tail, head, key=tor)
    return parallel(graph) if nx.is_strongly_connected(graph) else 0


def moves(rows, kind):
    return {row["label"] for row in rows if row["action"] == "move" and row["kind"] == kind}


@pytest.mark.parametrize("housing", HOUSINGS)
@pytest.mark.parametrize(("design", "sizes"), CASES, ids=lambda value: "-".join(map(str, value)))
def test_growth(lightloom, tmp_path, design, sizes, housing):
    folder = tmp_path / "plan"
    run(lightloom, "plan", *design, *housed(housing), "--out", folder)
    p = int(design[design.index("--p") + 1])
    # The replay of a thousand ToRs in Python takes minutes. One housing is enough: the stages are the same.
    for tors in [size for size in sizes if size < 1000 or housing == "receiver"]:
        grown = tmp_path / str(tors)
        answer = run(lightloom, "grow", folder, "--tors", tors, "--out", grown)
        rows = replay(folder, grown, parallel_of)
        old, new = cables(folder), cables(grown)
        before, after = multigraph(old), multigraph(new)
        assert after.number_of_edges() == tors
        stages = json.loads((grown / "stages.json").read_text())["stages"]
        touched = [tor for stage in stages for tor in stage["moves"]]
        assert len(touched) == len(set(touched)) <= before.number_of_edges() / 2, "a ToR moves twice"
        feeds, branches = moves(rows, "feed"), moves(rows, "branch")
        assert len(feeds) == answer["moved_transmit_cords"]
        assert len(branches) == answer["moved_receive_cords"]
        if housing == "sender":
            # Splitters have the numbers of their ToRs, and stay with them.
            assert not feeds
            assert {int(label[1:].split(".")[0]) for label in branches} == set(touched)
        else:
            assert not branches, "a receive cord moves"
            assert feeds == {f"F{tor}J" if housing == "trunked" else f"F{tor}" for tor in touched}
        simple = nx.DiGraph()
        for tail, head in after.edges():
            known = simple.get_edge_data(tail, head, {"capacity": 0})["capacity"]
            simple.add_edge(tail, head, capacity=known + 1)
        if tors % p == 0 and before.number_of_edges() % p == 0:
            root = next(iter(after))
            for cassette in [cassette for cassette in after if cassette != root]:
                assert nx.maximum_flow_value(simple, root, cassette) == p
                assert nx.maximum_flow_value(simple, cassette, root) == p
        folder = grown


@pytest.mark.parametrize("housing", HOUSINGS)
def test_shrinking(lightloom, tmp_path, housing):
    run(lightloom, "plan", *CASES[0][0], *housed(housing), "--out", tmp_path / "32")
    run(lightloom, "grow", tmp_path / "32", "--tors", 96, "--out", tmp_path / "96")
    answer = run(lightloom, "shrink", tmp_path / "96", "--tors", 72, "--out", tmp_path / "72")
    rows = replay(tmp_path / "96", tmp_path / "72", parallel_of)
    assert len(moves(rows, "feed")) == answer["moved_transmit_cords"]
    assert len(moves(rows, "branch")) == answer["moved_receive_cords"]
    graph = multigraph(cables(tmp_path / "72"))
    assert graph.number_of_edges() == 72
    assert nx.is_strongly_connected(graph)
    # What became free is filled again.
    run(lightloom, "grow", tmp_path / "72", "--tors", 90, "--out", tmp_path / "90")
    replay(tmp_path / "72", tmp_path / "90", parallel_of)
