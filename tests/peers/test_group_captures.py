"""Captures of reliable groups, over links and over light: tshark dissects every packet, and sequence numbers, answers
and registration are what the scenario and the report of the run say.

Registration and the invariant check sequence are read here with no code of the twin, and without the CRC-32 of a library.
"""

import csv
import json
import struct
import subprocess
from collections import Counter

import pytest

from capture import AETH, FIRST_QP, HEADER, PSNS, RETH, dissect, number, packets, payload

MTU = 1024
GROUP_QP = 1
MOST_NODES = 183
DATA, ACK, CNP = range(6, 11), 0x11, 0x81
REGISTRATION = 4792

LEAVES = """[network]
kind = "leaf-spine"
leaves = 2
spines = 1
hosts_per_leaf = {each}
rate = "100 Gb/s"
delay = "1 us"
"""
DESIGN = """[network]
kind = "design"
file = "hall.toml"
hosts_per_tor = 2
spines = 2
rate = "100 Gb/s"
length = "3 m"
"""
HALL = 'version = 1\n[fabric]\nfamily = "shufflecast"\np = 2\nk = 2\n'
FIRST = 16777200
WRAPS = f"[parameters.transport]\nfirst_psn = {FIRST}\n"
MARKING = '[parameters.ecn]\nat = "100 Gb/s"\nkmin = "10 kB"\nkmax = "60 kB"\n'


class Case:
    """A scenario with one group of all hosts, and the links that are captured."""

    def __init__(self, network, links, messages, hosts, *, group="", more="", expects=()):
        self.network, self.links, self.messages, self.hosts = network, links, messages, hosts
        self.group, self.more, self.expects = group, more, set(expects)
        self.light = "links" if network == DESIGN else ""
        self.sender = "R1.01 host 0" if network == DESIGN else "host 0"
        if 'repair = "light"' in group:
            self.light = "light"

    def text(self):
        rows = ["version = 1", 'until = "50 ms"', self.network, f'[parameters.wire]\nmtu = "{MTU} B"', WRAPS]
        rows += ["[probes]\ncopies = true", self.more, '[[group]]\nname = "g"\nmembers = "all"', self.group]
        for source, size in self.messages:
            rows.append(f'[[multicast]]\ngroup = "g"\nfrom = {source}\nsize = "{size} B"')
        return "\n".join(rows)


FEW = LEAVES.format(each=4)
ENDS = ["leaf 0<>0", "leaf 0<>1", "leaf 1<>6", "leaf 0<>spine 0"]
RACKS = ["R1.01<>0", "R1.01<>1", "R2.02<>13", "R1.01<>spine 0", "R1.01<>spine 1", "R1.01>R1.05", "R1.05>R1.02"]
BIG = [(0, 50_001), (0, 1), (6, 20_000)]
CASES = {
    "over links": Case(FEW, ENDS, BIG, 8),
    "over links, losses": Case(
        FEW, ENDS, [(0, 400_000)], 8, expects=["nack"],
        more='[[loss]]\nlink = ["leaf 1", 6]\nrate = 0.02\n',
    ),
    "over links, marks": Case(
        FEW, ENDS, [(0, 400_000)], 8, expects=["cnp"],
        more=MARKING + '[[flow]]\nfrom = 2\nto = 6\nsize = "400 kB"\n',
    ),
    "over light": Case(DESIGN, RACKS, [(0, 50_001), (0, 1), (13, 20_000)], 16),
    "over light, losses come back over links": Case(
        DESIGN, RACKS, [(0, 400_000)], 16, expects=["nack"],
        more='[[loss]]\nlink = ["R2.02", 13]\nrate = 0.02\n',
    ),
    "over light, losses come back over light": Case(
        DESIGN, RACKS, [(0, 400_000)], 16, group='repair = "light"', expects=["nack"],
        more='[[loss]]\nlink = ["R2.02", 13]\nrate = 0.02\n',
    ),
    "registration in two packets": Case(
        LEAVES.format(each=110), ["leaf 0<>0", "leaf 1<>219", "leaf 0<>spine 0"], [(0, 3000)], 220
    ),
}  # fmt: skip


