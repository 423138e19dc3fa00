"""Results of the packet twin."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _choices, _inputs
from lightloom._extras import need
from lightloom._frames import columns, frame, of_csv
from lightloom._lightloom import read_run, write_run
from lightloom._pictures import results
from lightloom._report import Report, count, parse
from lightloom._settings import PathText
from lightloom.errors import SimulationError

if TYPE_CHECKING:
    import pandas as pd

_TABLES = ("flows", "throughput", "receivers", "copies", "messages")
Values = npt.NDArray[np.float64]


def _not_simulated(end: dict[str, Any]) -> str:
    """The simulated time that a stopped run has not reached."""
    if end["how"] != "stopped":
        return ""
    until = end.get("until_ps")
    whole = "" if until is None else f" to {until / 1e12:g} s"
    return f"simulated time from {end['reached_ps'] / 1e12:g} s{whole}"


class Result(Report):
    """The result of one run or of several.

    A result of several runs (``seeds``) has only :meth:`replicas` and the report. Flows, links and
    throughput belong to single runs.
    """

    def __init__(self, report: dict[str, Any], files: dict[str, bytes]) -> None:
        super().__init__(report)
        self._files = files

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
        >>> from lightloom import Result
        >>> from lightloom import Scenario
        >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
        >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
        >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
        >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result = Scenario(said).run(out=folder + "/run")
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
        >>> from lightloom import Result
        >>> from lightloom import Scenario
        >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
        >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
        >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
        >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result = Scenario(said).run()
        ...     result.save(folder + "/run")
        ...     again = Result.open(folder + "/run")
        >>> again == result
        True
        """
        write_run(_inputs.path("folder", folder), self._files)

    @property
    def several(self) -> bool:
        """Whether the result is of several runs."""
        return "replicas" in self.report

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

    def flows(self) -> pd.DataFrame:
        """Every flow, with the columns of ``flows.csv``; times in picoseconds.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Scenario
        >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
        >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
        >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
        >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
        >>> len(Scenario(said).run().flows())
        1
        """
        return frame(self._flows, "Result.flows()")

    def throughput(self, flows: bool = False) -> pd.DataFrame:
        """Payload by interval: start_ps, bytes, goodput_bps; with ``flows`` by flow and interval.

        Flows are recorded if the scenario sets ``[probes] flows = true``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If flows were not recorded.

        Examples
        --------
        >>> from lightloom import Scenario
        >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
        >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
        >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
        >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
        >>> int(Scenario(said).run().throughput()["bytes"].sum())
        64000
        """
        by_flow = _inputs.flag("flows", flows)
        return frame(self._series if by_flow else self._throughput, "Result.throughput()")

    def group_throughput(self, receivers: bool = False) -> pd.DataFrame:
        """Payload of messages to groups by interval: message, start_ps, bytes, goodput_bps.

        With ``receivers`` by receiver too (``to``). They are recorded if the scenario sets
        ``[probes] groups = true`` or ``receivers = true``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If it was not recorded.

        Examples
        --------
        >>> from lightloom import Fabric, Scenario
        >>> group = {"name": "all", "members": "all", "transport": "datagram"}
        >>> message = {"group": "all", "from": 0, "size": "64 kB"}
        >>> network = {"hosts_per_tor": 1, "spines": 1, "rate": "100 Gb/s"}
        >>> network |= {"length": "20 m"}
        >>> said = {"version": 1, "until": "1 ms", "network": network}
        >>> said |= {"group": [group], "multicast": [message]}
        >>> said |= {"probes": {"copies": True, "groups": True}}
        >>> result = Scenario(said, network=Fabric(p=2, k=2)).run()
        >>> int(result.group_throughput()["bytes"].sum())
        448000
        """
        by_receiver = _inputs.flag("receivers", receivers)
        name = "receiver-throughput" if by_receiver else "group-throughput"
        return frame(self._columns(name), "Result.group_throughput()")

    def links(self) -> pd.DataFrame:
        """Every direction of every link, with the columns of ``links.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Scenario
        >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
        >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
        >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
        >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
        >>> len(Scenario(said).run().links()) > 2
        True
        """
        return self._sheet("links")

    @property
    def multicasts(self) -> list[dict[str, Any]]:
        """The messages to groups, as in the report; of several runs with means and intervals."""
        return list(self.report.get("multicasts", []))

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

    def receivers(self) -> pd.DataFrame:
        """Every receiver of every message to a group, with the columns of ``receivers.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the run has no messages to groups.

        Examples
        --------
        >>> from lightloom import Fabric, Scenario
        >>> group = {"name": "all", "members": "all", "transport": "datagram"}
        >>> message = {"group": "all", "from": 0, "size": "64 kB"}
        >>> network = {"hosts_per_tor": 1, "spines": 1, "rate": "100 Gb/s"}
        >>> network |= {"length": "20 m"}
        >>> said = {"version": 1, "until": "1 ms", "network": network}
        >>> said |= {"group": [group], "multicast": [message]}
        >>> said |= {"probes": {"copies": True, "groups": True}}
        >>> result = Scenario(said, network=Fabric(p=2, k=2)).run()
        >>> len(result.receivers())
        7
        """
        return self._sheet("receivers")

    def branches(self) -> pd.DataFrame:
        """Every branch of every splitter, with the columns of ``branches.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the run has no splitters.

        Examples
        --------
        >>> from lightloom import Fabric, Scenario
        >>> group = {"name": "all", "members": "all", "transport": "datagram"}
        >>> message = {"group": "all", "from": 0, "size": "64 kB"}
        >>> network = {"hosts_per_tor": 1, "spines": 1, "rate": "100 Gb/s"}
        >>> network |= {"length": "20 m"}
        >>> said = {"version": 1, "until": "1 ms", "network": network}
        >>> said |= {"group": [group], "multicast": [message]}
        >>> said |= {"probes": {"copies": True, "groups": True}}
        >>> result = Scenario(said, network=Fabric(p=2, k=2)).run()
        >>> len(result.branches())
        16
        """
        return self._sheet("branches")

    def copies(self) -> pd.DataFrame:
        """Packets of every message to a group by link and branch: the columns of ``copies.csv``.

        They are counted if the scenario sets ``[probes] copies = true``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If copies were not counted.

        Examples
        --------
        >>> from lightloom import Fabric, Scenario
        >>> group = {"name": "all", "members": "all", "transport": "datagram"}
        >>> message = {"group": "all", "from": 0, "size": "64 kB"}
        >>> network = {"hosts_per_tor": 1, "spines": 1, "rate": "100 Gb/s"}
        >>> network |= {"length": "20 m"}
        >>> said = {"version": 1, "until": "1 ms", "network": network}
        >>> said |= {"group": [group], "multicast": [message]}
        >>> said |= {"probes": {"copies": True, "groups": True}}
        >>> result = Scenario(said, network=Fabric(p=2, k=2)).run()
        >>> len(result.copies()) > 0
        True
        """
        return self._sheet("copies")

    def messages(self) -> pd.DataFrame:
        """Every message to a group in each of several runs: the columns of ``messages.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the result is of one run.

        Examples
        --------
        >>> from lightloom import Fabric, Scenario
        >>> group = {"name": "all", "members": "all", "transport": "datagram"}
        >>> message = {"group": "all", "from": 0, "size": "64 kB"}
        >>> network = {"hosts_per_tor": 1, "spines": 1, "rate": "100 Gb/s"}
        >>> network |= {"length": "20 m"}
        >>> said = {"version": 1, "until": "1 ms", "network": network}
        >>> said |= {"group": [group], "multicast": [message]}
        >>> said |= {"probes": {"copies": True, "groups": True}}
        >>> result = Scenario(said, network=Fabric(p=2, k=2)).run()
        >>> several = Scenario(said, network=Fabric(p=2, k=2)).run(seeds=2)
        >>> len(several.messages())
        2
        """
        return self._sheet("messages")

    def replicas(self) -> pd.DataFrame:
        """One row per run, with the columns of ``replicas.csv``.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.
        SimulationError
            If the result is of one run.

        Examples
        --------
        >>> from lightloom import Scenario
        >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
        >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
        >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
        >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
        >>> len(Scenario(said).run(seeds=3).replicas())
        3
        """
        return self._sheet("replicas")

    def arrow(self, table: _choices.ResultTable = "flows") -> Any:
        """A table in Arrow format, without a copy.

        Parameters
        ----------
        table : {"flows", "throughput", "receivers", "copies", "messages"}
            The table.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        ImportError
            If pyarrow is missing: ``pip install lightloom[arrow]``.
        SimulationError
            If there is no such table.

        Examples
        --------
        >>> from lightloom import Scenario
        >>> network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
        >>> network |= {"rate": "100 Gb/s", "length": "10 m"}
        >>> flow = {"from": 0, "to": 3, "size": "64 kB"}
        >>> said = {"version": 1, "until": "1 ms", "network": network, "flow": [flow]}
        >>> Scenario(said).run().arrow("flows").num_rows
        1
        """
        if not isinstance(table, str) or table not in _TABLES:
            words = ", ".join(_TABLES)
            raise SimulationError(f"found {table!r}; expected one of {words}", field="table")
        ipc = need("pyarrow", "Result.arrow()", "pyarrow.ipc")
        return ipc.open_file(self._file(f"{table}.arrow")).read_all()

    @cached_property
    def _flows(self) -> dict[str, Any]:
        return self._columns("flows")

    @cached_property
    def _series(self) -> dict[str, Any]:
        return self._columns("flow-throughput")

    @cached_property
    def _throughput(self) -> dict[str, Any]:
        return self._columns("throughput")

    def _columns(self, table: str) -> dict[str, Any]:
        name = f"{table}.arrow"
        return columns(name, self._file(name))

    def _sheet(self, table: str) -> pd.DataFrame:
        name = f"{table}.csv"
        return of_csv(self._file(name), name, f"Result.{table}()", SimulationError)

    def _file(self, name: str) -> bytes:
        if name not in self._files:
            of = "several runs" if self.several else "one run"
            raise SimulationError(f"{name}: is not among the results of {of}", file=name)
        return self._files[name]

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
