"""The connection of one switch: requests, replies, barriers, bundles. It decides nothing.

The bytes of messages are os-ken's work. The connection is not: os-ken's own runs applications in
green threads. Here one loop of ``asyncio`` owns all connections, so that no state is shared
between threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Container, Iterable
from typing import Any

from os_ken.ofproto import ofproto_v1_3 as ofp
from os_ken.ofproto import ofproto_v1_3_parser as parser

from lightloom.controller import wire
from lightloom.controller.entries import Address, Step, Tables
from lightloom.controller.errors import SwitchFailed

LOG = logging.getLogger("lightloom.controller")

#: Replies of a switch to one request, at most. A switch with more is cut off.
_MOST_PARTS = 20_000
_HEADER = 8
_BUNDLE_FLAGS = ofp.ONF_BF_ATOMIC | ofp.ONF_BF_ORDERED


class _Waiting:
    """A request that waits for its replies."""

    def __init__(self) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.parts: list[Any] = []


class Connection:
    """A connection. All methods raise `SwitchFailed` once it is lost."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        patience: float,
        bundles: bool,
    ) -> None:
        self._reader, self._writer, self._patience = reader, writer, patience
        #: Whether the switch takes bundles (extension 230). It turns out at the first one.
        self.bundles = bundles
        self._xids = itertools.count(1)
        self._bundle_ids = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._errors: dict[int, str] = {}
        self._watched: Container[int] = ()
        self._lost: str | None = None

    async def greet(self) -> int:
        """Agrees on OpenFlow 1.3. Returns the datapath id."""
        elements = [parser.OFPHelloElemVersionBitmap([ofp.OFP_VERSION])]
        self._send(parser.OFPHello(wire.DATAPATH, elements))
        version, kind, length, xid, data = await asyncio.wait_for(self._next(), self._patience)
        if kind != ofp.OFPT_HELLO:
            raise SwitchFailed("the switch did not greet")
        if not _speaks_1_3(version, data):
            raise SwitchFailed("the switch does not speak OpenFlow 1.3")
        self._send(parser.OFPFeaturesRequest(wire.DATAPATH))
        while True:
            version, kind, length, xid, data = await asyncio.wait_for(self._next(), self._patience)
            if kind == ofp.OFPT_FEATURES_REPLY:
                features = wire.decode(version, kind, length, xid, data)
                if features is None:
                    raise SwitchFailed("the switch sent features that cannot be read")
                return int(features.datapath_id)
            self._take(version, kind, length, xid, data)

    async def run(self) -> None:
        """Takes in messages until the connection is lost. Asks for an echo when it is silent."""
        reason = "the connection was closed"
        silent = False
        pending = asyncio.ensure_future(self._next())
        try:
            while True:
                done, _ = await asyncio.wait([pending], timeout=self._patience)
                if not done:
                    if silent:
                        reason = f"the switch was silent for {2 * self._patience:g} s"
                        break
                    silent = True
                    self._send(parser.OFPEchoRequest(wire.DATAPATH, b""))
                    continue
                silent = False
                self._take(*pending.result())
                pending = asyncio.ensure_future(self._next())
        except (OSError, asyncio.IncompleteReadError):
            pass
        except SwitchFailed as error:
            reason = str(error)
        finally:
            pending.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await pending
            self.close(reason)

    def close(self, reason: str) -> None:
        """Ends the connection. Everybody who waits for a reply is told why."""
        if self._lost is None:
            self._lost = reason
            for waiting in self._waiting.values():
                if not waiting.done.done():
                    waiting.done.set_exception(SwitchFailed(reason))
                    # The waiting task may have been cancelled.
                    waiting.done.exception()
            self._writer.close()

    async def _next(self) -> tuple[int, int, int, int, bytes]:
        head = await self._reader.readexactly(_HEADER)
        version, kind = head[0], head[1]
        length, xid = int.from_bytes(head[2:4], "big"), int.from_bytes(head[4:8], "big")
        if length < _HEADER:
            raise SwitchFailed("the switch sent a message without a length")
        return version, kind, length, xid, head + await self._reader.readexactly(length - _HEADER)

    def _take(self, version: int, kind: int, length: int, xid: int, data: bytes) -> None:
        if version != ofp.OFP_VERSION:
            raise SwitchFailed(f"the switch sent a message of version {version}")
        if kind in (ofp.OFPT_PACKET_IN, ofp.OFPT_PORT_STATUS, ofp.OFPT_HELLO):
            return
        if kind == ofp.OFPT_MULTIPART_REPLY and length >= 16:
            more = int.from_bytes(data[10:12], "big") & ofp.OFPMPF_REPLY_MORE
            self._reply(xid, data, bool(more))
            return
        message = wire.decode(version, kind, length, xid, data)
        if message is None:
            raise SwitchFailed(f"the switch sent a message of type {kind} that cannot be read")
        if kind == ofp.OFPT_ECHO_REQUEST:
            reply = parser.OFPEchoReply(wire.DATAPATH, message.data)
            self._write(wire.encode(reply, xid))
        elif kind == ofp.OFPT_ERROR:
            text = f"error {message.type}, code {message.code}"
            waiting = self._waiting.get(xid)
            if waiting is not None and not waiting.done.done():
                waiting.done.set_exception(_Refused(text))
            elif xid in self._watched:
                self._errors.setdefault(xid, text)
        else:
            self._reply(xid, message, False)

    def _reply(self, xid: int, part: Any, more: bool) -> None:
        waiting = self._waiting.get(xid)
        if waiting is None or waiting.done.done():
            return
        waiting.parts.append(part)
        if len(waiting.parts) > _MOST_PARTS:
            raise SwitchFailed("the switch answered without end")
        if not more:
            waiting.done.set_result(None)

    def _number(self) -> int:
        return next(self._xids) & 0xFFFFFFFF

    def _send(self, message: Any) -> int:
        number = self._number()
        self._write(wire.encode(message, number))
        return number

    def _write(self, data: bytes) -> None:
        if self._lost is not None:
            raise SwitchFailed(self._lost)
        self._writer.write(data)

    async def _ask(self, message: Any) -> list[Any]:
        xid = self._send(message)
        waiting = self._waiting[xid] = _Waiting()
        try:
            await asyncio.wait_for(waiting.done, self._patience)
        except asyncio.TimeoutError:
            reason = f"the switch did not answer within {self._patience:g} s"
            self.close(reason)
            raise SwitchFailed(reason) from None
        finally:
            del self._waiting[xid]
        return waiting.parts

    async def install(self, steps: list[Step]) -> None:
        """Sends changes and waits until the switch has carried them out.

        In one bundle, so that packets see all of them or none. A switch without bundles gets one
        step after the other, with barriers between them.
        """
        batches = [wire.step_messages(step) for step in steps]
        everything = [message for batch in batches for message in batch]
        if not (self.bundles and everything and await self._bundle(everything)):
            await self.send(batches)

    async def send(self, batches: Iterable[list[bytes]]) -> None:
        """Sends messages with a barrier after each batch."""
        for batch in batches:
            self._errors = {}
            sent = [self._number() for _ in batch]
            self._watched = set(sent)
            for message, number in zip(batch, sent, strict=True):
                self._write(wire.numbered(message, number))
            await self._ask(parser.OFPBarrierRequest(wire.DATAPATH))
            self._watched = ()
            if self._errors:
                first = next(iter(self._errors.values()))
                raise SwitchFailed(f"the switch refused a change: {first}")

    async def _bundle(self, messages: list[bytes]) -> bool:
        number = next(self._bundle_ids)
        try:
            await self._ask(self._control(number, ofp.ONF_BCT_OPEN_REQUEST))
        except _Refused:
            LOG.info("a switch takes no bundles: changes go to it step by step")
            self.bundles = False
            return False
        self._errors = {}
        sent = [self._number() for _ in messages]
        self._watched = set(sent)
        for message, one in zip(messages, sent, strict=True):
            self._write(wire.bundled(message, number, _BUNDLE_FLAGS, one))
        try:
            await self._ask(self._control(number, ofp.ONF_BCT_COMMIT_REQUEST))
        except _Refused as error:
            first = next(iter(self._errors.values()), str(error))
            raise SwitchFailed(f"the switch refused a change: {first}") from None
        finally:
            self._watched = ()
        await self._ask(parser.OFPBarrierRequest(wire.DATAPATH))
        return True

    def _control(self, number: int, kind: int) -> Any:
        return parser.ONFBundleCtrlMsg(wire.DATAPATH, number, kind, _BUNDLE_FLAGS, [])

    async def read(self) -> tuple[Tables, list[str]]:
        """All flows and groups, and entries that the controller never writes."""
        found, foreign = Tables(), list[str]()
        await self._read_flows(wire.flows_request(), found, foreign)
        await self._read_groups(None, found, foreign)
        return found, foreign

    async def read_members(self, to: Address, numbers: Container[int]) -> tuple[Tables, list[str]]:
        """The flows of the second stage to an address, and the groups with these numbers."""
        found, foreign = Tables(), list[str]()
        await self._read_flows(wire.flows_request(2, to), found, foreign)
        await self._read_groups(numbers, found, foreign)
        return found, foreign

    async def _read_flows(self, request: Any, found: Tables, foreign: list[str]) -> None:
        bodies = [data[16:] for data in await self._ask(request)]
        try:
            wire.read_flows(bodies, found, foreign)
        except Exception as error:
            # os-ken raises what it comes across: the bytes come from outside.
            raise SwitchFailed("the switch sent flows that cannot be read") from error

    async def _read_groups(
        self, only: Container[int] | None, found: Tables, foreign: list[str]
    ) -> None:
        bodies = [data[16:] for data in await self._ask(wire.groups_request())]
        try:
            wire.read_groups(bodies, only, found, foreign)
        except Exception as error:
            # os-ken raises what it comes across: the bytes come from outside.
            raise SwitchFailed("the switch sent groups that cannot be read") from error


class _Refused(SwitchFailed):
    """The switch answered a request with an error."""


def _speaks_1_3(version: int, data: bytes) -> bool:
    hello = wire.decode(ofp.OFP_VERSION, ofp.OFPT_HELLO, len(data), 0, data)
    for element in hello.elements if hello else ():
        if element.type == ofp.OFPHET_VERSIONBITMAP:
            return bool(ofp.OFP_VERSION in element.versions)
    return bool(version >= ofp.OFP_VERSION)
