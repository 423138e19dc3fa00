"""Follows link fault signalling with a program of its own: it reads `cables.csv`, `ports.csv` and
`rules.json` of a plan, and knows what a receiver makes its transmitter send. Standard library only.
"""

import csv
import itertools
import json
import random
import subprocess
from collections import Counter, deque

import pytest

from replay import Broken, Folder, faults

FIGURE_4 = ["--family", "shufflecast", "--p", "2", "--k", "3"]
EDGES = [(c, (c + step) % 5) for c in range(5) for step in (1, 2, 3)][:-2]
FABRICS = {
    "3-2": ["--family", "shufflecast", "--p", "3", "--k", "2"],
    "one-cassette": ["--family", "kautz", "--p", "4", "--tors", "4"],
    "empty-seats": ["--family", "kautz", "--p", "4", "--tors", "30"],
    "receiver-housing": ["--family", "kautz", "--p", "2", "--tors", "16", "--housing", "receiver"],
    "custom": ["--family", "custom", "--p", "3", "--edges", "edges.csv"],
}
SETS = 60
DATA, REMOTE_FAULT, IDLE, NOTHING = "data", "remote fault", "idle", "nothing"
CAUSES = {REMOTE_FAULT: "local_fault", IDLE: "remote_fault"}


class Fabric:
    """The fibres of a plan, its rules, and the fibre into the port that transmits."""

    def __init__(self, path):
        self.lights, self.ends = {}, {}
        with open(path / "cables.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                lit = self.lights.setdefault(int(row["from_tor"]), [])
                if row["kind"] == "branch":
                    lit.append(int(row["to_tor"]))
                    self.ends[int(row["to_tor"]), int(row["to_port"])] = int(row["from_tor"])
        self.hears = {}
        with open(path / "ports.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["tx_label"]:
                    assert row["port"] == "0" and int(row["tor"]) not in self.hears
                    self.hears[int(row["tor"])] = int(row["rx_from_tor"])
        assert all(self.ends[tor, 0] == heard for tor, heard in self.hears.items())
        rules = json.loads((path / "rules.json").read_text(encoding="utf-8"))
        self.relays = {int(tor): set(sources) for tor, sources in rules["relays"].items()}

    def states(self, broken):
        """What every transmitter sends. All start with data and react at once until nothing changes."""
        now = {tor: DATA for tor in self.lights}
        for _ in range(len(now) + 3):
            then = {tor: self.reaction(tor, now, broken) for tor in now}
            if then == now:
                return now
            now = then
        raise AssertionError("the cascade does not end")

    def reaction(self, tor, now, broken):
        heard = self.hears[tor]
        if tor in broken.splitters | broken.tors:
            return NOTHING
        is_cut = (heard, tor) in broken.fibres or (tor, 0) in broken.receivers
        if is_cut or now[heard] == NOTHING:
            return REMOTE_FAULT
        return IDLE if now[heard] == REMOTE_FAULT else DATA

    def impact(self, broken, states):
        """The number of ToRs that each sending source loses, and the sources that do not send."""
        lost, failed = {}, []
        for source in sorted(self.lights):
            if states[source] != DATA:
                failed.append(source)
                continue
            got, queue = {source}, deque([source])
            while queue:
                sender = queue.popleft()
                for to in self.lights[sender]:
                    port = next(p for (t, p), f in self.ends.items() if (t, f) == (to, sender))
                    if to in broken.tors or (sender, to) in broken.fibres or (to, port) in broken.receivers:
                        continue
                    if to not in got:
                        got.add(to)
                        if source in self.relays[to] and states[to] == DATA:
                            queue.append(to)
            lost[source] = len(self.lights) - len(got)
        return lost, failed


class Bench:
    def __init__(self, binary, flags, folder):
        self.binary, self.flags, self.folder = binary, flags, folder
        rows = [f"{tor},{a},{b}\n" for tor, (a, b) in enumerate(EDGES)]
        (folder / "edges.csv").write_text("tor,from_cassette,to_cassette\n" + "".join(rows))
        assert self.run("plan", "--out", "plan").returncode == 0
        self.fabric = Fabric(folder / "plan")

    def run(self, command, *more):
        flags = [] if command == "verify" else [*self.flags, "--fault-signalling", "on"]
        line = [self.binary, command, *flags, *more, "--json"]
        return subprocess.run(line, capture_output=True, text=True, check=False, timeout=120, cwd=self.folder)

    def ask(self, command, *more):
        done = self.run(command, *more)
        assert not done.stderr, done
        return json.loads(done.stdout)

    def check_impact(self, said, broken):
        """Compares an answer of `impact` with a simulation; returns the silenced ToRs."""
        fabric = self.fabric
        answer = self.ask("impact", "--failed", said)
        states = fabric.states(broken)
        lost, failed = fabric.impact(broken, states)
        assert answer["failed_sources"] == failed, said
        assert {int(tor): number for tor, number in answer["sources"].items()} == lost, said
        silenced = [
            {"tor": tor, "cause": CAUSES[state], "hears": fabric.hears[tor]}
            for tor, state in sorted(states.items())
            if state in CAUSES
        ]
        assert answer["fault_signalling"]["silenced"] == silenced, said
        alone = {tor: state if state == NOTHING else DATA for tor, state in states.items()}
        lost, failed = fabric.impact(broken, alone)
        without = answer["fault_signalling"]["without"]
        assert without["failed_sources"] == failed, said
        every = Counter(lost.values()) + Counter([len(fabric.lights) - 1] * len(failed))
        assert {int(number): of for number, of in without["distribution"].items()} == every, said
        assert without["unaffected_fraction"] == pytest.approx(every[0] / len(fabric.lights))
        return [one["tor"] for one in silenced]

    def check_recovery(self, said, broken, silenced):
        """Replays the repaired plan where silenced ToRs send nothing."""
        done = self.run("recover", "--failed", said, "--apply", "out")
        answer = json.loads(done.stdout)
        assert done.returncode == (not answer["restored"]) and not done.stderr, done
        assert [one["tor"] for one in answer["fault_signalling"]["silenced"]] == silenced
        repaired = Folder(self.folder / "out")
        after = Broken(broken.splitters | set(silenced), broken.tors, broken.receivers, broken.fibres)
        assert faults(repaired, after) == [], said
        assert self.run("verify", "out").returncode == done.returncode, said
        for source in silenced:
            assert source in repaired.via or str(source) in answer["unreachable"], said


@pytest.fixture(scope="module")
def bench(lightloom, tmp_path_factory):
    return lambda flags: Bench(lightloom, flags, tmp_path_factory.mktemp("signalling"))


def test_every_single_dead_transmitter_of_a_2_3(bench):
    bench = bench(FIGURE_4)
    sizes = Counter()
    for tor in range(24):
        broken = Broken(splitters={tor})
        silenced = bench.check_impact(f"tx:{tor}", broken)
        bench.check_recovery(f"tx:{tor}", broken, silenced)
        sizes[len(silenced)] += 1
    # Row r of a column is heard at port 0 by rows 2r and 2r + 1 of the next one, if r < 4. The rows
    # 0 and 1 silence two ToRs, and four more behind them; rows 2 and 3 silence two.
    assert sizes == {6: 6, 2: 6, 0: 12}


@pytest.mark.parametrize("name", FABRICS)
def test_random_failures(bench, name):
    bench = bench(FABRICS[name])
    fabric, random_ = bench.fabric, random.Random(name)
    tors = sorted(fabric.lights)
    fibres = [(a, b) for a in tors for b in fabric.lights[a]]
    most = 0
    for _ in range(SETS):
        broken = Broken()
        broken.splitters = set(random_.sample(tors, random_.randint(0, 2)))
        broken.tors = set(random_.sample(tors, random_.randint(0, 1)))
        broken.fibres = set(random_.sample(fibres, random_.randint(0, 2)))
        broken.receivers = set(random_.sample(sorted(fabric.ends), random_.randint(0, 1)))
        said = ",".join(
            itertools.chain(
                (f"{random_.choice(['tx', 'relay', 'splitter'])}:{tor}" for tor in sorted(broken.splitters)),
                (f"tor:{tor}" for tor in sorted(broken.tors)),
                (f"branch:{a}->{b}" for a, b in sorted(broken.fibres)),
                (f"rx:{tor}/{port}" for tor, port in sorted(broken.receivers)),
            )
        )
        if not said:
            continue
        silenced = bench.check_impact(said, broken)
        bench.check_recovery(said, broken, silenced)
        most = max(most, len(silenced))
    assert most >= 2


def test_a_dead_cassette_silences_its_receivers(bench):
    bench = bench(FIGURE_4)
    edges = bench.ask("fabric")["edges"]
    for cassette in range(12):
        dark = {tor for tor, _, into in edges if into == cassette}
        silenced = bench.check_impact(f"cassette:{cassette}", Broken(splitters=dark))
        assert {tor for tor, come_from, _ in edges if come_from == cassette} <= set(silenced)
