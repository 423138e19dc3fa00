"""Plans: folders with the files to build from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightloom import _choices, _inputs
from lightloom._extras import Progress, watching
from lightloom._lightloom import Project
from lightloom._lightloom import as_built_form as form_of_folder
from lightloom._lightloom import draw as draw_folder
from lightloom._lightloom import report as report_folder
from lightloom._opened import Opened
from lightloom._report import by_tor, count, parse
from lightloom._settings import PathText
from lightloom._sheets import Sheets
from lightloom._stops import answer_of
from lightloom.configs import Configs, Rollout, configs_of, rollout_of
from lightloom.linting import Lint, lint
from lightloom.verification import Verification, verify

if TYPE_CHECKING:
    pass

# Beside the plan in the summary of `lightloom plan`, and not in its files.
_BESIDE = ("format", "out", "assumed", "other_family", "doubled", "inventory")


def _html(made: tuple[str, bool]) -> str:
    return made[0]


class WrittenPlan(Sheets):
    """A plan in a folder, with all questions that lead to no other plan.

    Attributes
    ----------
    folder : str
        The folder of the plan.
    fabric : Opened
        The fabric of the plan.
    """

    folder: str
    fabric: Opened

    def __init__(self, folder: str, report: dict[str, Any], fabric: Opened) -> None:
        super().__init__(report)
        self.folder, self.fabric = folder, fabric

    @property
    def _place(self) -> tuple[str, str | None]:
        """The folder, and the memory that work on the plan may take."""
        return (self.folder, self.fabric._project.memory)

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
        return self.report.get("without_failures")

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
        """Checks the plan from its files alone.

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     checked = plan.verify()
        >>> checked.good
        True
        """
        return verify(self.folder, progress, memory=self.fabric._project.memory)

    def as_built_form(self) -> str:
        """The form that crews fill in and return, as the text of a CSV file.

        One row for each cord, each trunk and each connector of a trunk: where its plugs really are
        (``near_at``, ``far_at``), its length, the measured loss and a remark.

        Raises
        ------
        DesignError
            If an argument is wrong.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     form = plan.as_built_form()
        >>> form.startswith("label,")
        True
        """
        return answer_of(lambda: form_of_folder(self._place), bytes.decode, "the form")

    def as_html(self, date: str | None = None, progress: Progress = None) -> str:
        """The report of the plan for approval, as ``lightloom report`` writes it.

        One HTML file for screen and print, without external files. The plan is made and proved
        again, and its files are compared. A plan that :meth:`Fabric.plan` made also lists its
        assumptions; one that was opened from a folder lists the values that it rests on.

        Parameters
        ----------
        date : str, optional
            The date on the report, such as ``"2026-03-31"`` (default: a line to fill in).

        Raises
        ------
        DesignError
            If a file of the folder is missing or broken, or if the date is not a date.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     page = plan.as_html()
        >>> "<html" in page
        True
        """
        design = self.fabric._project if "assumed" in self.report else None
        with watching(progress, "Proving") as update:
            return answer_of(
                lambda: report_folder(self._place, design, date, update),
                _html,
                "the report",
            )

    def drawings(self) -> str:
        """The floor plan and the elevations of all racks as HTML that prints on A3.

        Raises
        ------
        DesignError
            If an argument is wrong.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     page = plan.drawings()
        >>> "<svg" in page
        True
        """
        return answer_of(lambda: draw_folder(self._place), str, "the drawings")

    def configs(
        self,
        dialect: _choices.Dialect = "openflow",
        out: PathText | None = None,
        *,
        encoding: _choices.Encoding | None = None,
        groups: PathText | None = None,
    ) -> Configs:
        """The configuration of every switch in one dialect.

        Parameters
        ----------
        dialect : str, optional
            The dialect, such as ``"openflow"``.
        out : path, optional
            A folder to write the files to.
        encoding : {"literal", "masked", "masked-destination", "roots"}, optional
            How entries match the ToR that sent a packet (default: masked).
        groups : path, optional
            The file of servers and groups (TOML).

        Raises
        ------
        DesignError
            If the groups are wrong, if switches cannot hold the rules, or if the plan was edited.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     configs = plan.configs("openflow")
        >>> "tor-0.flows" in configs.texts
        True
        """
        return configs_of(self._place, dialect, out, encoding, groups)

    def rollout(
        self,
        new: WrittenPlan,
        dialect: _choices.Dialect = "openflow",
        out: PathText | None = None,
        *,
        encoding: _choices.Encoding | None = None,
        groups: PathText | None = None,
        old_groups: PathText | None = None,
    ) -> Rollout:
        """The changes on the switches from this plan to another one, phase by phase.

        Parameters
        ----------
        new : Plan
            The plan whose rules the switches get, such as one that recovers from failures.
        dialect, out, encoding, groups
            As in :meth:`configs`.
        old_groups : path, optional
            The file of servers and groups that the switches have (default: ``groups``).

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import samples
        >>> with samples.plan() as plan, tempfile.TemporaryDirectory() as folder:
        ...     repaired = plan.fabric.recover("relay:5").apply(folder + "/repaired")
        ...     rollout = plan.rollout(repaired, "openflow")
        >>> type(rollout).__name__
        'Rollout'
        """
        return rollout_of(self._place, new._place, dialect, out, encoding, groups, old_groups)

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

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import samples
        >>> with samples.plan() as plan, tempfile.TemporaryDirectory() as folder:
        ...     files = plan.netbox(folder + "/netbox", site="Hall")
        >>> len(files) > 0
        True
        """
        wanted = (
            _inputs.optional_path("out", out),
            _inputs.optional_text("site", site),
            _inputs.optional_text("location", location),
            _inputs.flag("with_racks", with_racks),
            _inputs.flag("with_switches", with_switches),
        )

        def texts(raw: str) -> dict[str, str]:
            return {name: str(text) for name, text in parse(raw).items() if name != "format"}

        project = Project.open_written(self._place)
        return answer_of(lambda: project.netbox(*wanted), texts, "the files; nothing was written")

    def lint(
        self,
        dialect: _choices.Dialect | None = None,
        *,
        encoding: _choices.Encoding | None = None,
        groups: PathText | None = None,
        files: PathText | None = None,
    ) -> Lint:
        """What would go wrong on real switches, as ``lightloom lint`` finds it.

        ``files`` is a folder with ``tor-N.config_db.json`` of each switch, in the dialect
        ``sonic``: the lossless class that they have is compared with that of ``groups``.

        Raises
        ------
        DesignError
            If an argument is wrong.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     lint = plan.lint()
        >>> type(lint).__name__
        'Lint'
        """
        return lint(self.fabric._project, dialect, encoding, groups, files)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WrittenPlan):
            return NotImplemented

        def planned(plan: WrittenPlan) -> dict[str, Any]:
            return {key: value for key, value in plan.report.items() if key not in _BESIDE}

        return planned(self) == planned(other) and self.fabric.tor_names == other.fabric.tor_names

    def __repr__(self) -> str:
        own = self.report["housings"][0]
        return (
            f"<Plan in {self.folder!r}: {self.report['family']} of "
            f"{count(self.report['tors'], 'ToR')}, {count(own['fibres'], 'fibre')}, "
            f"{own['length_m']:,.0f} m, light {self.optical}>"
        )
