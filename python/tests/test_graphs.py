"""Fabrics as NetworkX graphs, and back."""

from __future__ import annotations

import random
import re

import networkx as nx
import numpy as np
import pytest
from conftest import EXAMPLES
from test_fabric import FABRICS

from lightloom import DesignError, Fabric, from_networkx


@pytest.mark.parametrize("fabric", FABRICS, ids=repr)
def test_round_trips(fabric):
    graph, cassettes = fabric.to_networkx(), fabric.cassette_graph()
    assert type(graph) is type(cassettes) is nx.MultiDiGraph
    assert from_networkx(graph) == fabric == from_networkx(cassettes)
    # Without its document, the fabric becomes a custom one with the same edges, names and places.
    del graph.graph["document"]
    again = from_networkx(graph)
    assert (again.family, again.p) == ("custom", fabric.p)
    assert again.tor_names == fabric.tor_names
    assert from_networkx(again.to_networkx()) == again
    places = [fabric._project.places(), again._project.places()]
    assert all(np.array_equal(a, b) for a, b in zip(places[0][:2], places[1][:2], strict=True))
    del cassettes.graph["document"]
    assert from_networkx(cassettes).tor_names == fabric.tor_names


def test_what_a_graph_says():
    fabric = Fabric(p=4, k=2)
    graph = fabric.to_networkx()
    assert list(graph) == list(fabric.tor_names)
    assert graph.number_of_edges() == 128
    first = graph.nodes[fabric.tor_names[0]]
    assert first["tor"] == 0 and {"row", "x_m", "y_m", "from_cassette"} <= set(first)
    _, _, edge = next(iter(graph.edges(data=True)))
    assert set(edge) == {"cassette", "output", "port", "feed_m", "length_m"}
    assert all(type(value) in (int, float) for value in edge.values())
    cassettes = fabric.cassette_graph()
    assert (len(cassettes), cassettes.number_of_edges()) == (8, 32)
    start, end = fabric.edges[7, 1:].tolist()
    assert cassettes.edges[start, end, 7]["name"] == fabric.tor_names[7]


@pytest.mark.parametrize("fabric", FABRICS[:4], ids=repr)
def test_hops_are_those_of_breadth_first_search(fabric):
    if fabric.router == "algorithm1":
        fabric = Fabric(p=fabric.p, k=fabric.k, router="arborescence")
    graph = fabric.to_networkx()
    for source in range(0, len(fabric), 7):
        lengths = nx.single_source_shortest_path_length(graph, fabric.tor_names[source])
        hops = fabric.tree(source).hops
        assert {fabric.tor_names[t]: int(h) for t, h in enumerate(hops)} == lengths


def test_a_bare_graph_of_anybodys_names():
    fabric = Fabric("kautz", p=3, tors=20)
    names = [f"rack {i}" for i in range(20)]
    random.Random(1).shuffle(names)
    bare = nx.DiGraph()
    bare.add_nodes_from(names)
    for start, end in fabric.to_networkx().edges():
        tors = [fabric.tor_names.index(end_name) for end_name in (start, end)]
        bare.add_edge(*(names[tor] for tor in tors))
    again = from_networkx(bare)
    assert again.tor_names == tuple(names) and again.p == 3
    assert nx.utils.graphs_equal(nx.DiGraph(again.to_networkx().edges()), nx.DiGraph(bare.edges()))
    numbered = from_networkx(nx.convert_node_labels_to_integers(bare))
    assert numbered.tor_names == tuple(map(str, range(20)))
    assert np.array_equal(again.edges, numbered.edges)


