"""Schedules of multicast jobs over a fabric: which source, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lightloom import _choices, _inputs
from lightloom._extras import Progress, need
from lightloom._pictures import tables
from lightloom._report import count
from lightloom.errors import DesignError, InfeasibleError, SimulationError
from lightloom.fabric import Fabric
from lightloom.optimize import _solver
from lightloom.optimize._scheduling import Job, checked, members_of, packed, variables, ways_of
from lightloom.tree import Tree
from lightloom.twin import Result, Scenario

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Job", "Schedule", "Simulated", "Start", "schedule"]

_CALLER = "schedule"
_MOST_NS = 1 << 50
# What a schedule has decided, and a network may not say again.
_SCHEDULED = ("kind", "file", "hosts_per_tor", "rate", "host_rate", "light_rate")


class Start(NamedTuple):
    """When and from where a job goes."""

    job: str
    """The name of the job."""
    source: int
    """The ToR that sends."""
    start_s: float
    """Its start, in seconds."""
    end_s: float
    """When the last receiver has it, in seconds, as the solver counts."""
    transmitters: tuple[int, ...]
    """The ToRs whose transmitters it uses: the source and the relays on the way to members."""


class Simulated(NamedTuple):
    """A schedule that the twin has run."""

    makespan_s: float
    """When the last receiver of the last job had everything, in seconds."""
    result: Result
    """The run."""


class Schedule:
    """Starts and sources of jobs, so that the last one ends early."""

    starts: tuple[Start, ...]
    """Every job, in the order of the jobs."""
    makespan_s: float
    """The end of the last job, in seconds."""
    bound_s: float
    """No schedule of these jobs ends earlier, as the solver counts."""

    def __init__(
        self,
        fabric: Fabric,
        jobs: tuple[Job, ...],
        rate_bps: float,
        starts: tuple[Start, ...],
        bound_s: float,
    ) -> None:
        self._fabric, self._jobs, self._rate = fabric, jobs, rate_bps
        self.starts, self.bound_s = starts, bound_s
        self.makespan_s = max((start.end_s for start in starts), default=0.0)

    @property
    def proved(self) -> bool:
        """Whether no schedule ends earlier."""
        return self.bound_s >= self.makespan_s * (1 - 1e-12)

    @property
    def missing(self) -> str:
        """What a solver without enough time lacks; an empty text if the schedule is proved."""
        return "" if self.proved else "the proof that no schedule ends earlier"

    def table(self) -> pd.DataFrame:
        """The jobs as a table: job, source, start_s, end_s, transmitters (their number).

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> from lightloom.optimize import Job, schedule
        >>> found = schedule(Fabric(p=2, k=2), [Job("a", 1_000_000, 0)], rate_bps=100e9)
        >>> len(found.table())
        1
        """
        rows = [(*start[:4], len(start.transmitters)) for start in self.starts]
        names = ["job", "source", "start_s", "end_s", "transmitters"]
        found: pd.DataFrame = need("pandas", "Schedule.table()").DataFrame(rows, columns=names)
        return found

    def scenario(
        self, transport: _choices.Transport = "rc", network: Mapping[str, Any] | None = None
    ) -> Scenario:
        """The schedule as a scenario of the twin: a host at each ToR, a group for each job.

        Each message is sent at the start that the solver gave it; nothing else paces it.

        Parameters
        ----------
        transport : {"rc", "datagram"}, optional
            Reliable groups, or datagrams.
        network : mapping, optional
            More of the scenario's network, such as ``{"spines": 4, "length": "50 m"}``. Rates and
            hosts are those of the schedule.

        Raises
        ------
        SimulationError
            If a value of the network is wrong, or if it says a rate or hosts.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> from lightloom.optimize import Job, schedule
        >>> found = schedule(Fabric(p=2, k=2), [Job("a", 1_000_000, 0)], rate_bps=100e9)
        >>> found.scenario().hosts
        8
        """
        if transport not in ("rc", "datagram"):
            message = f"transport: found {transport!r}; expected rc or datagram"
            raise DesignError(message, field="transport")
        more = dict(network or {})
        told = [key for key in _SCHEDULED if key in more]
        if told:
            message = f"network.{told[0]}: is that of the schedule; schedule again to change it"
            raise SimulationError(message, field=f"network.{told[0]}")
        rate = f"{round(self._rate)} b/s"
        said = {"hosts_per_tor": 1, "spines": 1, "rate": rate, "length": "20 m"} | more
        groups: list[dict[str, Any]] = []
        messages: list[dict[str, Any]] = []
        for at, (job, start) in enumerate(zip(self._jobs, self.starts, strict=True)):
            members = members_of(self._fabric, job)
            group: dict[str, Any] = {
                "name": f"job-{at}",
                "members": sorted({start.source, *members}),
            }
            groups.append(group | {"transport": transport})
            said_of: dict[str, Any] = {"name": f"message-{at}", "group": f"job-{at}"}
            said_of |= {"from": start.source, "size": f"{job.size_bytes} B"}
            said_of |= {"start": f"{round(start.start_s * 1e9)} ns"}
            messages.append(said_of)
        until = 2 * self.makespan_s + 0.01
        scenario = {
            "version": 1,
            "until": f"{round(until * 1e9)} ns",
            "network": said,
            "group": groups,
            "multicast": messages,
        }
        return Scenario(scenario, network=self._fabric)

    def simulate(
        self,
        transport: _choices.Transport = "rc",
        network: Mapping[str, Any] | None = None,
        threads: int = 1,
        progress: Progress = None,
    ) -> Simulated:
        """Runs the schedule in the twin, whose time stands beside the solver's.

        Parameters
        ----------
        transport, network
            As :meth:`scenario` takes them.
        threads : int, optional
            Threads of the twin.
        progress : bool or callable, optional
            As :meth:`lightloom.Scenario.run` takes it.

        Returns
        -------
        Simulated
            The makespan of the twin, and the run.

        Raises
        ------
        InfeasibleError
            If a receiver does not get its message; the message says how the run ended.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> from lightloom.optimize import Job, schedule
        >>> found = schedule(Fabric(p=2, k=2), [Job("a", 1_000_000, 0)], rate_bps=100e9)
        >>> abs(found.simulate().makespan_s / found.makespan_s - 1) < 0.05
        True
        """
        result = self.scenario(transport, network).run(threads=threads, progress=progress)
        messages = result.multicasts
        late = [m["group"] for m in messages if m["completed"] != m["receivers"]]
        if late or not result.finished:
            what = f"; {', '.join(late[:5])} did not reach all receivers" if late else ""
            raise InfeasibleError(f"{_CALLER}: the run ended as {result.end}{what}")
        ends = [(m["start_ps"] + m["last_ps"]) / 1e12 for m in messages]
        return Simulated(max(ends, default=0.0), result)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Schedule):
            return NotImplemented
        same = (self.starts, self.bound_s, self._jobs) == (other.starts, other.bound_s, other._jobs)
        return same and bool(self._fabric == other._fabric)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        parts = (self._fabric, self._jobs, self._rate, self.starts, self.bound_s)
        return (Schedule, parts)

    def __repr__(self) -> str:
        word = "proved" if self.proved else f"bound {self.bound_s:g} s"
        return f"<Schedule of {count(len(self.starts), 'job')}: {self.makespan_s:g} s, {word}>"

    def _repr_html_(self) -> str:
        rows = [
            (start.job, str(start.source), f"{start.start_s:g}", f"{start.end_s:g}")
            for start in self.starts
        ]
        return tables.table(repr(self)[1:-1], ("job", "source", "start (s)", "end (s)"), rows)


def schedule(
    fabric: Fabric,
    jobs: Iterable[Job],
    *,
    rate_bps: float,
    time_s: float = 30.0,
    workers: int | None = None,
    seed: int = 0,
) -> Schedule:
    """Schedules multicast jobs over the trees of a fabric, so that the last one ends early.

    A job uses the transmitters of its source and of the relays on the way to its members, for as
    long as its bytes take on the wire. Two jobs never use one transmitter at once, and no host
    sends or receives two at once.

    Parameters
    ----------
    fabric : Fabric
        The fabric. Each ToR has one host.
    jobs : iterable of Job
        The jobs.
    rate_bps : float
        The rate of transmitters and hosts, in bits per second.
    time_s : float, optional
        Most seconds for the solver.
    workers : int, optional
        Threads of the solver; by default one per core. A proved makespan does not depend on them.
    seed : int, optional
        Seed of the solver.

    Returns
    -------
    Schedule
        Sources, starts and a bound.

    Raises
    ------
    DesignError
        If a job is wrong.
    InfeasibleError
        If the solver finds no schedule in its time.
    ImportError
        If OR-Tools is missing: ``pip install lightloom[optimize]``.
    Interrupted
        On Ctrl-C. Its ``result`` has the best schedule so far.

    Examples
    --------
    >>> from lightloom import Fabric
    >>> jobs = [Job("a", 1_000_000, source=0), Job("b", 1_000_000, source=5)]
    >>> found = schedule(Fabric(p=2, k=2), jobs, rate_bps=100e9)
    >>> found.proved, found.makespan_s > 2 * 80e-6
    (True, True)
    """
    asked = _solver.effort(time_s, workers, seed)
    listed = checked(jobs)
    if isinstance(rate_bps, bool) or not isinstance(rate_bps, (int, float)):
        raise _inputs.wrong_type("rate_bps", rate_bps, "bits per second, such as 100e9")
    if not 1e6 <= rate_bps <= 1e15:
        message = f"rate_bps: found {rate_bps}; expected 1e6 to 1e15"
        raise DesignError(message, field="rate_bps")
    trees: dict[int, Tree] = {}
    ways = [ways_of(fabric, job, float(rate_bps), trees) for job in listed]
    releases = [round(job.release_s * 1e9) for job in listed]
    horizon = max(releases, default=0) + sum(max(w.duration_ns for w in each) for each in ways)
    if horizon > _MOST_NS:
        message = f"jobs: all of them take {horizon / 1e9:g} s; expected less than 13 days"
        raise DesignError(message, field="jobs")
    module = _solver.cp_model(_CALLER)
    model = module.CpModel()
    starts, chosen = variables(model, ways, releases, horizon)
    solved = _solver.solve(model, asked, _CALLER)
    if not solved.found:
        if solved.stopped:
            raise _solver.interrupted(None, "a schedule")
        message = f"{_CALLER}: found no schedule within {asked.time_s:g} s; give more time_s"
        raise InfeasibleError(message)
    picked = [
        next(way for way, var in zip(each, vars_, strict=True) if solved.values(var))
        for each, vars_ in zip(ways, chosen, strict=True)
    ]
    found = packed(picked, releases, [solved.values(start) for start in starts])
    rows = tuple(
        Start(job.name, way.source, at / 1e9, (at + way.duration_ns) / 1e9, way.transmitters)
        for job, way, at in zip(listed, picked, found, strict=True)
    )
    answer = Schedule(fabric, listed, float(rate_bps), rows, solved.bound / 1e9)
    if solved.stopped:
        raise _solver.interrupted(answer, answer.missing)
    return answer
