"""Schedules: the twin's time beside the solver's, and no transmitter used twice at once."""

from __future__ import annotations

import itertools
import pickle
import random

import pytest
from conftest import EXAMPLES

from lightloom import DesignError, Fabric, SimulationError
from lightloom.optimize import Job, schedule

RATE = 100e9
FABRICS = [
    {"p": 2, "k": 2},
    {"p": 2, "k": 3},
    {"p": 4, "k": 2},
    {"family": "kautz", "p": 4, "tors": 20},
    {"family": "kautz", "p": 2, "tors": 12},
]


def case(number):
    """A fabric and jobs, drawn by number."""
    draws = random.Random(number)
    fabric = Fabric(**draws.choice(FABRICS))
    jobs = []
    for at in range(draws.randint(2, 8)):
        some = tuple(sorted(draws.sample(range(fabric.tors), draws.randint(2, fabric.tors - 1))))
        members = None if draws.random() < 0.5 else some
        few = tuple(draws.sample(range(fabric.tors), 2))
        source = draws.choice([None, draws.randrange(fabric.tors), few])
        size = draws.randint(500_000, 4_000_000)
        jobs.append(Job(f"job {at}", size, source, members, draws.choice([0.0, 0.0, 1e-4])))
    return fabric, jobs


def sending(fabric, source, members):
    """The ToRs that transmit on the way to members, by hand from the tree's rows."""
    tree, feeds = fabric.tree(source), fabric.edges[:, 1]
    found = set()
    for tor in members - {source}:
        while tor != source:
            tor = int(tree.relay_row[feeds[tor]])
            found.add(tor)
    return found


@pytest.mark.parametrize("number", range(20))
def test_the_twin_ends_when_the_solver_says(number):
    fabric, jobs = case(number)
    found = schedule(fabric, jobs, rate_bps=RATE, time_s=20)
    assert found.bound_s <= found.makespan_s * (1 + 1e-12)
    spans = {}
    for job, start in zip(jobs, found.starts, strict=True):
        everyone = set(range(fabric.tors))
        members = everyone if job.members is None else set(job.members)
        assert start.job == job.name and start.start_s >= job.release_s
        if job.source is None:
            assert start.source in members
        else:
            assert start.source in (job.source if isinstance(job.source, tuple) else (job.source,))
        assert set(start.transmitters) == sending(fabric, start.source, members)
        assert start.end_s - start.start_s >= job.size_bytes * 8 / RATE
        used = [("transmitter", tor) for tor in start.transmitters]
        used += [("receives", tor) for tor in members - {start.source}]
        for each in [*used, ("sends", start.source)]:
            spans.setdefault(each, []).append((start.start_s, start.end_s))
    for each in spans.values():
        each.sort()
        assert all(end <= begin + 1e-12 for (_, end), (begin, _) in itertools.pairwise(each))
    for transport in ("rc", "datagram"):
        run = found.simulate(transport)
        assert run.makespan_s == pytest.approx(found.makespan_s, rel=0.05)
        for start, message in zip(found.starts, run.result.multicasts, strict=True):
            assert message["dropped"] == 0 and message["repeated"] == 0
            ended = (message["start_ps"] + message["last_ps"]) / 1e12
            assert ended == pytest.approx(start.end_s, abs=15e-6)


def test_the_twin_uses_the_transmitters_that_the_schedule_names():
    fabric = Fabric(p=2, k=3)
    jobs = [Job("a", 100_000, 3, (3, 8, 17)), Job("b", 100_000, 10, (1, 2, 20))]
    found = schedule(fabric, jobs, rate_bps=RATE)
    for only, start in zip(jobs, found.starts, strict=True):
        alone = schedule(fabric, [only], rate_bps=RATE)
        run = alone.simulate("datagram").result
        sent = run.branches()
        names = set(sent[sent["sent"] > 0]["from_name"])
        assert names == {fabric.tor_names[tor] for tor in start.transmitters}


