"""Repairs on real Open vSwitch bridges: after every single failure, the exported files of the recovered plan deliver
one copy to all that light can reach.

The broken parts are dark in the harness, as `plan.json` of the recovered plan names them. What light can reach is
found from `cables.csv`. A source without light unicasts to its stand-in: the switch wraps its packets for the
address in its files, and the harness carries them there (`ovs_fabric.py`).
"""

import itertools
import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from ovs import run
from ovs_fabric import OWN_COPY, broken_parts, light, recovered_from
from ovs_plans import ENCODINGS, Plans, members, stand_in
from replay import Broken, Folder

# One server a ToR is enough: the others differ in the last bits of their addresses only.
GROUPS = """version = 1
[servers]
per_tor = 1
[[group]]
name = "all"
members = ["all"]
"""
KINDS = ("relay", "tx", "splitter", "tor", "branch", "rx", "cassette")


class Bench:
    """A fabric of bridges, and the failures of its parts."""

    def __init__(self, lightloom, folder, switch, fabric):
        self.plans = Plans(lightloom, folder, fabric, GROUPS)
        self.lit = light(self.plans.plan)
        edges = json.loads(run(str(lightloom), "fabric", *self.plans.flags, "--json"))["edges"]
        self.cassettes = {}
        for tor, _, into in edges:
            self.cassettes.setdefault(into, []).append(tor)
        self.fabric = self.plans.fabric(switch, self.plans.configs("masked"))

    def parts(self):
        """All parts that can fail, by kind."""
        fibres = [(tor, to, port) for tor, receivers in self.lit.items() for to, port in receivers]
        return {
            **{kind: [f"{kind}:{tor}" for tor in self.lit] for kind in ("relay", "tx", "splitter", "tor")},
            "branch": [f"branch:{tor}->{to}" for tor, to, _ in fibres],
            "rx": [f"rx:{to}/{port}" for _, to, port in fibres],
            "cassette": [f"cassette:{cassette}" for cassette in self.cassettes],
        }

    def cases(self, failures, encoding):
        """For each failure the broken parts and the configurations. Failures that leave the same light and that give
        the same files are one case.
        """

        def prepare(numbered):
            number, failure = numbered
            plan = self.plans.recovered(failure, f"plan-{encoding}-{number}")
            assert recovered_from(plan) == [failure]
            configs = self.plans.configs(encoding, plan, f"configs-{encoding}-{number}")
            broken = broken_parts([failure], self.cassettes)
            if not (broken.splitters or broken.tors):
                # A receiver is as dark as the fibre that ends there.
                ends = [(tor, *end) for tor, receivers in self.lit.items() for end in receivers]
                dark = {(tor, to) for tor, to, port in ends if (to, port) in broken.receivers}
                broken = Broken(fibres=broken.fibres | dark)
            return failure, plan, broken, configs

        seen = {}
        with ThreadPoolExecutor(6) as threads:
            for failure, plan, broken, configs in threads.map(prepare, enumerate(failures)):
                files = [hash(configs.told(tor)) for tor in configs.tors]
                key = (*map(frozenset, (broken.splitters, broken.tors, broken.fibres)), *files)
                seen.setdefault(key, ([], plan, broken, configs, files))[0].append(failure)
        return neighbours(list(seen.values()))

    def wrong(self, case):
        """What arrives otherwise than it should, after a failure and its repair."""
        names, plan, broken, configs, _ = case
        self.fabric.breaks(broken)
        self.fabric.load(configs)
        folder = Folder(plan)
        due, cut_off = {}, len(broken.tors) * (len(configs.tors) - 1)
        for server in configs.servers:
            tor = configs.tor_of(server)
            if tor not in broken.tors:
                reached = self.reached(configs, folder, broken, tor)
                cut_off += len(set(configs.tors) - reached - {tor})
                due[server, "all"] = members(configs, "all", server, reached)
        # What the command says of the plan.
        told = configs.answer
        assert (told["pairs_cut_off"], told["restored"]) == (cut_off, cut_off == 0), names
        got = self.fabric.send(list(due))
        return [(names, pair, got[pair], due[pair]) for pair in due if got[pair] != due[pair]]

    def reached(self, configs, folder, broken, tor):
        """The ToRs that light can reach from a ToR, or from the best stand-in, and those without light."""
        to = stand_in(configs, tor)
        if tor not in broken.splitters:
            assert to is None, f"ToR {tor} has light and a stand-in"
            return folder.reach(tor, broken)
        live = [one for one in configs.tors if one not in broken.splitters | broken.tors]
        roots = [one for one in live if configs.tor_address(one) == to]
        assert len(roots) == 1, f"ToR {tor} wraps for {to}"
        reached = folder.reach(roots[0], broken)
        assert len(reached - {tor}) == max(len(folder.reach(one, broken) - {tor}) for one in live)
        return reached | {tor}

    def check(self, failures, encoding="masked"):
        cases = self.cases(failures, encoding)
        wrong = [one for case in cases for one in self.wrong(case)]
        assert not wrong, f"{len(wrong)} wrong; the first: {wrong[0]}"
        return len(cases)


