"""Grows and shrinks plans, and checks the written files alone, with NetworkX: the edge connectivity of the grown
graph, what moved, and the number of parallel sources in every stage.
"""

import csv
import json
import subprocess
from collections import defaultdict

import networkx as nx
import pytest

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


def changes(old, new):
    """The labels of cords that moved. Cords that stay have equal labels at both ends."""
    moved = [label for label in old.keys() & new.keys() if old[label]["near_label"] != new[label]["near_label"]]
    for label in moved:
        assert old[label]["kind"] == "feed", f"receive cord {label} moved"
    return moved


@pytest.mark.parametrize(("design", "sizes"), CASES, ids=lambda value: "-".join(map(str, value)))
def test_growth(lightloom, tmp_path, design, sizes):
    folder = tmp_path / "plan"
    run(lightloom, "plan", *design, "--housing", "receiver", "--out", folder)
    p = int(design[design.index("--p") + 1])
    for tors in sizes:
        old, grown = cables(folder), tmp_path / str(tors)
        answer = run(lightloom, "grow", folder, "--tors", tors, "--out", grown)
        new = cables(grown)
        moved = changes(old, new)
        before, after = multigraph(old), multigraph(new)
        assert len(moved) == answer["moved_transmit_cords"] <= before.number_of_edges() / 2
        assert answer["moved_receive_cords"] == 0
        assert after.number_of_edges() == tors
        simple = nx.DiGraph()
        for tail, head in after.edges():
            known = simple.get_edge_data(tail, head, {"capacity": 0})["capacity"]
            simple.add_edge(tail, head, capacity=known + 1)
        if tors % p == 0 and before.number_of_edges() % p == 0:
            root = next(iter(after))
            others = [cassette for cassette in after if cassette != root]
            for cassette in others:
                assert nx.maximum_flow_value(simple, root, cassette) == p
                assert nx.maximum_flow_value(simple, cassette, root) == p
        with open(grown / "stages.json") as file:
            stages = json.load(file)["stages"]
        touched = [tor for stage in stages for tor in stage["moves"]]
        assert len(touched) == len(set(touched)) == len(moved), "a ToR moves twice"
        assert {f"F{tor}" for tor in touched} == set(moved)
        # The first stage begins with the old fabric, and the last one ends with the new one.
        first, last = stages[0]["parallel_sources"], stages[-1]["parallel_sources"]
        assert first["before"] == parallel(before)
        assert last["after"] == parallel(after)
        silent = before.copy()
        gone = set(stages[0]["moves"])
        silent.remove_edges_from([edge for edge in before.edges(keys=True) if edge[2] in gone])
        assert first["during"] == parallel(silent)
        folder = grown


def test_shrinking(lightloom, tmp_path):
    run(lightloom, "plan", *CASES[0][0], "--housing", "receiver", "--out", tmp_path / "32")
    run(lightloom, "grow", tmp_path / "32", "--tors", 96, "--out", tmp_path / "96")
    answer = run(lightloom, "shrink", tmp_path / "96", "--tors", 48, "--out", tmp_path / "48")
    old, new = cables(tmp_path / "96"), cables(tmp_path / "48")
    assert len(changes(old, new)) == answer["moved_transmit_cords"]
    graph = multigraph(new)
    assert graph.number_of_edges() == 48
    assert nx.is_strongly_connected(graph)
    stages = json.loads((tmp_path / "48" / "stages.json").read_text())["stages"]
    assert stages[-1]["parallel_sources"]["after"] == parallel(graph)
