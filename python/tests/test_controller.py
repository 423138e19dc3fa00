"""The controller on real Open vSwitch bridges: members, drift, rollouts, restarts."""

from __future__ import annotations

import json
import sqlite3

import pytest
from bridges import Bridges, ovs
from controllers import (
    Delivery,
    Starter,
    command,
    make_rollout,
    state_of,
    until,
)

pytest.importorskip("os_ken")
pytestmark = pytest.mark.skipif(not ovs.is_installed(), reason=ovs.MISSING)

GROUPS = """version = 1
[servers]
per_tor = 2
[[group]]
name = "all"
members = ["all"]
[[group]]
name = "some"
members = ["tor:1/1", "tor:5"]
"""


@pytest.fixture(scope="module")
def folders(lightloom_binary, tmp_path_factory):
    """Configurations of 2,2, masked and literal, and folders of rollouts between them."""
    root = tmp_path_factory.mktemp("folders")
    (root / "groups.toml").write_text(GROUPS)
    run = lambda *words: ovs.run(str(lightloom_binary), *map(str, words))  # noqa: E731
    run("plan", "--p", 2, "--k", 2, "--out", root / "plan")
    for encoding in ("masked", "literal"):
        more = ["--dialect", "openflow", "--groups", root / "groups.toml"]
        run("configs", root / "plan", *more, "--encoding", encoding, "--out", root / encoding)
    masked, literal, rollouts = root / "masked", root / "literal", root / "rollouts"
    make_rollout(masked, literal, rollouts / "there")
    make_rollout(literal, masked, rollouts / "back")
    probe = {"close": {"probe": 0}, "replace": {"drain_ps": 5_000_000}}
    make_rollout(masked, literal, rollouts / "probed", **probe)
    return root


@pytest.fixture(scope="module")
def fabric(folders, tmp_path_factory):
    daemon = ovs.Daemon(tmp_path_factory.mktemp("ovs"))
    try:
        yield Bridges(daemon, folders / "masked", folders / "plan")
    finally:
        daemon.stop()


@pytest.fixture
def bridges(fabric):
    """All bridges, empty and without a controller."""
    fabric.clear()
    return fabric


@pytest.fixture
def start(folders, bridges, tmp_path):
    """Starts controllers, and ends them."""
    starter = Starter(folders, bridges, tmp_path)
    yield starter
    starter.stop()


@pytest.fixture
def loaded(folders, bridges):
    """What the bridges have after `ovs-ofctl` has loaded a folder, by its name."""
    cache = {}

    def loaded(name):
        if name not in cache:
            bridges.fill(folders / name)
            cache[name] = bridges.tables()
            bridges.clear()
        return cache[name]

    return loaded


@pytest.fixture
def delivery(bridges):
    return Delivery(bridges)


@pytest.mark.parametrize("bundles", [[], ["--no-bundles"]])
def test_switches_get_what_ovs_ofctl_loads(start, loaded, bridges, bundles):
    # shufflecast:III-B1.installed
    expected = loaded("masked")
    assert all(expected)
    controller = start(*bundles)
    assert bridges.tables() == expected
    for switch in controller.ask("GET", "/switches"):
        assert switch["ready"]
        assert switch["stamp"] == switch["wanted_stamp"]
        assert switch["last_read"]["found"] == "empty"


@pytest.mark.parametrize("bundles", [[], ["--no-bundles"]])
def test_joins_and_leaves_reach_packets(start, loaded, bridges, delivery, bundles):
    # The controller answers when packets reach the members (shufflecast:III-B2.request).
    # They reach no other server (shufflecast:III-B2.confined).
    expected = loaded("masked")
    controller = start(*bundles)
    some = ["tor:1/1", "tor:5/1", "tor:5/2"]
    delivery.check("239.0.0.2", some)
    # A member more at a ToR with members, and one at a ToR without.
    assert controller.join("some", "tor:1/2")["switches"] == [1]
    assert controller.join("some", "tor:7/2")["switches"] == [7]
    delivery.check("239.0.0.2", [*some, "tor:1/2", "tor:7/2"])
    assert controller.join("some", "tor:7/2")["switches"] == []
    assert controller.leave("some", "tor:1/2")["switches"] == [1]
    assert controller.leave("some", "tor:7/2")["switches"] == [7]
    delivery.check("239.0.0.2", some)
    assert bridges.tables() == expected
    # A group of its own.
    made = controller.ask("POST", "/groups", {"name": "new", "members": ["tor:2/1", "tor:4/2"]})
    assert made["switches"] == [2, 4]
    assert made["group"]["address"] == "239.0.0.3"
    delivery.check("239.0.0.3", ["tor:2/1", "tor:4/2"])
    assert controller.ask("DELETE", "/groups/new")["switches"] == [2, 4]
    delivery.check("239.0.0.3", [])
    assert bridges.tables() == expected


