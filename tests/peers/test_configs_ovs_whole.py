"""A 4,4-Shufflecast as a whole: 1,024 Open vSwitch bridges at once. `scripts/test-ovs --whole` runs it."""

import random
import resource
import time

import pytest

from ovs_plans import Plans, expected

GROUPS = """version = 1
[servers]
per_tor = 1
[[group]]
name = "all"
members = ["all"]
"""
SOURCES = 32


def memory(daemon):
    """Resident memory of the switch, in MB."""
    with open(f"/proc/{daemon.processes['ovs-vswitchd'].pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) // 1_000


@pytest.mark.long("ovs-whole")
def test_4_4_as_a_whole(lightloom, scratch, switch, capsys):
    plans = Plans(lightloom, scratch, "4,4", GROUPS)
    configs = plans.configs("masked")
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most >= 8_192, f"this machine lets a process open {most} files; the switch needs 8,192"
    times = [time.monotonic()]
    fabric = plans.fabric(switch, configs, in_bundles=True)
    times.append(time.monotonic())
    sources = random.Random("4,4").sample(sorted(configs.servers), SOURCES)
    pairs = [(server, "all") for server in sources]
    got = fabric.send(pairs)
    times.append(time.monotonic())
    assert got == expected(configs, pairs)
    assert all(len(servers) == 1_023 for servers in got.values())
    built, sent = times[1] - times[0], times[2] - times[1]
    with capsys.disabled():
        print(
            f"\n4,4 as a whole: {len(configs.tors)} bridges built and loaded in {built:.0f} s; "
            f"{SOURCES} packets, 1,023 copies each, in {sent:.1f} s; {memory(switch)} MB"
        )
