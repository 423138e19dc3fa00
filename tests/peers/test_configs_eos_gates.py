"""Closed gates of Arista EOS: switches that bridge where DirectFlow is shut, in every phase and every mix of gates.

No copy passes a closed gate, none circulates, and nobody gets two.
"""

import csv
import random
from itertools import combinations
from ipaddress import IPv4Address

import pytest

from diff_designs import Designs, files_of, manifests, tors_of
from eos_session import Session
from eos_switch import Fabric, Packet, Switch

# VLANs that servers may be in: that of the fabric ports, as the files advise, or another.
VLANS = (3901, 1)


@pytest.fixture
def designs(lightloom, tmp_path):
    return Designs(lightloom, tmp_path, "eos")


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def gates_of(folder, tor):
    """The files that open a gate, in order."""
    files = sorted(path for path in folder.glob("tor-*gate") if number_of(path) == tor)
    return [path.read_text() for path in files]


def number_of(path):
    return int(path.name.removeprefix("tor-").split(".")[0])


class Plan:
    """A folder of configurations: sessions of its switches, who sends, and who gets it."""

    def __init__(self, folder):
        self.folder = folder
        self.ports = rows(folder / "switch-ports.csv")
        self.texts = tors_of(folder, "eos")
        self.gates = {tor: gates_of(folder, tor) for tor in self.texts}
        self.steps = max(map(len, self.gates.values()))
        self.members = {}
        for row in rows(folder / "groups.csv"):
            of = self.members.setdefault(int(IPv4Address(row["address"])), set())
            of.add(row["member"])
        interface = {row["server"]: row["interface"] for row in self.ports if row["server"]}
        self.servers = {
            row["server"]: (int(row["tor"]), interface[row["server"]], int(IPv4Address(row["address"])))
            for row in rows(folder / "servers.csv")
        }

    def session(self, tor, gate=0):
        """A switch that was told its file, and some of the files of its gate."""
        session = Session()
        session.load(self.texts[tor])
        for text in self.gates[tor][:gate]:
            session.load(text)
        return session

    def senders(self):
        """One server of each ToR, with the groups."""
        seen = set()
        for server, (tor, port, address) in self.servers.items():
            if tor not in seen:
                seen.add(tor)
                yield server, tor, port, [Packet(address, group) for group in self.members]


def sent(plan, fabric, sessions, is_open):
    """Sends from each ToR to each group, and checks each copy. Returns the copies of each sender and group."""
    found = {}
    for vlan in VLANS:
        switches = {tor: Switch(session.state, vlan) for tor, session in sessions.items()}
        for lists_first in (True, False):
            for server, tor, port, packets in plan.senders():
                if tor not in sessions:
                    continue
                for packet in packets:
                    copies, passed = fabric.send(switches, tor, port, packet, lists_first)
                    where = f"{server}, servers in VLAN {vlan}, lists first: {lists_first}"
                    through = [place for place in passed if place[0] not in is_open]
                    assert not through, f"{where}: closed gates let copies through: {through[:3]}"
                    twice = {one: number for one, number in copies.items() if number > 1}
                    assert not twice, f"{where}: copies come twice: {twice}"
                    due = plan.members[packet.destination] - {server}
                    assert copies.keys() <= due, f"{where}: strangers got copies: {copies}"
                    if vlan == VLANS[0] and lists_first:
                        found[server, packet.destination] = set(copies)
    return found


def test_no_mix_of_gates_lets_a_copy_through_a_closed_one(designs):
    plan = Plan(designs.configs(designs.design(2, 2)))
    fabric = Fabric(plan.ports)
    tors = sorted(plan.texts)
    for open_gates in range(4):
        for is_open in combinations(tors, open_gates):
            sessions = {tor: plan.session(tor, plan.steps if tor in is_open else 0) for tor in tors}
            sent(plan, fabric, sessions, set(is_open))
    draw = random.Random(7)
    for _ in range(20):
        # Each switch is anywhere on the way to its open gate. Half of the way may let packets go by the flows.
        steps = {tor: draw.randint(0, plan.steps) for tor in tors}
        sessions = {tor: plan.session(tor, step) for tor, step in steps.items()}
        sent(plan, fabric, sessions, {tor for tor in tors if steps[tor]})
    everywhere = {tor: plan.session(tor, plan.steps) for tor in tors}
    for (server, group), got in sent(plan, fabric, everywhere, set(tors)).items():
        assert got == plan.members[group] - {server}


