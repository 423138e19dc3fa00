"""Completion times under the set `rdma-ns3` against `rdma_ns3.py`, which is written from that simulator's source.

Where marking is random the means over some runs are compared, within 3 %. With Kmin = Kmax nothing is random, and each
flow is compared, within 0.1 %; within 3 % where switches stop their senders. Standard library only.
"""

import csv
import json
import random
import subprocess
from statistics import mean

import pytest

import rdma_ns3

G, US = 10**9, 1e-6


def star(senders, rate=100 * G):
    """Senders and, last, the host that they send to, over a link of its own rate."""
    hosts = senders + 1
    return hosts, [(h, hosts, 100 * G if h < senders else rate, US) for h in range(hosts)]


def rows(switches, at):
    """Switches in a row, and hosts at the switches of these places."""
    hosts = len(at)
    links = [(host, hosts + place, 100 * G, US) for host, place in enumerate(at)]
    links += [(hosts + s, hosts + s + 1, 100 * G, US) for s in range(switches - 1)]
    return hosts, links


def incast(senders, size, rate=100 * G):
    return star(senders, rate), [(host, senders, size) for host in range(senders)]


def dumbbell(pairs, size):
    return rows(2, [0] * pairs + [1] * pairs), [(host, host + pairs, size) for host in range(pairs)]


def parking_lot(hops, size):
    """One flow over all hops, and one over each of them."""
    at = [0, hops, *(place for hop in range(hops) for place in (hop, hop + 1))]
    flows = [(0, 1, size)] + [(2 + 2 * hop, 3 + 2 * hop, size) for hop in range(hops)]
    return rows(hops + 1, at), flows


# Network and flows, what differs from the set, and how many runs of each.
CASES = {
    "incast": (incast(8, 2_000_000), {}, 4),
    "wide-incast": (incast(32, 1_000_000), {}, 2),
    "paused-incast": (incast(16, 1_000_000), {"buffer": 4 << 20}, 4),
    "dumbbell": (dumbbell(4, 3_000_000), {}, 6),
    "parking-lot": (parking_lot(3, 3_000_000), {}, 8),
    "slow-receiver": (incast(8, 500_000, 25 * G), {}, 6),
    "paused-slow-receiver": (incast(8, 500_000, 25 * G), {"buffer": 1 << 21}, 6),
}


class Case:
    def __init__(self, name):
        ((self.hosts, self.links), self.flows), changes, self.runs = CASES[name]
        self.buffer = changes.get("buffer", 32 << 20)

    def starts(self, run):
        """Starts of the flows: not all at once, so that no order of events that coincide decides."""
        draw = random.Random(f"starts {run}")
        return [draw.randrange(10_000) for _ in self.flows]

    def theirs(self, run, **change):
        flows = [(*flow, start * 1e-9) for flow, start in zip(self.flows, self.starts(run), strict=True)]
        config = rdma_ns3.Config(buffer=self.buffer, **change)
        return rdma_ns3.simulate(self.hosts, self.links, flows, config, run)

    def ours(self, lightloom, folder, run, more=""):
        named = [f"h{n}" if n < self.hosts else f"s{n}" for n in range(1 + max(max(a, b) for a, b, *_ in self.links))]
        lines = [f"{named[a]},{named[b]},{rate} b/s,{round(delay * 1e9)} ns" for a, b, rate, delay in self.links]
        (folder / "links.csv").write_text("\n".join(["a,b,rate,delay", *lines]) + "\n")
        text = [f'version = 1\nseed = {run + 1}\nuntil = "1 s"\n[network]\nkind = "edge-list"\nfile = "links.csv"']
        text += [f'[parameters]\nset = "rdma-ns3"\n[parameters.switch]\nbuffer = "{self.buffer} B"\n{more}']
        for (source, to, size), start in zip(self.flows, self.starts(run), strict=True):
            text += [f'[[flow]]\nfrom = "h{source}"\nto = "h{to}"\nsize = "{size} B"\nstart = "{start} ns"\nverb = "send"']
        (folder / "scenario.toml").write_text("\n".join(text) + "\n")
        out = folder / "out"
        line = [lightloom, "simulate", folder / "scenario.toml", "--out", out, "--json"]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        with open(out / "flows.csv", newline="", encoding="utf-8") as file:
            times = [int(row["completion_ps"]) / 1e12 for row in csv.DictReader(file)]
        report = json.loads(done.stdout)
        assert report["drops"] == [] and len(times) == len(self.flows)
        return times, report["queues"]["pauses"]


@pytest.mark.parametrize("name", CASES)
def test_means_are_those_of_the_simulator(lightloom, tmp_path, name):
    case = Case(name)
    ours = [case.ours(lightloom, tmp_path, run) for run in range(24)]
    theirs = [case.theirs(run) for run in range(case.runs)]
    for summary in (mean, max):
        found, expected = (mean(summary(times) for times, _ in runs) for runs in (ours, theirs))
        print(f"{name}, {summary.__name__}: {found * 1e3:.4f} ms and {expected * 1e3:.4f} ms, {found / expected - 1:+.2%}")
        assert found == pytest.approx(expected, rel=0.03), (name, summary.__name__)
    for runs in (ours, theirs):
        assert all((pauses > 0) == name.startswith("paused") for _, pauses in runs), name


@pytest.mark.parametrize("name", CASES)
def test_without_chance_each_flow_takes_the_same_time(lightloom, tmp_path, name):
    case = Case(name)
    marks = '[parameters.ecn]\nat = "100 Gb/s"\nkmin = "400 kB"\nkmax = "400 kB"'
    k = {rate: 4_000 * rate for rate in (25, 100)}
    ours, pauses = case.ours(lightloom, tmp_path, 0, marks)
    theirs, pauses_there = case.theirs(0, kmin=k, kmax=k, after_alpha_ps=1)
    print(name, [f"{a / b - 1:+.5%}" for a, b in zip(ours, theirs, strict=True)], pauses, pauses_there)
    # A pause is due to the byte here, and there with the packet that reaches the threshold.
    is_paused = name.startswith("paused")
    assert ours == pytest.approx(theirs, rel=0.03 if is_paused else 1e-3)
    assert mean(ours) == pytest.approx(mean(theirs), rel=0.01 if is_paused else 1e-3)
