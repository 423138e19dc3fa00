"""Failures, returns and rollouts over light: the twin against an event model that shares no code with it.

Every arrival at every ToR is compared to the picosecond, every copy at every host, and all that the controller does with
its times and numbers of entries. See `rollout_model`.
"""

import csv
import json
import random
import subprocess

import pytest

from rollout_course import NEVER, Incident, Plan, course
from rollout_model import Message, Setting, World

SHUFFLECAST = 'family = "shufflecast"\np = {}\nk = {}\n'
KAUTZ = 'family = "kautz"\np = {}\ntors = {}\n'
DESIGNS = {
    "2,2": SHUFFLECAST.format(2, 2),
    "2,2-zone": SHUFFLECAST.format(2, 2) + '[splitters]\nhousing = "zone"\n',
    "2,3": SHUFFLECAST.format(2, 3),
    "3,2-receiver": SHUFFLECAST.format(3, 2) + '[splitters]\nhousing = "receiver"\n',
    "kautz-16": KAUTZ.format(2, 16),
    "kautz-30-zone": KAUTZ.format(4, 30) + '[splitters]\nhousing = "zone"\n',
}
CASES = 50
SPINES = 2
US = 1_000_000
UNTIL = 400_000 * US
G = 1_000_000_000


def run(binary, folder, *line, codes=(0,)):
    done = subprocess.run(
        [binary, *line], capture_output=True, text=True, check=False, timeout=300, cwd=folder
    )
    assert done.returncode in codes, f"{line}: exit {done.returncode}: {done.stderr}"
    return done.stdout


class Case:
    """A random scenario."""

    def __init__(self, plan, random_):
        self.plan, self.random = plan, random_
        tors = plan.tors
        self.light = random_.choice([25, 40, 100])
        self.per_port = random_.choice([60, 100, 250]) * 1000
        self.returns = "at-once" if random_.random() < 0.3 else "after-rules"
        self.sources = random_.sample(tors, random_.randint(1, 3))
        self.messages = [
            Message(tor, random_.randrange(5 * US), random_.randrange(100_000, 600_000))
            for tor in self.sources
        ]
        everybody = random_.random() < 0.7
        members = tors if everybody else random_.sample(tors, random_.randint(2, len(tors)))
        self.members = sorted({*members, *self.sources})
        longest = random_.choice([2, 20]) * US
        self.times = [random_.randrange(longest) for _ in range(3)]
        # A drain of none is that of the bound.
        self.drain = random_.choice([None, None, 0, random_.randrange(10 * US)])
        self.incidents = []
        kinds = ["relay", "tx", "splitter", "branch", "branch", "rx", "tor"]
        hit = set()
        for _ in range(random_.choice([1, 1, 2, 3])):
            kind, tor = random_.choice(kinds), random_.choice(tors)
            if tor in hit:
                continue
            hit.add(tor)
            name = f"{kind}:{tor}"
            if kind == "branch":
                name += f"->{random_.choice(sorted(plan.branches[tor]))}"
            if kind == "rx":
                name += f"/{random_.choice([port for to, port in plan.hears if to == tor])}"
            start = random_.randrange(1, 60 * US)
            end = start + random_.randrange(1, 120 * US) if random_.random() < 0.6 else NEVER
            self.incidents.append(Incident(name, start, end))
            if end < NEVER and random_.random() < 0.2:
                # It fails again, before the first failure is over or after.
                again = random_.randrange(start + 1, end + 50 * US)
                self.incidents.append(Incident(name, again, again + random_.randrange(1, 60 * US)))

    def text(self):
        ps = lambda time: f'"{time} ps"'
        parts = [
            f'version = 1\nuntil = {ps(UNTIL)}\npatience = "300 ms"\n[network]\nkind = "design"\nfile = "plan"\n'
            f'hosts_per_tor = 1\nspines = {SPINES}\nrate = "100 Gb/s"\nlight_rate = "{self.light} Gb/s"\n'
            'length = "3 m"\nlight = "off"\n[parameters.switch]\n'
            f'buffer_per_port = "{self.per_port} B"\n'
            f'[[group]]\nname = "all"\nmembers = {self.members}\ntransport = "datagram"\n'
        ]
        for one in self.messages:
            parts.append(
                f'[[multicast]]\ngroup = "all"\nfrom = {one.source}\nsize = "{one.size} B"\n'
                f'start = {ps(one.start)}\nclass = "lossy"\n'
            )
        for one in self.incidents:
            end = f"until = {ps(one.end)}\n" if one.end < NEVER else ""
            parts.append(f'[[failure]]\nfailed = "{one.part}"\nat = {ps(one.start)}\n{end}')
        names = ("detection", "computation", "installation")
        parts += ["[recovery]\n", *(f"{name} = {ps(time)}\n" for name, time in zip(names, self.times, strict=True))]
        parts.append(f'returns = "{self.returns}"\n')
        if self.drain is not None:
            parts.append(f"drain = {ps(self.drain)}\n")
        return "".join(parts)

    def expected(self):
        setting = Setting(100 * G, self.light * G, 3 * 4_900, self.per_port)
        hop, way = setting.bound(self.plan, SPINES, [one.size for one in self.messages])
        said = self.drain
        drain = lambda hops, stands_in: hop * hops + way * stands_in if said is None else said
        done = course(self.plan, self.incidents, self.times, drain, self.returns, UNTIL)
        world = World(self.plan, setting, done, set(self.members), self.incidents, SPINES)
        return done, world.run(self.messages, done, UNTIL)


