"""Reads the sheets of a plan folder and gives every fibre of light its two ends, as docs/plan-folder.md says."""

import csv
import json
from collections import defaultdict, namedtuple
from pathlib import Path
from urllib.parse import unquote

# `kind` says which rule is broken; `text` names the thing and what was found.
Fault = namedtuple("Fault", "kind text")
# One fibre in one port. A switch has a receptacle for each direction: `way` is Tx or Rx there, else empty.
Plug = namedtuple("Plug", "module side port position way")
# A cord, or one strand of a trunk. Light goes from `enters` to `leaves`. `near` is the near end.
Segment = namedtuple("Segment", "cable fibre kind enters leaves near metres stock")

SHEETS = "acceptance bom cables cords labels maps modules ports pull-sheet strands trunks work-packages".split()
SWITCH, SHELF = "switch", "shelf"
SPLITTERS = {"splitter module", "splitter and shuffle module"}
PANELS = {"row panel", "frame panel"}


def plain(cell):
    """A cell without the apostrophe that protects it in a spreadsheet."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@\t\r") else cell


def tray_names(cell):
    """Names of trays in a cell, where `%` and `;` of names are escaped."""
    return [unquote(name) for name in cell.split("; ") if name]


def whole(text, absent=0):
    return int(text) if text.isdecimal() else absent


def metres(text):
    """Of a length such as "12.5 m"."""
    return float(text.removesuffix(" m"))


def halves(identifier):
    """Near and far of an identifier. Both are empty if it has not exactly two."""
    found = tuple(identifier.split(" / "))
    return found if len(found) == 2 and all(found) else ("", "")


class Plant:
    """The sheets of one folder, and the faults that are found while they are read."""

    def __init__(self, folder):
        folder = Path(folder)
        self.plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        for sheet in SHEETS:
            with open(folder / f"{sheet}.csv", newline="", encoding="utf-8") as file:
                rows = [{key: plain(cell) for key, cell in row.items()} for row in csv.DictReader(file)]
            setattr(self, sheet.replace("-", "_"), rows)
        self.has_grown = (folder / "growth.csv").exists()
        self.faults = []
        self.racks = {rack["name"]: rack for rack in self.plan["hall"]["racks"]}
        self.racks_of_tors = set(self.plan["tors"])
        # ToR and port of each port of a switch. The logical ToRs of a switch have its ports in turn.
        self.port_of = {
            (row["name"], int(row.get("switch_port", row["port"]))): (int(row["tor"]), int(row["port"])) for row in self.ports
        }
        self.things = {}
        for row in self.modules:
            if self.things.setdefault(row["module"], row) is not row:
                self.fault("place", f"{row['module']} is twice in modules.csv")
        self.trunk_of = {row["label"]: row for row in self.trunks}
        self.joints, self.splitter_inputs = self.read_maps()
        self.plugs, self.segments = {}, []
        self.connectors = defaultdict(list)
        self.read_cords()
        self.read_strands()
        self.entering = {segment.enters: segment for segment in self.segments}

    def fault(self, kind, text):
        self.faults.append(Fault(kind, text))

    def kind(self, module):
        return self.things[module]["kind"] if module in self.things else ""

    def is_switch(self, module):
        return self.kind(module) == SWITCH

    def read_maps(self):
        """What each position is joined to, by map and position; and the inputs of splitters by map, in order."""
        joints, inputs = defaultdict(dict), defaultdict(list)
        outputs = set()
        for row in self.maps:
            name, through = row["map"], row["through"]
            start = (row["from_side"], whole(row["from_port"]), whole(row["from_position"]))
            end = (row["to_side"], whole(row["to_port"]), whole(row["to_position"]))
            if through == "splitter":
                if start not in inputs[name]:
                    inputs[name].append(start)
                joints[name].setdefault(start, ("splitter", []))[1].append(end)
                if (name, end) in outputs or end in inputs[name]:
                    self.fault("map", f"{name}: {end} is joined twice")
                outputs.add((name, end))
                continue
            for one, other in [(start, end), (end, start)]:
                if one in joints[name]:
                    self.fault("map", f"{name}: {one} is joined twice")
                joints[name][one] = (through, [other])
        return joints, {name: sorted(found) for name, found in inputs.items()}

    def plug(self, cable, end, row, direction, position):
        """The plug of one end of a cable or strand. Two plugs in one place are a fault."""
        module, side, port = row[f"{end}_module"], row[f"{end}_side"], whole(row[f"{end}_port"], -1)
        plug = Plug(module, side, port, position, direction if self.is_switch(module) else "")
        if plug in self.plugs:
            self.fault("plug", f"{cable} {end}: {self.plugs[plug]} is plugged in at {plug} too")
        self.plugs[plug] = f"{cable} {end}"
        if module not in self.things:
            self.fault("place", f"{cable} {end}: no module {module}")
        else:
            first = 0 if self.is_switch(module) else 1
            ports = whole(self.things[module].get(f"{side}_ports") or "")
            if not first <= port < first + ports:
                self.fault("place", f"{cable} {end}: {module} has no {side} port {port}")
        return plug

    def between(self, cable, fibre, kind, ends, directions, length):
        if sorted(directions) != ["Rx", "Tx"]:
            self.fault("direction", f"{cable} ({fibre}) has {directions[0] or '-'} near and {directions[1] or '-'} far")
            return
        enters, leaves = ends if directions[0] == "Tx" else ends[::-1]
        self.segments.append(Segment(cable, fibre, kind, enters, leaves, ends[0], *length))

    def read_cords(self):
        for row in self.cords:
            directions = row["near_direction"], row["far_direction"]
            if directions != ("Tx", "Rx"):
                self.fault("direction", f"cord {row['label']}: light does not go from near to far")
            ends = [
                self.plug(row["label"], end, row, direction, 1)
                for end, direction in zip(["near", "far"], directions, strict=True)
            ]
            length = float(row["length_m"]), float(row["stock_m"])
            self.between(row["label"], row["fibre"], "cord", ends, directions, length)

    def read_strands(self):
        """The strands, dark ones too, and both ends of each connector that is plugged in."""
        for row in self.strands:
            cable, strand = row["trunk"], whole(row["strand"])
            if cable not in self.trunk_of:
                self.fault("channel", f"strand {strand}: no trunk {cable}")
                continue
            trunk, name = self.trunk_of[cable], f"{cable} strand {strand}"
            directions = row["near_direction"], row["far_direction"]
            ends = [
                self.plug(name, end, row, direction, whole(row[f"{end}_position"]))
                for end, direction in zip(["near", "far"], directions, strict=True)
            ]
            if any(not 1 <= end.position <= 12 for end in ends):
                self.fault("place", f"{name}: an MPO-12 has positions 1 to 12")
            if ends[0].position != ends[1].position or ends[0].position != (strand - 1) % 12 + 1:
                self.fault("strand", f"{name}: the trunk is straight, but its positions differ")
            self.connectors[cable, (strand - 1) // 12 + 1].append((strand, ends))
            if row["carries"] == "dark":
                if any(directions):
                    self.fault("direction", f"{name} is dark and has a direction")
                continue
            length = float(trunk["length_m"]), float(trunk["stock_m"])
            self.between(cable, row["carries"], "strand", ends, directions, length)
