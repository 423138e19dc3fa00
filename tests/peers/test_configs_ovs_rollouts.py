"""Rollouts on real Open vSwitch bridges: between all steps of a repair and of the way back, nobody gets a packet twice,
and what is lost is what the files of the rollout name.

The switches of a phase change in a drawn order. Packets are also sent while some of them have changed and others
have not: that is what an interrupted rollout, or a switch that does not answer, leaves behind.
"""

import json
import random

import pytest

from ovs_accelerators import Accelerated
from ovs_fabric import broken_parts
from ovs_plans import ENCODINGS, Plans, members, stand_in
from replay import Folder

GROUPS = """version = 1
[servers]
per_tor = 1
[[group]]
name = "all"
members = ["all"]
"""
# A stand-in, and a filter.
FAILURES = ("tx:3", "branch:8->16")
MORE = ("relay:17", "tor:9", "rx:12/1", "branch:20->0")


class Rollout:
    """A fabric with a broken part, and the way from the rules of one plan to those of another."""

    def __init__(self, lightloom, folder, switch, failure, encoding, design=("2,3", GROUPS), **more):
        self.plans = Plans(lightloom, folder, *design)
        self.repaired = self.plans.recovered(failure, "repaired")
        self.folder = self.plans.rollout(self.plans.plan, self.repaired, "rollout", encoding)
        self.broken = broken_parts([failure])
        self.old = self.plans.configs(encoding)
        self.new = self.plans.configs(encoding, self.repaired, "repaired-configs")
        self.fabric = self.plans.fabric(switch, self.old, broken=self.broken, **more)
        self.by_stand_in = {tor for tor in self.new.tors if stand_in(self.new, tor)}
        self.random = random.Random(f"{failure} {encoding}")
        light = Folder(self.plans.plan)
        live = [tor for tor in self.old.tors if tor not in self.broken.splitters | self.broken.tors]
        self.reach = {tor: light.reach(tor, self.broken) for tor in live}
        best = max(self.reach.values(), key=len)
        self.reach |= {tor: best | {tor} for tor in self.broken.splitters}

    def manifest(self, name):
        return json.loads((self.folder / name).read_text())

    def missing(self):
        """For each source, the ToRs that miss its packet. Nobody may get one twice, or one that light does not bring."""
        configs = self.fabric.configs
        pairs = [(f"tor:{tor}/1", "all") for tor in self.reach]
        missing = {}
        for (server, group), got in self.fabric.send(pairs).items():
            tor = configs.tor_of(server)
            due = members(configs, group, server, self.reach[tor])
            assert len(set(got)) == len(got), f"ToR {tor}: copies come twice: {got}"
            assert set(got) <= set(due), f"ToR {tor}: {got}"
            if set(got) != set(due):
                missing[tor] = {configs.tor_of(one) for one in due} - {configs.tor_of(one) for one in got}
        return missing

    def change(self, files, tors):
        for tor in tors:
            (file,) = files[str(tor)]
            self.fabric.change(tor, (self.folder / file).read_text())
        self.fabric.daemon.forget()

    def go(self, manifest, to):
        """Goes through all phases, with stops within them."""
        self.fabric.join_unicast(to)
        before = self.missing()
        for phase in manifest["phases"]:
            # Sources of ToRs without power lose what nobody counts.
            loses = {int(tor): set(lost) for tor, lost in phase["loses"].items() if int(tor) in self.reach}
            tors = self.random.sample(sorted(map(int, phase["switches"])), len(phase["switches"]))
            # Some have changed; all but one have changed; all have.
            stops = sorted({len(tors) // 2, len(tors) - 1, len(tors)} - {0})
            done = 0
            for stop in stops:
                self.change(phase["switches"], tors[done:stop])
                done = stop
                missing = self.missing()
                for tor, lost in missing.items():
                    bound = loses.get(tor, set()) | before.get(tor, set())
                    assert lost <= bound, (phase["name"], tors[:done], tor, lost, bound)
            lost = {tor: lost & self.reach[tor] for tor, lost in loses.items()}
            lost = {tor: of for tor, of in lost.items() if of}
            for tor in self.by_stand_in & set(lost):
                # The stand-in may go on as long as the source sends to it.
                assert missing.get(tor, set()) <= lost.pop(tor), phase["name"]
                missing.pop(tor, None)
            assert missing == lost, phase["name"]
            before = loses
        return self.missing()


def there_and_back(lightloom, scratch, switch, failure, encoding, **more):
    rollout = Rollout(lightloom, scratch, switch, failure, encoding, **more)
    there, back = rollout.manifest("rollout.json"), rollout.manifest("rollback.json")
    assert rollout.missing(), "the failure costs copies"
    assert rollout.go(there, rollout.new) == {}
    fabric = rollout.fabric
    assert not any(map(fabric.differs, fabric.configs.tors)), "the tables are those of the new plan"
    # The same changes once more change nothing.
    for phase in there["phases"][-1:]:
        rollout.change(phase["switches"], map(int, phase["switches"]))
    assert not any(map(fabric.differs, fabric.configs.tors))
    rollout.go(back, rollout.old)
    assert not any(map(fabric.differs, fabric.configs.tors)), "the tables are those of the old plan"


@pytest.mark.parametrize("failure", FAILURES)
def test_no_step_of_a_rollout_brings_copies_twice(lightloom, scratch, switch, failure):
    there_and_back(lightloom, scratch, switch, failure, "masked")


@pytest.mark.parametrize("failure", FAILURES)
def test_no_step_brings_copies_twice_through_accelerators(lightloom, scratch, switch, failure):
    """Relays are what the tables of the switches say, so they change with them."""
    reliable = GROUPS.replace("members", 'transport = "rc"\nmembers')
    design = ("2,3 accelerated", reliable)
    there_and_back(lightloom, scratch, switch, failure, "masked", design=design, kind=Accelerated)


@pytest.mark.long("ovs-all")
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("failure", FAILURES + MORE)
def test_no_step_of_any_rollout_brings_copies_twice(lightloom, scratch, switch, failure, encoding):
    there_and_back(lightloom, scratch, switch, failure, encoding)
