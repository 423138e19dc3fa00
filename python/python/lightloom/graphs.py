"""Converts fabrics to NetworkX graphs and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lightloom import _inputs
from lightloom._csv import csv_text
from lightloom._extras import need
from lightloom._lightloom import Project
from lightloom._networkx import cassette_graph, to_networkx
from lightloom._nodes import check_texts, name_of
from lightloom.errors import DesignError, LightloomError
from lightloom.fabric import Fabric

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["cassette_graph", "from_networkx", "to_networkx"]

_FIELD = "<graph>"


def from_networkx(graph: nx.DiGraph[Any]) -> Fabric:
    """The fabric of a graph of ToRs or a graph of cassettes.

    In a graph of ToRs an edge means that the light of one ToR reaches another. ToRs that reach the
    same ToRs share a cassette, so the successors of any two ToRs must be the same or disjoint. In a
    graph of cassettes every edge is a ToR, with the attribute ``name``.

    A graph of :func:`to_networkx` or :func:`cassette_graph` becomes an equal fabric. Any other
    graph becomes a custom one. Its ToRs have the names of the nodes. Their numbers come from
    ``tor`` (default: the order of the nodes). Their places come from ``row``, ``x_m`` and ``y_m``,
    if all nodes have them.

    Parameters
    ----------
    graph : networkx.DiGraph or networkx.MultiDiGraph
        The graph. Its attribute ``p`` is the fan-out of the splitters (default: the largest number
        of ToRs that any cassette feeds or is fed by).

    Raises
    ------
    DesignError
        If the graph is not a fabric of splitters, or if two of its ToRs would have one name, such
        as nodes ``1`` and ``"1"``.

    Examples
    --------
    >>> import lightloom
    >>> fabric = lightloom.Fabric(p=2, k=2)
    >>> again = lightloom.from_networkx(fabric.to_networkx())
    >>> again.tors
    8
    """
    networkx = need("networkx", "from_networkx()")
    if not isinstance(graph, networkx.Graph):  # the base class of directed graphs too
        raise _inputs.wrong_type("graph", graph, "a NetworkX graph")
    if not graph.is_directed():
        raise _refuse("is not directed; light goes one way, so take a DiGraph or MultiDiGraph")
    ends = list(graph.edges(data=True))
    of_cassettes = bool(ends) and all("name" in data for *_, data in ends)
    read = _of_cassettes if of_cassettes else _of_tors
    names, edges, places = read(graph)
    if not names:
        raise _refuse("has no ToRs")
    held = graph.graph.get("document")
    if isinstance(held, str):
        same = _same(held, names, edges)
        if same is not None:
            return same
    return _custom(graph, names, edges, places)


Edges: TypeAlias = list[tuple[int, int, int]]
Places: TypeAlias = list[tuple[str, float, float]] | None


def _refuse(message: str) -> DesignError:
    return DesignError(f"{_FIELD}: {message}", field=_FIELD)


def _same(document: str, names: list[str], edges: Edges) -> Fabric | None:
    """The fabric of a document, if the graph still matches it."""
    try:
        fabric = Fabric._of(Project.restore(document))
    except LightloomError:
        return None
    if list(fabric.tor_names) != names or len(edges) != len(names):
        return None
    # Cassettes may have other numbers if they hold the same ToRs.
    found = np.array(edges, dtype=np.int64)[:, 1:].ravel()
    own = fabric.edges[:, 1:].astype(np.int64).ravel()
    pairs = np.unique(np.stack([own, found], axis=1), axis=0)
    one_to_one = len(pairs) == len(np.unique(pairs[:, 0])) == len(np.unique(pairs[:, 1]))
    return fabric if one_to_one else None


def _numbers(given: list[object]) -> list[int]:
    """The ToR's number of each place in a list: the attribute ``tor`` of all, or the order."""
    if all(number is None for number in given):
        return list(range(len(given)))
    found = [_inputs.whole("tor", number) for number in given]
    if sorted(found) != list(range(len(found))):
        raise _refuse(f"the attribute tor is not 0 to {len(found) - 1}, each once")
    return found


def _name(node: Hashable) -> str:
    return name_of(node, _refuse)


