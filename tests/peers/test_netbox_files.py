"""Import files for NetBox against the columns of its forms, and traces of every receiver against `cables.csv`.

Standard library only. `netbox_files.py` knows NetBox's rules and none of our code.
"""

import csv
import json
import subprocess

import pytest

from netbox_files import Netbox, Refused

SHUFFLECAST = ["--family", "shufflecast", "--p", "4", "--k", "2"]
KAUTZ = ["--family", "kautz", "--p", "3", "--tors", "20"]
ZONE = ["--housing", "zone", "--cabling", "trunked"]
PLANS = {
    "sender": [*SHUFFLECAST],
    "receiver": [*SHUFFLECAST, "--housing", "receiver"],
    "wide splitters": ["--family", "kautz", "--p", "16", "--tors", "32"],
    "zone": [*KAUTZ, "--housing", "zone"],
    "logical ToRs": [*SHUFFLECAST, "--logical", "8"],
    "logical ToRs, receiver": [*SHUFFLECAST, "--logical", "5", "--housing", "receiver"],
    "logical ToRs, trunked": [*KAUTZ, *ZONE, "--logical", "3"],
    "trunked": [*KAUTZ, *ZONE],
    "shuffle modules": [*SHUFFLECAST, *ZONE, "--shuffle", "modules"],
    "irregular": ["--family", "kautz", "--p", "4", "--tors", "13", *ZONE, "--shuffle", "modules"],
}