def test_a_changed_graph_is_another_fabric():
    fabric = Fabric("kautz", p=4, tors=40)
    graph = fabric.cassette_graph()
    a, b, c = 3, 11, 25
    ends = {tor: tuple(fabric.edges[tor, 1:].tolist()) for tor in (a, b, c)}
    for tor, other in ((a, b), (b, a)):
        graph.remove_edge(*ends[tor], key=tor)
        graph.add_edge(ends[tor][0], ends[other][1], key=tor, tor=tor, name=fabric.tor_names[tor])
    changed = from_networkx(graph)
    assert changed != fabric and changed.family == "custom"
    assert changed.edges[a, 2] == ends[b][1]
    renamed = nx.relabel_nodes(fabric.to_networkx(), {fabric.tor_names[0]: "the first"})
    again = from_networkx(renamed)
    assert again.tor_names == ("the first", *fabric.tor_names[1:])
    assert again.budget().loss_db.tolist() == fabric.budget().loss_db.tolist()


def _refused(graph, text):
    with pytest.raises(DesignError, match=text):
        from_networkx(graph)


def test_what_is_no_fabric_is_refused():
    ring = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    assert len(from_networkx(ring)) == 3
    _refused(ring.to_undirected(), "is not directed")
    _refused("a graph", "expected a NetworkX graph")
    _refused(nx.DiGraph(), "ToRs")
    _refused(nx.DiGraph([("a", "b")]), "reaches no ToR")
    _refused(nx.DiGraph([("a", "b"), ("b", "a"), ("c", "a")]), "no light reaches 'c'")
    _refused(nx.DiGraph([("a", "b"), ("a", "c"), ("b", "c"), ("c", "a")]), "two cassettes")
    two = nx.disjoint_union(nx.DiGraph([(0, 1), (1, 0)]), nx.DiGraph([(0, 1), (1, 0)]))
    _refused(two, "disconnected")
    for name, text in [("a\nb", "line breaks"), ("", "no name"), ("x" * 200, "at most 128")]:
        _refused(nx.relabel_nodes(ring, {"a": name}), text)
    _refused(nx.relabel_nodes(ring, {"a": "nul\0"}), "NUL")
    _refused(nx.relabel_nodes(ring, {"a": "\ud800"}), "Unicode")
    _refused(nx.relabel_nodes(ring, {"a": "b ", "b": "b"}), "would have one name")
    for wrong in ("x", 2.5, -1, 7):
        graph = ring.copy()
        nx.set_node_attributes(graph, {"a": wrong, "b": 1, "c": 2}, "tor")
        _refused(graph, "tor")
    graph = ring.copy()
    graph.graph["p"] = 10**9
    _refused(graph, "1:1000000000")


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, "1"), ("a", " a"), ("a b", "a  b"), ("\u00e9", "e\u0301"), ("x\u00a0y", "x y")],
)
def test_names_that_would_be_one_are_refused_with_both(one, other):
    ring = nx.DiGraph([(one, other), (other, "c"), ("c", one)])
    text = (
        f"nodes {one!r} and {other!r} would have one name"
        if str(one).strip() == str(other).strip()
        else "only in blanks or Unicode form"
    )
    _refused(ring, re.escape(text))
    cassettes = nx.MultiDiGraph()
    cassettes.add_edge(0, 0, name=one)
    cassettes.add_edge(0, 0, name=other)
    _refused(cassettes, re.escape(text))


def test_an_edge_twice_is_refused():
    graph = Fabric(p=2, k=2).to_networkx()
    graph.add_edge(*next(iter(graph.edges())))
    _refused(graph, "2 edges from")


def test_places_that_are_no_places_are_refused():
    for wrong in (float("nan"), -1.0, 1e30, "here"):
        graph = Fabric(p=2, k=2).to_networkx()
        graph.nodes["R1.01"]["x_m"] = wrong
        del graph.graph["document"]
        with pytest.raises(DesignError):
            from_networkx(graph)


def test_an_inventory_keeps_its_places():
    fabric = Fabric.open(EXAMPLES / "hall-1024.toml")
    graph = fabric.to_networkx()
    del graph.graph["document"]
    again = from_networkx(graph)
    assert np.array_equal(fabric._project.places()[0], again._project.places()[0])
