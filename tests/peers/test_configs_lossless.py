"""The lossless class of the unicast ports: tables of SONiC and lines of EOS, read by what reads only them."""

import csv
import json
import math
import re

import jsonpatch
import pytest
from diff_designs import DESIGN, PARTS, Designs, files_of, manifests, tors_of
from eos import Eos
from pyavd import get_device_config, validate_inputs

GROUPS = """version = 1
[lossless]
buffer = "32 MB"
cell = "{cell} B"
ecn_min = "{least} kB"
ecn_max = "1600 kB"
ecn_percent = 20
[servers]
per_tor = 2
rate = "100 Gbps"
cable = "{cable} m"
[[uplink]]
tor = "all"
interface = "Ethernet32"
rate = "400 Gbps"
cable = "150 m"
[[group]]
name = "all"
members = ["all"]
"""
# IEEE 802.3, 31B.3.7: quanta of 512 bits between a pause and the last frame that begins.
QUANTA = {100: 394, 400: 905}

# What SONiC's models allow in a table: keys, and a pattern for each field. Written by hand from sonic-yang-models.
BYTES = r"\d{1,19}"
MAP = r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}"
ONE = r"([0-7](,[0-7])*)?"
MODELS = {
    "DSCP_TO_TC_MAP": (MAP, {r"6[0-3]|[1-5][0-9]?|[0-9]": r"[0-7]"}),
    "TC_TO_PRIORITY_GROUP_MAP": (MAP, {r"[0-7]": r"[0-7]"}),
    "TC_TO_QUEUE_MAP": (MAP, {r"[0-7]": r"[0-9]"}),
    "MAP_PFC_PRIORITY_TO_QUEUE": (MAP, {r"[0-7]": r"[0-7]"}),
    "PORT_QOS_MAP": (
        r"Ethernet\d+",
        {r"dscp_to_tc_map|tc_to_pg_map|tc_to_queue_map|pfc_to_queue_map": MAP, r"pfc_enable|pfcwd_sw_enable": ONE},
    ),
    "BUFFER_POOL": (r"\w+", {"type": "ingress|egress|both", "mode": "static|dynamic", "size|xoff": BYTES}),
    "BUFFER_PROFILE": (r"\w+", {"pool": r"\w+", "size|xon|xoff|static_th": BYTES, "dynamic_th": r"-[1-8]|[0-7]"}),
    "BUFFER_PG": (r"Ethernet\d+\|[0-7](-[0-7])?", {"profile": r"\w+"}),
    "BUFFER_QUEUE": (r"Ethernet\d+\|[0-9]", {"profile": r"\w+"}),
    "QUEUE": (r"Ethernet\d+\|[0-9]", {"wred_profile": MAP}),
    "CABLE_LENGTH": (MAP, {r"Ethernet\d+": r"\d+m|None"}),
    "WRED_PROFILE": (
        MAP,
        {
            "ecn": "ecn_all",
            r"wred_(green|yellow|red)_enable": "true|false",
            r"(green|yellow|red)_(min|max)_threshold": BYTES,
            r"(green|yellow|red)_drop_probability": r"100|[1-9]?[0-9]",
        },
    ),
    "PFC_WD": (
        r"GLOBAL|Ethernet\d+",
        {"action": "drop|forward|alert", "detection_time|restoration_time": r"\d{3,4}", "POLL_INTERVAL": r"\d{3,4}"},
    ),
}


@pytest.fixture
def folder(lightloom, tmp_path):
    return lambda dialect: Designs(lightloom, tmp_path, dialect)


def of_groups(designs, name, cable=3, cell=256, least=400):
    path = designs.folder / f"{name}.toml"
    path.write_text(GROUPS.format(cable=cable, cell=cell, least=least))
    return path


def written(designs, groups, name="configs", k=2):
    names = 'interfaces = [{ names = "Ethernet{1-32}", rate = "100 Gb/s", connector = "lc" }]'
    fast = '{ names = "Ethernet{32-32}", rate = "400 Gb/s", connector = "lc" }'
    assert names in PARTS
    parts = PARTS.replace("32 x 100 Gb/s", '31 x 100 Gb/s", "1 x 400 Gb/s')
    parts = parts.replace(names, names.replace("1-32", "1-31").replace(" }]", f" }}, {fast}]"))
    (designs.folder / "own.toml").write_text(parts)
    design = designs.folder / "design.toml"
    design.write_text(DESIGN.format(p=2, k=k, transceiver="coded"))
    out = designs.folder / name
    designs.run("configs", design, "--dialect", designs.dialect, "--groups", groups, "--out", out)
    return out


