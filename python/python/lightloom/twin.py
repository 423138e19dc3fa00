"""Scenarios and results of the packet twin."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _inputs, _toml, networks
from lightloom._extras import Progress, need, watching
from lightloom._frames import columns, frame, of_csv
from lightloom._lightloom import (
    look_at_scenario,
    read_run,
    run_scenario,
    write_run,
)
from lightloom._pictures import results
from lightloom._report import Report, count, parse
from lightloom._settings import PathText
from lightloom.errors import Interrupted, SimulationError

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

_IN_MEMORY = "<scenario>"
_LIGHTS = ("off", "typical", "worst", "draw")
Values = npt.NDArray[np.float64]


class Scenario:
    """A scenario for the twin: a network, its traffic and its faults.

    Parameters
    ----------
    scenario : str or mapping
        The text of a scenario file (TOML), or its content as a mapping.
    network : networkx.Graph, optional
        An electrical network that replaces ``[network]``. Nodes have ``kind`` (``"host"`` or
        ``"switch"``; default: a node with one link is a host). Edges have ``rate_bps`` and
        ``delay_s`` or ``length_m``. Parallel edges of a multigraph are parallel links.

    Raises
    ------
    SimulationError
        If the scenario or the network is wrong, with its line and field.

    Examples
    --------
    >>> scenario = Scenario.open("examples/stride.toml")
    >>> result = scenario.run()
    """

    def __init__(
        self, scenario: str | Mapping[str, Any], network: nx.Graph[Any] | None = None
    ) -> None:
        if isinstance(scenario, str):
            text = scenario
        elif isinstance(scenario, Mapping):
            if network is not None and "network" in scenario:
                raise networks.refuse("is given together with [network]; give one of the two")
            text = _toml.dumps(scenario)
        else:
            raise SimulationError(
                f"found {type(scenario).__name__}; expected the text of a scenario, or a mapping"
            )
        files: dict[str, str] = {}
        if network is not None:
            files, section = networks.files_of(network)
            text = f"{text}\n{section}"
        files[_IN_MEMORY] = _encodable(text)
        self._read(_IN_MEMORY, files)

    @classmethod
    def open(cls, path: PathText) -> Scenario:
        """Opens the scenario of a file.

        Raises
        ------
        SimulationError
            If the file is wrong.
        """
        scenario = cls.__new__(cls)
        scenario._read(_inputs.path("path", path), {})
        return scenario

    def _read(self, path: str, files: dict[str, str]) -> None:
        report, kept = look_at_scenario(path, files)
        self._path, self._files = path, {str(name): text for name, text in kept.items()}
        self._report = parse(report)

    @property
    def report(self) -> dict[str, Any]:
        """Facts of the scenario: seed, until_ps, network, flows, bytes, warnings."""
        return self._report

    @property
    def hosts(self) -> int:
        """Hosts of the network."""
        return int(self._report["network"]["hosts"])

    @property
    def switches(self) -> int:
        """Switches of the network."""
        return int(self._report["network"]["switches"])

    @property
    def flows(self) -> int:
        """Flows of the traffic."""
        return int(self._report["flows"])

    @property
    def until_s(self) -> float:
        """The end of the run, in seconds."""
        return float(self._report["until_ps"] / 1e12)

    @property
    def warnings(self) -> list[str]:
        """Warnings about unusual values."""
        return list(self._report["warnings"])

    def run(
        self,
        threads: int = 1,
        seed: int | None = None,
        seeds: int | None = None,
        light: str | None = None,
        out: PathText | None = None,
        trace: PathText | None = None,
        pcap: Mapping[PathText, str] | None = None,
        check: bool = False,
        progress: Progress = None,
    ) -> Result:
        """Runs the scenario.

        Parameters
        ----------
        threads : int, optional
            Number of threads; at most one per core is used. Results do not depend on it. With
            ``seeds``, the number of runs at a time.
        seed : int, optional
            A seed that replaces the scenario's seed.
        seeds : int, optional
            Number of runs, with consecutive seeds from the scenario's seed: the same traffic, with
            other losses, marks and paths.
        light : {"off", "typical", "worst", "draw"}, optional
            The values of optical parts that decide what the branches of splitters lose. They
            replace the scenario's ``light``.
        out : path, optional
            A folder for results. They are written in one step at the end.
        trace : path, optional
            A file with one line per arrival.
        pcap : mapping of path to text, optional
            pcapng files, each with a link whose packets it gets with all their bytes:
            ``{"up.pcapng": "host 0>leaf 0"}``. ``A>B`` is what node A sends to node B, ``A<>B``
            what goes both ways.
        check : bool, optional
            Whether to hold every acknowledgement of reliable groups, at every switch, against what
            its receivers had by then. It takes memory with packets times receivers.
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of), in picoseconds.

        Raises
        ------
        SimulationError
            If a value is out of range, or if the twin does not account for every packet, or if
            ``check`` finds an acknowledgement that covers what a receiver lacks.
        Interrupted
            On Ctrl-C. Its ``result`` is the simulation so far, if it was ready within 0.15 s.
            Nothing is written to ``out``; ``stopped.result.save(out)`` writes it.
        """
        if light is not None and _inputs.text("light", light) not in _LIGHTS:
            words = ", ".join(_LIGHTS)
            raise SimulationError(f"found {light!r}; expected one of {words}", field="light")
        options: dict[str, Any] = {
            "light": light,
            "threads": _inputs.number("threads", threads),
            "seed": _inputs.optional_number("seed", seed, 2**64 - 1),
            "seeds": _inputs.optional_number("seeds", seeds, 2**32 - 1),
            "out": None if out is None else _inputs.path("out", out),
            "trace": None if trace is None else _inputs.path("trace", trace),
            "pcap": _inputs.captures("pcap", pcap),
            "check": _inputs.flag("check", check),
        }
        with watching(progress, "Simulating") as update:
            try:
                report, files = run_scenario(self._path, self._files, options, update)
            except Interrupted as stopped:
                if isinstance(stopped.result, tuple):
                    stopped.result = Result(parse(stopped.result[0]), stopped.result[1])
                raise
        return Result(parse(report), files)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scenario):
            return NotImplemented
        return self._path == other._path and self._files == other._files

    def __hash__(self) -> int:
        return hash((self._path, self._files.get(self._path)))

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (type(self), self._path, self._files))

    def __repr__(self) -> str:
        kind = self._report["network"]["kind"]
        return (
            f"<Scenario {self._path!r}: {kind} of {count(self.hosts, 'host')} and "
            f"{self.switches:,} switches, {count(self.flows, 'flow')}, until {self.until_s:g} s>"
        )


def _restore(kind: type[Scenario], path: str, files: dict[str, str]) -> Scenario:
    scenario = kind.__new__(kind)
    scenario._read(path, dict(files))
    return scenario


def _encodable(text: str) -> str:
    if not _inputs.is_unicode(text):
        message = f"{_IN_MEMORY}: found text that is not Unicode"
        raise SimulationError(message, file=_IN_MEMORY)
    return text


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
        """
        report, files = read_run(_inputs.path("folder", folder))
        return cls(parse(report), files)

    def save(self, folder: PathText) -> None:
        """Writes the results to a folder in one step, as ``run(out=...)`` does."""
        write_run(_inputs.path("folder", folder), self._files)

    @property
    def several(self) -> bool:
        """Whether the result is of several runs."""
        return "replicas" in self.report

    @property
    def end(self) -> str:
        """The end of the run; for several runs the worst.

        From best to worst: done, time (the end of the run was reached), stopped, unacknowledged
        (everything was delivered and only acknowledgements are lost), deadlock (the end of the run
        was reached, and some ports are paused for ever: ``report["end"]["rings"]``), stalled or
        fault.
        """
        if not self.several:
            return str(self.report["end"]["how"])
        order = ("done", "time", "stopped", "unacknowledged", "deadlock", "stalled", "fault")
        return max((str(run["end"]["how"]) for run in self.report["replicas"]), key=order.index)

    @property
    def finished(self) -> bool:
        """Whether the run ended by itself: all done, or at the scenario's end time."""
        return self.end in ("done", "time")

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
        return self._seconds("completion_ps")

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
        """Every flow, with the columns of ``flows.csv``; times in picoseconds."""
        return frame(self._flows, "Result.flows()")

    def throughput(self, flows: bool = False) -> pd.DataFrame:
        """Payload by interval: start_ps, bytes, goodput_bps; with ``flows`` by flow and interval.

        Flows are recorded if the scenario sets ``[probes] flows = true``.
        """
        return frame(self._series if flows else self._throughput, "Result.throughput()")

    def links(self) -> pd.DataFrame:
        """Every direction of every link, with the columns of ``links.csv``."""
        return of_csv(self._file("links.csv"), "links.csv", "Result.links()", SimulationError)

    @property
    def multicasts(self) -> list[dict[str, Any]]:
        """The messages to groups, as in the report."""
        return list(self.report.get("multicasts", []))

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The reliable groups, as in the report."""
        return list(self.report.get("groups", []))

    @property
    def queue_pair_errors(self) -> list[dict[str, Any]]:
        """The messages that ended in errors of their queue pairs, as in the report."""
        return list(self.report.get("queue_pair_errors", []))

    def receivers(self) -> pd.DataFrame:
        """Every receiver of every message to a group, with the columns of ``receivers.csv``."""
        name = "receivers.csv"
        return of_csv(self._file(name), name, "Result.receivers()", SimulationError)

    def branches(self) -> pd.DataFrame:
        """Every branch of every splitter, with the columns of ``branches.csv``."""
        name = "branches.csv"
        return of_csv(self._file(name), name, "Result.branches()", SimulationError)

    def replicas(self) -> pd.DataFrame:
        """One row per run, with the columns of ``replicas.csv``."""
        name = "replicas.csv"
        return of_csv(self._file(name), name, "Result.replicas()", SimulationError)

    def arrow(self, table: str = "flows") -> Any:
        """A table in Arrow format, without a copy.

        Parameters
        ----------
        table : {"flows", "throughput"}
            The table.

        Returns
        -------
        pyarrow.Table
        """
        if not isinstance(table, str) or table not in ("flows", "throughput"):
            raise SimulationError(f"found {table!r}; expected flows or throughput", field="table")
        ipc = need("pyarrow", "Result.arrow()", "pyarrow.ipc")
        return ipc.open_file(self._file(f"{table}.arrow")).read_all()

    @cached_property
    def _flows(self) -> dict[str, Any]:
        return columns("flows.arrow", self._file("flows.arrow"))

    @cached_property
    def _series(self) -> dict[str, Any]:
        return columns("flow-throughput.arrow", self._file("flow-throughput.arrow"))

    @cached_property
    def _throughput(self) -> dict[str, Any]:
        return columns("throughput.arrow", self._file("throughput.arrow"))

    def _seconds(self, name: str) -> Values:
        values, known = self._flows[name]
        return np.where(known, values / 1e12, np.nan)

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
        """The result without the time that the work took and without a version: files have none."""
        beside = ("format", "timing")
        return {key: value for key, value in self.report.items() if key not in beside}

    def __reduce__(self) -> tuple[object, ...]:
        return (Result, (self.report, self._files))

    def _repr_html_(self) -> str:
        return results.html(self)

    def __repr__(self) -> str:
        if self.several:
            return f"<Result of {count(len(self.report['replicas']), 'run')}: {self.end}>"
        flows = self.report["flows"]
        of = flows["completed"] + flows["unfinished"]
        return (
            f"<Result: {self.end} at {self.report['end']['reached_ps'] / 1e12:g} s, "
            f"{flows['completed']:,} of {count(of, 'flow')} completed, "
            f"{flows['goodput_bps'] / 1e9:.2f} Gb/s>"
        )
