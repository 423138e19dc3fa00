"""Switches that read only the exported protobuf text, and do what their P4 program says.

`Relay` is `relay.p4`. `Sonic` is the part of SONiC's published `tor.p4` that the entries use. Both are
written after the programs, and share no code with the planner. The protobuf messages are those that
`finsy` ships.
"""

from collections import deque
from dataclasses import dataclass, replace
from ipaddress import IPv4Address

from finsy.proto import p4i, p4r
from google.protobuf import text_format

UDP, IGMP = 17, 2


def number(data):
    return int.from_bytes(data, "big")


def p4info(text):
    return text_format.Parse(text, p4i.P4Info())


def request(text):
    return text_format.Parse(text, p4r.WriteRequest())


@dataclass(frozen=True)
class Packet:
    source: int
    to: int
    ttl: int
    payload: object = None
    protocol: int = UDP
    # Source and destination of the wrapping.
    outer: tuple | None = None
    vlan: int | None = None


def packet(source, to, ttl, payload=None, protocol=UDP):
    return Packet(int(IPv4Address(source)), int(IPv4Address(to)), ttl, payload, protocol)


class Tables:
    """The tables and multicast groups of a switch after some requests."""

    def __init__(self, info, requests):
        self.tables = {table.preamble.id: table for table in info.tables}
        self.actions = {action.preamble.id: action.preamble.alias for action in info.actions}
        self.entries = {table.preamble.alias: [] for table in info.tables}
        self.groups = {}
        for update in (update for one in requests for update in one.updates):
            assert update.type == p4r.Update.INSERT
            entity = update.entity
            if entity.HasField("table_entry"):
                self._insert(entity.table_entry)
                continue
            group = entity.packet_replication_engine_entry.multicast_group_entry
            assert group.multicast_group_id not in self.groups and group.multicast_group_id > 0
            self.groups[group.multicast_group_id] = [(r.port, r.instance) for r in group.replicas]
        for entries in self.entries.values():
            entries.sort(key=lambda entry: -entry[0])

    def _insert(self, entry):
        table = self.tables[entry.table_id]
        fields = {field.id: field for field in table.match_fields}
        matches = {}
        for match in entry.match:
            kind = match.WhichOneof("field_match_type")
            field = fields[match.field_id]
            assert field.name not in matches
            assert p4i.MatchField.MatchType.Name(field.match_type) == kind.upper()
            said = getattr(match, kind)
            mask = number(said.mask) if kind == "ternary" else None
            is_name = not field.bitwidth
            matches[field.name] = (said.value if is_name else number(said.value), mask)
        action = entry.action.action
        arguments = [number(param.value) for param in action.params]
        decided = (self.actions[action.action_id], arguments, entry.metadata)
        self.entries[table.preamble.alias].append((entry.priority, matches, decided))

    def look_up(self, table, **fields):
        """Action and arguments of the entry that decides. Entries of one priority must agree."""
        found, best = None, None
        for priority, matches, (action, arguments, _) in self.entries[table]:
            if best is not None and priority < best:
                break
            if all(fits(fields[name], *match) for name, match in matches.items()):
                assert found in (None, (action, arguments)), f"{table}: two entries disagree"
                found, best = (action, arguments), priority
        return found


def fits(value, wanted, mask):
    return value == wanted if mask is None else value & mask == wanted


class Relay:
    """A switch with relay.p4."""

    FILES = ("groups", "entries", "gate")
    MEMBER, SPLITTER, STAND_IN, FOR_SPLITTER, FOR_STAND_IN = 1, 2, 3, 4, 5
    VLANS = {FOR_SPLITTER: 2001, FOR_STAND_IN: 2002}

    def __init__(self, info, requests):
        self.tables = Tables(info, requests)

    def address(self, port):
        """The address that wrapped packets at a port are for."""
        found = self.tables.look_up("unwrap", ingress_port=port)
        return found[1][0] if found else None

    def outcome(self, port, packet):
        """What the first stage says. 0: the packet is dropped."""
        gate = self.tables.look_up("gate", dst_addr=packet.to, ingress_port=port)
        if packet.protocol != UDP or gate is None:
            return 0
        found = self.tables.look_up(
            "first_stage", ingress_port=port, src_addr=packet.source, dst_addr=packet.to
        )
        return found[1][0] if found and found[0] == "decide" else 0

    def process(self, port, packet):
        """The packets that leave, with the ports that they leave by."""
        unwrap = self.tables.look_up("unwrap", ingress_port=port)
        if unwrap is not None:
            if packet.outer is None or packet.outer[1] != unwrap[1][0]:
                return []
            packet = replace(packet, outer=None)
        elif packet.outer is not None:
            # It is for a ToR, and no group.
            return []
        if packet.vlan is not None:
            return self._copied(port, packet)
        outcome = self.outcome(port, packet)
        group = outcome and self.tables.look_up("second_stage", outcome=outcome, dst_addr=packet.to)
        if not group:
            return []
        replicas = self.tables.groups[group[1][0]]
        return [one for data, instance in replicas for one in self._leave(port, packet, number(data), instance)]

    def _leave(self, port, packet, to, instance):
        """What becomes of a replica on its way out."""
        if instance == self.MEMBER and to != port:
            return [(to, packet)]
        if instance == self.SPLITTER and packet.ttl > 1:
            return [(to, replace(packet, ttl=packet.ttl - 1))]
        if instance in self.VLANS:
            return [(to, replace(packet, vlan=self.VLANS[instance]))]
        if instance == self.STAND_IN:
            wrap = self.tables.look_up("wrap", egress_port=to)
            if wrap is not None:
                return [(to, replace(packet, outer=tuple(wrap[1][2:])))]
        return []

    def _copied(self, port, packet):
        """What leaves of a copy that comes back from an accelerator."""
        gate = self.tables.look_up("gate", dst_addr=packet.to, ingress_port=port)
        if packet.protocol != UDP or gate is None:
            return []
        found = self.tables.look_up("copies", ingress_port=port, vlan_id=packet.vlan)
        return self._leave(port, replace(packet, vlan=None), *found[1]) if found else []


