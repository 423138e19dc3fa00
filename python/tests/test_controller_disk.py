"""A disk that is full under the controller, and switches that are not there."""

from __future__ import annotations

import contextlib

import pytest
from controllers import (
    state_of,
    until,
)
from disks import disk
from switches import Fabric, probed_folders

pytest.importorskip("os_ken")


FULL = "the state file: "


@pytest.fixture(scope="module")
def folders(lightloom_binary, tmp_path_factory):
    return probed_folders(lightloom_binary, tmp_path_factory.mktemp("folders"))


@pytest.fixture(scope="module")
def expected(folders, tmp_path_factory):
    """What switches get that were never rolled out to."""
    found = {}
    for name in ("masked", "literal"):
        state = tmp_path_factory.mktemp("state") / "state.sqlite"
        fabric = Fabric(folders / name, folders / "rollouts", state)
        found[name] = fabric.tables()
        fabric.stop()
    assert found["masked"] != found["literal"]
    return found


class Tour:
    """A rollout on a disk that is full whenever something is to be written."""

    def __init__(self, fabric, disk):
        self.fabric, self.disk = fabric, disk
        self.full = contextlib.ExitStack()
        self.path = "/rollouts/1"

    def ask(self, *words):
        return self.fabric.controller.ask(*words)

    def fill(self):
        self.full.enter_context(self.disk.full(self.fabric.controller))

    def is_at(self, **wanted):
        return state_of(self.fabric.controller, 1, **wanted)

    def waits_for_room(self, **where):
        """The rollout stays where it is, requests change nothing, and others are answered."""
        controller = self.fabric.controller
        until(lambda: (self.is_at(**where)["problem"] or "").startswith(FULL), "the disk is full")
        before = controller.ask("GET", self.path)
        if before["direction"] == "forward":
            self.refuses("POST", self.path + "/rollback")
        body = {"name": "new", "members": ["gpu-1", "gpu-2"]}
        assert controller.refused("POST", "/groups", body)[0] in (409, 503)
        assert controller.ask("GET", "/status")["ready"] == 8
        assert controller.ask("POST", "/switches/5/check")["last_read"]["found"] == "equal"
        assert controller.ask("GET", self.path) == before

    def refuses(self, *words):
        status, message = self.fabric.controller.refused(*words)
        assert (status, message.rpartition(": ")[0]) == (
            503,
            "nothing was changed: the state file",
        )

    def ends_a_phase(self, phase, direction):
        """Its switches have confirmed, but this cannot be written. They are held until now."""
        self.is_at(phase=phase, stage="installing", direction=direction)
        self.fill()
        self.fabric.switches[0].takes_changes.set()
        self.waits_for_room(phase=phase, stage="installing", direction=direction)

    def has_room(self, hold):
        """There is room again. A switch that is held keeps the next phase from its end."""
        if hold:
            self.fabric.switches[0].takes_changes.clear()
        self.full.close()

    def forward(self):
        self.fill()
        self.refuses("POST", "/rollouts", {"folder": "probed"})
        assert self.ask("GET", "/rollouts") == []
        self.has_room(hold=True)
        self.ask("POST", "/rollouts", {"folder": "probed"})
        for phase in (1, 2, 3):
            self.ends_a_phase(phase, "forward")
            self.has_room(hold=False)
            self.is_at(phase=phase, stage="probing")
            self.fill()
            if phase < 3:
                # The next phase is written before it begins. It needs no second word.
                self.ask("POST", self.path + "/continue")
                self.waits_for_room(phase=phase, stage="probing")
                self.has_room(hold=True)
        # A rollback that cannot be written is none.
        self.refuses("POST", self.path + "/rollback")
        assert self.ask("GET", self.path)["direction"] == "forward"
        self.has_room(hold=True)

    def back(self, killed_in):
        self.ask("POST", self.path + "/rollback")
        for phase in (3, 2, 1):
            self.ends_a_phase(phase, "back")
            if phase == killed_in:
                self.fabric.controller.kill()
            self.has_room(hold=phase > 1)
            if phase == killed_in:
                self.fabric.restart()
                self.fabric.controller.ready(8)
        self.is_at(state="rolled back")


@pytest.mark.parametrize(("kind", "killed_in"), [("limit", 2), ("tmpfs", None)])
def test_a_rollout_waits_for_room_there_and_back(folders, expected, tmp_path, kind, killed_in):
    with disk(kind, tmp_path / "disk") as found:
        if found is None:
            pytest.skip("a small disk needs root")
        fabric = Fabric(folders / "masked", folders / "rollouts", found.folder / "state.sqlite")
        try:
            tour = Tour(fabric, found)
            tour.forward()
            assert fabric.tables() == expected["literal"]
            tour.back(killed_in)
            assert fabric.tables() == expected["masked"]
            fabric.restart()
            fabric.controller.ready(8)
            assert fabric.tables() == expected["masked"]
        finally:
            fabric.stop()


def test_a_join_that_was_kept_for_a_switch_is_not_said_to_be_there(folders, tmp_path):
    fabric = Fabric(folders / "masked", folders / "rollouts", tmp_path / "state.sqlite")
    try:
        controller = fabric.controller
        fabric.switches[3].stop()
        controller.ready(7)
        path = "/groups/first/members/gpu-2"
        assert controller.ask("PUT", path + "?absent=later")["later"] == [3]
        assert controller.refused("PUT", path) == (503, "nothing was changed: not ready: ToR 3")
        assert controller.ask("PUT", path + "?absent=later")["later"] == [3]
        fabric.replace(3)
        controller.ready(8)
        again = controller.ask("PUT", path)
        assert (again["switches"], again["later"]) == ([], [])
    finally:
        fabric.stop()


def test_the_end_is_said_only_of_tables_that_were_read(folders, expected, tmp_path):
    fabric = Fabric(folders / "masked", folders / "rollouts", tmp_path / "state.sqlite")
    try:
        controller = fabric.controller
        controller.ask("POST", "/rollouts", {"folder": "probed"})
        for phase in (1, 2, 3):
            state_of(controller, 1, phase=phase, stage="probing")
            if phase < 3:
                controller.ask("POST", "/rollouts/1/continue")
        fabric.switches[6].stop()
        controller.ready(7)
        controller.ask("POST", "/rollouts/1/continue")
        state_of(controller, 1, state="running", problem="not ready: ToR 6")
        # It comes back empty, and is filled before the end is said.
        fabric.replace(6)
        state_of(controller, 1, state="done")
        assert fabric.tables() == expected["literal"]
    finally:
        fabric.stop()
