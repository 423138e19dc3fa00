"""Reliable groups through accelerators: the files of OpenFlow on real Open vSwitch bridges, with accelerators that know
`copies.csv` and `groups.csv` alone, and the files of P4Runtime on what relay.p4 says.

cepheus:IV.accelerator
"""

from dataclasses import replace

import finsy
import pytest

from accelerators import Accelerators
from ovs import run
from ovs_accelerators import Accelerated, tagged
from ovs_fabric import Configs, broken_parts, light
from ovs_packets import time_to_live, udp
from ovs_plans import ENCODINGS, Plans, all_pairs, expected
from p4rt import Fabric as P4Fabric
from p4rt import Relay, packet
from replay import Folder
from test_configs_p4runtime import deliveries, entities, info, port_of, schema_of

GROUPS = """version = 1
[servers]
per_tor = 2
[[group]]
name = "all"
transport = "rc"
members = ["all"]
[[group]]
name = "datagrams"
members = ["all"]
[[group]]
name = "some"
transport = "rc"
members = ["tor:1/1", "tor:5"]
"""


@pytest.fixture
def plans(lightloom, scratch, request):
    return Plans(lightloom, scratch, f"{request.param} accelerated", GROUPS)


def fabric(plans, switch, configs, **more):
    return plans.fabric(switch, configs, kind=Accelerated, **more)


@pytest.mark.parametrize("plans", ["2,2", "2,3", "kautz 3,14"], indirect=True)
def test_each_member_gets_one_copy_through_accelerators(plans, switch):
    """Who is no member gets nothing, accelerators are handed each packet once, and datagrams never."""
    built, rules = None, Folder(plans.plan)
    for encoding in ENCODINGS:
        configs = plans.configs(encoding)
        if built is None:
            built = fabric(plans, switch, configs)
        else:
            built.load(configs)
        pairs = all_pairs(configs)
        built.handed.clear()
        assert built.send(pairs) == expected(configs, pairs), encoding
        payloads = {number.to_bytes(4, "big") + b"lightloom harness": pair for number, pair in enumerate(pairs)}
        assert set(built.handed.values()) == {1}, "no packet comes to an accelerator twice"
        by_group = {}
        for tor, payload in built.handed:
            server, group = payloads[payload]
            by_group.setdefault((server, group), set()).add(tor)
        assert {group for _, group in by_group} == {"all", "some"}, "datagrams go by the tables of the switches"
        for (server, group), tors in by_group.items():
            here = {configs.tor_of(name) for name in configs.groups[group][1]}
            source = configs.tor_of(server)
            relays = {tor for tor in configs.tors if source in rules.relays.get(tor, ())}
            assert encoding == "roots" or tors == here | relays | {source}, "roots has rules of its own"
        assert not any(map(built.differs, configs.tors))


@pytest.mark.parametrize("plans", ["2,2"], indirect=True)
def test_what_an_accelerator_sends_goes_where_its_vlan_says_and_nowhere_else(plans, switch):
    configs = plans.configs("masked")
    built = fabric(plans, switch, configs)
    address = configs.groups["all"][0]
    (first, _), *others = built.at[0, "accelerator"]
    assert len(others) == 3
    vlans = built.accelerators.vlans[0]
    sender, other = configs.servers_of(0)
    relayed = udp(configs.address(sender), address, b"payload", 9)
    # Any of its ports, and also the address of one receiver.
    for port, _ in [(first, None), *others]:
        for packet in (relayed, udp(configs.address(sender), configs.address(other), b"payload", 9)):
            built.daemon.inject(port.name, [tagged(packet, vlans[other])])
            assert built.received() == {name: [packet] if name == other else [] for name in configs.servers}
    # Without a VLAN, and with one that nothing has, it goes nowhere: not to the fabric, and not back.
    for packet in (relayed, tagged(relayed, 4000), tagged(relayed, 1)):
        built.daemon.inject(first.name, [packet])
        assert not any(built.received().values()) and not built.handed
    # To the unicast network as it is.
    built.daemon.inject(first.name, [tagged(relayed, vlans["uplink"])])
    assert built.left_by_uplink(0) == [relayed]
    # Into the splitter with one hop less, and not with the last one.
    built.daemon.inject(first.name, [tagged(relayed, vlans["splitter"])])
    got = built.received()
    assert {time_to_live(packet) for packets in got.values() for packet in packets} <= set(range(1, 9))
    assert sum(map(len, got.values())) > 0
    built.handed.clear()
    last = udp(configs.address(sender), address, b"payload", 1)
    built.daemon.inject(first.name, [tagged(last, vlans["splitter"])])
    assert not any(built.received().values()) and not built.handed
    # Answers and repairs come to the accelerator from the unicast network; datagrams do not pass.
    (uplink, _), = built.at[3, "uplink"]
    built.daemon.inject(uplink.name, [relayed, udp(configs.address(sender), configs.groups["datagrams"][0], b"x", 9)])
    built.received()
    assert built.handed[3, b"payload"] == 1 and not built.handed[3, b"x"]


