"""Traffic and a network that tests of the twin share."""

from __future__ import annotations

import networkx as nx

TRAFFIC = {
    "version": 1,
    "until": "10 ms",
    "traffic": [{"pattern": "incast", "senders": 3, "to": 0, "size": "100 kB"}],
}


def leaf_spine():
    """Two spines, two leaves, two hosts per leaf."""
    graph = nx.Graph()
    for leaf in range(2):
        graph.add_node(f"leaf {leaf}", kind="switch")
        for spine in range(2):
            graph.add_node(f"spine {spine}", kind="switch")
            graph.add_edge(f"leaf {leaf}", f"spine {spine}", rate_bps=100e9, length_m=50)
        for host in range(2):
            graph.add_node(f"h{leaf}{host}", kind="host")
            graph.add_edge(f"leaf {leaf}", f"h{leaf}{host}", rate_bps=100e9, delay_s=1e-6)
    return graph