class Sonic:
    """A switch with tor.p4 of sonic-net/sonic-pins. It has no routes for groups."""

    FILES = ("closed", "interfaces", "groups", "entries", "gate")
    address = None

    def __init__(self, info, requests):
        self.tables = Tables(info, requests)

    def outcome(self, port, packet):
        """The multicast group. 0: none."""
        name = str(port).encode()
        address = {"in_port": name, "is_ipv4": 1, "dst_ip": packet.to}
        admitted = self.tables.look_up(
            "acl_ingress_table", src_ip=packet.source, ip_protocol=packet.protocol, **address
        )
        if admitted is not None and admitted[0] == "acl_drop":
            return 0
        found = self.tables.look_up("acl_ingress_mirror_and_redirect_table", **address)
        return found[1][0] if found and found[0] == "redirect_to_ipmc_group" else 0

    def process(self, port, packet):
        group = self.outcome(port, packet)
        out = []
        for name, instance in self.tables.groups[group] if group else []:
            key = {"multicast_replica_port": name, "multicast_replica_instance": instance}
            assert self.tables.look_up("multicast_router_interface_table", **key) is not None
            # Every replica loses one hop.
            if packet.ttl > 1:
                out.append((int(name), replace(packet, ttl=packet.ttl - 1)))
        return out


class Fabric:
    """All switches, the splitters between them, and a unicast network."""

    def __init__(self, kind, info, configs, lit, shut=(), accelerators=None):
        """`shut`: switches whose gate is not loaded. `accelerators`: those beside all switches."""
        self.configs, self.lit, self.accelerators = configs, lit, accelerators
        # What accelerators were handed.
        self.handed = []
        # Logical ToRs of one switch share it.
        self.switches = {}
        for tors in configs.bridges().values():
            requests = []
            for tor in tors:
                files = [file for file in kind.FILES if file != "gate" or tor not in shut]
                requests += [request(configs.text(tor, f"{file}.p4rt.txt")) for file in files]
            self.switches |= dict.fromkeys(tors, kind(info, requests))
        # A packet that leaves by a port of another logical ToR finds no port here.
        self.uses = {(port.tor, port.number): port for port in configs.ports}
        self.homes = {}
        for (tor, number), used in self.uses.items():
            address = self.switches[tor].address(number) if used.used_for == "unicast" else None
            if address is not None:
                self.homes[address] = tor
        # The number of a fabric port in the configurations, by its number in the fabric.
        self.numbers = {(p.tor, p.fabric_port): p.number for p in configs.ports if p.fabric_port is not None}
        self.transmitted = []

    def unicast(self, tor):
        return next(p.number for p in self.configs.ports if p.tor == tor and p.used_for == "unicast")

    def send(self, tor, port, packet):
        """The servers that get a packet, with what they get. `transmitted` tells which ToRs sent light."""
        queue, got, self.transmitted = deque([(tor, port, packet)]), [], []
        while queue:
            tor, port, packet = queue.popleft()
            for out, copy in self.switches[tor].process(port, packet):
                used = self.uses[tor, out]
                if used.server:
                    assert copy.outer is None
                    got.append((used.server, copy))
                elif used.used_for == "accelerator":
                    assert copy.outer is None
                    self.handed.append((tor, copy))
                    vlans = self.accelerators.copies(tor, copy.vlan, copy.source, copy.to)
                    queue.extend((tor, out, replace(copy, vlan=vlan)) for vlan in vlans)
                elif used.fabric_port == 0:
                    self.transmitted.append(tor)
                    assert len(self.transmitted) <= len(self.switches), "a packet goes round for ever"
                    for to, at in self.lit[tor]:
                        queue.append((to, self.numbers[to, at], copy))
                else:
                    assert used.used_for == "unicast", f"ToR {tor} sends into port {out}"
                    home = self.homes[copy.outer[1]]
                    queue.append((home, self.unicast(home), copy))
        return got
