"""Checks what is mated, labelled, ordered and done: connectors, labels, bom.csv, pull sheet, work packages."""

import math
from collections import Counter, defaultdict

from plant_files import PANELS, SHELF, SPLITTERS, SWITCH, halves, whole

COMPLEMENT = {("male", "female"), ("female", "male")}
NOISE = 1e-6


def polish_of(connector):
    return connector.partition("/")[2].lower()


def check_mates(plant):
    """Connectors fit their adapters, polish is equal, genders complement; connectors of trunks are in one port."""
    for row in plant.cords:
        for end in ("near", "far"):
            thing = plant.things.get(row[f"{end}_module"], {})
            connector, name = row[f"{end}_connector"], f"{row['label']} {end}"
            adapter = thing.get(f"{row[f'{end}_side']}_adapter") or ""
            mate(plant, name, connector, row[f"{end}_polish"], adapter)
            if thing.get("kind") == SWITCH and (connector, adapter) != ("LC/UPC", "LC/UPC"):
                plant.fault("mate", f"{name}: {connector} into {adapter} of a switch, transceivers are LC/UPC")
    for (cable, number), strands in plant.connectors.items():
        trunk = plant.trunk_of[cable]
        for end, plugs in zip(["near", "far"], zip(*(ends for _, ends in strands), strict=True), strict=True):
            name = f"{cable}.{number} {end}"
            ports = {plug[:3] for plug in plugs}
            if len(ports) != 1 or len({plug.position for plug in plugs}) != len(plugs):
                plant.fault("strand", f"{name} is one connector, and its strands are in {sorted(ports)}")
                continue
            thing = plant.things.get(plugs[0].module, {})
            adapter = thing.get(f"{plugs[0].side}_adapter") or ""
            mate(plant, name, trunk["connector"], trunk["polish"], adapter)
            # Angled faces meet only so. Position n meets position n then.
            if not adapter.endswith(", key up to key down"):
                plant.fault("mate", f"{name}: {adapter!r} does not join key up to key down")
            if (trunk["gender"], thing.get("rear_gender")) not in COMPLEMENT:
                plant.fault("mate", f"{name} is {trunk['gender']}, {plugs[0].module} is {thing.get('rear_gender')}")


def mate(plant, name, connector, polish, adapter):
    joined = adapter.partition(",")[0]
    if polish != polish_of(connector) or polish_of(joined) != polish:
        plant.fault("mate", f"{name}: {connector} of polish {polish} into {adapter!r}")
    elif connector != joined:
        plant.fault("mate", f"{name}: {connector} does not fit {adapter!r}")


