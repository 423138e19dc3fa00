"""Rules that are easily forgotten, by name, on real Open vSwitch bridges, and what goes wrong without them."""

import random
import subprocess
import time
from ipaddress import IPv4Address

import pytest

from ovs_fabric import NO_SOURCE, ORIGIN, OWN_COPY, SPOOFED
from ovs_packets import igmp, lldp, udp
from ovs_plans import Plans, all_pairs, expected, members


@pytest.fixture
def fabric(lightloom, scratch, switch):
    """Builds a fabric of bridges."""

    def build(name, encoding="masked", **more):
        plans = Plans(lightloom, scratch, name, **more)
        return plans.fabric(switch, plans.configs(encoding))

    return build


def nobody(fabric):
    return not any(fabric.received().values())


def without(fabric, tor, is_left_out):
    """Tells a switch its rules without some flows. Returns how many flows are left out."""
    groups, flows, gate = fabric.configs.told(tor)
    left = tuple(flow for flow in flows if not is_left_out(flow))
    fabric.tell([tor], [(groups, left, gate)])
    return len(flows) - len(left)


def is_own_copy(flow):
    return f"cookie={OWN_COPY:#x}," in flow


def test_own_copy_is_not_delivered_with_root_tags(fabric):
    """No ToR of the root relays its tag. The copy that comes back must still not reach the servers of its ToR."""
    fabric = fabric("2,3", "roots")
    configs = fabric.configs
    pair = ("tor:3/1", "all")
    assert fabric.send([pair]) == expected(configs, [pair])
    assert fabric.counted([3])[3][OWN_COPY] == 1
    assert without(fabric, 3, is_own_copy) == 1
    fabric.daemon.forget()
    got = fabric.send([pair])[pair]
    assert got == sorted([*expected(configs, [pair])[pair], "tor:3/1", "tor:3/2"])


def test_igmp_reports_are_not_relayed(fabric):
    """A report of membership goes to the group's own address. Relayed, it would tell other ToRs' switches lies."""
    fabric = fabric("2,2")
    configs = fabric.configs
    for server in configs.servers:
        fabric.inject(server, igmp(configs.address(server), configs.sends_to(server, "all"), configs.ttl))
    for tor in configs.tors:
        fabric.arrive(tor, 0, [igmp(configs.address("tor:0/1"), configs.groups["all"][0], configs.ttl)])
    assert nobody(fabric)
    assert not any(sum(counted.values()) for counted in fabric.counted().values())


def test_spoofed_sources_are_dropped(fabric):
    """A server may send with its own address only: not with that of its neighbour, of another ToR, or of none."""
    fabric = fabric("2,2")
    configs = fabric.configs
    for address in (
        configs.address("tor:0/2"),
        configs.address("tor:5/1"),
        configs.tor_address(0),
        "192.0.2.1",
    ):
        fabric.inject("tor:0/1", udp(address, configs.groups["all"][0], b"spoofed", configs.ttl))
    assert nobody(fabric)
    counted = fabric.counted([0])[0]
    assert (counted[SPOOFED], counted[ORIGIN]) == (4, 0)


def test_masked_destinations_of_other_tors_are_dropped(fabric):
    """With the code in the destination, a server may send to the address of its own ToR only."""
    fabric = fabric("2,2", "masked-destination")
    configs = fabric.configs
    for other in ("tor:1/1", "tor:5/1"):
        fabric.inject(
            "tor:0/1", udp(configs.address("tor:0/1"), configs.sends_to(other, "all"), b"x", configs.ttl)
        )
    assert nobody(fabric)
    assert fabric.counted([0])[0][SPOOFED] == 2


def test_time_to_live_1_stays_at_its_own_tor(fabric):
    """The time to live falls at each transmission. What the manifest asks for is the least that reaches everybody."""
    fabric = fabric("2,3")
    configs = fabric.configs
    pairs = [(f"tor:{tor}/1", "all") for tor in configs.tors]
    assert fabric.send(pairs, ttl=1) == {(s, "all"): [s.replace("/1", "/2")] for s, _ in pairs}
    two = fabric.send(pairs, ttl=2)
    for server, group in pairs:
        tor = configs.tor_of(server)
        tors = {tor} | {to for to, _ in fabric.lit[tor]}
        assert two[server, group] == members(configs, group, server, tors)
    enough = expected(configs, pairs)
    assert fabric.send(pairs) == enough
    less = fabric.send(pairs, ttl=configs.ttl - 1)
    assert less != enough and all(set(less[pair]) <= set(enough[pair]) for pair in pairs)


