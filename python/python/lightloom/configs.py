"""Configurations of switches, rollouts between them, and checks of what switches have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightloom import _inputs
from lightloom._lightloom import configs, configs_diff
from lightloom._lightloom import verify_configs as compare
from lightloom._report import Report, by_tor, count
from lightloom._stops import report_of

if TYPE_CHECKING:
    from lightloom._lightloom import Project
    from lightloom._settings import PathText

    # The folder of a plan, and the memory that work on it may take.
    _InFolder = tuple[str, str | None]


class Texts(Report):
    """A report about files. ``texts`` has the content of each file by its name."""

    @property
    def texts(self) -> dict[str, str]:
        """The content of each file by its name."""
        return {str(name): str(text) for name, text in self.report["texts"].items()}


class Configs(Texts):
    """Configurations of all switches of a fabric.

    Keys of ``report``: those of ``configs.json`` (``dialect``, ``encoding``, ``stamp``,
    ``servers``, ``groups``, ``time_to_live``, ``switches``) and ``texts``.
    """

    @property
    def stamp(self) -> str:
        """The stamp of the rules of all switches."""
        return str(self.report["stamp"])

    @property
    def time_to_live(self) -> int:
        """The time to live that servers must send with."""
        return int(self.report["time_to_live"])

    @property
    def switches(self) -> list[dict[str, Any]]:
        """Stamp and sizes of the tables of each switch, ToR 0 first."""
        return [dict(sizes) for sizes in self.report["switches"]]

    def __repr__(self) -> str:
        switches = count(len(self.report["switches"]), "switch")
        return f"<Configs: {switches}, {self.report['dialect']}, {self.report['encoding']}>"


class Rollout(Texts):
    """The changes from the rules of one plan to those of another, in phases, with the rollback.

    Keys of ``report``: those of ``rollout.json`` (``stamps``, ``phases``, ``proof``,
    ``not_expressed``) and ``texts``.
    """

    @property
    def proof(self) -> str:
        """What was proved about the files, in words."""
        return str(self.report["proof"])

    @property
    def not_expressed(self) -> list[dict[str, Any]]:
        """What the dialect cannot express, phases included.

        Keys: ``what``, ``why``, ``instead``, ``switches`` and ``loses_packets``.
        """
        return [dict(lacks) for lacks in self.report.get("not_expressed", [])]

    @property
    def phases(self) -> list[dict[str, Any]]:
        """The phases, in order: name, switches (for each, its files in order), drain_ps, loses."""
        return [dict(phase) for phase in self.report["phases"]]

    @property
    def stamps(self) -> dict[int, dict[str, str | None]]:
        """For each switch that changes, its stamps before (``from``) and after (``to``)."""
        return by_tor(self.report["stamps"])

    def __repr__(self) -> str:
        switches = count(len(self.report["stamps"]), "switch")
        return f"<Rollout: {count(len(self.report['phases']), 'phase')}, {switches}>"


class ReadBack(Report):
    """The tables that were read back from switches, compared with their configurations.

    Keys of ``report``: ``good``, ``faults``, ``first_faults``, ``right``, ``not_read``,
    ``drifted``, ``packets``, ``neighbours``, ``not_heard``, ``probes`` and ``ignored``.
    """

    @property
    def good(self) -> bool:
        """Whether every switch was read and has its configuration."""
        return bool(self.report["good"])

    @property
    def faults(self) -> list[str]:
        """The first differences."""
        return [str(fault) for fault in self.report["first_faults"]]

    @property
    def drifted(self) -> list[int]:
        """Switches with other rules, or without their stamp."""
        return [int(tor) for tor in self.report["drifted"]]

    def __bool__(self) -> bool:
        return self.good

    def __repr__(self) -> str:
        return f"<ReadBack: {count(int(self.report['faults']), 'difference')}>"


def verify_configs(configs: PathText, read_back: PathText, *, partial: bool = False) -> ReadBack:
    """Compares tables that were read back from OpenFlow switches with their configurations.

    Parameters
    ----------
    configs : path
        The folder that ``configs`` wrote.
    read_back : path
        A folder with ``tor-N.dump-flows`` and ``tor-N.dump-groups`` of each switch, as ``ovs-ofctl
        --no-names`` prints them, and perhaps ``neighbours.csv`` and ``probes.csv``.
    partial : bool, default False
        Whether ``neighbours.csv`` lists only what was heard. Otherwise a port without a row was not
        heard, which is a difference.

    Raises
    ------
    DesignError
        If a file is missing or has the wrong format.
    """
    given, found = _inputs.path("configs", configs), _inputs.path("read_back", read_back)
    return report_of(lambda: compare(given, found, bool(partial)), ReadBack, "the comparison")


def configs_of(
    source: Project | _InFolder,
    dialect: str,
    out: PathText | None,
    encoding: str | None,
    groups: PathText | None,
) -> Configs:
    """The configurations of a fabric, or of the plan in a folder."""
    wanted = _options(dialect, out, encoding, groups)
    return report_of(
        lambda: configs(source, *wanted), Configs, "the configurations; nothing was written"
    )


def rollout_of(
    old: Project | _InFolder,
    new: Project | _InFolder,
    dialect: str,
    out: PathText | None,
    encoding: str | None,
    groups: PathText | None,
    old_groups: PathText | None = None,
) -> Rollout:
    """The changes from one fabric or plan to another."""
    had = _inputs.optional_path("old_groups", old_groups)
    wanted = _options(dialect, out, encoding, groups)
    return report_of(
        lambda: configs_diff(old, new, *wanted, had), Rollout, "the rollout; nothing was written"
    )


def _options(
    dialect: str, out: PathText | None, encoding: str | None, groups: PathText | None
) -> tuple[str, str | None, str | None, str | None]:
    return (
        _inputs.text("dialect", dialect),
        _inputs.optional_text("encoding", encoding),
        _inputs.optional_path("groups", groups),
        _inputs.optional_path("out", out),
    )
