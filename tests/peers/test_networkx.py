"""Checks fabrics, trees, hops and rules with NetworkX."""

import itertools
import random
from collections import Counter

import networkx as nx
import pytest

import designs
from peer import Peer

pytestmark = pytest.mark.filterwarnings("error")


def moore_bound(p, tors):
    return next(m for m in itertools.count() if sum(p**i for i in range(m + 1)) >= tors)


def test_there_are_enough_fabrics():
    families = Counter(design.family for design in designs.ALL)
    assert len(designs.ALL) >= 40 and min(families.values()) >= 10 and len(families) == 3


def test_fabric(peer):
    graph = peer.cassette_graph
    assert sorted(tor for tor, _, _ in peer.edges) == list(range(peer.tors))
    assert len(graph) == peer.cassettes, "an edge names an unknown cassette"
    assert nx.is_strongly_connected(graph)
    assert max(d for _, d in graph.in_degree()) <= peer.p == peer.design.p
    assert max(d for _, d in graph.out_degree()) <= peer.p
    if peer.design.family == "custom":
        assert [(a, b) for _, a, b in sorted(peer.edges)] == list(peer.design.edges)
    if peer.design.family == "kautz":
        assert peer.tors == peer.design.tors
        assert peer.cassettes == -(-peer.tors // peer.p)
        if peer.is_full and peer.cassettes > 1:
            assert nx.number_of_selfloops(graph) == 0


@pytest.mark.designs(lambda design: design.family == "shufflecast")
def test_shufflecast_is_the_papers(peer):
    p, k = peer.design.p, peer.design.k
    rows = ["".join(digits) for digits in itertools.product("01234567"[:p], repeat=k)]
    number = {(c, row): c * len(rows) + i for c in range(k) for i, row in enumerate(rows)}
    paper = nx.DiGraph()
    for (column, row), tor in number.items():
        for m in "01234567"[:p]:
            paper.add_edge(tor, number[(column + 1) % k, row[1:] + m])
    assert set(paper.edges) == set(peer.tor_graph.edges)
    assert len(paper) == peer.tors == k * p**k
    # Mirrored relays differ only in the top digit and transmit into one cassette.
    for (column, row), tor in number.items():
        assert peer.head[tor] == peer.head[number[column, "0" + row[1:]]]


ROUTERS = {
    "default": [],
    "arborescence": ["--router", "arborescence"],
    "one more hop": ["--router", "arborescence", "--extra-hops", "1"],
}


@pytest.mark.parametrize("router", ROUTERS)
def test_trees(peer, router):
    for source in peer.some(random.Random(f"{peer.design} {router}"), 5):
        tree = peer.ask("tree", "--source", source, *ROUTERS[router])
        assert tree["source"] == source
        peer.assert_spanning(source, tree["relays"])
        replay(peer, source, tree["relays"])
        paths(peer, source, tree, 1 if router == "one more hop" else 0)


def replay(peer, source, relays):
    """Every other ToR gets exactly one copy; the source gets at most its own returning copy."""
    copies, sending = Counter(), [source]
    while sending:
        relay = sending.pop()
        for to in peer.tor_graph.successors(relay):
            copies[to] += 1
            assert copies[to] == 1, f"ToR {to} gets a second copy"
            if to in relays and to != source:
                sending.append(to)
    assert set(copies) | {source} == set(range(peer.tors))


def paths(peer, source, tree, more):
    found = {int(to): path for to, path in tree["paths"].items()}
    assert set(found) == set(range(peer.tors)) - {source}
    # Only relays transmit, so the way from the source is the only path in that graph.
    ways = nx.DiGraph(peer.tor_graph.out_edges(tree["relays"]))
    assert found == {
        to: path for to, path in nx.single_source_shortest_path(ways, source).items() if to != source
    }
    for to, path in found.items():
        shortest = peer.distance[source][to]
        assert shortest <= len(path) - 1 <= shortest + more
        if peer.design.family == "shufflecast" and not more:
            assert len(path) - 1 <= 2 * peer.design.k - 1
    assert tree["max_hops"] == max(len(path) - 1 for path in found.values())


@pytest.mark.parametrize("router", ["default", "arborescence"])
def test_info(peer, router):
    info = peer.ask("info", *ROUTERS[router])
    hops = [hops for lengths in peer.distance.values() for hops in lengths.values()]
    assert len(hops) == peer.tors * (peer.tors - 1)
    assert info["max_hops"] == max(hops)
    assert info["mean_hops"] == pytest.approx(sum(hops) / len(hops), rel=1e-12)
    assert info["tors"] == info["splitters"] == peer.tors
    assert info["cassettes"] == info["relays_per_source"] == peer.cassettes
    assert info["fibres"] == info["transceivers"] == peer.tor_graph.number_of_edges()
    assert info["moore_bound"] == moore_bound(peer.p, peer.tors) <= max(hops)
    assert info["relay_load"]["mean"] == pytest.approx(peer.cassettes)
    if peer.design.family == "kautz" and peer.is_full:
        assert max(hops) <= info["moore_bound"] + 1


@pytest.mark.designs(lambda design: design.size <= 27)  # asks for the tree of every source
def test_rules(peer):
    """The rules are the transpose of the trees of all sources."""
    relayed = {tor: [] for tor in range(peer.tors)}
    for source in range(peer.tors):
        for relay in peer.ask("tree", "--source", source)["relays"]:
            relayed[relay].append(source)
    for tor, sources in relayed.items():
        assert peer.ask("rules", "--tor", tor) == {"format": 1, "tor": tor, "sources": sources}
        assert tor in sources
    load, info = [len(s) for s in relayed.values()], peer.ask("info")
    assert (info["relay_load"]["min"], info["relay_load"]["max"]) == (min(load), max(load))
    assert info["rules_per_relay"] == max(load)


HALL = [
    (designs.Design("shufflecast", 4, k=4), 7),
    (designs.Design("kautz", 4, tors=1024), 5),
    (designs.Design("kautz", 4, tors=1000), 5),
    (designs.Design("kautz", 8, tors=1000), 4),
]


@pytest.mark.parametrize(("design", "hops"), HALL, ids=str)
def test_a_hall_of_a_thousand_racks(lightloom, folder, design, hops):
    peer = Peer(lightloom, design, folder)
    info = peer.ask("info")
    assert info["max_hops"] == hops
    lengths = nx.all_pairs_shortest_path_length(peer.tor_graph)
    found = Counter(hops for _, reached in lengths for hops in reached.values() if hops)
    pairs = peer.tors * (peer.tors - 1)
    assert sum(found.values()) == pairs and max(found) == hops
    assert info["mean_hops"] == pytest.approx(sum(h * n for h, n in found.items()) / pairs)
    for source in (0, peer.tors - 1):
        relays = peer.ask("tree", "--source", source)["relays"]
        peer.assert_spanning(source, relays)
        replay(peer, source, set(relays))
