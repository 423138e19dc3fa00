"""Exported P4Runtime files: taken by finsy, and replayed by switches that do what the P4 programs say."""

import subprocess
from functools import cache
from pathlib import Path

import finsy
import pytest
from finsy.p4schema import P4RuntimeVersion
from finsy.proto import p4i, p4r
from ovs_fabric import Configs, light
from p4rt import IGMP, Fabric, Packet, Relay, Sonic, number, p4info, packet, request
from replay import Folder

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
DESIGNS = [("2", "2"), ("2", "3"), ("4", "2")]
ENCODINGS = ["literal", "masked", "masked-destination", "roots"]
HERE = Path(__file__).parent


class Bench:
    """Plans and their configurations, each made once."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.groups = folder / "groups.toml"
        self.groups.write_text(GROUPS)

    def run(self, *command):
        line = [str(self.binary), *map(str, command)]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    @cache
    def plan(self, p, k, failed=None):
        whole, path = self.folder / f"{p}-{k}", self.folder / f"{p}-{k}-{failed}"
        flags = ["--p", p, "--k", k]
        if failed is None:
            assert self.run("plan", *flags, "--out", whole).returncode == 0
            return whole
        assert self.run("recover", *flags, "--failed", failed, "--apply", path).returncode == 0
        return path

    def make(self, plan, dialect, encoding, out):
        flags = ["--dialect", dialect, "--encoding", encoding, "--groups", self.groups, "--out", out]
        return self.run("configs", plan, *flags)

    @cache
    def configs(self, plan, dialect, encoding):
        out = self.folder / f"{plan.name}.{dialect}.{encoding}"
        done = self.make(plan, dialect, encoding, out)
        assert done.returncode == 0, done.stderr
        return Configs(out)

    def fabric(self, plan, encoding, dialect="p4runtime", dark=(), shut=()):
        configs = self.configs(plan, dialect, encoding)
        lit = {tor: [] if tor in dark else to for tor, to in light(plan).items()}
        kind = Relay if dialect == "p4runtime" else Sonic
        return Fabric(kind, info(configs), configs, lit, shut)


@pytest.fixture(scope="module")
def bench(lightloom, tmp_path_factory):
    return Bench(lightloom, tmp_path_factory.mktemp("p4runtime"))


def info(configs):
    """What the pipeline of some configurations offers."""
    if configs.manifest["dialect"] == "p4runtime-sonic":
        return p4info((HERE / "sonic_tor.p4info.txt").read_text())
    return p4info((configs.folder / "relay.p4info.txt").read_text())


def schema_of(configs):
    """The pipeline, for P4Runtime 1.5: its replicas name their ports by bytes."""
    schema = finsy.P4Schema(info(configs))
    schema.set_p4runtime_version(P4RuntimeVersion(1, 5, 0, ""))
    return schema


def requests(configs):
    return [request(path.read_text()) for path in sorted(configs.folder.glob("*.p4rt.txt"))]


def entities(configs):
    return [update.entity for one in requests(configs) for update in one.updates]


def port_of(configs, server):
    return next((port.tor, port.number) for port in configs.ports if port.server == server)


def sent_to(row, address):
    """The address that a server sends to for a group: with the code of its ToR, if destinations carry it."""
    return int(packet(row["address"], address, 0).to) | int(row["added_to_group"])


def deliveries(fabric, server, address, ttl):
    """Who gets what a server sends to a group, and which ToRs send light."""
    row = fabric.configs.servers[server]
    sent = Packet(packet(row["address"], address, 0).source, sent_to(row, address), ttl, server)
    got = fabric.send(*port_of(fabric.configs, server), sent)
    assert all(copy.payload == server and copy.ttl >= 1 for _, copy in got)
    return sorted(server for server, _ in got), sorted(fabric.transmitted)


def transmitters(plan, source):
    """The ToRs that send light for a source, by `rules.json`."""
    return sorted(tor for tor, sources in Folder(plan).relays.items() if source in sources)


MADE = [(design, "p4runtime", encoding) for design in DESIGNS for encoding in ENCODINGS]
MADE += [(design, "p4runtime-sonic", "masked-destination") for design in DESIGNS]


@pytest.mark.parametrize(("design", "dialect", "encoding"), MADE)
def test_finsy_takes_every_entry(bench, design, dialect, encoding):
    configs = bench.configs(bench.plan(*design), dialect, encoding)
    schema = schema_of(configs)
    found = entities(configs)
    assert found
    for entity in found:
        if entity.HasField("table_entry"):
            read = finsy.P4TableEntry.decode(entity, schema)
        else:
            read = finsy.P4MulticastGroupEntry.decode(entity, schema)
        assert read.encode(schema) == entity


def test_finsy_refuses_an_overflow_and_passes_what_is_caught_before(bench):
    """Why the writer has checks of its own."""
    configs = bench.configs(bench.plan("2", "2"), "p4runtime", "masked")
    schema = schema_of(configs)
    stage = next(t.preamble.id for t in info(configs).tables if t.preamble.alias == "first_stage")
    # An entry that says nothing of the receive port, which is field 1.
    good = next(
        e
        for e in entities(configs)
        if e.table_entry.table_id == stage and all(match.field_id != 1 for match in e.table_entry.match)
    )

    def read(change):
        entity = p4r.Entity()
        entity.CopyFrom(good)
        change(entity.table_entry)
        return finsy.P4TableEntry.decode(entity, schema).encode(schema)

    def too_wide(entry):
        entry.match.add(field_id=1).ternary.CopyFrom(p4r.FieldMatch.Ternary(value=b"\x02\x00", mask=b"\x02\x00"))

    with pytest.raises(ValueError):
        read(too_wide)
    assert read(lambda entry: entry.ClearField("priority")).table_entry.priority == 0

    def not_canonical(entry):
        entry.match.add(field_id=1).ternary.CopyFrom(p4r.FieldMatch.Ternary(value=b"\x03", mask=b"\x01"))

    # Bits of the value lie outside the mask.
    (port,) = (match for match in read(not_canonical).table_entry.match if match.field_id == 1)
    assert (port.ternary.value, port.ternary.mask) == (b"\x03", b"\x01")


@pytest.mark.parametrize(("design", "dialect", "encoding"), MADE)
def test_entries_are_canonical(bench, design, dialect, encoding):
    configs = bench.configs(bench.plan(*design), dialect, encoding)
    tables = {table.preamble.id: table for table in info(configs).tables}
    exact = p4i.MatchField.EXACT
    for entity in entities(configs):
        if not entity.HasField("table_entry"):
            group = entity.packet_replication_engine_entry.multicast_group_entry
            assert 0 < group.multicast_group_id < 1 << 16
            assert all(0 < replica.instance < 1 << 16 for replica in group.replicas)
            assert len({(r.port, r.instance) for r in group.replicas}) == len(group.replicas)
            continue
        entry = entity.table_entry
        fields = {field.id: field for field in tables[entry.table_id].match_fields}
        assert (entry.priority > 0) == any(field.match_type != exact for field in fields.values())
        for match in entry.match:
            said = getattr(match, match.WhichOneof("field_match_type"))
            width = fields[match.field_id].bitwidth
            values = [said.value] + ([said.mask] if match.HasField("ternary") else [])
            if width:
                assert all(len(v) == 1 or v[0] for v in values) and all(number(v) < 1 << width for v in values)
            if match.HasField("ternary"):
                assert number(said.mask) and not number(said.value) & ~number(said.mask)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("design", DESIGNS)
def test_each_member_gets_one_copy(bench, design, encoding):
    plan = bench.plan(*design)
    fabric = bench.fabric(plan, encoding)
    ttl = fabric.configs.manifest["time_to_live"]
    for server, row in fabric.configs.servers.items():
        for address, members in fabric.configs.groups.values():
            got, sent = deliveries(fabric, server, address, ttl)
            assert got == sorted(members - {server})
            # Trees of roots are others than those of rules.json.
            if encoding != "roots":
                assert sent == transmitters(plan, int(row["tor"]))


@pytest.mark.parametrize("design", DESIGNS)
def test_each_member_gets_one_copy_in_the_published_pipeline(bench, design):
    plan = bench.plan(*design)
    fabric = bench.fabric(plan, "masked-destination", "p4runtime-sonic")
    ttl = fabric.configs.manifest["time_to_live"]
    for server, row in fabric.configs.servers.items():
        for address, members in fabric.configs.groups.values():
            # The program does not spare the port that a packet came in on.
            assert deliveries(fabric, server, address, ttl) == (
                sorted(members),
                transmitters(plan, int(row["tor"])),
            )
    # One hop less is too few for the farthest server.
    servers, (address, members) = fabric.configs.servers, fabric.configs.groups["all"]
    assert any(deliveries(fabric, server, address, ttl - 1)[0] != sorted(members) for server in servers)


@pytest.mark.parametrize("encoding", ["masked", "masked-destination"])
@pytest.mark.parametrize("design", DESIGNS)
def test_masked_is_literal(bench, design, encoding):
    """For every source and port, other servers' ports included."""
    plan = bench.plan(*design)
    literal, masked = bench.fabric(plan, "literal"), bench.fabric(plan, encoding)
    asked = 0
    for port in literal.configs.ports:
        for one, other in zip(literal.configs.servers.values(), masked.configs.servers.values(), strict=True):
            for name, (address, _) in literal.configs.groups.items():
                there = masked.configs.groups[name][0]
                outcomes = [
                    fabric.switches[port.tor].outcome(
                        port.number,
                        Packet(packet(row["address"], to, 0).source, sent_to(row, to), 9),
                    )
                    for fabric, row, to in ((literal, one, address), (masked, other, there))
                ]
                assert outcomes[0] == outcomes[1], f"{port} {one}: {outcomes}"
                asked += 1
    assert asked > 500


