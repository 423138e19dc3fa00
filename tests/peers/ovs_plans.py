"""Plans and configurations for the tests on Open vSwitch, and what they must deliver."""

import json
import re

from ovs import run
from ovs_fabric import Configs, Fabric, light

ENCODINGS = ("literal", "masked", "masked-destination", "roots")
SHUFFLECAST = {name: ("--p", name[0], "--k", name[2]) for name in ("2,2", "2,3", "4,2", "3,3", "4,4")}
ACCELERATED = ("--accelerator", "cepheus-board")
FABRICS = SHUFFLECAST | {
    "kautz 4,100": ("--family", "kautz", "--p", "4", "--tors", "100"),
    "kautz 3,14 accelerated": ("--family", "kautz", "--p", "3", "--tors", "14", *ACCELERATED),
    "2,2 accelerated": (*SHUFFLECAST["2,2"], *ACCELERATED),
    "2,3 accelerated": (*SHUFFLECAST["2,3"], *ACCELERATED),
}
GROUPS = """version = 1
[servers]
per_tor = 2
[[group]]
name = "all"
members = ["all"]
[[group]]
name = "some"
members = ["tor:1/1", "tor:5"]
"""


class Plans:
    """Plan folders and configurations of one fabric, in a folder."""

    def __init__(self, lightloom, folder, fabric, groups=GROUPS):
        self.lightloom, self.folder, self.flags = str(lightloom), folder, FABRICS[fabric]
        self.groups = folder / "groups.toml"
        self.groups.write_text(groups)
        self.plan = folder / "plan"
        run(self.lightloom, "plan", *self.flags, "--out", str(self.plan))

    def configs(self, encoding, plan=None, name=None):
        """The configurations, with the answer of the command. Its exit code is 1 if the plan cuts pairs off."""
        out = self.folder / (name or f"configs-{encoding}")
        answer = run(
            self.lightloom,
            "configs",
            str(plan or self.plan),
            *("--dialect", "openflow", "--encoding", encoding),
            *("--groups", str(self.groups), "--out", str(out), "--json"),
            codes=(0, 1),
        )
        return Configs(out, json.loads(answer))

    def recovered(self, failure, name):
        """The plan after a failure. The exit code is 1 if light cannot reach everybody."""
        out = self.folder / name
        flags = (*self.flags, "--failed", failure, "--apply", str(out))
        run(self.lightloom, "recover", *flags, codes=(0, 1))
        return out

    def rollout(self, old, new, name, encoding="masked"):
        """The folder of changes from one plan to another."""
        out = self.folder / name
        flags = ("--dialect", "openflow", "--encoding", encoding, "--groups", str(self.groups))
        run(self.lightloom, "configs", "diff", str(old), str(new), *flags, "--out", str(out))
        return out

    def fabric(self, switch, configs, name="fabric", kind=Fabric, **more):
        return kind(switch, configs, light(self.plan), self.folder / name, **more)


def members(configs, group, sender, tors=None):
    """The members that get what a server sends, if the packet comes to all ToRs or to some."""
    _, all_of = configs.groups[group]
    return sorted(one for one in all_of if one != sender and (tors is None or configs.tor_of(one) in tors))


def expected(configs, pairs):
    """What each (server, group) must deliver in a whole fabric: one copy to each member."""
    return {(server, group): members(configs, group, server) for server, group in pairs}


def all_pairs(configs):
    return [(server, group) for server in configs.servers for group in configs.groups]


def stand_in(configs, tor):
    """The address of the ToR that stands in for a ToR, as the files of the ToR say."""
    found = set(re.findall(r"set_field:([0-9.]+)->tun_dst", "\n".join(configs.told(tor)[0])))
    assert len(found) <= 1, f"ToR {tor} wraps for several: {found}"
    return next(iter(found), None)