def check_sequence(frame):
    """The invariant check sequence (InfiniBand Architecture 1.4, annex A17.3.3), bit by bit: ones for the local header
    that RoCE lacks, and for all that switches may change. Each switch that rewrites headers makes it anew
    (cepheus:IV.icrc).
    """
    ip = bytearray(frame[14:-4])
    ip[1] = ip[8] = ip[10] = ip[11] = 0xFF  # type of service, time to live, checksum
    ip[26] = ip[27] = 0xFF  # checksum of UDP
    ip[32] = 0xFF  # congestion marks of the BTH
    state = 0xFFFF_FFFF
    for byte in bytes(8 * [0xFF]) + bytes(ip):
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0xEDB8_8320 if state & 1 else 0)
    return struct.pack("<I", state ^ 0xFFFF_FFFF)


# The flag of registration that says that the switch must know the group, and the one of packets with addresses.
KNOWN = 8
ADDRESSES = 16


def registration(content):
    """Flags, place, total, first sequence number and nodes of a registration packet (cepheus:III-C.packet,
    cepheus:fig5, gleam:A.packet).
    """
    flags, part, parts = struct.unpack_from(">BHH", content)
    nodes = [content[place : place + 8] for place in range(8, len(content), 8)]
    assert len(content) % 8 == 0 and 0 < len(nodes) <= MOST_NODES
    members, stops = {}, []
    for node in nodes:
        assert node[0] in (0, 0x80)
        if node[0] == 0:
            host = int.from_bytes(node[4:], "big") - 0x0A00_0001
            assert host not in members
            members[host] = int.from_bytes(node[1:4], "big")
        else:
            stops.append((int.from_bytes(node[1:4], "big"), *struct.unpack(">HH", node[4:])))
    return flags, part, parts, int.from_bytes(content[5:8], "big"), members, stops


def addresses(content):
    """Address and key of each member of a packet that tells them (cepheus:III-B2.write)."""
    nodes = [content[place : place + 20] for place in range(8, len(content), 20)]
    assert 0 < len(nodes) <= (1500 - 20 - 8 - 8) // 20 and len(content) == 8 + 20 * len(nodes)
    assert all(node[0] == 0 for node in nodes)
    return {int.from_bytes(node[4:8], "big") - 0x0A00_0001: node[8:] for node in nodes}


@pytest.fixture(scope="module", params=CASES, ids=str)
def captured(request, lightloom, tmp_path_factory):
    case, folder = CASES[request.param], tmp_path_factory.mktemp("groups")
    (folder / "s.toml").write_text(case.text())
    (folder / "hall.toml").write_text(HALL)
    pcaps = [arg for i, link in enumerate(case.links) for arg in ("--pcap", f"{i}.pcapng:{link}")]
    command = [lightloom, "simulate", "s.toml", "--trace", "t.csv", "--out", "out", "--json", *pcaps]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert report["end"]["how"] == "done"
    by_link = {}
    for i in range(len(case.links)):
        path = folder / f"{i}.pcapng"
        for fields, (name, _, frame) in zip(dissect(path), packets(path), strict=True):
            assert fields["frame.interface_name"] == name
            by_link.setdefault(name, []).append((fields, frame))
    return case, folder, report, by_link


def kind(fields):
    """What a dissected packet is; of control of groups the port alone says so."""
    if fields["udp.dstport"] == str(REGISTRATION):
        return "control"
    assert fields["udp.dstport"] == "4791", fields
    opcode = number(fields["infiniband.bth.opcode"])
    if opcode == ACK:
        return "ack" if number(fields["infiniband.aeth.syndrome"]) == 0x1F else "nack"
    assert opcode == CNP or opcode in DATA, fields
    return "cnp" if opcode == CNP else "data"


def of_group(fields):
    """Whether a packet is one of the group and not of a flow beside it."""
    return "239.0.0.1" in (fields["ip.src"], fields["ip.dst"]) or kind(fields) == "control"


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_every_packet_is_dissected_and_has_its_check_sequence(captured):
    case, _, _, by_link = captured
    kinds = Counter()
    for fields, frame in (packet for all_of in by_link.values() for packet in all_of):
        assert fields["_ws.malformed"] == fields["_ws.expert.message"] == "", fields
        assert fields["ip.checksum.status"] == "1"
        kinds[kind(fields)] += 1
        if kind(fields) == "control":
            continue
        assert check_sequence(frame) == frame[-4:], fields
        # tshark 4.0 does not know notifications. It takes what goes to queue pair 1, where Cepheus has groups, for
        # management, and then shows no check sequence.
        if fields["infiniband.invariant.crc"]:
            assert number(fields["infiniband.invariant.crc"]) == int.from_bytes(frame[-4:], "big")
        else:
            assert kind(fields) == "cnp" or number(fields["infiniband.bth.destqp"]) == GROUP_QP
    assert kinds.keys() >= {"data", "ack", "control"} | case.expects, kinds