def check_trunks(plant):
    """Counts of trunks.csv against strands.csv: connectors, plugged ones, lit strands, first modules."""
    ports = defaultdict(set)
    for (cable, number), strands in plant.connectors.items():
        trunk = plant.trunk_of[cable]
        if {strand for strand, _ in strands} != set(range(12 * number - 11, 12 * number + 1)):
            plant.fault("strand", f"{cable}.{number}: not each strand of the connector is listed once")
        if number > int(trunk["connectors"]):
            plant.fault("strand", f"{cable} has {trunk['connectors']} connectors, and strands of {number}")
        for end, plug in zip(["near", "far"], strands[0][1], strict=True):
            if (first := ports[plug[:3]]) and first != {(cable, number, end)}:
                plant.fault("plug", f"{cable}.{number} {end}: {plug.module} {plug.port} has {first}")
            first.add((cable, number, end))
            if number == 1 and trunk[f"{end}_module"] != plug.module:
                plant.fault("plug", f"{cable} {end}: {trunk[f'{end}_module']}, {plug.module} in strands.csv")
    plugged = Counter(cable for cable, _ in plant.connectors)
    lit = Counter(row["trunk"] for row in plant.strands if row["carries"] != "dark")
    for name, row in plant.trunk_of.items():
        found = {"plugged": plugged[name], "lit": lit[name], "connectors": -(-int(row["fibres"]) // 12)}
        for field, count in found.items():
            if int(row[field]) != count:
                plant.fault("strand", f"{name}: {field} is {row[field]} in trunks.csv, found {count}")
        if plugged[name] > int(row["connectors"]):
            plant.fault("strand", f"{name}: {plugged[name]} connectors plugged of {row['connectors']}")


def check_labels(plant):
    """Cables have unique names, and each end and module has one label, which is turned round at the other end."""
    expected, names = {}, Counter()
    for row in plant.cords:
        names[row["label"]] += 1
        for end in ("near", "far"):
            expected[row["label"], end] = row[f"{end}_label"], f"{row['label']} {row[f'{end}_direction']}"
        if halves(row["near_label"]) != halves(row["far_label"])[::-1] or "" in halves(row["near_label"]):
            plant.fault("label", f"{row['label']}: {row['near_label']!r} is not {row['far_label']!r} turned round")
    names.update(row["label"] for row in plant.trunks)
    found = {(row["item"], row["end"]): row["identifier"] for row in plant.labels}
    for (cable, number), strands in plant.connectors.items():
        item = f"{cable}.{number}"
        for end, other, place in [("near", "far", 0), ("far", "near", 1)]:
            plug = strands[0][1][place]
            text = found.get((item, end), "")
            if halves(text) != halves(found.get((item, other), ""))[::-1] or "" in halves(text):
                plant.fault("label", f"{item} {end}: {text!r} is not the other end turned round")
            if halves(text)[0].rpartition(":")[0] != plug.module:
                plant.fault("label", f"{item} {end}: {text!r} is in {plug.module}")
            expected[item, end] = text, item
    for name, row in plant.things.items():
        if row["kind"] not in (SWITCH, SHELF):
            expected["module", name] = name, name
    seen = Counter()
    for row in plant.labels:
        key = ("module", row["identifier"]) if row["item"] == "module" else (row["item"], row["end"])
        seen[key] += int(row["copies"])
        text, title = expected.get(key, ("", ""))
        if row["identifier"] != text:
            plant.fault("label", f"{' '.join(key)}: {row['identifier']!r} in labels.csv, {text!r} on the cable")
        if row["line_1"] != title and not (row["line_1"].startswith(title + " ") and row["item"] != "module"):
            plant.fault("label", f"{' '.join(key)}: {row['line_1']!r} is printed, not {title!r}")
    for key in expected.keys() | seen.keys():
        if (seen[key], key in expected) != (1, True):
            plant.fault("label", f"{' '.join(key)} has {seen[key]} labels")
    for name, count in names.items():
        if count != 1:
            plant.fault("label", f"{count} cables are named {name}")


def counted(plant):
    """What is built, by item, variant and stock length in words of bom.csv."""
    plan, found = plant.plan, Counter()
    found["transceiver", "one fibre in, and out on port 0", ""] = len(plant.ports)
    if "optics" in plan:
        found["switch port", f"{plan['optics']['switch_port']['rate']}, on the ToRs", ""] = len(plant.ports)
    shelf = {"sender": "splitter shelf of one unit, at a sender"}
    shelf["receiver"] = "cassette shelf of one unit, at the receivers"
    shelf = shelf.get(plan["housing"], "shelf of one unit")
    frames = set()
    for row in plant.things.values():
        rack = plant.racks.get(row["rack"], {})
        count = len(row["splitters"].split())
        found["splitter", f"1:{plan['report']['p']}, within the splitter modules", ""] += count - row["splitters"].count("dark")
        if row["kind"] == SHELF:
            found["housing", shelf, ""] += 1
        elif row["kind"] in PANELS:
            rear = row["rear_adapter"].partition(",")[0]
            found["panel module", f"{row['front_adapter']} in front, {rear} behind", ""] += 1
        elif row["kind"] in SPLITTERS:
            outputs = row["rear_adapter"].partition(",")[0] or "LC"
            by = f" by map {row['map']}" if outputs != "LC" else ""
            splitters = "1 splitter" if count == 1 else f"{count} splitters"
            found["splitter module", f"{splitters}, outputs on {outputs}{by}", ""] += 1
        if rack.get("role") == "new frame" and rack["name"] not in frames:
            frames.add(rack["name"])
            found["frame", f"frame of {rack['units']} units", ""] += 1
    for row in plant.cords:
        # A cord can be turned round: LC/UPC to LC/APC is LC/APC to LC/UPC.
        ends = sorted([row["near_connector"], row["far_connector"]], reverse=True)
        found["cord", f"simplex single-mode, {ends[0]} to {ends[1]}", row["stock_m"]] += 1
    for row in plant.trunks:
        variant = f"{row['fibres']} fibres, single-mode, {row['connector']} to {row['connector']}, straight"
        found["trunk", variant, row["stock_m"]] += 1
    for row in plant.cables:
        found["splice", "on a fibre", ""] += int(row["splices"])
        found["coupler", "patch panel, one a fibre", ""] += int(row["panels"])
        found["inline part", f"on a {row['kind']}", ""] += len(row["inline"].split(";")) if row["inline"] else 0
        if row["pad"]:
            found["pad", f"at {row['pad'].partition(' at ')[2]}".replace("the", "a"), ""] += 1
    return +found


def check_order(plant):
    """Quantities of bom.csv are the rows of the other sheets, with spares in percent, rounded up."""
    found, percent = counted(plant), plant.plan["spares_percent"]
    listed = Counter()
    for row in plant.bom:
        quantity, spares, order = (int(row[field]) for field in ["quantity", "spares", "order"])
        key = row["item"], row["variant"], row["stock_m"]
        if row["item"] == "inline part":
            key = *key[:2], ""
        listed[key] += quantity
        # Ports come with the switches. Frames have no spares.
        due = 0 if row["item"] in ("switch port", "frame") else math.ceil(quantity * percent / 100 - 1e-9)
        if spares != due or (order != quantity + spares and row["item"] != "switch port"):
            plant.fault("order", f"{' '.join(key)}: {quantity}, {spares} spares, {order} to order; {due} spares due")
    for key in sorted(found.keys() | listed.keys()):
        if found[key] != listed[key]:
            plant.fault("order", f"{' '.join(key)}: {listed[key]} in bom.csv, {found[key]} built")


ROOMS = {"row": "room", "to_row": "to_room"}


def check_pulls(plant):
    """The pull sheet has each cable once, with its ends and lengths."""
    labels = {(row["item"], row["end"]): row["identifier"] for row in plant.labels}
    ends = {row["label"]: row["near_label"] for row in plant.cords}
    ends |= {row["label"]: labels.get((f"{row['label']}.1", "near"), "") for row in plant.trunks}
    cables = {row["label"]: row for row in plant.cords + plant.trunks}
    seen = Counter(row["label"] for row in plant.pull_sheet)
    for label in sorted(cables.keys() | seen.keys()):
        if (seen[label], label in cables) != (1, True):
            plant.fault("work", f"{label} is {seen[label]} times in the pull sheet")
    runs, last = set(), None
    for row in plant.pull_sheet:
        if not (cable := cables.get(row["label"])):
            continue
        expected = {"row": cable["near_row"], "rack": cable["near_rack"], "to_row": cable["far_row"]}
        expected |= {"to_rack": cable["far_rack"]} | {f: cable[f] for f in ["length_m", "stock_m", "trays"]}
        # With rooms, the pull sheet has them in columns of their own.
        rooms = {field: f"{row[room]}: {row[field]}" for field, room in ROOMS.items() if row.get(room)}
        for field, text in expected.items():
            if rooms.get(field, row[field]) != text:
                plant.fault("work", f"{row['label']}: {field} {row[field]!r} in the pull sheet, {text!r} in its sheet")
        if f"{row['near']} / {row['far']}" != ends[row["label"]]:
            text = f"{row['near']} to {row['far']}"
            plant.fault("work", f"{row['label']}: {text} in the pull sheet, {ends[row['label']]} on its label")
        run = row["rack"], row["to_rack"]
        if run != last and run in runs:
            plant.fault("work", f"{row['label']}: the run from {run[0]} to {run[1]} is not in one piece")
        runs.add(run)
        last = run


MOUNT = "mount shelves and modules"
# What a crew does in a shift, by the key in plan.json. It has them where they are not these.
RATES = {MOUNT: ("modules", 80), "pull trunks": ("trunks", 12), "pull cords to other rows": ("cords_between_rows", 60)}
RATES |= {"lay cords within the row": ("cords_within_row", 150), "measure branches": ("measurements", 200)}


def check_work(plant):
    """Each module, trunk, cord and branch is in one package: by task and row, with lengths."""
    things, length = Counter(), Counter()
    for row in plant.things.values():
        things[MOUNT, place(plant, row)] += row["kind"] not in (SWITCH, SHELF)
    for row in plant.trunks + plant.cords:
        is_trunk, inside = row["label"] in plant.trunk_of, row["near_row"] == row["far_row"]
        task = "lay cords within the row" if inside else "pull cords to other rows"
        key = "pull trunks" if is_trunk else task, place(plant, row, "near_")
        things[key] += 1
        length[key] += float(row["length_m"])
    row_of = {thing["rack"]: thing["row"] for thing in plant.things.values() if thing["kind"] == SWITCH}
    rows = {row["tor"]: row_of.get(row["name"], "?") for row in plant.ports}
    for row in plant.acceptance:
        things["measure branches", rows.get(row["to_tor"], "?")] += 1
    seen, end = Counter(), Counter()
    work = plant.plan.get("work", {"crews": 2})
    for row in plant.work_packages:
        key = row["task"], row["place"]
        seen[key] += int(row["things"])
        length[key] -= float(row["length_m"])
        first, last = whole(row["first_shift"]), whole(row["last_shift"])
        # A crew does one package after the other.
        known = row["task"] in RATES and 1 <= whole(row["crew"]) <= work["crews"]
        if not 1 <= first <= last or first < end[row["crew"]] or not known:
            plant.fault("work", f"{row['package']}: shifts {first} to {last} of crew {row['crew']}")
            continue
        key, rate = RATES[row["task"]]
        if int(row["things"]) > work.get(f"{key}_per_shift", rate) * (last - first + 1):
            plant.fault("work", f"{row['package']}: {row['things']} things in {last - first + 1} shifts")
        end[row["crew"]] = last
    for key in sorted(things.keys() | seen.keys()):
        if things[key] != seen[key] or abs(length[key]) > NOISE * max(1, things[key]):
            text = f"{seen[key]} in the packages, {things[key]} built; {length[key]:.4f} m"
            plant.fault("work", f"{' '.join(key)}: {text}")
    check_shifts(plant)


def check_shifts(plant):
    """A cable is pulled once the modules at both ends are mounted, a branch is measured once all cables are laid."""
    shifts = {(r["task"], r["place"]): (whole(r["first_shift"]), whole(r["last_shift"])) for r in plant.work_packages}
    laid = max((last for (task, _), (_, last) in shifts.items() if task[:4] in ("pull", "lay ")), default=1)
    runs = {(*places(plant, row), "pull trunks") for row in plant.trunks}
    for row in plant.cords:
        task = "lay cords within the row" if row["near_row"] == row["far_row"] else "pull cords to other rows"
        runs.add((*places(plant, row), task))
    for near, far, task in sorted(runs):
        mounted = max(shifts.get((MOUNT, row), (1, 1))[1] for row in (near, far))
        if (first := shifts.get((task, near), (1, 1))[0]) < mounted:
            text = f"in shift {first}, modules in {near} and {far} are mounted until {mounted}"
            plant.fault("work", f"{task} {near}: {text}")
    for (task, row), (first, _) in shifts.items():
        if task == "measure branches" and first < laid:
            plant.fault("work", f"{task} {row}: in shift {first}, cables are laid until {laid}")


def place(plant, row, end=""):
    """Where a crew works: in a row, or at a frame."""
    rack = row[f"{end}rack"]
    is_frame = plant.racks.get(rack, {}).get("role", "tor") != "tor"
    return f"frame {rack}" if is_frame else row[f"{end}row"]


def places(plant, row):
    return place(plant, row, "near_"), place(plant, row, "far_")


def check_comparison(plant):
    """The report's row of this plan: cables by where they run, units and lengths."""
    row, found = plant.plan["report"]["housings"][0], Counter()
    for cable in plant.cords + plant.trunks:
        same = cable["near_row"] == cable["far_row"]
        inside = cable["near_rack"] == cable["far_rack"]
        found["cables_within_racks" if inside else "cables_within_rows" if same else "cables_beyond_rows"] += 1
    found["rack_units"] = sum(thing["kind"] == SHELF for thing in plant.things.values())
    found["fibres"] = len(plant.cables)
    found["length_m"] = sum(float(cable["length_m"]) for cable in plant.cables)
    found["stock_m"] = sum(float(cable["stock_m"]) for cable in plant.cables)
    fields = ["cables_beyond_rows", "cables_within_rows", "cables_within_racks", "rack_units", "fibres", "length_m"]
    for field in [*fields, "stock_m"]:
        if abs(row[field] - found[field]) > 1e-3:
            plant.fault("report", f"{field} is {row[field]} in the report, {found[field]} in the sheets")
