"""Rollouts for P4Runtime: the requests of all phases lead from the old entries to the new ones, and back.

Only the protobuf text is read. In between, nobody gets a packet twice, and each switch decides about a packet as before the
phase or as after it.
"""

import random
from dataclasses import replace
from ipaddress import IPv4Address

import finsy
import pytest
from ovs_fabric import broken_parts, light
from p4rt import Packet, Relay, Sonic, packet, request
from p4rt_rollout import DELETE, Held, Moving, Rollout, key_of, shuffled
from test_configs_p4runtime import Bench, info, port_of, schema_of, sent_to

FAILURES = {
    ("2", "3"): ("relay:8", "tx:8", "branch:8->16", "rx:12/1"),
    ("4", "2"): ("relay:17", "tx:3", "branch:20->0"),
}
REPAIRS = [(design, failure) for design, failures in FAILURES.items() for failure in failures]


class DiffBench(Bench):
    def __init__(self, binary, folder):
        super().__init__(binary, folder)
        self.made = {}

    def diff(self, old, new, dialect, encoding, out):
        flags = ["--dialect", dialect, "--encoding", encoding, "--groups", self.groups, "--out", out]
        return self.run("configs", "diff", old, new, *flags)

    def rollout(self, old, new, dialect, encoding):
        out = self.folder / f"{old.name}..{new.name}.{dialect}.{encoding}".replace(":", "")
        if out not in self.made:
            done = self.diff(old, new, dialect, encoding, out)
            assert done.returncode == 0, done.stderr
            self.made[out] = done
        return out

    def repaired(self, design, failure):
        path = self.folder / f"{'-'.join(design)}-{failure}".replace("->", "to").replace("/", "_").replace(":", "")
        if not path.exists():
            flags = ["--p", design[0], "--k", design[1], "--failed", failure, "--apply", path]
            assert self.run("recover", *flags).returncode in (0, 1)
        return path


@pytest.fixture(scope="module")
def bench(lightloom, tmp_path_factory):
    return DiffBench(lightloom, tmp_path_factory.mktemp("diff"))


def held(configs):
    """What each switch holds by the text of its configurations."""
    kind = Relay if configs.manifest["dialect"] == "p4runtime" else Sonic
    pipeline = info(configs)
    files = [f"{file}.p4rt.txt" for file in kind.FILES]
    return [Held(pipeline, [request(configs.text(tor, file)) for file in files]) for tor in configs.tors]


def entities(switches):
    return [one.entities for one in switches]


def walk(rollout, switches):
    """Carries out all phases, the updates of each request in any order."""
    for number, phase in enumerate(rollout.phases):
        for tor in sorted(map(int, phase["switches"])):
            for place, one in enumerate(rollout.requests(phase, tor)):
                assert one.updates
                for update in shuffled(one, (number, tor, place).__repr__()):
                    switches[tor].apply(update)


def there_and_back(bench, old, new, dialect, encoding):
    folder = bench.rollout(old, new, dialect, encoding)
    before, after = bench.configs(old, dialect, encoding), bench.configs(new, dialect, encoding)
    one, other = held(before), held(after)
    # Switches that only one of the plans has hold nothing in the other.
    empty = lambda: Held(info(before))  # noqa: E731
    most = max(len(one), len(other))
    one += [empty() for _ in range(most - len(one))]
    other += [empty() for _ in range(most - len(other))]
    now = [switch.copy() for switch in one]
    assert entities(now) != entities(other)
    walk(Rollout(folder), now)
    assert entities(now) == entities(other)
    walk(Rollout(folder, "rollback.json"), now)
    assert entities(now) == entities(one)
    return folder


@pytest.mark.parametrize("encoding", ["literal", "masked", "masked-destination"])
@pytest.mark.parametrize(("design", "failure"), REPAIRS)
def test_a_repair_leads_to_the_new_entries_and_back(bench, design, failure, encoding):
    old, new = bench.plan(*design), bench.repaired(design, failure)
    folder = there_and_back(bench, old, new, "p4runtime", encoding)
    phases = [phase["name"] for phase in Rollout(folder).phases]
    assert "add" in phases and phases[-1] == "stamps"
    assert ("drops-in" in phases) == failure.startswith("tx") or failure.startswith("relay")


def has_stand_ins(bench, plan):
    return any(port.used_for == "unicast" for port in bench.configs(plan, "p4runtime", "masked").ports)


@pytest.mark.parametrize(("design", "failure"), REPAIRS)
def test_a_repair_in_the_published_pipeline(bench, design, failure, tmp_path):
    old, new = bench.plan(*design), bench.repaired(design, failure)
    if has_stand_ins(bench, new):
        for pair in ((old, new), (new, old)):
            done = bench.diff(*pair, "p4runtime-sonic", "masked-destination", tmp_path / "out")
            assert done.returncode == 2 and "stand-in" in done.stderr
            assert not (tmp_path / "out").exists()
        return
    there_and_back(bench, old, new, "p4runtime-sonic", "masked-destination")


