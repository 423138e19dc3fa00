"""Captures of links: tshark dissects every packet, and each is what the trace of the run and the flows of its
scenario say.
"""

import csv
import json
import subprocess

import pytest

from capture import (
    AETH, FIRST_QP, HEADER, PRIORITY, RETH, Flow, Model, check_sequence, dissect, number, packets, payload,
)  # fmt: skip

MTU = 1024
ACK, CNP = 0x11, 0x81
DSCP = {"control": 48, "lossless": 26, "lossy": 0}
ECN = {"not": 0, "capable": 2, "marked": 3}

SIZES = [1, 7, 1023, 1024, 1025, 2048, 5001, 30_000]
MIXED = [Flow(i % 4, (i + 1 + i % 3) % 4, size, ["write", "send"][i % 2]) for i, size in enumerate(SIZES)]
SHARED = [
    Flow(i % 2 * 3, 3 - i % 2 * 3, 700 * i + 1, ["send", "write"][i // 2 % 2], "both ways") for i in range(12)
]
INCAST = [Flow(i, 3, 400_000, "write") for i in range(3)]
LOST = "[[loss]]\nlink = [\"leaf 1\", \"spine 0\"]\nrate = 0.05\n"
NEAR_THE_END = 'first_psn = 16777212\n'
SELECTIVE = 'recovery = "selective-repeat"\n'
MARKING = '[parameters.ecn]\nat = "100 Gb/s"\nkmin = "10 kB"\nkmax = "60 kB"\n'
PAUSING = '[parameters.switch]\nbuffer_per_port = "60 kB"\n'

CASES = {
    "messages of all sizes": (MIXED, "", ""),
    "connections both ways, numbers wrap": (SHARED, NEAR_THE_END, ""),
    "one answer for four": (MIXED + SHARED, "ack_every = 4\n", ""),
    "losses, go-back-n": (MIXED + SHARED, NEAR_THE_END, LOST),
    "losses, selective repeat": (INCAST, NEAR_THE_END + SELECTIVE, LOST),
    "wrong bits": (MIXED + INCAST, "", LOST + "corrupt = true\n"),
    "marks and notifications": (INCAST, "", MARKING),
    "pauses": (INCAST, "", PAUSING),
    "drops of the lossy class": (
        [Flow(i, 3, 200_000, "send", None, True) for i in range(3)], "timeout = \"100 us\"\n", PAUSING,
    ),
}  # fmt: skip
LINKS = ["host 0<>leaf 0", "leaf 1>3", "leaf 1 <> spine 0"]


def run(lightloom, folder, flows, transport, more):
    scenario = f"""version = 1
until = "20 ms"
[network]
kind = "leaf-spine"
leaves = 2
spines = 1
hosts_per_leaf = 2
rate = "100 Gb/s"
delay = "1 us"
[parameters.wire]
mtu = "{MTU} B"
[parameters.transport]
{transport}{more}
"""
    (folder / "s.toml").write_text(scenario + "\n".join(map(str, flows)))
    pcaps = [arg for i, link in enumerate(LINKS) for arg in ("--pcap", f"{i}.pcapng:{link}")]
    command = [lightloom, "simulate", "s.toml", "--trace", "trace.csv", "--out", "out", "--json", *pcaps]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["end"]["how"] == "done"
    names, arrive, ways = {}, {}, []
    with open(folder / "out/links.csv", newline="") as file:
        for row in csv.DictReader(file):
            names[int(row["from"])] = row["from_name"]
            arrive[int(row["from"]), int(row["port"])] = int(row["to"])
            ways.append(row)
    trace = {}
    with open(folder / "trace.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["fate"] == "dead":
                continue
            here = int(row["node"])
            sender = arrive[here, int(row["port"])]
            trace.setdefault(f"{names[sender]}>{names[here]}", []).append((sender, row))
    sent = {f"{names[int(row['from'])]}>{names[int(row['to'])]}": row for row in ways}
    return trace, sent


@pytest.fixture(scope="module", params=CASES, ids=str)
def captured(request, lightloom, tmp_path_factory):
    flows, transport, more = CASES[request.param]
    folder = tmp_path_factory.mktemp("captured")
    trace, sent = run(lightloom, folder, flows, transport, more)
    settings = dict(line.split(" = ") for line in transport.splitlines())
    first_psn, ack_every = int(settings.get("first_psn", 0)), int(settings.get("ack_every", 1))
    model = Model(flows, MTU, first_psn, ack_every)
    return request.param, folder, (trace, sent), model


def test_every_packet_is_what_the_trace_says(captured):
    case, folder, (trace, sent), model = captured
    kinds, wrong = {}, 0
    for i, link in enumerate(LINKS):
        path = folder / f"{i}.pcapng"
        shown, raw = dissect(path), packets(path)
        assert len(shown) == len(raw)
        interfaces = {name for name, _, _ in raw}
        assert len(interfaces) == (2 if "<>" in link else 1), interfaces
        rows = {name: iter(trace[name]) for name in interfaces}
        acknowledged = {}
        for fields, (name, at, frame) in zip(shown, raw, strict=True):
            sender, row = next(rows[name])
            assert fields["frame.interface_name"] == name
            assert at == int(row["time_ps"]) // 1000
            assert int(fields["frame.len"]) == len(frame) == int(row["bytes"]) - 4
            assert fields["_ws.malformed"] == "", fields
            kinds[row["kind"]] = kinds.get(row["kind"], 0) + 1
            if row["kind"] == "pause":
                check_pause(fields, sender, row)
                continue
            flow = model.flows[int(row["flow"])]
            answered = row["kind"] != "data"
            ends = (flow.to, flow.source) if answered else (flow.source, flow.to)
            check_headers(fields, row, flow, ends, model)
            good = check_sequence(frame) == frame[-4:]
            # tshark 4.0 does not know notifications.
            if row["kind"] != "cnp":
                shown_crc = number(fields["infiniband.invariant.crc"])
                assert shown_crc == int.from_bytes(frame[-4:], "big")
            wrong += not good
            if answered:
                check_answer(fields, row, model, acknowledged, good, "selective" in case)
            else:
                check_data(fields, row, model, frame, good)
        assert all(next(left, None) is None for left in rows.values())
        # What a link carried is what its capture has, to the byte; a capture lacks the check sequence of Ethernet.
        for name in interfaces:
            row, frames = sent[name], [frame for interface, _, frame in raw if interface == name]
            assert len(frames) == int(row["received"]) == int(row["sent"]) - int(row["lost"]) - int(row["in_flight"])
            if len(frames) == int(row["sent"]):
                assert sum(map(len, frames)) + 4 * len(frames) == int(row["sent_bytes"]), name
    expected = {
        "losses, go-back-n": {"nack"},
        "losses, selective repeat": {"nack"},
        "wrong bits": {"nack"},
        "marks and notifications": {"cnp"},
        "pauses": {"pause"},
    }
    assert kinds.keys() >= {"data", "ack"} | expected.get(case, set()), kinds
    assert (wrong > 0) == (case == "wrong bits"), wrong


def check_pause(fields, sender, row):
    assert fields["eth.src"] == f"02:00:00:00:00:{sender:02x}"
    assert fields["eth.dst"] == "01:80:c2:00:00:01"
    assert number(fields["macc.opcode"]) == 0x0101
    assert number(fields["macc.cbfc.enbv"]) == 1 << PRIORITY
    assert int(fields[f"macc.cbfc.pause_time.c{PRIORITY}"]) == int(row["psn"])


def check_headers(fields, row, flow, ends, model):
    source, to = ends
    assert (fields["ip.src"], fields["ip.dst"]) == (f"10.0.0.{source + 1}", f"10.0.0.{to + 1}")
    assert (fields["eth.src"][-2:], fields["eth.dst"][-2:]) == (f"{source:02x}", f"{to:02x}")
    assert fields["ip.checksum.status"] == "1", "the checksum of IPv4 is good"
    assert fields["udp.dstport"] == "4791"
    kind = ("lossy" if flow.lossy else "lossless") if row["kind"] == "data" else "control"
    assert int(fields["ip.dsfield.dscp"]) == DSCP[kind]
    assert int(fields["ip.dsfield.ecn"]) == ECN[row["ecn"]]
    assert number(fields["infiniband.bth.p_key"]) == 0xFFFF
    assert number(fields["infiniband.bth.padcnt"]) == 0
    queue_pairs = model.queue_pairs[int(row["flow"])]
    assert number(fields["infiniband.bth.destqp"]) == queue_pairs[to] >= FIRST_QP


def check_data(fields, row, model, frame, good):
    flow, psn = int(row["flow"]), int(row["psn"])
    opcode, solicited, asks, reth, offset, length = model.data(flow, psn)
    assert number(fields["infiniband.bth.psn"]) == psn
    assert number(fields["infiniband.bth.opcode"]) == opcode
    assert fields["infiniband.bth.se"] == str(int(solicited))
    assert fields["infiniband.bth.a"] == str(int(asks))
    names = ["va", "r_key", "dmalen"]
    shown = [fields[f"infiniband.reth.{name}"] for name in names]
    assert ([number(value) for value in shown] if shown[0] else None) == (list(reth) if reth else None)
    start = HEADER - 4 + (RETH if reth else 0)
    assert len(frame) == start + length + 4
    carried = payload(flow, offset, length)
    assert (frame[start:-4] == carried) == good
    if not good:
        changed = [a ^ b for a, b in zip(frame[start:-4], carried, strict=True) if a != b]
        assert len(changed) == 1 and changed[0].bit_count() == 1
        assert check_sequence(frame[:start] + carried + frame[-4:]) == frame[-4:]


def check_answer(fields, row, model, acknowledged, good, selective):
    opcode, psn = number(fields["infiniband.bth.opcode"]), number(fields["infiniband.bth.psn"])
    assert (fields["infiniband.bth.a"], fields["infiniband.bth.se"]) == ("0", "0")
    if row["kind"] == "cnp":
        assert (opcode, psn) == (CNP, 0)
        return
    assert opcode == ACK and int(fields["frame.len"]) == HEADER + AETH
    shown = number(fields["infiniband.aeth.syndrome"])
    before = int(row["psn"])
    complete = model.complete(int(row["flow"]), before, acknowledged)
    if row["kind"] == "ack":
        assert psn == (before - 1) % (1 << 24)
        assert number(fields["infiniband.aeth.syndrome.opcode"]) == 0 and shown == 0x1F
    else:
        assert psn == before
        assert number(fields["infiniband.aeth.syndrome.opcode"]) == 3 and shown == 0x60
        assert number(fields["infiniband.aeth.syndrome.error_code"]) == 0, "a sequence error"
    if good and not (row["kind"] == "nack" and selective):
        assert number(fields["infiniband.aeth.msn"]) == complete
