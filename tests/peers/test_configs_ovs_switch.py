"""The switches of a 4,4-Shufflecast one by one on a real Open vSwitch bridge: every source on every receive port.

What must happen is found from `rules.json` and `ports.csv` alone: a ToR delivers all but what it sent itself, and
what its rules name leaves for the splitter with one hop less to live, also if it came in by that port.
"""

import csv
import json
import random
import re
import time

import pytest

from ovs_packets import Capture, time_to_live, udp
from ovs_plans import Plans

GROUPS = """version = 1
[servers]
per_tor = 1
[[group]]
name = "all"
members = ["all"]
"""
ENCODINGS = ("literal", "masked")
TTL = 9
TRACES = 150
DRAWN = 3
TRIES = 5


class Bridge:
    """One bridge with the ports of any ToR: all have as many."""

    def __init__(self, switch, folder, configs):
        self.switch, self.configs = switch, configs
        ports = [port for port in configs.ports if port.tor == 0]
        self.transmit = next(port.number for port in ports if port.fabric_port == 0)
        self.server = next(port.number for port in ports if port.server)
        self.receive = {port.fabric_port: port.number for port in ports if port.fabric_port is not None}
        self.captures = {port.number: Capture(folder / f"one-{port.number}.pcap") for port in ports}
        rows = [(f"one-{at}", at, "dummy", {"tx_pcap": str(file.path)}) for at, file in self.captures.items()]
        switch.add_bridges({"one": rows})
        self.packets = {}
        for tor in configs.tors:
            server = configs.servers_of(tor)[0]
            for port in self.receive.values():
                payload = tor.to_bytes(4, "big") + port.to_bytes(4, "big")
                self.packets[tor, port] = udp(configs.address(server), configs.groups["all"][0], payload, TTL)

    def tell(self, configs, tor):
        groups, flows, gate = configs.told(tor)
        lines = ["flow delete", "group delete"]
        lines += [f"group add {line}" for line in groups]
        lines += [f"flow add {line}" for line in (*flows, *gate)]
        self.switch.openflow("one", "bundle", "\n".join(lines))
        self.switch.forget()

    def sent(self):
        """For each source and receive port, where its packet left, and with what time to live."""
        for _ in range(TRIES):
            before = self.switch.lost()
            found = self._sent_once()
            # What a busy machine loses says nothing about rules.
            if self.switch.lost() == before:
                return found
        raise AssertionError(f"the switch loses packets on its own, {TRIES} times in a row: {self.switch.logs()}")

    def _sent_once(self):
        sources, step = list(self.configs.tors), 80
        for at in range(0, len(sources), step):
            for port in self.receive.values():
                part = [self.packets[source, port] for source in sources[at : at + step]]
                self.switch.inject(f"one-{port}", part)
        self.switch.settle()
        found = {}
        for number, capture in self.captures.items():
            for frame in capture.read():
                key = int.from_bytes(frame[42:46], "big"), int.from_bytes(frame[46:50], "big")
                found.setdefault(key, []).append((number, time_to_live(frame)))
        return {key: sorted(left) for key, left in found.items()}

    def traced(self, source, port):
        """The same for one packet, as the switch explains it."""
        address = self.configs.address(self.configs.servers_of(source)[0])
        flow = f"in_port={port},udp,nw_src={address},nw_dst={self.configs.groups['all'][0]},nw_ttl={TTL}"
        text = self.switch.ask("ofproto/trace", "one", flow)
        actions = re.search(r"^Datapath actions: (.*)$", text, re.MULTILINE)[1]
        ttl, left = TTL, []
        for action in re.split(r",(?![^(]*\))", actions):
            if "ttl=" in action:
                ttl = int(re.search(r"ttl=(\d+)", action)[1])
            elif action != "drop":
                number = self.transmit if action == "in_port" else self.number(action)
                left.append((number, ttl))
        return sorted(left)

    def number(self, datapath_port):
        shown = self.switch.ask("dpctl/show", "dummy@ovs-dummy")
        return int(re.search(rf"port {datapath_port}: one-(\d+) ", shown)[1])


def expected(rules, ports, bridge, tor):
    """For each source and receive port that lets packets out: where, and with what time to live."""
    relays = set(rules["relays"][str(tor)])
    assert rules["accept"] == rules["via"] == {}
    due = {}
    for fabric_port in ports[tor]:
        for source in ports:
            if source != tor:
                out = [(bridge.server, TTL)] + [(bridge.transmit, TTL - 1)] * (source in relays)
                due[source, bridge.receive[fabric_port]] = sorted(out)
    return due


@pytest.fixture
def bench(lightloom, scratch, switch):
    plans = Plans(lightloom, scratch, "4,4", GROUPS)
    rules = json.loads((plans.plan / "rules.json").read_text())
    ports = {}
    with open(plans.plan / "ports.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            ports.setdefault(int(row["tor"]), []).append(int(row["port"]))
    configs = {encoding: plans.configs(encoding) for encoding in ENCODINGS}
    bridge = Bridge(switch, scratch, configs["masked"])

    def check(tor):
        """Both encodings of one switch. Returns the number of packets."""
        due = expected(rules, ports, bridge, tor)
        assert len(due) == 4 * 1_023 and sum(len(out) == 2 for out in due.values()) == 4 * 255
        for encoding in ENCODINGS:
            bridge.tell(configs[encoding], tor)
            found = bridge.sent()
            differs = {key: (found.get(key), due.get(key)) for key in found.keys() | due.keys()}
            differs = {key: pair for key, pair in differs.items() if pair[0] != pair[1]}
            # A few lines say more than thousands.
            assert not differs, (encoding, tor, len(differs), sorted(differs.items())[:5], switch.logs())
        return len(ENCODINGS) * len(bridge.packets)

    return check, bridge, lambda tor: expected(rules, ports, bridge, tor), configs


def test_drawn_switches_of_4_4(bench):
    check, bridge, due_of, configs = bench
    assert {
        encoding: configs[encoding].manifest["switches"][0]["relay_entries"] for encoding in ENCODINGS
    } == {
        "literal": 510,
        "masked": 8,
    }
    random_ = random.Random("4,4")
    for tor in random_.sample(range(1_024), DRAWN):
        check(tor)
        # The masked rules are still there.
        due = due_of(tor)
        for source, port in random_.sample(sorted(bridge.packets), TRACES):
            assert bridge.traced(source, port) == due.get((source, port), []), (tor, source, port)


@pytest.mark.long("ovs-all")
def test_every_switch_of_4_4(bench, capsys):
    check, *_ = bench
    start = time.monotonic()
    packets = sum(check(tor) for tor in range(1_024))
    with capsys.disabled():
        print(f"\n4,4 switch by switch: {packets} packets in {time.monotonic() - start:.0f} s")
