"""What the controller does while parts fail, return and fail again, and the tables that switches have then.

A part of the event model in `rollout_model`. It shares no code with the twin: it reads `cables.csv` and `rules.json` of a plan
folder and the answers of `recover`. The rules are those of docs/model.md.
"""

import csv
import json
from collections import deque
from dataclasses import dataclass, field

NEVER = 1 << 62
HEADER, MTU, PREAMBLE, GAP, RETH = 62, 4096, 8, 12, 16
PS_PER_METRE = 4_900


def on_wire(size, rate):
    """The time of bytes at a rate in bits a second, rounded up to the picosecond."""
    return -(-size * 8_000_000_000_000 // rate)


@dataclass(frozen=True)
class Incident:
    """A part that fails, by the name that `recover` gives it."""

    part: str
    start: int
    end: int


@dataclass
class Rules:
    """Relays by ToR, filters by ToR and source, stand-ins by source."""

    relays: dict
    accept: dict
    via: dict

    def copy(self):
        return Rules(
            {tor: set(of) for tor, of in self.relays.items()},
            {tor: dict(of) for tor, of in self.accept.items()},
            dict(self.via),
        )

    def except_for(self, other, tors):
        """These rules, but some ToRs keep those that they have."""
        new = self.copy()
        for tor in tors:
            new.relays[tor] = set(other.relays[tor])
            for mine, theirs in ((new.accept, other.accept), (new.via, other.via)):
                mine.pop(tor, None)
                if tor in theirs:
                    mine[tor] = theirs[tor]
        return new

    def differences(self, other):
        """The number of entries that differ, and their ToRs."""
        entries = set()
        for one, two in ((self, other), (other, self)):
            entries |= {("r", t, s) for t in one.relays for s in one.relays[t] - two.relays[t]}
            for t, of in one.accept.items():
                entries |= {("a", t, s) for s, w in of.items() if two.accept.get(t, {}).get(s) != w}
            entries |= {("v", s, s) for s, w in one.via.items() if two.via.get(s) != w}
        return len(entries), {tor for _, tor, _ in entries}


class Plan:
    """A plan folder, and the rules of its recoveries."""

    def __init__(self, folder, recover):
        self.recover, self.known = recover, {}
        self.branches, self.cassette_of, feeds = {}, {}, {}
        self.hears = {}
        with open(folder / "cables.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                tor, length = int(row["from_tor"]), round(float(row["length_m"]) * 1_000_000)
                if row["kind"] == "feed":
                    feeds[tor] = length
                    self.branches.setdefault(tor, {})
                    continue
                to = int(row["to_tor"])
                self.hears[to, int(row["to_port"])] = tor
                self.branches.setdefault(tor, {})[to] = length
        for tor, branches in self.branches.items():
            for to, length in branches.items():
                delay = -(-(length + feeds[tor]) * PS_PER_METRE // 1_000_000)
                branches[to] = max(delay, 1)
        self.tors = sorted(self.branches)
        rules = json.loads((folder / "rules.json").read_text(encoding="utf-8"))
        relays = {tor: set() for tor in self.tors}
        relays.update({int(tor): set(of) for tor, of in rules["relays"].items()})
        self.installed = Rules(relays, {}, {})

    def rules(self, parts):
        """The rules for broken parts."""
        parts = tuple(sorted(parts))
        if not parts:
            return self.installed
        if parts not in self.known:
            answer = self.recover(",".join(parts))
            new = self.installed.copy()
            for tor, change in answer["changes"].items():
                new.relays[int(tor)] -= set(change["delete"])
                new.relays[int(tor)] |= set(change["add"])
            new.accept = {int(t): {int(s): w for s, w in of.items()} for t, of in answer["accept"].items()}
            new.via = {int(source): root for source, root in answer["via"].items()}
            self.known[parts] = new
        return self.known[parts]

    def dead(self, part):
        """The splitters and branches that a broken part darkens, and the ToR that is without power."""
        kind, _, of = part.partition(":")
        if kind in ("relay", "tx", "splitter"):
            return {(int(of), None)}, None
        if kind == "branch":
            start, end = of.split("->")
            return {(int(start), int(end))}, None
        if kind == "rx":
            tor, port = (int(number) for number in of.split("/"))
            return {(self.hears[tor, port], tor)}, None
        if kind == "tor":
            tor = int(of)
            return {(tor, None)} | {(a, tor) for a in self.tors if tor in self.branches[a]}, tor
        raise ValueError(part)

    def lit(self, parts):
        """Whether light passes a branch while parts are broken."""
        dark, off = set(), set()
        for part in parts:
            more, tor = self.dead(part)
            dark |= more
            off |= {tor} - {None}
        return lambda a, b: (a, None) not in dark and (a, b) not in dark and b not in off

    def hops(self, rules, parts):
        """The most hops of any packet."""
        lit, most = self.lit(parts), 0
        for source in self.tors:
            root = rules.via.get(source, source)
            seen, queue = {}, deque([(root, 0)])
            while queue:
                tor, far = queue.popleft()
                if source not in rules.relays[tor] or (tor in (source, root) and far):
                    continue
                for to in self.branches[tor]:
                    only = rules.accept.get(to, {}).get(source, tor)
                    if to in seen or only != tor or not lit(tor, to):
                        continue
                    seen[to] = far + 1
                    if to not in (source, root):
                        queue.append((to, far + 1))
            most = max([most, *(far for tor, far in seen.items() if tor != source)])
        return most


@dataclass
class Stage:
    at: int
    kind: str
    parts: frozenset
    off: set
    rules: Rules


@dataclass
class Course:
    """What the controller does: stages, events, and from when to when parts are out of service."""

    stages: list = field(default_factory=list)
    events: list = field(default_factory=list)
    latches: list = field(default_factory=list)
    hops: int = 0
    # (start of a drain, its end, whether a stand-in transmitted before).
    drains: list = field(default_factory=list)


def course(plan, incidents, times, drain, returns, until):
    """The course of the recoveries. `drain` answers the time for hops and stand-ins."""
    detection, computation, installation = times
    spells = {}
    for one in sorted(incidents, key=lambda one: one.start):
        of = spells.setdefault(one.part, [])
        if of and one.start <= of[-1][1]:
            of[-1][1] = max(of[-1][1], one.end)
        else:
            of.append([one.start, one.end])
    news = [(a, "failed", part) for part, of in spells.items() for a, _ in of]
    news += [(b, "returned", part) for part, of in spells.items() for _, b in of]
    news = sorted(one for one in news if one[0] < until)
    done = Course(events=[(at, what, part) for at, what, part in news])
    done.events += [(at + detection, "detected", part) for at, _, part in news if at + detection < until]
    lasting = lambda at: frozenset(p for p, of in spells.items() if any(a <= at < b for a, b in of))
    off = lambda at: {int(part[4:]) for part in lasting(at) if part.startswith("tor:")}
    over = {}
    now = meant = plan.installed
    done.hops = plan.hops(now, ())
    done.stages.append(Stage(0, "start", frozenset(), off(0), now))
    free, queue = 0, deque(news)

    def out(known):
        return {
            part
            for part, of in spells.items()
            if any(a <= known and b > over.get(part, -1) for a, b in of)
        }

    def latch(part, end):
        first = min(b for _, b in spells[part] if b > over.get(part, -1))
        if returns == "after-rules" and first < end:
            done.latches.append((part, first, end))

    while queue:
        first = last = queue.popleft()
        begins = max(free, first[0] + detection)
        while queue and queue[0][0] + detection <= begins:
            last = queue.popleft()
        if begins >= until:
            break
        known = lasting(last[0])
        unconfirmed = now.differences(meant)[1]
        held = out(last[0]) | {f"tor:{tor}" for tor in unconfirmed}
        target = plan.rules(known)
        # Packets from before these failures may be below the parts that failed.
        under_way = done.hops
        done.hops = max(done.hops, plan.hops(target, known))
        target = target.except_for(now, off(last[0]))
        hops, stands_in = max(plan.hops(now, held), under_way), bool(now.via)
        meant = target
        if begins > last[0] + detection:
            done.events.append((begins, "begun", last[2]))
        at = begins + computation
        if at >= until:
            break
        done.events.append((at, "computed", last[2]))
        steps, here = [], now.copy()
        for tor in plan.tors:
            here.relays[tor] &= target.relays[tor]
        steps.append(("deleted", here))
        here = here.copy()
        here.accept = {tor: dict(of) for tor, of in target.accept.items()}
        steps += [("filtered", here), ("added", target)]
        planned, is_cut, is_drained = now, False, False
        for kind, after in steps:
            if not after.differences(planned)[0]:
                continue
            planned = after
            # Without deletions the packets from before the failure drain first.
            if kind != "deleted" and not is_drained:
                wait, is_drained = drain(hops, stands_in), True
                done.drains.append((at, at + wait, stands_in))
                at += wait
            at += installation
            if at >= until:
                is_cut = True
                break
            new = after.except_for(now, off(at))
            rules, tors = new.differences(now)
            done.events.append((at, kind, rules, len(tors)))
            done.stages.append(Stage(at, kind, known, off(at), new))
            now = new
            if kind == "deleted":
                wait, is_drained = drain(hops, stands_in), True
                done.drains.append((at, at + wait, stands_in))
                at += wait
        if is_cut:
            break
        free = at
        back = out(last[0]) - known if at < until else set()
        for part in back:
            latch(part, at)
        over.update({part: last[0] for part in back})
        if back and returns == "after-rules":
            done.events.append((at, "restored", frozenset(back)))
    for part in out(until):
        latch(part, NEVER)
    return done


@dataclass
class Tables:
    """What all switches do with the packets of one source."""

    source: int
    relays: set
    accept: dict
    root: int
    # Where the way over links leads.
    feed: int | None
    # Stand-ins: they take what comes over links and nothing else.
    taking: set


def first_tables(plan, source, members, stage):
    rules, lit = stage.rules, plan.lit(stage.parts)
    root = rules.via.get(source, source)
    parent, order, queue = {}, [], deque([root])
    sends = lambda tor: source in rules.relays[tor] and lit(tor, None)
    while queue:
        tor = queue.popleft()
        for to in plan.branches[tor] if sends(tor) else ():
            only = rules.accept.get(to, {}).get(source, tor)
            if to in (source, root) or to in parent or only != tor or not lit(tor, to):
                continue
            parent[to] = tor
            order.append(to)
            queue.append(to)
    used = set()
    for tor in reversed(order):
        if tor in members or tor in used:
            used.add(parent[tor])
    mute = {t for t in (root, *order) if source in rules.relays[t] and not lit(t, None)}
    unlit = {t for t in plan.tors if source in rules.relays[t] and t not in parent and t not in (source, root)}
    accept = {t: of[source] for t, of in rules.accept.items() if source in of}
    stands_in = root != source and (root in used or root in members)
    feed = root if stands_in else None
    return Tables(source, used | mute | unlit, accept, root, feed, {feed} - {None})


def tables(plan, source, members, stages):
    """The tables of all stages, by time."""
    now = first_tables(plan, source, members, stages[0])
    done = [(stages[0].at, now)]
    for stage in stages[1:]:
        new = Tables(source, set(now.relays), dict(now.accept), now.root, now.feed, set(now.taking))
        planned = {tor for tor in plan.tors if source in stage.rules.relays[tor]}
        if stage.kind == "deleted":
            new.relays &= planned
        elif stage.kind == "filtered":
            new.accept = {t: of[source] for t, of in stage.rules.accept.items() if source in of}
        else:
            new = first_tables(plan, source, members, stage)
        for tor in stage.off:
            new.relays.discard(tor)
            new.relays |= {tor} & now.relays
            new.taking.discard(tor)
            new.taking |= {tor} & now.taking
            new.accept.pop(tor, None)
            if tor in now.accept:
                new.accept[tor] = now.accept[tor]
            if tor == source:
                new.root, new.feed = now.root, now.feed
        now = new
        done.append((stage.at, now))
    return done
