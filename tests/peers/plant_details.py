"""Checks cells that repeat what other sheets say: parts of fibres, trays, ports, printed lines, names and prices."""

from collections import Counter, defaultdict
from decimal import Decimal

from light import number
from plant_chains import end_names, port_at, tor_at
from plant_files import SHELF, SWITCH, halves, metres, tray_names, whole

NOISE = 1e-6


def check_ways(plant, channels):
    """Cords say which part of their fibre they are. cables.csv has the trays of the whole way, and the fullest."""
    fill = {row["tray"]: row["fill_percent"] for row in plant.plan["report"]["trays"]}
    sheets = {row["label"]: row for row in plant.cords + plant.trunks}
    cables = {row["label"]: row for row in plant.cables}
    for way in [way for c in channels for way in [c.feed, *(branch.way for branch in c.branches)]]:
        label, trays = way[0].fibre, []
        for segment in way:
            along = tray_names(sheets[segment.cable]["trays"])
            trays += along if segment.enters == segment.near else along[::-1]
            if segment.kind == "strand":
                continue
            at_switch = any(plant.is_switch(plug.module) for plug in (segment.enters, segment.leaves))
            part = "whole" if len(way) == 1 else "drop" if at_switch else "jumper"
            name = f"{label}J" if part == "jumper" else label
            called = sheets[segment.cable]["part"]
            if (segment.cable, called) != (name, part):
                plant.fault("channel", f"{segment.cable} is called {called}, it is the {part} of {label}")
        row = cables.get(label)
        if row is None:
            continue
        fullest = max((fill.get(tray, 0.0) for tray in trays), default=0.0)
        if tray_names(row["trays"]) != trays:
            plant.fault("length", f"{label}: trays are {row['trays']!r}, its cables lie in {trays}")
        if abs(float(row["tray_fill_percent"]) - fullest) > 0.0501:
            plant.fault("fill", f"{label}: fullest tray {row['tray_fill_percent']} %, its trays have {fullest:.4f} %")


def check_ports(plant, channels):
    """Numbers of ports are those of the maps and of ports.csv. ports.csv has the ToR's rack, row and unit."""
    last = {}
    for rack, port in plant.port_of:
        last[rack] = max(port, last.get(rack, 0))
    used, positions = defaultdict(set), defaultdict(set)
    for name, joints in plant.joints.items():
        for start, (_, ends) in joints.items():
            for side, port, position in [start, *ends]:
                used[name, side].add(port)
                positions[name, side].add(position)
    for name, row in plant.things.items():
        for side in ("front", "rear"):
            ports = whole(row[f"{side}_ports"])
            due = len(used[row["map"], side])
            if row["kind"] == SWITCH:
                due = last.get(row["rack"], -1) + 1 if side == "front" else 0
            elif used[row["map"], side] != set(range(1, due + 1)):
                plant.fault("map", f"{name}: ports {sorted(used[row['map'], side])} of the {side} side are in its map")
            most = 12 if row[f"{side}_adapter"].startswith("MPO-12/") else 1
            if not positions[row["map"], side] <= set(range(1, most + 1)):
                plant.fault("map", f"{name}: a port of the {side} side has {most} positions")
            if row["kind"] != SHELF and ports != due:
                plant.fault("map", f"{name} has {ports} {side} ports, {due} are joined")
    rows = [row["name"] for row in plant.plan["hall"]["rows"]]
    for number_, row in enumerate(plant.ports):
        if int(row["tor"]) >= len(plant.plan["tors"]):
            plant.fault("cell", f"ports.csv names ToR {row['tor']}")
            continue
        rack = plant.racks[plant.plan["tors"][int(row["tor"])]]
        expected = {"name": rack["name"], "row": rows[rack["row"]], "unit": str(rack.get("tor_unit", ""))}
        expected["transceiver"] = row["port"]
        if found := plant.plan.get("ports"):
            names = found[int(row["tor"])]
            expected |= {"device": names.get("device", ""), "interface": names["interfaces"][int(row["port"])]}
        if "tx" in row:
            expected["tx"] = "lit" if row["port"] == "0" else "off"
        for field, text in expected.items():
            if row[field] != text:
                plant.fault("place", f"ports.csv {number_ + 2}: {field} is {row[field]!r}, not {text!r}")
    for channel in channels:
        if port_at(plant, channel.source)[1] != 0:
            plant.fault("fabric", f"ToR {tor_at(plant, channel.source)} transmits from port {channel.source.port}")