def rolled(designs, old, new):
    """The folder of the rollout from one file of groups to another, for a plan of the design that was written."""
    plan, rollout = designs.folder / "plan", designs.folder / "rollout"
    designs.run("plan", designs.folder / "design.toml", "--out", plan)
    asked = ("configs", "diff", plan, plan, "--dialect", designs.dialect)
    designs.run(*asked, "--old-groups", old, "--groups", new, "--out", rollout)
    return rollout


def headroom(gbps, cable, cell):
    """Bytes by hand: frames of 9,100 with header, tag and check sequence, preamble and gap; 4.9 ns a metre."""
    frame = 9100 + 14 + 4 + 4
    cable_bytes = math.ceil(2 * cable * 4.9e-9 * gbps * 1e9 / 8 - 1e-6)
    needs = cable_bytes + 2 * (frame + 20) + 64 + 20 + 64 * QUANTA[gbps] + 820
    return needs, math.ceil(needs / frame) * math.ceil(frame / cell)


@pytest.mark.parametrize(("cable", "cell"), [(3, 256), (30, 96), (1.5, 208)])
def test_tables_of_sonic(folder, cable, cell):
    designs = folder("sonic")
    out = written(designs, of_groups(designs, "groups", cable, cell))
    told = json.loads((out / "configs.json").read_text())["lossless"]
    sheet = {(row["tor"], row["interface"]): row for row in csv.DictReader((out / "lossless.csv").open())}
    assert len(sheet) == 8 * 3 == told["ports"] and told["unknown"] == 0
    for tor in range(8):
        tables = json.loads((out / f"tor-{tor}.config_db.json").read_text())
        for table, (key, fields) in MODELS.items():
            for row, values in tables[table].items():
                assert re.fullmatch(key, row), (table, row)
                for field, value in values.items():
                    known = [allowed for name, allowed in fields.items() if re.fullmatch(name, field)]
                    assert len(known) == 1 and re.fullmatch(known[0], value), (table, row, field, value)
        # Every name is that of a row.
        maps = {"dscp_to_tc_map": "DSCP_TO_TC_MAP", "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP"}
        maps |= {"tc_to_queue_map": "TC_TO_QUEUE_MAP", "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE"}
        ports = set(tables["PORT_QOS_MAP"])
        assert ports == {name for at, name in sheet if at == str(tor)}
        for port, row in tables["PORT_QOS_MAP"].items():
            assert all(row[field] in tables[table] for field, table in maps.items())
            # A packet of the class goes by one priority all the way; no other code has it.
            codes = tables["DSCP_TO_TC_MAP"][row["dscp_to_tc_map"]]
            assert len(codes) == 64 and {code for code, tc in codes.items() if tc == "3"} == {"26"}
            assert {code for code, tc in codes.items() if tc == "6"} == {"48"}
            groups = tables["TC_TO_PRIORITY_GROUP_MAP"][row["tc_to_pg_map"]]
            assert groups["3"] == "3" and "3" not in {group for tc, group in groups.items() if tc != "3"}
            assert tables["TC_TO_QUEUE_MAP"][row["tc_to_queue_map"]]["3"] == "3"
            assert tables["MAP_PFC_PRIORITY_TO_QUEUE"][row["pfc_to_queue_map"]]["3"] == "3"
            assert row["pfc_enable"] == row["pfcwd_sw_enable"] == "3" and port in tables["PFC_WD"]
            # Headroom by hand.
            at = sheet[str(tor), port]
            gbps, length = int(at["rate_bps"]) // 10**9, float(at["cable_m"])
            needs, cells = headroom(gbps, length, cell)
            assert (int(at["needs_bytes"]), int(at["cells"])) == (needs, cells)
            profile = tables["BUFFER_PROFILE"][tables["BUFFER_PG"][f"{port}|3"]["profile"]]
            assert int(profile["xoff"]) == int(at["headroom_bytes"]) == cells * cell
            assert int(profile["size"]) == int(profile["xoff"]) + int(profile["xon"])
            assert profile["pool"] in tables["BUFFER_POOL"]
            assert tables["CABLE_LENGTH"]["AZURE"][port] == f"{math.ceil(length)}m"
            marks = tables["WRED_PROFILE"][tables["QUEUE"][f"{port}|3"]["wred_profile"]]
            assert int(marks["green_min_threshold"]) == 400_000 < int(marks["green_max_threshold"]) == 1_600_000
            on_the_way_out = tables["BUFFER_PROFILE"][tables["BUFFER_QUEUE"][f"{port}|3"]["profile"]]
            assert tables["BUFFER_POOL"][on_the_way_out["pool"]]["type"] == "egress"
        # What ports have for themselves and what they share is the buffer.
        profiles = [tables["BUFFER_PROFILE"][row["profile"]] for row in tables["BUFFER_PG"].values()]
        shared = int(tables["BUFFER_POOL"]["ingress_lossless_pool"]["size"])
        reserved = sum(int(profile["size"]) for profile in profiles)
        assert shared + reserved == 32_000_000 and reserved == told["reserved_bytes"]
        # Marks begin before pauses: with a share of 1/8 of what is free a group alone holds a ninth.
        assert shared // 9 == told["pauses_at_bytes"] > 1_600_000
        # No fibre of a splitter has any of it.
        fibres = {
            row["interface"]
            for row in csv.DictReader((out / "switch-ports.csv").open())
            if row["tor"] == str(tor) and row["use"] not in ("server", "unicast")
        }
        assert len(fibres) == 2 and not fibres & ports
        keys = [key for table in MODELS for key in tables[table]] + list(tables["CABLE_LENGTH"]["AZURE"])
        assert not any(key.split("|")[0] in fibres for key in keys)


