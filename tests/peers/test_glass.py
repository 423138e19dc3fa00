"""Compares the copies that the twin delivers with those that follow from a plan's files alone.

`replay.Folder` reads cables.csv and rules.json. The plan folder itself is the network of the scenario, with
its recovery if it has one.
"""

import csv
import json
import random
import subprocess
from collections import deque

import pytest

from replay import Broken, Folder

FABRICS = {
    "shufflecast": ["--family", "shufflecast", "--p", "3", "--k", "2"],
    "empty-seats": ["--family", "kautz", "--p", "4", "--tors", "30"],
    "receiver-housing": ["--family", "kautz", "--p", "2", "--tors", "16", "--housing", "receiver"],
}
HOSTS = 2
SETS = 6


def run(binary, folder, *line, codes=(0,)):
    done = subprocess.run(
        [binary, *line], capture_output=True, text=True, check=False, timeout=120, cwd=folder
    )
    assert done.returncode in codes, f"{line}: exit {done.returncode}: {done.stderr}"
    return done.stdout


def copies(folder, broken, source):
    """Copies of one packet of a source that each ToR takes. Those that come back are dropped."""
    taken = dict.fromkeys(folder.fibres, 0)
    if source in broken.tors:
        return taken
    taken[source] = 1
    root = folder.via.get(source, source)
    if root in broken.tors:
        return taken
    taken[root] = 1
    queue = deque([root] if source in folder.relays[root] else [])
    while queue:
        relay = queue.popleft()
        for to in folder.lit_by(relay, broken):
            if to in (source, root) or folder.accept.get(to, {}).get(source, relay) != relay:
                continue
            taken[to] += 1
            assert taken[to] == 1, f"source {source}: ToR {to} takes a second copy"
            if source in folder.relays[to]:
                queue.append(to)
    return taken


def broken_of(failures):
    broken = Broken()
    for kind, *ids in failures:
        if kind == "branch":
            broken.fibres.add(tuple(ids))
        elif kind == "rx":
            broken.receivers.add(tuple(ids))
        elif kind == "tor":
            broken.tors.add(ids[0])
        else:
            broken.splitters.add(ids[0])
    return broken


def text(failure):
    kind, *ids = failure
    joint = {"branch": "->", "rx": "/"}.get(kind, "")
    return f"{kind}:{joint.join(map(str, ids))}"


def simulated(binary, folder, plan, sources, failed):
    """Copies at every host, by source and host, as receivers.csv lists them."""
    parts = [
        f'version = 1\nuntil = "10 ms"\n[network]\nkind = "design"\nfile = "{plan}"\n'
        f'hosts_per_tor = {HOSTS}\nspines = 2\nrate = "100 Gb/s"\nlength = "10 m"\n'
        '[[group]]\nname = "all"\nmembers = "all"\ntransport = "datagram"\n'
    ]
    parts += [f'[[multicast]]\ngroup = "all"\nfrom = {host}\nsize = "9 kB"\n' for host in sources]
    if failed:
        parts.append(f'[[failure]]\nfailed = "{failed}"\nat = "0 s"\n')
    (folder / "s.toml").write_text("".join(parts))
    run(binary, folder, "simulate", "s.toml", "--out", "out")
    found = {}
    with open(folder / "out" / "receivers.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found[int(row["from"]), int(row["to"])] = int(row["delivered"])
    return found


@pytest.mark.parametrize("fabric", FABRICS)
def test_the_twin_delivers_what_the_files_say(lightloom, tmp_path, fabric):
    flags = FABRICS[fabric]
    run(lightloom, tmp_path, "plan", *flags, "--out", "plan")
    plan = Folder(tmp_path / "plan")
    tors = sorted(plan.fibres)
    parts = [(kind, tor) for kind in ("relay", "tx", "splitter", "tor") for tor in tors]
    parts += [("branch", a, b) for a in tors for b, _ in plan.fibres[a]]
    parts += [("rx", to, port) for a in tors for to, port in plan.fibres[a]]
    random_ = random.Random(fabric)
    is_lossy = False
    for number in range(SETS):
        failures = random_.sample(parts, number)
        said = ",".join(text(failure) for failure in failures)
        broken = broken_of(failures)
        # The installed tables while parts are broken, and the rules of a recovery.
        cases = [("plan", plan, said)]
        if failures:
            done = run(
                lightloom, tmp_path, "recover", *flags, "--failed", said, "--apply",
                f"repaired-{number}", "--json", codes=(0, 1),
            )
            json.loads(done)
            cases.append((f"repaired-{number}", Folder(tmp_path / f"repaired-{number}"), ""))
        for name, folder, failed in cases:
            sources = [HOSTS * tor + random_.randrange(HOSTS) for tor in random_.sample(tors, 6)]
            # A source that fails is the hardest case.
            sources += [HOSTS * f[1] for f in failures if HOSTS * f[1] not in sources]
            sources = list(dict.fromkeys(sources))
            found = simulated(lightloom, tmp_path, name, sources, failed)
            for source in sources:
                due = copies(folder, broken, source // HOSTS)
                is_lossy |= not all(due.values())
                for to in range(HOSTS * len(tors)):
                    if to != source:
                        # Every message is three packets.
                        assert found[source, to] == 3 * due[to // HOSTS], (name, said, source, to)
    assert is_lossy, "some failure costs copies, or the test shows nothing"
