"""Plans that grow and shrink."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lightloom._frames import of_file
from lightloom._report import Report, count
from lightloom.errors import DesignError

if TYPE_CHECKING:
    import pandas as pd


class GrowthReport(Report):
    """What a :class:`lightloom.Growth` says, without its new plan."""

    @property
    def moved(self) -> list[str]:
        """Racks of the ToRs whose transmit cord moves, or whose branches do."""
        return [str(rack) for rack in self.report["moved"]]

    @property
    def least_parallel_sources(self) -> int:
        """Sources at line rate at the same time, in the worst state of all stages."""
        return int(self.report["least_parallel_sources"])

    def cords(self) -> pd.DataFrame:
        """The cords in the order of work, as listed in ``growth.csv``.

        Raises
        ------
        DesignError
            If no folder was written.

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import samples
        >>> with samples.plan() as plan, tempfile.TemporaryDirectory() as folder:
        ...     cords = plan.grow(10, folder + "/grown").cords()
        >>> len(cords) > 0
        True
        """
        file = os.path.join(self._folder("Growth.cords()"), "growth.csv")
        return of_file(file, "Growth.cords()")

    @property
    def _moved_cords(self) -> int:
        report = self.report
        return int(report["moved_transmit_cords"]) + int(report["moved_receive_cords"])

    def _folder(self, caller: str) -> str:
        out = self.report["out"]
        if out is None:
            raise DesignError(f"out: {caller} needs a written plan; name a folder", field="out")
        return str(out)

    def __repr__(self) -> str:
        return (
            f"<Growth: {self.report['tors_before']:,} to {count(self.report['tors'], 'ToR')}, "
            f"{count(self._moved_cords, 'cord')} moved>"
        )
