"""The multicast tree of one source, and the relays of all sources."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import overload

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._opened import Opened
from lightloom._pictures.fabric import fabric_svg
from lightloom._report import count
from lightloom.errors import DesignError

Numbers = npt.NDArray[np.uint32]


class Tree:
    """The multicast tree of one source: one relay per cassette.

    Attributes
    ----------
    source : int
        The ToR that sends.
    relay_row : numpy.ndarray
        Shape (cassettes,), uint32: the ToR that relays into each cassette. For the cassette that
        the source transmits into, this is the source. Read-only.
    hops : numpy.ndarray
        Shape (tors,), uint32: the splitters that a packet crosses on its way to each ToR; 0 for the
        source. Read-only.
    """

    source: int
    relay_row: Numbers
    hops: Numbers

    def __init__(self, fabric: Opened, source: int, relay_row: Numbers, hops: Numbers) -> None:
        relay_row.flags.writeable = False
        hops.flags.writeable = False
        self._fabric = fabric
        self.source, self.relay_row, self.hops = source, relay_row, hops

    @property
    def relays(self) -> Numbers:
        """The relays, including the source, ascending (uint32)."""
        return np.sort(self.relay_row)

    @property
    def max_hops(self) -> int:
        """Hops to the farthest ToR."""
        return int(self.hops.max())

    @property
    def paths(self) -> Mapping[int, list[int]]:
        """For each other ToR the ToRs on the packet's path; each path is made when it is read."""
        return _Paths(self)

    def path(self, tor: _inputs.ToR) -> list[int]:
        """The ToRs on a packet's path from the source to ``tor``, both included.

        Parameters
        ----------
        tor : int or str
            A ToR's number or its rack's name.

        Raises
        ------
        DesignError
            If there is no such ToR.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.tree(0).path(7)
        [0, 4, 1, 7]
        """
        return self._path(self._fabric.tor(tor))

    def _path(self, tor: int) -> list[int]:
        feeds = self._fabric.edges[:, 1]
        path = [tor]
        for _ in range(int(self.hops[tor])):
            path.append(int(self.relay_row[feeds[path[-1]]]))
        path.reverse()
        return path

    def _repr_svg_(self) -> str:
        return fabric_svg(self._fabric, self, ())

    def __len__(self) -> int:
        """The number of relays."""
        return len(self.relay_row)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.source == other.source
            and np.array_equal(self.relay_row, other.relay_row)
            and np.array_equal(self.hops, other.hops)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (Tree, (self._fabric, self.source, self.relay_row, self.hops))

    def __repr__(self) -> str:
        name = self._fabric.tor_names[self.source]
        return (
            f"<Tree of ToR {self.source} ({name}): {count(len(self), 'relay')}, "
            f"{self.max_hops} hops to the farthest of {count(len(self.hops), 'ToR')}>"
        )


def tree_of(fabric: Opened, tree: Tree | _inputs.ToR | None) -> Tree | None:
    """The tree to draw: the given one, or the tree of a source.

    Raises
    ------
    DesignError
        If it belongs to another fabric.
    """
    if tree is None:
        return None
    if not isinstance(tree, Tree):
        source = fabric._tor(tree, "tree")
        return Tree(fabric, source, *fabric._project.tree(source))
    if tree._fabric is not fabric and tree._fabric != fabric:
        raise DesignError("tree: is of another fabric", field="tree")
    return tree


class _Paths(Mapping[int, list[int]]):
    """Paths of a tree; each is made when it is read."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __getitem__(self, tor: int) -> list[int]:
        try:
            at = operator.index(tor)
        except TypeError:
            raise KeyError(tor) from None
        if at == self._tree.source or not 0 <= at < len(self._tree.hops):
            raise KeyError(tor)
        return self._tree._path(at)

    def __iter__(self) -> Iterator[int]:
        return (tor for tor in range(len(self._tree.hops)) if tor != self._tree.source)

    def __len__(self) -> int:
        return len(self._tree.hops) - 1


class RelaySets:
    """The relays of all sources, in one array.

    ``sets[source]`` gives the relays of a source, ascending, without a copy. A slice gives a list,
    and iterating gives the sources in order.

    Attributes
    ----------
    offsets : numpy.ndarray
        Shape (tors + 1,), uint64: the relays of source s are ``relays[offsets[s]:offsets[s + 1]]``.
    relays : numpy.ndarray
        uint32, in the order of the sources. Read-only.
    """

    offsets: npt.NDArray[np.uint64]
    relays: Numbers

    def __init__(self, offsets: npt.NDArray[np.uint64], relays: Numbers) -> None:
        offsets.flags.writeable = False
        relays.flags.writeable = False
        self.offsets, self.relays = offsets, relays

    def __len__(self) -> int:
        """The number of sources."""
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, source: int) -> Numbers: ...
    @overload
    def __getitem__(self, source: slice) -> list[Numbers]: ...
    def __getitem__(self, source: int | slice) -> Numbers | list[Numbers]:
        if isinstance(source, slice):
            return [self[i] for i in range(*source.indices(len(self)))]
        at = _inputs.index("source", source, len(self))
        return self.relays[int(self.offsets[at]) : int(self.offsets[at + 1])]

    def __iter__(self) -> Iterator[Numbers]:
        return (self[source] for source in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RelaySets):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(
            self.relays, other.relays
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (RelaySets, (self.offsets, self.relays))

    def __repr__(self) -> str:
        return f"<RelaySets: {len(self.relays):,} relays of {count(len(self), 'source')}>"