def test_two_stages_at_4000_groups(fabric):
    """Entries grow with the sum of relay entries and groups, not with their product."""
    count = 4_000
    groups = '[[group]]\nname = "g{0}"\nmembers = ["tor:0/1", "tor:{1}/2"]\n'
    text = "version = 1\n[servers]\nper_tor = 2\n"
    text += "".join(groups.format(number, number % 8) for number in range(1, count + 1))
    fabric = fabric("2,2", groups=text)
    configs = fabric.configs
    for tor, sizes in enumerate(configs.manifest["switches"]):
        _, flows, _ = configs.told(tor)
        # One of the stage's own for all that fits none.
        assert sum("table=1," in flow for flow in flows) == sizes["first_stage"] + 1
        assert sum("table=2," in flow for flow in flows) == sizes["second_stage"] + 1
        here = count if tor == 0 else count // 8
        # Three outcomes deliver, and two of them relay what has no members here.
        assert sizes["second_stage"] == 3 * here + 2
        assert sizes["first_stage"] < 20
    pairs = [(server, group) for server in ("tor:6/1", "tor:0/1") for group in ("g1", "g7", "g4000")]
    assert fabric.send(pairs) == expected(configs, pairs)


def test_sources_that_are_no_tors_are_dropped(fabric):
    """Digits of base 3 have two bits. Values that no digit takes are no ToR, and nothing relays or delivers them."""
    fabric = fabric("3,3")
    configs = fabric.configs
    tors = {int(IPv4Address(configs.tor_address(tor))) - 1 for tor in configs.tors}
    # Two bits for the column and for each of three digits, at the upper end of the range.
    fields = [int(IPv4Address("10.0.0.0")) + (code << 16) for code in range(256)]
    assert tors < set(fields)
    none = [str(IPv4Address(field + 2)) for field in fields if field not in tors]
    assert len(none) == 256 - 81
    to = configs.groups["all"][0]
    for tor in random.Random("3,3").sample(configs.tors, 4):
        fabric.arrive(tor, 1, [udp(source, to, b"nobody", configs.ttl) for source in none])
        assert nobody(fabric)
        assert fabric.counted([tor])[tor][NO_SOURCE] == len(none)


def test_lldp_goes_to_the_controller_and_no_further(fabric, tmp_path):
    """What a fabric port hears of its neighbour checks `cables.csv`."""
    fabric = fabric("2,2")
    target = f"unix:{fabric.daemon.folder}/t5.mgmt"
    heard = tmp_path / "heard"
    with open(heard, "wb") as file:
        command = ["ovs-ofctl", "-O", "OpenFlow13", "monitor", target, "65534"]
        monitor = subprocess.Popen(command, stdout=file, stderr=file, env=fabric.daemon.env)
    try:
        end = time.monotonic() + 120
        while "PACKET_IN" not in heard.read_text() and time.monotonic() < end:
            # The monitor may not yet listen.
            fabric.arrive(5, 1, [lldp(b"tor 3 port 0")])
            assert nobody(fabric)
    finally:
        monitor.terminate()
        monitor.wait()
    text = heard.read_text()
    assert "PACKET_IN" in text and "in_port=2" in text and "dl_type=0x88cc" in text, text
    counted = fabric.counted()
    assert not any(sum(one.values()) for one in counted.values())


def test_nothing_is_relayed_while_gates_are_closed(fabric):
    """A switch boots with its gate closed."""
    fabric = fabric("2,2")
    configs = fabric.configs
    pairs = all_pairs(configs)
    for tor in configs.tors:
        groups, flows, gate = configs.told(tor)
        assert len(gate) == 1
        fabric.tell([tor], [(groups, flows, ())])
    fabric.daemon.forget()
    assert not any(fabric.send(pairs).values())
    assert not any(sum(one.values()) for one in fabric.counted().values())
    fabric.load(configs)
    assert fabric.send(pairs) == expected(configs, pairs)


def test_the_harness_sees_missing_hairpins(fabric):
    """Without rules for the port that transmits and receives, switches refuse to send back what came in there."""
    fabric = fabric("2,2")
    configs = fabric.configs
    assert all(without(fabric, tor, lambda flow: "write_metadata:2," in flow) for tor in configs.tors)
    fabric.daemon.forget()
    pairs = [(f"tor:{tor}/1", "all") for tor in configs.tors]
    got, due = fabric.send(pairs), expected(configs, pairs)
    assert sum(set(got[pair]) < set(due[pair]) for pair in pairs) == 6
    assert all(len(set(got[pair])) == len(got[pair]) for pair in pairs)


def test_the_harness_sees_missing_drops_of_own_copies(fabric):
    """Without them packets are delivered again, and some go round until their time to live ends them."""
    fabric = fabric("2,3")
    configs = fabric.configs
    assert all(without(fabric, tor, is_own_copy) == 1 for tor in configs.tors)
    fabric.daemon.forget()
    pairs = [(f"tor:{tor}/1", "all") for tor in configs.tors]

    def most(ttl):
        """The largest number of copies of one packet at one server."""
        found = fabric.send(pairs, ttl=ttl)
        for (server, _), got in found.items():
            # The sender and its neighbour get what came back.
            assert got.count(server) >= 1 and got.count(server.replace("/1", "/2")) >= 2
        return max(got.count(server) for got in found.values() for server in got)

    assert most(configs.ttl) == 2
    assert 4 <= most(4 * configs.ttl) <= 4 * configs.ttl