def neighbours(cases):
    """The cases in an order in which few files change from one to the next."""
    ordered = [cases.pop()]
    while cases:
        last = ordered[-1][-1]
        changes = [sum(one != other for one, other in zip(last, case[-1], strict=True)) for case in cases]
        ordered.append(cases.pop(changes.index(min(changes))))
    return ordered


@pytest.fixture
def bench(lightloom, scratch, switch):
    return lambda fabric: Bench(lightloom, scratch, switch, fabric)


def test_every_single_failure_of_2_3(bench):
    """Every light that can fail, once. The three parts of a transmitter are repaired alike, and so are a fibre and its
    receiver: a sample of them gives the same files.
    """
    bench, random_ = bench("2,3"), random.Random("2,3")
    parts = bench.parts()
    assert [len(parts[kind]) for kind in KINDS] == [24, 24, 24, 24, 48, 48, 12]
    failures = [*parts["splitter"], *parts["tor"], *parts["branch"], *parts["cassette"]]
    again = [random_.choice(parts[kind]) for kind in ("relay", "tx", "rx") for _ in range(4)]
    assert bench.check(failures + again) == len(failures) == 24 + 24 + 48 + 12


@pytest.mark.parametrize(
    ("fabric", "encoding"),
    [("2,3", "literal"), ("2,3", "masked-destination"), ("2,3", "roots"), ("4,2", "masked")],
)
def test_drawn_failures(bench, fabric, encoding):
    """A sample of each kind of failure, for other encodings and for another fabric."""
    bench, random_ = bench(fabric), random.Random(f"{fabric} {encoding}")
    parts = bench.parts()
    kinds = ("tx", "tor", "branch", "rx", "cassette")
    assert bench.check([random_.choice(parts[kind]) for kind in kinds], encoding) == len(kinds)


@pytest.mark.long("ovs-all")
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("fabric", ["2,3", "4,2"])
def test_every_single_failure(bench, fabric, encoding):
    bench = bench(fabric)
    bench.check(list(itertools.chain(*bench.parts().values())), encoding)


def test_a_dark_part_without_a_repair_is_noticed(bench):
    """The rules of the intact plan lose packets while a part is dark, and bring no copy twice."""
    bench = bench("2,3")
    configs = bench.plans.configs("masked")
    bench.fabric.breaks(broken_parts(["tx:3"]))
    pairs = [(server, "all") for server in configs.servers]
    got = bench.fabric.send(pairs)
    whole = {pair: members(configs, *reversed(pair)) for pair in pairs}
    lossy = [pair for pair in pairs if got[pair] != whole[pair]]
    assert 0 < len(lossy) < len(pairs)
    for pair in lossy:
        assert set(got[pair]) < set(whole[pair]) and len(set(got[pair])) == len(got[pair])
    counted = bench.fabric.counted()
    assert sum(one[OWN_COPY] for one in counted.values()) < len(pairs)
