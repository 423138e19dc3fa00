"""Replays repaired plans from `cables.csv` and `rules.json` alone. Standard library only."""

import copy
import itertools
import json
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from replay import Broken, Folder, faults

# A ring of five cassettes with chords and two empty seats.
EDGES = [(c, (c + step) % 5) for c in range(5) for step in (1, 2, 3)][:-2]
FABRICS = {
    "shufflecast": ["--family", "shufflecast", "--p", "3", "--k", "2"],
    "empty-seats": ["--family", "kautz", "--p", "4", "--tors", "30"],
    "receiver-housing": ["--family", "kautz", "--p", "2", "--tors", "16", "--housing", "receiver"],
    "custom": ["--family", "custom", "--p", "3", "--edges", "edges.csv"],
}
SETS = 50
KINDS = ["relay", "tx", "splitter", "branch", "rx", "tor", "cassette"]


class Bench:
    """A fabric, the parts that can break, and its repaired plans."""

    def __init__(self, binary, flags, folder):
        self.binary, self.flags, self.folder = binary, flags, folder
        rows = [f"{tor},{a},{b}\n" for tor, (a, b) in enumerate(EDGES)]
        (folder / "edges.csv").write_text("tor,from_cassette,to_cassette\n" + "".join(rows))
        # Cassettes are named in the report of `fabric`, but not in the files of a plan.
        edges = json.loads(self.run("fabric").stdout)["edges"]
        self.splitters = {}
        for tor, _, into in edges:
            self.splitters.setdefault(into, []).append(tor)
        assert self.run("plan", "--out", "plan").returncode == 0
        self.plan = Folder(folder / "plan")

    def run(self, command, *more):
        line = [self.binary, command, *self.flags, *more, "--json"]
        return subprocess.run(line, capture_output=True, text=True, check=False, timeout=120, cwd=self.folder)

    def ask(self, command, name, *more):
        """Asks about a plan in a folder."""
        line = [self.binary, command, name, *more, "--json"]
        return subprocess.run(line, capture_output=True, text=True, check=False, timeout=120, cwd=self.folder)

    def read(self, name):
        return Folder(self.folder / name)

    def parts(self):
        """Every part that can fail, by kind."""
        fibres = self.plan.fibres
        return {
            **{kind: [(kind, tor) for tor in fibres] for kind in ("relay", "tx", "splitter", "tor")},
            "branch": [("branch", a, b) for a in fibres for b, _ in fibres[a]],
            "rx": [("rx", to, port) for a in fibres for to, port in fibres[a]],
            "cassette": [("cassette", c) for c in self.splitters],
        }

    def broken(self, failures):
        broken = Broken()
        for kind, *ids in failures:
            if kind == "branch":
                broken.fibres.add(tuple(ids))
            elif kind == "rx":
                broken.receivers.add(tuple(ids))
            elif kind == "tor":
                broken.tors.add(ids[0])
            elif kind == "cassette":
                broken.splitters |= set(self.splitters[ids[0]])
            else:
                broken.splitters.add(ids[0])
        return broken

    def repaired(self, failures, name, *more):
        """The plan folder after a repair, and the report of `recover`."""
        said = ",".join(text(failure) for failure in failures)
        done = self.run("recover", "--failed", said, "--apply", name, *more)
        assert done.returncode in (0, 1) and not done.stderr, f"{said}: {done}"
        answer = json.loads(done.stdout)
        assert done.returncode == (not answer["restored"]), f"{said}: exit {done.returncode}"
        return Folder(self.folder / name), answer

    def wrong(self, case):
        number, failures, more = case
        folder, answer = self.repaired(failures, f"out{number}", *more)
        rules = json.loads((self.folder / f"out{number}" / "rules.json").read_text())
        found = faults(folder, self.broken(failures))
        if [rules.get("accept"), rules.get("via")] != [answer["accept"], answer["via"]]:
            found.append("the filters and stand-ins of the file are not those of the answer")
        return [(*map(text, failures), *found)] if found else []


def text(failure):
    kind, *ids = failure
    return f"{kind}:{({'branch': '->', 'rx': '/'}).get(kind, '').join(map(str, ids))}"


@pytest.fixture(scope="module")
def bench(lightloom, tmp_path_factory):
    return lambda flags: Bench(lightloom, flags, tmp_path_factory.mktemp("repairs"))


