"""What strangers send to the controller: lengths that are wrong, floods, lies, and slowness."""

from __future__ import annotations

import contextlib
import io
import socket
import struct
import threading
from pathlib import Path

import pytest
from controllers import TOKEN, Controller, until
from switches import HELLO, Switch, exactly, features, message, multipart, receive

pytest.importorskip("os_ken")

from lightloom.controller import frames
from lightloom.controller.frames import Malformed


@pytest.fixture(scope="module")
def controller(folders, tmp_path_factory):
    """A controller that many strangers visit."""
    one = Controller(folders / "masked", tmp_path_factory.mktemp("state") / "state.sqlite")
    yield one
    assert one.stop() == 0


def log_of(controller):
    return Path(controller.log.name).read_text().splitlines()


def memory_of(controller, field="VmRSS"):
    """Bytes of memory of a controller's process."""
    for line in Path(f"/proc/{controller.process.pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) << 10
    raise AssertionError(field)


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def hung_up(client):
    """Reads until the other side has hung up."""
    with contextlib.suppress(ConnectionError):
        while client.recv(65536):
            pass


MATCH = bytes([0, 1, 0, 4, 0, 0, 0, 0])


def flow(rest, length=None, match=MATCH):
    whole = 48 + len(match) + len(rest)
    return struct.pack("!HBxIIHHHH4x", whole if length is None else length, 1, 0, 0, 1, 0, 0, 0) + (
        bytes(24) + match + rest
    )


def group(rest, length=None):
    return struct.pack("!HBxI", 8 + len(rest) if length is None else length, 0, 1) + rest


def bucket(rest, length=None):
    return (
        struct.pack("!HHIII", 16 + len(rest) if length is None else length, 0, 0, 0, 0)[:16] + rest
    )


def part(kind, length, size=8):
    """An instruction or action with a length of its own."""
    return struct.pack("!HH", kind, length) + bytes(size - 4)


OUTPUT = part(0, 16, 16)
GREETINGS = {
    "element of length 0": bytes([0, 1, 0, 0, 0, 0, 0, 0]),
    "element of length 2": bytes([0, 1, 0, 2, 0, 0, 0, 0]),
    "unknown element of length 0": bytes([0, 9, 0, 0, 0, 0, 0, 0]),
    "element that is too long": bytes([0, 1, 0, 16, 0, 0, 0, 16]),
    "element without a bitmap": bytes([0, 1, 0, 4]),
    "element that breaks off": bytes([0, 1]),
}
BODIES = {
    "flow of length 0": (1, flow(b"", 0)),
    "flow of length 48": (1, flow(b"", 48)),
    "flow of length 57": (1, flow(b"", 57) + bytes(8)),
    "flow that is too long": (1, flow(b"", 64)),
    "match of length 0": (1, flow(b"", match=bytes([0, 1, 0, 0, 0, 0, 0, 0]))),
    "match that is too long": (1, flow(b"", match=bytes([0, 1, 0, 64, 0, 0, 0, 0]))),
    "field that breaks off": (1, flow(b"", match=bytes([0, 1, 0, 8, 0x80, 0, 0, 9]))),
    "field of length 0": (1, flow(b"", match=bytes([0, 1, 0, 8, 0x80, 0, 0, 0]))),
    "instruction of length 0": (1, flow(part(4, 0))),
    "instruction of length 4": (1, flow(part(4, 4))),
    "instruction that is too long": (1, flow(part(4, 24))),
    "goto of length 16": (1, flow(part(1, 16, 16))),
    "meter instruction of length 0": (1, flow(part(6, 0))),
    "unknown instruction of length 0": (1, flow(part(99, 0))),
    "action of length 0": (1, flow(part(4, 16) + part(0, 0))),
    "action that is too long": (1, flow(part(4, 16) + part(0, 16))),
    "experimenter action of length 0": (1, flow(part(4, 16) + part(0xFFFF, 0))),
    "set field that breaks off": (1, flow(part(4, 16) + struct.pack("!HHHBB", 25, 8, 1, 64, 4))),
    "group of length 0": (7, group(b"", 0)),
    "group that is too long": (7, group(b"", 64)),
    "bucket of length 0": (7, group(bucket(b"", 0))),
    "bucket of length 8": (7, group(bucket(b"", 8))),
    "bucket that is too long": (7, group(bucket(b"", 48))),
    "action of length 0 in a bucket": (7, group(bucket(part(0, 0)))),
    "table features where flows were asked for": (12, bytes(64)),
    "meters where flows were asked for": (9, bytes(64)),
}
#: Types that the controller does not ask for. At a length of 0 a reader may loop for ever.
UNASKED = {
    "queue of length 0": message(23, 5, bytes(8) + bytes(16)),
    "flow change": message(14, 5, bytes(48)),
    "role": message(25, 5, bytes(16)),
    "type without a meaning": message(99, 5),
    "message of length 0": bytes([4, 3, 0, 0, 0, 0, 0, 1]),
    "error that breaks off": message(1, 5),
    "features that break off": message(6, 5),
    "message of version 1": bytes([1, 2, 0, 8, 0, 0, 0, 1]),
}


@pytest.mark.parametrize("element", GREETINGS.values(), ids=GREETINGS)
def test_a_malformed_greeting_costs_its_connection_and_a_line(controller, element):
    lines = len(log_of(controller))
    with connect(controller.port) as client:
        client.sendall(message(0, 1, element))
        hung_up(client)
    controller.ask("GET", "/status")
    (line,) = log_of(controller)[lines:]
    assert "INFO a connection of 127.0.0.1 port" in line
    assert "the switch sent a greeting" in line


@pytest.mark.parametrize("data", UNASKED.values(), ids=UNASKED)
def test_a_message_that_no_switch_sends_costs_its_connection_and_a_line(controller, data):
    lines = len(log_of(controller))
    with connect(controller.port) as client:
        client.sendall(HELLO + data)
        hung_up(client)
    controller.ask("GET", "/status")
    (line,) = log_of(controller)[lines:]
    assert "was refused: the switch sent" in line


@pytest.mark.parametrize(("kind", "body"), BODIES.values(), ids=BODIES)
def test_a_malformed_answer_costs_its_connection_and_a_line(controller, kind, body):
    lines = len(log_of(controller))
    with connect(controller.port) as client:
        client.sendall(HELLO + features(1))
        while (asked := receive(client))[1] != 18:
            pass
        if kind == 7:
            client.sendall(multipart(1, int.from_bytes(asked[4:8], "big"), b""))
            asked = receive(client)
        client.sendall(multipart(kind, int.from_bytes(asked[4:8], "big"), body))
        hung_up(client)
    until(lambda: not controller.ask("GET", "/switches/0")["connected"], "it is given up")
    (line,) = log_of(controller)[lines:]
    assert "WARNING ToR 0: the switch sent" in line
    assert controller.ask("GET", "/switches/0")["problem"] in line


def test_foreign_entries_are_measured_and_not_parsed():
    odd = [
        flow(part(4, 16) + part(0xFFFF, 8)),
        flow(part(6, 8)),
        flow(b"", match=bytes([0, 1, 0, 8, 0x80, 1, 0, 0])),
    ]
    assert all(frames.check_flow(one) for one in odd)
    assert frames.check_flow(flow(part(4, 24) + OUTPUT)) is None
    assert frames.check_group(group(bucket(OUTPUT))) is None
    assert frames.check_group(group(bucket(part(17, 8))))
    with pytest.raises(Malformed):
        frames.check_flow(flow(part(4, 24) + part(0xFFFF, 0, 16)))


def test_an_echo_flood_that_reads_nothing_is_cut_off(controller):
    before = memory_of(controller)
    with connect(controller.port) as client:
        client.sendall(HELLO)
        echo = message(2, 7, bytes(60_000))
        # The controller reads no more, or has hung up.
        with pytest.raises(OSError):
            for _ in range(2000):
                client.sendall(echo)
        assert memory_of(controller) - before < 32 << 20
    assert controller.ask("GET", "/status")["connected"] == 0


def test_peers_that_greet_and_tell_nothing_give_way(controller):
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(connect(controller.port)) for _ in range(60)]
        for one in silent:
            # The first ones have been given up by now.
            with contextlib.suppress(OSError):
                one.sendall(HELLO)
                exactly(one, 8)
        switch = Switch(controller.port, 1)
        stack.callback(switch.stop)
        until(lambda: controller.ask("GET", "/switches/0")["ready"], "the switch is ready")
        # The oldest were given up, and the newest were not.
        hung_up(silent[0])
    assert "gave way to a newer one" in "\n".join(log_of(controller))