@pytest.mark.parametrize("failed", ["tx:8", "splitter:3", "relay:8"])
@pytest.mark.parametrize("encoding", ["literal", "masked", "masked-destination"])
def test_a_repaired_fabric_delivers_once(bench, failed, encoding):
    """A source without a transmitter sends through its stand-in, wrapped."""
    plan = bench.plan("2", "3", failed)
    kind, broken = failed.split(":")
    fabric = bench.fabric(plan, encoding, dark=[int(broken)])
    rules, ttl = Folder(plan), fabric.configs.manifest["time_to_live"]
    assert bool(rules.via) == (kind != "relay") or int(broken) in rules.via
    for server, row in fabric.configs.servers.items():
        for address, members in fabric.configs.groups.values():
            got, sent = deliveries(fabric, server, address, ttl)
            assert got == sorted(members - {server})
            assert sent == transmitters(plan, int(row["tor"]))


@pytest.mark.parametrize("dialect", ["p4runtime", "p4runtime-sonic"])
def test_what_must_not_pass(bench, dialect):
    plan = bench.plan("2", "2")
    fabric = bench.fabric(plan, "masked-destination", dialect)
    configs = fabric.configs
    address, _ = configs.groups["all"]
    ttl = configs.manifest["time_to_live"]
    names = list(configs.servers)
    row = configs.servers[names[0]]
    place = port_of(configs, names[0])
    good = Packet(packet(row["address"], address, 0).source, sent_to(row, address), ttl)
    assert fabric.send(*place, good)
    igmp = Packet(good.source, good.to, ttl, None, IGMP)
    neighbour = packet(configs.servers[names[1]]["address"], address, 0).source
    elsewhere = configs.servers[names[-1]]
    code_of_another = sent_to(elsewhere, address)
    refused = [
        igmp,
        Packet(neighbour, good.to, ttl),
        Packet(good.source, code_of_another, ttl),
        packet("192.0.2.1", address, ttl),
        packet(row["address"], "224.0.0.251", ttl),
        packet(row["address"], elsewhere["address"], ttl),
    ]
    for sent in refused:
        assert fabric.send(*place, sent) == [] and fabric.transmitted == [], sent
    # The own copy comes back by every fabric port, and an IGMP report by another ToR.
    ports = [p.number for p in configs.ports if p.tor == place[0] and p.fabric_port is not None]
    for port in ports:
        assert fabric.switches[place[0]].process(port, good) == []
        assert fabric.switches[place[0]].process(port, igmp) == []
    shut = bench.fabric(plan, "masked-destination", dialect, shut=range(len(fabric.switches)))
    assert shut.send(*place, good) == []


