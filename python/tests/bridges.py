"""A fabric of real Open vSwitch bridges that are empty until a controller fills them.

`tests/peers/ovs.py` runs the switch. Each ToR is a bridge. The bridge `glass` stands for all
splitters.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _load():
    """The module by its path: os-ken brings another one of the same name."""
    spec = importlib.util.spec_from_file_location("peers_ovs", ROOT / "tests/peers/ovs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ovs = _load()

#: A port that no controller listens at.
NOBODY = 1


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Bridges:
    """The ToRs of a folder of configurations, with the splitters of a plan."""

    def __init__(self, daemon, configs, plan):
        self.daemon, self.configs = daemon, Path(configs)
        self.manifest = json.loads((self.configs / "configs.json").read_text())
        self.tors = range(len(self.manifest["switches"]))
        self.servers = {row["server"]: row for row in rows(self.configs / "servers.csv")}
        self.ports = rows(self.configs / "switch-ports.csv")
        self.at = {port["server"]: port for port in self.ports if port["server"]}
        self._build(Path(plan))
        self.point(None)

    def _build(self, plan):
        glass, bridges, operations = {}, {}, []

        def port(bridge, name, number, kind, options):
            tag = name.replace("-", "_")
            row = {"name": name, "type": kind, "ofport_request": number}
            row["options"] = ["map", [list(option) for option in options.items()]]
            operations.append(insert("Interface", f"i_{tag}", row))
            row = {"name": name, "interfaces": ["named-uuid", f"i_{tag}"]}
            operations.append(insert("Port", f"p_{tag}", row))
            bridges.setdefault(bridge, []).append(["named-uuid", f"p_{tag}"])

        for one in self.ports:
            bridge, name, number = f"t{one['tor']}", self.name(one), int(one["number"])
            if one["fabric_port"]:
                at = glass[int(one["tor"]), int(one["fabric_port"])] = len(glass) + 1
                port(bridge, name, number, "patch", {"peer": f"g-{name}"})
                port("glass", f"g-{name}", at, "patch", {"peer": name})
            elif one["server"]:
                port(bridge, name, number, "dummy", {"tx_pcap": str(self.pcap(one))})
        uuids = []
        for name, ports in bridges.items():
            row = {"name": name, "datapath_type": "dummy", "fail_mode": "secure"}
            row |= {"protocols": ["set", ["OpenFlow13"]], "ports": ["set", ports]}
            if name != "glass":
                number = int(name.removeprefix("t")) + 1
                row["other_config"] = ["map", [["datapath-id", f"{number:016x}"]]]
            operations.append(insert("Bridge", f"b_{name}", row))
            uuids.append(["named-uuid", f"b_{name}"])
        mutations = [["bridges", "insert", ["set", uuids]]]
        operations.append(
            {"op": "mutate", "table": "Open_vSwitch", "where": [], "mutations": mutations}
        )
        self.transact(operations)
        lit = {}
        for cable in rows(plan / "cables.csv"):
            outputs = lit.setdefault(int(cable["from_tor"]), [])
            if cable["kind"] == "branch":
                outputs.append(f"output:{glass[int(cable['to_tor']), int(cable['to_port'])]}")
        flows = [f"in_port={glass[tor, 0]},actions={','.join(to)}" for tor, to in lit.items()]
        self.ofctl("replace-flows", "glass", "-", text="\n".join(flows))

    def transact(self, operations):
        """One transaction of the database. Returns when the switch has carried it out."""
        everywhere = {"table": "Open_vSwitch", "where": []}
        bump = everywhere | {"op": "mutate", "mutations": [["next_cfg", "+=", 1]]}
        read = everywhere | {"op": "select", "columns": ["next_cfg"]}
        wanted = self._call([*operations, bump, read])[-1]["rows"]
        done = everywhere | {"op": "wait", "columns": ["cur_cfg"], "until": "==", "timeout": 60_000}
        done["rows"] = [{"cur_cfg": wanted[0]["next_cfg"]}]
        self._call([done])

    def _call(self, operations):
        asked = {"id": 0, "method": "transact", "params": ["Open_vSwitch", *operations]}
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as database:
            database.connect(str(self.daemon.database))
            database.sendall(json.dumps(asked).encode())
            text = b""
            while True:
                part = database.recv(1 << 20)
                assert part, "the database hung up"
                text += part
                try:
                    answer = json.loads(text)
                    break
                except json.JSONDecodeError:
                    continue
        assert not answer["error"], answer
        for one in answer["result"]:
            assert not (one and "error" in one), one
        return answer["result"]

    def point(self, port, tors=None):
        """Connects bridges to a controller at a port. None: to a port without a controller.

        A bridge that loses its last controller, or gets its first, drops all flows.
        """
        operations = []
        for tor in self.tors if tors is None else tors:
            row = {"target": f"tcp:127.0.0.1:{port or NOBODY}", "max_backoff": 1000}
            row["connection_mode"] = "out-of-band"
            operations.append(insert("Controller", f"c_{tor}", row))
            operations.append(change(tor, {"controller": ["named-uuid", f"c_{tor}"]}))
        self.transact(operations)

    def rename(self, tor, number):
        """Gives a bridge another datapath id."""
        row = {"other_config": ["map", [["datapath-id", f"{number:016x}"]]]}
        self.transact([change(tor, row)])

    def clear(self):
        """Takes all ToRs from their controller, and removes their flows and groups."""
        self.point(None)

        def clear(tor):
            self.ofctl("del-flows", tor)
            self.ofctl("del-groups", tor)

        self.all(clear)

    def all(self, work):
        """The results of work on all ToRs, several at a time."""
        with ThreadPoolExecutor(8) as threads:
            return list(threads.map(work, self.tors))

    def ofctl(self, command, tor, *more, text=None):
        """A command of ovs-ofctl on a ToR, or on the glass."""
        name = tor if tor == "glass" else f"t{tor}"
        target = f"unix:{self.daemon.folder}/{name}.mgmt"
        return ovs.run("ovs-ofctl", "-O", "OpenFlow13", command, target, *more, stdin=text)

    def fill(self, folder):
        """Fills all ToRs with the files of a folder, without a controller."""
        self.clear()
        width = len(str(len(self.tors) - 1))

        def fill(tor):
            groups, flows, gate = (
                (folder / f"tor-{tor:0{width}}.{kind}").read_text()
                for kind in ("groups", "flows", "gate")
            )
            self.ofctl("add-groups", tor, "-", text=groups)
            self.ofctl("add-flows", tor, "-", text=flows + gate)

        self.all(fill)

    def tables(self):
        """What all ToRs have, as `ovs-ofctl` prints it."""

        def of(tor):
            flows = self.ofctl("dump-flows", tor, "--no-stats").splitlines()
            groups = self.ofctl("dump-groups", tor).splitlines()
            lines = [line.strip() for line in (*flows, *groups)]
            return sorted(line for line in lines if "actions=" in line)

        return self.all(of)

    @staticmethod
    def name(port):
        return f"t{port['tor']}-{port['number']}"

    def pcap(self, port):
        return self.daemon.folder / f"{self.name(port)}.pcap"

    def send(self, server, group_address, payload, ttl=None):
        """Sends one packet. Cached decisions of the datapath are forgotten first."""
        self.daemon.ask("revalidator/purge")
        packet = udp(
            self.servers[server]["address"],
            group_address,
            payload,
            ttl or self.manifest["time_to_live"],
        )
        self.daemon.ask("netdev-dummy/receive", self.name(self.at[server]), packet.hex())

    def receivers(self, payload):
        """The servers that have received a payload, once for each copy."""
        found = []
        for server, port in self.at.items():
            found += [server for frame in packets(self.pcap(port)) if frame[42:] == payload]
        return sorted(found)

    def outputs(self, server, group_address):
        """Where a packet of a server would go, from a trace through all bridges."""
        port = self.at[server]
        fields = {
            "in_port": port["number"],
            "dl_type": "0x0800",
            "nw_proto": 17,
            "nw_src": self.servers[server]["address"],
            "nw_dst": group_address,
            "nw_ttl": self.manifest["time_to_live"],
        }
        flow = ",".join(f"{name}={value}" for name, value in fields.items())
        text = self.daemon.ask("ofproto/trace", f"t{port['tor']}", flow)
        return text.rpartition("Datapath actions: ")[2].strip()


def insert(table, tag, row):
    return {"op": "insert", "table": table, "uuid-name": tag, "row": row}


def change(tor, row):
    return {"op": "update", "table": "Bridge", "where": [["name", "==", f"t{tor}"]], "row": row}


def packets(path):
    """The packets of a capture file."""
    data = path.read_bytes() if path.exists() else b""
    at, found = 24, []
    while at + 16 <= len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        found.append(data[at + 16 : at + 16 + length])
        at += 16 + length
    return found


def udp(source, group, payload, ttl):
    """An Ethernet frame with a UDP packet to a group. Switches do not check sums."""
    source, group = socket.inet_aton(source), socket.inet_aton(group)
    data = struct.pack("!HHHH", 4791, 4791, 8 + len(payload), 0) + payload
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(data), 0, 0, ttl, 17, 0) + source + group
    to = bytes([0x01, 0x00, 0x5E, group[1] & 0x7F]) + group[2:]
    return to + bytes([0x02, 0, 0, 0, 0, 1]) + b"\x08\x00" + head + data