@pytest.mark.parametrize("plans", ["2,2"], indirect=True)
def test_nothing_passes_a_closed_gate_on_either_way(plans, switch):
    configs = plans.configs("masked")
    built = fabric(plans, switch, configs)
    groups, flows, gate = configs.told(0)
    built.tell([0], [(groups, flows, ())])
    built.daemon.forget()
    sender, other = configs.servers_of(0)
    packet = udp(configs.address(sender), configs.groups["all"][0], b"payload", 9)
    built.inject(sender, packet)
    assert not any(built.received().values()) and not built.handed
    (port, _) = built.at[0, "accelerator"][0]
    built.daemon.inject(port.name, [tagged(packet, built.accelerators.vlans[0][other])])
    assert not any(built.received().values())
    built.tell([0], [(groups, flows, gate)])
    built.daemon.forget()
    built.daemon.inject(port.name, [tagged(packet, built.accelerators.vlans[0][other])])
    assert built.received()[other] == [packet]


@pytest.mark.parametrize("plans", ["2,3"], indirect=True)
@pytest.mark.parametrize("failure", ["relay:8", "tx:3", "rx:12/1", "splitter:5"])
def test_a_repaired_plan_serves_its_groups(plans, switch, failure):
    """Also where a stand-in transmits: copies for it are wrapped. What is not delivered is what the plan cuts off."""
    repaired = plans.recovered(failure, "repaired")
    configs = plans.configs("masked", repaired, "configs-repaired")
    built = fabric(plans, switch, configs, broken=broken_parts([failure]))
    pairs = all_pairs(configs)
    got = built.send(pairs)
    for (server, group), servers in got.items():
        assert len(servers) == len(set(servers)), (server, group, "a server has two copies")
    reliable = {pair: servers for pair, servers in got.items() if pair[1] == "all"}
    plain = {server: got[server, "datagrams"] for server, _ in reliable}
    assert {server: servers for (server, _), servers in reliable.items()} == plain


def p4(plans, plan, encoding):
    """The fabric with the files of relay.p4."""
    out = plans.folder / f"{plan.name}-{encoding}-p4runtime"
    flags = ("--dialect", "p4runtime", "--encoding", encoding, "--groups", str(plans.groups))
    run(plans.lightloom, "configs", str(plan), *flags, "--out", str(out), codes=(0, 1))
    configs = Configs(out)
    return P4Fabric(
        Relay, info(configs), configs, light(plans.plan), accelerators=Accelerators(configs)
    )


@pytest.mark.parametrize("plans", ["2,2", "2,3", "kautz 3,14"], indirect=True)
def test_relay_p4_leads_groups_through_accelerators(plans):
    for encoding in ENCODINGS:
        fabric = p4(plans, plans.plan, encoding)
        configs = fabric.configs
        for server in configs.servers:
            for group, (address, all_of) in configs.groups.items():
                fabric.handed.clear()
                due = sorted(all_of - {server})
                assert deliveries(fabric, server, address, configs.ttl)[0] == due, (encoding, server, group)
                tors = [tor for tor, _ in fabric.handed]
                assert len(tors) == len(set(tors)) and bool(tors) == (group != "datagrams")
        schema = schema_of(configs)
        for entity in entities(configs):
            kind = finsy.P4TableEntry if entity.HasField("table_entry") else finsy.P4MulticastGroupEntry
            assert kind.decode(entity, schema).encode(schema) == entity


@pytest.mark.parametrize("plans", ["2,2"], indirect=True)
def test_relay_p4_takes_copies_by_their_vlan_alone(plans):
    fabric = p4(plans, plans.plan, "masked")
    configs, relay, vlans = fabric.configs, fabric.switches[0], fabric.accelerators.vlans[0]
    at = next(port.number for port in configs.ports if port.tor == 0 and port.used_for == "accelerator")
    uplink = next(port.number for port in configs.ports if port.tor == 0 and port.used_for == "uplink")
    (group, _), sender, other = configs.groups["all"], *configs.servers_of(0)
    sent = packet(configs.address(sender), group, 9)
    assert relay.process(at, sent) == [] and relay.process(at, replace(sent, vlan=4000)) == []
    assert relay.process(at, replace(sent, vlan=vlans[other])) == [(port_of(configs, other)[1], sent)]
    assert relay.process(at, replace(sent, vlan=vlans["uplink"])) == [(uplink, sent)]
    ((_, relayed),) = relay.process(at, replace(sent, vlan=vlans["splitter"]))
    assert relayed == replace(sent, ttl=8)
    assert relay.process(at, replace(sent, vlan=vlans["splitter"], ttl=1)) == []
    # A server cannot take the place of the accelerator.
    assert relay.process(port_of(configs, sender)[1], replace(sent, vlan=vlans[other])) == []
    ((to, answer),) = relay.process(uplink, sent)
    assert answer == sent and to in {port.number for port in configs.ports if port.used_for == "accelerator"}
    assert relay.process(uplink, packet(configs.address(sender), configs.groups["datagrams"][0], 9)) == []
