"""Replays a growth or a shrinking, stage by stage, from the files of both plans alone: `cables.csv`, `rules.json`,
`growth.csv` and `stages.json`. It follows the cords that are plugged and the rules that are installed. Standard
library only.
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


class State:
    """The plugged cords, the rules, and the ToRs in service."""

    def __init__(self, plugged, relays, via, serving):
        self.plugged, self.relays, self.via, self.serving = plugged, relays, via, serving

    def light(self):
        """The ToRs that the light of each ToR reaches. No port has two cords."""
        # A port of a ToR transmits and receives. The light of a feed starts there, that of a branch ends there.
        ends = [(end, cord.kind) for cord in self.plugged.values() for end in (cord.near, cord.far)]
        assert len(ends) == len(set(ends)), "two cords share a port"
        fed = {cord.splitter: cord.tor for cord in self.plugged.values() if cord.kind == "feed"}
        reached = defaultdict(list)
        for cord in self.plugged.values():
            if cord.kind == "branch" and cord.splitter in fed:
                reached[fed[cord.splitter]].append(cord.to)
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

    old, new = cords(old_folder), cords(new_folder, named)
    rows = listed_cords(old_folder, new_folder, old, new)
    final, final_via = rules(new_folder, named)

    def labels(stage, *actions):
        return [r["label"] for r in rows if int(r["stage"]) == stage and r["action"] in actions]

    relays, via = rules(old_folder)
    state = State(dict(old), relays, via, {cord.tor for cord in old.values()})
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
    places = [{cord._replace(tor=None) for cord in plan.values()} for plan in (state.plugged, new)]
    assert places[0] == places[1]
    assert {t: s for t, s in state.relays.items() if s} == {t: s for t, s in final.items() if s}
    assert state.via == final_via
    state.replay()
    return rows


def named_in(label, old, new):
    """The ToR whose light a cord carries afterwards."""
    return (new.get(label) or old[label]).tor

