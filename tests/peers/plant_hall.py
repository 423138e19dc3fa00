"""Routes cables over the hall of plan.json again, and checks lengths, stock lengths and the fill of trays."""

import math
from collections import defaultdict

from plant_files import PANELS, SHELF, SWITCH, metres, tray_names, whole

UNIT, FLOOR, NOISE = 0.04445, 0.1, 1e-6


def row_name(hall, row):
    """The name of a row in sheets: with its room where there are several."""
    rooms = hall.get("building", {}).get("rooms")
    return f"{rooms[row['room']]['name']}: {row['name']}" if rooms else row["name"]


class Hall:
    def __init__(self, plant):
        hall = plant.plan["hall"]
        self.racks = plant.racks
        self.y = [metres(row["y"]) for row in hall["rows"]]
        self.names = [row_name(hall, row) for row in hall["rows"]]
        # Routes between rooms are for test_ways.py.
        self.is_building = "building" in hall
        self.aisles = [metres(x) for x in hall["cross_aisles"]]
        self.tray, self.entry, self.slack = (metres(hall[f]) for f in ["tray_height", "rack_entry", "slack"])
        self.section = metres(hall["tray_width"]) * metres(hall["tray_depth"])

    def tor_unit(self, rack):
        return self.racks[rack].get("tor_unit") or self.racks[rack]["units"]

    def place(self, rack):
        return metres(self.racks[rack]["x"]), self.y[self.racks[rack]["row"]]

    def drop(self, unit):
        return abs(self.tray - FLOOR - (unit - 0.5) * UNIT)

    def length(self, near, far):
        """Between (rack, unit) and (rack, unit): trays, drops, entries and slack."""
        (rack, unit), (to, to_unit) = near, far
        if rack == to:
            return abs(unit - to_unit) * UNIT + 2 * self.entry
        (x, y), (to_x, to_y) = self.place(rack), self.place(to)
        if self.racks[rack]["row"] == self.racks[to]["row"]:
            run = abs(x - to_x)
        else:
            run = abs(y - to_y) + min(abs(x - aisle) + abs(aisle - to_x) for aisle in self.aisles)
        return run + self.drop(unit) + self.drop(to_unit) + 2 * self.entry + self.slack

    def stretches(self, trays, rack, to):
        """The stretches of a way as (tray, from, to), or none if the trays do not lead from rack to rack."""
        (x, y), (to_x, to_y) = self.place(rack), self.place(to)
        rows = [f"row {self.names[self.racks[one]['row']]}" for one in (rack, to)]
        ways = [[]] if rack == to else [[(rows[0], x, to_x)]] if rows[0] == rows[1] else [
            [(rows[0], x, aisle), (f"cross-aisle {number}", y, to_y), (rows[1], aisle, to_x)]
            for number, aisle in enumerate(self.aisles, 1)
        ]
        for way in ways:
            # A tray that a cable only crosses is not listed.
            way = [stretch for stretch in way if abs(stretch[1] - stretch[2]) > NOISE]
            if tray_names(trays) == [tray for tray, *_ in way]:
                return way
        return None


def stock(length, lengths, step):
    """The shortest length to order, in whole steps beyond the longest of the list."""
    if fitting := [one for one in lengths if one >= length - 1e-9]:
        return min(fitting)
    return max(lengths) + step * math.ceil((length - max(lengths)) / step - 1e-9)


def cable_ends(plant, row):
    """(rack, unit) of both ends of a cord or a trunk."""
    return [(row[f"{end}_rack"], whole(row[f"{end}_unit"])) for end in ("near", "far")]


