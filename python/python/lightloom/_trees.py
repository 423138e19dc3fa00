"""Questions about the trees of a fabric, and the relays of its sources."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._opened import Opened
from lightloom._stops import answer_of, report_of
from lightloom.many import Trees
from lightloom.parallel import Parallel, parallel_trees
from lightloom.tree import RelaySets, Tree

if TYPE_CHECKING:
    pass


class TreeQuestions(Opened):
    """What a fabric is asked about its trees."""

    def tree(self, source: _inputs.ToR) -> Tree:
        """The multicast tree of one source.

        Parameters
        ----------
        source : int or str
            The ToR that sends: its number or its rack's name. A text can mark which it is,
            ``"tor:12"`` or ``"rack:12"``. An ``int`` is always a number.

        Returns
        -------
        Tree
            The tree, with arrays of 32-bit numbers, without copies.

        Raises
        ------
        DesignError
            If there is no such ToR, or if the fabric is too large for the tables that the router
            needs.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.tree(0).path(7)
        [0, 4, 1, 7]
        """
        tor = self._tor(source, "source")
        return Tree(self, tor, *self._project.tree(tor))

    def trees(
        self, sources: Iterable[_inputs.ToR] | None = None, progress: Progress = None
    ) -> Trees:
        """The multicast trees of several sources, as arrays.

        Parameters
        ----------
        sources : iterable of int or str, optional
            The sources, in any order (default: all ToRs).
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of).

        Returns
        -------
        Trees
            A row for each source.

        Raises
        ------
        DesignError
            If there is no such ToR, or if the arrays need more memory than the design may take.
        Interrupted
            On Ctrl-C. Its ``result`` has the trees that are done.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> trees = Fabric(p=2, k=2).trees([0, 5])
        >>> trees.hops.shape, trees.max_hops.tolist()
        ((2, 8), [3, 3])
        """
        asked = None if sources is None else self._tors(sources, "sources")
        with watching(progress, "Routing") as update:
            return answer_of(
                lambda: self._project.trees(asked, update),
                lambda raw: Trees(
                    self, np.array(range(len(self)) if asked is None else asked, np.uint32), *raw
                ),
                "the trees",
            )

    def hops(self, progress: Progress = None) -> npt.NDArray[np.uint32]:
        """The splitters that a packet crosses: shape (tors, tors), uint32, by source and ToR.

        Parameters
        ----------
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of).

        Returns
        -------
        numpy.ndarray
            Read-only; 0 from a ToR to itself.

        Raises
        ------
        DesignError
            If the array needs more memory than the design may take.
        Interrupted
            On Ctrl-C. Its ``result`` is the :class:`lightloom.Trees` of the first sources.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> Fabric(p=2, k=2).hops()[0].tolist()
        [0, 2, 2, 2, 1, 1, 3, 3]
        """
        return self.trees(progress=progress).hops

    def relay_sets(self, progress: Progress = None) -> RelaySets:
        """The relays of all sources.

        Parameters
        ----------
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of).

        Raises
        ------
        DesignError
            If there are more than 2^28 relays.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.relay_sets()[0].tolist()
        [0, 1, 4, 5]
        """
        with watching(progress, "Routing") as update:
            return answer_of(
                lambda: self._project.relay_sets(update),
                lambda sets: RelaySets(*sets),
                "the relays",
            )

    def rules(self, tor: _inputs.ToR) -> npt.NDArray[np.uint32]:
        """The sources that a ToR relays, ascending, including its own number (uint32).

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.rules(3).dtype.name
        'uint32'
        """
        return report_of(
            lambda: self._project.rules(self._tor(tor, "tor")),
            lambda report: np.array(report["sources"], dtype=np.uint32),
            "the sources",
        )

    def parallel(
        self, sources: Iterable[_inputs.ToR] | None = None, progress: Progress = None
    ) -> Parallel:
        """Edge-disjoint trees for sources that send at line rate at the same time.

        Parameters
        ----------
        sources : iterable of int or str, optional
            The sources (default: the largest set of parallel sources, with the proof of its size).
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of), in steps of the search.

        Raises
        ------
        Interrupted
            On Ctrl-C. Its ``result`` is a :class:`lightloom.ParallelSoFar`.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> len(fabric.parallel().sources)
        2
        """
        return parallel_trees(self, sources, progress)