def test_repairs_with_and_without_stand_ins_are_tested(bench):
    found = {has_stand_ins(bench, bench.repaired(*repair)) for repair in REPAIRS}
    assert found == {False, True}


@pytest.mark.parametrize(("dialect", "encoding"), [("p4runtime", "masked"), ("p4runtime-sonic", "masked-destination")])
@pytest.mark.parametrize(("one", "other"), [(("2", "2"), ("2", "3")), (("2", "3"), ("4", "2"))])
def test_another_fabric_exchanges_all_entries(bench, one, other, dialect, encoding):
    folder = there_and_back(bench, bench.plan(*one), bench.plan(*other), dialect, encoding)
    rollout = Rollout(folder)
    assert [phase["name"] for phase in rollout.phases] == ["close", "replace", "canary", "open"]
    # Nothing passes while tables change, also at a switch that comes or leaves.
    plans = [bench.configs(bench.plan(*design), dialect, encoding) for design in (one, other)]
    for file, (old, new) in (("rollout.json", plans), ("rollback.json", plans[::-1])):
        nothing_passes(Rollout(folder, file), old, new)


def nothing_passes(rollout, old, new):
    kind = Relay if old.manifest["dialect"] == "p4runtime" else Sonic
    switches = dict(enumerate(held(old)))
    close, replace_all = rollout.phases[:2]
    # Packets of both plans, from a server at each of some ToRs.
    packets = [
        Packet(packet(row["address"], "239.0.0.1", 0).source, sent_to(row, "239.0.0.1"), 30)
        for configs in (old, new)
        for row in list(configs.servers.values())[::6]
    ]
    ports = {tor: {p.number for c in (old, new) for p in c.ports if p.tor == tor} for tor in (*old.tors, *new.tors)}
    # Switches of both plans, and one that comes or leaves.
    for tor in (0, 5, old.tors[-1], new.tors[-1]):
        switch = switches.pop(tor, None)
        if tor in old.tors and switch is None:
            continue
        switch = switch or Held(info(old))
        stages = []
        for phase in (close, replace_all):
            if str(tor) not in phase["switches"]:
                continue
            for number, one_request in enumerate(rollout.requests(phase, tor)):
                for update in shuffled(one_request, (tor, number).__repr__()):
                    switch.apply(update)
                    if phase is replace_all:
                        stages.append(switch.copy())
        for stage in stages[:: max(1, len(stages) // 16)]:
            closed = kind(info(old), stage.requests())
            for port in ports[tor]:
                for sent in packets:
                    assert closed.process(port, sent) == [], (tor, port)


@pytest.mark.parametrize(("design", "failure"), REPAIRS)
@pytest.mark.parametrize(("dialect", "encoding"), [("p4runtime", "masked"), ("p4runtime-sonic", "masked-destination")])
def test_finsy_takes_every_update(bench, design, failure, dialect, encoding):
    old, new = bench.plan(*design), bench.repaired(design, failure)
    if dialect == "p4runtime-sonic" and has_stand_ins(bench, new):
        pytest.skip("refused: see test_a_repair_in_the_published_pipeline")
    folder = bench.rollout(old, new, dialect, encoding)
    schema = schema_of(bench.configs(old, dialect, encoding))
    files = sorted(folder.glob("*.p4rt.txt"))
    assert files
    for file in files:
        text = file.read_text()
        assert "never run on a switch" in text
        for update in request(text).updates:
            entity = update.entity
            if entity.HasField("table_entry"):
                assert finsy.P4TableEntry.decode(entity, schema).encode(schema) == entity
                assert entity.table_entry.HasField("action") == (update.type != DELETE)
            else:
                assert finsy.P4MulticastGroupEntry.decode(entity, schema).encode(schema) == entity


def lit_by(plan, failure):
    """Whose light reaches which ports."""
    broken = broken_parts([failure])
    return {
        tor: [
            (to, port)
            for to, port in receivers
            if tor not in broken.splitters and (tor, to) not in broken.fibres and (to, port) not in broken.receivers
        ]
        for tor, receivers in light(plan).items()
    }


class Way:
    """A fabric with a broken part, on its way from one plan to another."""

    def __init__(self, bench, design, failure, dialect, encoding):
        old, new = bench.plan(*design), bench.repaired(design, failure)
        self.folder = bench.rollout(old, new, dialect, encoding)
        self.old, self.new = (bench.configs(plan, dialect, encoding) for plan in (old, new))
        self.now = held(self.old)
        kind = Relay if dialect == "p4runtime" else Sonic
        # The new configurations have the ports to the unicast network.
        self.fabric = Moving(kind, info(self.new), self.new, lit_by(old, failure), self.now)
        self.random = random.Random(f"{design} {failure} {dialect}")
        self.spares_sender = dialect == "p4runtime"
        self.sources = [next(n for n, row in self.new.servers.items() if int(row["tor"]) == tor) for tor in self.new.tors]
        self.ttl = max(self.old.ttl, self.new.ttl)
        self.address = self.new.groups["all"][0]

    def sent(self, server):
        row = self.new.servers[server]
        return Packet(packet(row["address"], self.address, 0).source, sent_to(row, self.address), self.ttl, server)

    def missing(self):
        """For each source ToR, the ToRs that miss its packet. Nobody may get one twice."""
        missing = {}
        for server in self.sources:
            got = [name for name, _ in self.fabric.send(*port_of(self.new, server), self.sent(server))]
            assert len(set(got)) == len(got), f"{server}: copies come twice: {sorted(got)}"
            lost = set(self.new.groups["all"][1]) - set(got) - {server}
            if lost:
                missing[self.new.tor_of(server)] = {self.new.tor_of(one) for one in lost}
        return missing

    def decisions(self, switch, tor):
        ports = [port.number for port in self.new.ports if port.tor == tor]
        outer = (1, int(IPv4Address(self.new.tor_address(tor))))
        found = {}
        for port in ports:
            for server in self.sources:
                for wrapped in (None, outer):
                    sent = replace(self.sent(server), outer=wrapped)
                    found[port, server, wrapped] = sorted(map(repr, switch.process(port, sent)))
        return found

    def go(self, file):
        rollout = Rollout(self.folder, file)
        before = self.missing()
        for phase in rollout.phases:
            loses = {int(tor): set(lost) for tor, lost in phase["loses"].items()}
            steps = {tor: rollout.requests(phase, tor) for tor in map(int, phase["switches"])}
            ends = {}
            for tor, requests in steps.items():
                end = self.now[tor].copy()
                for update in (update for one in requests for update in one.updates):
                    end.apply(update)
                ends[tor] = self.decisions(self.fabric.switch(end), tor)
            starts = {tor: self.decisions(self.fabric.switches[tor], tor) for tor in steps}
            # Switches go on one request at a time, in any order.
            turns = [tor for tor, requests in steps.items() for _ in requests]
            self.random.shuffle(turns)
            for turn, tor in enumerate(turns):
                for update in shuffled(steps[tor].pop(0), self.random.random()):
                    self.now[tor].apply(update)
                    self.fabric.set(tor, self.now[tor])
                    found = self.decisions(self.fabric.switches[tor], tor)
                    for asked, decision in found.items():
                        assert decision in (starts[tor][asked], ends[tor][asked]), (phase["name"], tor, asked)
                if turn % 4 == 3 or turn == len(turns) - 1:
                    missing = self.missing()
                    for source, lost in missing.items():
                        bound = loses.get(source, set()) | before.get(source, set())
                        assert lost <= bound, (phase["name"], tor, source, lost - bound)
            before = {tor: loses.get(tor, set()) for tor in self.new.tors}
        return self.missing()


WALKS = [(("2", "3"), failure, "p4runtime", "masked") for failure in FAILURES["2", "3"]]
WALKS += [(("2", "3"), "branch:8->16", "p4runtime-sonic", "masked-destination")]
WALKS += [(("2", "3"), "rx:12/1", "p4runtime", "masked-destination")]


@pytest.mark.parametrize(("design", "failure", "dialect", "encoding"), WALKS)
def test_no_update_brings_a_copy_twice_or_decides_otherwise(bench, design, failure, dialect, encoding):
    way = Way(bench, design, failure, dialect, encoding)
    assert way.missing(), "the failure costs copies"
    assert way.go("rollout.json") == {}
    way.go("rollback.json")


def test_wrong_requests_are_noticed(bench):
    """The checker refuses what P4Runtime refuses."""
    design, failure = ("2", "3"), "relay:8"
    folder = bench.rollout(bench.plan(*design), bench.repaired(design, failure), "p4runtime", "masked")
    rollout = Rollout(folder)
    switches = held(bench.configs(bench.plan(*design), "p4runtime", "masked"))
    tor, requests = next(
        (int(tor), rollout.requests(phase, int(tor))) for phase in rollout.phases for tor in phase["switches"]
    )
    for update in (update for one in requests for update in one.updates):
        switches[tor].apply(update)
        if update.type != 2:
            with pytest.raises(AssertionError):
                switches[tor].apply(update)
        assert (key_of(update.entity) in switches[tor].entities) == (update.type != DELETE)
