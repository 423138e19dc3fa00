"""Real sockets over a fabric of Open vSwitch bridges: `scripts/test-ovs --namespaces` runs it, with privileges.

Each server is a network namespace with one end of a veth pair; the switch has a namespace of its own, and runs its
userspace datapath without a kernel module. The namespaces have names of this run, no loopback and no way out, and
they are removed at the end.
"""

import hashlib
import os
import queue
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ovs import MISSING, Daemon, is_installed, run
from ovs_fabric import ORIGIN
from ovs_plans import Plans, members

GROUPS = """version = 1
[servers]
per_tor = 1
[[group]]
name = "all"
members = ["all"]
[[group]]
name = "some"
members = ["tor:1/1", "tor:5/1", "tor:6/1"]
"""
PEER = Path(__file__).with_name("namespace_peer.py")
FILE_BYTES = 2 << 20
LOSS = 5.0


class Namespaces:
    """Network namespaces of one run."""

    def __init__(self):
        self.names = []

    def add(self, name):
        own = f"lightloom-{os.getpid()}-{name}"
        run("ip", "netns", "add", own)
        self.names.append(own)
        return own

    def remove(self):
        for name in self.names:
            run("ip", "netns", "del", name)


class Peer:
    """A process in a namespace, and the lines that it prints."""

    def __init__(self, namespace, *arguments):
        command = ["ip", "netns", "exec", namespace, sys.executable, str(PEER), *map(str, arguments)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.split())
        self.lines.put(None)

    def line(self, seconds):
        found = self.lines.get(timeout=seconds)
        assert found is not None, f"the peer ended with {self.process.wait()}"
        return found

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def hall(lightloom, scratch):
    """A 2,2-Shufflecast with servers in namespaces. Gives the fabric, and starts peers."""
    if not is_installed():
        pytest.skip(MISSING)
    namespaces, peers, daemon = Namespaces(), [], None
    try:
        plans = Plans(lightloom, scratch, "2,2", GROUPS)
        configs = plans.configs("masked")
        home, of = namespaces.add("switch"), {}
        for server, port in configs.port_of.items():
            of[server] = namespaces.add(port.name)
            inside = ("ip", "-n", of[server])
            pair = (port.name, "netns", home, "type", "veth", "peer", "name", "eth0", "netns", of[server])
            run("ip", "link", "add", *pair)
            run(*inside, "addr", "add", f"{configs.address(server)}/8", "dev", "eth0")
            run(*inside, "link", "set", "eth0", "up")
            run(*inside, "route", "add", "239.0.0.0/8", "dev", "eth0")
            run("ip", "-n", home, "link", "set", port.name, "up")
        daemon = Daemon(scratch / "ovs", kind="netdev", before=("ip", "netns", "exec", home))
        fabric = plans.fabric(daemon, configs)

        def start(server, *arguments):
            peers.append(Peer(of[server], *arguments))
            return peers[-1]

        yield fabric, start
    finally:
        for peer in peers:
            peer.end()
        if daemon is not None:
            daemon.stop()
        namespaces.remove()


@pytest.mark.long("ovs-namespaces")
def test_real_sockets_get_one_copy(hall):
    fabric, start = hall
    configs = fabric.configs
    for group, (address, joined) in configs.groups.items():
        peers = {
            server: start(server, "sockets", address, configs.address(server), configs.ttl)
            for server in joined
        }
        for peer in peers.values():
            assert peer.line(120) == ["ready"]
        due = {server: sorted(other for other in joined if other != server) for server in joined}
        assert all(server in members(configs, group, other) for server in due for other in due[server])
        # What comes twice comes before what the same server sends next.
        for word in ("from", "then"):
            for server, peer in peers.items():
                peer.process.stdin.write(f"{word}-{server}\n")
                peer.process.stdin.flush()
            for server, peer in peers.items():
                got = [peer.line(120) for _ in due[server]]
                assert sorted(got) == sorted(["got", f"{word}-{one}", configs.address(one)] for one in due[server])
        assert all(peer.lines.empty() for peer in peers.values())
        for peer in peers.values():
            peer.end()


@pytest.mark.long("ovs-namespaces")
def test_norm_transfers_a_file_to_all(hall, scratch, capsys):
    """A file to all members with NORM. Each receiver loses 5 % of its messages, and asks for repairs over the fabric."""
    fabric, start = hall
    configs = fabric.configs
    content = random.Random("norm").randbytes(FILE_BYTES)
    file = scratch / "file"
    file.write_bytes(content)
    address, joined = configs.groups["all"]
    first, *others = sorted(joined, key=configs.tor_of)
    begin = time.monotonic()
    receivers = {}
    for node, server in enumerate(others, 2):
        folder = scratch / f"received-{node}"
        folder.mkdir()
        receivers[server] = start(server, "norm-receive", address, configs.ttl, node, folder, LOSS)
    for peer in receivers.values():
        assert peer.line(120) == ["ready"]
    assert start(first, "norm-send", address, configs.ttl, 1, file).line(120) == ["ready"]
    wanted = hashlib.sha256(content).hexdigest()
    for server, peer in receivers.items():
        assert peer.line(600) == ["hash", wanted], server
    counted = fabric.counted()
    asked = sum(counted[configs.tor_of(server)][ORIGIN] for server in others)
    assert asked > 0, "receivers ask for repairs"
    with capsys.disabled():
        print(
            f"\nNORM: {FILE_BYTES >> 20} MiB from {first} to {len(receivers)} servers with {LOSS} % loss "
            f"in {time.monotonic() - begin:.1f} s, all hashes equal; {asked} messages of receivers"
        )
