"""Fabrics as NetworkX graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightloom._extras import need
from lightloom._opened import Opened

if TYPE_CHECKING:
    import networkx as nx

_OF_TOR = ("tor", "from_cassette", "to_cassette", "row", "x_m", "y_m")
_OF_BRANCH = ("cassette", "output", "port", "feed_m", "length_m")


def to_networkx(fabric: Opened) -> nx.MultiDiGraph[str]:
    """The fabric as a graph of ToRs, with an edge for every branch of a splitter.

    Nodes are the names of the ToRs, in the order of their numbers, with the attributes ``tor``,
    ``from_cassette``, ``to_cassette``, ``row``, ``x_m`` and ``y_m``. An edge goes from the ToR that
    transmits to the ToR that receives. It has ``cassette``, ``output`` (of the splitter), ``port``
    (of the receiver), ``feed_m`` and ``length_m`` (of the branch). The graph has ``family``, ``p``,
    ``k`` and ``router``. Its attribute ``document`` is the design, so :func:`from_networkx` gives
    an equal fabric.

    Raises
    ------
    ImportError
        Without NetworkX.
    DesignError
        If there are more than 2^24 fibres.
    """
    networkx = need("networkx", "Fabric.to_networkx()")
    graph: nx.MultiDiGraph[str] = networkx.MultiDiGraph(**_facts(fabric))
    names = fabric.tor_names
    x, y, row, rows = fabric._project.places()
    edges = fabric.edges
    standing = [rows[at] for at in row.tolist()]
    nodes = zip(names, *edges.T.tolist(), standing, x.tolist(), y.tolist(), strict=True)
    graph.add_nodes_from((name, dict(zip(_OF_TOR, values, strict=True))) for name, *values in nodes)
    start, end, output, port, feed, length = fabric._project.branches()
    columns = (start, end, edges[start, 2], output, port, feed, length)
    branches = zip(*(column.tolist() for column in columns), strict=True)
    graph.add_edges_from(
        (names[a], names[b], dict(zip(_OF_BRANCH, values, strict=True)))
        for a, b, *values in branches
    )
    return graph


def cassette_graph(fabric: Opened) -> nx.MultiDiGraph[int]:
    """The fabric as a graph of cassettes. Every ToR is an edge.

    Nodes are the numbers of the cassettes. An edge goes from the cassette that feeds a ToR to the
    cassette that it transmits into. It has ``tor`` (the ToR's number, also the edge's key) and
    ``name``. A multicast tree is a spanning arborescence of this graph.

    Raises
    ------
    ImportError
        Without NetworkX.
    """
    networkx = need("networkx", "Fabric.cassette_graph()")
    graph: nx.MultiDiGraph[int] = networkx.MultiDiGraph(**_facts(fabric))
    graph.add_nodes_from(range(fabric.cassettes))
    names = fabric.tor_names
    for tor, start, end in fabric.edges.tolist():
        graph.add_edge(start, end, key=tor, tor=tor, name=names[tor])
    return graph


def _facts(fabric: Opened) -> dict[str, Any]:
    return {
        "family": fabric.family,
        "p": fabric.p,
        "k": fabric.k,
        "router": fabric.router,
        "document": fabric.document(),
    }
