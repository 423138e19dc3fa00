"""Plans: folders of files that people build from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._frames import of_csv, of_rows
from lightloom._lightloom import Project
from lightloom._lightloom import verify as verify_folder
from lightloom._report import Report, count, parse
from lightloom._settings import PathText
from lightloom.errors import DesignError

if TYPE_CHECKING:
    import pandas as pd

    from lightloom.fabric import Fabric

_TRAYS = {
    "tray": "text",
    "fibres": "whole",
    "fill_percent": "real",
    "from_m": "real",
    "to_m": "real",
}
# Beside the plan in the summary of `lightloom plan`, and not in its files.
_BESIDE = ("format", "out", "assumed", "other_family", "doubled", "inventory")


class Verification(Report):
    """What the check of a plan's folder found."""

    @property
    def good(self) -> bool:
        """Whether files and packets are all as they must be."""
        return bool(self.report["good"])

    @property
    def faults(self) -> list[str]:
        """The first faults; ``report["faults"]`` counts all."""
        return list(self.report["first_faults"])

    def __bool__(self) -> bool:
        return self.good

    def __repr__(self) -> str:
        if self.good:
            proved = self.report["verification"]
            return (
                f"<Verification: good, {count(proved['fibres_checked'], 'fibre')}, "
                f"{proved['sources_checked']:,} of {count(proved['sources'], 'source')}>"
            )
        return f"<Verification: {count(self.report['faults'], 'fault')}: {self.faults[0]}>"


def verify(folder: PathText, progress: Progress = None) -> Verification:
    """Checks a written plan from its files alone.

    Parameters
    ----------
    folder : path
        The plan's folder.

    Raises
    ------
    DesignError
        When a file is missing or cannot be read as what it should be.
    """
    place = _inputs.path("folder", folder)
    with watching(progress, "Proving") as tell:
        return Verification(parse(verify_folder(place, tell)))


class Plan(Report):
    """A plan in a folder, and what was planned and proved.

    Attributes
    ----------
    folder : str
        Where it was written.
    fabric : Fabric
        The fabric that it is of.
    """

    folder: str
    fabric: Fabric

    def __init__(self, folder: str, report: dict[str, Any], fabric: Fabric) -> None:
        super().__init__(report)
        self.folder, self.fabric = folder, fabric

    @classmethod
    def open(cls, folder: PathText) -> Plan:
        """The plan that a folder holds, as ``plan.json`` describes it; :meth:`verify` checks it.

        Raises
        ------
        DesignError
            When the folder has no plan, or not one of lightloom.
        """
        from lightloom.fabric import Fabric

        place = _inputs.path("folder", folder)
        project, document = Project.open_plan(place)
        return cls(place, parse(document)["report"], Fabric._of(project))

    @property
    def optical(self) -> str:
        """Whether the light arrives; ``not assessed`` where the design names no optics."""
        return str(self.report["optical"])

    @property
    def lit(self) -> bool:
        """Whether the light is known to arrive, or was not asked about."""
        return self.optical in ("not assessed", "pass", "warn")

    @property
    def warnings(self) -> list[str]:
        """Warnings: trays over the planned share.

        ``report["warnings"]`` has the numbers.
        """
        return [str(warning["message"]) for warning in self.report["warnings"]]

    @property
    def unplaced(self) -> list[dict[str, Any]]:
        """Parts on fibres that are counted and have no place in the hall yet.

        The light and the bill count them. Keys: item, part, per_feed, per_branch, quantity.
        """
        return [dict(part) for part in self.report["unplaced"]]

    @property
    def assumed(self) -> list[dict[str, Any]]:
        """What the plan assumes because nothing said it.

        Keys: what, value, said_by (the settings or the column that would say it), racks. Empty for
        a plan that was opened from its folder, which says everything.
        """
        return [dict(assumption) for assumption in self.report.get("assumed", ())]

    def verify(self, progress: Progress = None) -> Verification:
        """Checks the plan from its files alone."""
        return verify(self.folder, progress)

    def cables(self) -> pd.DataFrame:
        """Every fibre, as ``cables.csv`` lists it."""
        return self._table("cables.csv", "Plan.cables()")

    def ports(self) -> pd.DataFrame:
        """What each port and transceiver is for, as ``ports.csv`` lists it."""
        return self._table("ports.csv", "Plan.ports()")

    def bom(self) -> pd.DataFrame:
        """What to order, as ``bom.csv`` lists it."""
        return self._table("bom.csv", "Plan.bom()")

    def trays(self) -> pd.DataFrame:
        """Cable trays, the fullest first.

        Columns: tray, fibres, fill_percent, and from_m and to_m, the fullest stretch of the tray.
        """
        return of_rows(self.report["trays"], _TRAYS, "Plan.trays()")

    def _table(self, name: str, caller: str) -> pd.DataFrame:
        file = os.path.join(self.folder, name)
        try:
            with open(file, "rb") as sheet:
                content = sheet.read()
        except (OSError, ValueError) as error:
            raise DesignError(f"{file}: cannot be read: {error}", file=file) from error
        return of_csv(content, file, caller, DesignError)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plan):
            return NotImplemented

        def planned(plan: Plan) -> dict[str, Any]:
            return {key: value for key, value in plan.report.items() if key not in _BESIDE}

        return planned(self) == planned(other) and self.fabric.tor_names == other.fabric.tor_names

    def __reduce__(self) -> tuple[object, ...]:
        return (Plan, (self.folder, self.report, self.fabric))

    def __repr__(self) -> str:
        own = self.report["housings"][0]
        return (
            f"<Plan in {self.folder!r}: {self.report['family']} of "
            f"{count(self.report['tors'], 'ToR')}, {count(own['fibres'], 'fibre')}, "
            f"{own['length_m']:,.0f} m, light {self.optical}>"
        )
