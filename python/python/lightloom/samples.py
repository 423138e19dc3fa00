"""Small samples to try things with: a plan in a folder of its own, and runs of the twin.

>>> from lightloom import samples
>>> with samples.plan() as plan:
...     rows = len(plan.cables())
>>> rows
24
>>> samples.scenario().run().end
'done'
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lightloom.fabric import Fabric, Plan
from lightloom.twin import Scenario

__all__ = ["allreduce", "application", "broadcast", "plan", "scenario"]


@contextmanager
def plan() -> Iterator[Plan]:
    """The plan of a 2,2-Shufflecast of eight ToRs, in a folder that is gone at the end.

    Yields
    ------
    Plan
        The plan.

    Raises
    ------
    DesignError
        If no temporary folder can be written.

    Examples
    --------
    >>> with plan() as small:
    ...     checked = small.verify()
    >>> checked.good
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        yield Fabric(p=2, k=2).plan(Path(folder) / "plan")


def scenario() -> Scenario:
    """Four hosts in two racks with one flow of 64 kB.

    Examples
    --------
    >>> scenario().hosts
    4
    """
    network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
    network |= {"rate": "100 Gb/s", "length": "10 m"}
    flow = {"from": 0, "to": 3, "size": "64 kB"}
    return Scenario({"version": 1, "until": "1 ms", "network": network, "flow": [flow]})


def allreduce() -> Scenario:
    """Four hosts in two racks that sum up 64 kB round a ring, twice.

    Examples
    --------
    >>> allreduce().run().collectives[0]["completed"]
    2
    """
    network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
    network |= {"rate": "100 Gb/s", "length": "10 m"}
    one = {"operation": "allreduce", "schedule": "ring", "size": "64 kB", "repeat": 2}
    return Scenario({"version": 1, "until": "1 ms", "network": network, "collective": [one]})


@contextmanager
def application() -> Iterator[Scenario]:
    """A trace of two ranks, one of which computes and sends, in a folder that is gone at the end.

    Yields
    ------
    Scenario
        The scenario that runs it.

    Raises
    ------
    SimulationError
        If no temporary folder can be written.

    Examples
    --------
    >>> with application() as small:
    ...     ran = small.run()
    >>> ran.traces[0]["messages"]
    1
    """
    ranks = ["work: calc 1500\nout: send 4096b to 1\nout requires work", "recv 4096b from 0"]
    blocks = [f"rank {rank} {{\n{text}\n}}\n" for rank, text in enumerate(ranks)]
    network = {"kind": "leaf-spine", "leaves": 1, "spines": 1, "hosts_per_leaf": 2}
    network |= {"rate": "100 Gb/s", "length": "10 m"}
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "small.goal"
        trace.write_text("num_ranks 2\n" + "".join(blocks), encoding="utf-8")
        said = {"version": 1, "until": "1 ms", "network": network, "trace": [{"file": str(trace)}]}
        yield Scenario(said)


def broadcast() -> Scenario:
    """A reliable message of 64 kB from one host to those of all other racks of a 2,2-Shufflecast.

    Copies and the throughput of groups are recorded.

    Examples
    --------
    >>> broadcast().run().multicasts[0]["completed"]
    7
    """
    said = {
        "version": 1,
        "until": "1 ms",
        "network": {"hosts_per_tor": 1, "spines": 1, "rate": "100 Gb/s", "length": "20 m"},
        "group": [{"name": "all", "members": "all", "transport": "rc"}],
        "multicast": [{"group": "all", "from": 0, "size": "64 kB"}],
        "probes": {"copies": True, "groups": True},
    }
    return Scenario(said, network=Fabric(p=2, k=2))
