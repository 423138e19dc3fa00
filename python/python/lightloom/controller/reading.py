"""The answer of a switch about its flows or groups, taken in part by part.

A switch that lies may answer with millions of entries. So each part is read in slices, and of
entries that the switch should not have only the first ones are kept. Pure: no file, no network.
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
#: Entries that a switch should not have and that are kept. More are counted.
_MOST_STRANGE = 200


class Reading:
    """What a switch has. ``known`` is what it may have."""

    def __init__(self, *known: Tables) -> None:
        self.found = Tables()
        #: Entries that the controller never writes, as texts.
        self.foreign: list[str] = []
        self._known = known
        self._strange = 0
        self._bytes = self._parts = 0

    def begin(self) -> None:
        """Another answer follows."""
        self._bytes = self._parts = 0

    def result(self) -> tuple[Tables, list[str]]:
        """All flows and groups, and texts of entries that the controller never writes."""
        more = self._strange - _MOST_STRANGE
        return self.found, self.foreign + ([f"{more} more foreign entries"] if more > 0 else [])

    def flows(self, body: bytes) -> Iterator[None]:
        """Takes in flows. Yields where others may get their turn."""
        for number, data in self._entries(frames.flows(body), len(body)):
            if self._has_enough():
                self._strange += 1
            else:
                self._flow(data)
            if number % _SLICE == 0:
                yield

    def groups(self, body: bytes, only: Container[int] | None) -> Iterator[None]:
        """Takes in groups: all, or those with these numbers. Others are only measured."""
        for number, data in self._entries(frames.groups(body), len(body)):
            name = int.from_bytes(data[4:8], "big")
            if only is not None and name not in only:
                pass
            elif self._has_enough():
                self._strange += 1
            else:
                self._group(name, data)
            if number % _SLICE == 0:
                yield

    def _entries(self, entries: Iterator[bytes], length: int) -> Iterator[tuple[int, bytes]]:
        self._bytes += length
        self._parts += 1
        if self._bytes > MOST_BYTES:
            raise frames.Malformed(f"the switch answered with more than {MOST_BYTES >> 20} MiB")
        if self._parts > _MOST_PARTS:
            raise frames.Malformed("the switch answered without end")
        return enumerate(entries, 1)

    def _has_enough(self) -> bool:
        """Whether more entries change nothing: the switch has much that it should not have."""
        return self._strange >= _MOST_STRANGE

    def _flow(self, data: bytes) -> None:
        try:
            flow = wire.read_flow(data)
        except Unknown as error:
            self._strange += 1
            priority = int.from_bytes(data[12:14], "big")
            self.foreign.append(f"foreign flow table={data[2]},priority={priority}: {error}")
        else:
            self._strange += all(known.flows.get(flow.key) != flow for known in self._known)
            self.found.flows[flow.key] = flow

    def _group(self, number: int, data: bytes) -> None:
        try:
            group = wire.read_group(data)
        except Unknown as error:
            self._strange += 1
            self.foreign.append(f"foreign group {number}: {error}")
        else:
            self._strange += all(known.groups.get(number) != group for known in self._known)
            self.found.groups[number] = group
