"""Entries as messages of OpenFlow 1.3, and back, with the codec of os-ken."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from os_ken.ofproto import ofproto_common, ofproto_protocol
from os_ken.ofproto import ofproto_v1_3 as ofp
from os_ken.ofproto import ofproto_v1_3_parser as parser

from lightloom.controller import frames
from lightloom.controller.entries import SECOND, Address, Flow, Group, Match, Step
from lightloom.controller.frames import Unknown

#: Stands in for the connection in messages. os-ken only asks it for the protocol.
DATAPATH = ofproto_protocol.ProtocolDesc(ofp.OFP_VERSION)

_IPV4, _LLDP, _UDP = 0x0800, 0x88CC, 17
_ALL_ONES = 0xFFFFFFFF
_FULL_METADATA = 0xFFFFFFFFFFFFFFFF
_NOTHING = ofp.OFP_NO_BUFFER
_FLOW_COUNTERS = frames.FLOW_COUNTERS
_BUNDLE_ADD = struct.Struct("!BBHIIII2xH")
#: Entries whose messages are remembered. Those of a group are the same on many switches.
_CACHED = 1 << 16
#: Bytes of entries of switches that are remembered.
_MOST_REMEMBERED = 8 << 20

_Entry = TypeVar("_Entry", Flow, Group)


def encode(message: Any, number: int) -> bytes:
    """A message with its number as bytes."""
    message.xid = number
    message.serialize()
    return bytes(message.buf)


def numbered(message: bytes, number: int) -> bytes:
    """A message with another number."""
    return message[:4] + number.to_bytes(4, "big") + message[8:]


def bundled(message: bytes, number: int, *, bundle: int, flags: int) -> bytes:
    """A message within a bundle (extension 230). Both carry the same number."""
    head = _BUNDLE_ADD.pack(
        ofp.OFP_VERSION,
        ofp.OFPT_EXPERIMENTER,
        _BUNDLE_ADD.size + len(message),
        number,
        ofproto_common.ONF_EXPERIMENTER_ID,
        ofp.ONF_ET_BUNDLE_ADD_MESSAGE,
        bundle,
        flags,
    )
    return head + numbered(message, number)


def step_messages(step: Step) -> list[bytes]:
    """The messages of a step, with 0 in place of their numbers."""
    return [
        *(group_mod(ofp.OFPGC_ADD, group) for group in step.add_groups),
        *(group_mod(ofp.OFPGC_MODIFY, group) for group in step.modify_groups),
        *(flow_mod(ofp.OFPFC_ADD, flow) for flow in step.add_flows),
        *(flow_mod(ofp.OFPFC_DELETE_STRICT, flow) for flow in step.remove_flows),
        *(group_mod(ofp.OFPGC_DELETE, Group(number, ())) for number in step.remove_groups),
    ]


def close_messages() -> list[bytes]:
    """The messages that close the gate of a switch, whatever it has."""
    return [_delete_flows(0)]


def clear_messages() -> list[bytes]:
    """The messages that remove all flows and groups of a switch."""
    return [_delete_flows(ofp.OFPTT_ALL), group_mod(ofp.OFPGC_DELETE, Group(ofp.OFPG_ALL, ()))]


def _delete_flows(table: int) -> bytes:
    message = parser.OFPFlowMod(
        DATAPATH,
        table_id=table,
        command=ofp.OFPFC_DELETE,
        out_port=ofp.OFPP_ANY,
        out_group=ofp.OFPG_ANY,
    )
    return encode(message, 0)


def _flow_mod(command: int, flow: Flow) -> bytes:
    """A flow as a message."""
    message = parser.OFPFlowMod(
        DATAPATH,
        cookie=flow.cookie if command == ofp.OFPFC_ADD else 0,
        table_id=flow.table,
        command=command,
        priority=flow.priority,
        buffer_id=_NOTHING,
        out_port=ofp.OFPP_ANY,
        out_group=ofp.OFPG_ANY,
        match=_match(flow.match),
        instructions=_instructions(flow.actions) if command == ofp.OFPFC_ADD else [],
    )
    return encode(message, 0)


def _group_mod(command: int, group: Group) -> bytes:
    """A replication group as a message."""
    buckets = [
        parser.OFPBucket(
            watch_port=ofp.OFPP_ANY,
            watch_group=ofp.OFPG_ANY,
            actions=[_action(action) for action in bucket],
        )
        for bucket in group.buckets
    ]
    message = parser.OFPGroupMod(DATAPATH, command, ofp.OFPGT_ALL, group.number, buckets)
    return encode(message, 0)


def flows_request(to: Address | None = None) -> Any:
    """Asks for flows: all, or those of the second stage that name a destination."""
    match = _match(Match(protocol="ip", destination=to)) if to else None
    where = SECOND if to else ofp.OFPTT_ALL
    return parser.OFPFlowStatsRequest(DATAPATH, 0, where, ofp.OFPP_ANY, ofp.OFPG_ANY, 0, 0, match)


def _match(match: Match) -> Any:
    fields: dict[str, Any] = {}
    if match.in_port:
        fields["in_port"] = match.in_port
    if match.metadata:
        fields["metadata"] = match.metadata
    if match.protocol:
        fields["eth_type"] = _LLDP if match.protocol == "lldp" else _IPV4
    if match.protocol == "udp":
        fields["ip_proto"] = _UDP
    for name, address in (("ipv4_src", match.source), ("ipv4_dst", match.destination)):
        if address is not None:
            fields[name] = (_dotted(address.value), _dotted(address.mask))
    return parser.OFPMatch(**fields)


def _dotted(number: int) -> str:
    return str(ipaddress.IPv4Address(number))


def _instructions(actions: tuple[str, ...]) -> list[Any]:
    found, applied = [], []
    for text in actions:
        name, _, value = text.partition(":")
        if name == "write_metadata":
            found.append(parser.OFPInstructionWriteMetadata(int(value), _FULL_METADATA))
        elif name == "goto_table":
            found.append(parser.OFPInstructionGotoTable(int(value)))
        else:
            applied.append(_action(text))
    if applied:
        found.insert(0, parser.OFPInstructionActions(ofp.OFPIT_APPLY_ACTIONS, applied))
    return found


def _action(text: str) -> Any:
    name, _, value = text.partition(":")
    if name == "output":
        return parser.OFPActionOutput(int(value), 0)
    if name == "in_port":
        return parser.OFPActionOutput(ofp.OFPP_IN_PORT, 0)
    if name == "CONTROLLER":
        return parser.OFPActionOutput(ofp.OFPP_CONTROLLER, int(value))
    if name == "group":
        return parser.OFPActionGroup(int(value))
    if name == "dec_ttl":
        return parser.OFPActionDecNwTtl()
    if name == "set_field":
        return parser.OFPActionSetField(tun_ipv4_dst=value.partition("->")[0])
    raise ValueError(text)


def read_flow(data: bytes) -> Flow:
    """A flow of a reply. Raises `Unknown` if the controller never writes such a one."""
    # Without age and counters, which differ at each reading.
    return _parse_flow(data[:4] + bytes(8) + data[12:32] + bytes(16) + data[_FLOW_COUNTERS:])


def _read_flow(data: bytes) -> Flow:
    odd = frames.check_flow(data)
    if odd:
        raise Unknown(odd)
    return _flow(parser.OFPFlowStats.parser(data, 0))


def _flow(stats: Any) -> Flow:
    if stats.idle_timeout or stats.hard_timeout or stats.flags:
        raise Unknown("timeouts or flags")
    fields: dict[str, Any] = dict(stats.match.items())
    protocol = {None: "", _LLDP: "lldp", _IPV4: "ip"}.get(fields.pop("eth_type", None))
    if protocol is None:
        raise Unknown("Ethernet type")
    if "ip_proto" in fields:
        if fields.pop("ip_proto") != _UDP or protocol != "ip":
            raise Unknown("protocol")
        protocol = "udp"
    match = Match(
        in_port=_plain(fields.pop("in_port", 0)),
        metadata=_plain(fields.pop("metadata", 0)),
        protocol=protocol,
        source=_address(fields.pop("ipv4_src", None)),
        destination=_address(fields.pop("ipv4_dst", None)),
    )
    if fields:
        raise Unknown(f"match on {', '.join(sorted(fields))}")
    actions: list[str] = []
    for instruction in stats.instructions:
        actions += _instruction_texts(instruction)
    return Flow(stats.table_id, stats.priority, match, tuple(actions), stats.cookie)


def _plain(value: Any) -> int:
    if not isinstance(value, int):
        raise Unknown("mask")
    return value


def _address(value: Any) -> Address | None:
    if value is None:
        return None
    number, mask = value if isinstance(value, tuple) else (value, _dotted(_ALL_ONES))
    return Address(int(ipaddress.IPv4Address(number)), int(ipaddress.IPv4Address(mask)))


def _instruction_texts(instruction: Any) -> Iterator[str]:
    if isinstance(instruction, parser.OFPInstructionGotoTable):
        yield f"goto_table:{instruction.table_id}"
    elif isinstance(instruction, parser.OFPInstructionWriteMetadata):
        if instruction.metadata_mask != _FULL_METADATA:
            raise Unknown("mask of metadata")
        yield f"write_metadata:{instruction.metadata}"
    elif (
        isinstance(instruction, parser.OFPInstructionActions)
        and instruction.type == ofp.OFPIT_APPLY_ACTIONS
    ):
        for action in instruction.actions:
            yield _action_text(action)
    else:
        raise Unknown("instruction")


def _action_text(action: Any) -> str:
    if isinstance(action, parser.OFPActionOutput):
        if action.port == ofp.OFPP_IN_PORT:
            return "in_port"
        if action.port == ofp.OFPP_CONTROLLER:
            return f"CONTROLLER:{action.max_len}"
        return f"output:{action.port}"
    if isinstance(action, parser.OFPActionGroup):
        return f"group:{action.group_id}"
    if isinstance(action, parser.OFPActionDecNwTtl):
        return "dec_ttl"
    if isinstance(action, parser.OFPActionSetField) and action.key == "tun_ipv4_dst":
        return f"set_field:{action.value}->tun_dst"
    raise Unknown("action")


def groups_request() -> Any:
    """Asks for all replication groups. OpenFlow 1.3 cannot ask for one."""
    return parser.OFPGroupDescStatsRequest(DATAPATH, 0)


def _read_group(data: bytes) -> Group:
    odd = frames.check_group(data)
    if odd:
        raise Unknown(odd)
    found = parser.OFPGroupDescStats.parser(data, 0)
    buckets = tuple(tuple(_action_text(a) for a in bucket.actions) for bucket in found.buckets)
    return Group(found.group_id, buckets)


def _remembered(read: Callable[[bytes], _Entry]) -> Callable[[bytes], _Entry]:
    """Remembers entries by their bytes. Their number is bounded in bytes: switches choose them."""
    known: dict[bytes, _Entry] = {}
    held = 0

    def remembered(data: bytes) -> _Entry:
        nonlocal held
        found = known.get(data)
        if found is None:
            found = read(data)
            if held + len(data) > _MOST_REMEMBERED:
                known.clear()
                held = 0
            held += len(data)
            known[data] = found
        return found

    return remembered


# Many switches have the same entries.
flow_mod = lru_cache(maxsize=_CACHED)(_flow_mod)
group_mod = lru_cache(maxsize=_CACHED)(_group_mod)
_parse_flow = _remembered(_read_flow)
#: A group of a description.
read_group = _remembered(_read_group)
