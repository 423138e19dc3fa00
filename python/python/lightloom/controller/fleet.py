"""All switches: their connections, and the tasks that keep them as they must be."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from pathlib import Path

from lightloom.controller.connection import Connection
from lightloom.controller.errors import BadFile, NotFound, SwitchFailed
from lightloom.controller.folder import read_rows
from lightloom.controller.switch import Switch, Wanted

LOG = logging.getLogger("lightloom.controller")

_MOST_STRANGERS = 32
#: Connections that have not told their datapath id. The oldest gives way to a new one, because
#: strangers that tell nothing come back.
_MOST_SILENT = 32
_LARGEST_ID = (1 << 64) - 1


def read_switches(path: Path | None, tors: int) -> list[int]:
    """The datapath id of each ToR's switch: from a file, or ToR + 1.

    The file has the columns ``tor`` and ``datapath_id``, and one row for each ToR. Ids are
    hexadecimal, as ``ovs-vsctl get bridge NAME datapath_id`` prints them.
    """
    if path is None:
        return [tor + 1 for tor in range(tors)]
    rows = read_rows(path)
    if not rows or rows[0] != ["tor", "datapath_id"]:
        raise BadFile(f"{path.name}: expected the columns tor, datapath_id")
    found: dict[int, int] = {}
    for at, row in enumerate(rows[1:], 2):
        where = f"{path.name}, row {at}"
        try:
            tor, number = int(row[0]), int(row[1], 16)
        except (IndexError, ValueError):
            raise BadFile(f"{where}: expected a ToR and a hexadecimal datapath id") from None
        if len(row) != 2 or not 0 <= tor < tors or not 0 < number <= _LARGEST_ID:
            raise BadFile(f"{where}: expected a ToR from 0 to {tors - 1} and an id of 64 bits")
        if tor in found or number in found.values():
            raise BadFile(f"{where}: ToR {tor} or its datapath id a second time")
        found[tor] = number
    missing = next((tor for tor in range(tors) if tor not in found), None)
    if missing is not None:
        raise BadFile(f"{path.name}: ToR {missing} has no row")
    return [found[tor] for tor in range(tors)]


class Fleet:
    """The switches of all ToRs."""

    def __init__(
        self, ids: list[int], wanted: Wanted, *, patience: float = 10.0, bundles: bool = True
    ) -> None:
        self.switches = [Switch(tor, number, wanted) for tor, number in enumerate(ids)]
        self._by_id = {switch.datapath_id: switch for switch in self.switches}
        self._patience, self._bundles = patience, bundles
        #: Datapath ids that connected and belong to no ToR, the latest last.
        self.strangers: list[int] = []
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        #: Connections that have not told their datapath id, the oldest first.
        self._silent: list[Connection] = []

    async def listen(self, host: str, port: int) -> tuple[str, int]:
        """Waits for switches. Returns the address that it listens at."""
        self._server = await asyncio.start_server(self._connected, host, port)
        name = self._server.sockets[0].getsockname()
        return str(name[0]), int(name[1])

    async def stop(self) -> None:
        """Ends all connections. The switches keep their tables."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def switch(self, tor: str) -> Switch:
        """The switch of a ToR by its number."""
        if tor.isascii() and tor.isdecimal() and len(tor) < 10 and int(tor) < len(self.switches):
            return self.switches[int(tor)]
        raise NotFound(f"there is no ToR {tor[:20]!r}")

    def not_ready(self, tors: Iterable[int]) -> list[int]:
        """The ToRs among these whose switches are not known to have what they were told."""
        return [tor for tor in tors if not self.switches[tor].is_ready]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        connection = Connection(reader, writer, patience=self._patience, bundles=self._bundles)
        try:
            await self._serve(connection)
        except SwitchFailed as error:
            LOG.info("a connection of %s was refused: %s", _peer(writer), error)
        except asyncio.CancelledError:
            # The controller stops, and no task awaits this one.
            pass
        except Exception:
            LOG.exception("a connection of %s failed", _peer(writer))
        finally:
            connection.close("the connection was closed")
            self._tasks.discard(task)

    async def _greet(self, connection: Connection) -> int:
        self._silent.append(connection)
        if len(self._silent) > _MOST_SILENT:
            self._silent.pop(0).close("it gave way to a newer one before it had greeted")
        try:
            return await connection.greet()
        finally:
            if connection in self._silent:
                self._silent.remove(connection)

    async def _serve(self, connection: Connection) -> None:
        number = await self._greet(connection)
        switch = self._by_id.get(number)
        if switch is None:
            self.strangers = [one for one in self.strangers if one != number][
                -_MOST_STRANGERS + 1 :
            ]
            self.strangers.append(number)
            raise SwitchFailed(f"datapath id {number:016x} is that of no ToR")
        running = asyncio.ensure_future(connection.run())
        try:
            try:
                await switch.attach(connection)
            except SwitchFailed:
                # The switch has said so, and has ended the connection.
                return
            await running
        finally:
            connection.close("the connection was closed")
            switch.detach(connection, connection.lost or "the connection was lost")
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


def _peer(writer: asyncio.StreamWriter) -> str:
    name = writer.get_extra_info("peername")
    return f"{name[0]} port {name[1]}" if name else "a peer that is gone"
