"""The sheets of a written plan as tables."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lightloom._frames import of_file, of_rows
from lightloom._report import Report

if TYPE_CHECKING:
    import pandas as pd


_TRAYS = {
    "tray": "text",
    "fibres": "whole",
    "fill_percent": "real",
    "from_m": "real",
    "to_m": "real",
}


class Sheets(Report):
    """A plan in a folder, whose sheets are read as tables."""

    folder: str

    def cables(self) -> pd.DataFrame:
        """Every fibre, as listed in ``cables.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     cables = plan.cables()
        >>> len(cables)
        24
        """
        return self._table("cables.csv", "Plan.cables()")

    def ports(self) -> pd.DataFrame:
        """The use of each port and transceiver, as listed in ``ports.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     ports = plan.ports()
        >>> len(ports) > 0
        True
        """
        return self._table("ports.csv", "Plan.ports()")

    def bom(self) -> pd.DataFrame:
        """The parts to order, as listed in ``bom.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     bom = plan.bom()
        >>> "quantity" in bom
        True
        """
        return self._table("bom.csv", "Plan.bom()")

    def trays(self) -> pd.DataFrame:
        """Cable trays and ways between rooms, fullest first.

        Columns: tray, fibres, fill_percent, from_m and to_m (the fullest stretch of the tray). With
        a building file also pathway (its kind), room (none for a way), existing_percent (filled by
        existing cables) and most_percent (to plan for).

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     trays = plan.trays()
        >>> len(trays) > 0
        True
        """
        return of_rows(self.report["trays"], _TRAYS, "Plan.trays()")

    def _table(self, name: str, caller: str) -> pd.DataFrame:
        return of_file(os.path.join(self.folder, name), caller)