def test_a_greeting_has_a_deadline_as_a_whole(folders, tmp_path):
    one = Controller(folders / "masked", tmp_path / "state.sqlite", "--patience", "0.3")
    try:
        with connect(one.port) as client:
            client.sendall(HELLO)
            # It is never silent, and never tells its features.
            with pytest.raises(OSError):
                while True:
                    client.sendall(message(2, 1))
                    exactly(client, 8)
    finally:
        assert one.stop() == 0


def test_a_switch_that_never_ends_its_answer_does_not_block_others(controller):
    honest = Switch(controller.port, 2)
    liar = connect(controller.port)
    ends = threading.Event()
    # After a part of its answer the liar waits until another switch was checked.
    checked = threading.Semaphore(0)

    def lie():
        with contextlib.suppress(OSError):
            liar.sendall(HELLO + features(1))
            while (asked := receive(liar))[1] != 18:
                pass
            xid = int.from_bytes(asked[4:8], "big")
            number = 0
            while True:
                flows = b""
                for _ in range(1000):
                    number += 1
                    flows += flow(b"", match=struct.pack("!HHHBBI4x", 1, 12, 0x8000, 0, 4, number))
                if number % 200_000 == 0:
                    checked.acquire()
                liar.sendall(multipart(1, xid, flows, more=True))
        ends.set()

    try:
        controller.ready(1)
        thread = threading.Thread(target=lie)
        thread.start()
        others = 0
        while not ends.is_set():
            assert controller.ask("POST", "/switches/1/check")["last_read"]["found"] == "equal"
            others += 1
            checked.release()
        thread.join()
        assert others > 3
        problem = until(lambda: controller.ask("GET", "/switches/0")["problem"], "it is given up")
        assert problem == "the switch answered with more than 64 MiB"
        assert memory_of(controller, "VmHWM") < 200 << 20
        assert controller.ask("GET", "/status")["ready"] == 1
    finally:
        liar.close()
        honest.stop()