def test_members_survive_a_restart(start, bridges, delivery):
    # shufflecast:III-C2.relays: no switch loses a rule.
    controller = start()
    controller.join("some", "tor:2/2")
    controller.ask("POST", "/groups", {"name": "new", "address": "239.1.2.3", "members": []})
    controller.join("new", "tor:0/2")
    before = bridges.tables()
    controller.kill()
    controller = start()
    assert bridges.tables() == before
    # Nothing was sent: all switches had what they must have.
    found = [one["last_read"]["found"] for one in controller.ask("GET", "/switches")]
    assert found == ["equal"] * len(bridges.tors)
    names = [group["name"] for group in controller.ask("GET", "/groups")]
    assert names == ["all", "some", "new"]
    delivery.check("239.0.0.2", ["tor:1/1", "tor:5/1", "tor:5/2", "tor:2/2"])
    delivery.check("239.1.2.3", ["tor:0/2"])


def test_a_change_without_its_switch_is_refused_or_kept_for_it(start, bridges, delivery):
    controller = start()
    bridges.point(None, [7])
    controller.ready(7)
    before = bridges.tables()
    body = {"name": "new", "members": ["tor:2/1", "tor:7/2"]}
    assert controller.refused("POST", "/groups", body) == (
        503,
        "nothing was changed: not ready: ToR 7",
    )
    assert bridges.tables() == before
    made = controller.ask("POST", "/groups?absent=later", body)
    assert (made["switches"], made["later"]) == ([2], [7])
    bridges.point(controller.port, [7])
    controller.ready(8)
    delivery.check("239.0.0.3", ["tor:2/1", "tor:7/2"])


def test_a_change_that_one_switch_refuses_is_undone_on_all(start, bridges):
    controller = start()
    before = bridges.tables()
    # Somebody puts a group where the next one goes: number 8 * (2 + 1) + 1.
    bridges.ofctl("add-group", 4, "group_id=25,type=all,bucket=actions=output:1")
    body = {"name": "new", "members": ["tor:2/1", "tor:4/2"]}
    status, message = controller.refused("POST", "/groups", body)
    assert status == 503
    assert message.startswith("the change was undone: ToR 4: the switch refused a change")
    assert [group["name"] for group in controller.ask("GET", "/groups")] == ["all", "some"]
    # ToR 4 comes back, and the foreign group is found and removed.
    until(lambda: bridges.tables() == before, "all as before")
    controller.ready(8)
    assert controller.ask("GET", "/switches/4")["drifts"] == 1
    assert controller.ask("POST", "/groups", body)["switches"] == [2, 4]


def test_drift_is_found_and_mended(start, bridges, delivery):
    controller = start()
    before = bridges.tables()
    bridges.point(None, [3])
    controller.ready(7)
    # Relay entries vanish, a server is added to a group, and everything is let through.
    bridges.ofctl("del-flows", 3, "cookie=0x24/-1,table=1")
    bridges.ofctl("mod-group", 3, "group_id=11,type=all,bucket=actions=output:1")
    bridges.ofctl("add-flow", 3, "table=0,priority=999,actions=NORMAL")
    bridges.point(controller.port, [3])
    controller.ready(8)
    assert bridges.tables() == before
    read = controller.ask("GET", "/switches/3")["last_read"]
    # Four relay entries, the group, the foreign flow.
    assert (read["found"], read["differences"]) == ("drift", 6)
    assert read["first"][0].startswith("missing flow table=1,priority=")
    # The same while the switch stays connected, on request.
    bridges.ofctl("del-flows", 5, "table=2")
    assert controller.ask("POST", "/switches/5/check")["last_read"]["found"] == "drift"
    assert bridges.tables() == before
    assert controller.ask("POST", "/switches/5/check")["last_read"]["found"] == "equal"
    delivery.check("239.0.0.2", ["tor:1/1", "tor:5/1", "tor:5/2"])


