"""Import files for NetBox: the same as the command's, as texts and in a folder."""

from __future__ import annotations

import subprocess

import pytest

from lightloom import DesignError, Fabric, Plan


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Plan:
    return Fabric("shufflecast", p=2, k=2).plan(tmp_path_factory.mktemp("plans") / "plan")


def test_texts_are_those_of_the_command(plan, tmp_path, lightloom_binary):
    texts = plan.netbox(
        tmp_path / "ours",
        site="Harbor Hall",
        location="Hall 2",
        with_racks=True,
        with_switches=True,
    )
    theirs = tmp_path / "theirs"
    flags = ["--location", "Hall 2", "--with-racks", "--with-switches"]
    subprocess.run(
        [lightloom_binary, "netbox", plan.folder, "--site", "Harbor Hall", *flags, "--out", theirs],
        check=True,
        capture_output=True,
    )
    for folder in (tmp_path / "ours", theirs):
        listed = (path for path in folder.iterdir() if path.name != "lightloom.sha256")
        assert {path.name: path.read_bytes().decode() for path in listed} == texts
    assert list(texts) == sorted(texts)


def test_without_a_folder_nothing_is_written(plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = plan.netbox(site="Harbor Hall")
    assert texts["11-cables.csv"].count("\n") == 1 + 8 * 3
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("asked", [{}, {"site": "=1"}, {"site": "x" * 101}, {"site": 3}])
def test_what_netbox_cannot_take_is_refused(plan, asked):
    with pytest.raises(DesignError, match="site"):
        plan.netbox(**asked)
