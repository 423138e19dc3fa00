"""Collective operations of scenarios: their report and the table of their members."""

import json

import pytest

from lightloom import Scenario, SimulationError, samples

NETWORK = {
    "kind": "leaf-spine",
    "leaves": 2,
    "spines": 1,
    "hosts_per_leaf": 4,
    "rate": "100 Gb/s",
    "delay": "1 us",
}


def scenario(**collective):
    said = {"version": 1, "until": "10 ms", "network": NETWORK}
    return Scenario(said | {"collective": [collective]})


def test_members_have_times():
    run = scenario(operation="broadcast", schedule="binomial", size="100 kB", root=3).run()
    (one,) = run.collectives
    assert (one["operation"], one["schedule"], one["members"]) == ("broadcast", "binomial", 8)
    members = run.members()
    assert len(members) == 7 and 3 not in set(members["host"])
    assert str(members["host"].dtype) == "int64" and str(members["received_ps"].dtype) == "Int64"
    (time,) = one["times"]
    assert members["completion_ps"].min() == time["first_ps"]
    assert members["completion_ps"].max() == time["last_ps"]
    # Another reader of the same run: the last flow to each host.
    flows = run.flows().groupby("to")["received_ps"].max()
    assert dict(zip(members["host"], members["received_ps"], strict=True)) == flows.to_dict()
    assert one["algorithm_bps"] == pytest.approx(100_000 * 8e12 / time["last_ps"])


def test_several_runs_have_means():
    run = samples.allreduce().run(seeds=3)
    (one,) = run.collectives
    assert one["completed"] == 3 and one["mean_ps"]["runs"] == 3


def test_jobs_have_rounds_and_run_alone():
    ring = {"operation": "allreduce", "schedule": "ring", "size": "1 MB", "repeat": 2}
    both = Scenario(
        {"version": 1, "until": "10 ms", "network": NETWORK}
        | {"collective": [ring | {"job": "a"}, ring | {"job": "b"}]}
    )
    run = both.run(alone=True)
    for job in run.jobs:
        assert (job["rounds"], job["completed"], job["alone"]["completed"]) == (2, 2, 2)
        assert job["completion"]["mean_ps"] > 1.5 * job["alone"]["completion"]["mean_ps"]
    assert "alone" not in both.run().jobs[0]
    with pytest.raises(SimulationError, match="alone: is for scenarios with jobs"):
        samples.scenario().run(alone=True)


def test_tokens_and_weights_find_their_hosts(tmp_path):
    (tmp_path / "tokens.csv").write_text("token,from,to\n0,0,4\n1,0,5\n2,3,0\n")
    run = scenario(
        operation="dispatch",
        schedule="concurrent",
        size="4 kB",
        routes=str(tmp_path / "tokens.csv"),
    ).run()
    flows = run.flows()
    found = set(zip(flows["from"], flows["to"], strict=True))
    assert found == {(0, 4), (0, 5), (3, 0)}
    (one,) = (
        scenario(operation="refresh", schedule="pull", size="1 MB", shards=2, layers=2)
        .run()
        .collectives
    )
    assert one["first_layer"]["count"] == 7
    advice = scenario(operation="barrier", schedule="dissemination").collective(
        "refresh", size="64 kB", shards=2, start="1 us", schedules=["pull", "chain"]
    )
    assert {case["name"] for case in advice.report["cases"]} == {"pull", "chain"}


def test_wrong_operations_name_their_field():
    with pytest.raises(SimulationError, match=r"collective\[0\].schedule: found bruck"):
        scenario(operation="broadcast", schedule="bruck", size="1 kB").run()
    with pytest.raises(SimulationError, match="power of two"):
        scenario(
            operation="allreduce", schedule="halving-doubling", size="1 kB", members=[0, 1, 2]
        ).run()
    with pytest.raises(SimulationError, match=r"collectives\.csv"):
        samples.scenario().run().members()


def test_a_run_writes_its_timeline(tmp_path):
    run = samples.allreduce().run(timeline=tmp_path / "t.json")
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    begun = [event for event in events if event["ph"] == "b" and event["cat"] == "message"]
    assert len(begun) == len(run.flows())
    samples.allreduce().run(timeline=tmp_path / "t.svg")
    assert (tmp_path / "t.svg").read_text().startswith("<?xml")
    with pytest.raises(SimulationError, match="timeline"):
        samples.allreduce().run(timeline=tmp_path / "t.png")
