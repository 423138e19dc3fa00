"""Flows and groups as values. Pure: no file, no network."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field

#: The tables: gate, first stage, second stage.
GATE, FIRST, SECOND = 0, 1, 2
#: Priority of the gate's flow in its table.
GATE_PRIORITY = 100
#: Priority of the flows of single groups in the second stage.
MEMBERS_PRIORITY = 20
#: Numbers of replication groups below this one belong to no group of servers.
FIRST_MEMBERS = 8

_ALL_ONES = 0xFFFFFFFF


@dataclass(frozen=True)
class Address:
    """A ternary match on an IPv4 address. Bits of ``value`` outside ``mask`` are 0."""

    value: int
    mask: int = _ALL_ONES

    @classmethod
    def parse(cls, text: str) -> Address:
        """Reads ``10.0.0.0/8`` or ``10.0.0.0/255.160.0.0``. Raises ``ValueError``."""
        value, slash, mask = text.partition("/")
        if not slash:
            raise ValueError(f"found {text!r}; expected an address with a mask")
        number = int(ipaddress.IPv4Address(value))
        if mask.isdecimal():
            length = int(mask)
            if length > 32 or str(length) != mask:
                raise ValueError(f"found a prefix of {mask} bits; expected 0 to 32")
            bits = _ALL_ONES << (32 - length) & _ALL_ONES
        else:
            bits = int(ipaddress.IPv4Address(mask))
        if number & ~bits:
            raise ValueError(f"found {text!r}; bits outside the mask must be 0")
        found = cls(number, bits)
        if str(found) != text:
            raise ValueError(f"found {text!r}; expected {str(found)!r}")
        return found

    def covers(self, address: int) -> bool:
        """Whether it matches an address."""
        return address & self.mask == self.value

    def __str__(self) -> str:
        value = ipaddress.IPv4Address(self.value)
        length = self.mask.bit_count()
        if self.mask == _ALL_ONES << (32 - length) & _ALL_ONES:
            return f"{value}/{length}"
        return f"{value}/{ipaddress.IPv4Address(self.mask)}"


@dataclass(frozen=True)
class Match:
    """The match of a flow. 0, ``""`` and None match anything."""

    in_port: int = 0
    metadata: int = 0
    #: ``"ip"``, ``"udp"``, ``"lldp"`` or ``""``.
    protocol: str = ""
    source: Address | None = None
    destination: Address | None = None


FlowKey = tuple[int, int, Match]


@dataclass(frozen=True)
class Flow:
    """A flow. Its actions are in the text form of ``ovs-ofctl``; none: the packet is dropped."""

    table: int
    priority: int
    match: Match
    actions: tuple[str, ...]
    cookie: int = 0

    @property
    def key(self) -> FlowKey:
        """Table, priority and match, which identify the flow in a switch."""
        return (self.table, self.priority, self.match)

    @property
    def is_gate(self) -> bool:
        """Whether it lets packets to groups into the other tables."""
        return self.table == GATE and self.priority == GATE_PRIORITY

    @property
    def is_of_members(self) -> bool:
        """Whether it belongs to a group of servers."""
        return self.table == SECOND and self.priority == MEMBERS_PRIORITY


@dataclass(frozen=True)
class Group:
    """A replication group. Each bucket gets a copy of a packet."""

    number: int
    buckets: tuple[tuple[str, ...], ...]

    @property
    def is_of_members(self) -> bool:
        """Whether it belongs to a group of servers."""
        return self.number >= FIRST_MEMBERS


@dataclass
class Tables:
    """Flows and groups of a switch, or a part of them."""

    flows: dict[FlowKey, Flow] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)

    @classmethod
    def of(cls, flows: Iterable[Flow], groups: Iterable[Group] = ()) -> Tables:
        """Tables with these entries."""
        return cls({flow.key: flow for flow in flows}, {group.number: group for group in groups})

    def copy(self) -> Tables:
        """A copy that changes on its own."""
        return Tables(dict(self.flows), dict(self.groups))

    def add(self, other: Tables) -> None:
        """Adds all entries of others. Those with the same key are replaced."""
        self.flows.update(other.flows)
        self.groups.update(other.groups)

    def remove(self, other: Tables) -> None:
        """Removes all entries with a key of the others."""
        for key in other.flows:
            self.flows.pop(key, None)
        for number in other.groups:
            self.groups.pop(number, None)

    @property
    def gate(self) -> Flow | None:
        """The flow that opens the gate, if there is one."""
        return next((flow for flow in self.flows.values() if flow.is_gate), None)

    @property
    def stamp(self) -> int | None:
        """The stamp of the switch's rules: the cookie of its gate. None: the gate is closed."""
        return self.gate.cookie if self.gate else None

    def closed(self) -> Tables:
        """The same tables without the gate."""
        flows = {key: flow for key, flow in self.flows.items() if not flow.is_gate}
        return Tables(flows, self.groups)

    def without_members(self) -> Tables:
        """The same tables without the entries of groups of servers."""
        flows = {key: flow for key, flow in self.flows.items() if not flow.is_of_members}
        groups = {number: g for number, g in self.groups.items() if not g.is_of_members}
        return Tables(flows, groups)

    def outcomes(self) -> set[int]:
        """Numbers of the outcomes that the first stage hands to the second one."""
        named = {number for number in self.groups if number < FIRST_MEMBERS}
        for flow in self.flows.values():
            if flow.table == FIRST:
                for action in flow.actions:
                    name, _, number = action.partition(":")
                    if name == "write_metadata":
                        named.add(int(number))
        return named


