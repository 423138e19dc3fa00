"""What a fabric of Arista EOS switches does with a packet to a group, by the lines that each was told.

A switch bridges in VLANs, with or without DirectFlow:

- A port takes and sends packets if it is not shut down. Its lists decide first: in, and out.
- If DirectFlow is on, the flow of the highest priority that fits drops the packet, or sends it to ports of its VLAN.
- Otherwise multicast is bridged: it leaves by all other ports of the VLAN. No hop is taken off, by either.

Nothing that was published says whether a flow of DirectFlow goes by the lists of ports. So both are tried.
A port that nobody sets is up, in VLAN 1, and has no list. It uses no code of the planner.
"""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from eos import Flow, add

# Arrivals of one packet after which it circulates.
MOST = 2_000


@dataclass(frozen=True)
class Packet:
    """A UDP packet to a group."""

    source: int
    destination: int

    @property
    def mac(self):
        return 0x01005E000000 | self.destination & 0x7FFFFF


def mac(text):
    return int(text.replace(".", ""), 16)


def takes_mac(rules, packet):
    """Whether a list of MAC addresses lets a packet through. A list ends with a refusal."""
    for _, words in rules:
        action, source, *rest = words
        assert source == "any", words
        if rest == ["any"]:
            return action == "permit"
        value, wild = map(mac, rest)
        if packet.mac & ~wild == value & ~wild:
            return action == "permit"
    return False


def takes_ip(rules, packet):
    for _, words in rules:
        action, protocol, source, destination = words
        assert protocol in ("ip", "udp") and source == "any", words
        if destination == "any" or IPv4Address(packet.destination) in IPv4Network(destination):
            return action == "permit"
    return False


class Switch:
    """A switch by the lines of its session."""

    def __init__(self, state, servers_vlan):
        self.flows, self.ports, self.lists = [], {}, {}
        self.servers_vlan = servers_vlan
        relay = state.get("directflow", {})
        self.is_on = relay.get("shutdown") == "no shutdown"
        for name, lines in relay.items():
            if name.startswith("flow "):
                flow = Flow()
                for line in lines.values():
                    add(flow, line)
                self.flows.append(flow)
        for name, lines in state.items():
            kind, _, rest = name.partition(" ")
            if kind == "interface":
                self.ports[rest] = set(lines.values())
            elif rest.startswith("access-list "):
                rules = [line.split(" ") for line in lines.values()]
                self.lists[kind, rest.split(" ")[1]] = sorted((int(one[0]), one[1:]) for one in rules)

    def is_up(self, port):
        return "shutdown" not in self.ports.get(port, ())

    def vlan(self, port, is_server):
        for line in self.ports.get(port, ()):
            if line.startswith("switchport access vlan "):
                return int(line.rsplit(" ", 1)[1])
        return self.servers_vlan if is_server else 1

    def takes(self, port, direction, packet):
        for line in self.ports.get(port, ()):
            words = line.split(" ")
            if words[1:2] == ["access-group"] and words[3:] == [direction]:
                rules = self.lists[words[0], words[2]]
                if not {"mac": takes_mac, "ip": takes_ip}[words[0]](rules, packet):
                    return False
        return True

    def flow(self, port, packet):
        """The flow that decides, if there is one."""
        if not self.is_on:
            return None
        fitting = [flow for flow in self.flows if flow.fits(port, packet.source, packet.destination)]
        return max(fitting, key=lambda flow: flow.priority, default=None)

    def outputs(self, port, packet, ports, servers, lists_first):
        """The ports that a packet leaves by."""
        if not self.is_up(port):
            return set()
        vlan = self.vlan(port, port in servers)
        beside = {one for one in ports if self.is_up(one) and self.vlan(one, one in servers) == vlan}
        flow = self.flow(port, packet)
        if flow is not None and not lists_first:
            return set(flow.outputs) & beside
        if not self.takes(port, "in", packet):
            return set()
        out = beside - {port} if flow is None else set(flow.outputs) & beside
        return {one for one in out if self.takes(one, "out", packet)}


class Circulates(AssertionError):
    """A packet that comes back again and again."""


class Fabric:
    """Switches, and the light between them as `switch-ports.csv` says."""

    def __init__(self, ports, failed=""):
        self.ports, self.servers, self.lit, self.transmits = {}, {}, {}, {}
        for row in ports:
            tor, name = int(row["tor"]), row["interface"]
            self.ports.setdefault(tor, set()).add(name)
            if row["use"] == "server":
                self.servers[tor, name] = row["server"]
            if "transmit" in row["use"]:
                self.transmits[tor] = name
            names = (f"branch:{row['hears']}->{tor}", f"rx:{tor}/{row['fabric_port']}")
            if row["hears"] and failed not in names:
                self.lit.setdefault(int(row["hears"]), []).append((tor, name))

    def send(self, switches, tor, port, packet, lists_first=True):
        """The copies that each server gets, and all places where a copy went through a switch: (ToR, port, outputs)."""
        arrivals, copies, passed = [(tor, port)], {}, []
        for at in arrivals:
            if len(arrivals) > MOST:
                raise Circulates(f"a packet of ToR {tor} is still on its way after {MOST} arrivals")
            here, came_in = at
            servers = {name for of, name in self.servers if of == here}
            out = switches[here].outputs(came_in, packet, self.ports[here], servers, lists_first)
            if out:
                passed.append((here, came_in, out))
            for name in sorted(out):
                server = self.servers.get((here, name))
                if server is not None:
                    copies[server] = copies.get(server, 0) + 1
                elif name == self.transmits.get(here):
                    arrivals.extend(self.lit.get(here, ()))
        return copies, passed