def check_lengths(plant):
    hall, plan = Hall(plant), plant.plan
    shelf = [metres(one) for one in plan["catalogue"]["stock_lengths"]], metres(plan["catalogue"]["stock_step"])
    cabling = plan.get("cabling", {})
    made = [metres(one) for one in cabling.get("trunk_lengths", [])], metres(cabling.get("trunk_step", "0 m"))
    laid = defaultdict(list)
    for row in plant.cords + plant.trunks:
        ends, name = cable_ends(plant, row), row["label"]
        length = float(row["length_m"])
        if any(rack not in hall.racks for rack, _ in ends):
            plant.fault("place", f"{name}: an unknown rack")
            continue
        routed = not hall.is_building or ends[0][0] == ends[1][0]
        expected = hall.length(*ends) if routed else length
        if abs(length - expected) > NOISE:
            plant.fault("length", f"{name}: {length} m, the route from {ends[0]} to {ends[1]} has {expected:.6f} m")
        ordered = stock(length, *(made if row["label"] in plant.trunk_of else shelf))
        if abs(float(row["stock_m"]) - ordered) > NOISE:
            plant.fault("length", f"{name}: to order are {row['stock_m']} m, the shortest that fits has {ordered} m")
        check_ends(plant, row)
        if hall.is_building:
            continue
        stretches = hall.stretches(row["trays"], ends[0][0], ends[1][0])
        if stretches is None:
            plant.fault("length", f"{name}: {row['trays']!r} does not lead from {ends[0][0]} to {ends[1][0]}")
            continue
        run = sum(abs(start - end) for _, start, end in stretches)
        outside = expected - hall.drop(ends[0][1]) - hall.drop(ends[1][1]) - 2 * hall.entry - hall.slack
        if stretches and abs(run - outside) > NOISE:
            plant.fault("length", f"{name}: {run:.4f} m along {row['trays']}, the shortest way has {outside:.4f} m")
        section = math.pi * (float(row["diameter_mm"]) / 1000) ** 2 / 4
        for tray, start, end in stretches:
            laid[tray].append((min(start, end), max(start, end), section))
    if not hall.is_building:
        check_connectors(plant, hall)
        check_fill(plant, hall, laid)


def check_ends(plant, row):
    """Row, rack, unit and slot of both ends are those of the module there."""
    for end in ("near", "far"):
        if thing := plant.things.get(row[f"{end}_module"]):
            for field in ("row", "rack", "unit", "slot"):
                if thing[field] != row.get(f"{end}_{field}", thing[field]):
                    plant.fault("place", f"{row['label']} {end}: {field} {row[f'{end}_{field}']}, not {thing[field]}")


def check_connectors(plant, hall):
    """Each connector of a trunk reaches its module. The last one is longer than the first by the stagger."""
    for (cable, number), strands in sorted(plant.connectors.items()):
        trunk, ends = plant.trunk_of[cable], strands[0][1]
        places = [plant.things[end.module] for end in ends if end.module in plant.things]
        if len(places) != 2:
            continue
        needed = hall.length(*[(place["rack"], whole(place["unit"])) for place in places])
        share = (number - 1) / max(1, int(trunk["connectors"]) - 1)
        length = float(trunk["length_m"]) + share * float(trunk["stagger_m"])
        if needed > length + NOISE:
            plant.fault("length", f"{cable}.{number}: {length:.4f} m, its route has {needed:.4f} m")


