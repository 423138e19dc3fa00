"""Failures, as drawings show them: the ToRs that they are at, and the fibres that stay dark."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lightloom import _inputs
from lightloom.errors import DesignError
from lightloom.tree import Tree

if TYPE_CHECKING:
    from lightloom.fabric import Fabric

Fibres = list[tuple[int, int | None]]


class Broken(NamedTuple):
    """Failures of a fabric."""

    names: list[str]
    """In their standard form."""
    at: dict[int, list[str]]
    """For each ToR that something is broken at, what: relay, tx, splitter, rx, tor."""
    branches: set[tuple[int, int]]
    """Branches that stay dark: whose light they would carry, and to whom."""
    feeds: set[int]
    """ToRs whose transmitters stay dark."""
    lost: frozenset[int]
    """ToRs that a tree's packets do not reach any more."""

    @property
    def fibres(self) -> Fibres:
        """All fibres that stay dark."""
        feeds: Fibres = [(tor, None) for tor in sorted(self.feeds)]
        return feeds + sorted(self.branches)


def receivers(fabric: Fabric) -> list[list[int]]:
    """For each cassette the ToRs that it feeds, ascending."""
    feeds = fabric.edges[:, 1]
    order = np.argsort(feeds, kind="stable")
    ends = np.cumsum(np.bincount(feeds, minlength=fabric.cassettes))[:-1]
    return [part.tolist() for part in np.split(order, ends)]


def fibres_of(fabric: Fabric, tors: Iterable[int]) -> Fibres:
    """The fibres that carry the light of these ToRs."""
    fed = receivers(fabric)
    into = fabric.edges[:, 2]
    return [(tor, to) for tor in tors for to in (None, *fed[into[tor]])]


def tree_of(fabric: Fabric, tree: Tree | _inputs.ToR | None) -> Tree | None:
    """The tree that is drawn: the one given, or that of a source.

    Raises
    ------
    DesignError
        When it is of another fabric.
    """
    if tree is None:
        return None
    if not isinstance(tree, Tree):
        source = fabric._tor(tree, "tree")
        return Tree(fabric, source, *fabric._project.tree(source))
    if tree._fabric is not fabric and tree._fabric != fabric:
        raise DesignError("tree: is of another fabric", field="tree")
    return tree


def broken(fabric: Fabric, failed: _inputs.Failed, tree: Tree | None) -> Broken:
    """What a list of failures breaks.

    Raises
    ------
    DesignError
        When a failure is not one of this fabric.
    """
    text = _inputs.failed_text(failed)
    found = Broken([], {}, set(), set(), frozenset())
    if not text and not isinstance(failed, str):
        return found
    names = fabric._project.failures(text)
    if tree is not None:
        found = found._replace(lost=frozenset(json.loads(fabric._project.lost(text, tree.source))))
    fed, into = receivers(fabric), fabric.edges[:, 2]
    for name in names:
        _break(name, found, fed, into.tolist())
    return found._replace(names=names)


def _break(name: str, found: Broken, fed: list[list[int]], into: list[int]) -> None:
    """Adds one failure, given in its standard form, which names ToRs by their numbers."""

    def dark(tor: int) -> None:
        found.branches.update((tor, to) for to in fed[into[tor]])

    kind, _, part = name.partition(":")
    if kind == "branch":
        start, _, end = part.partition("->")
        found.branches.add((int(start), int(end)))
        return
    if kind == "cassette":
        for tor in (tor for tor, cassette in enumerate(into) if cassette == int(part)):
            found.at.setdefault(tor, []).append("splitter")
            dark(tor)
        return
    tor = int(part.partition("/")[0])
    found.at.setdefault(tor, []).append(kind)
    if kind in ("tx", "splitter", "tor"):
        dark(tor)
    if kind in ("tx", "tor"):
        found.feeds.add(tor)
