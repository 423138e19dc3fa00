"""Two switches that are eight logical ToRs, the testbed of the Shufflecast paper: on real Open vSwitch bridges, one for
each switch, and on two switches that do what relay.p4 and SONiC's pipeline say.

shufflecast:V.logical
"""

import json
import re
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from eos import Eos, Openflow, rows
from ovs import run
from ovs_fabric import Configs, Fabric, broken_parts, light
from ovs_plans import GROUPS, all_pairs, expected, members
from p4rt import Fabric as P4Fabric
from p4rt import Relay, Sonic
from replay import Folder
from test_configs_ovs_verify import read_back, verified
from test_configs_p4runtime import deliveries, info

EXAMPLES = Path(__file__).parents[2] / "examples"
DESIGN = EXAMPLES / "testbed.toml"
ENCODINGS = ("literal", "masked", "masked-destination", "roots")


class Lab:
    """Plans of the testbed, or of another design, and their configurations."""

    def __init__(self, lightloom, folder, design=(str(DESIGN),)):
        self.lightloom, self.folder, self.design = str(lightloom), folder, design
        self.plan, self.groups = folder / "plan", folder / "groups.toml"
        self.groups.write_text(GROUPS)
        run(self.lightloom, "plan", *design, "--out", str(self.plan))

    def configs(self, dialect="openflow", encoding="masked", plan=None):
        plan = plan or self.plan
        out = self.folder / f"{plan.name}-{dialect}-{encoding}"
        flags = ("--dialect", dialect, "--encoding", encoding, "--groups", str(self.groups))
        run(self.lightloom, "configs", str(plan), *flags, "--out", str(out), codes=(0, 1))
        return Configs(out)

    def recovered(self, failure):
        out = self.folder / f"after-{re.sub('[^a-z0-9]', '-', failure)}"
        flags = ("--failed", failure, "--apply", str(out))
        run(self.lightloom, "recover", *self.design, *flags, codes=(0, 1))
        return out

    def rollout(self, repaired, encoding="masked"):
        out = self.folder / f"rollout-{repaired.name}-{encoding}"
        flags = ("--dialect", "openflow", "--encoding", encoding, "--groups", str(self.groups))
        run(self.lightloom, "configs", "diff", str(self.plan), str(repaired), *flags, "--out", str(out), codes=(0, 1))
        return out


@pytest.fixture
def testbed(lightloom, scratch):
    return Lab(lightloom, scratch)


def test_each_server_reaches_the_other_fifteen_once_and_never_itself(testbed, switch):
    built = None
    for encoding in ENCODINGS:
        configs = testbed.configs(encoding=encoding)
        assert len(configs.servers) == 16
        assert {bridge: len(tors) for bridge, tors in configs.bridges().items()} == {"s0": 4, "s1": 4}
        if built is None:
            built = Fabric(switch, configs, light(testbed.plan), testbed.folder / "fabric")
        else:
            built.load(configs)
        pairs = all_pairs(configs)
        got = built.send(pairs)
        assert got == expected(configs, pairs), encoding
        for server in configs.servers:
            assert len(got[server, "all"]) == 15 and server not in got[server, "all"]
        assert not any(map(built.differs, configs.tors))


def test_a_closed_gate_shuts_its_own_tor_and_no_other(testbed, switch):
    configs = testbed.configs()
    built = Fabric(switch, configs, light(testbed.plan), testbed.folder / "fabric")
    for tor in configs.tors:
        groups, flows, _ = configs.told(tor)
        tors = configs.bridges()[configs.bridge(tor)]
        texts = [(groups, flows, ()) if one == tor else configs.told(one) for one in tors]
        built.tell(tors, texts)
        built.daemon.forget()
        pairs = [(server, "all") for server in configs.servers]
        lit = Folder(testbed.plan)
        reached = {of: lit.reach(of, broken_parts([f"tor:{tor}"])) for of in configs.tors if of != tor}
        for (server, group), found in built.send(pairs).items():
            own = configs.tor_of(server)
            # Its relays miss, so what is lost is what came through it. Nothing arrives twice or at it.
            assert len(set(found)) == len(found)
            assert not any(configs.tor_of(one) == tor for one in found)
            assert own != tor or not found
            assert own == tor or set(found) <= set(members(configs, group, server, reached[own]))
            neighbours = [one for one in configs.servers_of(own) if one != server]
            assert own == tor or set(neighbours) <= set(found)
        built.tell(tors, [configs.told(one) for one in tors])


