"""The interfaces of fabric ports, checked from the inventories and ``ports.csv`` alone. Standard library only."""

import csv
import random
import re
import subprocess
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def plan(binary, folder, *arguments):
    out = folder / "plan"
    line = [binary, "plan", *map(str, arguments), "--out", out]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    return done, out


def is_used(row):
    """Whether an exported interface is in use or reserved, by the cells of its row."""
    marks = ("Cable", "Link Peers", "LAG")
    said = any(row.get(column, "") not in ("", "—") for column in marks)
    return (
        said
        or row.get("Mark Connected") == "True"
        or row.get("Management Only") == "True"
        or "reserved" in row.get("Tags", "").lower().split(",")
    )


def number(name):
    return [int(digits) for digits in re.findall(r"\d+", name)]


def check(out, devices, interfaces, role, kind, fan_out):
    """Every port has a free interface of its own on the switch of its rack, and labels name it."""
    ports, cables = rows(out / "ports.csv"), rows(out / "cables.csv")
    rack_of = {row["Name"]: (row["Rack"], row["Position"]) for row in devices if row["Role"] == role}
    listed = {(row["Device"], row["Name"]): row for row in interfaces}
    assert len(listed) == len(interfaces)
    chosen, end = {}, {}
    for port in ports:
        key = port["device"], port["interface"]
        assert key in listed and key not in chosen, port
        assert not is_used(listed[key]) and listed[key]["Type"] == kind, listed[key]
        assert rack_of[port["device"]] == (port["name"], port["unit"]), port
        assert port["tx"] == ("lit" if port["port"] == "0" else "off")
        chosen[key] = port
        unit = int(port["unit"])
        end[port["tor"], port["port"]] = f"{port['name']}-{unit:02}:{port['interface']}"
    for tor in {port["tor"] for port in ports}:
        own = [port for port in ports if port["tor"] == tor]
        names = [port["interface"] for port in own]
        assert len({port["device"] for port in own}) == 1 and len(own) == fan_out
        # No free interface before the last chosen one is passed over.
        free = [
            name
            for (device, name), row in listed.items()
            if device == own[0]["device"] and not is_used(row) and row["Type"] == kind
        ]
        assert names == sorted(free, key=number)[:fan_out]
    for cable in cables:
        near, far = cable["near_label"].split(" / ")
        assert cable["far_label"] == f"{far} / {near}"
        if cable["kind"] == "feed":
            assert near == end[cable["from_tor"], "0"]
        else:
            assert far == end[cable["to_tor"], cable["to_port"]]


def test_the_example(lightloom, tmp_path):
    done, out = plan(lightloom, tmp_path, EXAMPLES / "netbox-24.toml")
    assert done.returncode == 0, done.stderr
    devices = [
        row
        for row in rows(EXAMPLES / "netbox-devices.csv")
        if row["Site"] == "Harbor Hall" and row["Rack"]
    ]
    names = {row["Name"] for row in devices}
    interfaces = [row for row in rows(EXAMPLES / "netbox-interfaces.csv") if row["Device"] in names]
    check(out, devices, interfaces, "Leaf", "SFP28 (25GE)", 2)


@pytest.mark.parametrize("seed", range(12))
def test_random_inventories(lightloom, tmp_path, seed):
    """Plans exist exactly if every switch has enough free interfaces."""
    draw = random.Random(seed)
    fan_out = draw.choice([2, 3])
    tors = fan_out * draw.randrange(2, 6)
    racks, devices, interfaces = [], [], []
    for i in range(tors):
        rack = f"R{i}"
        racks.append({"name": rack, "row": f"Row {i % 3}", "position": i // 3 + 1})
        unit = draw.randrange(10, 42)
        switch = f"sw{i}"
        devices.append({"Name": switch, "Rack": rack, "Position": unit, "Role": "ToR", "U Height": 1})
        devices.append({"Name": f"h{i}", "Rack": rack, "Position": 1, "Role": "Server", "U Height": 4})
        numbers = draw.sample(range(1, 100), draw.randrange(6, 20))
        for n in numbers:
            use = draw.random()
            interfaces.append(
                {
                    "Device": switch,
                    "Name": f"et-0/0/{n}",
                    "Type": draw.choice(["SFP28 (25GE)"] * 3 + ["QSFP28 (100GE)", "SFP+ (10GE)"]),
                    "Cable": "#5" if use < 0.15 else "",
                    "Mark Connected": str(0.15 < use < 0.25),
                    "Management Only": str(0.25 < use < 0.3),
                    "LAG": "ae0" if 0.3 < use < 0.35 else "",
                    "Tags": "a,Reserved" if 0.35 < use < 0.45 else "",
                }
            )
    draw.shuffle(interfaces)
    for name, table in (("racks", racks), ("devices", devices), ("interfaces", interfaces)):
        with open(tmp_path / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(table[0]))
            writer.writeheader()
            writer.writerows(table)
    files = [f"--{flag}={tmp_path / name}.csv" for flag, name in
             (("inventory", "racks"), ("devices", "devices"), ("interfaces", "interfaces"))]
    done, out = plan(
        lightloom, tmp_path, "--family", "kautz", "--p", fan_out, *files, "--tor-role", "tor",
        "--tor-reserved", "reserved", "--transceiver", "25gbase-er", "--pad", "auto", "--accept", "best",
    )
    free = {
        f"sw{i}": sum(
            row["Device"] == f"sw{i}" and not is_used(row) and row["Type"] == "SFP28 (25GE)"
            for row in interfaces
        )
        for i in range(tors)
    }
    if min(free.values()) < fan_out:
        assert done.returncode == 2 and "are free and fit" in done.stderr, done.stderr
    else:
        assert done.returncode == 0, done.stderr
        devices = [{key: str(value) for key, value in row.items()} for row in devices]
        check(out, devices, interfaces, "ToR", "SFP28 (25GE)", fan_out)
