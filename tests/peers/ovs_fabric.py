"""A fabric of real Open vSwitch bridges, built from the exported files alone.

Each ToR is a bridge with the flows and groups of its files; ToRs that are logical ToRs of one switch are one bridge
with the files of all of them. The bridge `glass` stands for all splitters: what
leaves the transmit port of a ToR goes to all receivers that `cables.csv` lists, without those that are broken.
Servers are dummy ports. Packets are injected into them, and what leaves them is read from capture files.

A ToR that sends to a stand-in has a VXLAN port, and the switch wraps its packets. The bridge `unicast` is the
network that they leave by. The harness reads the destination of the outer packet there, unwraps it, and hands
the inner one to port 60000 of the ToR with that address: this version of Open vSwitch cannot tell the tunnels
of several ToRs apart by their own addresses on its dummy datapath.

It uses the standard library only, and no code of the planner.
"""

import csv
import json
import re
from collections import Counter
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_network
from pathlib import Path

from ovs_packets import Capture, udp, unwrapped
from replay import Broken

# Cookies of flows, by what they are for.
ORIGIN, SPOOFED, STAND_IN, UNWRAPPED = 0x10, 0x11, 0x12, 0x13
OWN_COPY, NO_SOURCE, FILTER, REPAIR, RELAY, DELIVERY = 0x20, 0x21, 0x22, 0x23, 0x24, 0x25

# The MAC address of the unicast network's own port. Packets to all ToRs go there.
UNICAST_MAC = "aa:66:00:00:00:01"
UNICAST_PORT = 60_000
# The port of the glass where a test lets packets in.
PROBE = 65_000
# The files set the far end of a tunnel.
VXLAN = {"remote_ip": "flow"}


@dataclass(frozen=True)
class Port:
    """A row of `switch-ports.csv`."""

    tor: int
    number: int
    used_for: str
    fabric_port: int | None
    hears: int | None
    server: str

    @property
    def name(self):
        return f"t{self.tor}-{self.number}"


class Configs:
    """A folder of configurations, and the answer of the command that wrote it, where it is known."""

    def __init__(self, folder, answer=None):
        self.folder, self.answer = Path(folder), answer
        self.manifest = json.loads((self.folder / "configs.json").read_text())
        self.tors = range(len(self.manifest["switches"]))
        self.ttl = self.manifest["time_to_live"]
        self.ports = [
            Port(
                int(row["tor"]),
                int(row["number"]),
                row["use"],
                number(row["fabric_port"]),
                number(row["hears"]),
                row["server"],
            )
            for row in self._rows("switch-ports.csv")
        ]
        self.servers = {row["server"]: row for row in self._rows("servers.csv")}
        self.port_of = {port.server: port for port in self.ports if port.server}
        self.groups, self._told = {}, {}
        for row in self._rows("groups.csv"):
            self.groups.setdefault(row["group"], (row["address"], set()))[1].add(row["member"])

    def _rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def text(self, tor, kind):
        width = len(str(len(self.tors) - 1))
        return (self.folder / f"tor-{tor:0{width}}.{kind}").read_text()

    def told(self, tor):
        """The lines of a switch's groups, flows and gate."""
        if tor not in self._told:
            kinds = ("groups", "flows", "gate")
            lines = [self.text(tor, kind).splitlines() for kind in kinds]
            self._told[tor] = tuple(tuple(line for line in of if not line.startswith("#")) for of in lines)
        return self._told[tor]

    def bridge(self, tor):
        """The name of the bridge of a ToR: its own, or that of the switch of which it is a logical ToR."""
        switch = self.manifest["switches"][tor].get("switch")
        return f"t{tor}" if switch is None else f"s{switch}"

    def bridges(self):
        """The ToRs of each bridge."""
        found = {}
        for tor in self.tors:
            found.setdefault(self.bridge(tor), []).append(tor)
        return found

    def tor_of(self, server):
        return int(self.servers[server]["tor"])

    def servers_of(self, tor):
        return [server for server, row in self.servers.items() if int(row["tor"]) == tor]

    def address(self, server):
        return self.servers[server]["address"]

    def tor_address(self, tor):
        """The address of a ToR is the one before that of its first server."""
        first = next(row for row in self.servers.values() if int(row["tor"]) == tor)
        return str(IPv4Address(first["address"]) - int(first["number"]))

    def sends_to(self, server, group):
        """The address that a server sends to."""
        offset = int(self.servers[server]["added_to_group"])
        return str(IPv4Address(self.groups[group][0]) + offset)