def run(lightloom, *args):
    done = subprocess.run([lightloom, *args], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done


@pytest.fixture(scope="module", params=PLANS, ids=str)
def plan(request, lightloom, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plans") / "plan"
    run(lightloom, "plan", *PLANS[request.param], "--out", folder)
    return folder


SITE = "Harbor Hall"


def exported(lightloom, plan, *flags, site=SITE):
    out = plan.parent / ("netbox" + "".join([site, *flags]).replace("/", ""))
    answer = run(lightloom, "netbox", plan, "--out", out, "--site", site, *flags, "--json")
    texts = {path.name: path.read_bytes().decode() for path in out.iterdir() if path.suffix != ".sha256"}
    assert json.loads(answer.stdout)["files"] == sorted(texts)
    return texts


def sheet(folder, name):
    with open(folder / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def switches(folder):
    """The place of each ToR: that of the switch in its rack. The logical ToRs of a switch have one place."""
    of_rack = {row["rack"]: row["module"] for row in sheet(folder, "modules.csv") if row["kind"] == "switch"}
    rack_of = {int(row["tor"]): row["name"] for row in sheet(folder, "ports.csv")}
    return [of_rack[rack_of[tor]] for tor in sorted(rack_of)]


def created(folder):
    """The device of each ToR if the files create the switches."""
    return [f"{place} ({SITE})" for place in switches(folder)]


def ports(folder):
    """The number of each port on its switch, by ToR and port."""
    rows = sheet(folder, "ports.csv")
    return {(row["tor"], row["port"]): row.get("switch_port", row["port"]) for row in rows}


def test_every_receiver_is_traced_to_its_source(lightloom, plan):
    netbox = Netbox(exported(lightloom, plan, "--with-racks", "--with-switches"))
    device, number = created(plan), ports(plan)
    fibres = sheet(plan, "cables.csv")
    feeds = {row["from_tor"]: row for row in fibres if row["kind"] == "feed"}
    branches = [row for row in fibres if row["kind"] == "branch"]
    assert len(branches) == sum(row["name"].endswith(" Rx") for row in netbox.rows("10-interfaces.csv"))
    used = set()
    for branch in branches:
        tor, port = int(branch["to_tor"]), number[branch["to_tor"], branch["to_port"]]
        end, cables = netbox.trace((device[tor], "dcim.interface", f"Port {port} Rx"))
        sends = number[branch["from_tor"], "0"]
        assert end == (device[int(branch["from_tor"])], "dcim.interface", f"Port {sends} Tx")
        # The fibres that the cables belong to: first all of the branch, then all of the feed.
        feed = feeds[branch["from_tor"]]["label"]
        labels = [cable["label"].removesuffix("J") for cable in cables if not cable["label"].startswith("T")]
        assert set(labels) == {branch["label"], feed} and labels == sorted(labels)
        used.update(cable["label"] for cable in cables)
    lit = {row["label"] for row in netbox.cables if not row["label"].startswith("T")}
    assert lit <= used, "a cord that no light goes through"


def test_a_trace_from_a_transmitter_ends_at_its_splitter(lightloom, plan):
    netbox = Netbox(exported(lightloom, plan, "--with-switches"))
    for name in created(plan):
        end, cables = netbox.trace((name, "dcim.interface", "Port 0 Tx"))
        assert end is None and cables


def test_the_cables_are_the_cords_and_trunks_of_the_plan(lightloom, plan):
    netbox = Netbox(exported(lightloom, plan), existing=list(dict.fromkeys(switches(plan))))
    cords = {row["label"]: row for row in sheet(plan, "cords.csv")}
    trunks = {row["label"]: row for row in sheet(plan, "trunks.csv")}
    of_trunks = {}
    for cable in netbox.cables:
        trunk, _, connector = cable["label"].partition(".")
        if trunk in trunks:
            of_trunks.setdefault(trunk, []).append(int(connector))
            length = trunks[trunk]["stock_m"]
        else:
            cord = cords.pop(cable["label"])
            length = cord["stock_m"]
            for side, end in (("a", "near"), ("b", "far")):
                assert cable[f"side_{side}_device"] == cord[f"{end}_module"]
                if cord[f"{end}_slot"]:
                    assert cable[f"side_{side}_name"] == cord[f"{end}_port"]
                else:
                    assert cable[f"side_{side}_name"] == f"Port {cord[f'{end}_port']} {cord[f'{end}_direction']}"
        assert 0 <= float(cable["length"]) - float(length) < 0.01
    assert not cords, "cords that are no cable of NetBox"
    assert of_trunks == {name: list(range(1, int(row["plugged"]) + 1)) for name, row in trunks.items()}


def test_the_joints_are_those_of_maps(lightloom, plan):
    netbox = Netbox(exported(lightloom, plan, "--with-switches"))
    maps = {}
    for row in sheet(plan, "maps.csv"):
        maps.setdefault(row["map"], set()).add(tuple(row[key] for key in list(row)[1:7]))
    for module in sheet(plan, "modules.csv"):
        if not module["map"]:
            continue
        joints = set()
        for (front, _), (rear, position) in netbox.front_to_rear.items():
            if front[0] != module["module"]:
                continue
            if rear[2].startswith("M"):
                joints.add(("front", front[2], "1", "rear", rear[2][1:], str(position)))
            else:
                joints.add(("front", rear[2], "1", "front", front[2], "1"))
        assert joints == maps[module["map"]]


def test_a_swapped_cable_fails_the_trace(lightloom, plan):
    """The test above can fail: two receivers are exchanged."""
    texts = exported(lightloom, plan, "--with-switches")
    lines = texts["11-cables.csv"].splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if ' Rx"' in line][:2]
    first, second = (list(csv.reader([lines[i]]))[0] for i in at)
    for column in (5, 7):
        first[column], second[column] = second[column], first[column]
    for i, cells in zip(at, (first, second)):
        lines[i] = ",".join(f'"{cell}"' for cell in cells) + "\n"
    netbox = Netbox(texts | {"11-cables.csv": "".join(lines)})
    wrong = 0
    device, number = created(plan), ports(plan)
    for branch in sheet(plan, "cables.csv"):
        if branch["kind"] == "branch":
            port = number[branch["to_tor"], branch["to_port"]]
            origin = (device[int(branch["to_tor"])], "dcim.interface", f"Port {port} Rx")
            end, cables = netbox.trace(origin)
            labels = {cable["label"].removesuffix("J") for cable in cables}
            wrong += branch["label"] not in labels
    assert wrong == 2


def test_files_that_netbox_would_refuse_are_refused_here(lightloom, plan):
    """The rules of `netbox_files.py` bite."""
    texts = exported(lightloom, plan, "--with-switches")
    for name, old, new in [
        ("11-cables.csv", '"status"', '"state"'),
        ("11-cables.csv", '.00"', '.005"'),
        ("11-cables.csv", " Tx", " tx"),
        ("03-device-types.json", '"rear_port_position":1,', '"rear_port_position":2,'),
        ("03-device-types.json", '"port-mappings"', '"port_mappings"'),
        ("03-device-types.json", '"rear_port_position":1}', '"rear_port_position":2}'),
        ("09-modules.csv", '"1"\n', '"99"\n'),
    ]:
        if old not in texts[name]:
            continue
        with pytest.raises((Refused, KeyError)):
            Netbox(texts | {name: texts[name].replace(old, new, 1)})


def test_two_plans_with_the_same_racks_are_imported_at_two_sites(lightloom, plan):
    flags = ("--with-racks", "--with-switches")
    first = Netbox(exported(lightloom, plan, *flags))
    # The longest name that a site can have, and one with a comma, are names of a site too.
    for site in ("Dock", "Berlin, Mitte", "H" * 100):
        second = Netbox(exported(lightloom, plan, *flags, site=site), before=[first])
        assert len(second.cables) == len(first.cables)
        # A plan is not imported twice at one site.
        with pytest.raises(Refused):
            Netbox(exported(lightloom, plan, *flags, site=site), before=[second])


def test_a_location_is_written_only_if_it_is_named(lightloom, plan):
    texts = exported(lightloom, plan, "--with-racks", "--with-switches", "--location", "Hall 2")
    without = exported(lightloom, plan, "--with-racks", "--with-switches")
    Netbox(texts)
    assert set(texts) - set(without) == {"05-locations.csv"}
    for name in ("06-racks.csv", "07-switches.csv", "08-shelves.csv", "09-modules.csv"):
        assert texts[name].splitlines()[0].endswith(',"location"')
        assert "location" not in without[name].splitlines()[0]
    assert all(line.startswith('"') for line in texts["09-modules.csv"].splitlines())
