"""Runs the lightloom binary and rebuilds its fabric as NetworkX graphs."""

import functools
import json
import subprocess

import networkx as nx


class Peer:
    def __init__(self, binary, design, folder):
        self.binary = binary
        self.design = design
        self.flags = design.flags(folder)
        fabric = self.ask("fabric")
        self.p = fabric["p"]
        self.cassettes = fabric["cassettes"]
        self.edges = [tuple(edge) for edge in fabric["edges"]]
        self.tors = len(self.edges)
        self.tail = {tor: a for tor, a, _ in self.edges}
        self.head = {tor: b for tor, _, b in self.edges}

    @functools.cache
    def ask(self, command, *arguments):
        """The JSON answer. The exit code must be 0, and stdout must have only the document."""
        line = [self.binary, command, *self.flags, *map(str, arguments), "--json"]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, f"{line}: exit {done.returncode}: {done.stderr}"
        return json.loads(done.stdout)

    @functools.cached_property
    def cassette_graph(self):
        """The cassette graph: cassettes are vertices, and each ToR is an edge whose key is its
        number.
        """
        graph = nx.MultiDiGraph()
        graph.add_nodes_from(range(self.cassettes))
        graph.add_edges_from((a, b, tor) for tor, a, b in self.edges)
        return graph

    @functools.cached_property
    def tor_graph(self):
        """For each ToR the receivers of its splitter."""
        receivers = {c: [] for c in range(self.cassettes)}
        for tor, a, _ in self.edges:
            receivers[a].append(tor)
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.tors))
        graph.add_edges_from((tor, to) for tor, _, b in self.edges for to in receivers[b])
        return graph

    @functools.cached_property
    def distance(self):
        """Hops between all pairs of different ToRs."""
        return {
            source: {to: hops for to, hops in lengths.items() if to != source}
            for source, lengths in nx.all_pairs_shortest_path_length(self.tor_graph)
        }

    @property
    def is_full(self):
        """Whether no seat is empty."""
        return self.tors == self.p * self.cassettes

    def relay_graph(self, source, relays):
        """The cassettes and the relays between them. The source's own edge is not in the tree: it
        carries the source's packets into the root.
        """
        graph = nx.MultiDiGraph()
        graph.add_nodes_from(range(self.cassettes))
        graph.add_edges_from((self.tail[r], self.head[r], r) for r in relays if r != source)
        return graph

    def assert_spanning(self, source, relays):
        """Checks that every other ToR gets one copy and that there is no loop: a spanning
        arborescence from the cassette that the source transmits into.
        """
        assert relays == sorted(set(relays)) and source in relays
        assert len(relays) == self.cassettes
        graph = self.relay_graph(source, relays)
        assert nx.is_arborescence(graph)
        assert graph.in_degree(self.head[source]) == 0

    def some(self, random_, count):
        return sorted(random_.sample(range(self.tors), min(count, self.tors)))