@dataclass(frozen=True)
class Step:
    """Changes that do not depend on each other's order."""

    add_groups: tuple[Group, ...] = ()
    modify_groups: tuple[Group, ...] = ()
    remove_groups: tuple[int, ...] = ()
    #: Each replaces a flow with the same key.
    add_flows: tuple[Flow, ...] = ()
    remove_flows: tuple[Flow, ...] = ()

    def __bool__(self) -> bool:
        return any(vars(self).values())


def stamp_text(stamp: int | None) -> str | None:
    """A stamp as text; None: there is none."""
    return None if stamp is None else f"{stamp:#018x}"


def steps(old: Tables, new: Tables) -> list[Step]:
    """The changes from old tables to new ones, in an order that is safe without a transaction.

    The gate closes first and opens last. A group is added before a flow uses it, and removed after.
    """
    gone = [flow for key, flow in old.flows.items() if key not in new.flows]
    came = [flow for key, flow in new.flows.items() if old.flows.get(key) != flow]
    added = [group for number, group in new.groups.items() if number not in old.groups]
    changed = [
        group
        for number, group in new.groups.items()
        if number in old.groups and old.groups[number] != group
    ]
    removed = [number for number in old.groups if number not in new.groups]
    found = [
        Step(remove_flows=tuple(flow for flow in gone if flow.is_gate)),
        Step(add_groups=tuple(added), modify_groups=tuple(changed)),
        Step(add_flows=tuple(flow for flow in came if not flow.is_gate)),
        Step(remove_flows=tuple(flow for flow in gone if not flow.is_gate)),
        Step(remove_groups=tuple(removed)),
        Step(add_flows=tuple(flow for flow in came if flow.is_gate)),
    ]
    return [step for step in found if step]


def differences(wanted: Tables, found: Tables) -> list[str]:
    """The differences between wanted tables and those that were found, as short texts."""
    texts = []
    for key, flow in wanted.flows.items():
        other = found.flows.get(key)
        if other is None:
            texts.append(f"missing flow {describe(flow)}")
        elif other != flow:
            texts.append(f"other flow {describe(other)}")
    texts += [
        f"foreign flow {describe(f)}" for key, f in found.flows.items() if key not in wanted.flows
    ]
    for number, group in wanted.groups.items():
        if number not in found.groups:
            texts.append(f"missing group {number}")
        elif found.groups[number] != group:
            texts.append(f"other group {number}")
    texts += [f"foreign group {number}" for number in found.groups if number not in wanted.groups]
    return texts


def describe(flow: Flow, lldp: str = "lldp") -> str:
    """Table, priority and match of a flow. ``lldp`` is the word for the protocol LLDP."""
    match = flow.match
    words = [f"table={flow.table}", f"priority={flow.priority}"]
    words += [f"in_port={match.in_port}"] if match.in_port else []
    words += [f"metadata={match.metadata}"] if match.metadata else []
    words += [lldp if match.protocol == "lldp" else match.protocol] if match.protocol else []
    words += [f"nw_src={match.source}"] if match.source else []
    words += [f"nw_dst={match.destination}"] if match.destination else []
    return ",".join(words)
