"""The effects of failures and the recovery from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom._frames import of_rows
from lightloom._opened import Opened
from lightloom._pictures import tables
from lightloom._report import Report, by_tor, count
from lightloom.errors import DesignError

if TYPE_CHECKING:
    import pandas as pd

_RULES = {"tor": "whole", "source": "whole", "change": "text"}
_THROUGHPUT = {
    "active": "whole",
    "before": "real",
    "after": "real",
    "degradation": "real",
    "ci95": "real",
}


def _silenced(report: dict[str, Any]) -> dict[int, str]:
    silenced = report.get("fault_signalling", {}).get("silenced", [])
    return {one["tor"]: one["cause"] for one in silenced}


class Impact(Report):
    """The ToRs that failures cut off before a repair."""

    @property
    def failed(self) -> list[str]:
        """The failures, in their standard form."""
        return list(self.report["failed"])

    @property
    def sources(self) -> dict[int, int]:
        """For every source that can still transmit, the number of other ToRs that it loses.

        ToRs without power count as lost.
        """
        return by_tor(self.report["sources"])

    @property
    def lost(self) -> npt.NDArray[np.uint32]:
        """The number of other ToRs that each source loses before a repair: shape (tors,), uint32.

        Every ToR counts as a source. A source that can no longer transmit loses all other ToRs,
        because only a repair gives it a stand-in.
        """
        dead = self.failed_sources
        found = self.sources
        tors = len(found) + len(dead)
        lost = np.full(tors, tors - 1, dtype=np.uint32)
        lost[list(found)] = list(found.values())
        return lost

    @property
    def failed_sources(self) -> list[int]:
        """The sources that can no longer transmit themselves."""
        return list(self.report["failed_sources"])

    @property
    def unaffected_fraction(self) -> float:
        """The share of sources that lose no ToR; failed sources are included in the total."""
        return float(self.report["unaffected_fraction"])

    @property
    def distribution(self) -> dict[int, int]:
        """The number of sources by the number of ToRs that they lose."""
        return by_tor(self.report["distribution"])

    @property
    def worst(self) -> list[tuple[int, int]]:
        """The sources that transmit and lose most ToRs, with the number lost; at most ten."""
        return [(source, lost) for source, lost in self.report["worst"]]

    @property
    def silenced(self) -> dict[int, str]:
        """The ToRs that link fault signalling silences, with the cause.

        The cause is ``local_fault`` or ``remote_fault``. Empty if link fault signalling is off.
        ``report["fault_signalling"]["without"]`` has the figures without it.
        """
        return _silenced(self.report)

    def __repr__(self) -> str:
        return (
            f"<Impact of {', '.join(self.failed)}: {self.unaffected_fraction:.1%} of sources lose "
            f"no ToR, {count(len(self.failed_sources), 'source')} cannot transmit>"
        )


class RecoveryReport(Report):
    """What a :class:`lightloom.Recovery` says, without the plan that it leads to."""

    def __init__(
        self,
        fabric: Opened,
        asked: tuple[str, str | None, str | None],
        report: dict[str, Any],
    ) -> None:
        super().__init__(report)
        self._fabric = fabric
        #: Failures, method and objective, as the extension takes them.
        self._asked = asked

    @property
    def failed(self) -> list[str]:
        """The failures, in their standard form."""
        return list(self.report["failed"])

    @property
    def method(self) -> str:
        """The method: replan or algorithm2."""
        return str(self.report["method"])

    @property
    def restored(self) -> bool:
        """Whether every source that counts reaches every other ToR again.

        A source whose transmitter is out counts and reaches others through its stand-in
        (:attr:`via`). A ToR without power counts too and reaches no ToR. Only :attr:`not_counted`
        sources are left out.
        """
        return bool(self.report["restored"])

    @property
    def unreachable(self) -> dict[int, list[int]]:
        """For each source that counts, the other ToRs that it does not reach."""
        return by_tor(self.report["unreachable"])

    @property
    def changes(self) -> dict[int, dict[str, list[int]]]:
        """For each ToR the sources to ``add`` and to ``delete``."""
        return by_tor(self.report["changes"])

    @property
    def via(self) -> dict[int, int]:
        """The stand-in that transmits first, for each source whose transmitter is out."""
        return by_tor(self.report["via"])

    @property
    def failed_sources(self) -> list[int]:
        """The sources that can no longer transmit themselves."""
        return list(self.report["failed_sources"])

    @property
    def silenced(self) -> dict[int, str]:
        """The ToRs that link fault signalling silences, as in :attr:`Impact.silenced`."""
        return _silenced(self.report)

    @property
    def not_counted(self) -> list[int]:
        """Failed sources that the method gives up; empty except with ``algorithm2``."""
        return list(self.report["not_counted"])

    @property
    def phases(self) -> list[Any]:
        """The steps of the rollout, in order.

        Raises
        ------
        DesignError
            If the recovery was computed without its rollout.
        """
        return list(self._of_rollout("phases"))

    @property
    def outage(self) -> dict[int, int]:
        """For each source with changed rules, the number of ToRs that it misses between phases.

        Raises
        ------
        DesignError
            If the recovery was computed without its rollout.
        """
        return by_tor(self._of_rollout("outage"))

    @property
    def has_rollout(self) -> bool:
        """Whether every state of the rollout was replayed, so that its phases are known."""
        return not self.report.get("without_rollout", False)

    def _of_rollout(self, key: str) -> Any:
        if not self.has_rollout:
            message = f"{key}: is not known without the rollout; ask with rollout=True"
            raise DesignError(message, field=key)
        return self.report[key]

    @property
    def hops(self) -> dict[int, int]:
        """For each source the hops to the farthest ToR that it reaches."""
        return by_tor(self.report["hops"])

    @property
    def max_hops(self) -> int:
        """Hops to the farthest reached ToR."""
        return int(self.report["max_hops"])

    def rules(self) -> pd.DataFrame:
        """The rules that change, one per row: tor, source, change (add or delete).

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> "change" in fabric.recover("relay:3").rules()
        True
        """
        rows = [
            {"tor": tor, "source": source, "change": change}
            for tor, lists in self.changes.items()
            for change in ("delete", "add")
            for source in lists[change]
        ]
        return of_rows(rows, _RULES, "Recovery.rules()")

    def throughput(self) -> pd.DataFrame:
        """Mean rates before and after, by number of active sources, in line rates.

        Empty unless the recovery was computed with ``throughput=True``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> len(fabric.recover("relay:3", throughput=True).throughput()) > 0
        True
        """
        rows = self.report.get("throughput", [])
        return of_rows(rows, _THROUGHPUT, "Recovery.throughput()")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecoveryReport):
            return NotImplemented
        return self.report == other.report and self._fabric == other._fabric

    def _repr_html_(self) -> str:
        names = self._fabric.tor_names
        added = sum(len(lists["add"]) for lists in self.changes.values())
        deleted = sum(len(lists["delete"]) for lists in self.changes.values())
        cut = {tor for lost in self.unreachable.values() for tor in lost}
        missed = max(self.outage.values(), default=0) if self.has_rollout else 0
        rows = [
            ("failed", tables.listed(self.failed)),
            ("method", f"{self.method}, {self.report['objective']}"),
            ("everyone is reached again", "yes" if self.restored else "no"),
            ("not reached by some source", tables.listed([names[tor] for tor in sorted(cut)])),
            ("ToRs whose rules change", tables.listed([names[tor] for tor in self.changes])),
            ("rules", f"{added:,} added, {deleted:,} deleted"),
            ("rollout", count(len(self.phases), "phase") if self.has_rollout else "not computed"),
            ("missed at most during the change", count(missed, "ToR")),
            ("farthest ToR", count(self.max_hops, "hop")),
        ]
        return tables.facts("Recovery", [(name, value) for name, value in rows if value])

    def __repr__(self) -> str:
        outcome = "everyone is reached" if self.restored else "not everyone can be reached"
        return (
            f"<Recovery from {', '.join(self.failed)} by {self.method}: {outcome}, "
            f"rules of {count(len(self.changes), 'ToR')} change>"
        )