def test_a_file_that_is_loaded_again_closes_the_gate(designs):
    plan = Plan(designs.configs(designs.design(2, 2)))
    sessions = {tor: plan.session(tor, plan.steps) for tor in plan.texts}
    for tor in (2, 5):
        sessions[tor].load(plan.texts[tor])
    sent(plan, Fabric(plan.ports), sessions, set(plan.texts) - {2, 5})


class Walk:
    """Switches on the way from one plan to another, phase by phase and file by file, in a drawn order."""

    def __init__(self, old, new, folder, manifest, failed=""):
        self.old, self.new, self.folder, self.manifest = old, new, folder, manifest
        self.draw = random.Random(f"{old.folder.name} {new.folder.name}")
        self.fabrics = {plan: Fabric(plan.ports, failed) for plan in (old, new)}
        self.sessions = {tor: old.session(tor, old.steps) for tor in old.texts}
        self.is_open = set(old.texts)

    def check(self, phase):
        """Sends over the light of the plan that the phase belongs to. Cords are moved while all gates are closed."""
        for plan in {"close": (self.old,), "canary": (self.new,), "open": (self.new,)}.get(phase, self.fabrics):
            fabric = self.fabrics[plan]
            sessions = {tor: session for tor, session in self.sessions.items() if tor in fabric.ports}
            # A switch that is not yet told, or no longer, has no fibre.
            for tor in fabric.ports.keys() - sessions.keys():
                sessions[tor] = Session()
                sessions[tor].load("".join(f"interface {name}\n   shutdown\n" for name in fabric.ports[tor]))
            sent(plan, fabric, sessions, self.is_open)

    def go(self):
        for number, phase in enumerate(self.manifest["phases"]):
            tors = sorted(map(int, phase["switches"]))
            self.draw.shuffle(tors)
            stops = {0, len(tors) // 2, len(tors) - 1}
            for at, tor in enumerate(tors):
                (_, texts) = files_of(self.folder, self.manifest, tor)[number]
                session = self.sessions.setdefault(tor, Session())
                if phase["name"] in ("canary", "open"):
                    self.is_open.add(tor)
                for text in texts:
                    session.load(text)
                    if at in stops:
                        self.check(phase["name"])
                if phase["name"] == "close":
                    self.is_open.discard(tor)
                    if at in stops:
                        self.check(phase["name"])
            if phase["name"] in ("close", "replace"):
                self.stale()

    def stale(self):
        """A switch starts with a file that it was told earlier: that of the old plan, or that of the new one."""
        for plan in (self.old, self.new):
            for tor in self.draw.sample(sorted(plan.texts), 3):
                before = self.sessions.get(tor)
                self.sessions[tor] = plan.session(tor)
                self.check("replace")
                if before is None:
                    del self.sessions[tor]
                else:
                    self.sessions[tor] = before


@pytest.mark.parametrize(("one", "other"), [((2, 2), (2, 3)), ((2, 3), (2, 2))])
def test_no_phase_of_an_exchange_lets_a_copy_through_a_closed_gate(designs, one, other):
    old, new = designs.design(*one), designs.design(*other)
    folder, _ = designs.rollout(old, new)
    there, back = manifests(folder)
    plans = [Plan(designs.configs(plan)) for plan in (old, new)]
    for (before, after), manifest in ((plans, there), (plans[::-1], back)):
        walk = Walk(before, after, folder, manifest)
        walk.go()
        assert walk.is_open >= set(after.texts)
        sessions = {tor: walk.sessions[tor] for tor in after.texts}
        for (server, group), got in sent(after, Fabric(after.ports), sessions, walk.is_open).items():
            assert got == after.members[group] - {server}


@pytest.mark.parametrize("failed", ["branch:8->16"])
def test_no_phase_of_a_repair_brings_copies_twice(designs, failed):
    old = designs.design(2, 3)
    repaired = designs.repaired(old, failed)
    folder, _ = designs.rollout(old, repaired)
    plans = [Plan(designs.configs(plan)) for plan in (old, repaired)]
    for (before, after), manifest in zip((plans, plans[::-1]), manifests(folder), strict=True):
        Walk(before, after, folder, manifest, failed).go()
