"""Open vSwitch without privileges: `ovsdb-server` and one `ovs-vswitchd` on its dummy datapath.

Packets are injected over the control socket, and what leaves a port is read from a capture file. Nothing here
waits for a fixed time: the switch has one thread that does one thing after another, so an answer on the control
socket says that the work before it is done.

It uses the standard library only.
"""

import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MISSING = "Open vSwitch is not installed: configurations are not tested on a real switch"

SCHEMA = Path("/usr/share/openvswitch/vswitch.ovsschema")
# Daemons are where ordinary users do not look.
PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin"))
# Processes of `ovs-ofctl` at a time. Each waits for the switch most of the time.
AT_A_TIME = 16
# A dummy port holds up to 100 packets. Each round of the switch's main loop takes one from each port.
MOST_QUEUED = 90


def is_installed():
    tools = ("ovs-vswitchd", "ovsdb-server", "ovsdb-tool", "ovs-vsctl", "ovs-ofctl")
    return all(shutil.which(tool, path=PATH) for tool in tools) and SCHEMA.is_file()


class Crashed(AssertionError):
    """The switch itself ended. The message has the end of its logs."""


def run(*command, stdin=None, codes=(0,)):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def call(path, method, params):
    """One JSON-RPC call on a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        peer.connect(str(path))
        peer.sendall(json.dumps({"id": 0, "method": method, "params": params}).encode())
        parts = []
        while True:
            part = peer.recv(1 << 20)
            if not part:
                raise ConnectionError(f"{method}: the other side hung up")
            parts.append(part)
            if not part.rstrip().endswith(b"}"):
                continue
            try:
                return json.loads(b"".join(parts))
            except json.JSONDecodeError:
                continue


class Daemon:
    """`ovsdb-server` and `ovs-vswitchd` in a folder of their own. The kind of datapath is dummy, or netdev for real
    ports. A command before both may lead into a network namespace.
    """

    def __init__(self, folder, kind="dummy", before=()):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.kind, self.before = kind, before
        own = dict.fromkeys(("OVS_RUNDIR", "OVS_LOGDIR", "OVS_DBDIR"), str(folder))
        self.env = os.environ | own | {"PATH": PATH}
        self.processes = {}
        self.bridges = {}
        # Packets of each port: all that were injected, and those that it may not yet have taken.
        self.injected, self.queued = {}, {}
        # The switch holds two sockets a bridge and one file a server. Children inherit the limit.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        try:
            self._start_both()
        except BaseException:
            self.stop()
            raise

    def _start_both(self):
        run("ovsdb-tool", "create", str(self.folder / "conf.db"), str(SCHEMA))
        self._start("ovsdb-server", str(self.folder / "conf.db"), f"--remote=punix:{self.database}")
        self._wait(self.database)
        run("ovs-vsctl", f"--db=unix:{self.database}", "--no-wait", "init")
        dummy = ["--enable-dummy"] if self.kind == "dummy" else []
        self._start("ovs-vswitchd", *dummy, "--disable-system", f"unix:{self.database}")
        self._wait(self.control)

    @property
    def database(self):
        return self.folder / "db.sock"

    @property
    def control(self):
        return self.folder / "vswitchd.ctl"

    def _start(self, tool, *arguments):
        own = self.control if tool == "ovs-vswitchd" else self.folder / "db.ctl"
        with open(self.folder / f"{tool}.log", "wb") as log:
            self.processes[tool] = subprocess.Popen(
                [*self.before, shutil.which(tool, path=PATH), *arguments, f"--unixctl={own}"],
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _wait(self, path):
        end = time.monotonic() + 60
        while not path.exists():
            self.check()
            if time.monotonic() > end:
                raise RuntimeError(f"{path.name} did not appear: {self.logs()}")
            time.sleep(0.01)

    def logs(self):
        ends = [f"{path.name}: {path.read_text()[-2000:]}" for path in sorted(self.folder.glob("*.log"))]
        return "\n".join(ends)

    def has_ended(self):
        return any(process.poll() is not None for process in self.processes.values())

    def check(self):
        """Says so if a process ended."""
        for tool, process in self.processes.items():
            if process.poll() is not None:
                raise Crashed(f"{tool} ended with {process.returncode}: {self.logs()}")

    def transact(self, operations):
        """One transaction of the database. Returns when the switch has carried it out."""
        bump = {"op": "mutate", "table": "Open_vSwitch", "where": [], "mutations": [["next_cfg", "+=", 1]]}
        read = {"op": "select", "table": "Open_vSwitch", "where": [], "columns": ["next_cfg"]}
        answers = self._transact([*operations, bump, read])
        wanted = answers[len(operations) + 1]["rows"][0]["next_cfg"]
        done = {
            "op": "wait",
            "table": "Open_vSwitch",
            "where": [],
            "columns": ["cur_cfg"],
            "until": "==",
            "rows": [{"cur_cfg": wanted}],
            "timeout": 1_800_000,
        }
        self._transact([done])
        self.check()
        return answers

    def _transact(self, operations):
        answer = call(self.database, "transact", ["Open_vSwitch", *operations])
        assert not answer["error"], answer["error"]
        for one in answer["result"]:
            assert not (one and "error" in one), one
        return answer["result"]

    def ask(self, command, *arguments):
        """A command of the control socket, without a process for each."""
        try:
            answer = call(self.control, command, list(arguments))
        except OSError as error:
            time.sleep(0.5)
            self.check()
            raise RuntimeError(f"{command}: {error}: {self.logs()}") from error
        if answer["error"]:
            raise RuntimeError(f"{command} {' '.join(arguments)}: {answer['error']}")
        return answer["result"]

    def settle(self):
        """Returns when all packets that were injected have gone through the switch. A call takes one round at least,
        and a port that has taken a packet has done all with it.
        """
        end = time.monotonic() + 60
        while True:
            for _ in range(max(self.queued.values(), default=0) + 1):
                self.ask("version")
            taken = self._taken()
            self.queued = {
                port: number - taken[port] for port, number in self.injected.items() if number > taken[port]
            }
            if not self.queued:
                return
            if time.monotonic() > end:
                raise RuntimeError(f"packets stay in queues: {self.queued}: {self.logs()}")

    def _taken(self):
        """The packets that each port has taken."""
        shown = self.ask("dpctl/show", "-s", "dummy@ovs-dummy")
        found = re.findall(r"port \d+: (\S+) .*\n\s+RX packets:(\d+)", shown)
        return {port: int(number) for port, number in found}

    def lost(self):
        """The packets that the datapath has dropped before it asked the rules, because it had no time or no room."""
        shown = self.ask("dpctl/show", "-s", "dummy@ovs-dummy")
        return int(re.search(r"lookups: hit:\d+ missed:\d+ lost:(\d+)", shown)[1])

    def forget(self):
        """Clears the caches of the switch and adds up their counters. Otherwise packets may go by old rules for up
        to half a second.
        """
        self.ask("revalidator/purge")

    def inject(self, port, packets):
        """Injects packets at a dummy port."""
        for at in range(0, len(packets), MOST_QUEUED):
            part = packets[at : at + MOST_QUEUED]
            if self.queued.get(port, 0) + len(part) > MOST_QUEUED:
                self.settle()
            self.injected[port] = self.injected.get(port, 0) + len(part)
            self.queued[port] = self.queued.get(port, 0) + len(part)
            self.ask("netdev-dummy/receive", port, *(packet.hex() for packet in part))

    def openflow(self, bridge, command, text=None, *more, codes=(0,)):
        """`ovs-ofctl` in the version that the files are for. Bundles need the next one."""
        version = "OpenFlow14" if command == "bundle" else "OpenFlow13"
        target = f"unix:{self.folder}/{bridge}.mgmt"
        stdin = ["-"] if text is not None else []
        try:
            return run("ovs-ofctl", "-O", version, command, target, *stdin, *more, stdin=text, codes=codes)
        except RuntimeError:
            self.check()
            raise

    def all_at_once(self, work, of):
        """Does some work, several at a time."""
        with ThreadPoolExecutor(AT_A_TIME) as threads:
            return list(threads.map(work, of))

    def add_bridges(self, bridges):
        """Adds bridges with ports: name, number, type and options of each. All in one step: single steps would
        take longer and longer.
        """
        operations, uuids = [], []
        for bridge, ports in bridges.items():
            for port in ports:
                operations += port_rows(*port)
            row = {
                "name": bridge,
                "datapath_type": self.kind,
                "fail_mode": "secure",
                "protocols": ["set", ["OpenFlow13", "OpenFlow14"]],
                "ports": ["set", [["named-uuid", f"p_{tag(name)}"] for name, *_ in ports]],
            }
            operations.append(
                {"op": "insert", "table": "Bridge", "uuid-name": f"b_{tag(bridge)}", "row": row}
            )
            uuids.append(["named-uuid", f"b_{tag(bridge)}"])
        mutation = ["bridges", "insert", ["set", uuids]]
        operations.append({"op": "mutate", "table": "Open_vSwitch", "where": [], "mutations": [mutation]})
        answers = self.transact(operations)
        for operation, answer in zip(operations, answers, strict=False):
            if operation.get("table") == "Bridge":
                self.bridges[operation["row"]["name"]] = answer["uuid"]

    def add_ports(self, bridges):
        """Adds ports to bridges that exist."""
        operations = []
        for bridge, ports in bridges.items():
            for port in ports:
                operations += port_rows(*port)
            uuids = [["named-uuid", f"p_{tag(name)}"] for name, *_ in ports]
            where = [["name", "==", bridge]]
            mutations = [["ports", "insert", ["set", uuids]]]
            operations.append({"op": "mutate", "table": "Bridge", "where": where, "mutations": mutations})
        self.transact(operations)

    def remove_ports(self, names):
        """Removes ports from their bridges."""
        if not names:
            return
        found = self._transact(
            [
                {"op": "select", "table": "Port", "where": [["name", "==", name]], "columns": ["_uuid"]}
                for name in names
            ]
        )
        uuids = [answer["rows"][0]["_uuid"] for answer in found]
        self.settle()
        self.injected = {port: number for port, number in self.injected.items() if port not in names}
        mutations = [["ports", "delete", ["set", uuids]]]
        self.transact([{"op": "mutate", "table": "Bridge", "where": [], "mutations": mutations}])

    def remove_bridges(self):
        """Removes all bridges."""
        self.check()
        if not self.bridges:
            return
        mutation = ["bridges", "delete", ["set", list(self.bridges.values())]]
        self.transact([{"op": "mutate", "table": "Open_vSwitch", "where": [], "mutations": [mutation]}])
        self.bridges, self.injected, self.queued = {}, {}, {}

    def stop(self):
        """Ends both processes, and no others."""
        for process in reversed(self.processes.values()):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def port_rows(name, number, kind, options):
    interface = {
        "name": name,
        "type": kind,
        "options": ["map", sorted(options.items())],
    }
    if number is not None:
        interface["ofport_request"] = number
    port = {"name": name, "interfaces": ["named-uuid", f"i_{tag(name)}"]}
    return [
        {"op": "insert", "table": "Interface", "uuid-name": f"i_{tag(name)}", "row": interface},
        {"op": "insert", "table": "Port", "uuid-name": f"p_{tag(name)}", "row": port},
    ]


def tag(name):
    return name.replace("-", "_")
