"""Packets for the harness of Open vSwitch, and its capture files. Standard library only."""

import socket
import struct


class Capture:
    """A capture file that grows. Each read gives what came since the last one."""

    def __init__(self, path):
        self.path, self.at = path, 24

    def read(self):
        if not self.path.exists():
            return []
        with open(self.path, "rb") as file:
            file.seek(self.at)
            data = file.read()
        at, found = 0, []
        while at + 16 <= len(data):
            length = struct.unpack_from("<I", data, at + 8)[0]
            if at + 16 + length > len(data):
                break
            found.append(data[at + 16 : at + 16 + length])
            at += 16 + length
        self.at += at
        return found


def checksum(header):
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def frame(source, group, data, ttl, protocol):
    """An Ethernet frame with an IP packet to a group."""
    source, group = socket.inet_aton(source), socket.inet_aton(group)
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(data), 0, 0, ttl, protocol, 0, source, group)
    header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    to = bytes([0x01, 0x00, 0x5E, group[1] & 0x7F]) + group[2:]
    return to + bytes([0x02, 0, 0, 0, 0, 1]) + b"\x08\x00" + header + data


def udp(source, group, payload, ttl):
    """An Ethernet frame with a UDP packet to a group. The payload starts at byte 42."""
    data = struct.pack("!HHHH", 4791, 4791, 8 + len(payload), 0) + payload
    return frame(source, group, data, ttl, 17)


def igmp(source, group, ttl=1):
    """A report of membership (IGMP version 2), which goes to the group's address."""
    data = struct.pack("!BBH4s", 0x16, 0, 0, socket.inet_aton(group))
    return frame(source, group, data[:2] + struct.pack("!H", checksum(data)) + data[4:], ttl, 2)


def lldp(name):
    """An announcement of a neighbour."""

    def part(kind, data):
        return struct.pack("!H", kind << 9 | len(data)) + data

    parts = part(1, b"\x07" + name) + part(2, b"\x07" + b"1") + part(3, b"\x00\x78") + part(0, b"")
    return bytes.fromhex("0180c200000e020000000001") + b"\x88\xcc" + parts


def unwrapped(packet):
    """The destination of a VXLAN packet, and the frame in it."""
    assert packet[12:14] == b"\x08\x00" and packet[14] == 0x45 and packet[23] == 17, packet.hex()
    assert packet[36:38] == (4789).to_bytes(2, "big"), packet.hex()
    return socket.inet_ntoa(packet[30:34]), packet[50:]


def time_to_live(packet):
    """The time to live of an Ethernet frame with an IP packet."""
    return packet[22]
