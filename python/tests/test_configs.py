"""Configurations of switches: the same as the command's, as texts and in a folder."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lightloom import DesignError, Fabric, Plan, verify_configs

GROUPS = """version = 1
[servers]
per_tor = 2
[[group]]
name = "weights"
members = ["tor:1", "tor:5/2"]
"""


@pytest.fixture(scope="module")
def groups(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("groups") / "groups.toml"
    path.write_text(GROUPS)
    return path


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Plan:
    return Fabric("shufflecast", p=2, k=2).plan(tmp_path_factory.mktemp("plans") / "plan")


def texts_in(folder: Path) -> dict[str, str]:
    listed = (path for path in folder.iterdir() if path.name != "lightloom.sha256")
    return {path.name: path.read_text() for path in listed}


def test_texts_are_those_of_the_command(plan, groups, tmp_path, lightloom_binary):
    configs = plan.configs("openflow", tmp_path / "ours", encoding="literal", groups=groups)
    told = ["--dialect", "openflow", "--encoding", "literal", "--groups", groups]
    subprocess.run(
        [lightloom_binary, "configs", plan.folder, *told, "--out", tmp_path / "theirs"],
        check=True,
        capture_output=True,
    )
    assert texts_in(tmp_path / "ours") == texts_in(tmp_path / "theirs") == configs.texts
    assert configs["stamp"] == configs.stamp
    assert len(configs.switches) == 8
    assert repr(configs) == "<Configs: 8 switches, openflow, literal>"
    # The fabric of a plan is told the same as the plan.
    assert plan.fabric.configs(encoding="literal", groups=groups) == configs


def test_a_rollout_is_that_of_the_command(plan, groups, tmp_path, lightloom_binary):
    repaired = plan.fabric.recover(["relay:3"]).apply(tmp_path / "repaired")
    rollout = plan.rollout(repaired, "openflow", tmp_path / "ours", groups=groups)
    told = ["--dialect", "openflow", "--groups", groups, "--out", tmp_path / "theirs"]
    subprocess.run(
        [lightloom_binary, "configs", "diff", plan.folder, repaired.folder, *told],
        check=True,
        capture_output=True,
    )
    assert texts_in(tmp_path / "ours") == texts_in(tmp_path / "theirs") == rollout.texts
    assert [phase["name"] for phase in rollout.phases][-1] == "stamps"
    assert set(rollout.stamps) == {int(tor) for tor in rollout.phases[-1]["switches"]}


@pytest.mark.parametrize(
    ("dialect", "encoding", "ending"),
    [
        ("p4runtime", "masked", ".p4rt.txt"),
        ("p4runtime-sonic", "masked-destination", ".p4rt.txt"),
        ("sonic", None, ".patch.json"),
        ("eos", None, ".eos"),
    ],
)
def test_rollouts_of_each_dialect(groups, tmp_path, dialect, encoding, ending):
    def plan(k):
        fabric = Fabric("shufflecast", p=2, k=k, tor_model="arista-7050sx-64")
        return fabric.plan(tmp_path / f"plan-{k}")

    old, new = plan(2), plan(3)
    rollout = old.rollout(new, dialect, tmp_path / "out", encoding=encoding, groups=groups)
    assert texts_in(tmp_path / "out") == rollout.texts
    assert "never run" in rollout.proof
    files = {file for phase in rollout.phases for of in phase["switches"].values() for file in of}
    assert files and all(file.endswith(ending) for file in files)
    assert files == {name for name in rollout.texts if name[0].isdigit()}
    named = [lacks for lacks in rollout.not_expressed if lacks["what"].startswith("phase ")]
    assert bool(named) == (dialect == "sonic")


def test_what_was_read_back_is_compared(plan, groups, tmp_path):
    configs = plan.configs("openflow", tmp_path / "configs", groups=groups)
    back = tmp_path / "back"
    back.mkdir()
    for tor in range(8):
        flows = configs.texts[f"tor-{tor}.flows"] + configs.texts[f"tor-{tor}.gate"]
        (back / f"tor-{tor}.dump-flows").write_text(flows)
        (back / f"tor-{tor}.dump-groups").write_text(configs.texts[f"tor-{tor}.groups"])
    good = verify_configs(tmp_path / "configs", back)
    assert good and good["right"] == 8 and not good.faults
    assert "duration" in good["ignored"]
    # One port of sixteen was heard, and it heard the right ToR.
    heard = next(
        row for row in configs.texts["switch-ports.csv"].splitlines()[1:] if row.split(",")[4]
    )
    tor, number, _, _, hears, *_ = heard.split(",")
    (back / "neighbours.csv").write_text(f"tor,number,heard\n{tor},{number},{hears}\n")
    assert verify_configs(tmp_path / "configs", back)["not_heard"] == 15
    assert not verify_configs(tmp_path / "configs", back)
    assert verify_configs(tmp_path / "configs", back, partial=True)
    (back / "neighbours.csv").unlink()
    # A switch that lost its groups has drifted.
    (back / "tor-3.dump-groups").write_text("")
    bad = verify_configs(tmp_path / "configs", back)
    assert not bad and bad.drifted == [3]
    assert "lacks group" in bad.faults[0]
    with pytest.raises(DesignError, match=r"configs\.json"):
        verify_configs(tmp_path, back)


def test_other_groups_are_compared(plan, groups, tmp_path):
    nobody = tmp_path / "nobody.toml"
    nobody.write_text(Path(groups).read_text() + '[[group]]\nname = "more"\nmembers = ["tor:3"]\n')
    rollout = plan.rollout(plan, groups=nobody, old_groups=groups)
    assert [phase["name"] for phase in rollout.phases] == ["members"]
    assert list(rollout.phases[0]["switches"]) == ["3"]
    assert not plan.rollout(plan, groups=nobody).phases


def test_an_edited_plan_is_refused(plan, tmp_path):
    edited = Plan.open(plan.fabric.plan(tmp_path / "edited").folder)
    rules = Path(edited.folder) / "rules.json"
    rules.write_text(rules.read_text().replace("[0,", "[", 1))
    with pytest.raises(DesignError, match=r"rules\.json"):
        edited.configs()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"dialect": "cisco"}, "dialect"),
        ({"encoding": "tiny"}, "encoding"),
        ({"groups": "missing.toml"}, "missing"),
        ({"dialect": 3}, "dialect"),
    ],
)
def test_what_cannot_be_is_refused(plan, asked, said):
    with pytest.raises(DesignError, match=said):
        plan.configs(**asked)
