"""`configs verify` reads what real Open vSwitch bridges say of themselves."""

import csv
import json

from ovs import run
from ovs_plans import Plans


def read_back(fabric, folder):
    """The tables of all switches, what their ports hear, and a probe of each server, in a folder."""
    folder.mkdir()
    configs = fabric.configs
    for tor in configs.tors:
        width = len(str(len(configs.tors) - 1))
        switch = configs.manifest["switches"][tor].get("switch")
        name = f"tor-{tor:0{width}}" if switch is None else f"switch-{switch}"
        for command in ("dump-flows", "dump-groups"):
            text = fabric.daemon.openflow(configs.bridge(tor), command, None, "--no-names")
            (folder / f"{name}.{command}").write_text(text)
    with open(folder / "neighbours.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["tor", "number", "heard"])
        rows.writerows([port.tor, port.number, port.hears] for port in configs.ports if port.hears is not None)
    got = fabric.send([(server, "all") for server in configs.servers])
    with open(folder / "probes.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["source", "group", "server", "copies"])
        for (source, group), servers in got.items():
            rows.writerows([source, group, server, servers.count(server)] for server in sorted(set(servers)))
    return folder


def verified(lightloom, configs, folder):
    command = (str(lightloom), "configs", "verify", str(configs.folder), "--read-back", str(folder), "--json")
    return json.loads(run(*command, codes=(0, 1)))


def test_real_switches_have_what_they_were_given(lightloom, scratch, switch):
    plans = Plans(lightloom, scratch, "2,3")
    configs = plans.configs("masked")
    fabric = plans.fabric(switch, configs)
    read_back(fabric, scratch / "first")
    # The second time the flows have counted the probes of the first.
    found = verified(lightloom, configs, read_back(fabric, scratch / "second"))
    assert found["good"], found["first_faults"]
    assert found["right"] == len(configs.tors)
    assert found["probes"] == len(configs.servers)
    assert found["packets"]["own copies dropped"] == len(configs.servers)
    # A flow that is missing, a group with another port, and a closed gate.
    fabric.change(1, "flow delete_strict table=1,priority=600,udp,nw_src=10.8.0.0/13,nw_dst=239.0.0.0/8")
    fabric.change(2, "group modify group_id=1,type=all,bucket=actions=output:1")
    fabric.change(3, "flow delete_strict table=0,priority=100,udp,nw_dst=239.0.0.0/8")
    found = verified(lightloom, configs, read_back(fabric, scratch / "third"))
    assert found["drifted"] == [1, 2, 3]
    faults = "\n".join(found["first_faults"])
    for part in ("ToR 1 lacks the flow", "ToR 2: group 1 is", "ToR 3: the gate is closed", "did not reach"):
        assert part in faults, (part, faults)
