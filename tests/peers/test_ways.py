"""Lengths and fills of a building, from its files alone.

The building file and the inventory are read anew. NetworkX finds the shortest routes over all trays and
ways; the fibres of each way are counted in cables.csv. No code of the planner is used.
"""

import csv
import itertools
import json
import math
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
RACK_PITCH, ROW_PITCH = 600_000, 2_400_000
FIBRE = 2_000
ENTRY, SLACK = 300_000, 2_000_000


def um(text):
    number, unit = text.split()
    scale = {"m": 1_000_000, "mm": 1_000, "cm": 10_000}[unit]
    return round(float(number) * scale)


def circle(diameter):
    return math.pi * diameter * diameter / 4


def height(unit):
    return 100_000 + 44_450 * unit - 22_225


class Building:
    """The points and edges of all trays and ways, in micrometres."""

    def __init__(self, building, racks):
        self.file = tomllib.loads(building.read_text())
        self.rooms = {room["name"]: room for room in self.file["room"]}
        with open(racks, newline="", encoding="utf-8") as file:
            self.racks = {row["name"]: row for row in csv.DictReader(file)}
        self.graph = nx.Graph()
        for name, room in self.rooms.items():
            self.trays(name, room)
        for way in self.file["way"]:
            self.graph.add_edge(self.end(way["from"]), self.end(way["to"]), weight=um(way["length"]))

    def end(self, text):
        room, _, entrance = text.rpartition("/")
        return ("door", room, entrance) if room else ("junction", text)

    def place(self, rack):
        row = self.racks[rack]
        rows = sorted({r["row"] for r in self.racks.values() if r["location"] == row["location"]})
        x = (int(row["position"]) - 1) * RACK_PITCH + RACK_PITCH // 2
        return row["location"], x, rows.index(row["row"]) * ROW_PITCH + ROW_PITCH // 2

    def trays(self, name, room):
        places = [self.place(rack) for rack, row in self.racks.items() if row["location"] == name]
        aisles = [um(x) for x in room["cross_aisles"]]
        rows = sorted({y for _, _, y in places})
        doors = {}
        for entrance in room["entrances"]:
            x, y = um(entrance["x"]), um(entrance["y"])
            far, kind, at = min(
                [(abs(x - a), 0, (a, y)) for a in aisles] + [(abs(y - r), 1, (x, r)) for r in rows]
            )
            lead = um(entrance["lead"]) if "lead" in entrance else 0
            assert lead >= far
            doors[entrance["name"]] = (kind, at)
            self.graph.add_edge(("door", name, entrance["name"]), (name, *at), weight=lead)
        on_row = [at for kind, at in doors.values() if kind == 1]
        on_aisle = [at for kind, at in doors.values() if kind == 0]
        for y in rows:
            xs = {x for _, x, at in places if at == y} | set(aisles)
            self.line([(name, x, y) for x in sorted(xs | {x for x, at in on_row if at == y})])
        for x in aisles:
            ys = set(rows) | {y for at, y in on_aisle if at == x}
            self.line([(name, x, y) for y in sorted(ys)])

    def line(self, points):
        for a, b in itertools.pairwise(points):
            self.graph.add_edge(a, b, weight=abs(a[1] - b[1]) + abs(a[2] - b[2]))

    def drop(self, rack, at):
        room = self.rooms[self.racks[rack]["location"]]
        tray = um(room.get("tray_height", "2.7 m"))
        return at + tray if room.get("tray") == "floor" else abs(tray - at)

    def existing(self, thing, area):
        if "existing" in thing:
            return thing["existing"]["cables"] * circle(um(thing["existing"]["diameter"])) / area
        return float(thing.get("existing_fill", "0 %").split()[0]) / 100


@pytest.fixture(scope="module", params=["receiver", "sender"])
def planned(request, lightloom, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ways") / "plan"
    design = EXAMPLES / "building-1024.toml"
    line = [lightloom, "plan", str(design), "--housing", request.param, "--out", str(folder)]
    subprocess.run(line, check=True, capture_output=True, timeout=120)
    with open(folder / "cables.csv", newline="", encoding="utf-8") as file:
        cables = list(csv.DictReader(file))
    report = json.loads((folder / "plan.json").read_text())["report"]
    return Building(EXAMPLES / "building.toml", EXAMPLES / "building-racks.csv"), cables, report


def rack_and_height(building, label):
    rack, place = label.split(":")[0].rsplit("-", 1)
    unit = int(building.racks[rack]["unit"])
    return rack, height(unit - 1 if place.startswith("S") else unit)


def test_every_length_is_that_of_the_shortest_route(planned):
    building, cables, _ = planned
    found, between = {}, 0
    for cable in cables:
        (a, up), (b, down) = (
            rack_and_height(building, end) for end in cable["near_label"].split(" / ")
        )
        length = round(float(cable["length_m"]) * 1_000_000)
        if a == b:
            assert length == abs(up - down) + 2 * ENTRY
            continue
        if a not in found:
            found[a] = nx.single_source_dijkstra_path_length(building.graph, building.place(a))
        along = found[a][building.place(b)]
        drops = building.drop(a, up) + building.drop(b, down)
        assert length == along + drops + 2 * ENTRY + SLACK, cable
        between += building.racks[a]["location"] != building.racks[b]["location"]
    assert between > 500


def test_fills_of_ways_add_up_to_the_fibres_in_them(planned):
    building, cables, report = planned
    counted = Counter(tray for cable in cables for tray in cable["trays"].split("; "))
    told = {tray["tray"]: tray for tray in report["trays"]}
    fills = {}
    for way in building.file["way"]:
        name = f"way {way['name']}"
        area = (
            circle(um(way["diameter"]))
            if "diameter" in way
            else um(way["width"]) * um(way["depth"])
        )
        fills[name] = 100 * (building.existing(way, area) + counted[name] * circle(FIBRE) / area)
        assert told[name]["fibres"] == counted[name] > 0
        assert told[name]["pathway"] == way["kind"]
        assert math.isclose(told[name]["fill_percent"], fills[name], rel_tol=1e-9)
    assert {name for name in told if name.startswith("way ")} == set(fills)
    for cable in cables:
        ways = [fills[tray] for tray in cable["trays"].split("; ") if tray in fills]
        # The cell has the fill of the fullest tray or way, to one decimal.
        assert float(cable["tray_fill_percent"]) >= max(ways, default=0) - 0.05
    for tray in report["trays"]:
        if "room" in tray:
            room = building.rooms[tray["room"]]
            area = um(room.get("tray_width", "0.3 m")) * um(room.get("tray_depth", "0.1 m"))
            fill = 100 * (building.existing(room, area) + tray["fibres"] * circle(FIBRE) / area)
            assert math.isclose(tray["fill_percent"], fill, rel_tol=1e-9)