def test_many_foreign_entries_are_removed_as_few_are(controller):
    switch = Switch(controller.port, 1)
    try:
        controller.ready(1)
        right = switch.tables.copy()
        for number in range(5000):
            match = struct.pack("!HHHBBI4x", 1, 12, 0x8000, 0, 4, number)
            switch.tables.flows[1, 9, match] = (bytes(8), b"")
        read = controller.ask("POST", "/switches/0/check")["last_read"]
        assert read["found"] == "drift"
        assert switch.tables.flows == right.flows
    finally:
        switch.stop()


def test_slow_clients_give_way(controller):
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(connect(controller.api)) for _ in range(40)]
        for one in slow:
            one.sendall(b"GET /status HTTP/1.1\r\nX: ")
        assert controller.ask("GET", "/status")["switches"] == 8
        hung_up(slow[0])
        # The others are not needed for it.
        slow[-1].sendall(f"y\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
        assert b" 200 " in slow[-1].recv(65536)


def test_a_head_has_a_deadline_and_a_size(controller):
    from lightloom.controller.server import _Incoming

    ours, theirs = socket.socketpair()
    with ours, theirs:
        incoming = _Incoming(ours)
        reader = io.BufferedReader(incoming)
        theirs.sendall(b"GET ")
        assert reader.read(4) == b"GET "
        # What is there already does not prolong the time.
        theirs.sendall(b"/")
        incoming.expect(0, 100)
        with pytest.raises(TimeoutError):
            reader.read(1)
    headers = {f"X{number}": "y" * 3000 for number in range(90)}
    assert controller.request("GET", "/status", headers=headers)[0] == 431


def test_a_client_that_breaks_off_its_body_leaves_no_trace_in_the_log(controller):
    lines = log_of(controller)
    for _ in range(20):
        with connect(controller.api) as client:
            head = f"POST /groups HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\n"
            client.sendall(f"{head}Content-Length: 100000\r\n\r\n".encode() + bytes(1000))
            # Closing with this option resets the connection.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert controller.ask("GET", "/groups")[0]["name"] == "first"
    assert log_of(controller) == lines
