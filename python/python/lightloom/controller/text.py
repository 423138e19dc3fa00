"""The text form of ``ovs-ofctl``: only lines as lightloom writes them. Others are refused."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lightloom.controller.entries import Address, Flow, Group, Match, Tables, describe
from lightloom.controller.errors import BadFile

_NUMBER = r"(?:0|[1-9][0-9]{0,9})"
_ADDRESS = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
_MASKED = rf"{_ADDRESS}/(?:[0-9]{{1,2}}|{_ADDRESS})"
_MATCHED = re.compile(
    r"(?:cookie=(?P<cookie>0x[0-9a-f]{1,16}),)?"
    rf"table=(?P<table>{_NUMBER}),priority=(?P<priority>{_NUMBER})"
    rf"(?:,in_port=(?P<in_port>{_NUMBER}))?"
    rf"(?:,metadata=(?P<metadata>{_NUMBER}))?"
    r"(?:,(?P<protocol>udp|ip|dl_type=0x88cc))?"
    rf"(?:,nw_src=(?P<source>{_MASKED}))?"
    rf"(?:,nw_dst=(?P<destination>{_MASKED}))?"
)
_ACTIONS = re.compile(
    r"drop|CONTROLLER:65535|goto_table:1|write_metadata:[1-4],goto_table:2"
    rf"|group:{_NUMBER}"
)
_GROUP = re.compile(rf"group_id=({_NUMBER}),type=all((?:,bucket=actions=.+)?)")
_BUCKET = re.compile(
    rf"output:{_NUMBER}|dec_ttl,output:{_NUMBER}|dec_ttl,in_port"
    rf"|set_field:{_ADDRESS}->tun_dst,output:{_NUMBER}"
)
#: Largest number of a port or group. Higher ones have meanings of their own.
_MOST = 0xFFFFFF00
#: Lines that are remembered. Those of a group are the same on many switches.
_CACHED = 1 << 16
_PROTOCOLS = {"dl_type=0x88cc": "lldp", "udp": "udp", "ip": "ip", None: ""}


def read(text: str, name: str) -> Tables:
    """Tables from lines of flows and groups. ``name`` stands in messages."""
    tables = Tables()
    for where, line in _lines(text, name):
        if line.startswith("group_id="):
            group = parse_group(line, where)
            if group.number in tables.groups:
                raise BadFile(f"{where}: group {group.number} a second time")
            tables.groups[group.number] = group
        else:
            flow = parse_flow(line, where)
            if flow.key in tables.flows:
                raise BadFile(f"{where}: a flow with this match and priority a second time")
            tables.flows[flow.key] = flow
    return tables


def write(tables: Tables) -> str:
    """Tables as lines, groups first."""
    lines = [write_group(group) for group in tables.groups.values()]
    lines += [write_flow(flow) for flow in tables.flows.values()]
    return "".join(line + "\n" for line in lines)


@dataclass(frozen=True)
class Operation:
    """A line of a bundle."""

    where: str
    #: Otherwise the entry is added, in place of one with its key.
    deletes: bool
    entry: Flow | Group


def read_operations(text: str, name: str) -> list[Operation]:
    """The lines of ``ovs-ofctl bundle``: ``flow add …``, ``group delete …`` and so on."""
    found = []
    for where, line in _lines(text, name):
        kind, _, rest = line.partition(" ")
        verb, _, rest = rest.partition(" ")
        entry: Flow | Group
        if kind == "flow" and verb == "add":
            entry = parse_flow(rest, where)
        elif kind == "flow" and verb == "delete_strict":
            entry = parse_flow(f"{rest},actions=drop", where)
            if entry.cookie:
                raise BadFile(f"{where}: expected no cookie")
        elif kind == "group" and verb == "add_or_mod":
            entry = parse_group(rest, where)
        elif kind == "group" and verb == "delete":
            entry = parse_group(f"{rest},type=all", where)
            if entry.buckets:
                raise BadFile(f"{where}: expected no buckets")
        else:
            expected = "flow add, flow delete_strict, group add_or_mod or group delete"
            raise BadFile(f"{where}: found {_short(line)}; expected {expected}")
        found.append(Operation(where, verb.startswith("delete"), entry))
    return found


def _lines(text: str, name: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.startswith("#"):
            yield f"{name}, line {number}", line


def parse_flow(line: str, where: str) -> Flow:
    """A flow from its line."""
    try:
        return _flow(line)
    except BadFile as error:
        raise BadFile(f"{where}: {error}") from None


def _read_flow(line: str) -> Flow:
    matched, actions_at, actions = line.partition(",actions=")
    found = _MATCHED.fullmatch(matched)
    if found is None or not actions_at or not _ACTIONS.fullmatch(actions):
        raise BadFile(f"found {_short(line)}; expected a flow as lightloom writes it")
    protocol = _PROTOCOLS[found["protocol"]]
    if (found["source"] or found["destination"]) and protocol not in ("udp", "ip"):
        raise BadFile("addresses without udp or ip")
    match = Match(
        in_port=_number(found["in_port"], _MOST),
        metadata=_number(found["metadata"], 0xFFFFFFFF),
        protocol=protocol,
        source=_address(found["source"]),
        destination=_address(found["destination"]),
    )
    kind, _, rest = actions.partition(":")
    if kind == "group":
        _number(rest, _MOST)
    return Flow(
        table=_number(found["table"], 2),
        priority=_number(found["priority"], 0xFFFF),
        match=match,
        actions=() if actions == "drop" else tuple(actions.split(",")),
        cookie=int(found["cookie"] or "0", 16),
    )


def write_flow(flow: Flow) -> str:
    """The line of a flow."""
    # A stamp has all its digits.
    width = 18 if flow.is_gate else 0
    cookie = f"cookie={flow.cookie:#0{width}x}," if flow.cookie else ""
    actions = ",".join(flow.actions) or "drop"
    return f"{cookie}{describe(flow, lldp='dl_type=0x88cc')},actions={actions}"


def parse_group(line: str, where: str) -> Group:
    """A replication group from its line."""
    try:
        return _group(line)
    except BadFile as error:
        raise BadFile(f"{where}: {error}") from None


def _read_group(line: str) -> Group:
    found = _GROUP.fullmatch(line)
    if found is None:
        raise BadFile(f"found {_short(line)}; expected a group as lightloom writes it")
    buckets = found[2].split(",bucket=actions=")[1:]
    for bucket in buckets:
        if not _BUCKET.fullmatch(bucket):
            raise BadFile(f"found the bucket {_short(bucket)}")
        port = bucket.rpartition("output:")[2]
        if port.isdecimal():
            _number(port, _MOST, least=1)
        if bucket.startswith("set_field:"):
            try:
                ipaddress.IPv4Address(bucket.split(":")[1].partition("->")[0])
            except ValueError as error:
                raise BadFile(str(error)) from None
    number = _number(found[1], _MOST, least=1)
    return Group(number, tuple(tuple(bucket.split(",")) for bucket in buckets))


def write_group(group: Group) -> str:
    """The line of a replication group."""
    buckets = "".join(f",bucket=actions={','.join(bucket)}" for bucket in group.buckets)
    return f"group_id={group.number},type=all{buckets}"


def _number(text: str | None, most: int, least: int = 0) -> int:
    number = int(text or "0")
    if not least <= number <= most:
        raise BadFile(f"found {number}; expected {least} to {most}")
    return number


def _address(text: str | None) -> Address | None:
    try:
        return Address.parse(text) if text else None
    except ValueError as error:
        raise BadFile(str(error)) from None


def _short(text: str) -> str:
    return repr(text if len(text) <= 120 else text[:120] + "…")


_flow = lru_cache(maxsize=_CACHED)(_read_flow)
_group = lru_cache(maxsize=_CACHED)(_read_group)
