"""What a switch may send: types and lengths. Everything is checked here before os-ken reads it.

os-ken follows lengths as they stand in a message. A length of 0 keeps it in one place for ever.
Pure: no file, no network.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from lightloom.controller.errors import SwitchFailed

HEADER = 8
#: Bytes before the body of a multipart reply.
MULTIPART_HEAD = 16
#: Bytes of a flow before its match.
FLOW_COUNTERS = 48

HELLO, ERROR, ECHO_REQUEST, ECHO_REPLY, EXPERIMENTER = 0, 1, 2, 3, 4
FEATURES_REPLY, PACKET_IN, FLOW_REMOVED, PORT_STATUS = 6, 10, 11, 12
MULTIPART_REPLY, BARRIER_REPLY = 19, 21
#: Types that a switch may send unasked, and that say nothing to the controller.
IGNORED = frozenset((HELLO, ECHO_REPLY, PACKET_IN, FLOW_REMOVED, PORT_STATUS))
#: Least length of each type that is read.
_LEAST = {
    ERROR: 12,
    ECHO_REQUEST: HEADER,
    EXPERIMENTER: 16,
    FEATURES_REPLY: 32,
    MULTIPART_REPLY: MULTIPART_HEAD,
    BARRIER_REPLY: HEADER,
}
_VERSION_BITMAP = 1
_OPENFLOW_1_3 = 4
_BUNDLE_CONTROL = (0x4F4E4600, 2300)

_OXM_BASIC = 0x8000
#: Bytes of the values of the fields that the controller matches on: port, metadata, Ethernet
#: type, protocol, IPv4 source, IPv4 destination.
_FIELDS = {0: 4, 2: 8, 5: 2, 10: 1, 11: 4, 12: 4}
_GOTO_TABLE, _WRITE_METADATA, _WRITE_ACTIONS, _APPLY_ACTIONS, _CLEAR_ACTIONS = 1, 2, 3, 4, 5
_INSTRUCTIONS = {_GOTO_TABLE: 8, _WRITE_METADATA: 24}
_OUTPUT, _GROUP, _DEC_TTL, _SET_FIELD = 0, 22, 24, 25
_ACTIONS = {_OUTPUT: 16, _GROUP: 8, _DEC_TTL: 8}
_SHORT = struct.Struct("!HH")


class Malformed(SwitchFailed):
    """Bytes that are no message of OpenFlow 1.3, or none that a switch sends."""


class Unknown(Exception):
    """An entry that the controller never writes."""


def check(version: int, kind: int, length: int) -> None:
    """Raises if a switch does not send such a message once OpenFlow 1.3 is agreed on."""
    if version != _OPENFLOW_1_3:
        raise Malformed(f"the switch sent a message of version {version}")
    if kind in IGNORED:
        return
    if kind not in _LEAST:
        raise Malformed(f"the switch sent a message of type {kind}, which it was not asked for")
    if length < _LEAST[kind]:
        raise Malformed(f"the switch sent a message of type {kind} with {length} bytes only")


def speaks_1_3(version: int, hello: bytes) -> bool:
    """Whether a greeting lets OpenFlow 1.3 be chosen."""
    at = HEADER
    while at < len(hello):
        if at + 4 > len(hello):
            raise Malformed("the switch sent a greeting that breaks off")
        kind, length = _SHORT.unpack_from(hello, at)
        if length < 4 or at + length > len(hello):
            raise Malformed(f"the switch sent a greeting with an element of length {length}")
        if kind == _VERSION_BITMAP:
            if length < 8:
                raise Malformed(f"the switch sent a greeting with an element of length {length}")
            return bool(int.from_bytes(hello[at + 4 : at + 8], "big") >> _OPENFLOW_1_3 & 1)
        at += _padded(length)
    return version >= _OPENFLOW_1_3


def datapath_id(features: bytes) -> int:
    """The datapath id of features."""
    return int.from_bytes(features[8:16], "big")


def error_text(error: bytes) -> str:
    """The type and code of an error."""
    kind, code = _SHORT.unpack_from(error, HEADER)
    return f"error {kind}, code {code}"


def bundle_reply(message: bytes) -> int | None:
    """The type of an answer about a bundle. None: it is another extension."""
    if struct.unpack_from("!II", message, HEADER) != _BUNDLE_CONTROL:
        return None
    if len(message) < 24:
        raise Malformed("the switch sent an answer about a bundle that breaks off")
    return int.from_bytes(message[20:22], "big")


def multipart(reply: bytes) -> tuple[int, bool]:
    """The type of a multipart reply, and whether there is more to come."""
    kind, flags = _SHORT.unpack_from(reply, HEADER)
    return kind, bool(flags & 1)


def entries(body: bytes, least: int, what: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each flow or group of a reply. Its length is at its start."""
    at = 0
    while at < len(body):
        # A byte is missing if the body ends here. Then the length is too large for it.
        length = int.from_bytes(body[at : at + 2], "big")
        if length < least or length % 8 or at + length > len(body):
            raise Malformed(f"the switch sent {what} of length {length}")
        yield at, at + length
        at += length


