"""Replays packets using only the cables.csv and rules.json of a plan folder.

It uses the standard library only, and no code of the planner. The caller names the broken parts.

A switch handles a packet as follows. A packet from its own servers goes into its splitter if the
switch has a rule for its own id. A packet that its source unicasts to it (`via`) goes into its
splitter if the switch has a rule for the source. A copy from the fabric is dropped at the port if
`accept` names another splitter for its source. Otherwise it goes to the servers, and also into the
splitter if the switch has a rule for the source. A source and its stand-in never relay a copy that
comes back.
"""

import csv
import json
from collections import deque
from dataclasses import dataclass, field


@dataclass
class Broken:
    """Broken parts: dark splitters, ToRs without power, receivers as (ToR, port), fibres as (from,
    to).
    """

    splitters: set = field(default_factory=set)
    tors: set = field(default_factory=set)
    receivers: set = field(default_factory=set)
    fibres: set = field(default_factory=set)


class Folder:
    """The fibres and the rules of a plan folder."""

    def __init__(self, path):
        self.fibres = {}
        with open(path / "cables.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                tor = int(row["from_tor"])
                self.fibres.setdefault(tor, [])
                if row["kind"] == "branch":
                    self.fibres[tor].append((int(row["to_tor"]), int(row["to_port"])))
        text = (path / "rules.json").read_text(encoding="utf-8")
        rules = json.loads(text, object_pairs_hook=once)
        # Folders of older versions have no filters and no stand-ins. They are replayed without
        # them.
        self.relays = {int(tor): set(sources) for tor, sources in rules["relays"].items()}
        self.accept = {int(t): ids(only) for t, only in rules.get("accept", {}).items()}
        self.via = ids(rules.get("via", {}))

    def lit_by(self, tor, broken):
        """The ToRs that the light of a ToR's splitter reaches."""
        if tor in broken.splitters or tor in broken.tors:
            return []
        return [
            to
            for to, port in self.fibres[tor]
            if to not in broken.tors and (to, port) not in broken.receivers and (tor, to) not in broken.fibres
        ]

    def reach(self, root, broken):
        """The ToRs that light can reach if every ToR relays what the root transmits, including the
        root.
        """
        reached, queue = {root}, deque([root])
        while queue:
            for to in self.lit_by(queue.popleft(), broken):
                if to not in reached:
                    reached.add(to)
                    queue.append(to)
        return reached


def ids(said):
    return {int(key): value for key, value in said.items()}


def once(pairs):
    """A JSON object whose keys are unique."""
    found = dict(pairs)
    assert len(found) == len(pairs), f"a key comes twice: {pairs}"
    return found


def faults(folder, broken):
    """The faults: every source must reach each ToR that light can reach once, and no other ToR."""
    found = []
    tors = sorted(folder.fibres)
    live = [tor for tor in tors if tor not in broken.splitters | broken.tors]
    reach = {tor: folder.reach(tor, broken) for tor in live}
    for source in tors:
        root = folder.via.get(source, source)
        if source in broken.tors:
            best = 0
        elif source in live:
            best = len(reach[source] - {source})
        else:
            best = max((len(reach[tor] - {source}) for tor in live), default=0)
        if best == 0:
            if source in folder.via:
                found.append(f"source {source}: a stand-in where none can help")
            continue
        if root not in live:
            found.append(f"source {source}: nobody transmits first")
            continue
        if len(reach[root] - {source}) < best:
            found.append(f"source {source}: stand-in {root} reaches fewer than another one")
        found += wrong_copies(folder, broken, source, root, reach[root])
    return found


def wrong_copies(folder, broken, source, root, reached):
    """Follows every copy of one packet. The number of steps is limited to that without second
    copies.
    """
    if source not in folder.relays[root]:
        return [f"source {source}: {root} has no rule for it"]
    copies = dict.fromkeys(folder.fibres, 0)
    queue, sent = deque([root]), 0
    while queue:
        relay = queue.popleft()
        sent += 1
        if sent > len(folder.fibres):
            return [f"source {source}: its packets go round for ever"]
        for to in folder.lit_by(relay, broken):
            if folder.accept.get(to, {}).get(source, relay) != relay:
                continue
            copies[to] += 1
            if to not in (source, root) and source in folder.relays[to]:
                queue.append(to)
    wrong = []
    for tor, number in copies.items():
        # The source and its stand-in have the packet already. They drop a copy that comes back.
        if tor in (source, root):
            good = number <= 1
        else:
            good = number == (tor in reached)
        if not good:
            reaches = "reaches" if tor in reached else "does not reach"
            wrong.append(f"source {source}: ToR {tor} gets {number} copies; light {reaches} it")
    return wrong


def figures(folder, broken):
    """What the files bring: copies, sources that transmit, hops, lengths of the relay lists, and pairs that are cut off.

    A source and its stand-in have the packet without light. Hops lead to all others that light reaches.
    """
    found = {"copies": 0, "sources": 0, "max_hops": 0, "cut_off": {}}
    hops = []
    for source in sorted(folder.fibres):
        root = folder.via.get(source, source)
        sends = root not in broken.splitters | broken.tors and source in folder.relays[root]
        arrived = hops_of(folder, broken, source, root) if sends else {}
        found["sources"] += sends
        found["copies"] += len(arrived)
        hops += [at for tor, at in arrived.items() if tor not in (source, root)]
        has = {source, root, *arrived} if sends else {source}
        missed = [tor for tor in sorted(folder.fibres) if tor not in has]
        if missed:
            found["cut_off"][source] = missed
    lengths = [len(folder.relays[tor]) for tor in folder.fibres]
    found["loads"] = (min(lengths), sum(lengths) / len(lengths), max(lengths))
    found["max_hops"] = max(hops, default=0)
    found["mean_hops"] = sum(hops) / len(hops) if hops else 0.0
    return found


def hops_of(folder, broken, source, root):
    """The hops after which each ToR gets its copy. A second copy is an error."""
    hops, queue = {}, deque([(root, 0)])
    while queue:
        relay, at = queue.popleft()
        for to in folder.lit_by(relay, broken):
            if folder.accept.get(to, {}).get(source, relay) != relay:
                continue
            assert to not in hops, f"source {source}: ToR {to} gets a second copy"
            hops[to] = at + 1
            if to not in (source, root) and source in folder.relays[to]:
                queue.append((to, at + 1))
    return hops
