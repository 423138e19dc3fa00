"""Checks parallel line-rate sources with Edmonds's condition, cuts and brute force in NetworkX."""

import itertools
import random
from collections import Counter

import networkx as nx
import pytest

pytestmark = pytest.mark.filterwarnings("error")


def subdivided(peer):
    """A simple graph with the edge connectivity of the cassette graph: each ToR is a vertex on its
    edge.
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(("cassette", c) for c in range(peer.cassettes))
    for tor, a, b in peer.edges:
        if a != b:
            nx.add_path(graph, [("cassette", a), ("tor", tor), ("cassette", b)])
    return graph


def arc_connectivity(peer):
    """The fewest ToRs that leave any set of cassettes. Every cut separates cassette 0 from another
    one.
    """
    graph, first = subdivided(peer), ("cassette", 0)
    others = [("cassette", c) for c in range(1, peer.cassettes)]
    return min(
        min(nx.edge_connectivity(graph, first, c), nx.edge_connectivity(graph, c, first))
        for c in others
    )


def flow_allows(peer, sources):
    """Edmonds's condition: every cassette can draw one unit for each source, over ToRs that are not
    sources.
    """
    capacity = Counter((a, b) for tor, a, b in peer.edges if tor not in sources and a != b)
    capacity.update(("all", peer.head[source]) for source in sources)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(peer.cassettes))
    graph.add_edges_from((a, b, {"capacity": c}) for (a, b), c in capacity.items())
    flow = nx.maximum_flow_value
    return all(flow(graph, "all", c) >= len(sources) for c in range(peer.cassettes))


def assert_disjoint_and_spanning(peer, trees):
    for source, relays in trees.items():
        peer.assert_spanning(int(source), relays)
    used = Counter(tor for relays in trees.values() for tor in relays)
    assert max(used.values()) == 1, "two trees share a ToR"


def entering(graph, inside):
    return sum(1 for _ in nx.edge_boundary(graph, set(graph) - set(inside), inside))


def test_most_sources(peer):
    answer = peer.ask("parallel")
    trees = answer["trees"]
    assert answer["possible"] is True
    assert_disjoint_and_spanning(peer, trees)
    most = len(trees)
    assert peer.ask("info")["parallel_sources"] == most
    no_more_than(peer, most, answer["limit"])
    if peer.cassettes == 1:
        assert most == peer.tors
    else:
        connectivity = arc_connectivity(peer)
        assert most >= connectivity
        if peer.design.family == "shufflecast" or (peer.design.family == "kautz" and peer.is_full):
            assert connectivity == most == peer.p
    # The sets of larger designs take minutes. What is asserted above bounds those from both sides too.
    if peer.cassettes <= 5 and peer.tors < 40:
        assert most == most_by_brute_force(peer)


def no_more_than(peer, most, limit):
    """Checks the reason that the answer gives for the limit."""
    graph = peer.cassette_graph
    if limit == "all_tors":
        assert most == peer.tors
        return
    [(kind, proof)] = limit.items()
    if kind == "cassette":
        assert graph.in_degree(proof["cassette"]) == proof["transmitters"] == most
    else:
        sets = [set(s) for s in proof["sets"]]
        assert all(sets) and set().union(*sets) <= set(graph)
        assert sum(map(len, sets)) == len(set().union(*sets)), "the sets overlap"
        assert sum(entering(graph, s) for s in sets) == proof["entering"]
        # Each of most+1 trees enters all sets except the one with its root.
        assert proof["entering"] < (most + 1) * (len(sets) - 1)


def most_by_brute_force(peer):
    """Tries all sets of sources. ToRs between the same cassettes are equivalent."""
    if peer.cassettes == 1:
        return peer.tors
    kinds = Counter((a, b) for _, a, b in peer.edges)
    proper = [
        frozenset(x)
        for size in range(1, peer.cassettes)
        for x in itertools.combinations(range(peer.cassettes), size)
    ]
    into = {x: entering(peer.cassette_graph, x) for x in proper}

    def possible(chosen):
        def inside(x):
            return sum(n for (a, b), n in chosen.items() if a in x and b in x)

        return all(into[x] + inside(x) >= chosen.total() for x in proper)

    def sets_of(size):
        for kinds_ in itertools.combinations_with_replacement(sorted(kinds), size):
            chosen = Counter(kinds_)
            if all(n <= kinds[kind] for kind, n in chosen.items()):
                yield chosen

    most = 0
    while any(possible(chosen) for chosen in sets_of(most + 1)):
        most += 1
    return most


def test_given_sources(peer):
    random_ = random.Random(f"{peer.design} sources")
    well_connected = peer.design.family == "shufflecast" or (
        peer.design.family == "kautz" and peer.is_full
    )
    for count in [peer.p] * 4 + [peer.p + 1] * 2 + [1, 2, peer.p - 1]:
        if count > peer.tors:
            continue
        sources = random_.sample(range(peer.tors), count)
        answer = peer.ask("parallel", "--sources", ",".join(map(str, sources)))
        assert answer["possible"] is flow_allows(peer, set(sources))
        if peer.cassettes > 1:
            if count > peer.p:
                assert not answer["possible"], "nothing lets more than p sources through a cassette"
            elif well_connected:
                assert answer["possible"], "any p sources can send in a p-arc-connected fabric"
        if answer["possible"]:
            assert "forbidden" not in answer
            assert {int(s) for s in answer["trees"]} == set(sources)
            assert_disjoint_and_spanning(peer, answer["trees"])
        else:
            assert answer["trees"] == {}
            forbidden(peer, set(sources), answer["forbidden"])


def forbidden(peer, sources, proof):
    graph = peer.cassette_graph.copy()
    graph.remove_edges_from([(peer.tail[s], peer.head[s], s) for s in sources])
    inside = set(proof["cassettes"])
    assert inside and inside < set(graph), "a non-empty proper set of cassettes"
    assert proof["entering"] == entering(graph, inside)
    assert proof["rooted_inside"] == sum(peer.head[s] in inside for s in sources)
    assert proof["needed"] == len(sources) > proof["entering"] + proof["rooted_inside"]


@pytest.mark.parametrize("router", [[], ["--router", "arborescence"]], ids=["default", "arborescence"])
def test_installed_tables(peer, router):
    """The example has disjoint relay sets. With few ToRs the limit is checked as a largest clique."""
    info = peer.ask("info", *router)
    example = info["parallel_sources_installed_example"]
    known, at_most = info["parallel_sources_installed"], info["parallel_sources_installed_at_most"]
    assert len(set(example)) == len(example) == known
    assert 1 <= known <= at_most
    assert known <= info["parallel_sources"]

    def relays(source):
        return set(peer.ask("tree", "--source", source, *router)["relays"])

    used = Counter(tor for source in example for tor in relays(source))
    assert max(used.values()) == 1
    if peer.tors <= 27:
        sets = {source: relays(source) for source in range(peer.tors)}
        compatible = nx.Graph()
        compatible.add_nodes_from(sets)
        pairs = itertools.combinations(sets, 2)
        compatible.add_edges_from((a, b) for a, b in pairs if not sets[a] & sets[b])
        assert known == max(map(len, nx.find_cliques(compatible)))