def test_the_last_hop_is_delivered_and_not_relayed(bench):
    fabric = bench.fabric(bench.plan("2", "3"), "masked")
    configs = fabric.configs
    address, _ = configs.groups["all"]
    for server, row in configs.servers.items():
        own = sorted(name for name, other in configs.servers.items() if other["tor"] == row["tor"])
        got, sent = deliveries(fabric, server, address, 1)
        assert got == [name for name in own if name != server] and sent == []


def test_a_stand_in_takes_wrapped_packets_of_its_sources_only(bench):
    plan = bench.plan("2", "3", "tx:8")
    fabric = bench.fabric(plan, "masked", dark=[8])
    configs = fabric.configs
    root = Folder(plan).via[8]
    switch, port = fabric.switches[root], fabric.unicast(root)
    address, _ = configs.groups["all"]
    by_tor = {int(row["tor"]): row["address"] for row in configs.servers.values()}
    outer = (fabric.switches[8].address(fabric.unicast(8)), switch.address(port))
    wrapped = lambda tor, outer: Packet(  # noqa: E731
        packet(by_tor[tor], address, 0).source, packet(by_tor[tor], address, 0).to, 9, None, 17, outer
    )
    assert switch.process(port, wrapped(8, outer))
    assert switch.process(port, wrapped(8, None)) == []
    assert switch.process(port, wrapped(8, (outer[0], outer[1] + 1))) == []
    assert switch.process(port, wrapped(9, outer)) == []