def flows(body: bytes) -> Iterator[tuple[int, int]]:
    """The places of the flows of a reply."""
    return entries(body, FLOW_COUNTERS + 8, "a flow")


def groups(body: bytes) -> Iterator[tuple[int, int]]:
    """The places of the descriptions of groups of a reply."""
    return entries(body, 8, "a group")


def check_flow(flow: bytes) -> str | None:
    """Checks all lengths in a flow. Returns what in it the controller never writes."""
    kind, length = _SHORT.unpack_from(flow, FLOW_COUNTERS)
    end = FLOW_COUNTERS + _padded(length)
    if kind != 1 or length < 4 or end > len(flow):
        raise Malformed(f"the switch sent a flow with a match of length {length}")
    odd = _fields(flow[FLOW_COUNTERS + 4 : FLOW_COUNTERS + length])
    at = end
    while at < len(flow):
        kind, length = _SHORT.unpack_from(flow, at)
        wanted = _INSTRUCTIONS.get(kind, length)
        if length < 8 or length % 8 or at + length > len(flow) or length != wanted:
            raise Malformed(f"the switch sent a flow with an instruction of length {length}")
        if kind in (_WRITE_ACTIONS, _APPLY_ACTIONS, _CLEAR_ACTIONS):
            odd = _actions(flow[at + 8 : at + length]) or odd
        if kind not in (_GOTO_TABLE, _WRITE_METADATA, _APPLY_ACTIONS):
            odd = odd or f"instruction {kind}"
        at += length
    return odd


def check_group(group: bytes) -> str | None:
    """Checks all lengths in a description of a group. Returns what the controller never writes."""
    odd = None if group[2] == 0 else "type"
    at = 8
    while at < len(group):
        length = int.from_bytes(group[at : at + 2], "big")
        if length < 16 or length % 8 or at + length > len(group):
            raise Malformed(f"the switch sent a group with a bucket of length {length}")
        odd = _actions(group[at + 16 : at + length]) or odd
        at += length
    return odd


def _fields(match: bytes) -> str | None:
    at, odd = 0, None
    while at < len(match):
        if at + 4 > len(match) or at + 4 + match[at + 3] > len(match):
            raise Malformed("the switch sent a flow with a field that breaks off")
        odd = _field(match, at) or odd
        at += 4 + match[at + 3]
    return odd


def _field(match: bytes, at: int) -> str | None:
    place = int.from_bytes(match[at : at + 2], "big")
    number, is_masked, length = match[at + 2] >> 1, match[at + 2] & 1, match[at + 3]
    if place != _OXM_BASIC or number not in _FIELDS:
        return f"match on field {place:#06x}:{number}"
    if length != _FIELDS[number] << is_masked:
        raise Malformed(f"the switch sent a flow with a field of length {length}")
    return None


def _actions(actions: bytes) -> str | None:
    at, odd = 0, None
    while at < len(actions):
        # All parts before have a multiple of 8 bytes, so that 8 are left.
        kind, length = _SHORT.unpack_from(actions, at)
        wanted = _ACTIONS.get(kind, length)
        if length < 8 or length % 8 or at + length > len(actions) or length != wanted:
            raise Malformed(f"the switch sent an action of length {length}")
        if kind == _SET_FIELD:
            if 8 + actions[at + 7] > length:
                raise Malformed("the switch sent an action with a field that breaks off")
            # Tunnel IPv4 destination of Nicira, the one field that the controller sets.
            if actions[at + 4 : at + 8] != bytes((0, 1, 32 << 1, 4)):
                odd = odd or "action"
        elif kind not in _ACTIONS:
            odd = odd or f"action {kind}"
        at += length
    return odd


def _padded(length: int) -> int:
    return (length + 7) // 8 * 8
