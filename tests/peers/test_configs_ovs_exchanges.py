"""Exchanges on real Open vSwitch bridges: growth, shrinking, another fabric, and other groups.

From an empty bridge or from the old plan, there and back, each switch ends with exactly the flows and groups of the
folder of configurations of the plan that it is told. A bridge that was just made has the flow of Open vSwitch itself,
which floods.
"""

import json
import re

import pytest

from ovs import run
from ovs_fabric import Configs
from ovs_plans import ACCELERATED

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
# The flow of a bridge that nobody told anything, and the only one of a switch that has left.
FLOODS = "table=0,priority=0,actions=NORMAL"
LEFT = "table=0,priority=0,actions=drop"
RELIABLE = GROUPS + '[[group]]\nname = "served"\ntransport = "rc"\nmembers = ["tor:3", "tor:6/2"]\n'
PLANS = {
    "kautz 8": ("--family", "kautz", "--p", "2", "--tors", "8"),
    "kautz 12": ("--family", "kautz", "--p", "2", "--tors", "12"),
    "2,2": ("--p", "2", "--k", "2"),
    "2,3": ("--p", "2", "--k", "3"),
    "kautz 8 accelerated": ("--family", "kautz", "--p", "2", "--tors", "8", *ACCELERATED),
}


class Exchange:
    """Bridges, and the folders of two plans and of the way between them."""

    def __init__(self, lightloom, folder, switch):
        self.lightloom, self.folder, self.daemon = str(lightloom), folder, switch
        self.groups = folder / "groups.toml"
        self.groups.write_text(GROUPS)
        self.tors = set()

    def plan(self, name):
        out = self.folder / name.replace(" ", "-").replace(",", "-")
        run(self.lightloom, "plan", *PLANS[name], "--out", str(out))
        return out

    def grown(self, plan, tors):
        out = self.folder / f"{plan.name}-grown"
        run(self.lightloom, "grow", str(plan), "--tors", str(tors), "--out", str(out))
        return out

    def told(self, out, *more):
        return ["--dialect", "openflow", *more, "--out", str(out)]

    def configs(self, plan, *more):
        out = self.folder / f"configs-{plan.name}"
        run(self.lightloom, "configs", str(plan), *self.told(out, *more))
        return Configs(out)

    def diff(self, old, new, *more):
        out = self.folder / f"from-{old.name}-to-{new.name}"
        run(self.lightloom, "configs", "diff", str(old), str(new), *self.told(out, *more))
        return out

    def bridges(self, tors):
        """Bridges as they are when somebody has just made them. Ports are of no matter for tables."""
        new = set(tors) - self.tors
        self.daemon.add_bridges({f"t{tor}": [] for tor in new})
        self.daemon.all_at_once(lambda tor: self.daemon.openflow(f"t{tor}", "add-flow", None, FLOODS), new)
        self.tors |= new

    def load(self, configs):
        """The files of a folder, as its documentation says."""

        def tell(tor):
            groups, flows, gate = configs.told(tor)
            self.daemon.openflow(f"t{tor}", "add-groups", "\n".join(groups))
            self.daemon.openflow(f"t{tor}", "add-flows", "\n".join((*flows, *gate)))

        self.daemon.all_at_once(tell, configs.tors)

    def go(self, folder, name):
        for phase in json.loads((folder / name).read_text())["phases"]:

            def change(tor, phase=phase):
                for file in phase["switches"][tor]:
                    self.daemon.openflow(f"t{tor}", "bundle", (folder / file).read_text())

            self.daemon.all_at_once(change, list(phase["switches"]))

    def differs(self, tor, wanted, groups):
        file = self.folder / f"wanted-{tor}.flows"
        file.write_text("\n".join(wanted))
        found = self.daemon.openflow(f"t{tor}", "diff-flows", None, str(file), codes=(0, 2))
        dumped = self.daemon.openflow(f"t{tor}", "dump-groups", None, "--no-names")
        has, wants = (group_texts(text) for text in (dumped.splitlines()[1:], groups))
        return found + "".join(f"{text}\n" for text in sorted(has ^ wants))

    def is_as(self, configs):
        """All switches of a plan have exactly what its folder says, and those that left drop everything."""
        for tor in sorted(self.tors):
            if tor in configs.tors:
                groups, flows, gate = configs.told(tor)
                assert not self.differs(tor, (*flows, *gate), groups), f"ToR {tor}"
            else:
                assert not self.differs(tor, (LEFT,), ()), f"ToR {tor}"

    def verified(self, configs):
        """The program's own comparison finds no difference."""
        out = self.folder / "read-back"
        out.mkdir(exist_ok=True)
        width = len(str(len(configs.tors) - 1))
        for tor in configs.tors:
            for command in ("dump-flows", "dump-groups"):
                text = self.daemon.openflow(f"t{tor}", command, None, "--no-names")
                (out / f"tor-{tor:0{width}}.{command}").write_text(text)
        command = (self.lightloom, "configs", "verify", str(configs.folder), "--read-back", str(out), "--json")
        found = json.loads(run(*command, codes=(0, 1)))
        assert found["good"], found["first_faults"]

    def there_and_back(self, old, new, folder):
        self.bridges(old.tors)
        self.load(old)
        self.is_as(old)
        # New switches come out of their boxes.
        self.bridges(new.tors)
        self.go(folder, "rollout.json")
        self.is_as(new)
        self.verified(new)
        self.go(folder, "rollback.json")
        self.is_as(old)
        self.verified(old)
        # Once more from there, where switches that left are still cabled.
        self.go(folder, "rollout.json")
        self.is_as(new)


    def other_groups(self, text):
        """The options of configurations with another file of groups, and of a change to it."""
        file = self.folder / "other.toml"
        file.write_text(text)
        return ("--groups", str(file)), ("--groups", str(file), "--old-groups", str(self.groups))

    def phases(self, folder):
        return [phase["name"] for phase in json.loads((folder / "rollout.json").read_text())["phases"]]


