"""Converts NetworkX graphs of electrical networks to the lists of links that the twin reads."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Hashable, Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from lightloom._extras import need
from lightloom._inputs import is_unicode
from lightloom.errors import SimulationError

if TYPE_CHECKING:
    import networkx as nx

LINKS, NODES = "<graph links>", "<graph nodes>"


def refuse(message: str, field: str | None = None) -> SimulationError:
    """The error for a graph."""
    where = "<graph>: " if field is None else f"<graph>: {field}: "
    return SimulationError(where + message, file="<graph>", field=field)


def files_of(graph: nx.Graph[Any]) -> tuple[dict[str, str], str]:
    """The files of a graph, and the section of a scenario that names them.

    Raises
    ------
    SimulationError
        If it is not a graph, or if a node or edge lacks an attribute that a network needs.
    """
    networkx = need("networkx", "Scenario(network=...)")
    if not isinstance(graph, networkx.Graph):
        raise refuse(f"found {type(graph).__name__}; expected a NetworkX graph")
    files = {LINKS: _table(["a", "b", "rate", "delay", "length"], _links(graph))}
    section = f'[network]\nkind = "edge-list"\nfile = "{LINKS}"\n'
    kinds = [data.get("kind") for _, data in graph.nodes(data=True)]
    if any(kind is not None for kind in kinds):
        files[NODES] = _table(["name", "kind"], _nodes(graph))
        section += f'nodes = "{NODES}"\n'
    return files, section


def _nodes(graph: nx.Graph[Any]) -> Iterable[tuple[str, str]]:
    for node, data in graph.nodes(data=True):
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in ("host", "switch"):
            found = "nothing" if kind is None else repr(kind)
            raise refuse(f"found {found} of node {node!r}; expected host or switch", "kind")
        yield _name(node), kind


def _links(graph: nx.Graph[Any]) -> Iterable[tuple[str, str, str, str, str]]:
    seen: Counter[tuple[Hashable, Hashable]] = Counter()
    for a, b, data in graph.edges(data=True):
        # A link has both directions. In a directed graph an edge back is the same link.
        if graph.is_directed() and a != b and seen[b, a] > 0:
            seen[b, a] -= 1
            continue
        seen[a, b] += 1
        yield _link(a, b, data)


def _link(a: Hashable, b: Hashable, data: dict[str, Any]) -> tuple[str, str, str, str, str]:
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
    name = node if isinstance(node, str) else str(node)
    if not is_unicode(name):
        raise refuse(f"found node {name!r}, which is not Unicode text")
    if "\0" in name:
        raise refuse(f"found node {name!r}; take the NUL out of its name")
    return name


def _table(header: list[str], rows: Iterable[tuple[str, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
