"""Groups of servers, and the entries that they need. Pure: no file, no network."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lightloom.controller.entries import (
    FIRST_MEMBERS,
    MEMBERS_PRIORITY,
    SECOND,
    Address,
    Flow,
    Group,
    Match,
    Tables,
)
from lightloom.controller.errors import Conflict, ControllerError, NotFound

_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
#: Number of the outcome after which only the members get a packet (shufflecast:III-B2.confined).
_DELIVER = 3


def check_name(name: str) -> str:
    """The name, if it may be that of a group: the rule of ``groups.toml``."""
    if not _NAME.fullmatch(name):
        shown = name if len(name) <= 80 else name[:80] + "…"
        raise ControllerError(
            f"name: found {shown!r}; take 1 to 64 letters, digits, -, _ and . of ASCII"
        )
    return name


@dataclass(frozen=True)
class Server:
    """A server: its ToR, and the number of the ToR's port."""

    name: str
    tor: int
    port: int
    address: str


@dataclass(frozen=True)
class ServerGroup:
    """A group of servers. ``place`` numbers its replication groups."""

    name: str
    place: int
    address: Address
    members: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Range:
    """The addresses of groups: the range, and the mask of one group."""

    all: Address
    #: None: unknown, because the encoding has codes in addresses of groups and there is no group.
    mask: int | None

    def check(self, text: str) -> Address:
        """The match for a group's address."""
        mask = self._mask()
        try:
            number = int(ipaddress.IPv4Address(text))
        except ValueError:
            raise ControllerError(
                f"address: found {text[:40]!r}; expected an address such as '239.0.0.1'"
            ) from None
        if not self.all.covers(number):
            raise ControllerError(f"address: found {text}; the groups have {self.all}")
        if number & ~mask & 0xFFFFFFFF:
            raise ControllerError(f"address: found {text}; its low bits are for the sending ToR")
        return Address(number, mask)

    def next(self, taken: Iterable[Address]) -> Address:
        """The first address that no group has."""
        mask = self._mask()
        values = {address.value for address in taken}
        step = (~mask & 0xFFFFFFFF) + 1
        # One more than are taken is enough.
        for number in range(1, len(values) + 2):
            value = self.all.value + number * step
            if not self.all.covers(value):
                break
            if value not in values:
                return Address(value, mask)
        raise Conflict("all addresses of groups are taken")

    def _mask(self) -> int:
        if self.mask is None:
            raise Conflict(
                "the width of a group's address is unknown: "
                "write the configurations with at least one group that has members"
            )
        return self.mask


@dataclass
class Members:
    """All servers and groups."""

    servers: dict[str, Server]
    addresses: Range
    groups: dict[str, ServerGroup] = field(default_factory=dict)
    _ports: dict[str, tuple[ServerGroup, dict[int, list[int]]]] = field(default_factory=dict)

    def server(self, name: str) -> Server:
        """A server by name."""
        found = self.servers.get(name)
        if found is None:
            raise NotFound(f"there is no server {name[:80]!r}")
        return found

    def group(self, name: str) -> ServerGroup:
        """A group by name."""
        found = self.groups.get(check_name(name))
        if found is None:
            raise NotFound(f"there is no group {name!r}")
        return found

    def new_group(self, name: str, address: str | None, members: Iterable[str]) -> ServerGroup:
        """A group that may be added: its name and address are free."""
        check_name(name)
        if name in self.groups:
            raise Conflict(f"there is already a group {name!r}")
        taken = {group.address: group.name for group in self.groups.values()}
        match = self.addresses.check(address) if address else self.addresses.next(taken)
        if match in taken:
            raise Conflict(f"address: {address} is also that of group {taken[match]!r}")
        wanted = frozenset(self.server(member).name for member in members)
        places = {group.place for group in self.groups.values()}
        place = next(number for number in range(len(places) + 1) if number not in places)
        return ServerGroup(name, place, match, wanted)

    def joined(self, group: ServerGroup, server: str) -> ServerGroup:
        """The group with one more member."""
        return replace(group, members=group.members | {self.server(server).name})

    def left(self, group: ServerGroup, server: str) -> ServerGroup:
        """The group with one member less."""
        return replace(group, members=group.members - {self.server(server).name})

    def ports(self, group: ServerGroup | None) -> dict[int, list[int]]:
        """For each ToR with members, the numbers of their ports, ascending."""
        if group is None:
            return {}
        # Each switch that is read asks for all groups.
        known = self._ports.get(group.name)
        if known is not None and known[0] is group:
            return known[1]
        found: dict[int, list[int]] = {}
        for name in group.members:
            server = self.servers[name]
            found.setdefault(server.tor, []).append(server.port)
        ports = {tor: sorted(numbers) for tor, numbers in sorted(found.items())}
        if self.groups.get(group.name) is group:
            self._ports[group.name] = (group, ports)
        return ports

    def of_tor(self, tor: int, base: Tables) -> Tables:
        """The entries of all groups on a ToR."""
        found = Tables()
        for group in self.groups.values():
            ports = self.ports(group).get(tor)
            if ports:
                found.add(entries(base, group, ports))
        return found


def entries(base: Tables, group: ServerGroup, ports: list[int]) -> Tables:
    """The entries of a group on a ToR: one flow and one replication group for each outcome."""
    found = Tables()
    for outcome in sorted(base.outcomes() | {_DELIVER} if base.outcomes() else ()):
        number = outcome + FIRST_MEMBERS * (group.place + 1)
        match = Match(metadata=outcome, protocol="ip", destination=group.address)
        flow = Flow(SECOND, MEMBERS_PRIORITY, match, (f"group:{number}",))
        members = tuple((f"output:{port}",) for port in ports)
        beside = base.groups[outcome].buckets if outcome in base.groups else ()
        found.flows[flow.key] = flow
        found.groups[number] = Group(number, members + beside)
    return found
