"""Plans: folders with the files to build from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._frames import of_file, of_rows
from lightloom._lightloom import Project
from lightloom._lightloom import as_built_form as form_of_folder
from lightloom._lightloom import draw as draw_folder
from lightloom._lightloom import grow as grow_folder
from lightloom._lightloom import report as report_folder
from lightloom._lightloom import shrink as shrink_folder
from lightloom._lightloom import take_as_built as take_folder
from lightloom._report import Report, by_tor, count, parse
from lightloom._settings import PathText
from lightloom._stops import asked, told
from lightloom.as_built import AsBuilt
from lightloom.configs import Told
from lightloom.growth import Growth
from lightloom.linting import Lint, lint
from lightloom.verification import Verification, verify

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


def _page(report: tuple[str, bool]) -> str:
    return report[0]


class Plan(Told, Report):
    """A plan in a folder, with its report and proof.

    Attributes
    ----------
    folder : str
        The folder of the plan.
    fabric : Fabric
        The fabric of the plan.
    """

    folder: str
    fabric: Fabric

    def __init__(self, folder: str, report: dict[str, Any], fabric: Fabric) -> None:
        super().__init__(report)
        self.folder, self.fabric = folder, fabric

    @classmethod
    def open(cls, folder: PathText, *, memory: str | None = None) -> Plan:
        """Opens the plan of a folder from its ``plan.json``; :meth:`verify` checks it.

        Parameters
        ----------
        folder : path
            The plan's folder.
        memory : str, optional
            Most memory that work on the plan may take, such as ``"8 GB"``; by default what the
            machine has left. It is estimated before work begins, and more is refused.

        Raises
        ------
        DesignError
            If the folder has no plan of lightloom, or if it needs more memory.
        """
        from lightloom.fabric import Fabric

        place = _inputs.path("folder", folder)
        project, document = Project.open_plan(place, _inputs.optional_text("memory", memory))
        return cls(place, parse(document)["report"], Fabric._of(project))

    @property
    def _memory(self) -> str | None:
        return self.fabric._project.memory

    @property
    def optical(self) -> str:
        """The optical verdict; ``not assessed`` if the design names no optics."""
        return str(self.report["optical"])

    @property
    def lit(self) -> bool:
        """Whether the light arrives, or was not assessed."""
        return self.optical in ("not assessed", "pass", "warn", "marginal")

    @property
    def cut_off(self) -> dict[int, list[int]]:
        """For each source that the failures of the plan cut off from ToRs, those ToRs."""
        return by_tor(self.report["verification"].get("cut_off", {}))

    @property
    def without_failures(self) -> dict[str, Any] | None:
        """Hops, loads and proof without the failures that the plan goes around.

        ``None`` if it goes around none.
        """
        found: dict[str, Any] | None = self.report.get("without_failures")
        return found

    @property
    def warnings(self) -> list[str]:
        """Warnings: trays over the planned fill, and link fault signalling that stays on.

        ``report["warnings"]`` has the numbers.
        """
        return [str(warning["message"]) for warning in self.report["warnings"]]

    @property
    def unplaced(self) -> list[dict[str, Any]]:
        """Parts on fibres that are counted but have no place in the hall yet.

        The budget and the bill count them. Keys: item, part, per_feed, per_branch, quantity.
        """
        return [dict(part) for part in self.report["unplaced"]]

    @property
    def assumed(self) -> list[dict[str, Any]]:
        """The assumptions of the plan: values that the input does not give.

        Keys: what, value, said_by (the settings or the column that would give the value), racks.
        Empty for a plan that was opened from its folder, because a folder has all values.
        """
        return [dict(assumption) for assumption in self.report.get("assumed", ())]

    def verify(self, progress: Progress = None) -> Verification:
        """Checks the plan from its files alone."""
        return verify(self.folder, progress, memory=self._memory)

    def grow(
        self,
        tors: int | None = None,
        out: PathText | None = None,
        *,
        phases: Iterable[int] = (),
        pin: str | None = None,
        most_moves: int | None = None,
        inventory: PathText | None = None,
        progress: Progress = None,
    ) -> Growth:
        """Adds ToRs: few transmit cords of old ToRs move, and no receive cord.

        With splitters at the senders the branches of these ToRs move instead.

        Parameters
        ----------
        tors : int, optional
            Number of ToRs afterwards; without it the first of ``phases``.
        out : path, optional
            The folder to write the new plan to. Without it, nothing is written.
        phases : iterable of int, optional
            Numbers of ToRs of this phase and of later ones, ascending.
        pin : str, optional
            ToRs and ports whose cords must not move, separated by commas: numbers or racks, and
            ports after a colon (``R7:tx``, ``R7:rx2``, or ``R7:2`` for both).
        most_moves : int, optional
            Largest number of ToRs whose cords may move.
        inventory : path, optional
            A file with all racks of the plan and more.

        Raises
        ------
        DesignError
            If the plan was edited, or cannot grow as asked.
        InfeasibleError
            If the new plan is not correct.
        """
        wanted = None if tors is None else _inputs.number("tors", tors)
        sizes = [_inputs.number("phases", size) for size in phases]
        most = None if most_moves is None else _inputs.number("most_moves", most_moves)
        pinned = _inputs.optional_text("pin", pin) or ""
        listed = None if inventory is None else _inputs.path("inventory", inventory)
        place = None if out is None else _inputs.path("out", out)
        with watching(progress, "Planning and proving") as update:
            return told(
                lambda: grow_folder(
                    self.folder, wanted, sizes, pinned, most, listed, place, self._memory, update
                ),
                Growth,
                "the growth; nothing was written",
            )

    def shrink(
        self,
        tors: int | None = None,
        out: PathText | None = None,
        *,
        racks: str | None = None,
        progress: Progress = None,
    ) -> Growth:
        """Takes ToRs out: those that stay keep their racks, labels and receive cords.

        Parameters
        ----------
        tors : int, optional
            Number of ToRs afterwards: those that the last cassettes feed leave.
        out : path, optional
            The folder to write the new plan to. Without it, nothing is written.
        racks : str, optional
            The ToRs that leave: racks or numbers, separated by commas.

        Raises
        ------
        DesignError
            If the plan was edited, or cannot shrink as asked.
        InfeasibleError
            If the new plan is not correct.
        """
        wanted = None if tors is None else _inputs.number("tors", tors)
        leaving = _inputs.optional_text("racks", racks)
        place = None if out is None else _inputs.path("out", out)
        with watching(progress, "Planning and proving") as update:
            return told(
                lambda: shrink_folder(self.folder, wanted, leaving, place, self._memory, update),
                Growth,
                "the smaller plan; nothing was written",
            )

    def as_built_form(self) -> str:
        """The form that crews fill in and return, as the text of a CSV file.

        One row a cord, a trunk and a connector of a trunk: where its plugs really are (``near_at``,
        ``far_at``), its length, the measured loss and a remark.
        """
        return asked(lambda: form_of_folder(self.folder, self._memory), bytes.decode, "the form")

    def as_built(
        self, returned: PathText, out: PathText | None = None, progress: Progress = None
    ) -> AsBuilt:
        """Takes back what a crew tells of the plan.

        The light is followed over the cables as they are. If all of it arrives where it should,
        there is a plan as it was built; otherwise the answer says which plugs to move back.

        Parameters
        ----------
        returned : path
            The form, filled in, or a CSV file with some of its columns and rows.
        out : path, optional
            The folder to write the plan as it was built to. Without it, nothing is written.

        Raises
        ------
        DesignError
            If the sheet is wrong or of another plan, or if the plan was edited.
        """
        sheet = _inputs.path("returned", returned)
        place = None if out is None else _inputs.path("out", out)
        with watching(progress, "Planning and proving") as update:
            return told(
                lambda: take_folder(self.folder, sheet, place, self._memory, update),
                AsBuilt,
                "the plan as it was built; nothing was written",
            )

    def as_html(self, date: str | None = None, progress: Progress = None) -> str:
        """The report of the plan for those who decide and sign, as ``lightloom report`` writes it.

        One file for the screen and for print, with nothing from elsewhere. The plan is made
        and proved again, and its files are compared. A plan that was made by
        :meth:`Fabric.plan` also has its assumptions; one that was opened from a folder has
        the values that it rests on.

        Parameters
        ----------
        date : str, optional
            The date on the report, such as ``"2026-03-31"``; without it a line is left to fill in.

        Raises
        ------
        DesignError
            If a file of the folder is missing or broken, or if the date is none.
        """
        design = self.fabric._project if "assumed" in self.report else None
        with watching(progress, "Proving") as update:
            return asked(
                lambda: report_folder(self.folder, design, date, self._memory, update),
                _page,
                "the report",
            )

    def drawings(self) -> str:
        """The floor plan and the elevations of all racks as HTML that prints on A3."""
        return asked(lambda: draw_folder(self.folder, self._memory), str, "the drawings")

    def netbox(
        self,
        out: PathText | None = None,
        *,
        site: str | None = None,
        location: str | None = None,
        with_racks: bool = False,
        with_switches: bool = False,
    ) -> dict[str, str]:
        """The plan's shelves, modules, ports and cables as files that NetBox 4.5 or later imports.

        Parameters
        ----------
        out : path, optional
            A folder to write the files to.
        site : str, optional
            The site in NetBox that the racks belong to (default: the sites of the plan's rooms).
        location : str, optional
            The location in NetBox that the racks belong to.
        with_racks, with_switches : bool, optional
            Whether there are files for site, location and racks, and for the switches too.

        Returns
        -------
        dict[str, str]
            The text of each file by name, in the order of the import.

        Raises
        ------
        DesignError
            If the files of the folder were edited, or if NetBox would refuse a name.
        """
        wanted = (
            None if out is None else _inputs.path("out", out),
            _inputs.optional_text("site", site),
            _inputs.optional_text("location", location),
            _inputs.flag("with_racks", with_racks),
            _inputs.flag("with_switches", with_switches),
        )

        def texts(raw: str) -> dict[str, str]:
            return {name: str(text) for name, text in parse(raw).items() if name != "format"}

        project = Project.open_written(self.folder, self._memory)
        return asked(lambda: project.netbox(*wanted), texts, "the files; nothing was written")

    def cables(self) -> pd.DataFrame:
        """Every fibre, as listed in ``cables.csv``."""
        return self._table("cables.csv", "Plan.cables()")

    def ports(self) -> pd.DataFrame:
        """The use of each port and transceiver, as listed in ``ports.csv``."""
        return self._table("ports.csv", "Plan.ports()")

    def bom(self) -> pd.DataFrame:
        """The parts to order, as listed in ``bom.csv``."""
        return self._table("bom.csv", "Plan.bom()")

    def trays(self) -> pd.DataFrame:
        """Cable trays and ways between rooms, fullest first.

        Columns: tray, fibres, fill_percent, from_m and to_m (the fullest stretch of the tray). With
        a building file also pathway (its kind), room (none for a way), existing_percent (filled by
        existing cables) and most_percent (to plan for).
        """
        return of_rows(self.report["trays"], _TRAYS, "Plan.trays()")

    def lint(
        self,
        dialect: str | None = None,
        *,
        encoding: str | None = None,
        groups: PathText | None = None,
    ) -> Lint:
        """What would go wrong on real switches, as ``lightloom lint`` finds it."""
        return lint(self.fabric._project, dialect, encoding, groups)

    def _table(self, name: str, caller: str) -> pd.DataFrame:
        return of_file(os.path.join(self.folder, name), caller)

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