def check_fill(plant, hall, laid):
    """The fill of each tray at its fullest place, as the report has it."""
    report = {row["tray"]: row for row in plant.plan["report"]["trays"]}
    for tray, cables in sorted(laid.items()):
        marks = sorted({mark for start, end, _ in cables for mark in (start, end)})
        stretches = []
        for start, end in zip(marks, marks[1:], strict=False):
            if end - start > NOISE:
                inside = [section for low, high, section in cables if low < (start + end) / 2 < high]
                stretches.append((start, end, len(inside), 100 * sum(inside) / hall.section))
        if not stretches:
            continue
        most, row = max(fill for *_, fill in stretches), report.pop(tray, None)
        if row is None or abs(row["fill_percent"] - most) > NOISE:
            plant.fault("fill", f"{tray} is full to {most:.6f} %, the report says {row and row['fill_percent']}")
            continue
        inside = [s for s in stretches if row["from_m"] - NOISE <= s[0] and s[1] <= row["to_m"] + NOISE]
        if not inside or any(abs(fill - most) > NOISE or row["fibres"] != count for *_, count, fill in inside):
            plant.fault("fill", f"{tray}: {row['fibres']} cables from {row['from_m']} to {row['to_m']} m: {inside}")
    for tray in report:
        plant.fault("fill", f"{tray} of the report has no cable")
    if report := [row["fill_percent"] for row in plant.plan["report"]["trays"]]:
        for row in plant.plan["report"]["housings"][:1]:
            if abs(row["fullest_tray_percent"] - max(report)) > NOISE:
                plant.fault("fill", f"the fullest tray has {max(report)} %, not {row['fullest_tray_percent']}")


def width(plant, row):
    """Slots that a module takes: no sheet has it, but a slot has a number of ports, and as many fibres behind."""
    ports = plant.plan.get("cabling", {}).get("hardware", {}).get("ports_per_slot", 24)
    return max(1, -(-whole(row["front_ports"]) // ports), -(-12 * whole(row["rear_ports"]) // ports))


def check_places(plant):
    """Slots, units and shelves: nothing sits on another thing, nor outside its rack."""
    hall, slots = Hall(plant), plant.plan.get("cabling", {}).get("hardware", {}).get("slots_per_unit")
    occupied = {}
    for device in plant.plan.get("occupied", []):
        for unit in range(int(device["unit"]), int(device["unit"]) + int(device["height"])):
            occupied[device["rack"], unit] = device["device"]
    taken, shelves = {}, {name for name, thing in plant.things.items() if thing["kind"] == SHELF}
    for name, row in plant.things.items():
        rack, unit, slot = row["rack"], whole(row["unit"], -1), whole(row["slot"])
        if rack not in hall.racks:
            plant.fault("place", f"{name}: no rack {rack}")
            continue
        if row["row"] != hall.names[hall.racks[rack]["row"]]:
            plant.fault("place", f"{name}: {rack} is not in row {row['row']}")
        if not 1 <= unit <= hall.racks[rack]["units"]:
            plant.fault("place", f"{name}: {rack} has no unit {unit}")
        frame = hall.racks[rack].get("role", "tor") != "tor"
        if row["kind"] == SWITCH:
            if unit != hall.tor_unit(rack) or rack not in plant.racks_of_tors:
                plant.fault("place", f"{name}: the ToR of {rack} is in unit {hall.tor_unit(rack)}")
        elif other := occupied.get((rack, unit)):
            plant.fault("place", f"{name}: {other} is in unit {unit} of {rack}")
        elif not frame and unit == hall.tor_unit(rack):
            plant.fault("place", f"{name} is where the ToR of {rack} is")
        if row["kind"] == "row panel" and frame or row["kind"] == "frame panel" and not frame:
            plant.fault("place", f"{name} is a {row['kind']} in {'a frame' if frame else 'a row'}")
        for part in range(slot, slot + width(plant, row)):
            if (other := taken.setdefault((rack, unit, part), name)) != name:
                plant.fault("place", f"{name} and {other} are in slot {part} of unit {unit} of {rack}")
        if row["kind"] in (SWITCH, SHELF):
            continue
        shelf, _, number = name.rpartition(".")
        if shelf not in shelves or number != row["slot"] or plant.things[shelf]["unit"] != row["unit"]:
            plant.fault("place", f"{name} is in slot {slot} of unit {unit}, and no shelf is there")
        if slots and not 1 <= slot <= slots + 1 - width(plant, row):
            plant.fault("place", f"{name}: a unit has {slots} slots")
        if row["kind"] in PANELS and not row["map"]:
            plant.fault("map", f"{name} has no map")
