"""Full kautz fabrics whose usual digraph has one hop more: depth, loops and cuts, by NetworkX."""

from collections import Counter

import networkx as nx
import pytest

import designs
from peer import Peer

# p, T, and the hops of the plain Imase-Itoh digraph or of one cassette pinched into it.
SIZES = [
    (2, 130, 7),
    (2, 260, 8),
    (3, 246, 5),
    (4, 224, 4),
    (4, 896, 5),
    (5, 100, 3),
    (5, 500, 4),
    (7, 35, 2),
    (7, 245, 3),
    (7, 1176, 4),
    (8, 384, 3),
    (8, 520, 3),
]


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size[0]}-{size[1]}")
def full(request, lightloom, folder):
    p, tors, hops = request.param
    return Peer(lightloom, designs.Design("kautz", p, tors=tors), folder), hops


def test_hops(full):
    peer, hops = full
    assert nx.diameter(nx.DiGraph(peer.cassette_graph)) + 1 == hops
    assert peer.ask("info")["max_hops"] == hops


def test_every_cut_has_p_tors(full):
    peer, _ = full
    ends = Counter((a, b) for _, a, b in peer.edges)
    assert all(a != b for a, b in ends)
    graph = nx.DiGraph()
    graph.add_edges_from((a, b, {"capacity": count}) for (a, b), count in ends.items())
    assert {peer.p} == {d for _, d in graph.in_degree(weight="capacity")}
    assert {peer.p} == {d for _, d in graph.out_degree(weight="capacity")}
    # A smallest cut separates cassette 0 from another cassette, in one direction or the other.
    for other in range(1, peer.cassettes):
        assert nx.maximum_flow_value(graph, 0, other) == peer.p
        assert nx.maximum_flow_value(graph, other, 0) == peer.p