def twin(binary, folder, case):
    (folder / "s.toml").write_text(case.text())
    line = ("simulate", "s.toml", "--json", "--out", "out", "--trace", "trace.csv")
    answer = json.loads(run(binary, folder, *line))
    rows = lambda name: csv.DictReader((folder / name).open(newline="", encoding="utf-8"))
    got = {(int(r["from"]), int(r["to"])): (int(r["delivered"]), int(r["twice"])) for r in rows("out/receivers.csv")}
    first = len(case.plan.tors)
    last = 2 * first
    arrived = sorted(
        (int(r["time_ps"]), int(r["node"]) - first, int(r["flow"]), int(r["psn"]))
        for r in rows("trace.csv")
        if first <= int(r["node"]) < last and not r["fate"]
    )
    return answer, got, arrived


def events(answer):
    """What the controller of light does. That of links tells failures of ToRs too, and computes at times of its own."""
    found = []
    for one in answer["recovery"]["events"]:
        if one["what"] in ("deleted", "filtered", "added"):
            found.append((one["at_ps"], one["what"], one["rules"], one["switches"]))
        elif one["what"] == "restored":
            found.append((one["at_ps"], one["what"], frozenset(one["parts"].split(","))))
        elif one["what"] not in ("begun", "computed", "rerouted"):
            found.append((one["at_ps"], one["what"], one["parts"]))
    return sorted(found, key=str)


@pytest.mark.parametrize("design", DESIGNS)
def test_arrivals_are_those_of_the_event_model(lightloom, tmp_path, design):
    (tmp_path / "design.toml").write_text("version = 1\n[fabric]\n" + DESIGNS[design])
    run(lightloom, tmp_path, "plan", "design.toml", "--out", "plan")

    def recover(parts):
        line = ("recover", "design.toml", "--failed", parts, "--json")
        return json.loads(run(lightloom, tmp_path, *line, codes=(0, 1)))

    plan = Plan(tmp_path / "plan", recover)
    counts = dict.fromkeys(("returns", "queued", "second copies"), 0)
    for number in range(CASES):
        case = Case(plan, random.Random(f"{design} {number}"))
        done, world = case.expected()
        answer, got, arrived = twin(lightloom, tmp_path, case)
        said = (design, number, case.text())
        model = sorted((e for e in done.events if e[1] not in ("begun", "computed")), key=str)
        assert events(answer) == model, said
        # The messages of the twin are in the order of the list.
        place = {one.source: number for number, one in enumerate(case.messages)}
        assert arrived == sorted((t, tor, place[s], psn) for t, tor, _, s, psn in world.arrived), said
        for source in case.sources:
            for to in case.members:
                if to == source:
                    continue
                twice = world.twice.get((source, to), 0)
                copies = len(world.got.get((source, to), ())) + twice
                assert got[source, to] == (copies, twice), said
        twice = sum(world.twice.values())
        assert answer["recovery"]["twice"] == twice, said
        warned = [line for line in answer["warnings"] if "came twice" in line]
        assert len(warned) == (twice > 0) and all(line.startswith(f"{twice} ") for line in warned), said
        # The default is a bound where packets go over light alone, and parts wait for their rules.
        if case.drain is None and case.returns == "after-rules":
            assert twice == 0, said
        counts["returns"] += any(one.end < NEVER for one in case.incidents)
        counts["queued"] += max(world.waits.values(), default=0) >= 10 * US
        counts["second copies"] += twice > 0
    print(design, counts)
    # Each of these is what the test is for: of 300 cases in all at least 102 return, and 102 wait.
    least = CASES // 3 + 1
    assert counts["returns"] >= least and counts["queued"] >= least, counts
    assert counts["second copies"] > 0, counts
