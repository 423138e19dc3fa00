"""What failures break, for drawings: the affected ToRs and the dark fibres."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._opened import Opened
from lightloom._report import by_tor

Fibres = list[tuple[int, int | None]]


class Multicast(Protocol):
    """What a picture needs of a :class:`lightloom.Tree`."""

    source: int
    relay_row: npt.NDArray[np.uint32]
    hops: npt.NDArray[np.uint32]

    @property
    def max_hops(self) -> int:
        """Hops to the farthest ToR."""
        ...

    def __len__(self) -> int: ...


class Broken(NamedTuple):
    """What failures break in a fabric."""

    names: list[str]
    """The failures in their standard form."""
    at: dict[int, list[str]]
    """For each affected ToR its failures: relay, tx, splitter, rx, tor."""
    branches: set[tuple[int, int]]
    """Dark branches: the ToR that transmits, and the ToR that receives."""
    feeds: set[int]
    """ToRs whose transmitters are dark."""
    lost: frozenset[int]
    """ToRs that the packets of a tree no longer reach."""

    @property
    def fibres(self) -> Fibres:
        """All dark fibres."""
        feeds: Fibres = [(tor, None) for tor in sorted(self.feeds)]
        return feeds + sorted(self.branches)


def receivers(fabric: Opened) -> list[list[int]]:
    """For each cassette the ToRs that it feeds, ascending."""
    feeds = fabric.edges[:, 1]
    order = np.argsort(feeds, kind="stable")
    ends = np.cumsum(np.bincount(feeds, minlength=fabric.cassettes))[:-1]
    return [part.tolist() for part in np.split(order, ends)]


def fibres_of(fabric: Opened, tors: Iterable[int]) -> Fibres:
    """The fibres that carry the light of these ToRs."""
    fed = receivers(fabric)
    into = fabric.edges[:, 2]
    return [(tor, to) for tor in tors for to in (None, *fed[into[tor]])]


def broken(fabric: Opened, failed: _inputs.Failed, tree: Multicast | None) -> Broken:
    """The parts that a list of failures breaks.

    Raises
    ------
    DesignError
        If a failure is not one of this fabric.
    """
    text = _inputs.failed_text(failed)
    found = Broken([], {}, set(), set(), frozenset())
    if not text and not isinstance(failed, str):
        return found
    dark = json.loads(fabric._project.dark(text))
    lost = [] if tree is None else fabric._project.lost(text, tree.source)
    return Broken(
        names=dark["failed"],
        at=by_tor(dark["at"]),
        branches={(start, end) for start, end in dark["branches"]},
        feeds=set(dark["feeds"]),
        lost=frozenset(lost),
    )