def together(told):
    """The groups, flows and gates of several ToRs as those of one switch. Lines of the whole switch are the same."""
    groups, flows, gates = zip(*told, strict=True)
    return sum(groups, ()), tuple(dict.fromkeys(sum(flows, ()))), sum(gates, ())


def number(cell):
    return int(cell) if cell else None


def light(plan):
    """For each ToR, the receivers (ToR, port) of its splitter, from `cables.csv`."""
    lit = {}
    with open(Path(plan) / "cables.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            receivers = lit.setdefault(int(row["from_tor"]), [])
            if row["kind"] == "branch":
                receivers.append((int(row["to_tor"]), int(row["to_port"])))
    return lit


def broken_parts(failures, cassettes=None):
    """Broken parts from their names: `tx:3`, `branch:3->7`, `rx:12/2`, `tor:40`, `cassette:5`. For cassettes the
    caller says which splitters they have.
    """
    broken = Broken()
    for failure in failures:
        kind, _, rest = failure.partition(":")
        ids = tuple(map(int, re.split(r"->|/", rest)))
        if kind in ("relay", "tx", "splitter"):
            broken.splitters.add(ids[0])
        elif kind == "cassette":
            broken.splitters |= set(cassettes[ids[0]])
        elif kind == "tor":
            broken.tors.add(ids[0])
        elif kind == "branch":
            broken.fibres.add(ids)
        else:
            assert kind == "rx", failure
            broken.receivers.add(ids)
    return broken


def recovered_from(plan):
    """The failures that a recovered plan is for, as its `plan.json` says."""
    return json.loads((Path(plan) / "plan.json").read_text())["recovery"]["failed"]


class Fabric:
    """All ToRs as bridges, and the glass between them."""

    def __init__(self, daemon, configs, lit, folder, broken=None, in_bundles=False):
        self.daemon, self.configs, self.lit, self.folder = daemon, configs, lit, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.broken = broken or Broken()
        # Bundles are faster than the commands for files, but no plain OpenFlow 1.3.
        self.in_bundles = in_bundles
        self.loaded = {}
        # ToRs with a port to the unicast network, and whether it wraps.
        self.joined, self.unicast_ports = {}, {}
        self.unicast = Capture(self.folder / "unicast.pcap")
        fabric_ports = [port for port in configs.ports if port.fabric_port is not None]
        self.glass = {(port.tor, port.fabric_port): at for at, port in enumerate(fabric_ports, 1)}
        # Also a ToR that transmits by a port of its own.
        self.transmits = {port.tor: port.fabric_port for port in fabric_ports if "transmit" in port.used_for}
        self.captures = {
            port.server: Capture(self.folder / f"{port.name}.pcap") for port in configs.ports if port.server
        }
        self.has_probe = False
        self._build()
        self.load(configs)

    def _build(self):
        bridges = {bridge: [] for bridge in self.configs.bridges()} | {"glass": []}
        for port in self.configs.ports:
            if port.fabric_port is not None:
                far = f"g-{port.name}"
                bridge = self.configs.bridge(port.tor)
                bridges[bridge].append((port.name, port.number, "patch", {"peer": far}))
                at = self.glass[port.tor, port.fabric_port]
                bridges["glass"].append((far, at, "patch", {"peer": port.name}))
            elif port.used_for == "server":
                is_dummy = self.daemon.kind == "dummy"
                options = {"tx_pcap": str(self.captures[port.server].path)} if is_dummy else {}
                kind = "dummy" if is_dummy else "system"
                bridges[self.configs.bridge(port.tor)].append((port.name, port.number, kind, options))
        self.daemon.add_bridges(bridges)
        self._light()

    def breaks(self, broken):
        """Other parts are broken from now on."""
        self.broken = broken
        self._light()

    def _light(self):
        flows = ["table=0,priority=0,actions=drop"]
        broken = self.broken
        for tor, receivers in self.lit.items():
            ports = [
                self.glass[to, port]
                for to, port in receivers
                if to not in broken.tors
                and (to, port) not in broken.receivers
                and (tor, to) not in broken.fibres
            ]
            if tor in broken.splitters | broken.tors:
                ports = []
            outputs = ",".join(f"output:{port}" for port in ports)
            flows.append(f"in_port={self.glass[tor, self.transmits[tor]]},actions={outputs or 'drop'}")
        self.daemon.openflow("glass", "replace-flows", "\n".join(flows))
        self.daemon.forget()

    def load(self, configs):
        """Loads the files of all switches whose files are others than before, and opens their gates. Returns how
        many there are.
        """
        self.join_unicast(configs)
        changed = [tor for tor in configs.tors if self.loaded.get(tor) != configs.told(tor)]
        bridges = configs.bridges()
        work = [bridges[bridge] for bridge in dict.fromkeys(map(configs.bridge, changed))]
        self.daemon.all_at_once(lambda tors: self.tell(tors, [configs.told(tor) for tor in tors]), work)
        self.daemon.forget()
        return len(changed)

    def change(self, tor, lines):
        """Makes the changes of a bundle on a switch, all at once."""
        self.loaded[tor] = None
        self.daemon.openflow(self.configs.bridge(tor), "bundle", lines)

    def differs(self, tor):
        """What the switch of a ToR has otherwise than its files say, or an empty text: flows, and numbers of groups."""
        bridge = self.configs.bridge(tor)
        groups, flows, gate = together(map(self.configs.told, self.configs.bridges()[bridge]))
        file = self.folder / "wanted.flows"
        file.write_text("\n".join((*flows, *gate)))
        found = self.daemon.openflow(bridge, "diff-flows", None, str(file), codes=(0, 2))
        dumped = self.daemon.openflow(bridge, "dump-groups")
        has, wants = (set(re.findall(r"group_id=(\d+)", text)) for text in (dumped, "\n".join(groups)))
        return found + "".join(f"group {number}\n" for number in sorted(has ^ wants))

    def tell(self, tors, texts):
        """Tells the switch of some ToRs their groups, flows and gates, and nothing else."""
        bridge = self.configs.bridge(tors[0])
        groups, flows, gate = together(texts)
        if self.in_bundles or tors[0] in self.loaded:
            # In one step, so that no packet sees a half.
            lines = ["flow delete", "group delete"]
            lines += [f"group add {line}" for line in groups]
            lines += [f"flow add {line}" for line in (*flows, *gate)]
            self.daemon.openflow(bridge, "bundle", "\n".join(lines))
        else:
            self.daemon.openflow(bridge, "add-groups", "\n".join(groups))
            self.daemon.openflow(bridge, "add-flows", "\n".join((*flows, *gate)))
        self.loaded |= dict(zip(tors, texts, strict=True))

    def join_unicast(self, configs):
        """The configurations are these from now on. Adds the unicast network, and a port to it for each ToR that has
        one in the files.
        """
        self.configs = configs
        ports = [port for port in self.configs.ports if port.used_for == "unicast"]
        new = [port for port in ports if self.joined.get(port.tor) != self.wraps(port.tor)]
        if not new:
            return
        if "unicast" not in self.daemon.bridges:
            self._add_unicast()
        again = [port.name for port in new if port.tor in self.joined]
        bridges = {}
        for port in new:
            self.joined[port.tor], self.unicast_ports[port.tor] = self.wraps(port.tor), port.name
            address = self.configs.tor_address(port.tor)
            self.daemon.ask("tnl/neigh/set", "unicast", address, UNICAST_MAC)
            kind, options = (
                ("vxlan", VXLAN | {"key": str(port.tor)}) if self.wraps(port.tor) else ("dummy", {})
            )
            bridge = bridges.setdefault(self.configs.bridge(port.tor), [])
            bridge.append((port.name, port.number, kind, options))
        self.daemon.remove_ports(again)
        self.daemon.add_ports(bridges)

    def _add_unicast(self):
        options = {"tx_pcap": str(self.unicast.path)}
        ports = [("unicast", None, "internal", {}), ("unicast-1", 1, "dummy", options)]
        self.daemon.add_bridges({"unicast": ports})
        self.daemon.openflow("unicast", "add-flow", None, "in_port=LOCAL,actions=output:1")
        servers = self.configs.manifest["servers"]
        address, length = str(ip_network(servers)[-2]), servers.split("/")[1]
        self.daemon.ask("netdev-dummy/ip4addr", "unicast", f"{address}/{length}")
        self.daemon.ask("ovs/route/add", servers, "unicast")

    def wraps(self, tor):
        """Whether a switch sends to a stand-in over the unicast network, as its files say."""
        return any("tun_dst" in line for line in self.configs.told(tor)[0])

    def _carry(self):
        """Carries packets over the unicast network. Returns how many there were."""
        names = {self.configs.tor_address(tor): name for tor, name in self.unicast_ports.items()}
        packets = self.unicast.read()
        for packet in packets:
            to, inner = unwrapped(packet)
            self.daemon.inject(names[to], [inner])
        return len(packets)

    def inject(self, server, *packets):
        self.daemon.inject(self.configs.port_of[server].name, packets)

    def arrive(self, tor, fabric_port, packets):
        """Lets packets arrive at a fabric port, as if its fibre brought them."""
        if not self.has_probe:
            self.has_probe = True
            self.daemon.add_ports({"glass": [("probe", PROBE, "dummy", {})]})
        flow = f"priority=2,in_port={PROBE},actions=output:{self.glass[tor, fabric_port]}"
        self.daemon.openflow("glass", "add-flow", None, flow)
        self.daemon.forget()
        self.daemon.inject("probe", packets)

    def received(self):
        """What each server received since the last call. All packets that were injected have gone through."""
        self.daemon.settle()
        while self._carry():
            self.daemon.settle()
        self.daemon.check()
        return {server: capture.read() for server, capture in self.captures.items()}

    def send(self, pairs, ttl=None, address=None):
        """Sends one packet for each (server, group). Returns who got it, with repetitions, for each pair."""
        ttl = self.configs.ttl if ttl is None else ttl
        of_server, names = {}, {}
        for number, (server, group) in enumerate(pairs):
            payload = number.to_bytes(4, "big") + b"lightloom harness"
            names[payload] = (server, group)
            packet = udp(
                address or self.configs.address(server), self.configs.sends_to(server, group), payload, ttl
            )
            of_server.setdefault(server, []).append(packet)
        for server, packets in of_server.items():
            self.inject(server, *packets)
        found = {pair: [] for pair in pairs}
        for server, frames in self.received().items():
            for one in frames:
                found[names[one[42:]]].append(server)
        return {pair: sorted(servers) for pair, servers in found.items()}

    def counted(self, tors=None):
        """The packets that the flows of each cookie of the first stage counted, by ToR."""
        self.daemon.forget()
        tors = self.configs.tors if tors is None else tors

        def of(tor):
            found = Counter()
            own = {f"in_port={port.name}" for port in self.configs.ports if port.tor == tor}
            own |= {f"in_port={port.number}" for port in self.configs.ports if port.tor == tor}
            bridge = self.configs.bridge(tor)
            for line in self.daemon.openflow(bridge, "dump-flows", None, "table=1").splitlines():
                if bridge.startswith("s") and not own & set(re.split("[, ]", line)):
                    continue
                if "n_packets=" in line:
                    cookie = int(re.search(r"cookie=(0x[0-9a-f]+)", line)[1], 16)
                    found[cookie] += int(re.search(r"n_packets=(\d+)", line)[1])
            return found

        return dict(zip(tors, self.daemon.all_at_once(of, tors), strict=True))
