"""Results of the packet twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._lightloom import read_run, write_run
from lightloom._pictures import results
from lightloom._report import count, parse
from lightloom._run_tables import RunTables
from lightloom._settings import PathText

if TYPE_CHECKING:
    pass

_TABLES = ("flows", "throughput", "receivers", "copies", "messages")
Values = npt.NDArray[np.float64]


def _not_simulated(end: dict[str, Any]) -> str:
    """The simulated time that a stopped run has not reached."""
    if end["how"] != "stopped":
        return ""
    until = end.get("until_ps")
    whole = "" if until is None else f" to {until / 1e12:g} s"
    return f"simulated time from {end['reached_ps'] / 1e12:g} s{whole}"


class Result(RunTables):
    """The result of one run or of several.

    A result of several runs (``seeds``) has only :meth:`replicas` and the report. Flows, links and
    throughput belong to single runs.
    """

    @classmethod
    def open(cls, folder: PathText) -> Result:
        """Opens the results of a folder that ``run(out=...)`` or ``lightloom simulate`` wrote.

        Raises
        ------
        SimulationError
            If a file is missing or cannot be read.

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import samples
        >>> from lightloom import Result
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result = samples.scenario().run(out=folder + "/run")
        ...     again = Result.open(folder + "/run")
        >>> again == result
        True
        """
        report, files = read_run(_inputs.path("folder", folder))
        return cls(parse(report), files)

    def save(self, folder: PathText) -> None:
        """Writes the results to a folder in one step, as ``run(out=...)`` does.

        Raises
        ------
        SimulationError
            If the folder cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import samples
        >>> from lightloom import Result
        >>> result = samples.scenario().run()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.save(folder + "/run")
        ...     again = Result.open(folder + "/run")
        >>> again == result
        True
        """
        write_run(_inputs.path("folder", folder), self._files)

    @property
    def end(self) -> str:
        """How the run ended; for several runs the worst end.

        From best to worst: done, time (the end of the run was reached), stopped, unacknowledged
        (everything was delivered and only acknowledgements are lost), failed (some receivers will
        never have their messages: ``report["end"]["failures"]``), deadlock (the end of the run was
        reached, and some ports are paused for ever: ``report["end"]["rings"]``), stalled or fault.
        """
        if not self.several:
            return str(self.report["end"]["how"])
        order = (
            "done",
            "time",
            "stopped",
            "unacknowledged",
            "failed",
            "deadlock",
            "stalled",
            "fault",
        )
        return max((str(run["end"]["how"]) for run in self.report["replicas"]), key=order.index)

    @property
    def finished(self) -> bool:
        """Whether the run ended by itself: all done, or at the scenario's end time."""
        return self.end in ("done", "time")

    @property
    def missing(self) -> str:
        """What a stopped simulation has not simulated; an empty text if it was not stopped."""
        if not self.several:
            return _not_simulated(self.report["end"])
        stopped = [
            f"seed {run['seed']}: {_not_simulated(run['end'])}"
            for run in self.report["replicas"]
            if run["end"]["how"] == "stopped"
        ]
        begun = len(self.report["replicas"])
        waiting = self.report.get("not_begun", [])
        if waiting:
            stopped.append(f"{len(waiting):,} of {count(begun + len(waiting), 'run')} not begun")
        return "; ".join(stopped)

    @property
    def records_flows(self) -> bool:
        """Whether the result has a series for each flow."""
        return "flow-throughput.arrow" in self._files

    @property
    def manifest(self) -> dict[str, Any]:
        """The origin of the result: version, hashes of files, seed, every constant in force."""
        found: dict[str, Any] = self.report["manifest"]
        return found

    @property
    def fct_s(self) -> Values:
        """Completion time of each flow in seconds (float64); NaN if it did not complete."""
        values, known = self._flows["completion_ps"]
        return np.where(known, values / 1e12, np.nan)

    @property
    def slowdown(self) -> Values:
        """Completion time of each flow divided by its time alone in the network (float64).

        NaN if the flow did not complete.
        """
        found: Values = self._flows["slowdown"]
        return found

    @property
    def time_s(self) -> Values:
        """The start of each interval of :attr:`goodput_bps`, in seconds (float64)."""
        return np.asarray(self._throughput["start_ps"], np.float64) / 1e12

    @property
    def goodput_bps(self) -> Values:
        """Payload that arrived in order at all hosts, in bits per second, by interval (float64)."""
        found: Values = self._throughput["goodput_bps"]
        return found

    @property
    def multicasts(self) -> list[dict[str, Any]]:
        """The messages to groups, as in the report; of several runs with means and intervals."""
        return list(self.report.get("multicasts", []))

    @property
    def collectives(self) -> list[dict[str, Any]]:
        """The collective operations, as in the report; of several runs with means and intervals."""
        return list(self.report.get("collectives", []))

    @property
    def jobs(self) -> list[dict[str, Any]]:
        """The jobs of several collective operations, as in the report."""
        return list(self.report.get("jobs", []))

    @property
    def traces(self) -> list[dict[str, Any]]:
        """The traces of applications, as in the report."""
        return list(self.report.get("traces", []))

    @property
    def ledger(self) -> list[dict[str, Any]]:
        """What messages asked for, what went out for it, and where it ended, as in the report.

        Empty of several runs.
        """
        return list(self.report.get("ledger", []))

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The reliable groups, as in the report."""
        return list(self.report.get("groups", []))

    @property
    def admission(self) -> dict[str, Any] | None:
        """Admission of messages over light, as in the report; ``None`` without it."""
        return self.report.get("admission")

    @property
    def queue_pair_errors(self) -> list[dict[str, Any]]:
        """The messages that ended in errors of their queue pairs, as in the report."""
        return list(self.report.get("queue_pair_errors", []))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self._timeless() == other._timeless() and self._files == other._files

    def _timeless(self) -> dict[str, Any]:
        """The report without version and computing time, which written results do not have."""
        beside = ("format", "timing")
        return {key: value for key, value in self.report.items() if key not in beside}

    def __reduce__(self) -> tuple[object, ...]:
        return (Result, (self.report, self._files))

    def _repr_html_(self) -> str:
        if self.several:
            return results.several_runs(self.report["replicas"])
        return results.one_run(self.report, self.end, self.goodput_bps.tolist())

    def __repr__(self) -> str:
        if self.several:
            return f"<Result of {count(len(self.report['replicas']), 'run')}: {self.end}>"
        flows, groups = self.report["flows"], self.report.get("to_groups")
        said = [f"{self.end} at {self.report['end']['reached_ps'] / 1e12:g} s"]
        for found, nouns in ((flows, "flows"), (groups, "messages to groups")):
            of = found["completed"] + found["unfinished"] if found else 0
            if found and of:
                said.append(f"{found['completed']:,} of {of:,} {nouns} completed")
        said.append(results.gbps(self.report["goodput"]["all"]))
        return f"<Result: {', '.join(said)}>"
