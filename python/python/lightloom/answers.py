"""Reports about a fabric: its facts, parallel sources, risks and repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightloom._frames import of_rows
from lightloom._report import Report, count

if TYPE_CHECKING:
    import pandas as pd


class Info(Report):
    """Sizes, hops, loads, parallel sources and parts of a fabric."""

    @property
    def fabric(self) -> dict[str, Any]:
        """The facts of the fabric itself; :attr:`report` also has those of the other family."""
        nested = {
            "format",
            "other_family",
            "doubled",
            "one_more_hop",
            "failed",
            "pairs_cut_off",
            "without_failures",
        }
        return {key: value for key, value in self.report.items() if key not in nested}

    @property
    def without_failures(self) -> dict[str, Any] | None:
        """The facts without the failures that a plan goes around; ``None`` if it has none."""
        return self.report.get("without_failures")

    @property
    def max_hops(self) -> int:
        """Hops to the farthest ToR that light reaches."""
        return int(self.report["max_hops"])

    @property
    def mean_hops(self) -> float:
        """Mean hops over all sources and other ToRs, or over a sample that the report names."""
        return float(self.report["mean_hops"])

    @property
    def parallel_sources(self) -> int | None:
        """The largest number of parallel sources; ``None`` if it is not computed."""
        found: int | None = self.report["parallel_sources"]
        return found

    def __repr__(self) -> str:
        return (
            f"<Info {self.report['family']} p={self.report['p']}: "
            f"{count(self.report['tors'], 'ToR')}, at most {self.max_hops} hops, "
            f"mean {self.mean_hops:.2f}, {self.parallel_sources} parallel sources>"
        )


_GROUPS = {
    "group": "text",
    "parts": "whole",
    "cut_off": "whole",
    "sources_hit": "whole",
    "failed_sources": "whole",
}

_KINDS = {
    "kind": "text",
    "parts": "whole",
    "rate": "text",
    "repair": "text",
    "source": "text",
    "failures_per_year": "real",
    "before_recovery_per_year": "real",
    "after_recovery_per_year": "real",
    "pair_hours_per_year": "real",
}


class Risk(Report):
    """Groups of parts that fail together, worst first, and pairs of relays that cut off a ToR."""

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The first pairs of relays whose loss cuts off a ToR for good."""
        return [(a, b) for a, b in self.report["pairs"]["listed"]]

    @property
    def cutting_pairs(self) -> int:
        """The number of tried pairs that cut off a ToR."""
        return int(self.report["pairs"]["cutting"])

    def groups(self) -> pd.DataFrame:
        """Trays, rows and housings: group, parts, cut_off, sources_hit, failed_sources.

        ``sources_hit`` counts sources that still transmit but lose another ToR with power until the
        repair. ``failed_sources`` counts sources that can no longer transmit themselves.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> len(fabric.risk().groups()) > 0
        True
        """
        return of_rows(self.report["groups"], _GROUPS, "Risk.groups()")

    def kinds(self) -> pd.DataFrame:
        """Outages by kind of part: kind, parts, rate, repair, and what fails and is cut in a year.

        Kinds whose failure rate is unknown have no numbers. ``pair_hours_per_year`` counts pairs of
        ToRs that no rules join until the part is repaired.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> list(fabric.risk().kinds()["kind"])[:3]
        ['tor', 'transceiver', 'splitter']
        """
        rows = []
        for kind in self.report["outages"]["kinds"]:
            rate, outages = kind["rate"] or {}, kind["outages"] or {}
            rows.append({**dict.fromkeys(_KINDS), **kind, **rate, **outages})
        return of_rows(rows, _KINDS, "Risk.kinds()")

    @property
    def unavailability(self) -> float | None:
        """The share of time in which a pair of ToRs is out, in the mean; None if it is unknown."""
        known = self.report["outages"]["known"]
        return None if known is None else float(known["unavailability"])

    @property
    def mirrors_if_as_many_failed(self) -> float:
        """The probability that as many failed relays as a cassette has are all of one."""
        return float(self.report["outages"]["mirrors"]["if_as_many_failed"])

    def __len__(self) -> int:
        """The number of groups."""
        return len(self.report["groups"])

    def __repr__(self) -> str:
        pairs = self.report["pairs"]
        return (
            f"<Risk: {count(len(self), 'group')}, {pairs['cutting']:,} of "
            f"{pairs['tried']:,} pairs of relays cut off a ToR>"
        )


class Repairs(Report):
    """The written repairs of all single failures."""

    @property
    def folder(self) -> str:
        """The folder."""
        return str(self.report["out"])

    @property
    def not_restored(self) -> list[str]:
        """Failures whose repair does not connect every source to every other ToR."""
        return list(self.report["not_restored"])

    def __len__(self) -> int:
        """The number of repairs."""
        return int(self.report["repairs"])

    def __repr__(self) -> str:
        return (
            f"<Repairs in {self.folder!r}: {len(self):,}, "
            f"{len(self.not_restored):,} of them not for everyone>"
        )
