"""Jobs of a schedule as intervals on what they use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom.errors import DesignError
from lightloom.fabric import Fabric
from lightloom.tree import Tree

_PAYLOAD_BYTES = 4_096
_ON_WIRE_BYTES = 4_178
"""A full packet with its headers, preamble and gap, as in the twin."""
_HOP_NS = 250
"""About what a switch and a fibre add at each hop; a schedule of milliseconds does not feel it."""
_MOST_USES = 300_000
"""Most pairs of a source and what a job uses from there; a model of more takes gigabytes."""


@dataclass(frozen=True)
class Job:
    """A message from one ToR's host to the hosts of others."""

    name: str
    """Its name; no two jobs have one."""
    size_bytes: int
    """Payload in bytes."""
    source: _inputs.ToR | tuple[_inputs.ToR, ...] | None = None
    """The ToR that sends, or several that could; ``None``: any of the members."""
    members: tuple[_inputs.ToR, ...] | None = None
    """The ToRs that receive; ``None``: all. The source need not be among them."""
    release_s: float = 0.0
    """The earliest start, in seconds."""


class Way(NamedTuple):
    """A job from one of its sources."""

    source: int
    transmitters: tuple[int, ...]
    resources: frozenset[tuple[str, int]]
    """Transmitters, and the ports of the hosts that send and receive."""
    duration_ns: int


def checked(jobs: Iterable[Job]) -> tuple[Job, ...]:
    """The jobs, if each is one.

    Raises
    ------
    DesignError
        If one has a wrong value, or if two have one name.
    """
    if isinstance(jobs, (str, Mapping)) or not isinstance(jobs, Iterable):
        raise _inputs.wrong_type("jobs", jobs, "a list of Job")
    listed = tuple(jobs)
    names: set[str] = set()
    for at, job in enumerate(listed):
        if not isinstance(job, Job):
            raise _inputs.wrong_type(f"jobs[{at}]", job, "a Job")
        if _inputs.text(f"jobs[{at}].name", job.name) in names:
            message = f"jobs[{at}].name: found {job.name!r} twice"
            raise DesignError(message, field=f"jobs[{at}].name")
        names.add(job.name)
        if _inputs.number(f"jobs[{at}].size_bytes", job.size_bytes, 1 << 50) == 0:
            message = f"jobs[{at}].size_bytes: found 0; expected 1 or more"
            raise DesignError(message, field=f"jobs[{at}].size_bytes")
        release = job.release_s
        if isinstance(release, bool) or not isinstance(release, (int, float)):
            raise _inputs.wrong_type(f"jobs[{at}].release_s", release, "seconds")
        if not 0 <= release <= 1e6:
            message = f"jobs[{at}].release_s: found {release}; expected 0 to 1e6"
            raise DesignError(message, field=f"jobs[{at}].release_s")
    return listed


def members_of(fabric: Fabric, job: Job) -> list[int]:
    """The ToRs that receive, ascending; perhaps with the source."""
    if job.members is None:
        return list(range(fabric.tors))
    return sorted(set(fabric._tors(job.members, "members")))


def ways_of(fabric: Fabric, job: Job, rate_bps: float, trees: dict[int, Tree]) -> list[Way]:
    """The job from each of its sources. ``trees`` keeps the trees of sources that were asked.

    Raises
    ------
    DesignError
        If the job has no receiver, or too many pairs of a source and a member.
    """
    members = members_of(fabric, job)
    if job.source is None:
        sources = members
    elif isinstance(job.source, (tuple, list)):
        sources = fabric._tors(job.source, "source")
    else:
        sources = [fabric._tor(job.source, "source")]
    found = []
    for source in dict.fromkeys(sources):
        receivers = [tor for tor in members if tor != source]
        if not receivers:
            continue
        if source not in trees:
            trees[source] = fabric.tree(source)
        tree = trees[source]
        relays = _relays(tree, fabric.edges[:, 1], receivers)
        resources = {("transmitter", tor) for tor in relays}
        resources |= {("receives", tor) for tor in receivers} | {("sends", source)}
        packets = -(-job.size_bytes // _PAYLOAD_BYTES)
        wire = job.size_bytes + packets * (_ON_WIRE_BYTES - _PAYLOAD_BYTES)
        hops = int(np.max(tree.hops[receivers])) + 2
        on_way = hops * (_ON_WIRE_BYTES * 8e9 / rate_bps + _HOP_NS)
        duration = round(wire * 8e9 / rate_bps + on_way)
        relayed = tuple(sorted(relays))
        found.append(Way(source, relayed, frozenset(resources), duration))
        if sum(len(way.resources) for way in found) > _MOST_USES:
            message = (
                f"source: job {job.name!r} has {len(members):,} members and {len(sources):,} "
                "possible sources, which is more than a solver can hold; name fewer sources"
            )
            raise DesignError(message, field="source")
    if not found:
        message = f"members: job {job.name!r} has no receiver but its source"
        raise DesignError(message, field="members")
    return found


def _relays(tree: Tree, feeds: npt.NDArray[np.uint32], receivers: Sequence[int]) -> set[int]:
    """The ToRs that transmit on the way to receivers: the source, and those that relay."""
    relays: set[int] = set()
    for tor in receivers:
        # Up to where another receiver has come by.
        while tor != tree.source:
            tor = int(tree.relay_row[feeds[tor]])
            if tor in relays:
                break
            relays.add(tor)
    return relays


def variables(
    model: Any, ways: Sequence[Sequence[Way]], releases: Sequence[int], horizon: int
) -> tuple[list[Any], list[list[Any]]]:
    """Starts and choices of sources; no resource is used twice at once."""
    starts, chosen = [], []
    spans: dict[tuple[str, int], list[Any]] = {}
    used: dict[tuple[str, int], list[Any]] = {}
    makespan = model.new_int_var(0, horizon, "makespan")
    for each, release in zip(ways, releases, strict=True):
        start = model.new_int_var(release, horizon, "")
        picks = [model.new_bool_var("") for _ in each]
        model.add_exactly_one(picks)
        for way, pick in zip(each, picks, strict=True):
            span = model.new_optional_fixed_size_interval_var(start, way.duration_ns, pick, "")
            model.add(makespan >= start + way.duration_ns).only_enforce_if(pick)
            for resource in sorted(way.resources):
                spans.setdefault(resource, []).append(span)
                used.setdefault(resource, []).append(way.duration_ns * pick)
        starts.append(start)
        chosen.append(picks)
    least = min(releases, default=0)
    for resource, each in spans.items():
        model.add_no_overlap(each)
        # Implied: what uses a resource does so one after the other.
        model.add(makespan >= least + sum(used[resource]))
    model.minimize(makespan)
    return starts, chosen


def packed(ways: Sequence[Way], releases: Sequence[int], starts: Sequence[int]) -> list[int]:
    """The same order without gaps: each job as early as those before it allow."""
    free: dict[tuple[str, int], int] = {}
    found = [0] * len(ways)
    for at in sorted(range(len(ways)), key=lambda at: (starts[at], at)):
        way = ways[at]
        start = max(releases[at], *(free.get(resource, 0) for resource in way.resources))
        found[at] = start
        free |= dict.fromkeys(way.resources, start + way.duration_ns)
    return found
