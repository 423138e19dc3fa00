"""The connection of one switch: requests, replies, barriers, bundles. It decides nothing.

The bytes of messages are os-ken's work. The connection is not: os-ken's own runs applications in
green threads. Here one loop of ``asyncio`` owns all connections, so that no state is shared
between threads.

Anybody may be at the other end. What a peer can make the controller hold is bounded in bytes, and
what it can make it wait for is bounded in time.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import logging
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from os_ken.ofproto import ofproto_v1_3 as ofp
from os_ken.ofproto import ofproto_v1_3_parser as parser

from lightloom.controller import frames, wire
from lightloom.controller.entries import Address, Step, Tables
from lightloom.controller.errors import SwitchFailed
from lightloom.controller.frames import Malformed
from lightloom.controller.reading import Reading

LOG = logging.getLogger("lightloom.controller")

#: Bytes that wait for a switch before more are written.
_FULL = 64 << 10
#: Bytes that wait for a switch when it is given up: it asks for echoes and reads none.
_TOO_FULL = 256 << 10
#: Messages of a switch before its features.
_MOST_BEFORE = 1000
#: The longest time of an answer whose parts keep coming, as a multiple of the patience.
_LONGEST = 3
_BUNDLE_FLAGS = ofp.ONF_BF_ATOMIC | ofp.ONF_BF_ORDERED

#: Takes in the body of a multipart reply. It yields where others may get their turn.
Take = Callable[[bytes], Iterator[None]]


class _Waiting:
    """A request that waits for its replies."""

    def __init__(self, kind: int, detail: int | None, take: Take | None) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        #: Type of the reply, and that of a multipart reply or of an answer about a bundle.
        self.kind, self.detail = kind, detail
        self.take = take
        self.parts = 0


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
        try:
            return await asyncio.wait_for(self._greet(), self._patience)
        except asyncio.TimeoutError:
            raise SwitchFailed(f"it did not greet within {self._patience:g} s") from None
        except (OSError, asyncio.IncompleteReadError):
            raise SwitchFailed(self._lost or "it hung up before it had greeted") from None

    async def _greet(self) -> int:
        elements = [parser.OFPHelloElemVersionBitmap([ofp.OFP_VERSION])]
        self._send(parser.OFPHello(wire.DATAPATH, elements))
        hello = await self._next()
        if hello[1] != frames.HELLO:
            raise Malformed("the switch did not greet")
        if not frames.speaks_1_3(hello[0], hello):
            raise SwitchFailed("the switch does not speak OpenFlow 1.3")
        self._send(parser.OFPFeaturesRequest(wire.DATAPATH))
        for _ in range(_MOST_BEFORE):
            message = await self._next()
            frames.check(message[0], message[1], len(message))
            if message[1] == frames.FEATURES_REPLY:
                return frames.datapath_id(message)
            await self._take(message)
            # What has arrived is read without waiting. Others get their turn here.
            await asyncio.sleep(0)
        raise Malformed("the switch sent no features")

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
                await self._take(pending.result())
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

    @property
    def lost(self) -> str | None:
        """Why the connection was lost. None: it was not."""
        return self._lost

    def close(self, reason: str) -> None:
        """Ends the connection. Everybody who waits for a reply is told why."""
        if self._lost is None:
            self._lost = reason
            for waiting in self._waiting.values():
                if not waiting.done.done():
                    waiting.done.set_exception(SwitchFailed(reason))
                    # The waiting task may have been cancelled.
                    waiting.done.exception()
            # What is still to be written is not waited for: the switch may never read it.
            self._writer.transport.abort()

    async def _next(self) -> bytes:
        head = await self._reader.readexactly(frames.HEADER)
        length = int.from_bytes(head[2:4], "big")
        if length < frames.HEADER:
            raise Malformed(f"the switch sent a message of length {length}")
        return head + await self._reader.readexactly(length - frames.HEADER)

    async def _take(self, message: bytes) -> None:
        kind, xid = message[1], int.from_bytes(message[4:8], "big")
        frames.check(message[0], kind, len(message))
        if kind == frames.ECHO_REQUEST:
            if self._writer.transport.get_write_buffer_size() > _TOO_FULL:
                raise SwitchFailed("the switch does not read the answers to its echoes")
            reply = parser.OFPEchoReply(wire.DATAPATH, message[frames.HEADER :])
            self._write(wire.encode(reply, xid))
        elif kind == frames.ERROR:
            text = frames.error_text(message)
            waiting = self._waiting.get(xid)
            if waiting is not None and not waiting.done.done():
                waiting.done.set_exception(_Refused(text))
            elif xid in self._watched:
                self._errors.setdefault(xid, text)
        elif kind not in frames.IGNORED:
            await self._reply(xid, message)

    async def _reply(self, xid: int, message: bytes) -> None:
        waiting = self._waiting.get(xid)
        if waiting is None or waiting.done.done():
            return
        kind, more = message[1], False
        detail: int | None = None
        if kind == frames.EXPERIMENTER:
            detail = frames.bundle_reply(message)
        elif kind == frames.MULTIPART_REPLY:
            detail, more = frames.multipart(message)
        if (kind, detail) != (waiting.kind, waiting.detail):
            raise Malformed(f"the switch sent a message of type {kind} as another one's answer")
        waiting.parts += 1
        if waiting.take is not None:
            try:
                for _ in waiting.take(message[frames.MULTIPART_HEAD :]):
                    await asyncio.sleep(0)
            except SwitchFailed:
                raise
            except Exception as error:
                # os-ken raises what it comes across: the bytes come from outside.
                raise Malformed("the switch sent entries that cannot be read") from error
        if not more and not waiting.done.done():
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

    async def _room(self) -> None:
        """Waits until the switch has read most of what was written."""
        if self._writer.transport.get_write_buffer_size() <= _FULL:
            return
        try:
            await asyncio.wait_for(self._writer.drain(), self._patience)
        except asyncio.TimeoutError:
            reason = f"the switch read nothing for {self._patience:g} s"
            self.close(reason)
            raise SwitchFailed(reason) from None
        except OSError:
            raise SwitchFailed(self._lost or "the connection was lost") from None

    async def _ask(
        self, message: Any, kind: int, detail: int | None = None, take: Take | None = None
    ) -> None:
        xid = self._send(message)
        waiting = self._waiting[xid] = _Waiting(kind, detail, take)
        loop = asyncio.get_running_loop()
        ends = loop.time() + _LONGEST * self._patience
        try:
            parts = -1
            while not waiting.done.done():
                if waiting.parts == parts or loop.time() >= ends:
                    reason = f"the switch did not answer within {self._patience:g} s"
                    self.close(reason)
                    raise SwitchFailed(reason)
                parts = waiting.parts
                await asyncio.wait([waiting.done], timeout=self._patience)
            waiting.done.result()
        finally:
            waiting.done.cancel()
            del self._waiting[xid]

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
            await self._write_all(batch, wire.numbered)
            await self._barrier()
            self._watched = ()
            if self._errors:
                first = next(iter(self._errors.values()))
                raise SwitchFailed(f"the switch refused a change: {first}")

    async def _write_all(
        self, messages: list[bytes], numbered: Callable[[bytes, int], bytes]
    ) -> None:
        """Writes messages, each with a number of its own. Errors about them are kept."""
        self._errors = {}
        sent = [self._number() for _ in messages]
        self._watched = set(sent)
        for message, number in zip(messages, sent, strict=True):
            self._write(numbered(message, number))
            await self._room()

    async def _bundle(self, messages: list[bytes]) -> bool:
        number = next(self._bundle_ids)
        try:
            await self._bundle_control(number, ofp.ONF_BCT_OPEN_REQUEST)
        except _Refused:
            LOG.info("a switch takes no bundles: changes go to it step by step")
            self.bundles = False
            return False
        await self._write_all(
            messages, functools.partial(wire.bundled, bundle=number, flags=_BUNDLE_FLAGS)
        )
        try:
            await self._bundle_control(number, ofp.ONF_BCT_COMMIT_REQUEST)
        except _Refused as error:
            first = next(iter(self._errors.values()), str(error))
            raise SwitchFailed(f"the switch refused a change: {first}") from None
        finally:
            self._watched = ()
        await self._barrier()
        return True

    async def _barrier(self) -> None:
        await self._ask(parser.OFPBarrierRequest(wire.DATAPATH), frames.BARRIER_REPLY)

    async def _bundle_control(self, number: int, kind: int) -> None:
        message = parser.ONFBundleCtrlMsg(wire.DATAPATH, number, kind, _BUNDLE_FLAGS, [])
        # The answer to each request has the number after it.
        await self._ask(message, frames.EXPERIMENTER, kind + 1)

    async def read(self, *known: Tables) -> tuple[Tables, list[str]]:
        """All flows and groups, and entries that the controller never writes.

        ``known`` are tables that the switch may have. Not many more entries than theirs are kept.
        """
        return await self._read(Reading(*known))

    async def read_members(
        self, to: Address, numbers: Container[int], *known: Tables
    ) -> tuple[Tables, list[str]]:
        """The flows of the second stage to an address, and the groups with these numbers."""
        return await self._read(Reading(*known), to, numbers)

    async def _read(
        self, reading: Reading, to: Address | None = None, numbers: Container[int] | None = None
    ) -> tuple[Tables, list[str]]:
        flows, groups = wire.flows_request(to), wire.groups_request()
        await self._ask(flows, frames.MULTIPART_REPLY, ofp.OFPMP_FLOW, reading.flows)
        reading.begin()
        take = functools.partial(reading.groups, only=numbers)
        await self._ask(groups, frames.MULTIPART_REPLY, ofp.OFPMP_GROUP_DESC, take)
        return reading.result()


class _Refused(SwitchFailed):
    """The switch answered a request with an error."""
