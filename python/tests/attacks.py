"""Attacks on a controller: mutated messages of OpenFlow, mutated requests, and kills.

What is random comes from a seed. `--attacks` says how much there is (`make attack-controller`).
"""

from __future__ import annotations

import contextlib
import socket
import struct

from controllers import TOKEN
from switches import HELLO, Protocol, features, message, multipart, receive

#: Values that lengths and numbers of parts go wrong with.
EDGES = (0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 40, 48, 56, 64, 0x7FFF, 0x8000, 0xFFF8, 0xFFFF)
#: Number of the attackers' echoes. The controller's own numbers are small.
ECHO = 0xE0000000


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=60)


class Mutator:
    """Changes bytes."""

    def __init__(self, choose, seeds):
        self._choose, self._seeds = choose, seeds

    def bytes(self, data):
        """Other bytes: some changed, some cut out, some of another seed."""
        choose, data = self._choose, bytearray(data)
        for _ in range(choose.choice((1, 1, 1, 2, 3))):
            kind, at = choose.randrange(6), choose.randrange(max(len(data), 1))
            if kind == 0:
                data[at : at + 1] = bytes([choose.randrange(256)])
            elif kind in (1, 2):
                at -= at % 2
                data[at : at + 2] = struct.pack("!H", choose.choice(EDGES))
            elif kind == 3:
                del data[at : at + choose.choice((1, 2, 4, 8, 16, 64))]
            elif kind == 4:
                data[at:at] = data[at : at + choose.choice((1, 2, 4, 8, 16, 64))]
            else:
                other = choose.choice(self._seeds)
                start = choose.randrange(len(other))
                data[at:at] = other[start : start + choose.choice((2, 8, 32))]
        return bytes(data)

    def request(self, data):
        """Another request. Half of them keep their token, so that what is behind it is tried."""
        if self._choose.randrange(2):
            return self.bytes(data)
        before, token, after = data.partition(f"Authorization: Bearer {TOKEN}\r\n".encode())
        if self._choose.randrange(2):
            return before + token + self.bytes(after)
        return self.bytes(before) + token + after

    def message(self, data):
        """Another message. Its length in the header mostly fits, so that what follows is read."""
        data = self.bytes(data).ljust(8, b"\0")[:65_000]
        if self._choose.randrange(20):
            data = bytes([4]) + data[1:2] + struct.pack("!H", len(data)) + data[4:]
        return data


def seeds():
    """Messages of a switch, also of types that the controller never asks for."""
    output = struct.pack("!HHIH6x", 0, 16, 3, 0xFFFF)
    bucket = struct.pack("!HHII4x", 16 + len(output), 0, 0, 0) + output
    match = struct.pack("!HHHBBI4x", 1, 12, 0x8000, 0, 4, 3)
    rest = struct.pack("!HH4x", 4, 24) + output + struct.pack("!HHB3x", 1, 8, 2)
    flow = struct.pack("!HBxIIHHHH4x", 64 + len(rest), 1, 0, 0, 7, 0, 0, 0) + bytes(24)
    flow += match + rest
    group = struct.pack("!HBxI", 8 + 2 * len(bucket), 0, 9) + 2 * bucket
    queue = struct.pack("!IIHH4x", 1, 1, 32, 0) + struct.pack("!HH4xH6x", 1, 16, 500)
    table = struct.pack("!HB5x32sQQII", 72, 1, b"table", 0, 0, 0, 9) + struct.pack("!HH4x", 0, 8)
    meter = struct.pack("!HHI", 24, 1, 1) + struct.pack("!HHII4x", 1, 16, 9, 9)[:16]
    packet_in = struct.pack("!IHBBQ", 0xFFFFFFFF, 4, 0, 0, 0) + match + bytes(2) + b"data"
    bundle = struct.pack("!IIIHH", 0x4F4E4600, 2300, 1, 1, 3)
    return [
        message(0, 1, struct.pack("!HHI", 1, 8, 1 << 4)),
        message(1, 3, struct.pack("!HH", 5, 1) + bytes(12)),
        message(2, 4, b"echo"),
        message(3, 4, b"echo"),
        message(4, 5, bundle),
        features(0xBAD, 6),
        message(8, 7, bytes(4)),
        message(10, 8, packet_in),
        message(11, 8, bytes(40) + match),
        message(12, 8, bytes(72)),
        message(14, 9, bytes(40) + match + rest),
        message(15, 9, struct.pack("!HBxI", 0, 0, 9) + bucket),
        multipart(1, 3, 3 * flow),
        multipart(7, 3, 3 * group),
        multipart(9, 3, meter),
        multipart(12, 3, table),
        multipart(0, 3, bytes(1056)),
        message(21, 3),
        message(23, 3, struct.pack("!I4x", 1) + queue),
        message(25, 3, bytes(16)),
    ]


