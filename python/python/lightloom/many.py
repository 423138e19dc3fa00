"""Answers about many sources and many failures at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._opened import Opened
from lightloom._pictures import tables
from lightloom._report import count, parse
from lightloom.errors import LightloomError
from lightloom.failures import Impact, RecoveryReport
from lightloom.table import Table
from lightloom.tree import Numbers, Tree

Found = TypeVar("Found", bound=RecoveryReport)

#: The columns of :meth:`Recoveries.table`.
RECOVERIES = {
    "failed": "text",
    "restored": "flag?",
    "failed_sources": "whole?",
    "stand_ins": "whole?",
    "incomplete_sources": "whole?",
    "rules_to_add": "whole?",
    "rules_to_delete": "whole?",
    "max_hops": "whole?",
    "parallel_sources": "whole?",
    "refused": "text",
}
#: The columns of :meth:`Impacts.table`.
IMPACTS = {
    "failed": "text",
    "failed_sources": "whole",
    "sources_hit": "whole",
    "lost_pairs": "whole",
    "most_lost": "whole",
    "unaffected_fraction": "real",
}


def missing(done: int, asked: int, what: str) -> str:
    """What a stopped call has not done."""
    left = asked - done
    return f"{left:,} of {count(asked, what)}" if left else ""


class Trees:
    """The multicast trees of several sources, a row for each.

    ``trees[i]`` is the :class:`lightloom.Tree` of the i-th source.

    Attributes
    ----------
    sources : numpy.ndarray
        Shape (sources,), uint32. Read-only, as all arrays here.
    relay_rows : numpy.ndarray
        Shape (sources, cassettes), uint32: the ToR that relays into each cassette.
    hops : numpy.ndarray
        Shape (sources, tors), uint32: the splitters on a packet's way; 0 for the source.
    missing : str
        What a stopped call has not done; an empty text if the answer is whole.
    """

    sources: Numbers
    relay_rows: Numbers
    hops: Numbers
    missing: str

    def __init__(self, fabric: Opened, asked: Numbers, relay_rows: Numbers, hops: Numbers) -> None:
        self._fabric = fabric
        self.sources = np.array(asked[: len(hops)], np.uint32)
        self.relay_rows, self.hops = relay_rows, hops
        for array in (self.sources, relay_rows, hops):
            array.flags.writeable = False
        self.missing = missing(len(hops), len(asked), "tree")

    @property
    def max_hops(self) -> Numbers:
        """Hops to the farthest ToR, for each source: shape (sources,), uint32."""
        found: Numbers = self.hops.max(axis=1)
        return found

    def __len__(self) -> int:
        """The number of trees."""
        return len(self.sources)

    def __getitem__(self, at: int) -> Tree:
        index = _inputs.index("at", at, len(self))
        row, hops = self.relay_rows[index].copy(), self.hops[index].copy()
        return Tree(self._fabric, int(self.sources[index]), row, hops)

    def __iter__(self) -> Iterator[Tree]:
        return (self[at] for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trees):
            return NotImplemented
        return (
            np.array_equal(self.sources, other.sources)
            and np.array_equal(self.relay_rows, other.relay_rows)
            and np.array_equal(self.hops, other.hops)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (Trees, (self._fabric, self.sources, self.relay_rows, self.hops))

    def __repr__(self) -> str:
        farthest = int(self.hops.max()) if len(self) else 0
        return f"<Trees of {count(len(self), 'source')}: at most {farthest} hops>"

    def _repr_html_(self) -> str:
        names = self._fabric.tor_names
        rows = [
            (names[source], str(most), f"{mean:.3f}")
            for source, most, mean in zip(
                self.sources[:10], self.max_hops[:10], self.hops[:10].mean(axis=1), strict=True
            )
        ]
        more = len(self) - len(rows)
        note = f"and {more:,} more sources" if more > 0 else ""
        return tables.table(repr(self)[1:-1], ("source", "most hops", "mean hops"), rows, note)


class Recoveries(Generic[Found]):
    """The recoveries from many failure sets, each set alone.

    ``recoveries[i]`` is the :class:`lightloom.Recovery` of the i-th set; it raises the refusal of a
    set that has none.

    Attributes
    ----------
    failed : list of str
        The failures of each set, in their standard form, separated by commas.
    refused : dict of int to LightloomError
        The sets without a recovery, with the reason.
    missing : str
        What a stopped call has not done; an empty text if the answer is whole.
    """

    failed: list[str]
    refused: dict[int, LightloomError]
    missing: str

    def __init__(
        self,
        make: Callable[[str, dict[str, Any]], Found],
        failed: list[str],
        table: Table,
        answers: list[str | LightloomError],
    ) -> None:
        self._make, self._table, self._answers = make, table, answers
        self.failed = failed[: len(answers)]
        self.refused = {
            at: answer for at, answer in enumerate(answers) if not isinstance(answer, str)
        }
        self.missing = missing(len(answers), len(failed), "failure set")

    def table(self) -> Table:
        """A row for each set.

        Columns: ``failed``, ``restored``, ``failed_sources``, ``stand_ins``,
        ``incomplete_sources``, ``rules_to_add``, ``rules_to_delete``, ``max_hops``,
        ``parallel_sources`` and ``refused``. A set that was refused has its reason and no figures.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> len(fabric.recover_many(range(8)).table())
        8
        """
        return self._table

    @property
    def all_restored(self) -> bool:
        """Whether every set was recovered, so that every source that counts reaches every ToR."""
        return all(self._table["restored"])

    def __len__(self) -> int:
        """The number of sets."""
        return len(self._answers)

    def __getitem__(self, at: int) -> Found:
        index = _inputs.index("at", at, len(self))
        answer = self._answers[index]
        if not isinstance(answer, str):
            raise answer
        return self._make(self.failed[index], parse(answer))

    def __iter__(self) -> Iterator[Found]:
        return (self[at] for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recoveries):
            return NotImplemented
        return self._said() == other._said()

    def _said(self) -> tuple[list[str], list[str]]:
        return self.failed, [str(answer) for answer in self._answers]

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (Recoveries, (self._make, self.failed, self._table, self._answers))

    def __repr__(self) -> str:
        restored = sum(value is True or value == 1 for value in self._table["restored"])
        refused = f", {len(self.refused):,} refused" if self.refused else ""
        return (
            f"<Recoveries from {count(len(self), 'failure set')}: {restored:,} restored{refused}>"
        )

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


class Impacts:
    """The ToRs that many failure sets cut off before a repair, each set alone.

    ``impacts[i]`` is the :class:`lightloom.Impact` of the i-th set.

    Attributes
    ----------
    failed : list of list of str
        The failures of each set, in their standard form.
    lost : numpy.ndarray
        Shape (sets, tors), uint32: the number of other ToRs that each source loses. A source that
        can no longer transmit loses all of them. Read-only.
    failed_sources : list of list of int
        For each set, the sources that can no longer transmit.
    missing : str
        What a stopped call has not done; an empty text if the answer is whole.
    """

    failed: list[list[str]]
    lost: Numbers
    failed_sources: list[list[int]]
    missing: str

    def __init__(
        self,
        fabric: Opened,
        failed: list[list[str]],
        lost: Numbers,
        failed_sources: list[list[int]],
        table: Table,
    ) -> None:
        lost.flags.writeable = False
        self._fabric, self._table = fabric, table
        self.failed, self.lost, self.failed_sources = failed[: len(lost)], lost, failed_sources
        self.missing = missing(len(lost), len(failed), "failure set")

    @property
    def unaffected_fraction(self) -> npt.NDArray[np.float64]:
        """For each set the share of sources that lose no ToR: shape (sets,), float64."""
        found: npt.NDArray[np.float64] = self._table["unaffected_fraction"]
        return found

    def pairs(self, at: int) -> Numbers:
        """The pairs that one set separates: shape (pairs, 2), uint32: source, and ToR without copy.

        Parameters
        ----------
        at : int
            The number of the set, from 0.

        Raises
        ------
        IndexError
            If there is no such set.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> impacts = Fabric(p=2, k=2).impact_many(["branch:0->4"])
        >>> len(impacts.pairs(0)) == int(impacts.lost[0].sum())
        True
        """
        return self._fabric._project.lost_pairs(",".join(self.failed[self._index(at)]))

    def table(self) -> Table:
        """A row for each set.

        Columns: ``failed``, ``failed_sources`` (sources that cannot transmit), ``sources_hit``
        (others that lose a ToR), ``lost_pairs`` (pairs of source and ToR without a copy),
        ``most_lost`` (ToRs that a source that still transmits loses at most) and
        ``unaffected_fraction`` (share of sources that lose no ToR).

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> len(fabric.impact_many(range(8)).table())
        8
        """
        return self._table

    def _index(self, at: int) -> int:
        return _inputs.index("at", at, len(self))

    def __len__(self) -> int:
        """The number of sets."""
        return len(self.lost)

    def __getitem__(self, at: int) -> Impact:
        failed = ",".join(self.failed[self._index(at)])
        return Impact(parse(self._fabric._project.impact(failed)))

    def __iter__(self) -> Iterator[Impact]:
        return (self[at] for at in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Impacts):
            return NotImplemented
        return self.failed == other.failed and np.array_equal(self.lost, other.lost)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        parts = (self._fabric, self.failed, self.lost, self.failed_sources, self._table)
        return (Impacts, parts)

    def __repr__(self) -> str:
        if not len(self):
            return "<Impacts of no failure set>"
        worst = int(self.unaffected_fraction.argmin())
        return (
            f"<Impacts of {count(len(self), 'failure set')}: the worst is "
            f"{', '.join(self.failed[worst])}, with {self.unaffected_fraction[worst]:.1%} of "
            "sources that lose no ToR>"
        )

    def _repr_html_(self) -> str:
        return self._table._repr_html_()
