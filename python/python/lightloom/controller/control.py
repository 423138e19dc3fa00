"""Changes of members, and what each switch must have."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from lightloom.controller.entries import Tables
from lightloom.controller.errors import (
    BadFile,
    Conflict,
    ControllerError,
    NotFound,
    StateFailed,
    SwitchFailed,
)
from lightloom.controller.fleet import Fleet
from lightloom.controller.folder import Folder, plan_stamp
from lightloom.controller.members import Members, ServerGroup, entries
from lightloom.controller.rollout import Change
from lightloom.controller.store import Store

LOG = logging.getLogger("lightloom.controller")


class Control:
    """What the switches must have, and the changes of it. All changes go one after the other.

    An application asks for its group, and the answer comes when all ToRs have its rules
    (shufflecast:III-B2.request).
    """

    def __init__(self, folder: Folder, store: Store) -> None:
        self.store = store
        self.base = store.base()
        self.members = Members(folder.members.servers, folder.members.addresses, store.groups())
        for group in self.members.groups.values():
            if not folder.members.addresses.all.covers(group.address.value):
                raise BadFile(
                    f"the state file: group {group.name!r} has the address {group.address}; "
                    f"the groups have {folder.members.addresses.all}"
                )
            for name in group.members - folder.members.servers.keys():
                raise ControllerError(
                    f"group {group.name!r} has the member {name!r}, "
                    "but the configurations have no such server"
                )
        #: What the phase that is being installed changes.
        self.pending: dict[int, Change] = {}
        self.lock = asyncio.Lock()
        self.fleet: Fleet

    @property
    def stamp(self) -> int | None:
        """The stamp of the plan. None: a gate is closed."""
        return plan_stamp(tables.stamp for tables in self.base)

    def wanted(self, tor: int) -> tuple[Tables, Tables | None]:
        """What a switch must have, and what it may have while a phase is installed."""
        change = self.pending.get(tor)
        return self._full(tor, self.base[tor]), self._full(tor, change.before) if change else None

    def _full(self, tor: int, base: Tables) -> Tables:
        full = base.copy()
        full.add(self.members.of_tor(tor, base))
        return full

    async def create(
        self, name: str, address: str | None, members: list[str], later: bool = False
    ) -> dict[str, object]:
        """Adds a group."""
        return await self._change(
            lambda: (None, self.members.new_group(name, address, members)), later
        )

    async def delete(self, name: str, later: bool = False) -> dict[str, object]:
        """Removes a group."""
        return await self._change(lambda: (self.members.group(name), None), later)

    async def join(self, name: str, server: str, later: bool = False) -> dict[str, object]:
        """Adds a member to a group. If it is one already, its switch must still be ready."""

        def change() -> tuple[ServerGroup, ServerGroup]:
            group = self.members.group(name)
            return group, self.members.joined(group, server)

        return await self._change(change, later, server)

    async def leave(self, name: str, server: str, later: bool = False) -> dict[str, object]:
        """Removes a member of a group."""

        def change() -> tuple[ServerGroup, ServerGroup]:
            group = self.members.group(name)
            if self.members.server(server).name not in group.members:
                raise NotFound(f"server {server!r} is no member of {name!r}")
            return group, self.members.left(group, server)

        return await self._change(change, later)

    async def _change(
        self,
        decide: Callable[[], tuple[ServerGroup | None, ServerGroup | None]],
        later: bool,
        server: str | None = None,
    ) -> dict[str, object]:
        start = time.monotonic()
        async with self.lock:
            old, new = decide()
            also = [self.members.server(server).tor] if server is not None else []
            tors, missing = await self._install(old, new, later, also)
        group = new or old
        assert group is not None
        return {
            "group": self.describe(group) if new else None,
            "switches": tors,
            "later": missing,
            "milliseconds": round((time.monotonic() - start) * 1e3, 3),
        }

    async def _install(
        self, old: ServerGroup | None, new: ServerGroup | None, later: bool, also: list[int]
    ) -> tuple[list[int], list[int]]:
        """Brings a group from one form to another on all switches concerned, or on none.

        ``also`` are ToRs that are asked for even if nothing changes there: an earlier change may
        have been kept for them.
        """
        before, after = self.members.ports(old), self.members.ports(new)
        either = sorted(before.keys() | after.keys())
        tors = [tor for tor in either if before.get(tor) != after.get(tor)]
        switches = self.fleet.switches
        missing = self.fleet.not_ready(sorted({*tors, *also}))
        if missing and not later:
            raise SwitchFailed(
                f"nothing was changed: not ready: ToR {', '.join(map(str, missing))}"
            )
        if any(tor in self.pending for tor in tors):
            raise Conflict("nothing was changed: a phase of a rollout is being installed there")
        present = [tor for tor in tors if tor not in missing]
        epochs = {tor: switches[tor].epoch for tor in {*tors, *missing}}
        group = old or new
        assert group is not None
        parts = {
            tor: (self._part(tor, old, before), self._part(tor, new, after)) for tor in present
        }
        results = await asyncio.gather(
            *(switches[tor].exchange(group.address, *parts[tor]) for tor in present),
            return_exceptions=True,
        )
        failed = {
            tor: result
            for tor, result in zip(present, results, strict=True)
            if isinstance(result, BaseException)
        }
        lost = [tor for tor in present if tor not in failed and switches[tor].epoch != epochs[tor]]
        if failed or lost:
            await self._undo(
                group, parts, [t for t in present if t not in failed and t not in lost]
            )
            texts = [str(result) for result in failed.values()]
            texts += [f"ToR {tor}: the switch connected again" for tor in lost]
            raise SwitchFailed(f"the change was undone: {'; '.join(texts)}")
        # From here on nothing waits, so that no switch is read in between.
        try:
            self._save(old, new)
        except StateFailed as error:
            await self._undo(group, parts, present)
            raise StateFailed(f"the change was undone: {error}") from error
        for tor in missing:
            if switches[tor].epoch != epochs[tor]:
                # It came while the others were told, and may have been read before this change.
                switches[tor].disconnect("read again after a change")
        return present, missing

    def _save(self, old: ServerGroup | None, new: ServerGroup | None) -> None:
        if new is not None:
            self.store.save_group(new)
            self.members.groups[new.name] = new
        elif old is not None:
            self.store.remove_group(old.name)
            del self.members.groups[old.name]

    def _part(self, tor: int, group: ServerGroup | None, ports: dict[int, list[int]]) -> Tables:
        if group is None or tor not in ports:
            return Tables()
        return entries(self.base[tor], group, ports[tor])

    async def _undo(
        self, group: ServerGroup, parts: dict[int, tuple[Tables, Tables]], tors: list[int]
    ) -> None:
        switches = self.fleet.switches
        results = await asyncio.gather(
            *(switches[tor].exchange(group.address, parts[tor][1], parts[tor][0]) for tor in tors),
            return_exceptions=True,
        )
        for tor, result in zip(tors, results, strict=True):
            if isinstance(result, BaseException):
                # Its connection has ended. It is read when it comes back.
                LOG.warning("ToR %d could not be led back: %s", tor, result)

    async def check(self, tor: str) -> dict[str, object]:
        """Reads the tables of a switch now, and mends them."""
        switch = self.fleet.switch(tor)
        async with self.lock:
            await switch.check()
        return self.switch(tor)

    def switch(self, tor: str) -> dict[str, object]:
        """The state of a switch as the API shows it."""
        switch = self.fleet.switch(tor)
        return switch.status(self.base[switch.tor].stamp)

    async def check_all(self, every: float) -> None:
        """Reads the tables of all switches again and again."""
        while True:
            await asyncio.sleep(every)
            for switch in self.fleet.switches:
                if switch.is_ready:
                    try:
                        await self.check(str(switch.tor))
                    except SwitchFailed as error:
                        LOG.warning("%s", error)
                    except Exception:
                        # The next reading may do better.
                        LOG.exception("ToR %d could not be read", switch.tor)

    def describe(self, group: ServerGroup) -> dict[str, object]:
        """A group as the API shows it."""
        return {
            "name": group.name,
            "address": str(group.address).removesuffix("/32"),
            "place": group.place,
            "members": sorted(group.members),
            "tors": list(self.members.ports(group)),
        }