def _of_cassettes(graph: nx.DiGraph[Any]) -> tuple[list[str], Edges, Places]:
    place = {node: at for at, node in enumerate(graph)}
    all_edges = list(graph.edges(data=True))
    check_texts([data["name"] for *_, data in all_edges], _refuse)
    numbers = _numbers([data.get("tor") for *_, data in all_edges])
    names = [""] * len(all_edges)
    edges: Edges = []
    for tor, (start, end, data) in zip(numbers, all_edges, strict=True):
        names[tor] = _name(data["name"])
        edges.append((tor, place[start], place[end]))
    return names, sorted(edges), None


def _of_tors(graph: nx.DiGraph[Any]) -> tuple[list[str], Edges, Places]:
    nodes = list(graph)
    check_texts(nodes, _refuse)
    _check_single(graph)
    numbers = dict(zip(nodes, _numbers([graph.nodes[n].get("tor") for n in nodes]), strict=True))
    nodes.sort(key=numbers.__getitem__)
    cassette_of: dict[frozenset[Hashable], int] = {}
    into: dict[Hashable, int] = {}
    fed_by: dict[Hashable, int] = {}
    for node in nodes:
        reached = frozenset(graph.successors(node))
        if not reached:
            raise _refuse(f"the light of {_name(node)!r} reaches no ToR")
        if reached not in cassette_of:
            cassette = cassette_of[reached] = len(cassette_of)
            for receiver in reached:
                if receiver in fed_by:
                    raise _refuse(
                        f"{_name(receiver)!r} would receive from two cassettes: ToRs that reach it "
                        f"must all reach the same ToRs, and {_name(node)!r} reaches others"
                    )
                fed_by[receiver] = cassette
        into[node] = cassette_of[reached]
    for node in nodes:
        if node not in fed_by:
            raise _refuse(f"no light reaches {_name(node)!r}")
    edges = [(numbers[node], fed_by[node], into[node]) for node in nodes]
    return [_name(node) for node in nodes], edges, _places(graph, nodes)


def _check_single(graph: nx.DiGraph[Any]) -> None:
    """Refuses parallel edges: a ToR has one transmitter, and gets its light at one port."""
    if not graph.is_multigraph():
        return
    for (start, end), edges in Counter(graph.edges()).items():
        if edges > 1:
            raise _refuse(
                f"has {edges} edges from {start!r} to {end!r}; the light of one ToR reaches "
                "another over one branch"
            )


def _places(graph: nx.DiGraph[Any], nodes: list[Hashable]) -> Places:
    """The places of the ToRs, if all have one."""
    keys = ("row", "x_m", "y_m")
    found = []
    for node in nodes:
        data = graph.nodes[node]
        if any(key not in data for key in keys):
            return None
        row, x, y = (data[key] for key in keys)
        try:
            found.append((_name(row), float(x), float(y)))
        except (TypeError, ValueError):
            raise _inputs.wrong_type(f"{_FIELD}: x_m, y_m", (x, y), "metres") from None
    return found


def _custom(graph: nx.DiGraph[Any], names: list[str], edges: Edges, places: Places) -> Fabric:
    p = graph.graph.get("p")
    if p is None:
        columns = np.array(edges, dtype=np.int64).reshape(-1, 3)[:, 1:]
        p = max((int(np.bincount(column).max()) for column in columns.T if len(column)), default=2)
    files = {
        "<graph>": csv_text(["tor", "from_cassette", "to_cassette"], edges),
        "<graph nodes>": _inventory(names, places),
        "<graph tors>": csv_text(["tor", "rack"], list(enumerate(names))),
    }
    given: dict[str, object] = {
        "family": "custom",
        "p": max(2, _inputs.whole("p", p)),
        "edges": "<graph>",
        "inventory": "<graph nodes>",
        "placement": "<graph tors>",
    }
    return Fabric._of(Project(_inputs.settings(given)[0], None, files))


def _inventory(names: list[str], places: Places) -> str:
    if places is not None:
        rows = [
            (name, row, f"{x:.6f}", f"{y:.6f}")
            for name, (row, x, y) in zip(names, places, strict=True)
        ]
        return csv_text(["name", "row", "x_m", "y_m"], rows)
    # Same as the hall of a design without racks: rows of 0.6 m racks, 2.4 m apart, about square.
    per_row = max(1, int((4 * len(names)) ** 0.5))
    digits = len(str(len(names) // per_row + 1))
    standing = [
        (name, f"Row {at // per_row + 1:0{digits}}", at % per_row + 1)
        for at, name in enumerate(names)
    ]
    return csv_text(["name", "row", "position"], standing)
