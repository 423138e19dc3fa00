"""Reads captures with nothing but the standard library, and says what each packet must be.

It shares no code with the twin: the boundaries of messages, queue pairs and addresses follow from
the flows of the scenario, and the check sequence from annex A17 of the InfiniBand Architecture.
"""

import struct
import subprocess
import zlib
from dataclasses import dataclass, field

HEADER, RETH, AETH = 58, 16, 4
FIRST_QP = 2
PSNS = 1 << 24
PRIORITY = 3

FIELDS = [
    "frame.interface_name", "frame.len", "_ws.expert.message", "_ws.malformed",
    "eth.src", "eth.dst", "ip.src", "ip.dst", "ip.dsfield.dscp", "ip.dsfield.ecn", "ip.checksum.status",
    "udp.dstport", "infiniband.bth.opcode", "infiniband.bth.se", "infiniband.bth.a",
    "infiniband.bth.padcnt", "infiniband.bth.p_key", "infiniband.bth.destqp", "infiniband.bth.psn",
    "infiniband.reth.va", "infiniband.reth.r_key", "infiniband.reth.dmalen",
    "infiniband.aeth.syndrome", "infiniband.aeth.syndrome.opcode",
    "infiniband.aeth.syndrome.error_code", "infiniband.aeth.msn",
    "infiniband.invariant.crc", "macc.opcode", "macc.cbfc.enbv", f"macc.cbfc.pause_time.c{PRIORITY}",
]  # fmt: skip


def dissect(path):
    """What tshark shows of each packet. It guesses protocols from payload, of which RPC over RDMA reads past the end of
    short messages: that guess is off.
    """
    asked = [arg for name in FIELDS for arg in ("-e", name)]
    command = ["tshark", "-r", path, "--disable-heuristic", "rpcrdma_infiniband"]
    command += ["-o", "ip.check_checksum:TRUE", "-T", "fields", "-E", "separator=/t"]
    ran = subprocess.run([*command, *asked], capture_output=True, text=True, check=True)
    return [dict(zip(FIELDS, line.split("\t"), strict=True)) for line in ran.stdout.splitlines()]


def number(text):
    return int(text, 0)


def packets(path):
    """The interface, the time in nanoseconds and the bytes of each packet of a pcapng file."""
    content, place, names, found = path.read_bytes(), 0, [], []
    while place < len(content):
        kind, length = struct.unpack_from("<II", content, place)
        body = content[place + 8 : place + length - 4]
        assert struct.unpack_from("<I", content, place + length - 4) == (length,)
        if kind == 1:
            assert struct.unpack_from("<H", body) == (1,), "Ethernet"
            options = dict(_options(body[8:]))
            assert options[9] == b"\x09", "nanoseconds"
            names.append(options[2].decode())
        elif kind == 6:
            interface, high, low, kept, whole = struct.unpack_from("<IIIII", body)
            assert kept == whole
            found.append((names[interface], high << 32 | low, body[20 : 20 + kept]))
        else:
            assert kind == 0x0A0D0D0A, kind
        place += length
    return found


def _options(body):
    place = 0
    while place < len(body):
        code, length = struct.unpack_from("<HH", body, place)
        if code == 0:
            return
        yield code, body[place + 4 : place + 4 + length]
        place += 4 + (length + 3) // 4 * 4


def check_sequence(frame):
    """The invariant check sequence that a frame of RoCEv2 should have, in the order of its bytes."""
    packet = bytearray(frame[14:-4])
    for place in (1, 8, 10, 11, 26, 27, 32):
        packet[place] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + packet))


@dataclass
class Flow:
    """A message of a scenario."""

    source: int
    to: int
    size: int
    verb: str = "write"
    connection: str | None = None
    lossy: bool = False
    start: int = 0

    def __str__(self):
        rows = ["[[flow]]", f"from = {self.source}", f"to = {self.to}", f'size = "{self.size} B"']
        rows += [f'verb = "{self.verb}"', f'start = "{self.start} ns"']
        rows += [f'connection = "{self.connection}"'] if self.connection else []
        rows += ['class = "lossy"'] if self.lossy else []
        return "\n".join(rows)


@dataclass
class Model:
    """What the packets of flows must be."""

    flows: list
    mtu: int
    first_psn: int = 0
    ack_every: int = 1
    first: list = field(default_factory=list)
    queue_pairs: list = field(default_factory=list)
    ends: dict = field(default_factory=dict)

    def __post_init__(self):
        opened, known = {}, {}
        for number, flow in enumerate(self.flows):
            name = flow.connection or number
            if name not in known:
                pair = {}
                for host in (flow.source, flow.to):
                    pair[host] = FIRST_QP + opened.get(host, 0)
                    opened[host] = opened.get(host, 0) + 1
                known[name] = pair
            ends = self.ends.setdefault((name, flow.source), [])
            self.first.append(ends[-1] if ends else 0)
            ends.append(self.first[-1] + self.packets(flow))
            self.queue_pairs.append(known[name])

    def packets(self, flow):
        return max(1, -(-flow.size // self.mtu))

    def data(self, number, psn):
        """Opcode, solicited event, request of an answer, RETH, offset and length of a packet."""
        flow = self.flows[number]
        place = (psn - self.first_psn - self.first[number]) % PSNS
        last = place == self.packets(flow) - 1
        assert place < self.packets(flow)
        base = 6 if flow.verb == "write" else 0
        opcode = base + (4 if last and place == 0 else 0 if place == 0 else 2 if last else 1)
        reth = ((number + 1) << 32, number, flow.size) if base and place == 0 else None
        asks = last or (place + 1) % self.ack_every == 0
        offset = place * self.mtu
        return opcode, last and base == 0, asks, reth, offset, min(self.mtu, flow.size - offset)

    def complete(self, number, psn, seen):
        """Messages of a flow's direction that are complete when all before `psn` have arrived. `seen` keeps the
        place among all packets, as sequence numbers wrap.
        """
        flow = self.flows[number]
        key = (flow.connection or number, flow.source)
        before = seen.get(key, 0)
        ahead = (psn - self.first_psn - before + PSNS // 2) % PSNS - PSNS // 2
        seen[key] = before + ahead
        return sum(end <= seen[key] for end in self.ends[key])


def payload(number, offset, length):
    """Bytes of a message: of each eight, four for the flow and four for their own offset."""
    words = range(offset // 8, (offset + length) // 8 + 1)
    whole = b"".join(struct.pack(">II", number, 8 * word) for word in words)
    return whole[offset % 8 :][:length]
