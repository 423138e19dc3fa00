"""A controller under attack: it answers others, its memory is bounded, and tables are right after.

The size is `--attacks`: the number of mutated messages. There is a tenth of it in mutated
requests, and a thousandth in kills.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from attacks import REQUESTS, Attacker, Mutator, connect, request, send_request
from controllers import make_rollout, until
from switches import Fabric, Protocol, probed_folders

pytest.importorskip("os_ken")

from lightloom.controller import folder, wire
from lightloom.controller.entries import Tables, steps
from lightloom.controller.members import Members

#: Bytes that a controller may take at any time.
MOST_MEMORY = 500_000_000
#: The ToR whose switch the attackers claim to be.
CLAIMED = 7


@pytest.fixture(scope="module")
def folders(lightloom_binary, tmp_path_factory):
    root = probed_folders(lightloom_binary, tmp_path_factory.mktemp("folders"))
    make_rollout(root / "masked", root / "literal", root / "rollouts" / "there")
    make_rollout(root / "literal", root / "masked", root / "rollouts" / "back")
    return root


@pytest.fixture
def fabric(folders, tmp_path):
    # Numbers that no mutation meets: who names one takes the place of its switch.
    ids = [0xA5C3_9E17_0000_0000 + 0x1234567 * tor for tor in range(8)]
    rows = "".join(f"{tor},{number:016x}\n" for tor, number in enumerate(ids))
    (tmp_path / "switches.csv").write_text("tor,datapath_id\n" + rows)
    more = ["--switches", tmp_path / "switches.csv"]
    state = tmp_path / "state.sqlite"
    one = Fabric(folders / "masked", folders / "rollouts", state, *more, ids=ids)
    yield one
    one.stop()


@pytest.fixture(scope="session")
def size(request):
    return request.config.getoption("--attacks")


def peak_of(controller):
    """The most bytes of memory that a controller's process ever had."""
    for line in Path(f"/proc/{controller.process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    raise AssertionError("VmHWM")


class Reference:
    """What switches have that get all entries at once, from the configurations and the groups."""

    def __init__(self, folders):
        self._folders = {name: folder.read(folders / name) for name in ("masked", "literal")}

    def tables(self, controller, base="masked"):
        found = self._folders[base]
        groups = {one["name"]: one for one in controller.ask("GET", "/groups")}
        members = Members(found.members.servers, found.members.addresses)
        for name, one in groups.items():
            group = members.new_group(name, one["address"], one["members"])
            members.groups[name] = _at(group, one["place"])
        return [self._filled(found.base[tor], members, tor) for tor in range(len(found.base))]

    @staticmethod
    def _filled(base, members, tor):
        wanted = base.copy()
        wanted.add(members.of_tor(tor, base))
        switch = Protocol(tor + 1)
        for step in steps(Tables(), wanted):
            for message in wire.step_messages(step):
                switch.answers(message)
        return switch.tables.flows, switch.tables.groups


def _at(group, place):
    return type(group)(group.name, place, group.address, group.members)


def test_mutated_messages_of_openflow(fabric, folders, size):
    controller, choose = fabric.controller, random.Random(40)
    reference = Reference(folders)
    fabric.switches[CLAIMED].stop()
    controller.ready(7)
    attacker = Attacker(controller.port, fabric.ids[CLAIMED], choose)
    answered = 0
    while attacker.sent < size:
        for _ in range(40):
            attacker.attack()
        # Others are answered, and their switches are told.
        assert controller.ask("GET", "/status")["ready"] in (7, 8)
        assert controller.join("first", "gpu-2")["switches"] == [3]
        assert controller.leave("first", "gpu-2")["switches"] == [3]
        answered += 3
    print(f"{attacker.sent} messages, {answered} requests answered, {peak_of(controller)} bytes")
    fabric.replace(CLAIMED)
    controller.ready(8)
    assert fabric.tables() == reference.tables(controller)
    # None of the others was ever given up.
    for switch in controller.ask("GET", "/switches")[:CLAIMED]:
        assert (switch["drifts"], switch["problem"], switch["last_read"]["found"]) == (
            0,
            None,
            "empty",
        )
    log = Path(controller.log.name).read_text()
    assert "Traceback" not in log
    assert peak_of(controller) < MOST_MEMORY
    assert controller.stop() == 0


def test_mutated_requests(fabric, folders, size):
    controller, choose = fabric.controller, random.Random(41)
    seeds = [request(*one) for one in REQUESTS]
    mutator = Mutator(choose, seeds)
    found = {}
    for number in range(size // 10):
        status = send_request(controller.api, mutator.request(choose.choice(seeds)))
        found[status] = found.get(status, 0) + 1
        if number % 100 == 99:
            assert controller.ask("GET", "/status")["ready"] == 8
    print(f"statuses {found}, {peak_of(controller)} bytes")
    assert found.keys() <= {None, 200, 400, 401, 404, 405, 408, 409, 411, 413, 414, 431, 501, 505}
    for tor in range(8):
        assert controller.ask("POST", f"/switches/{tor}/check")["last_read"]["found"] == "equal"
    assert fabric.tables() == Reference(folders).tables(controller)
    assert "Traceback" not in Path(controller.log.name).read_text()
    assert peak_of(controller) < MOST_MEMORY


class Model:
    """Groups and their members as the answers said, and the change whose answer never came."""

    def __init__(self, choose):
        self._choose = choose
        self.groups = {"first": {"gpu-1"}}

    def change(self):
        """A request, and the groups after it."""
        name = self._choose.choice(["first", "g1", "g2"])
        after = {one: set(members) for one, members in self.groups.items()}
        server = self._choose.choice(["gpu-1", "gpu-2"])
        if name not in after:
            after[name] = {server}
            return ("POST", "/groups", {"name": name, "members": [server]}), after
        if name != "first" and self._choose.randrange(4) == 0:
            del after[name]
            return ("DELETE", f"/groups/{name}", None), after
        verb = "DELETE" if server in after[name] else "PUT"
        (after[name].remove if verb == "DELETE" else after[name].add)(server)
        return (verb, f"/groups/{name}/members/{server}", None), after

    def matches(self, controller, *possible):
        """After a restart the groups are one of those that are possible."""
        found = {one["name"]: set(one["members"]) for one in controller.ask("GET", "/groups")}
        assert found in possible
        self.groups = found


def base_of(controller):
    """Where the rollouts have led to, once none of them is running."""
    last = until(
        lambda: [one for one in [controller.ask("GET", "/rollouts")] if not _is_running(one)],
        "no rollout is running",
    )[0]
    if not last:
        return "masked"
    is_there = last[-1]["name"] == "there"
    return "literal" if is_there == (last[-1]["state"] == "done") else "masked"


def _is_running(rollouts):
    return any(one["state"] == "running" for one in rollouts)


def test_kills(fabric, folders, size):
    choose, reference = random.Random(42), Reference(folders)
    model, base = Model(choose), "masked"
    rounds = max(size // 1000, 2)
    for number in range(rounds):
        controller = fabric.controller
        for _ in range(choose.randrange(6)):
            words, model.groups = model.change()
            controller.ask(*words)
        words, after = model.change()
        if number % 2:
            # In the middle of a rollout, or of its way back.
            name = "there" if base == "masked" else "back"
            path = f"/rollouts/{controller.ask('POST', '/rollouts', {'folder': name})['id']}"
            if choose.randrange(2):
                after = model.groups
                words = ("POST", path + "/rollback", None)
        # Its answer is not waited for.
        body = str(words[2]).replace("'", '"').encode() if words[2] else None
        with connect(controller.api) as client:
            client.sendall(request(words[0], words[1], body))
            for _ in range(choose.randrange(3)):
                controller.ask("GET", "/status")
            fabric.restart()
        controller = fabric.controller
        controller.ready(8)
        base = base_of(controller)
        model.matches(controller, model.groups, after)
        assert fabric.tables() == reference.tables(controller, base)
        assert "Traceback" not in Path(controller.log.name).read_text()
    print(f"{rounds} kills, {len(fabric.controller.ask('GET', '/rollouts'))} rollouts")
