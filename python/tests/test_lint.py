"""What would go wrong on real switches."""

from __future__ import annotations

import pickle

import pytest

import lightloom

OWN = """[switch.own]
ports = ["8 x 10 Gb/s"]
interfaces = [{{ names = "Ethernet{{1-8}}", rate = "10 Gb/s", connector = "lc" }}]
source = "a test"
date = "2026-11"
{more}
"""


@pytest.fixture
def plan(tmp_path):
    return lightloom.Fabric(p=2, k=2).plan(tmp_path / "plan")


def test_lint_is_that_of_the_command(plan, cli):
    for said in ({}, {"encoding": "literal"}, {"encoding": "roots"}):
        flags = [part for key, value in said.items() for part in (f"--{key}", value)]
        assert plan.lint(**said).report == cli("lint", plan.folder, *flags)


def test_findings(plan):
    lint = plan.lint()
    assert lint and lint.good and lint.errors == 0
    assert lint.warnings == len(lint) == len(lint["findings"]) > 0
    assert repr(lint) == f"<Lint: 0 errors, {lint.warnings} warnings>"
    assert [found["severity"] for found in lint.of_rule("time-to-live")] == ["warning"]
    assert lint.of_rule("remote-fault") == []
    assert pickle.loads(pickle.dumps(lint)) == lint
    table = lint.findings()
    assert list(table["rule"]) == [found["rule"] for found in lint["findings"]]


def test_errors_come_first(tmp_path):
    fabric = lightloom.Fabric(p=2, k=2, fault_signalling="on")
    lint = fabric.plan(tmp_path / "plan").lint()
    assert not lint and lint.errors == 8
    assert [found["rule"] for found in lint["findings"][:8]] == ["remote-fault"] * 8
    assert [found["tor"] for found in lint.of_rule("remote-fault")] == list(range(8))


def test_a_model_and_its_dialects(tmp_path):
    parts = tmp_path / "own.toml"
    parts.write_text(OWN.format(more="hairpin = false\nternary_entries = 2"))
    fabric = lightloom.Fabric(p=2, k=2, parts=parts, tor_model="own", transceiver="10gbase-er")
    lint = fabric.plan(tmp_path / "plan").lint("eos")
    assert lint["model"] == "own" and lint["stages"] == 1
    assert len(lint.of_rule("hairpin")) == 8
    assert "own holds 2" in lint.of_rule("table-too-small")[0]["text"]
    assert any("time to live" in found["text"] for found in lint.of_rule("not-expressed"))


LOSSLESS = """version = 1
[lossless]
buffer = "32 MB"
cell = "256 B"
ecn_min = "100 kB"
ecn_max = "400 kB"
ecn_percent = 20
[servers]
per_tor = 2
rate = "10 Gbps"
cable = "3 m"
"""


def test_the_lossless_class_of_files(tmp_path, cli):
    parts, groups = tmp_path / "own.toml", tmp_path / "groups.toml"
    parts.write_text(OWN.format(more=""))
    groups.write_text(LOSSLESS)
    plan = lightloom.Fabric(p=2, k=2, parts=parts, tor_model="own", transceiver="10gbase-er").plan(
        tmp_path / "plan"
    )
    files = tmp_path / "configs"
    plan.configs("sonic", files, groups=groups)
    said = {"dialect": "sonic", "groups": groups, "files": files}
    lint = plan.lint("sonic", groups=groups, files=files)
    assert lint.good
    flags = [part for key, value in said.items() for part in (f"--{key}", value)]
    assert lint.report == cli("lint", plan.folder, *flags)
    of_switch = files / "tor-3.config_db.json"
    of_switch.write_text(of_switch.read_text().replace('"pfc_enable": "3"', '"pfc_enable": "4"', 1))
    lint = plan.lint("sonic", groups=groups, files=files)
    assert not lint and [(found["rule"], found["tor"]) for found in lint["findings"][:1]] == [
        ("no-pause", 3)
    ]
    with pytest.raises(lightloom.DesignError, match=r"files.*sonic"):
        plan.lint("eos", groups=groups, files=files)
    with pytest.raises(lightloom.DesignError, match=r"files.*lossless"):
        plan.lint("sonic", files=files)
    with pytest.raises(lightloom.DesignTypeError):
        plan.lint("sonic", groups=groups, files=3)


def test_wrong_questions(plan, tmp_path):
    with pytest.raises(lightloom.DesignError, match=r"dialect.*sonic"):
        plan.lint("latin")
    with pytest.raises(lightloom.DesignError, match="encoding"):
        plan.lint(encoding="magic")
    with pytest.raises(lightloom.DesignError, match=r"none\.toml"):
        plan.lint(groups=tmp_path / "none.toml")
    with pytest.raises(lightloom.DesignTypeError):
        plan.lint(3)