def test_the_gate_carries_the_stamp(bench):
    for dialect in ("p4runtime", "p4runtime-sonic"):
        configs = bench.configs(bench.plan("2", "2"), dialect, "masked-destination")
        for tor, sizes in enumerate(configs.manifest["switches"]):
            text = configs.text(tor, "gate.p4rt.txt")
            entry = request(text).updates[-1].entity.table_entry
            stamp = entry.action.action.params[0].value if dialect == "p4runtime" else entry.metadata
            assert number(stamp) == int(sizes["stamp"], 16)
            assert f"rules {sizes['stamp']}" in text


def test_the_published_pipeline_refuses_by_name(bench, tmp_path):
    done = bench.make(bench.plan("2", "2"), "p4runtime-sonic", "masked", tmp_path / "out")
    assert done.returncode == 2 and "acl_ingress_mirror_and_redirect_table" in done.stderr
    broken = bench.plan("2", "3", "tx:8")
    done = bench.make(broken, "p4runtime-sonic", "masked-destination", tmp_path / "out")
    assert done.returncode == 2 and "stand-in" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_group_that_does_not_fit_the_published_pipeline_is_refused(bench, tmp_path):
    many = "".join(f'[[group]]\nname = "g{n}"\nmembers = ["tor:0"]\n' for n in range(200))
    text = 'version = 1\n[servers]\nper_tor = 1\n' + many
    groups = tmp_path / "many.toml"
    groups.write_text(text)
    flags = ["--dialect", "p4runtime-sonic", "--encoding", "masked-destination", "--groups", groups]
    done = bench.run("configs", bench.plan("2", "2"), *flags, "--out", tmp_path / "out")
    assert done.returncode == 2 and " holds 51" in done.stderr, done.stderr
