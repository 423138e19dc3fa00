"""Replays a plan folder from its sheets, as docs/plan-folder.md and docs/model.md say. It knows no code of
lightloom. plan.json gives only what no sheet has: the hall, stock lengths, rows of the catalogue, and the report.

    python3 tests/peers/plant_replay.py FOLDER
"""

import math
import sys
from collections import Counter

from light import spread, value
from plant_chains import check_fabric, check_fibres, check_splitters, end_names, name_of, port_at, tor_at, trace
from plant_details import (
    check_diameters,
    check_expected,
    check_names,
    check_pads,
    check_ports,
    check_prices,
    check_printed,
    check_ways,
)
from plant_files import Fault, Plant
from plant_hall import check_lengths, check_places
from plant_papers import (
    check_comparison,
    check_labels,
    check_mates,
    check_order,
    check_pulls,
    check_trunks,
    check_work,
)


def mated(plant, way):
    """Mated pairs of LC and of MPO connectors along segments, without those at transceivers."""
    pairs = Counter()
    for segment in way:
        for plug in (segment.enters, segment.leaves):
            if not plant.is_switch(plug.module):
                pairs["lc" if segment.kind == "cord" else "mpo"] += 1
    return pairs


def limits(plant, pairs, feed, branch, metres):
    """Least and greatest loss to measure: splitter, pairs, fibre, parts on the fibres, and one pair more."""
    optics, p = plant.plan["optics"]["optics"], plant.plan["report"]["p"]
    row = optics["splitter"]
    even = 10 * math.log10(p)
    losses = [(max(0.0, even + value(row, "excess_min", 0.0) - value(row, "uniformity", 0.0)), value(row, "loss_max"))]
    losses.append((0.0, 0.0 if row.get("pdl_included") else value(row, "pdl", 0.0)))
    losses.append((0.0, metres / 1000 * value(optics["fibre"], "attenuation_max")))
    joints = Counter(connector=pairs["lc"], mpo=pairs["mpo"])
    for side, cable in [("feed", feed), ("branch", branch)]:
        joints += Counter(splice=int(cable["splices"]), panel=int(cable["panels"]))
        parts = {part["name"]: part for part in optics[side]["inline"]}
        names = cable["inline"].split("; ") if cable["inline"] else []
        losses += [spread(parts[name])[::2] for name in names]
        if cable["pad"]:
            pad = optics["pad"]["pad"]
            nominal, tolerance = (value(pad, field) for field in ["attenuation", "tolerance"])
            losses.append((nominal - tolerance, nominal + tolerance))
    for name, count in joints.items():
        if optics.get(name):
            least, _, most = spread(optics[name])
            losses.append((count * least, count * most))
    reference = spread(optics["connector"])[2] if optics.get("connector") else 0.0
    least, most = map(sum, zip(*losses, strict=True))
    return least, most + reference


def check_light(plant, channels):
    """Each branch of acceptance.csv: its ends, and the limits of its loss from its own chain."""
    rows = {row["label"]: row for row in plant.acceptance}
    cables = {row["label"]: row for row in plant.cables}
    names, report = end_names(plant), plant.plan["report"]["housings"][0]
    found, most_pairs = set(), 0
    for channel in channels:
        tor = tor_at(plant, channel.source)
        for branch in channel.branches:
            label = branch.way[0].fibre
            found.add(label)
            row, pairs = rows.get(label), mated(plant, channel.feed) + mated(plant, branch.way)
            most_pairs = max(most_pairs, pairs.total())
            if row is None or label not in cables or f"F{tor}" not in cables:
                plant.fault("light", f"{label} is not in acceptance.csv or cables.csv")
                continue
            receiver = name_of(names, branch.receiver)
            to, port = port_at(plant, branch.receiver)
            ends = {"feed": f"F{tor}", "from_tor": tor, "to_tor": to, "to_port": port}
            ends |= {"source_at": name_of(names, channel.source)}
            ends |= {"meter_at": receiver, "otdr_from": receiver}
            optics = plant.plan.get("optics", {}).get("optics")
            ends["wavelength"] = (optics and optics["transceiver"]["wavelength"]) or ""
            for field, expected in ends.items():
                if row[field] != str(expected):
                    plant.fault("light", f"{label}: {field} is {row[field]!r}, the channel has {expected!r}")
            if "optics" not in plant.plan:
                expected = ["", ""]
            else:
                metres = sum(segment.metres for segment in channel.feed + branch.way)
                expected = limits(plant, pairs, cables[f"F{tor}"], cables[label], metres)
            for field, limit in zip(["least_db", "most_db"], expected, strict=True):
                same = row[field] == limit if limit == "" else row[field] and abs(float(row[field]) - limit) <= 0.00501
                if not same:
                    plant.fault("light", f"{label}: {field} is {row[field]!r}, its chain of {dict(pairs)} has {limit}")
    for label in sorted(rows.keys() - found):
        plant.fault("light", f"{label} of acceptance.csv is no branch")
    if most_pairs != report["connector_pairs"]:
        plant.fault("light", f"{most_pairs} mated pairs in a channel, {report['connector_pairs']} in the report")


OF_LIGHT = check_fibres, check_fabric, check_splitters, check_light, check_ways, check_ports
OF_THINGS = check_mates, check_trunks, check_labels, check_names, check_printed, check_lengths, check_places
OF_THINGS += check_diameters, check_expected, check_order, check_pads, check_prices, check_pulls, check_work
OF_THINGS += (check_comparison,)


def replay(folder):
    """All faults of a plan folder. A cell that cannot be read is one."""
    try:
        plant = Plant(folder)
    except (KeyError, ValueError) as error:
        return [Fault("unreadable", repr(error))]
    try:
        channels = trace(plant)
        for check in OF_LIGHT:
            check(plant, channels)
        for check in OF_THINGS:
            check(plant)
    except (KeyError, ValueError, ArithmeticError) as error:
        plant.fault("unreadable", repr(error))
    return list(dict.fromkeys(plant.faults))


if __name__ == "__main__":
    faults = replay(sys.argv[1])
    print("\n".join(f"{fault.kind}: {fault.text}" for fault in faults) or "no fault")
    sys.exit(bool(faults))
