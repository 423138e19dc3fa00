"""Follows light from each transmitter through cords, strands and maps, and compares what it finds with
cables.csv, ports.csv and plan.json.
"""

from collections import Counter, defaultdict, namedtuple

from plant_files import SPLITTERS, Plug, halves

# One transmitter: its plug, the segments of its feed, the splitter (module and input, from 0), its branches.
Channel = namedtuple("Channel", "source feed splitter branches")
# The output of the splitter, the segments, and the plug at the receiver.
Branch = namedtuple("Branch", "output way receiver")
LONGEST = 16


def follow(plant, segment):
    """The segments from this one on, up to a switch or a splitter, and the plug there (none: the way ends)."""
    way = [segment]
    while len(way) < LONGEST:
        at = way[-1].leaves
        if plant.is_switch(at.module):
            return way, at
        name = plant.things.get(at.module, {}).get("map")
        through, ends = plant.joints[name].get((at.side, at.port, at.position), ("", []))
        if through == "splitter":
            return way, at
        if not ends:
            plant.fault("channel", f"{way[-1].cable} ({segment.fibre}): nothing is joined to {at}")
            return way, None
        then = plant.entering.get(Plug(at.module, *ends[0], ""))
        if then is None:
            plant.fault("channel", f"{way[-1].cable} ({segment.fibre}): no light goes on from {at.module} {ends[0]}")
            return way, None
        way.append(then)
    plant.fault("channel", f"{segment.cable} ({segment.fibre}) goes in circles")
    return way, None


def trace(plant):
    """All channels. Each lit segment must be in one, once."""
    channels, lit = [], Counter()
    for first in plant.segments:
        source = first.enters
        if not plant.is_switch(source.module):
            continue
        feed, at = follow(plant, first)
        lit.update(feed)
        if at is None or plant.is_switch(at.module):
            plant.fault("channel", f"{first.cable}: no splitter between {source} and {at}")
            continue
        name = plant.things[at.module]["map"]
        branches = []
        for output in plant.joints[name][at.side, at.port, at.position][1]:
            then = plant.entering.get(Plug(at.module, *output, ""))
            if then is None:
                continue
            way, receiver = follow(plant, then)
            lit.update(way)
            if receiver is None or not plant.is_switch(receiver.module):
                plant.fault("channel", f"{then.cable}: no receiver behind {at.module} {output}")
                continue
            branches.append(Branch(Plug(at.module, *output, ""), way, receiver))
        splitter = at.module, plant.splitter_inputs[name].index((at.side, at.port, at.position))
        channels.append(Channel(source, feed, splitter, branches))
    for segment in plant.segments:
        if lit[segment] != 1:
            plant.fault("channel", f"{segment.cable} ({segment.fibre}) is in {lit[segment]} channels")
    return channels


def port_at(plant, plug):
    """The ToR and its port where a plug is."""
    return plant.port_of.get((plant.things[plug.module]["rack"], plug.port), (-1, -1))


def tor_at(plant, plug):
    return port_at(plant, plug)[0]


def end_names(plant):
    """The name of each port, as labels.csv writes it at the end that is plugged in there."""
    names, ports = {}, {}
    ends = []
    for row in plant.cords:
        for end in ("near", "far"):
            port = row[f"{end}_module"], row[f"{end}_side"], row[f"{end}_port"]
            ends.append((row["label"], end, halves(row[f"{end}_label"])[0], port))
    labels = {(row["item"], row["end"]): row["identifier"] for row in plant.labels}
    for (cable, number), strands in plant.connectors.items():
        for end, plug in zip(["near", "far"], strands[0][1], strict=True):
            name = halves(labels.get((f"{cable}.{number}", end), ""))[0]
            ends.append((f"{cable}.{number}", end, name, (plug.module, plug.side, str(plug.port))))
    for cable, end, name, port in ends:
        if names.setdefault(port, name) != name:
            plant.fault("label", f"{cable} {end}: {' '.join(port)} is {names[port]!r} and {name!r}")
        if ports.setdefault(name, port) != port:
            plant.fault("label", f"{cable} {end}: {name!r} is {' '.join(ports[name])} and {' '.join(port)}")
    return names


def name_of(names, plug):
    name = names.get((plug.module, plug.side, str(plug.port)), "?")
    return f"{name}.{plug.position}" if plug.side == "rear" else name


