"""What every switch must be told, in the language of the switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightloom import _inputs
from lightloom._lightloom import configs, configs_diff
from lightloom._lightloom import verify_configs as compare
from lightloom._report import Report, by_tor, count
from lightloom._stops import told

if TYPE_CHECKING:
    from lightloom._lightloom import Project
    from lightloom._settings import PathText

    # The folder of a plan, and the memory that work on it may take.
    _InFolder = tuple[str, str | None]


class Texts(Report):
    """Files with what they are. ``texts`` has the content of each file by its name."""

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
    """The changes from the rules of one plan to those of another, in phases, and the way back.

    Keys of ``report``: those of ``rollout.json`` (``stamps``, ``phases``, ``proof``,
    ``not_expressed``) and ``texts``.
    """

    @property
    def proof(self) -> str:
        """What stands behind the files."""
        return str(self.report["proof"])

    @property
    def not_expressed(self) -> list[dict[str, Any]]:
        """What the dialect cannot express, phases among it.

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
    """What switches have, compared with what they were given.

    Keys of ``report``: ``good``, ``faults``, ``first_faults``, ``right``, ``not_read``,
    ``drifted``, ``packets``, ``neighbours``, ``not_heard``, ``probes`` and ``ignored``.
    """

    @property
    def good(self) -> bool:
        """Whether every switch was read and has what it was given."""
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
    """Compares what was read back from OpenFlow switches with the folder of their configurations.

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
    return told(lambda: compare(given, found, bool(partial)), ReadBack, "the comparison")


class Told:
    """A plan whose switches can be told what to do."""

    folder: str

    @property
    def _memory(self) -> str | None:
        raise NotImplementedError

    def configs(
        self,
        dialect: str = "openflow",
        out: PathText | None = None,
        *,
        encoding: str | None = None,
        groups: PathText | None = None,
    ) -> Configs:
        """What every switch must be told, in the language of the switches.

        Parameters
        ----------
        dialect : str, optional
            The language, such as ``"openflow"``.
        out : path, optional
            A folder to write the files to.
        encoding : {"literal", "masked", "masked-destination", "roots"}, optional
            How entries match the ToR that sent a packet (default: masked).
        groups : path, optional
            The file of servers and groups (TOML).

        Raises
        ------
        DesignError
            If the groups are wrong, if the switches cannot do it, or if the plan was edited.
        """
        return made((self.folder, self._memory), dialect, out, encoding, groups)

    def rollout(
        self,
        new: Told,
        dialect: str = "openflow",
        out: PathText | None = None,
        *,
        encoding: str | None = None,
        groups: PathText | None = None,
        old_groups: PathText | None = None,
    ) -> Rollout:
        """What changes on the switches from this plan to another one, phase by phase.

        Parameters
        ----------
        new : Plan
            The plan whose rules the switches get, such as one that recovers from failures.
        dialect, out, encoding, groups
            As in :meth:`configs`.
        old_groups : path, optional
            The file of servers and groups that the switches have (default: ``groups``).
        """
        old, later = (self.folder, self._memory), (new.folder, new._memory)
        return changed(old, later, dialect, out, encoding, groups, old_groups)


def made(
    source: Project | _InFolder,
    dialect: str,
    out: PathText | None,
    encoding: str | None,
    groups: PathText | None,
) -> Configs:
    """The configurations of a fabric, or of the plan in a folder."""
    wanted = _wanted(dialect, out, encoding, groups)
    return told(
        lambda: configs(source, *wanted), Configs, "the configurations; nothing was written"
    )


def changed(
    old: Project | _InFolder,
    new: Project | _InFolder,
    dialect: str,
    out: PathText | None,
    encoding: str | None,
    groups: PathText | None,
    old_groups: PathText | None = None,
) -> Rollout:
    """The changes from one fabric or plan to another."""
    had = None if old_groups is None else _inputs.path("old_groups", old_groups)
    wanted = _wanted(dialect, out, encoding, groups)
    return told(
        lambda: configs_diff(old, new, *wanted, had), Rollout, "the rollout; nothing was written"
    )


def _wanted(
    dialect: str, out: PathText | None, encoding: str | None, groups: PathText | None
) -> tuple[str, str | None, str | None, str | None]:
    return (
        _inputs.text("dialect", dialect),
        _inputs.optional_text("encoding", encoding),
        None if groups is None else _inputs.path("groups", groups),
        None if out is None else _inputs.path("out", out),
    )