@pytest.mark.parametrize("failure", ["relay:3", "branch:0->5", "rx:6/1", "tor:2"])
def test_repairs_reach_all_that_light_can_reach(testbed, switch, failure):
    """A ToR that loses its power takes the other logical ToRs of its switch with it."""
    repaired = testbed.recovered(failure)
    failed = json.loads((repaired / "plan.json").read_text())["recovery"]["failed"]
    whole = testbed.configs()
    of_switch = whole.bridges()[whole.bridge(2)]
    together = [2, *(tor for tor in of_switch if tor != 2)]
    assert failed == ([f"tor:{tor}" for tor in together] if failure == "tor:2" else [failure])
    broken = broken_parts(failed)
    built = Fabric(switch, whole, light(testbed.plan), testbed.folder / "fabric", broken=broken)
    configs = testbed.configs(plan=repaired)
    built.load(configs)
    lit = Folder(testbed.plan)
    live = [tor for tor in configs.tors if tor not in broken.tors]
    reach = {tor: lit.reach(tor, broken) for tor in live if tor not in broken.splitters}
    best = max(reach.values(), key=len)
    for (server, group), got in built.send(
        [(server, "all") for server in configs.servers if configs.tor_of(server) in live]
    ).items():
        own = configs.tor_of(server)
        due = reach.get(own, best | {own})
        assert got == members(configs, group, server, due), (server, failure)


MORE = {
    "2,3 of four": ("--p", "2", "--k", "3", "--logical", "4"),
    "4,2 of five": ("--p", "4", "--k", "2", "--logical", "5"),
    "kautz of seven": ("--family", "kautz", "--p", "3", "--tors", "20", "--logical", "7"),
    "one switch": ("--p", "2", "--k", "2", "--logical", "8"),
}


@pytest.mark.parametrize("name", MORE)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_any_fabric_delivers_one_copy(lightloom, scratch, switch, name, encoding):
    lab = Lab(lightloom, scratch, MORE[name])
    configs = lab.configs(encoding=encoding)
    built = Fabric(switch, configs, light(lab.plan), scratch / "fabric")
    pairs = all_pairs(configs)
    assert built.send(pairs) == expected(configs, pairs)
    fabric = P4Fabric(Relay, info(proved := lab.configs("p4runtime", encoding)), proved, light(lab.plan))
    for server in list(proved.servers)[::5]:
        for address, of_group in proved.groups.values():
            got, _ = deliveries(fabric, server, address, proved.ttl)
            assert sorted(got) == sorted(of_group - {server}), (server, address)


@pytest.mark.parametrize(
    ("name", "failure"),
    [("2,3 of four", "relay:3"), ("2,3 of four", "tx:17"), ("4,2 of five", "tx:9"), ("kautz of seven", "branch:3->9")],
)
@pytest.mark.parametrize("encoding", ("masked", "masked-destination"))
def test_rollouts_there_and_back_leave_other_tors_alone(lightloom, scratch, switch, name, failure, encoding):
    """No host gets a packet twice after any phase of a rollout. Phases are loaded ToR by ToR. The other logical ToRs of
    the switch keep their rules.
    """
    lab = Lab(lightloom, scratch, MORE[name])
    if failure.startswith("branch"):
        tor, lit = 3, light(lab.plan)
        failure = f"branch:{tor}->{lit[tor][0][0]}"
    repaired = lab.recovered(failure)
    out = lab.rollout(repaired, encoding)
    old, new = lab.configs(encoding=encoding), lab.configs(encoding=encoding, plan=repaired)
    built = Fabric(switch, old, light(lab.plan), scratch / "fabric", broken=broken_parts([failure]))
    pairs = [(server, "all") for server in new.servers]
    for manifest, end in (("rollout.json", new), ("rollback.json", old)):
        built.join_unicast(new)
        for phase in json.loads((out / manifest).read_text())["phases"]:
            for tor, (file,) in phase["switches"].items():
                built.change(int(tor), (out / file).read_text())
            built.daemon.forget()
            for got in built.send(pairs).values():
                assert len(set(got)) == len(got)
        built.join_unicast(end)
        assert not any(map(built.differs, end.tors))
        if end is new:
            assert built.send(pairs) == expected(new, pairs)