def test_links_carry_what_the_report_says(captured):
    case, folder, report, by_link = captured
    shown = {
        name: Counter(kind(fields) for fields, _ in all_of) for name, all_of in by_link.items()
    }
    # All packets, by kind: the trace has the receiving node and port of each.
    ways, trace = {}, {}
    for row in table(folder / "out/links.csv"):
        ways.setdefault(row["to"], {})[row["from"]] = f"{row['from_name']}>{row['to_name']}"
    names = {row["from"]: row["from_name"] for row in table(folder / "out/links.csv")}
    ports = {}
    for row in table(folder / "out/links.csv"):
        ports[row["from"], row["port"]] = f"{names[row['to']]}>{row['from_name']}"
    for row in table(folder / "t.csv"):
        if row["fate"] == "dead":
            continue
        name = ports.get((row["node"], row["port"]))
        what = row["kind"] if row["kind"] in ("data", "ack", "nack", "cnp", "pause") else "control"
        trace.setdefault(name, Counter())[what] += 1
    over_links = {name: count for name, count in shown.items() if name in trace}
    assert len(over_links) >= 2 * 3
    for name, count in over_links.items():
        assert count == trace[name], name
    # Data of the group, by link and branch.
    copies = Counter()
    for row in table(folder / "out/copies.csv"):
        copies[f"{row['from_name']}>{row['to_name']}"] += int(row["copies"])
    for name, all_of in by_link.items():
        data = sum(kind(fields) == "data" and of_group(fields) for fields, _ in all_of)
        assert data == copies[name], name
    # What the only sender sent, and the answers that reached it.
    if len({source for source, _ in case.messages}) == 1:
        leaf = case.links[0].split("<>")[0]
        up, down = shown[f"{case.sender}>{leaf}"], shown[f"{leaf}>{case.sender}"]
        (group,) = report["groups"]
        assert up["data"] == report["multicasts"][0]["sent"]
        told = {"ack": group["acks"], "nack": group["nacks"], "cnp": group["notifications"]}
        assert {what: down[what] for what in told} == told
        assert case.expects <= {what for what in told if told[what]}, told