def test_other_cables_are_patched_and_back(folder):
    designs = folder("sonic")
    groups = [of_groups(designs, "old", 3), of_groups(designs, "new", 40, least=300)]
    outs = [written(designs, each, f"configs-{each.stem}") for each in groups]
    rollout = rolled(designs, *groups)
    there, back = manifests(rollout)
    assert [phase["name"] for phase in there["phases"]] == ["ports"]
    # The fabric loses no packet, because no light changes.
    assert there["phases"][0]["loses"] == {}
    one, other = (tors_of(out, "config_db.json") for out in outs)
    assert len(one) == 8
    for tor, text in one.items():
        now = json.loads(text)
        for manifest, wanted in ((there, other[tor]), (back, text)):
            patches = [patch for _, texts in files_of(rollout, manifest, tor) for patch in texts]
            assert len(patches) == 1
            now = jsonpatch.JsonPatch(json.loads(patches[0])).apply(now)
            assert now == json.loads(wanted)
    # A class that was not there cannot be patched in.
    plain = designs.folder / "groups.toml"
    with pytest.raises(AssertionError, match=r"old-groups"):
        rolled(designs, plain, groups[1])


def test_lines_of_eos(folder):
    designs = folder("eos")
    out = written(designs, of_groups(designs, "groups"))
    text = (out / "tor-0.eos").read_text()
    eos = Eos.read(out / "tor-0.eos")
    wanted = ["qos trust dscp", "priority-flow-control on", "priority-flow-control priority 3 no-drop"]
    for port in ("Ethernet3", "Ethernet4", "Ethernet32"):
        assert [line for line in eos.interfaces[port] if line in wanted] == wanted
    for fibre in ("Ethernet1", "Ethernet2"):
        assert "no priority-flow-control" in eos.interfaces[fibre]
        assert not set(wanted) & set(eos.interfaces[fibre])
    said = {
        "hostname": "tor",
        "qos": {"map": {"dscp": ["26 to traffic-class 3", "48 to traffic-class 6"]}},
        "priority_flow_control": {"watchdog": {"action": "drop", "timeout": "0.200", "recovery_time": "0.200"}},
        "ethernet_interfaces": [
            {
                "name": "Ethernet32",
                "qos": {"trust": "dscp"},
                "priority_flow_control": {"enabled": True, "priorities": [{"priority": 3, "no_drop": True}]},
            }
        ],
    }
    assert not getattr(validate_inputs(said), "validation_errors", [])
    lines = get_device_config(said).splitlines()
    for line in lines:
        if line not in ("!", "", "hostname tor"):
            assert line in text.splitlines(), line
    lacks = {lack["what"] for lack in json.loads((out / "configs.json").read_text())["not_expressed"]}
    assert {"headroom", "marks"} <= lacks


def loaded(text, configs=None):
    """The lines of each block, as a switch would keep them; `no` and `default` take lines away."""
    now, block = configs if configs is not None else {}, None
    for line in text.splitlines():
        if line.startswith("!") or not line.strip():
            continue
        if not line.startswith(" "):
            block = line if line.startswith("interface ") else None
            if line.startswith("default interface "):
                now[line.removeprefix("default ")] = []
            elif block:
                now.setdefault(block, [])
            elif line.startswith(("qos map", "priority-flow-control")):
                now.setdefault("", []).append(line)
            elif line.startswith(("no qos map", "no priority-flow-control")):
                now[""] = [old for old in now.get("", []) if not old.startswith(line.removeprefix("no "))]
        elif block:
            word = line.strip()
            if word.startswith(("no priority-flow", "no qos")) and now[block]:
                head = word.removeprefix("no ")
                now[block] = [old for old in now[block] if not old.startswith(head)]
                if block != "interface Ethernet32":
                    now[block].append(word)
            elif word not in now[block]:
                now[block].append(word)
    return {name: sorted(set(lines)) for name, lines in now.items() if lines}


