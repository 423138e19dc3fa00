"""Converts NetworkX graphs of electrical networks to lists of links and nodes for the twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from lightloom._extras import need
from lightloom._nodes import check_texts, name_of
from lightloom.errors import SimulationError

if TYPE_CHECKING:
    import networkx as nx

LINKS, NODES = "<graph links>", "<graph nodes>"


def refuse(message: str, field: str | None = None) -> SimulationError:
    """The error for a graph."""
    where = "<graph>: " if field is None else f"<graph>: {field}: "
    return SimulationError(where + message, file="<graph>", field=field)


def sheets_of(graph: nx.Graph[Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The titles and rows of a graph's tables, and the section of a scenario that names these.

    Raises
    ------
    SimulationError
        If it is not a graph, if a node or edge lacks an attribute that a network needs, if two
        nodes would have one name, or if the two directions of a link differ.
    """
    networkx = need("networkx", "Scenario(network=...)")
    if not isinstance(graph, networkx.Graph):
        raise refuse(f"found {type(graph).__name__}; expected a NetworkX graph")
    check_texts(graph, refuse)
    sheets = {LINKS: (["a", "b", "rate", "delay", "length"], list(map(list, _links(graph))))}
    section = {"kind": "edge-list", "file": LINKS}
    kinds = [data.get("kind") for _, data in graph.nodes(data=True)]
    if any(kind is not None for kind in kinds):
        sheets[NODES] = (["name", "kind"], list(map(list, _nodes(graph))))
        section["nodes"] = NODES
    else:
        alone = next((node for node, degree in graph.degree() if degree == 0), None)
        if alone is not None:
            raise refuse(f"node {alone!r} has no link; give it one, or remove it")
    return sheets, section


def _nodes(graph: nx.Graph[Any]) -> Iterable[tuple[str, str]]:
    for node, data in graph.nodes(data=True):
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in ("host", "switch"):
            found = "nothing" if kind is None else repr(kind)
            raise refuse(f"found {found} of node {node!r}; expected host or switch", "kind")
        yield _name(node), kind


Edge: TypeAlias = tuple[str, str, str, str, str]


def _links(graph: nx.Graph[Any]) -> Iterable[Edge]:
    edges = [(a, b, _link(a, b, data)) for a, b, data in graph.edges(data=True)]
    if graph.is_directed():
        edges = list(_both_ways(edges))
    return (link for _, _, link in edges)


def _both_ways(edges: list[tuple[Hashable, Hashable, Edge]]) -> Iterable[tuple[Any, Any, Edge]]:
    """One edge of the two of each link. A link has one rate and one delay, the same both ways."""
    values: dict[tuple[Hashable, Hashable], Counter[tuple[str, ...]]] = {}
    for a, b, link in edges:
        values.setdefault((a, b), Counter())[link[2:]] += 1
    for a, b, link in edges:
        back = values.get((b, a), Counter())
        # Parallel links are matched by their values.
        lacking = values[a, b] - back
        if a != b and lacking[link[2:]]:
            raise _refuse_direction(a, b, link[2:], next(iter(back - values[a, b]), None))
    told: set[tuple[Hashable, Hashable]] = set()
    for a, b, link in edges:
        if (b, a) not in told or a == b:
            told.add((a, b))
            yield a, b, link


def _refuse_direction(
    a: Hashable, b: Hashable, there: tuple[str, ...], back: tuple[str, ...] | None
) -> SimulationError:
    told = f"edge {a!r} to {b!r} has {_values(there)}, and edge {b!r} to {a!r}"
    if back is None:
        return refuse(
            f"{told} is missing; a link has both directions, so give the edge back, or take an "
            "undirected graph"
        )
    return refuse(
        f"{told} has {_values(back)}; a link has one rate and one delay, so give both edges the "
        "same values"
    )


def _values(values: tuple[str, ...]) -> str:
    return ", ".join(value for value in values if value)


def _link(a: Hashable, b: Hashable, data: dict[str, Any]) -> Edge:
    edge = f"of edge {a!r} to {b!r}"
    if "rate_bps" not in data:
        raise refuse(f"is missing {edge}; give its line rate in bits per second", "rate_bps")
    if "delay_s" not in data and "length_m" not in data:
        raise refuse(f"is missing {edge}, as length_m is; give one of the two", "delay_s")
    rate = f"{_plain('rate_bps', data['rate_bps'], edge, 0)} b/s"
    delay = length = ""
    if data.get("delay_s") is not None:
        delay = f"{_plain('delay_s', data['delay_s'], edge, 12)} s"
    if data.get("length_m") is not None:
        length = f"{_plain('length_m', data['length_m'], edge, 6)} m"
    return _name(a), _name(b), rate, delay, length


def _plain(field: str, value: object, edge: str, digits: int) -> str:
    """A quantity as plain digits, rounded to the twin's resolution."""
    try:
        number = Decimal(repr(float(value)))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise refuse(f"found {value!r} {edge}; expected a number", field) from None
    if not number.is_finite() or number < 0:
        raise refuse(f"found {value!r} {edge}; expected a number that is not negative", field)
    return f"{number:.{digits}f}"


def _name(node: Hashable) -> str:
    return name_of(node, refuse)