def group_texts(lines):
    """Groups in one form: what a switch adds to buckets goes."""
    return {re.sub(r"(bucket_id|weight):\d+,", "", line.strip()).lower() for line in lines if line.strip()}


@pytest.fixture
def exchange(lightloom, scratch, switch):
    return Exchange(lightloom, scratch, switch)


@pytest.mark.parametrize("name", ["kautz 8", "kautz 8 accelerated"])
def test_a_growth_and_its_way_back(exchange, name):
    if name.endswith("accelerated"):
        exchange.groups.write_text(RELIABLE)
    old = exchange.plan(name)
    new = exchange.grown(old, 12)
    more = ("--groups", str(exchange.groups))
    exchange.there_and_back(exchange.configs(old, *more), exchange.configs(new, *more), exchange.diff(old, new, *more))


@pytest.mark.parametrize(
    ("one", "other", "encoding"),
    [
        ("kautz 12", "kautz 8", "masked"),
        ("2,2", "2,3", "masked"),
        ("2,3", "2,2", "masked-destination"),
        ("2,3", "kautz 8", "literal"),
        ("kautz 8", "kautz 8 accelerated", "masked"),
    ],
)
def test_another_fabric_there_and_back(exchange, one, other, encoding):
    old, new = exchange.plan(one), exchange.plan(other)
    more = ("--groups", str(exchange.groups), "--encoding", encoding)
    exchange.there_and_back(exchange.configs(old, *more), exchange.configs(new, *more), exchange.diff(old, new, *more))


def test_other_members_are_told_without_closing_a_gate(exchange):
    plan = exchange.plan("2,2")
    with_groups = ("--groups", str(exchange.groups))
    other, change = exchange.other_groups(
        GROUPS.replace("tor:5", "tor:6/2") + '[[group]]\nname = "new"\nmembers = ["tor:2", "tor:7/1"]\n'
    )
    old = exchange.configs(plan, *with_groups)
    old = Configs(old.folder.rename(old.folder.with_name("old")))
    folder = exchange.diff(plan, plan, *change)
    assert exchange.phases(folder) == ["members"]
    changed = json.loads((folder / "rollout.json").read_text())["phases"][0]
    assert changed["loses"] == {} and set(changed["switches"]) == {"2", "5", "6", "7"}
    exchange.bridges(old.tors)
    exchange.load(old)
    exchange.go(folder, "rollout.json")
    new = exchange.configs(plan, *other)
    exchange.is_as(new)
    exchange.verified(new)
    exchange.go(folder, "rollback.json")
    exchange.is_as(old)


def test_groups_of_accelerators_come_and_go_with_open_gates(exchange):
    plan = exchange.plan("kautz 8 accelerated")
    wanted, change = exchange.other_groups(RELIABLE)
    folder = exchange.diff(plan, plan, *change)
    assert exchange.phases(folder) == ["members"]
    changed = json.loads((folder / "rollout.json").read_text())["phases"][0]
    assert changed["loses"] == {} and len(changed["switches"]) == 8, "each switch hands them to its accelerator"
    old = exchange.configs(plan, "--groups", str(exchange.groups))
    old = Configs(old.folder.rename(old.folder.with_name("old")))
    exchange.there_and_back(old, exchange.configs(plan, *wanted), folder)
    # A group that accelerators serve from now on is another one: its packets go another way.
    other, change = exchange.other_groups(GROUPS.replace("members", 'transport = "rc"\nmembers', 1))
    (exchange.folder / f"from-{plan.name}-to-{plan.name}").rename(exchange.folder / "before")
    folder = exchange.diff(plan, plan, *change)
    assert exchange.phases(folder) == ["close", "replace", "canary", "open"]


@pytest.mark.parametrize("to", ["2,2", "kautz 12"])
@pytest.mark.parametrize(
    "other",
    [
        # Other addresses of groups, of servers, another number of servers, and groups at other places.
        '[addresses]\ngroups = "239.128.0.0/9"\n' + GROUPS.removeprefix("version = 1\n"),
        '[addresses]\nservers = "10.128.0.0/9"\n' + GROUPS.removeprefix("version = 1\n"),
        GROUPS.removeprefix("version = 1\n").replace("per_tor = 2", "per_tor = 3"),
        '[servers]\nper_tor = 2\n[[group]]\nname = "some"\nmembers = ["tor:1/1", "tor:5"]\n',
    ],
)
def test_other_addresses_and_places_are_exchanged(exchange, other, to):
    plan = exchange.plan("2,2")
    new = plan if to == "2,2" else exchange.plan(to)
    wanted, change = exchange.other_groups("version = 1\n" + other)
    folder = exchange.diff(plan, new, *change)
    assert exchange.phases(folder) == ["close", "replace", "canary", "open"]
    old = exchange.configs(plan, "--groups", str(exchange.groups))
    old = Configs(old.folder.rename(old.folder.with_name("old")))
    exchange.there_and_back(old, exchange.configs(new, *wanted), folder)