class Attacker:
    """Sends mutated messages, and counts those that the controller has dealt with."""

    def __init__(self, port, number, choose):
        self.port, self._choose = port, choose
        self.sent = 0
        self._seeds = seeds()
        self._mutator = Mutator(choose, self._seeds)
        self._switch = Protocol(number)

    def attack(self):
        """One connection."""
        with contextlib.suppress(OSError), connect(self.port) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._choose.randrange(3):
                self._greets(client)
            else:
                self._answers(client)

    def _mutated(self):
        return self._mutator.message(self._choose.choice(self._seeds))

    def _greets(self, client):
        """A peer that sends anything before its features, each followed by an echo."""
        data = self._mutator.message(self._seeds[0]) if self._choose.randrange(8) == 0 else HELLO
        self.sent += data is not HELLO
        for number in range(16):
            data += self._mutated() + message(2, ECHO + number)
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        self._count(client)

    def _count(self, client):
        """Counts the answered echoes, and the message that ended the connection."""
        self.sent += 1
        with contextlib.suppress(OSError):
            while True:
                answer = receive(client)
                self.sent += answer[1] == 3 and answer[4] >= ECHO >> 24

    def _answers(self, client):
        """A switch that answers as one should, and whose answers are wrong from some time on."""
        client.sendall(HELLO)
        good, choose = self._choose.randrange(1, 9), self._choose
        while True:
            for answer in self._switch.answers(self._follow(receive(client))):
                good -= 1
                if good >= 0:
                    client.sendall(answer)
                    continue
                is_multipart = answer[1] == 19 and len(answer) > 24
                number = answer[4:8]
                for _ in range(choose.randrange(1, 8) if is_multipart else 1):
                    bad = self._mutator.message(answer)
                    # Parts of one answer, of which more are to come.
                    if is_multipart and choose.randrange(4):
                        bad = bad[:4] + number + answer[8:10] + bytes([0, 1]) + bad[12:]
                        bad = bad[:2] + struct.pack("!H", len(bad)) + bad[4:]
                        bad = bad[:1] + answer[1:2] + bad[2:]
                    client.sendall(bad)
                    self.sent += 1
                client.sendall(self._mutated() + message(2, ECHO))
                self.sent += 1
            if good < 0:
                # The controller may wait for more. So it is told that there is none.
                client.shutdown(socket.SHUT_WR)
                while receive(client):
                    pass

    def _follow(self, asked):
        """Requests of the controller. Bundles that it has begun with another peer are unknown."""
        if asked[1] == 4 and asked[16:20] not in self._switch._bundles:
            self._switch._bundles[asked[16:20]] = []
        return asked


REQUESTS = [
    ("GET", "/status", None),
    ("GET", "/switches", None),
    ("GET", "/switches/3", None),
    ("POST", "/switches/3/check", None),
    ("GET", "/servers", None),
    ("GET", "/groups", None),
    ("GET", "/groups/first", None),
    ("POST", "/groups", b'{"name": "g1", "address": "239.0.0.9", "members": ["gpu-1"]}'),
    ("POST", "/groups", b'{"name": "g2", "members": ["gpu-1", "gpu-2"]}'),
    ("DELETE", "/groups/g1", None),
    ("PUT", "/groups/first/members/gpu-2?absent=later", None),
    ("PUT", "/groups/first/members/gpu%2D2", None),
    ("DELETE", "/groups/first/members/gpu-2", None),
    ("GET", "/rollouts", None),
    ("GET", "/rollouts/1", None),
    ("POST", "/rollouts", b'{"folder": "nothing", "back": true}'),
    ("POST", "/rollouts/1/continue", None),
    ("POST", "/rollouts/1/rollback", None),
]


def request(method, path, body):
    """A request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: Bearer {TOKEN}"]
    lines += [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


def send_request(port, data):
    """The status of the answer to a request. None: there is none."""
    said = b""
    with connect(port) as client, contextlib.suppress(ConnectionError):
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        while part := client.recv(65536):
            said += part
    if not said:
        return None
    if said[:1] in (b"{", b"["):
        # What names no version of HTTP is answered as by HTTP 0.9, without a head.
        return 400 if said.startswith(b'{"error": ') else 200
    version, status, _ = said.split(b"\r\n", 1)[0].split(b" ", 2)
    assert version in (b"HTTP/1.1", b"HTTP/1.0"), said[:80]
    return int(status)