def test_sequence_numbers_answers_and_payload(captured):
    case, _, report, by_link = captured
    first, total = [], 0
    for _, size in case.messages:
        first.append(total)
        total += -(-size // MTU)
    flows = 1 if "[[flow]]" in case.more else 0
    for name, all_of in by_link.items():
        expected, acknowledged = 0, 0
        for fields, frame in all_of:
            what = kind(fields)
            if what in ("control", "cnp") or not of_group(fields):
                continue
            psn = number(fields["infiniband.bth.psn"])
            if what != "data":
                # The next packet that is expected: after an ACK's number, at a NACK's.
                before = psn - FIRST + (what == "ack")
                before = (before - acknowledged + PSNS // 2) % PSNS - PSNS // 2 + acknowledged
                assert 0 <= before <= total, (name, what, psn)
                if what == "ack":
                    # A lost tail may be answered again, and never less than before.
                    assert before >= acknowledged
                    acknowledged = before
                assert int(fields["frame.len"]) == HEADER + AETH
                continue
            place = (psn - FIRST) % PSNS
            assert place < total
            message = max(i for i, start in enumerate(first) if start <= place)
            source, size = case.messages[message]
            packet, count = place - first[message], -(-size // MTU)
            is_last = packet == count - 1
            opcode = 10 if count == 1 else 6 if packet == 0 else 8 if is_last else 7
            assert number(fields["infiniband.bth.opcode"]) == opcode
            to_group = fields["ip.dst"] == "239.0.0.1"
            # cepheus:III-A.qp, gleam:3.3.qp; and cepheus:III-B2.bridge behind the last switch.
            queue_pair = number(fields["infiniband.bth.destqp"])
            assert (queue_pair == GROUP_QP) == to_group and (to_group or queue_pair >= FIRST_QP)
            if to_group:
                assert fields["ip.src"] == ip(source)
            else:
                assert fields["ip.src"] == "239.0.0.1"
            start = HEADER - 4 + (RETH if packet == 0 else 0)
            carried = payload(flows + message, packet * MTU, min(MTU, size - packet * MTU))
            assert frame[start:-4] == carried
            if not case.expects:
                # Nothing is lost, so all of it comes once and in order.
                assert expected <= place
                expected = place + 1
            if len({source for source, _ in case.messages}) == 1:
                assert acknowledged == 0, f"{name}: data and answers of one sender go opposite ways"
    assert all(message["completed"] == case.hosts - 1 for message in report["multicasts"])


def ip(host):
    return f"10.0.{(host + 1) >> 8}.{(host + 1) & 255}"


def test_registration_lists_every_member_once(captured):
    case, _, _, by_link = captured
    light = {"": 1, "links": 3, "light": 7}[case.light]
    leader = case.messages[0][0]
    queue_pairs, lists, told = {}, 0, {}
    before = [sum(-(-size // MTU) for _, size in case.messages[:i]) for i in range(len(case.messages))]
    starts = {(FIRST + count) % PSNS for count in before}
    for name, all_of in by_link.items():
        begun, parts_seen, listed = [], [], {}
        for fields, frame in all_of:
            if kind(fields) != "control":
                continue
            content = frame[14 + 20 + 8 :]
            # Confirmations and turns are 20 bytes, which no number of nodes is.
            if len(content) == 20:
                continue
            if content[0] & ADDRESSES:
                # They come after the members, whom the switch must know by then.
                assert content[0] & ~ADDRESSES & ~KNOWN == light
                for host, address in addresses(content).items():
                    assert told.setdefault(host, address) == address
                continue
            flags, part, parts, first, members, stops = registration(content)
            # A member lacks nothing of the runs of senders before.
            assert flags & ~KNOWN == light and first in starts and part < parts
            # No switch knows the group before its first registration.
            assert not flags & KNOWN or first != FIRST % PSNS
            assert bool(stops) <= bool(case.light)
            to_member = fields["ip.dst"] != "239.0.0.1"
            assert fields["ip.src"] == ip(leader)
            if to_member:
                # The last way is to the member that the packet lists.
                ((host, queue_pair),) = members.items()
                assert fields["ip.dst"] == ip(host) and (part, parts) == (0, 1)
                queue_pairs[host] = queue_pair
                continue
            begun.append(part)
            parts_seen.append(parts)
            for host, queue_pair in members.items():
                assert listed.setdefault(host, queue_pair) == queue_pair
        if begun:
            # The packets of a registration come in order, each with the total.
            times = begun.count(0)
            assert begun == list(range(parts_seen[0])) * times and set(parts_seen) == {parts_seen[0]}
            lists += 1
            if name.startswith(case.sender + ">"):
                # The leader lists all others, and the switches that light stops at.
                assert len(listed) >= case.hosts - 1
                assert parts_seen[0] == -(-_nodes(case) // MOST_NODES)
            queue_pairs.update({host: pair for host, pair in listed.items() if host not in queue_pairs})
    assert lists > 0 and len(queue_pairs) >= case.hosts - 1
    # Members get data at the queue pairs that were registered.
    for all_of in by_link.values():
        for fields, frame in all_of:
            if kind(fields) == "data" and of_group(fields) and fields["ip.dst"] != "239.0.0.1":
                host = sum(int(part) << 8 * i for i, part in enumerate(reversed(fields["ip.dst"].split(".")[2:]))) - 1
                assert number(fields["infiniband.bth.destqp"]) == queue_pairs[host]
                # A WRITE begins at the address that the member has told, with its key.
                if frame[14 + 20 + 8] in (6, 10):
                    assert frame[14 + 20 + 8 + 12 :][:12] == told[host]


def _nodes(case):
    """Members, and with light the switches that it stops at."""
    return case.hosts + (8 if case.light else 0)