def test_drift_is_looked_for_again_and_again(start, bridges):
    start("--check-every", "0.1")
    before = bridges.tables()
    bridges.ofctl("add-flow", 6, "table=0,priority=999,actions=NORMAL")
    until(lambda: bridges.tables() == before, "the foreign flow is gone")


def test_a_change_that_the_state_file_refuses_is_undone(start, bridges, tmp_path):
    controller = start()
    before = bridges.tables()
    controller.stop()
    # A rule of the file that refuses this group, as a full disk would.
    with sqlite3.connect(tmp_path / "state.sqlite") as state:
        state.execute(
            "CREATE TRIGGER full BEFORE INSERT ON groups WHEN NEW.name = 'new'"
            " BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
        )
    state.close()
    controller = start()
    body = {"name": "new", "members": ["tor:2/1", "tor:4/2"]}
    assert controller.refused("POST", "/groups", body) == (
        503,
        "the change was undone: the state file: disk is full",
    )
    assert bridges.tables() == before


def test_a_switch_that_boots_relays_nothing(start, bridges, delivery):
    controller = start()
    bridges.clear()
    delivery.check("239.0.0.1", [])
    bridges.point(controller.port)
    controller.ready(8)
    delivery.check("239.0.0.1", list(bridges.servers))


def test_a_rollout_goes_there_and_back(start, loaded, bridges, delivery):
    masked, literal = loaded("masked"), loaded("literal")
    assert masked != literal
    controller = start()
    assert bridges.tables() == masked
    number = controller.ask("POST", "/rollouts", {"folder": "there"})["id"]
    done = state_of(controller, number, state="done")
    assert done["phases"] == ["close", "replace", "open"]
    assert bridges.tables() == literal
    delivery.check("239.0.0.2", ["tor:1/1", "tor:5/1", "tor:5/2"])
    # A push twice is nothing.
    assert controller.ask("POST", "/rollouts", {"folder": "there"})["nothing"] is True
    back = controller.ask("POST", "/rollouts", {"folder": "back"})["id"]
    state_of(controller, back, state="done")
    assert bridges.tables() == masked
    assert controller.refused("POST", f"/rollouts/{back}/rollback") == (
        409,
        'the rollout is done: start its folder with "back": true',
    )


def test_another_base_is_refused(start, folders, bridges):
    other = folders / "rollouts/other"
    if not other.exists():
        make_rollout(folders / "masked", folders / "literal", other)
        manifest = json.loads((other / "rollout.json").read_text())
        manifest["stamps"]["6"]["from"] = "0x0000000000000001"
        (other / "rollout.json").write_text(json.dumps(manifest))
    controller = start()
    before = bridges.tables()
    stamp = controller.ask("GET", "/switches/6")["stamp"]
    assert controller.refused("POST", "/rollouts", {"folder": "other"}) == (
        409,
        f"the rollout begins at 0x0000000000000001 on ToR 6; the switch is at {stamp}",
    )
    assert controller.ask("GET", "/rollouts") == []
    assert bridges.tables() == before


def test_a_controller_killed_between_phases_goes_on(start, loaded, bridges, delivery):
    literal = loaded("literal")
    controller = start()
    number = controller.ask("POST", "/rollouts", {"folder": "probed"})["id"]
    state_of(controller, number, stage="probing", phase=1)
    # All gates are closed.
    delivery.check("239.0.0.1", [], sources=["tor:0/1"])
    controller.kill()
    controller = start()
    state_of(controller, number, stage="probing", phase=1)
    closed = [one["last_read"]["found"] for one in controller.ask("GET", "/switches")]
    assert closed == ["equal"] * 8
    # Members change while the rollout waits, and are there after it.
    controller.join("some", "tor:0/2")
    controller.ask("POST", f"/rollouts/{number}/continue")
    state_of(controller, number, state="done")
    delivery.check("239.0.0.2", ["tor:0/2", "tor:1/1", "tor:5/1", "tor:5/2"])
    controller.leave("some", "tor:0/2")
    assert bridges.tables() == literal