def check_fibres(plant, channels):
    """Each fibre of cables.csv is found with its ends, and no other one is lit. The fabric is that of ports.csv."""
    names = end_names(plant)
    sheet = {row["label"]: row for row in plant.cables}
    if len(sheet) != len(plant.cables):
        plant.fault("label", "a label is twice in cables.csv")
    heard, found = {}, set()
    for channel in channels:
        tor = tor_at(plant, channel.source)
        module, number = channel.splitter
        listed = plant.things[module]["splitters"].split()
        # A cord that moved when the plan grew leads to the splitter of another number.
        splitter = listed[number] if plant.has_grown and number < len(listed) else str(tor)
        if not (number < len(listed) and listed[number] == splitter):
            plant.fault("channel", f"ToR {tor} transmits into splitter {number + 1} of {module}: {listed}")
        ends = {"from_tor": tor, "from_port": port_at(plant, channel.source)[1], "splitter": splitter}
        text = name_of(names, channel.source), name_of(names, channel.feed[-1].leaves)
        fibre(plant, sheet, f"F{tor}", channel.feed, ends | {"branch": "", "to_tor": "", "to_port": ""}, text)
        found.add(f"F{tor}")
        for branch in channel.branches:
            label = branch.way[0].fibre
            to, port = port_at(plant, branch.receiver)
            heard[to, port] = tor, label
            text = name_of(names, branch.output), name_of(names, branch.receiver)
            ends |= {"branch": label.rpartition(".")[2], "to_tor": to, "to_port": port}
            if not label.startswith(f"B{splitter}."):
                plant.fault("channel", f"{label} comes from ToR {tor} over splitter {splitter}")
            fibre(plant, sheet, label, branch.way, ends, text)
            found.add(label)
    for label in sorted(sheet.keys() - found):
        plant.fault("channel", f"{label} of cables.csv has no way of light")
    for row in plant.ports:
        tor, port = int(row["tor"]), int(row["port"])
        from_tor, label = heard.pop((tor, port), ("", ""))
        if (row["rx_from_tor"], row["rx_label"]) != (str(from_tor), label):
            plant.fault("fabric", f"port {port} of ToR {tor} hears {from_tor}, ports.csv says {row['rx_from_tor']}")
        if row["tx_label"] != (f"F{tor}" if port == 0 else ""):
            plant.fault("fabric", f"port {port} of ToR {tor} transmits into {row['tx_label']!r}")
    for (tor, port), (from_tor, _) in heard.items():
        plant.fault("fabric", f"port {port} of ToR {tor} hears {from_tor} and is not in ports.csv")


def fibre(plant, sheet, label, way, ends, text):
    """One fibre against its row in cables.csv."""
    if others := {segment.fibre for segment in way} - {label}:
        plant.fault("channel", f"{label} runs over segments of {', '.join(sorted(others))}")
    row = sheet.get(label)
    if row is None:
        plant.fault("channel", f"{label} is lit and not in cables.csv")
        return
    kind = "feed" if label.startswith("F") else "branch"
    for field, expected in ({"kind": kind} | ends).items():
        if row[field] != str(expected):
            plant.fault("channel", f"{label}: {field} is {row[field]!r} in cables.csv and {expected} in the plant")
    for field, sides in [("near_label", text), ("far_label", text[::-1])]:
        if row[field] != " / ".join(sides):
            plant.fault("label", f"{label}: {field} is {row[field]!r}, its ends are {' / '.join(sides)!r}")
    for field, total in [("length_m", sum(s.metres for s in way)), ("stock_m", sum(s.stock for s in way))]:
        if abs(float(row[field]) - total) > 1e-6:
            plant.fault("length", f"{label}: {field} is {row[field]}, its cables have {total:.6f}")


def check_fabric(plant, channels):
    """Who feeds whom: cassettes, as the report counts them, and the Shufflecast's rule."""
    fabric, p = plant.plan["fabric"], plant.plan["report"]["p"]
    feeds = {tor_at(plant, c.source): sorted(tor_at(plant, b.receiver) for b in c.branches) for c in channels}
    if sorted(feeds) != list(range(len(plant.plan["tors"]))):
        plant.fault("fabric", f"{len(feeds)} of {len(plant.plan['tors'])} ToRs transmit")
    relays = defaultdict(list)
    for tor, receivers in sorted(feeds.items()):
        relays[tuple(receivers)].append(tor)
        if not 0 < len(set(receivers)) == len(receivers) <= p:
            plant.fault("fabric", f"ToR {tor} feeds {receivers} over a 1:{p} splitter")
    # All relays of a cassette feed the same ToRs, and each ToR is fed by one cassette.
    fed = Counter(tor for receivers in relays for tor in receivers)
    if len(relays) != plant.plan["report"]["cassettes"] or any(fed[tor] != 1 for tor in feeds):
        plant.fault("fabric", f"{len(relays)} cassettes, {plant.plan['report']['cassettes']} in the report")
    full = fabric["family"] == "shufflecast" or len(feeds) == p * len(relays)
    for receivers, tors in relays.items():
        if len(tors) > p or (full and {len(tors), len(receivers)} != {p}):
            plant.fault("fabric", f"{len(tors)} ToRs feed {receivers} over 1:{p} splitters")
    if fabric["family"] == "shufflecast":
        k, rows = fabric["k"], p ** fabric["k"]
        for tor, receivers in feeds.items():
            column, row = divmod(tor, rows)
            first = (column + 1) % k * rows + row * p % rows
            if receivers != [first + m for m in range(p)]:
                plant.fault("fabric", f"ToR {tor} feeds {receivers}, a Shufflecast from {first} on")


def check_splitters(plant, channels):
    """Each splitter of modules.csv has one input, and is lit by one transmitter."""
    fan_out, inputs = plant.plan["report"]["p"], 0
    for name, thing in plant.things.items():
        found, listed = plant.splitter_inputs.get(thing["map"], []), thing["splitters"].split()
        # A splitter whose ToR left when the plan shrank stays in its module.
        inputs += len(listed) - listed.count("dark")
        if len(found) != len(listed) or (thing["kind"] in SPLITTERS) != bool(listed):
            plant.fault("map", f"{name} has {len(listed)} splitters, its map {len(found)}")
        for start in found:
            if (outputs := len(plant.joints[thing["map"]][start][1])) > fan_out:
                plant.fault("map", f"{name}: splitter at {start} has {outputs} outputs of {fan_out}")
    lit = Counter(channel.splitter for channel in channels)
    if inputs != len(lit) or any(count != 1 for count in lit.values()):
        plant.fault("channel", f"{inputs} splitters, {len(lit)} of them lit")
