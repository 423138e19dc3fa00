"""Switches that exist in a test only: they keep flows and groups, and lie if they are told to.

They speak OpenFlow 1.3 by hand, so that nothing of the controller's own codec is between.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading

from controllers import Controller, make_rollout, told_folders

HELLO = bytes([4, 0, 0, 8, 0, 0, 0, 1])
#: Bytes of a part of a multipart reply, about.
PART = 48_000


def message(kind, xid, body=b""):
    return struct.pack("!BBHI", 4, kind, 8 + len(body), xid) + body


def features(number, xid=2):
    return message(6, xid, number.to_bytes(8, "big") + bytes([0, 0, 0, 0, 254, 0, 0, 0]) + bytes(8))


def multipart(kind, xid, body, more=False):
    return message(19, xid, struct.pack("!HH4x", kind, int(more)) + body)


def padded(length):
    return (length + 7) // 8 * 8


class Tables:
    """Flows and groups as bytes."""

    def __init__(self):
        self.flows, self.groups = {}, {}

    def copy(self):
        other = Tables()
        other.flows, other.groups = dict(self.flows), dict(self.groups)
        return other

    def flow_mod(self, data):
        table, command = data[24], data[25]
        priority = int.from_bytes(data[30:32], "big")
        length = int.from_bytes(data[50:52], "big")
        match, instructions = data[48 : 48 + padded(length)], data[48 + padded(length) :]
        if command == 0:
            self.flows[table, priority, match] = (data[8:16], instructions)
        elif command == 4:
            self.flows.pop((table, priority, match), None)
        else:
            assert command == 3 and length == 4, "only whole tables are deleted"
            for key in [key for key in self.flows if table in (0xFF, key[0])]:
                del self.flows[key]

    def group_mod(self, data):
        command, number = int.from_bytes(data[8:10], "big"), int.from_bytes(data[12:16], "big")
        if command == 2:
            for one in [one for one in self.groups if number in (one, 0xFFFFFFFC)]:
                del self.groups[one]
        else:
            self.groups[number] = data[16:]

    def flow_entries(self, table=0xFF, fields=b""):
        """Flows as a reply has them: all, or those of a table whose match has these fields."""
        for (at, priority, match), (cookie, instructions) in self.flows.items():
            if table in (0xFF, at) and all(one in match for one in split(fields)):
                head = struct.pack(
                    "!HBxIIHHHH4x", 48 + len(match) + len(instructions), at, 7, 9, priority, 0, 0, 0
                )
                yield head + cookie + bytes(16) + match + instructions

    def group_entries(self):
        for number, buckets in self.groups.items():
            yield struct.pack("!HBxI", 8 + len(buckets), 0, number) + buckets


def split(fields):
    """The fields of a match."""
    at = 0
    while at < len(fields):
        yield fields[at : at + 4 + fields[at + 3]]
        at += 4 + fields[at + 3]


def parts(kind, xid, entries):
    """The messages of a multipart reply."""
    bodies = [b""]
    for entry in entries:
        if len(bodies[-1]) + len(entry) > PART:
            bodies.append(b"")
        bodies[-1] += entry
    return [multipart(kind, xid, body, body is not bodies[-1]) for body in bodies]


class Protocol:
    """What a switch answers to a message. It has tables, and no connection."""

    def __init__(self, number):
        self.number, self.tables = number, Tables()
        self._bundles = {}

    def answers(self, data):
        kind, xid = data[1], int.from_bytes(data[4:8], "big")
        if kind == 2:
            return [message(3, xid, data[8:])]
        if kind == 5:
            return [features(self.number, xid)]
        if kind == 20:
            return [message(21, xid)]
        if kind == 14:
            self.tables.flow_mod(data)
        elif kind == 15:
            self.tables.group_mod(data)
        elif kind == 4:
            return self._bundle(data, xid)
        elif kind == 18 and data[9] == 1:
            length = int.from_bytes(data[50:52], "big")
            return parts(1, xid, self.tables.flow_entries(data[16], data[52 : 48 + length]))
        elif kind == 18:
            return parts(7, xid, self.tables.group_entries())
        return []

    def _bundle(self, data, xid):
        name = data[16:20]
        if int.from_bytes(data[12:16], "big") == 2301:
            self._bundles[name].append(data[24:])
            return []
        step = int.from_bytes(data[20:22], "big")
        if step == 0:
            self._bundles[name] = []
        elif step == 4:
            for one in self._bundles.pop(name):
                self.answers(one)
        return [message(4, xid, data[8:20] + struct.pack("!H", step + 1) + data[22:24])]


def receive(connection):
    """The next message."""
    head = exactly(connection, 8)
    return head + exactly(connection, int.from_bytes(head[2:4], "big") - 8)


def exactly(connection, length):
    found = bytearray()
    while len(found) < length:
        data = connection.recv(length - len(found))
        if not data:
            raise ConnectionError("the controller hung up")
        found += data
    return bytes(found)


class Switch:
    """A switch that connects again and again until it is stopped, and keeps its tables."""

    def __init__(self, port, number):
        self.port, self.protocol = port, Protocol(number)
        #: Cleared: it answers what it is asked, and carries out no bundle until it is set again.
        self.takes_changes = threading.Event()
        self.takes_changes.set()
        self._ends = threading.Event()
        self._connection = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def tables(self):
        return self.protocol.tables

    def _run(self):
        while not self._ends.is_set():
            try:
                with socket.create_connection(
                    ("127.0.0.1", self.port), timeout=60
                ) as self._connection:
                    self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._connection.sendall(HELLO)
                    while True:
                        asked = receive(self._connection)
                        if asked[1] == 4:
                            self.takes_changes.wait()
                        if answers := self.protocol.answers(asked):
                            self._connection.sendall(b"".join(answers))
            except OSError:
                self._ends.wait(0.02)

    def stop(self):
        self._ends.set()
        self.takes_changes.set()
        with contextlib.suppress(OSError, AttributeError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)


def probed_folders(binary, root):
    """Configurations of 2,2, and a rollout between them that waits for a probe after each phase."""
    told_folders(binary, root)
    waits = {name: {"probe": 0} for name in ("close", "replace", "open")}
    waits["replace"]["drain_ps"] = 5 * 10**11
    make_rollout(root / "masked", root / "literal", root / "rollouts" / "probed", **waits)
    return root


class Fabric:
    """A controller with switches, at a port that a restart takes again."""

    def __init__(self, configs, rollouts, state, *more, ids=range(1, 9)):
        self.start_with = (configs, state, "--rollouts", rollouts, *more)
        self.controller = Controller(*self.start_with)
        self.ids = ids
        self.switches = [Switch(self.controller.port, number) for number in ids]
        self.controller.ready(8)

    def restart(self):
        """Kills the controller if it is there, and starts it again."""
        if self.controller.process.poll() is None:
            self.controller.kill()
        listen = f"127.0.0.1:{self.controller.port}"
        self.controller = Controller(*self.start_with, listen=listen)

    def replace(self, tor):
        """Another switch comes in place of one that was stopped. It is empty."""
        self.switches[tor] = Switch(self.controller.port, self.ids[tor])

    def tables(self):
        return [(one.tables.flows, one.tables.groups) for one in self.switches]

    def stop(self):
        for switch in self.switches:
            switch.stop()
        self.controller.stop()
