"""Networks of the twin from NetworkX graphs, and graphs that are refused."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import pytest
from twins import TRAFFIC, leaf_spine

from lightloom import Scenario, SimulationError


def test_networks_of_all_kinds():
    expected = Scenario(TRAFFIC, network=leaf_spine()).run()
    graph = leaf_spine()
    # A directed graph has each link once per direction. A multigraph can have it twice.
    assert Scenario(TRAFFIC, network=graph.to_directed()).report["network"]["links"] == 8
    multi = nx.MultiGraph(graph)
    multi.add_edge("leaf 0", "spine 0", rate_bps=100e9, length_m=50)
    assert Scenario(TRAFFIC, network=multi).report["network"]["links"] == 9
    both = multi.to_directed()
    assert Scenario(TRAFFIC, network=both).report["network"]["links"] == 9
    for _, data in graph.nodes(data=True):
        del data["kind"]
    assert np.array_equal(Scenario(TRAFFIC, network=graph).run().fct_s, expected.fct_s)
    numbered = nx.convert_node_labels_to_integers(leaf_spine())
    assert Scenario(TRAFFIC, network=numbered).hosts == 4


def one_node(one, other):
    """Two hosts at a switch, under these names."""
    graph = nx.Graph()
    graph.add_edge(one, "switch", rate_bps=1e9, delay_s=1e-6)
    graph.add_edge(other, "switch", rate_bps=1e9, delay_s=1e-6)
    return graph


@pytest.mark.parametrize("kind", [False, True])
@pytest.mark.parametrize(("one", "other"), [(1, "1"), ("a", " a"), ((1, 2), "(1, 2)")])
def test_nodes_of_one_text_are_refused_with_both(one, other, kind):
    graph = one_node(one, other)
    if kind:
        kinds = {one: "host", other: "host", "switch": "switch"}
        nx.set_node_attributes(graph, kinds, "kind")
    text = re.escape(f"nodes {one!r} and {other!r} would have one name")
    with pytest.raises(SimulationError, match=text):
        Scenario(TRAFFIC, network=graph)


@pytest.mark.parametrize(
    ("one", "other"), [("a b", "a  b"), ("\u00e9", "e\u0301"), ("\uff11", "1"), ("x\u00a0y", "x y")]
)
def test_nodes_of_one_look_are_refused_with_both(one, other):
    with pytest.raises(SimulationError, match="only in blanks or Unicode form") as caught:
        Scenario(TRAFFIC, network=one_node(one, other))
    for name in (one, other):
        assert f'"{name}"' in str(caught.value) or any(
            f"\\u{{{ord(letter):x}}}" in str(caught.value) for letter in name
        )


def test_a_node_without_a_link_is_refused():
    graph = one_node("a", "b")
    graph.add_node("alone")
    with pytest.raises(SimulationError, match="'alone' has no link"):
        Scenario(TRAFFIC, network=graph)


def directed(*edges):
    """Hosts a, b at a switch s, as a directed graph, with changed edges."""
    graph = one_node("a", "b").to_directed()
    graph = nx.MultiDiGraph(graph)
    for start, end, values in edges:
        key = next(iter(graph[start][end]))
        if values is None:
            graph.remove_edge(start, end, key)
        else:
            graph.edges[start, end, key].update(values)
    return graph


@pytest.mark.parametrize("multi", [False, True])
@pytest.mark.parametrize(
    "values", [{"rate_bps": 1e8}, {"delay_s": 5e-6}, {"delay_s": None, "length_m": 7}]
)
@pytest.mark.parametrize(("start", "end"), [("a", "switch"), ("switch", "b")])
def test_directions_that_differ_are_refused_with_both_edges(multi, values, start, end):
    graph = directed((start, end, values))
    with pytest.raises(SimulationError, match="both edges the same values") as caught:
        Scenario(TRAFFIC, network=graph if multi else nx.DiGraph(graph))
    for one, other in ((start, end), (end, start)):
        assert f"edge {one!r} to {other!r} has" in str(caught.value)


def test_a_way_back_is_not_invented():
    with pytest.raises(SimulationError, match="is missing") as caught:
        Scenario(TRAFFIC, network=nx.DiGraph(directed(("b", "switch", None))))
    for edge in ("edge 'switch' to 'b' has", "edge 'b' to 'switch' is missing"):
        assert edge in str(caught.value)
    # Of two parallel links one has no way back.
    graph = directed()
    graph.add_edge("a", "switch", rate_bps=1e9, delay_s=1e-6)
    with pytest.raises(SimulationError, match="edge 'switch' to 'a' is missing"):
        Scenario(TRAFFIC, network=graph)
    graph.add_edge("switch", "a", rate_bps=2e9, delay_s=1e-6)
    with pytest.raises(SimulationError, match="has 2000000000 b/s"):
        Scenario(TRAFFIC, network=graph)


def changed(change):
    graph = leaf_spine()
    change(graph)
    return graph


WRONG = [
    (lambda g: g.add_edge("leaf 0", "leaf 0", rate_bps=1e9, delay_s=1e-6), "leaf 0", None),
    (lambda g: g.edges["leaf 0", "h00"].pop("rate_bps"), "rate_bps: is missing", "rate_bps"),
    (lambda g: g.edges["leaf 0", "h00"].pop("delay_s"), "delay_s: is missing", "delay_s"),
    (lambda g: g.edges["leaf 0", "h00"].update(length_m=3), "together with delay", "length"),
    (lambda g: g.edges["leaf 0", "h00"].update(rate_bps=float("nan")), "nan", "rate_bps"),
    (lambda g: g.edges["leaf 0", "h00"].update(rate_bps=-1), "negative", "rate_bps"),
    (lambda g: g.edges["leaf 0", "h00"].update(rate_bps="fast"), "expected a number", "rate_bps"),
    (lambda g: g.edges["leaf 0", "h00"].update(rate_bps=1e300), "found", "rate"),
    (lambda g: g.edges["leaf 0", "h00"].update(delay_s=1e9), "found", "delay"),
    (lambda g: g.edges["leaf 0", "h00"].update(delay_s=0), "found", "delay"),
    (lambda g: g.edges["leaf 0", "h00"].update(delay_s=None), "is empty", "delay"),
    (lambda g: g.nodes["h00"].pop("kind"), "found nothing of node 'h00'", "kind"),
    (lambda g: g.nodes["h00"].update(kind="router"), "found 'router'", "kind"),
    (lambda g: g.add_node("alone", kind="switch"), "alone", None),
    (lambda g: nx.relabel_nodes(g, {"h00": "a\0"}, copy=False), "NUL", None),
    (lambda g: nx.relabel_nodes(g, {"h00": "\ud800"}, copy=False), "Unicode", None),
    (lambda g: nx.relabel_nodes(g, {"h00": "H01"}, copy=False), "case", "name"),
    (lambda g: g.clear(), "found", None),
]


@pytest.mark.parametrize(("change", "text", "field"), WRONG)
def test_wrong_networks(change, text, field):
    with pytest.raises(SimulationError, match=text) as caught:
        Scenario(TRAFFIC, network=changed(change))
    if field:
        assert caught.value.field == field
    assert caught.value.file is not None