@pytest.mark.parametrize("old", ["nothing", "another priority"])
def test_eos_gets_and_loses_the_class_by_sessions(folder, old):
    designs = folder("eos")
    plain = designs.folder / "plain.toml"
    text = of_groups(designs, "groups").read_text()
    servers = '[servers]\nper_tor = 2\n[[group]]\nname = "all"\nmembers = ["all"]\n'
    other = text.replace("ecn_percent", "priority = 4\ndscp = 34\necn_percent")
    plain.write_text(text[: text.index("[lossless]")] + servers if old == "nothing" else other)
    outs = {name: written(designs, designs.folder / f"{name}.toml", f"configs-{name}") for name in ("plain", "groups")}
    rollout = rolled(designs, plain, designs.folder / "groups.toml")
    there, back = manifests(rollout)
    assert [phase["name"] for phase in there["phases"]] == ["ports"]
    for tor in (0, 7):
        one, other = (loaded((outs[name] / f"tor-{tor}.eos").read_text()) for name in ("plain", "groups"))
        assert one != other
        now = loaded((outs["plain"] / f"tor-{tor}.eos").read_text())
        for manifest, wanted in ((there, other), (back, one)):
            lines = [text for _, texts in files_of(rollout, manifest, tor) for text in texts]
            assert lines
            for session in lines:
                assert "interface Ethernet32\n   shutdown" not in session
                now = loaded(session, {name: list(old) for name, old in now.items()})
            # Servers' lists depend on the gate, which stays open in a rollout and is closed in the files.
            gates = lambda tables: {  # noqa: E731
                name: [line for line in lines if "access-group" not in line] for name, lines in tables.items()
            }
            assert gates(now) == gates(wanted)


def test_eos_says_that_headroom_and_marks_are_not_in_its_sessions(folder):
    designs = folder("eos")
    groups = [of_groups(designs, "old"), of_groups(designs, "new", 40, least=300)]
    written(designs, groups[0])
    there, _ = manifests(rolled(designs, *groups))
    (lack,) = [lack for lack in there["not_expressed"] if lack["what"] == "phase ports"]
    assert lack["switches"] == 8 and "headroom and marks" in lack["why"]


@pytest.mark.parametrize("dialect", ["sonic", "eos"])
def test_new_switches_get_the_class_with_their_first_rules(folder, dialect):
    designs = folder(dialect)
    groups = of_groups(designs, "groups")
    outs = []
    for k in (2, 3):
        outs.append(written(designs, groups, f"configs-{k}", k))
        designs.run("plan", designs.folder / "design.toml", "--out", designs.folder / f"plan-{k}")
    rollout = designs.folder / "rollout"
    asked = ("configs", "diff", designs.folder / "plan-2", designs.folder / "plan-3", "--dialect", dialect)
    designs.run(*asked, "--groups", groups, "--out", rollout)
    there, _ = manifests(rollout)
    old, new = (tors_of(out, "config_db.json" if dialect == "sonic" else "eos") for out in outs)
    assert len(old) == 8 and len(new) == 24
    for tor, wanted in new.items():
        texts = [text for _, texts in files_of(rollout, there, tor) for text in texts]
        if dialect == "sonic":
            # A new switch loads its whole file, and has no patch; the others keep their class.
            assert bool(texts) == (tor in old)
            now = json.loads(old.get(tor, wanted))
            for text in texts:
                now = jsonpatch.JsonPatch(json.loads(text)).apply(now)
            assert now == json.loads(wanted) and "3" in {row["pfc_enable"] for row in now["PORT_QOS_MAP"].values()}
            continue
        now = loaded(old.get(tor, ""))
        for text in texts:
            now = loaded(text, {name: list(lines) for name, lines in now.items()})
        of_class = lambda lines: sorted(line for line in lines if re.match("(no )?(priority-flow|qos)", line))  # noqa: E731
        wanted = loaded(wanted)
        assert {name: of_class(lines) for name, lines in now.items()} == {
            name: of_class(lines) for name, lines in wanted.items()
        }
        assert "priority-flow-control priority 3 no-drop" in now["interface Ethernet32"]
        assert "qos map dscp 26 to traffic-class 3" in now[""]