def check_names(plant):
    """A name says where its port is: the module and the port's number, M before those of MPO, or the interface."""
    interfaces = {(int(row["tor"]), row["port"]): row.get("interface") for row in plant.ports}
    fan_out, zone = plant.plan["report"]["p"], plant.plan["housing"] == "zone"
    for (module, side, port), name in end_names(plant).items():
        thing = plant.things.get(module, {})
        due = f"{module}:{'M' if side == 'rear' else ''}{port}"
        if thing.get("kind") == SWITCH:
            tor, at = plant.port_of.get((thing["rack"], whole(port)), (-1, -1))
            due = f"{module}:{interfaces.get((tor, str(at))) or port}"
        elif not zone and (splitters := thing.get("splitters", "").split()):
            # In racks of switches a splitter is named by the rack and the ToR that lights it.
            splitter, number_ = divmod(whole(port) - 1, fan_out + 1)
            if splitter < len(splitters):
                due = f"{module.rpartition('-')[0]}-S{splitters[splitter]}:{number_ - 1 if number_ else 'IN'}"
        if name != due:
            plant.fault("label", f"{side} port {port} of {module} is called {name!r}, not {due!r}")


def check_printed(plant):
    """The lines of a label: both ends as its identifier has them, and the direction at a trunk's connector."""
    ways = defaultdict(set)
    for row in plant.strands:
        for end in ("near", "far"):
            ways[f"{row['trunk']}.{(whole(row['strand']) - 1) // 12 + 1}", end].add(row[f"{end}_direction"])
    for row in plant.labels:
        name = f"{row['item']} {row['end'] or row['identifier']}"
        if row["item"] == "module":
            thing = plant.things.get(row["identifier"], {})
            expected = thing.get("rack"), f"U{thing.get('unit')}"
        else:
            expected = halves(row["identifier"])
        if (row["line_2"], row["line_3"]) != expected:
            plant.fault("label", f"{name}: {row['line_2']!r}, {row['line_3']!r} for {row['identifier']!r}")
        if found := ways.get((row["item"], row["end"])):
            due = found - {""} or {"dark"}
            if set(row["line_1"].partition(" ")[2].split(" and ")) != due:
                plant.fault("label", f"{name}: {row['line_1']!r} is printed, its strands are {due}")


PARTS = {"cord": "cord", "housing": "shelf", "frame": "frame", "panel module": "panel-module"}
ENDS = ("low", "typical", "high")


def range_of(price):
    """The lowest, the usual and the highest amount of a price, and whether it is assumed. None: unknown."""
    if price is None:
        return None
    if isinstance(price, dict):
        return [float(number(price[end])) for end in ENDS], price["rank"] == "assumed"
    return [float(number(price))] * 3, False


def added(terms):
    """The sum of prices times their factors. It is assumed if one of them is. None: all are unknown."""
    known = [(found, factor) for price, factor in terms if (found := range_of(price))]
    if not known:
        return None
    ends = [sum(amounts[at] * factor for (amounts, _), factor in known) for at in range(3)]
    return ends, any(assumed for (_, assumed), _ in known)


def row_of_plant(plant, row):
    """The row of the catalogue for a line of things and cables."""
    if row["item"] == "splitter module":
        name = "shuffle-module" if "map" in row["variant"] else "splitter-module"
    elif row["item"] == "trunk":
        name = f"trunk-{row['variant'].split()[0]}"
    else:
        name = PARTS.get(row["item"])
    rows = {part["name"]: part for part in plant.plan.get("cabling", {}).get("parts", [])}
    return rows.get(name)


def price_of(plant, row, part):
    """The price of a thing or cable. A cord without a price by length is that of its connectors: its fibre is added."""
    catalogue, stock, part = plant.plan["catalogue"], row["stock_m"], part or {}
    if not stock:
        return range_of(part.get("price"))
    terms = [(part.get("price"), 1.0)]
    if part.get("price_per_m"):
        beyond = max(0.0, float(stock) - metres(part.get("length_included", "0 m")))
        terms.append((part["price_per_m"], beyond))
    elif row["item"] == "cord":
        share = {"half": 0.5, "whole": 1.0}[catalogue["fibre_accounting"]]
        factor = share * float(stock) / metres(catalogue["fibre_price_per"])
        terms.append((catalogue.get("fibre_price"), factor))
    return added(terms)


