"""Rollouts of `lightloom configs diff` through the controller, on real Open vSwitch bridges."""

from __future__ import annotations

import json
import shutil

import pytest
from bridges import Bridges, ovs
from controllers import Controller, until

pytest.importorskip("os_ken")
pytestmark = pytest.mark.skipif(not ovs.is_installed(), reason=ovs.MISSING)

GROUPS = """version = 1
[servers]
per_tor = 1
[[group]]
name = "all"
members = ["all"]
[[group]]
name = "some"
members = ["tor:3", "tor:17"]
"""
DESIGN = ["--p", "2", "--k", "3"]
TORS = 24


@pytest.fixture(scope="module")
def folders(lightloom_binary, tmp_path_factory):
    """A plan, the same after the transmitter of ToR 8 has failed, and the way there."""
    root = tmp_path_factory.mktemp("folders")
    (root / "groups.toml").write_text(GROUPS)
    (root / "fewer.toml").write_text(GROUPS.replace("per_tor = 1", "per_tor = 2"))

    def run(*words, groups=root / "groups.toml"):
        more = ["--dialect", "openflow", "--groups", str(groups)] if words[0] == "configs" else []
        ovs.run(str(lightloom_binary), *map(str, words), *more)

    run("plan", *DESIGN, "--out", root / "plan")
    run("recover", *DESIGN, "--failed", "tx:8", "--apply", root / "repaired-plan")
    run("configs", root / "plan", "--out", root / "before")
    run("configs", root / "repaired-plan", "--out", root / "after")
    diff = ["configs", "diff", root / "plan", root / "repaired-plan"]
    run(*diff, "--out", root / "rollouts/repair")
    run(*diff, "--out", root / "rollouts/other", groups=root / "fewer.toml")
    return root


@pytest.fixture(scope="module")
def bridges(folders, tmp_path_factory):
    daemon = ovs.Daemon(tmp_path_factory.mktemp("ovs"))
    try:
        yield Bridges(daemon, folders / "before", folders / "plan")
    finally:
        daemon.stop()


@pytest.fixture
def controller(folders, bridges, tmp_path):
    bridges.clear()
    state = tmp_path / "state.sqlite"
    one = Controller(folders / "before", state, "--rollouts", folders / "rollouts")
    bridges.point(one.port)
    one.ready(TORS)
    yield one
    bridges.point(None)
    one.stop()


def filled(bridges, folder):
    bridges.fill(folder)
    found = bridges.tables()
    bridges.clear()
    return found


def roll(controller, **body):
    number = controller.ask("POST", "/rollouts", body)["id"]
    path = f"/rollouts/{number}"
    until(lambda: controller.ask("GET", path)["state"] == "done", "the rollout is done")
    return controller.ask("GET", path)


@pytest.fixture(scope="module")
def expected(folders, bridges):
    return [filled(bridges, folders / name) for name in ("before", "after")]


def test_a_repair_goes_in_and_out_while_members_change(expected, controller, folders, bridges):
    before, after = expected
    touched = [tor for tor in bridges.tors if before[tor] != after[tor]]
    manifest = json.loads((folders / "rollouts/repair/rollout.json").read_text())
    assert sorted(map(int, manifest["stamps"])) == touched
    assert bridges.tables() == before
    controller.join("some", "tor:8/1")
    # The rollout's files still have this member.
    controller.leave("all", "tor:8/1")
    phases = roll(controller, folder="repair")["phases"]
    assert phases == ["drops-in", "delete", "add", "stamps"]
    # All sources that the failure cut off, and one that it did not; ToR 8 itself needs a network.
    lost = manifest["phases"][0]["loses"]
    # Paths are longer than before.
    repaired = json.loads((folders / "after/configs.json").read_text())
    ttl = repaired["time_to_live"]
    for source in [*sorted(set(lost) - {"8"}, key=int)[::3], "23"]:
        payload = f"after the repair, from {source}".encode()
        bridges.send(f"tor:{source}/1", "239.0.0.2", payload, ttl)
        members = sorted({"tor:3/1", "tor:8/1", "tor:17/1"} - {f"tor:{source}/1"})
        until(lambda p=payload, m=members: bridges.receivers(p) == m, f"copies from {source}")
    # What ToR 8 sends to its stand-in goes to the new member too, and no longer to the old one.
    wrapping = [line for line in bridges.tables()[8] if "tun_dst" in line]
    assert [line.split(",")[0] for line in wrapping] == ["group_id=20", "group_id=4"]
    assert "output:3" in wrapping[0] or 'output:"t8-3"' in wrapping[0]
    controller.leave("some", "tor:8/1")
    controller.join("all", "tor:8/1")
    assert bridges.tables() == after
    assert controller.ask("POST", "/rollouts", {"folder": "repair"})["nothing"] is True
    back = roll(controller, folder="repair", back=True)
    assert (back["name"], back["phases"][0]) == ("repair (back)", "delete")
    assert bridges.tables() == before
    assert controller.ask("POST", "/rollouts", {"folder": "repair", "back": True})["nothing"]


def test_a_repair_touches_only_the_switches_that_it_names(controller, folders, bridges):
    manifest = json.loads((folders / "rollouts/repair/rollout.json").read_text())
    untouched = [tor for tor in bridges.tors if str(tor) not in manifest["stamps"]]
    # A repair needs none of the others.
    bridges.point(None, untouched)
    controller.ready(TORS - len(untouched))
    roll(controller, folder="repair")


def test_other_servers_are_no_rollout(controller, bridges):
    before = bridges.tables()
    status, message = controller.refused("POST", "/rollouts", {"folder": "other"})
    assert status == 409
    assert "the rollout begins at" in message or "servers change" in message
    assert bridges.tables() == before


def test_an_edited_bundle_is_refused(controller, folders, bridges):
    before = bridges.tables()
    edited = folders / "rollouts/edited"
    if not edited.exists():
        shutil.copytree(folders / "rollouts/repair", edited)
    (file,) = edited.glob("01-*.bundle")
    for line, status, message in [
        ("flow add table=0,priority=999,actions=NORMAL", 400, "line 4: found"),
        ("flow delete_strict table=1,priority=7", 409, "the switch has no such entry"),
        ("flow add cookie=0x10,table=1,priority=900,actions=drop", 409, "addresses of servers"),
    ]:
        text = (folders / "rollouts/repair" / file.name).read_text()
        file.write_text(text + line + "\n")
        said = controller.refused("POST", "/rollouts", {"folder": "edited"})
        assert said[0] == status
        assert message in said[1]
    assert bridges.tables() == before
