"""The answer of a switch about its flows or groups, taken in part by part.

A switch that lies may answer with millions of entries. So each part is read in slices, and not many
more entries are kept than the switch may have. Pure: no file, no network.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from lightloom.controller import frames, wire
from lightloom.controller.entries import Tables
from lightloom.controller.frames import Unknown

#: Bytes of one answer, at most. A switch with more is cut off.
MOST_BYTES = 64 << 20
#: Messages of one answer, at most: empty ones have no bytes to count.
_MOST_PARTS = 20_000
#: Entries until others get their turn.
_SLICE = 64
#: Entries that are kept beyond the number that a switch may have. More are counted.
_MOST_MORE = 200


class Reading:
    """What a switch has. ``known`` are tables that it may have."""

    def __init__(self, *known: Tables) -> None:
        self.found = Tables()
        #: Entries that the controller never writes, as texts.
        self.foreign: list[str] = []
        self._most = _MOST_MORE + sum(len(one.flows) + len(one.groups) for one in known)
        self._more = 0
        self._bytes = self._parts = 0

    def begin(self) -> None:
        """Begins another answer."""
        self._bytes = self._parts = 0

    def result(self) -> tuple[Tables, list[str]]:
        """All flows and groups, and texts of entries that the controller never writes."""
        more = [f"{self._more} more entries than it may have"] if self._more else []
        return self.found, self.foreign + more

    def flows(self, body: bytes) -> Iterator[None]:
        """Takes in flows. Yields where others may get their turn."""
        self._count(body)
        for number, (at, end) in enumerate(frames.flows(body), 1):
            if self._has_enough():
                self._more += 1
            else:
                self._flow(body[at:end])
            if number % _SLICE == 0:
                yield

    def groups(self, body: bytes, only: Container[int] | None) -> Iterator[None]:
        """Takes in groups: all, or those with these numbers. Others are only measured."""
        self._count(body)
        for number, (at, end) in enumerate(frames.groups(body), 1):
            name = int.from_bytes(body[at + 4 : at + 8], "big")
            if only is None or name in only:
                if self._has_enough():
                    self._more += 1
                else:
                    self._group(name, body[at:end])
            if number % _SLICE == 0:
                yield

    def _count(self, body: bytes) -> None:
        self._bytes += len(body)
        self._parts += 1
        if self._bytes > MOST_BYTES:
            raise frames.Malformed(f"the switch answered with more than {MOST_BYTES >> 20} MiB")
        if self._parts > _MOST_PARTS:
            raise frames.Malformed("the switch answered without end")

    def _has_enough(self) -> bool:
        """Whether more entries change nothing: the switch has some that it should not have."""
        found = self.found
        return len(found.flows) + len(found.groups) + len(self.foreign) >= self._most

    def _flow(self, data: bytes) -> None:
        try:
            flow = wire.read_flow(data)
        except Unknown as error:
            priority = int.from_bytes(data[12:14], "big")
            self.foreign.append(f"foreign flow table={data[2]},priority={priority}: {error}")
        else:
            self.found.flows[flow.key] = flow

    def _group(self, number: int, data: bytes) -> None:
        try:
            group = wire.read_group(data)
        except Unknown as error:
            self.foreign.append(f"foreign group {number}: {error}")
        else:
            self.found.groups[number] = group
