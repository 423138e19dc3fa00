"""The fastest schedules of collective operations, as tables and figures."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import EXAMPLES

import lightloom
from lightloom import DesignError, Fabric

FILE = EXAMPLES / "glass-64.toml"


@pytest.fixture(scope="module")
def advice():
    fabric = Fabric.open(FILE)
    sizes = "64 kB..256 kB, 4 MB"
    return fabric.collective("broadcast", size=sizes, members=[8, 16], simulate_up_to="256 kB")


def test_the_answer_is_that_of_the_command(advice, cli):
    asked = ["--size", "64 kB..256 kB, 4 MB", "--members", "8,16", "--simulate-up-to", "256 kB"]
    assert cli("collective", str(FILE), "--op", "broadcast", *asked) == advice.report
    fabric = Fabric.open(FILE)
    asked = ["--size", "8kB", "--groups", "2", "--members", "4", "--member-order", "random"]
    more = ["--schedules", "ring,bruck", "--hosts-per-tor", "2", "--link-rate", "25Gb/s"]
    last = ["--spines", "3", "--link-length", "30 m", "--run-seed", "9", "--slice", "1kB"]
    found = fabric.collective(
        "allgather", size="8kB", groups=np.int64(2), members=np.array([4]), order="random",
        schedules=["ring", "bruck"], hosts_per_tor=2, link_rate="25Gb/s", spines=3,
        link_length="30 m", seed=9, slice="1kB", threads=1,
    )  # fmt: skip
    assert found.report == cli("collective", str(FILE), "--op", "allgather", *asked, *more, *last)


def test_tables_have_all_cases(advice):
    table = advice.table()
    # Cornet's blocks of 4 MB are larger than what is simulated, so nothing is extended.
    assert len(table) == len(advice) == 2 * (4 * 17 - 1)
    assert advice.missing == "" and "Advice broadcast: 134 cases" in repr(advice)
    least = table.groupby(["members", "bytes"])["last_ps"].min().reset_index()
    assert least["last_ps"].tolist() == advice.fastest()["last_ps"].tolist()
    assert table[table["is_extended"]]["bytes"].unique().tolist() == [4_000_000]
    even = advice.break_even()
    assert set(even["axis"]) == {"size", "members"}
    by_size = even[even["axis"] == "size"]
    assert by_size["bytes"].isna().all() and by_size["members"].tolist() == [8] * 16 + [16] * 16
    assert advice.answer[0].startswith("Broadcast of 8 members: multicast over ")


@pytest.mark.parametrize("value", ["last_ps", "bus_bps", "link_bps", "joules_per_tb"])
def test_a_line_for_each_schedule(advice, value):
    axes = lightloom.plot.collective(advice, value=value, members=16)
    assert axes.get_title() == "broadcast of 16 members"
    named = [line for line in axes.lines if not line.get_label().startswith("_")]
    assert len(named) == 17
    table = advice.table()
    for line in named:
        rows = table[(table["members"] == 16) & (table["name"] == line.get_label())]
        rows = rows[rows[value].notna()]
        assert line.get_xdata().tolist() == rows["bytes"].tolist()
        factor = {"last_ps": 1e-6, "joules_per_tb": 1.0}.get(value, 1e-9)
        assert np.allclose(line.get_ydata(), rows[value].astype(float) * factor)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"operation": "scan"}, "operation"),
        ({"size": "1 MB..1 kB"}, "size"),
        ({"members": 1}, "members"),
        ({"members": [2.5]}, "members"),
        ({"groups": 9, "members": 8}, "groups"),
        ({"schedules": "binomial, ring"}, "schedules"),
        ({"order": "sorted"}, "order"),
        ({"threads": -1}, "threads"),
        ({"link_rate": "fast"}, "link_rate"),
    ],
)
def test_wrong_arguments_are_named(given, field):
    fabric = Fabric(p=4, k=2)
    operation = given.pop("operation", "broadcast")
    with pytest.raises(DesignError) as refused:
        fabric.collective(operation, **given)
    assert refused.value.field == field
    assert str(refused.value).startswith(field)


def test_a_figure_needs_members_that_are_there(advice):
    with pytest.raises(DesignError, match="members: found 9; there are 8, 16"):
        lightloom.plot.collective(advice, members=9)
    with pytest.raises(DesignError, match="value: found 'speed'; expected one of last_ps"):
        lightloom.plot.collective(advice, value="speed")


def test_a_scenario_is_asked_alone_and_beside_its_messages(cli):
    file = EXAMPLES / "stride.toml"
    advice = lightloom.Scenario.open(file).collective(
        "allreduce", size="64 kB", members=8, start="1 us", schedules=["ring", "recursive-doubling"]
    )
    asked = ["--size", "64 kB", "--members", "8", "--start", "1 us"]
    words = ["--schedules", "ring,recursive-doubling"]
    assert advice.report == cli("collective", str(file), "--op", "allreduce", *asked, *words)
    table = advice.table()
    assert (table["beside_ps"] > table["last_ps"]).all()
    beside = advice.fastest_beside()
    assert beside["last_ps"].tolist() == [table["beside_ps"].min()]
    with pytest.raises(lightloom.SimulationError) as refused:
        lightloom.Scenario.open(file).collective("allreduce", start="1 h")
    assert refused.value.field == "start"
