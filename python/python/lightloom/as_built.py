"""Checks of returned as-built sheets."""

from __future__ import annotations

from typing import Any

from lightloom._report import Report, count
from lightloom.errors import DesignError


class AsBuiltReport(Report):
    """What a :class:`lightloom.AsBuilt` says, without its plan."""

    @property
    def good(self) -> bool:
        """Whether all light arrives where it should, closes, and every measured branch passes."""
        return bool(self.report["good"])

    @property
    def astray(self) -> list[dict[str, Any]]:
        """Transmitters whose light arrives elsewhere.

        Keys: from, lacking, lit, past.
        """
        return [dict(found) for found in self.report["astray"]]

    @property
    def move_back(self) -> list[str]:
        """The plugs to move to where they were planned."""
        return [str(plug) for plug in self.report["move_back"]]

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Measured branches that do not pass.

        Keys: label, verdict, measured_db, least_db, most_db.
        """
        built = self.report["as_built"]
        return [dict(branch) for branch in built["failed"]] if built else []

    def _folder(self) -> str:
        out = self.report["out"]
        if out is None:
            raise DesignError("out: AsBuilt.plan needs a written plan; name a folder", field="out")
        return str(out)

    def __bool__(self) -> bool:
        return self.good

    def __repr__(self) -> str:
        if self.astray:
            return f"<AsBuilt: light of {count(len(self.astray), 'ToR')} arrives elsewhere>"
        built = self.report["as_built"] or {"moved": (), "measured": 0, "failed": ()}
        return (
            f"<AsBuilt: {count(len(built['moved']), 'moved plug')}, "
            f"{built['measured']:,} measured, {len(built['failed']):,} failed>"
        )