def all_wrong(bench, cases):
    with ThreadPoolExecutor(2) as threads:
        return list(itertools.chain.from_iterable(threads.map(bench.wrong, cases)))


@pytest.mark.parametrize(("p", "k"), [(2, 3), (4, 2)])
def test_every_single_failure_is_repaired(bench, p, k):
    bench = bench(["--family", "shufflecast", "--p", str(p), "--k", str(k)])
    assert not faults(bench.plan, Broken())
    parts = bench.parts()
    tors = k * p**k
    assert [len(parts[kind]) for kind in KINDS] == [tors] * 3 + [p * tors] * 2 + [tors, k * p ** (k - 1)]
    cases = [(number, [part], ()) for number, part in enumerate(itertools.chain(*parts.values()))]
    assert all_wrong(bench, cases) == []


@pytest.mark.parametrize("name", FABRICS)
def test_random_failures_are_repaired(bench, name):
    bench = bench(FABRICS[name])
    assert not faults(bench.plan, Broken())
    parts, random_ = bench.parts(), random.Random(name)
    cases, seen = [], set()
    for number in range(SETS):
        kinds = random_.choices(KINDS, k=random_.randint(1, 4))
        drawn = list(dict.fromkeys(random_.choice(parts[kind]) for kind in kinds))
        seen |= set(kinds)
        objective = random_.choice(["fewest-changes", "fewest-hops"])
        cases.append((number, drawn, ["--objective", objective]))
    assert seen == set(KINDS)
    assert all_wrong(bench, cases) == []


def test_the_replay_notices_what_is_wrong(bench):
    bench = bench(["--family", "shufflecast", "--p", "2", "--k", "3"])
    failures = [("branch", 3, 15), ("relay", 8)]
    good, _ = bench.repaired(failures, "out")
    broken = bench.broken(failures)
    assert good.accept and good.via and not faults(good, broken)

    def notices(change):
        folder = copy.deepcopy(good)
        change(folder)
        assert faults(folder, broken)

    for tor, only in good.accept.items():
        for source, taken_from in only.items():
            notices(lambda folder: folder.accept[tor].pop(source))
            notices(lambda folder: folder.accept[tor].update({source: (taken_from + 1) % 24}))
    for source in good.via:
        notices(lambda folder: folder.via.pop(source))
        notices(lambda folder: folder.via.update({source: 0}))
    for tor in good.relays:
        if tor in broken.splitters:
            continue  # What is dark relays nothing, whatever its rules.
        for source in set(good.relays) - good.relays[tor]:
            if folder_reaches(good, broken, source, tor):
                notices(lambda folder: folder.relays[tor].add(source))
        for source in good.relays[tor]:
            notices(lambda folder: folder.relays[tor].discard(source))
    with pytest.raises(AssertionError, match="twice"):
        (bench.folder / "out" / "rules.json").write_text('{"relays":{"0":[0],"0":[]},"accept":{},"via":{}}')
        Folder(bench.folder / "out")


def folder_reaches(folder, broken, source, tor):
    """Whether a ToR that would relay a source gets a copy of it, so a rule there makes a
    difference.
    """
    return tor != source and tor in folder.reach(folder.via.get(source, source), broken)


def test_a_part_must_not_be_mended_under_the_repaired_rules(bench):
    """The old rules go back first: under the rules of a repair a mended fibre brings second copies
    and loops.
    """
    bench = bench(["--family", "shufflecast", "--p", "2", "--k", "3"])
    hazards = 0
    for number, part in enumerate(bench.parts()["branch"]):
        repaired, _ = bench.repaired([part], f"out{number}")
        hazards += bool(faults(repaired, Broken()))
        # While the part is out, the rules of the intact plan lose packets but bring no copy twice.
        errors = faults(bench.plan, bench.broken([part]))
        assert errors and all(" gets 0 copies" in fault for fault in errors), errors
        # The same holds for the remaining rules once the repair's rules are deleted, with filters
        # and without.
        for tor, sources in repaired.relays.items():
            sources &= bench.plan.relays[tor]
        for repaired.accept in (repaired.accept, {}):
            errors = faults(repaired, bench.broken([part]))
            assert errors and all(" gets 0 copies" in fault for fault in errors), errors
    assert hazards == 48