def check_prices(plant):
    """Names of parts, and their prices: the lowest, the usual and the highest, and how they are founded."""
    plan, optics = plant.plan, plant.plan.get("optics", {})
    parts = optics.get("optics", {})
    named = {"transceiver": parts.get("transceiver"), "splitter": parts.get("splitter"), "splice": parts.get("splice")}
    named |= {"coupler": parts.get("panel"), "pad": (parts.get("pad") or {}).get("pad")}
    named |= {"switch port": optics.get("switch_port")}
    shelves = {shelf["name"]: shelf for shelf in optics.get("shelves", [])}
    inline = [*parts.get("feed", {}).get("inline", []), *parts.get("branch", {}).get("inline", [])]
    for row in plant.bom:
        name = f"{row['item']} {row['variant']} {row['stock_m']}".strip()
        if row["item"] in named:
            part = named[row["item"]]
            due = range_of((part or {}).get("price"))
        elif row["item"] == "inline part":
            part = next((part for part in inline if part["name"] == row["part"]), None)
            due = range_of((part or {}).get("price"))
        else:
            part = row_of_plant(plant, row)
            due = price_of(plant, row, part)
            if row["item"] == "housing":
                due = range_of(shelves.get(plan["housing"], {}).get("price")) or due
        if row["part"] != ((part or {}).get("name") or ""):
            plant.fault("order", f"{name}: part {row['part']!r}")
        found = [number(row[column]) for column in ("unit_low", "unit_price", "unit_high")]
        rank = "" if due is None else "assumed" if due[1] else "sourced"
        if due is None and any(one is not None for one in found):
            plant.fault("order", f"{name}: the price is {row['unit_price']!r}, the catalogue has none")
        elif due and any(one is None or abs(float(one) - of) > NOISE for one, of in zip(found, due[0], strict=True)):
            plant.fault("order", f"{name}: the price is {found}, the catalogue has {due[0]}")
        if row["price_rank"] != rank:
            plant.fault("order", f"{name}: its price is {row['price_rank']!r}, not {rank!r}")
        total, usual = number(row.get("line_total")), found[1]
        if usual is not None and total is not None and abs(total - usual * int(row["order"])) > Decimal("0.00501"):
            plant.fault("order", f"{name}: {row['order']} at {usual} are {usual * int(row['order'])}, not {total}")


def check_expected(plant):
    """The test sheet has the length of feed and branch, and expects a loss between its limits."""
    length = {row["label"]: float(row["length_m"]) for row in plant.cables}
    for row in plant.acceptance:
        due = length.get(row["feed"], 0.0) + length.get(row["label"], 0.0)
        if row.get("length_m") and abs(float(row["length_m"]) - due) > 1e-3:
            plant.fault("length", f"{row['label']}: {row['length_m']} m in acceptance.csv, its cables have {due:.4f} m")
        if row.get("expected_db") and not float(row["least_db"]) <= float(row["expected_db"]) <= float(row["most_db"]):
            plant.fault("light", f"{row['label']}: {row['expected_db']} dB is not between its limits")


def check_diameters(plant):
    """Diameters are those of plan.json. A trunk is bent to ten times its diameter at most."""
    trunks = plant.plan.get("cabling", {}).get("hardware", {}).get("trunks", [])
    diameters = {str(row["fibres"]): 1000 * metres(row["diameter"]) for row in trunks}
    cord = 1000 * metres(plant.plan["hall"]["fibre_diameter"])
    for row in plant.cords + plant.trunks:
        due, found = diameters.get(row.get("fibres"), 0.0) if "fibres" in row else cord, float(row["diameter_mm"])
        tight = "fibres" in row and float(row["bend_radius_mm"]) < 10 * found - NOISE
        if abs(found - due) > NOISE or tight:
            bend = row["bend_radius_mm"]
            plant.fault("fill", f"{row['label']}: {found} mm thick, bent to {bend} mm; {due} mm in plan.json")
        if row.get("stagger_m") and (int(row["connectors"]) > 1) != (float(row["stagger_m"]) > 0):
            plant.fault("length", f"{row['label']}: {row['connectors']} connectors, stagger {row['stagger_m']} m")


METER = 0.2  # uncertainty of a measurement, dB


def check_pads(plant):
    """The test sheet names the pad of each branch, and asks for a test where its limits do not show the pad."""
    pads = {row["label"]: row["pad"] for row in plant.cables}
    fitted = (plant.plan.get("optics") or {}).get("optics", {}).get("pad")
    for row in plant.acceptance:
        if "pad" not in row:
            if fitted:
                plant.fault("light", f"{row['label']}: the test sheet does not name its pad")
            continue
        if row["pad"] != (pads.get(row["feed"]) or pads.get(row["label"])):
            plant.fault("light", f"{row['label']}: {row['pad']!r} is not its pad")
        held = fitted["pad"]
        nominal, tolerance = (float(held[key].removesuffix(" dB")) for key in ("attenuation", "tolerance"))
        gap = float(row["most_db"]) - (nominal + tolerance) + METER - float(row["least_db"])
        # Cells are rounded to hundredths.
        if abs(gap) > 0.02 and row["limits_show_pad"] != ("yes" if gap < 0 else "no"):
            plant.fault("light", f"{row['label']}: limits_show_pad is {row['limits_show_pad']!r}")
        least, most = nominal - tolerance - METER, nominal + tolerance + METER
        due = ""
        if row["limits_show_pad"] == "no":
            due = f"take the pad out and measure again: the loss falls by {least:.2f} to {most:.2f} dB"
            due = due if least > METER else "look at the pad: no measurement shows it"
        if row["pad_test"] != due:
            plant.fault("light", f"{row['label']}: {row['pad_test']!r} is not the test of its pad")