def stuck_in_replace(controller, bridges):
    """A rollout that waits for ToR 2 while the tables are exchanged."""
    number = controller.ask("POST", "/rollouts", {"folder": "probed"})["id"]
    state_of(controller, number, stage="probing")
    bridges.point(None, [2])
    controller.ready(7)
    controller.ask("POST", f"/rollouts/{number}/continue")
    stuck = state_of(controller, number, phase_name="replace", problem="not ready: ToR 2")
    assert stuck["stage"] == "installing"
    return number


def test_a_controller_killed_within_a_phase_goes_on(start, loaded, bridges):
    literal = loaded("literal")
    controller = start()
    number = stuck_in_replace(controller, bridges)
    status, message = controller.refused("PUT", "/groups/some/members/tor:0%2F2")
    assert (status, message) == (
        409,
        "nothing was changed: a phase of a rollout is being installed there",
    )
    controller.kill()
    # It waits for the same switch as before.
    controller = start(ready=False)
    bridges.point(controller.port, [tor for tor in bridges.tors if tor != 2])
    controller.ready(7)
    state_of(controller, number, phase_name="replace", problem="not ready: ToR 2")
    bridges.point(controller.port, [2])
    state_of(controller, number, state="done")
    assert bridges.tables() == literal


def test_a_controller_killed_on_the_way_back_goes_on(start, loaded, bridges):
    masked = loaded("masked")
    controller = start()
    number = stuck_in_replace(controller, bridges)
    assert controller.ask("POST", f"/rollouts/{number}/rollback")["direction"] == "back"
    controller.kill()
    controller = start()
    state_of(controller, number, state="rolled back")
    assert bridges.tables() == masked


def test_a_rollout_turns_back_in_the_middle(start, loaded, bridges):
    masked = loaded("masked")
    controller = start()
    number = controller.ask("POST", "/rollouts", {"folder": "probed"})["id"]
    state_of(controller, number, stage="probing")
    assert controller.refused("POST", "/rollouts", {"folder": "there"})[0] == 409
    controller.ask("POST", f"/rollouts/{number}/rollback")
    state_of(controller, number, state="rolled back")
    assert bridges.tables() == masked
    assert controller.refused("POST", f"/rollouts/{number}/continue")[0] == 409


def test_a_restart_takes_the_folder_of_either_end(start, folders, bridges, tmp_path):
    controller = start()
    number = controller.ask("POST", "/rollouts", {"folder": "there"})["id"]
    state_of(controller, number, state="done")
    literal = bridges.tables()
    for configs in ("masked", "literal"):
        controller.stop()
        controller = start(configs=configs)
        assert bridges.tables() == literal
    controller.stop()
    # By now the state belongs to the new folder.
    done = command(folders / "masked", tmp_path / "state.sqlite", tmp_path / "token")
    assert done.returncode == 2
    assert "belongs to other configurations" in done.stderr


def test_two_controllers_on_one_state_file_are_refused(start, folders, tmp_path):
    controller = start()
    done = command(folders / "masked", tmp_path / "state.sqlite", tmp_path / "token")
    assert done.returncode == 2
    assert "another controller uses this state file" in done.stderr
    assert controller.ask("GET", "/status")["ready"] == 8


def test_a_stranger_is_not_controlled(start, bridges):
    controller = start()
    bridges.rename(0, 0xFF)
    status = until(
        lambda: (lambda s: s if s["unknown_datapath_ids"] else None)(
            controller.ask("GET", "/status")
        ),
        "the stranger is named",
    )
    assert status["unknown_datapath_ids"] == ["00000000000000ff"]
    bridges.rename(0, 1)
    controller.ready(8)
