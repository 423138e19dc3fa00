"""One ToR: what its switch must have, what it has, and how it gets there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from lightloom.controller import wire
from lightloom.controller.connection import Connection
from lightloom.controller.entries import Address, Step, Tables, differences, stamp_text, steps
from lightloom.controller.errors import SwitchFailed

LOG = logging.getLogger("lightloom.controller")

#: The tables that a switch must have, and those that it may still have while a phase is installed.
Wanted = Callable[[int], tuple[Tables, "Tables | None"]]
_SHOWN = 5


class Switch:
    """A ToR and its switch, which keeps its tables while the controller is down.

    So it goes on relaying (shufflecast:III-C2.relays).
    """

    def __init__(self, tor: int, datapath_id: int, wanted: Wanted) -> None:
        self.tor, self.datapath_id = tor, datapath_id
        self._wanted = wanted
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()
        #: What the switch has, by the last read-back. None: not known.
        self.tables: Tables | None = None
        #: Grows whenever the switch may have lost what it was told.
        self.epoch = 0
        self.problem: str | None = None
        #: What the last reading of all tables found: ``equal``, ``empty`` or ``drift``.
        self.found: str | None = None
        self.drift: list[str] = []
        self.drifts = 0
        self.read_at: float | None = None

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection."""
        return self._connection is not None

    @property
    def is_ready(self) -> bool:
        """Whether the switch is known to have what it was told."""
        return self._connection is not None and self.tables is not None

    def detach(self, connection: Connection, reason: str) -> None:
        """Notes that a connection is lost."""
        if self._connection is connection:
            self._connection, self.tables = None, None
            self.epoch += 1
            if self.problem is None:
                self.problem = reason
                LOG.info("ToR %d: %s", self.tor, reason)

    def disconnect(self, reason: str) -> None:
        """Ends the connection, so that the switch comes back and is read."""
        if self._connection is not None:
            self._connection.close(reason)

    async def attach(self, connection: Connection) -> None:
        """Takes the connection of the switch, reads its tables, and mends them."""
        if self._connection is not None:
            self._connection.close("the switch connected again")
        self._connection, self.tables, self.problem = connection, None, None
        self.epoch += 1
        async with self._lock:
            await self._guarded(connection, self._settle)

    async def check(self) -> None:
        """Reads all tables, and mends them if they are not as they must be."""
        async with self._lock:
            connection = self._ready_connection()
            await self._guarded(connection, self._settle)

    async def _guarded(
        self, connection: Connection, work: Callable[[Connection], Awaitable[None]]
    ) -> None:
        """Does work. If it fails the connection ends, so that the switch comes back and is read."""
        try:
            await work(connection)
        except Exception as error:
            LOG.warning("ToR %d: %s", self.tor, error, exc_info=not isinstance(error, SwitchFailed))
            if self._connection is connection:
                self.problem, self.tables = str(error), None
                self.epoch += 1
            connection.close(str(error))
            raise SwitchFailed(f"ToR {self.tor}: {error}") from None

    async def _settle(self, connection: Connection) -> None:
        found, foreign = await connection.read(*self._expected())
        while True:
            wanted, before = self._wanted(self.tor)
            drift = differences(wanted, found) + foreign
            self.read_at = time.time()
            if not drift:
                self.found, self.drift = "equal", []
            else:
                self.tables = None
                self.epoch += 1
                if before is not None and not differences(before, found) and not foreign:
                    # The switch is where a phase of a rollout begins.
                    self.found, self.drift = "equal", []
                    await connection.install(steps(found, wanted))
                else:
                    is_empty = not found.flows and not found.groups and not foreign
                    self.found = "empty" if is_empty else "drift"
                    self.drift = [] if is_empty else drift
                    self.drifts += not is_empty
                    if not is_empty:
                        LOG.warning("ToR %d: drift: %s", self.tor, "; ".join(drift[:_SHOWN]))
                    await self._replace(connection, wanted)
                found = await self._read_back(connection, wanted)
                foreign = []
            if self._wanted(self.tor)[0] == wanted:
                self.tables, self.problem = found, None
                return

    def _expected(self) -> list[Tables]:
        wanted, before = self._wanted(self.tor)
        return [wanted] if before is None else [wanted, before]

    async def _read_back(self, connection: Connection, wanted: Tables) -> Tables:
        """All tables, which are those that the switch was told."""
        found, foreign = await connection.read(wanted)
        wrong = differences(wanted, found) + foreign
        if wrong:
            raise SwitchFailed(f"the switch has not what it was told: {wrong[0]}")
        return found

    async def _replace(self, connection: Connection, wanted: Tables) -> None:
        """Closes the gate, replaces all tables, reads them back, and opens the gate."""
        await connection.send([wire.close_messages(), wire.clear_messages()])
        closed = wanted.closed()
        await connection.install(steps(Tables(), closed))
        await self._read_back(connection, closed)
        if wanted.gate is not None:
            await connection.install([Step(add_flows=(wanted.gate,))])

    async def bring(self, wanted: Tables) -> None:
        """Changes all tables to the wanted ones, and reads them back."""
        async with self._lock:
            connection = self._ready_connection()

            async def work(connection: Connection) -> None:
                assert self.tables is not None
                await connection.install(steps(self.tables, wanted))
                self.tables = await self._read_back(connection, wanted)

            await self._guarded(connection, work)

    async def exchange(self, to: Address, old: Tables, new: Tables) -> None:
        """Replaces the entries of one group of servers, and reads them back.

        If the switch refuses, it still has the old ones, or the connection ends.
        """
        async with self._lock:
            connection = self._ready_connection()

            async def work(connection: Connection) -> None:
                assert self.tables is not None
                await connection.install(steps(old, new))
                numbers = old.groups.keys() | new.groups.keys()
                found, foreign = await connection.read_members(to, numbers, new)
                wrong = differences(new, found) + foreign
                if wrong:
                    raise SwitchFailed(f"the switch has not what it was told: {wrong[0]}")
                self.tables.remove(old)
                self.tables.add(new)

            await self._guarded(connection, work)

    def _ready_connection(self) -> Connection:
        if self._connection is None or self.tables is None:
            raise SwitchFailed(f"ToR {self.tor}: {self.problem or 'the switch is not connected'}")
        return self._connection

    def status(self, wanted: int | None) -> dict[str, object]:
        """What the API says about the switch. ``wanted`` is the stamp that it must have."""
        tables = self.tables
        return {
            "tor": self.tor,
            "datapath_id": f"{self.datapath_id:016x}",
            "connected": self.is_connected,
            "ready": self.is_ready,
            "stamp": stamp_text(tables.stamp if tables is not None else None),
            "wanted_stamp": stamp_text(wanted),
            "flows": None if tables is None else len(tables.flows),
            "groups": None if tables is None else len(tables.groups),
            "last_read": None
            if self.read_at is None
            else {
                "seconds_ago": round(time.time() - self.read_at, 3),
                "found": self.found,
                "differences": len(self.drift),
                "first": self.drift[:_SHOWN],
            },
            "drifts": self.drifts,
            "problem": self.problem,
        }
