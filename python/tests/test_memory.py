"""Memory is estimated before work begins, and more than is allowed is refused."""

import pytest

import lightloom
from lightloom import DesignError, Plan, Scenario, SimulationError

REFUSED = r"needs about \d+ MB of memory, and 1 kB is allowed"
RUN = """version = 1
until = "10 us"
[network]
kind = "leaf-spine"
leaves = 2
spines = 1
hosts_per_leaf = 1
rate = "100 Gb/s"
length = "10 m"
[[flow]]
from = 0
to = 1
size = "1 kB"
"""


def test_a_written_plan_needs_memory(tmp_path):
    lightloom.Fabric(p=2, k=2).plan(tmp_path / "plan")
    for asked in (Plan.open, lightloom.verify):
        with pytest.raises(DesignError, match=REFUSED):
            asked(tmp_path / "plan", memory="1 kB")
        with pytest.raises(DesignError, match="expected a data size"):
            asked(tmp_path / "plan", memory="8")
        with pytest.raises(TypeError, match="memory"):
            asked(tmp_path / "plan", memory=8)
        assert asked(tmp_path / "plan", memory="2 GB")


def test_what_an_opened_plan_is_asked_keeps_to_its_memory(tmp_path):
    """It opens with less than its check needs: that makes the files of the plan again."""
    lightloom.Fabric(p=8, k=3).plan(tmp_path / "plan")
    plan = Plan.open(tmp_path / "plan", memory="30 MB")
    written = tmp_path / "written"
    for work in (
        plan.verify,
        plan.drawings,
        plan.as_built_form,
        plan.as_html,
        lambda: plan.netbox(site="Hall 1"),
        lambda: plan.grow(1538, out=written),
        lambda: plan.shrink(1530, out=written),
        lambda: plan.configs("openflow", out=written),
        lambda: plan.rollout(plan, "openflow", out=written),
    ):
        with pytest.raises(DesignError, match="and 30 MB is allowed"):
            work()
        assert not written.exists()


def test_a_fabric_and_a_run_need_memory(tmp_path):
    with pytest.raises(DesignError, match=REFUSED):
        lightloom.Fabric(p=2, k=2, memory="1 kB")
    scenario = tmp_path / "run.toml"
    scenario.write_text(RUN)
    with pytest.raises((DesignError, SimulationError), match=REFUSED):
        Scenario.open(scenario).run(memory="1 kB")