def test_switches_are_read_back_whole(testbed, switch):
    configs = testbed.configs()
    built = Fabric(switch, configs, light(testbed.plan), testbed.folder / "fabric")
    read_back(built, testbed.folder / "first")
    found = verified(testbed.lightloom, configs, read_back(built, testbed.folder / "second"))
    assert found["good"] and found["right"] == 8, found["first_faults"]
    own = [line for line in configs.told(5)[2]]
    key = own[0].split("cookie=")[1].split(",", 1)[1].split(",actions")[0]
    built.change(5, f"flow delete_strict {key}\nflow add table=1,priority=7,in_port=99,actions=drop")
    found = verified(testbed.lightloom, configs, read_back(built, testbed.folder / "third"))
    first = configs.bridges()[configs.bridge(5)][0]
    assert found["drifted"] == sorted({first, 5})
    faults = "\n".join(found["first_faults"])
    assert "ToR 5: the gate is closed" in faults and f"ToR {first} has a flow that it was not given" in faults


@pytest.mark.parametrize(
    ("dialect", "kind", "encoding"),
    [("p4runtime", Relay, encoding) for encoding in ENCODINGS] + [("p4runtime-sonic", Sonic, "masked-destination")],
)
def test_two_p4_switches_deliver_one_copy(testbed, dialect, kind, encoding):
    configs = testbed.configs(dialect, encoding)
    fabric = P4Fabric(kind, info(configs), configs, light(testbed.plan))
    assert len(set(map(id, fabric.switches.values()))) == 2
    for server in configs.servers:
        for address, of_group in configs.groups.values():
            got, _ = deliveries(fabric, server, address, configs.ttl)
            # SONiC's pipeline does not spare the port that a packet came in on.
            heard = sorted(one for one in got if one != server)
            assert heard == sorted(of_group - {server}), (server, address)


def test_eos_keeps_vlans_flows_and_ports_apart(testbed):
    """The flows of all logical ToRs of a switch together decide as the files of OpenFlow, which Open vSwitch proved."""
    configs, proved = testbed.configs("eos"), testbed.configs()
    names = {(port["tor"], int(port["number"])): port["interface"] for port in rows(configs.folder / "switch-ports.csv")}
    servers = [int(IPv4Address(row["address"])) for row in configs.servers.values()]
    groups = [int(IPv4Address(address)) for address, _ in configs.groups.values()]
    decided = 0
    for tors in configs.bridges().values():
        texts = {tor: configs.folder / f"tor-{tor}.eos" for tor in tors}
        one = {tor: Eos.read(path) for tor, path in texts.items()}
        vlans = {tor: set(re.findall(r"vlan (\d+)$", path.read_text(), re.M)) for tor, path in texts.items()}
        assert all(len(of) == 1 for of in vlans.values()) and len(set.union(*vlans.values())) == 4
        ports = [name for of in one.values() for name in of.interfaces]
        assert len(ports) == len(set(ports)) == 16
        flows = re.findall(r"^   flow (\S+)$", "".join(path.read_text() for path in texts.values()), re.M)
        assert len(flows) == len(set(flows))
        # No file of a ToR shuts the flows of the others.
        assert not any(re.search(r"^   shutdown$", path.read_text(), re.M) for path in texts.values())
        whole = Eos([], {}, [flow for of in one.values() for flow in of.flows], True)
        for tor in tors:
            openflow = Openflow(proved.folder, f"tor-{tor}")
            for (of, number), interface in names.items():
                if of != str(tor):
                    continue
                for source in servers:
                    for group in groups:
                        due, _ = openflow.outputs(number, source, group)
                        # Nothing says that this model sends a packet out of the port that it came in on.
                        due.discard(number)
                        found, is_clear = whole.outputs(interface, source, group)
                        assert is_clear
                        assert found == {names[of, port] for port in due}, (tor, interface)
                        decided += bool(due)
    assert decided > 100


def test_sonic_rows_are_of_one_tor_each(testbed):
    configs = testbed.configs("sonic")
    for tors in configs.bridges().values():
        ports = [list(json.loads(configs.text(tor, "config_db.json"))["PORT"]) for tor in tors]
        every = [port for of in ports for port in of]
        # Two fabric ports and two servers each.
        assert len(every) == len(set(every)) == 16
