"""Replays a growth or a shrinking, stage by stage, from the files of both plans alone: `cables.csv`, `rules.json`,
`growth.csv` and `stages.json`. It follows the cords that are plugged and the rules that are installed. In plans with
trunks it follows the light through `cords.csv`, `strands.csv`, `modules.csv` and `maps.csv`. Standard library only.
"""

import csv
import json
from collections import defaultdict, namedtuple

Cord = namedtuple("Cord", "label near far kind tor splitter branch to port")


def sheet(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cords(folder, named=int):
    """The cords of a plan by label. `named` gives a ToR's number in the larger plan."""
    found = {}
    for row in sheet(folder / "cables.csv"):
        near, far = row["near_label"].split(" / ")
        to = named(row["to_tor"]) if row["to_tor"] else None
        found[row["label"]] = Cord(
            row["label"],
            near,
            far,
            row["kind"],
            named(row["from_tor"]),
            row["splitter"],
            row["branch"],
            to,
            row["to_port"],
        )
    return found


def rules(folder, named=int):
    """The sources that each ToR relays, and the stand-ins."""
    listed = json.loads((folder / "rules.json").read_text(encoding="utf-8"))
    relays = defaultdict(set)
    for tor, sources in listed["relays"].items():
        relays[named(tor)] = {named(source) for source in sources}
    via = {named(source): named(root) for source, root in listed.get("via", {}).items()}
    return relays, via


class Glass:
    """What cords of plans with trunks are plugged into: modules with their maps, and strands. Both plans must agree on
    what they share.
    """

    def __init__(self, *plans):
        self.maps, self.joints, self.strands, self.tors = {}, {}, {}, {}
        self.carries = []
        for folder, named in plans:
            joints = defaultdict(lambda: defaultdict(list))
            for row in sheet(folder / "maps.csv"):
                ends = [(row[f"{end}_side"], row[f"{end}_port"], row[f"{end}_position"]) for end in ("from", "to")]
                joints[row["map"]][ends[0]].append(ends[1])
                if row["through"] != "splitter":
                    joints[row["map"]][ends[1]].append(ends[0])
            for name, joined in joints.items():
                assert self.joints.setdefault(name, joined) == joined, f"map {name} differs"
            for row in sheet(folder / "modules.csv"):
                if row["map"]:
                    there = self.maps.setdefault(row["module"], row["map"])
                    assert there == row["map"], f"{row['module']} has another map"
            carries = {}
            for row in sheet(folder / "strands.csv"):
                near, far = (
                    (row[f"{end}_module"], row[f"{end}_side"], row[f"{end}_port"], row[f"{end}_position"])
                    for end in ("near", "far")
                )
                carries[row["trunk"], row["strand"]] = row["carries"]
                for one, other in ((near, far), (far, near)):
                    assert self.strands.setdefault(one, other) == other, f"a strand at {one} has another end"
            self.carries.append(carries)
            from_tor = {row["label"]: named(row["from_tor"]) for row in sheet(folder / "cables.csv")}
            for row in sheet(folder / "cords.csv"):
                if row["fibre"].startswith("F") and row["part"] == "drop":
                    tor = from_tor[row["fibre"]]
                    assert self.tors.setdefault(row["near_module"], tor) == tor

    def strands_stay(self):
        """A strand in use carries what it carried, while its fibre is there."""
        old, new = self.carries
        lit = set(new.values())
        for strand, fibre in old.items():
            assert strand in new, f"strand {strand} is gone"
            assert fibre == "dark" or fibre not in lit or new[strand] == fibre, f"{fibre} lies elsewhere than {strand}"

    def reached(self, plugged, at):
        """The ToRs that the light arrives at which enters the cord in the port `at`. `plugged` has cords by port."""
        cord = plugged.get(at)
        if cord is None:
            return []
        module, side, port = cord.plugs[1]
        if module in self.tors:
            return [self.tors[module]]
        found = []
        for out_side, out_port, position in self.joints[self.maps[module]].get((side, port, "1"), []):
            out = (module, out_side, out_port)
            if out_side == "rear":
                other = self.strands.get((*out, position))
                if other is None:
                    continue
                ((front, front_port, _),) = self.joints[self.maps[other[0]]][other[1:]]
                out = (other[0], front, front_port)
            found += self.reached(plugged, out)
        return found


class Laid(Cord):
    """A cord of a plan with trunks, with the ports that it is plugged into."""

    plugs = ()


def laid_cords(folder, named=int):
    """The cords of a plan with trunks by label."""
    fibres, found = cords(folder, named), {}
    for row in sheet(folder / "cords.csv"):
        near, far = row["near_label"].split(" / ")
        # A drop stays where it is if its fibre goes to another splitter.
        cord = Laid(*fibres[row["fibre"]]._replace(label=row["label"], near=near, far=far, splitter=""))
        cord.plugs = tuple((row[f"{end}_module"], row[f"{end}_side"], row[f"{end}_port"]) for end in ("near", "far"))
        found[row["label"]] = cord
    return found


class State:
    """The plugged cords, the rules, and the ToRs in service. `glass` is what cords of plans with trunks end at."""

    def __init__(self, plugged, relays, via, serving, glass=None):
        self.plugged, self.relays, self.via, self.serving = plugged, relays, via, serving
        self.glass = glass

    def light(self):
        """The ToRs that the light of each ToR reaches. No port has two cords."""
        if self.glass:
            return self.traced()
        # A port of a ToR transmits and receives. The light of a feed starts there, that of a branch ends there.
        ends = [(end, cord.kind) for cord in self.plugged.values() for end in (cord.near, cord.far)]
        assert len(ends) == len(set(ends)), "two cords share a port"
        fed = {cord.splitter: cord.tor for cord in self.plugged.values() if cord.kind == "feed"}
        reached = defaultdict(list)
        for cord in self.plugged.values():
            if cord.kind == "branch" and cord.splitter in fed:
                reached[fed[cord.splitter]].append(cord.to)
        return reached

    def traced(self):
        """The same, through panels and strands."""
        ports = [(plug, way) for cord in self.plugged.values() for way, plug in enumerate(cord.plugs)]
        shared = [plug if plug[0] not in self.glass.tors else (plug, way) for plug, way in ports]
        assert len(shared) == len(set(shared)), "two cords share a port"
        by_port = {cord.plugs[0]: cord for cord in self.plugged.values()}
        reached = defaultdict(list)
        for port, cord in by_port.items():
            if port[0] in self.glass.tors:
                reached[self.glass.tors[port[0]]] = self.glass.reached(by_port, port)
                assert cord.kind == "feed"
        return reached

    def replay(self, paused=()):
        """Sends a packet of each source in service. Every ToR in service gets one copy."""
        reached = self.light()
        for source in sorted(self.serving.difference(paused)):
            root = self.via.get(source, source)
            assert source in self.relays[root], f"ToR {root} does not send for source {source}"
            arrived, queue = set(), [root]
            while queue:
                for tor in reached[queue.pop()]:
                    assert tor not in arrived, f"a second copy of source {source} at ToR {tor}"
                    arrived.add(tor)
                    if tor not in (source, root) and source in self.relays[tor]:
                        queue.append(tor)
            missed = self.serving - arrived - {source, root}
            assert not missed, f"source {source} does not reach {sorted(missed)[:5]}"

    def update(self, change, entering=()):
        """Pause, delete, wait, add, resume. Sources that do not pause are replayed between. ToRs that enter service
        do so with the added rules.
        """
        for tor, sources in change["delete"].items():
            assert self.relays[int(tor)] >= set(sources), f"a rule of ToR {tor} is not there"
            self.relays[int(tor)] -= set(sources)
        self.replay(change["pause"])
        for tor, sources in change["add"].items():
            assert not self.relays[int(tor)] & set(sources), f"a rule of ToR {tor} is there"
            self.relays[int(tor)] |= set(sources)
        self.via = {int(source): root for source, root in change["via"].items()}
        self.serving = self.serving.union(entering)
        self.replay()

    def graph(self, without=()):
        """The edges of the ToRs in service: from the set of ToRs that hear what a ToR hears, to the set that
        hears it.
        """
        light = self.light()
        heard = {tor: frozenset(self.serving.intersection(light[tor])) for tor in self.serving}
        fed_by = {tor: receivers for receivers in heard.values() for tor in receivers}
        silent = set(without)
        ends = {tor: (fed_by[tor], heard[tor]) for tor in self.serving}
        return {tor: pair for tor, pair in ends.items() if tor not in silent}, set(fed_by.values())


def listed_cords(old_folder, new_folder, old, new):
    """The rows of `growth.csv`, checked against the cords of both plans."""
    rows = sheet(new_folder / "growth.csv")
    trunks = [{row["label"] for row in sheet(folder / "trunks.csv")} for folder in (old_folder, new_folder)]
    built = {row["label"] for row in rows if row["kind"] == "trunk"}
    assert trunks[0] <= trunks[1] and built == trunks[1] - trunks[0], "trunks stay, and new ones are listed"
    assert all((r["stage"], r["action"]) == ("0", "build") for r in rows if r["kind"] == "trunk")
    rows = [row for row in rows if row["kind"] != "trunk"]
    for row in rows:
        label, action = row["label"], row["action"]
        was, now = old.get(label), new.get(label)
        assert {"move": was and now, "remove": was and not now}.get(action, now and not was), row
        for cord, ends in ((was, ("old_near", "old_far")), (now, ("new_near", "new_far"))):
            found = tuple(row[end] for end in ends)
            assert found == ((cord.near, cord.far) if cord else ("", "")), row
    stay = old.keys() & new.keys() - {row["label"] for row in rows}
    for label in stay:
        assert (old[label].near, old[label].far) == (new[label].near, new[label].far), label
    assert old.keys() ^ new.keys() <= {row["label"] for row in rows}
    assert len(rows) == len({row["label"] for row in rows}), "a cord is touched twice"
    return rows


def replay(old_folder, new_folder, parallel):
    """Replays all stages. `parallel` counts the parallel sources of a graph: edges by ToR, and all vertices.
    Returns the rows of `growth.csv`.
    """
    document = json.loads((new_folder / "stages.json").read_text(encoding="utf-8"))
    stages, grows = document["stages"], document["kind"] == "grow"
    larger = {new: int(old) for old, new in document["renumbered"].items()}

    def named(tor):
        return larger.get(int(tor), int(tor))

    plans = ((old_folder, int), (new_folder, named))
    glass = Glass(*plans) if sheet(new_folder / "trunks.csv") else None
    old, new = (laid_cords(*plan) if glass else cords(*plan) for plan in plans)
    if glass:
        glass.strands_stay()
    rows = listed_cords(old_folder, new_folder, old, new)
    final, final_via = rules(new_folder, named)

    def labels(stage, *actions):
        return [r["label"] for r in rows if int(r["stage"]) == stage and r["action"] in actions]

    relays, via = rules(old_folder)
    state = State(dict(old), relays, via, {cord.tor for cord in old.values()}, glass)
    state.replay()
    for label in labels(0, "build", "move", "plug", "remove"):
        assert label not in old, f"{label} is touched before the first stage"
        state.plugged[label] = new[label]
    state.replay()
    for stage in stages:
        number, counted = stage["stage"], stage["parallel_sources"]
        assert counted["before"] == parallel(*state.graph())
        if grows:
            assert counted["during"] == parallel(*state.graph(stage["moves"]))
        state.serving -= set(stage["leave"])
        state.update(stage["drain"])
        touched = {named_in(label, old, new) for label in labels(number, "move", "plug")}
        assert touched <= {*stage["moves"], *stage["plug"]}, "a cord of another ToR is touched"
        for label in labels(number, "move", "remove"):
            del state.plugged[label]
        state.replay()
        for label in labels(number, "move", "plug"):
            assert label not in state.plugged
            state.plugged[label] = new[label]
        state.replay()
        state.update(stage["restore"], stage["enter"])
        assert counted["after"] == parallel(*state.graph())
    for label in labels(len(stages) + 1, "remove"):
        del state.plugged[label]
    # The splitter of a branch that stays may have another ToR now.
    places = [
        {(*cord._replace(tor=None), *getattr(cord, "plugs", ())) for cord in plan.values()}
        for plan in (state.plugged, new)
    ]
    assert places[0] == places[1]
    assert {t: s for t, s in state.relays.items() if s} == {t: s for t, s in final.items() if s}
    assert state.via == final_via
    state.replay()
    return rows


def named_in(label, old, new):
    """The ToR whose light a cord carries afterwards."""
    return (new.get(label) or old[label]).tor

