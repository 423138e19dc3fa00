"""Traces of applications: what they have, and their runs."""

import json
from pathlib import Path

import pytest

import lightloom
from lightloom import Scenario, application_trace, samples
from lightloom.errors import SimulationError


def tree(ranks):
    """A broadcast down a binary tree, in the text form of GOAL."""
    lines = [f"num_ranks {ranks}"]
    for rank in range(ranks):
        lines.append(f"rank {rank} {{")
        if rank:
            lines.append(f"get: recv 1000b from {(rank - 1) // 2}")
        for child in (2 * rank + 1, 2 * rank + 2):
            if child < ranks:
                lines.append(f"to{child}: send 1000b to {child}")
                if rank:
                    lines.append(f"to{child} requires get")
        lines.append("}")
    return "\n".join(lines)


def test_what_a_trace_has(tmp_path):
    path = tmp_path / "tree.goal"
    path.write_text(tree(15))
    found = application_trace(path, latency="1 us", rate="8 Gb/s")
    assert (found["ranks"], found["messages"], found["bytes"]) == (15, 14, 14_000)
    # Three messages one after the other, of 1 us each and 1 us of bytes.
    assert found["over_network"]["length_ps"] == 6_000_000
    assert found["path"]["length_ps"] == 0
    copy = tmp_path / "copy.goal"
    assert application_trace(path, goal=copy)["messages"] == 14
    again = application_trace(copy)
    assert {**again, "file": ""} == {**application_trace(path), "file": ""}


def test_a_run_of_a_trace(tmp_path):
    path = tmp_path / "tree.goal"
    path.write_text(tree(4))
    network = {"kind": "leaf-spine", "leaves": 2, "spines": 1, "hosts_per_leaf": 2}
    network |= {"rate": "100 Gb/s", "delay": "1 us"}
    said = {"version": 1, "until": "1 ms", "network": network}
    said["trace"] = [{"file": str(path), "hosts": [3, 2, 1, 0], "overhead": "1 us"}]
    ran = Scenario(said).run()
    (one,) = ran.traces
    assert (one["completed"], one["ended"], one["operations"]) == (4, 6, 6)
    ranks = ran.ranks()
    assert list(ranks["host"]) == [3, 2, 1, 0]
    assert list(ranks["busy_ps"]) == [2_000_000, 2_000_000, 1_000_000, 1_000_000]
    assert ranks["done_ps"].max() == one["last_ps"]
    with pytest.raises(SimulationError, match=r"traces\.csv"):
        samples.scenario().run().ranks()


CHAKRA = Path(__file__).parents[2] / "examples/chakra"


def test_a_trace_of_chakra():
    file, groups = CHAKRA / "step.0.et", CHAKRA / "groups.json"
    told = application_trace(file, process_groups=groups, latency="1 us")
    assert (told["ranks"], told["operations"], told["messages"]) == (8, 144, 0)
    assert sum(one["calls"] for one in told["collectives"]) == 21
    with pytest.raises(SimulationError, match=r'names process group "1"'):
        application_trace(file)
    fast = application_trace(file, process_groups=groups, speed="312 Top/s")
    assert fast["computing_ps"] == told["computing_ps"]
    with pytest.raises(SimulationError, match="speed: "):
        application_trace(file, process_groups=groups, speed="fast")
    ran = Scenario.open(CHAKRA.with_suffix(".toml")).run()
    (one,) = ran.traces
    assert (one["completed"], one["ended"]) == (8, 144)
    assert {row["operation"]: row["schedule"] for row in one["collectives"]} == {
        "allreduce": "ring",
        "broadcast": "multicast",
        "allgather": "ring",
    }
    (row,) = ran.ledger
    assert (row["origin"], row["lost_bytes"]) == ("trace", 0)
    assert row["payload_bytes"] == row["had_bytes"]
    went = row["asked_bytes"] + row["repeated_bytes"] + row["copied_bytes"]
    ended = ["unsent_bytes", "delivered_bytes", "filtered_bytes", "lost_bytes", "in_flight_bytes"]
    assert went == sum(row[name] for name in ended)


def test_what_is_no_trace_is_refused(tmp_path):
    path = tmp_path / "bad.goal"
    path.write_text("num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\n}\n")
    with pytest.raises(SimulationError, match=r"bad\.goal:3: .*never received"):
        application_trace(path)
    with pytest.raises(SimulationError, match="latency"):
        application_trace(path, latency="long")
    with pytest.raises(SimulationError, match="cannot be read"):
        application_trace(tmp_path / "none.goal")


def test_the_extension_answers_json(tmp_path):
    path = tmp_path / "one.goal"
    path.write_text("num_ranks 1\nrank 0 {\n}\n")
    answer = lightloom._lightloom.application_trace(str(path), None, None, None, None, None)
    assert json.loads(answer)["idle_ranks"] == 1
