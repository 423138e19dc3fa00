"""Several whole runs: each equals a run of its own, and intervals are those of its values."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from conftest import EXAMPLES
from stops import press

from lightloom import Interrupted, Replicas, Result, Scenario, SimulationError, samples

# Published quantiles of Student's t, 97.5 %.
T_95 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}


def numbers(result):
    return {key: value for key, value in result.report.items() if key not in ("timing", "manifest")}


def scenario():
    return Scenario.open(EXAMPLES / "incast.toml")


def test_the_first_is_the_run_of_the_scenario_and_threads_change_nothing():
    whole = scenario()
    found = whole.replicas(4, threads=1)
    assert found == whole.replicas(4, threads=2) and found.finished and not found.missing
    assert numbers(found[0]) == numbers(whole.run())
    assert found.seeds == tuple(whole.report["seed"] + at for at in range(4))
    assert pickle.loads(pickle.dumps(found)) == found
    assert [type(each) for each in found] == [Result] * 4 and len(found) == 4


def test_kept_traffic_is_that_of_several_seeds():
    whole = scenario()
    found, brief = whole.replicas(3), whole.run(seeds=3)
    for result, replica in zip(found, brief["replicas"], strict=True):
        assert result.report["flows"] == replica["flows"]
        assert result.report["goodput"] == replica["goodput"]
        assert result.end == replica["end"]["how"]
    mean = brief["mean_completion_ps"]
    table = found.intervals().set_index("name")
    row = table.loc["flows.completion.mean_ps"]
    assert row["runs"] == mean["runs"] and row["mean"] == pytest.approx(mean["mean"])
    assert row["half_width_95"] == pytest.approx(mean["half_width_95"])


def test_drawn_traffic_is_that_of_each_seed():
    whole = scenario()
    found = whole.replicas(3, "drawn", seed=11)
    for seed, result in zip((11, 12, 13), found, strict=True):
        assert numbers(result) == numbers(whole.run(seed=seed))
    assert found.seeds == (11, 12, 13)


def test_tables_are_those_of_the_runs_one_after_the_other():
    found = scenario().replicas(3)
    for name in ("flows", "links"):
        pooled = getattr(found, name)()
        for seed, result in zip(found.seeds, found, strict=True):
            own = pooled[pooled["seed"] == seed].drop(columns="seed").reset_index(drop=True)
            assert own.equals(getattr(result, name)())


def test_intervals_are_those_of_the_values():
    found = scenario().replicas(4)
    table = found.intervals("flows")
    flows = [result.flows() for result in found]
    some = table[table["column"] == "completion_ps"]
    assert len(some) == len(flows[0])
    for _, row in some.iterrows():
        values = [float(each["completion_ps"].iloc[row["row"]]) for each in flows]
        assert row["runs"] == 4 and row["mean"] == pytest.approx(np.mean(values))
        width = T_95[3] * np.std(values, ddof=1) / math.sqrt(4)
        assert row["half_width_95"] == pytest.approx(width, rel=1e-3)
    one = scenario().replicas(1).intervals()
    assert one["half_width_95"].isna().all() and (one["runs"] == 1).all()


def test_groups_and_messages_of_every_run():
    whole = Scenario.open(EXAMPLES / "glass.toml")
    found = whole.replicas(2)
    messages = found.messages()
    assert list(messages["seed"]) == list(found.seeds)
    assert (messages["bytes"] == 1_000_000).all()
    assert len(found.receivers()) == sum(len(each.receivers()) for each in found)
    assert found.groups().empty  # They are datagrams.
    reliable = samples.broadcast().replicas(2)
    groups = reliable.groups()
    assert list(groups["seed"]) == list(reliable.seeds) and "number" in groups
    for at, result in enumerate(reliable):
        for key, value in result.groups[0].items():
            if not isinstance(value, (dict, list)) and value is not None:
                assert groups[key].iloc[at] == value


def test_ctrl_c_keeps_what_is_done():
    whole = scenario()
    with pytest.raises(Interrupted) as stopped:
        whole.replicas(6, progress=press)
    part = stopped.value.result
    assert isinstance(part, Replicas) and stopped.value.missing == part.missing
    # How far it came depends on the machine; what it says of itself does not.
    is_whole = len(part) == 6 and not any(result.missing for result in part)
    assert len(part) <= 6 and is_whole == (not part.missing)
    again = whole.replicas(6)
    for seed, result in zip(part.seeds, part, strict=True):
        if not result.missing:
            assert numbers(result) == numbers(again[again.seeds.index(seed)])


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"seeds": 0}, "seeds"),
        ({"seeds": 10**9}, "seeds"),
        ({"seeds": 2, "traffic": "fresh"}, "traffic"),
        ({"seeds": 2, "threads": 0}, "threads"),
        ({"seeds": 2, "light": "red"}, "light"),
        ({"seeds": 2, "memory": "much"}, "memory"),
        ({"seeds": 2, "seed": -1}, "seed"),
    ],
)
def test_wrong_options_name_themselves(asked, field):
    with pytest.raises(Exception) as refused:
        scenario().replicas(**asked)
    assert refused.value.field == field


def test_figures_alone_say_where_the_tables_are():
    figures = scenario().run(seeds=2)
    for table in (figures.flows, figures.links, figures.receivers):
        with pytest.raises(SimulationError, match=r"Scenario\.replicas\(seeds\) keeps this"):
            table()


def test_tables_that_do_not_match_are_refused():
    found = scenario().replicas(1)
    with pytest.raises(SimulationError, match="expected one of flows"):
        found.intervals("messages")
