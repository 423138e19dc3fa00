"""The twin and real Open vSwitch bridges deliver the same: one fabric, its groups, some sources, with and without
failures and their repair.

The twin runs the plan folder of the same plan as a scenario. It says how many packets each host got from each
source. Host 2t of its groups is server `tor:t/1` of the configurations, and host 2t+1 is `tor:t/2`.
"""

import csv

import pytest

from ovs import run
from ovs_fabric import broken_parts
from ovs_plans import Plans

FAILURES = ("tx:3", "branch:1->10", "rx:12/1", "tor:9")
SOURCES = (0, 3, 9, 14, 21)
# In the twin only members send.
SOME = [*(f"tor:{tor}/1" for tor in SOURCES), "tor:1/1", "tor:5/1", "tor:5/2"]
GROUPS = f"""version = 1
[servers]
per_tor = 2
[[group]]
name = "all"
members = ["all"]
[[group]]
name = "some"
members = {SOME!r}
"""
# A message of 9 kB is three packets.
PACKETS = 3


def host(server):
    tor, number = server.removeprefix("tor:").split("/")
    return 2 * int(tor) + int(number) - 1


HOSTS = {"all": '"all"', "some": [host(server) for server in SOME]}


def simulated(lightloom, folder, plan, pairs, failed=""):
    """The packets of the twin, by source and receiving host."""
    found = {}
    for group, hosts in HOSTS.items():
        network = f'kind = "design"\nfile = "{plan}"\nhosts_per_tor = 2\nspines = 2\nrate = "100 Gb/s"\nlength = "10 m"\n'
        parts = [f'version = 1\nuntil = "10 ms"\n[network]\n{network}']
        parts.append(f'[[group]]\nname = "{group}"\nmembers = {hosts}\ntransport = "datagram"\n')
        for server, to in pairs:
            if to == group:
                parts.append(f'[[multicast]]\ngroup = "{group}"\nfrom = {host(server)}\nsize = "9 kB"\n')
        if failed:
            parts.append(f'[[failure]]\nfailed = "{failed}"\nat = "0 s"\n')
        (folder / "s.toml").write_text("".join(parts))
        run(str(lightloom), "simulate", str(folder / "s.toml"), "--out", str(folder / "out"))
        with open(folder / "out" / "receivers.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found[int(row["from"]), group, int(row["to"])] = int(row["delivered"])
    return found


def same(got, twin):
    """Compares what servers got with what the twin's hosts got. Returns the number of copies."""
    copies = 0
    for (server, group), servers in got.items():
        delivered = {
            to: number for (source, of, to), number in twin.items() if (source, of) == (host(server), group)
        }
        assert delivered, (server, group)
        taken = [to for to, number in delivered.items() for _ in range(number // PACKETS)]
        assert sorted(taken) == sorted(map(host, servers)), (server, group)
        copies += len(taken)
    return copies


@pytest.mark.parametrize("failed", FAILURES)
def test_the_twin_delivers_the_same_list(lightloom, scratch, switch, failed):
    plans = Plans(lightloom, scratch, "2,3", GROUPS)
    fabric = plans.fabric(switch, plans.configs("masked"))
    broken = broken_parts([failed])
    pairs = [(f"tor:{tor}/1", group) for tor in SOURCES if tor not in broken.tors for group in HOSTS]
    whole = same(fabric.send(pairs), simulated(lightloom, scratch, plans.plan, pairs))
    assert whole == sum(len(fabric.configs.groups[group][1] - {server}) for server, group in pairs)
    fabric.breaks(broken)
    lossy = same(fabric.send(pairs), simulated(lightloom, scratch, plans.plan, pairs, failed))
    assert lossy < whole, "the failure costs copies"
    repaired = plans.recovered(failed, "repaired")
    fabric.load(plans.configs("masked", repaired, "repaired-configs"))
    mended = same(fabric.send(pairs), simulated(lightloom, scratch, repaired, pairs))
    assert mended > lossy or broken.tors
