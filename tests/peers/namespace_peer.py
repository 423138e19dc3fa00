"""A server in a network namespace: plain multicast sockets, or a NORM transfer with libnorm (RFC 5740).

`namespace_peer.py sockets GROUP ADDRESS TTL` prints what it receives, and sends each line of its standard input.
`namespace_peer.py norm-receive …` and `norm-send …` transfer a file. The harness starts one process a namespace.

It uses the standard library only, and `libnorm.so.1` by ctypes.
"""

import ctypes
import fcntl
import hashlib
import os
import socket
import struct
import sys
import threading

INTERFACE = "eth0"
PORT = 6003
SIOCETHTOOL, ETHTOOL_STXCSUM = 0x8946, 0x17
# Event types and limits of normApi.h, 1.5.
RX_OBJECT_COMPLETED, RX_OBJECT_ABORTED = 20, 21
SEGMENT, DATA, PARITY, BUFFER = 1_400, 64, 16, 8 << 20
RATE = 30e6


def send_checksums():
    """Lets the kernel compute checksums of what leaves: no hardware does on this way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        value = ctypes.create_string_buffer(struct.pack("II", ETHTOOL_STXCSUM, 0))
        request = struct.pack("16sP", INTERFACE.encode(), ctypes.addressof(value))
        fcntl.ioctl(any_socket, SIOCETHTOOL, request)


def say(*words):
    print(*words, flush=True)


def sockets(group, address, ttl):
    """Joins a group. Sends each line of the input, and prints each packet that comes."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.bind((group, PORT))
        mine = socket.inet_aton(address)
        own.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + mine)
        own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, mine)
        own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, int(ttl))
        own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)

        def listen():
            while True:
                data, sender = own.recvfrom(2_000)
                say("got", data.decode(), sender[0])

        threading.Thread(target=listen, daemon=True).start()
        say("ready")
        for line in sys.stdin:
            own.sendto(line.strip().encode(), (group, PORT))


class Event(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("session", "sender", "object")]
    _fields_.insert(0, ("type", ctypes.c_int))


class Norm:
    """A NORM session in this namespace."""

    def __init__(self, group, ttl, node):
        self.library = ctypes.CDLL("libnorm.so.1")
        for name in ("NormCreateInstance", "NormCreateSession", "NormFileEnqueue"):
            getattr(self.library, name).restype = ctypes.c_void_p
        for name in ("NormGetNextEvent", "NormFileGetName", "NormSetTTL", "NormSetMulticastInterface"):
            getattr(self.library, name).restype = ctypes.c_bool
        self.instance = ctypes.c_void_p(self.library.NormCreateInstance(ctypes.c_bool(False)))
        made = self.library.NormCreateSession(
            self.instance, group.encode(), ctypes.c_uint16(PORT), ctypes.c_uint32(int(node))
        )
        assert made, "no session"
        self.session = ctypes.c_void_p(made)
        assert self.library.NormSetMulticastInterface(self.session, INTERFACE.encode())
        assert self.library.NormSetTTL(self.session, ctypes.c_ubyte(int(ttl)))

    def event(self):
        event = Event()
        assert self.library.NormGetNextEvent(self.instance, ctypes.byref(event), ctypes.c_bool(True))
        return event


def norm_receive(group, ttl, node, folder, loss):
    """Receives one file, and prints its hash. A share of the messages is lost on the way in."""
    norm = Norm(group, ttl, node)
    norm.library.NormSetCacheDirectory(norm.instance, (folder + "/").encode())
    norm.library.NormSetRxLoss(norm.session, ctypes.c_double(float(loss)))
    assert norm.library.NormStartReceiver(norm.session, ctypes.c_uint32(BUFFER))
    say("ready")
    while True:
        event = norm.event()
        assert event.type != RX_OBJECT_ABORTED, "the transfer was given up"
        if event.type == RX_OBJECT_COMPLETED:
            name = ctypes.create_string_buffer(1_024)
            assert norm.library.NormFileGetName(ctypes.c_void_p(event.object), name, ctypes.c_uint(1_024))
            with open(name.value, "rb") as file:
                say("hash", hashlib.file_digest(file, "sha256").hexdigest())
            return


def norm_send(group, ttl, node, path):
    """Sends one file, and repairs until the harness closes the input."""
    norm = Norm(group, ttl, node)
    norm.library.NormSetTxRate(norm.session, ctypes.c_double(RATE))
    started = norm.library.NormStartSender(
        norm.session,
        ctypes.c_uint16(1),
        ctypes.c_uint32(BUFFER),
        ctypes.c_uint16(SEGMENT),
        ctypes.c_uint16(DATA),
        ctypes.c_uint16(PARITY),
        ctypes.c_uint8(0),
    )
    assert started, "the sender did not start"
    assert norm.library.NormFileEnqueue(norm.session, path.encode(), None, ctypes.c_uint(0))
    say("ready")
    sys.stdin.read()


if __name__ == "__main__":
    send_checksums()
    modes = {"sockets": sockets, "norm-receive": norm_receive, "norm-send": norm_send}
    modes[sys.argv[1]](*sys.argv[2:])
    # The library's threads need no end of their own.
    os._exit(0)
