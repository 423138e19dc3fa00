"""Placements that a search has found."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from lightloom._opened import Opened
from lightloom._pictures import tables
from lightloom._report import Report, count

Placed = TypeVar("Placed", bound=Opened)

_ROWS = (
    ("feeds, stock length (m)", "feeds_stock_m"),
    ("branches, stock length (m)", "branches_stock_m"),
    ("trunks, stock length (m)", "trunks_stock_m"),
    ("routed length (m)", "routed_m"),
    ("cords and trunks, cost", "cords_cost"),
    ("fullest tray (%)", "fullest_tray_percent"),
)


class Placement(Report, Generic[Placed]):
    """The racks that a search has found for the ToRs of a fabric.

    Attributes
    ----------
    fabric : Fabric
        The fabric with its ToRs in these racks.
    """

    fabric: Placed

    def __init__(self, fabric: Placed, report: dict[str, Any]) -> None:
        super().__init__(report)
        self.fabric = fabric

    @property
    def before(self) -> dict[str, Any]:
        """Lengths, cost and trays of the cords before the search; ``None`` is unknown."""
        return dict(self.report["before"])

    @property
    def after(self) -> dict[str, Any]:
        """The same after the search."""
        return dict(self.report["after"])

    @property
    def curve(self) -> npt.NDArray[np.int64]:
        """The least cost after each round: micro-units of the currency, or micrometres (int64)."""
        return np.array(self.report["curve"], np.int64)

    @property
    def moved_tors(self) -> int:
        """The number of ToRs that stand in another rack than before."""
        return int(self.report["moved_tors"])

    @property
    def moved_cords(self) -> int | None:
        """Cords of the kept plan that run between other racks; ``None`` if no plan is kept."""
        found: int | None = self.report["moved_cords"]
        return found

    @property
    def not_taken(self) -> str | None:
        """Why what was found was not taken; ``None`` if it was, or if nothing better was found."""
        found: str | None = self.report["not_taken"]
        return found

    @property
    def missing(self) -> str:
        """What a stopped search has not done; an empty text if it is whole."""
        left = int(self.report["rounds"]) - int(self.report["rounds_done"])
        return f"{left:,} of {count(int(self.report['rounds']), 'round')}" if left else ""

    def __reduce__(self) -> tuple[object, ...]:
        return (Placement, (self.fabric, self.report))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Placement):
            return NotImplemented
        return self.report == other.report and bool(self.fabric == other.fabric)

    def __repr__(self) -> str:
        before, after = (self._stock(part) for part in (self.before, self.after))
        return (
            f"<Placement: {count(self.moved_tors, 'ToR')} moved, {after:,.0f} m of stock length, "
            f"before {before:,.0f} m>"
        )

    @staticmethod
    def _stock(part: dict[str, Any]) -> float:
        parts = ("feeds_stock_m", "branches_stock_m", "trunks_stock_m")
        return float(sum(part[key] for key in parts))

    def _repr_html_(self) -> str:
        before, after = self.before, self.after
        rows = [
            (name, f"{before[key]:,.0f}", f"{after[key]:,.0f}")
            for name, key in _ROWS
            if before[key] is not None and after[key] is not None
            # Most plans have no trunks.
            if key != "trunks_stock_m" or before[key] > 0
        ]
        return tables.table(repr(self)[1:-1], ("cords", "before", "after"), rows)