def test_small_schedules_are_best_of_all_orders():
    fabric = Fabric(p=2, k=2)
    for number in range(6):
        draws = random.Random(number)
        jobs = [
            Job(
                f"{at}",
                draws.randint(1, 9) * 100_000,
                draws.randrange(8),
                tuple(draws.sample(range(8), 3)),
            )
            for at in range(4)
        ]
        found = schedule(fabric, jobs, rate_bps=RATE)
        lengths = [start.end_s - start.start_s for start in found.starts]
        uses = []
        for job, start in zip(jobs, found.starts, strict=True):
            used = {("t", tor) for tor in start.transmitters} | {("s", start.source)}
            uses.append(used | {("r", tor) for tor in set(job.members) - {start.source}})
        best = float("inf")
        for order in itertools.permutations(range(4)):
            free = {}
            for at in order:
                end = max([0.0, *(free.get(each, 0.0) for each in uses[at])]) + lengths[at]
                free |= dict.fromkeys(uses[at], end)
            best = min(best, max(free.values()))
        assert found.proved and found.makespan_s == pytest.approx(best)


def test_a_source_that_may_move_goes_where_it_helps():
    fabric = Fabric(p=4, k=2)
    still = [Job(f"{at}", 1_000_000, 0, (at, at + 8)) for at in (1, 2, 3)]
    moving = [Job(f"{at}", 1_000_000, None, (at, at + 8)) for at in (1, 2, 3)]
    fixed = schedule(fabric, still, rate_bps=RATE)
    moved = schedule(fabric, moving, rate_bps=RATE)
    assert moved.makespan_s < fixed.makespan_s
    assert pickle.loads(pickle.dumps(moved)) == moved != fixed
    assert list(moved.table()["job"]) == ["1", "2", "3"]
    assert "Schedule of 3 jobs" in repr(moved) and "<table" in moved._repr_html_()


def test_no_jobs_take_no_time():
    found = schedule(Fabric(p=2, k=2), [], rate_bps=RATE)
    assert found.starts == () and found.makespan_s == 0.0 and found.proved


@pytest.mark.parametrize(
    ("jobs", "field"),
    [
        ("ab", "jobs"),
        ([3], "jobs[0]"),
        ([Job("a", 1, 0), Job("a", 1, 0)], "jobs[1].name"),
        ([Job("a", 0, 0)], "jobs[0].size_bytes"),
        ([Job("a", 1.5, 0)], "jobs[0].size_bytes"),
        ([Job("a", 1, 99)], "source"),
        ([Job("a", 1, 0, (0,))], "members"),
        ([Job("a", 1, 0, (99,))], "members"),
        ([Job("a", 1, 0, None, -1.0)], "jobs[0].release_s"),
        ([Job("a", 1, 0, None, "soon")], "jobs[0].release_s"),
        ([Job("a", 1 << 50, 0)], "jobs"),
    ],
)
def test_wrong_jobs_name_themselves(jobs, field):
    with pytest.raises(DesignError) as refused:
        schedule(Fabric(p=2, k=2), jobs, rate_bps=1e6 if field == "jobs" else RATE)
    assert refused.value.field == field


@pytest.mark.parametrize("rate", [0, "100G", True, float("nan"), 1e20])
def test_wrong_rates_are_refused(rate):
    with pytest.raises(DesignError) as refused:
        schedule(Fabric(p=2, k=2), [], rate_bps=rate)
    assert refused.value.field == "rate_bps"


def test_a_design_file_is_scheduled_as_its_fabric():
    fabric = Fabric.open(EXAMPLES / "glass-64.toml")
    found = schedule(fabric, [Job("all", 1_000_000, 5)], rate_bps=RATE)
    assert found.simulate().makespan_s == pytest.approx(found.makespan_s, rel=0.05)


@pytest.mark.parametrize("key", ["rate", "host_rate", "light_rate", "hosts_per_tor", "kind"])
def test_a_run_at_other_rates_than_the_schedule_is_refused(key):
    found = schedule(Fabric(p=2, k=2), [Job("a", 1_000_000, 0)], rate_bps=RATE)
    with pytest.raises(SimulationError, match="that of the schedule") as refused:
        found.simulate(network={key: "10 Gb/s"})
    assert refused.value.field == f"network.{key}"
    assert found.simulate(network={"spines": 2}).result.finished


def test_too_many_sources_are_refused_before_they_take_memory():
    fabric = Fabric(p=4, k=4)
    with pytest.raises(DesignError, match="name fewer sources") as refused:
        schedule(fabric, [Job("all", 1_000_000)], rate_bps=RATE)
    assert refused.value.field == "source"
    few = schedule(fabric, [Job("all", 1_000_000, (0, 5))], rate_bps=RATE)
    assert few.proved and few.starts[0].source in (0, 5)
