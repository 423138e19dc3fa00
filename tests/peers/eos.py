"""Configurations of Arista EOS and of OpenFlow, read again, and what each does with a packet.

It uses the standard library only, and no code of the planner. OpenFlow is the side that real switches have proved.
"""

import csv
import re
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from pathlib import Path


@dataclass
class Flow:
    """A flow of DirectFlow."""

    priority: int = 0
    ingress: str | None = None
    ethertype: str | None = None
    protocol: int | None = None
    source: tuple[int, int] = (0, 0)
    destination: tuple[int, int] = (0, 0)
    outputs: list[str] = field(default_factory=list)
    drops: bool = False

    def fits(self, port, source, destination):
        """Whether a UDP packet fits."""
        return (
            self.ingress in (None, port)
            and self.ethertype in (None, "ip")
            and self.protocol in (None, 17)
            and source & self.source[1] == self.source[0]
            and destination & self.destination[1] == self.destination[0]
        )


def matched(text):
    """The value and mask of `ADDRESS`, `ADDRESS/LENGTH` or `ADDRESS MASK`."""
    if "/" in text:
        address, length = text.split("/")
        mask = (0xFFFFFFFF << (32 - int(length))) & 0xFFFFFFFF
    elif " " in text:
        address, mask = text.split(" ")
        mask = int(IPv4Address(mask))
    else:
        address, mask = text, 0xFFFFFFFF
    return int(IPv4Address(address)), mask


@dataclass
class Eos:
    """A configuration of EOS: the lines of each interface, and the flows."""

    head: list[str]
    interfaces: dict[str, list[str]]
    flows: list[Flow]
    on: bool

    @classmethod
    def read(cls, path):
        head, interfaces, flows, on = [], {}, [], False
        block = None
        for line in Path(path).read_text().splitlines():
            if line.startswith("! "):
                head.append(line[2:])
            elif not line.startswith(" "):
                block = line if line != "!" else None
                if line.startswith("interface "):
                    interfaces[line.split(" ", 1)[1]] = []
            elif block and block.startswith("interface "):
                interfaces[block.split(" ", 1)[1]].append(line.strip())
            elif block == "directflow":
                words = line.strip()
                if words in ("shutdown", "no shutdown"):
                    on = words == "no shutdown"
                elif words.startswith("flow "):
                    flows.append(Flow())
                elif words != "!":
                    add(flows[-1], words)
        return cls(head, interfaces, flows, on)

    def outputs(self, port, source, destination):
        """The interfaces that a UDP packet leaves by, and whether one flow alone decides."""
        fitting = [flow for flow in self.flows if flow.fits(port, source, destination)]
        if not fitting:
            return set(), True
        best = max(flow.priority for flow in fitting)
        deciding = {
            (frozenset(flow.outputs), flow.drops) for flow in fitting if flow.priority == best
        }
        (outputs, drops), *others = deciding
        assert not (drops and outputs)
        return set(outputs), not others


def add(flow, words):
    name, _, rest = words.partition(" ")
    if name == "priority":
        flow.priority = int(rest)
        return
    for start, change in {
        "match input interface ": lambda text: setattr(flow, "ingress", text),
        "match ethertype ": lambda text: setattr(flow, "ethertype", text),
        "match ip protocol ": lambda text: setattr(flow, "protocol", int(text)),
        "match source ip ": lambda text: setattr(flow, "source", matched(text)),
        "match destination ip ": lambda text: setattr(flow, "destination", matched(text)),
        "action output interface ": flow.outputs.append,
        "action drop": lambda _: setattr(flow, "drops", True),
    }.items():
        if words.startswith(start):
            change(words[len(start) :])
            return
    raise AssertionError(f"no line of a flow: {words}")


class Openflow:
    """The flows and groups of a switch in two stages."""

    def __init__(self, folder, name):
        self.tables = {1: [], 2: []}
        for line in (Path(folder) / f"{name}.flows").read_text().splitlines():
            if line.startswith("#"):
                continue
            matching, actions = line.split(",actions=")
            fields = dict(part.partition("=")[::2] for part in matching.split(","))
            table = int(fields["table"])
            if table:
                self.tables[table].append((int(fields["priority"]), fields, actions))
        self.groups = {}
        for line in (Path(folder) / f"{name}.groups").read_text().splitlines():
            if not line.startswith("#"):
                number = int(re.match(r"group_id=(\d+)", line)[1])
                self.groups[number] = line.split(",bucket=actions=")[1:]

    def _decide(self, table, fits):
        found = [(priority, actions) for priority, fields, actions in self.tables[table] if fits(fields)]
        return max(found, key=lambda one: one[0])[1]

    def outputs(self, port, source, destination):
        """Numbers of the ports that a UDP packet leaves by. The port that it came in on only by `in_port`."""

        def is_in(address, text):
            if text is None:
                return True
            value, mask = matched(text if text.count(".") < 4 else text.replace("/", " "))
            return address & mask == value

        first = self._decide(
            1,
            lambda fields: fields.get("in_port") in (None, str(port))
            and is_in(source, fields.get("nw_src"))
            and is_in(destination, fields.get("nw_dst")),
        )
        if first == "drop":
            return set(), False
        metadata = re.match(r"write_metadata:(\d+),goto_table:2", first)[1]
        second = self._decide(
            2,
            lambda fields: fields.get("metadata") in (None, metadata)
            and is_in(destination, fields.get("nw_dst")),
        )
        if second == "drop":
            return set(), False
        went, turned = set(), False
        for bucket in self.groups[int(second.removeprefix("group:"))]:
            *_, last = bucket.split(",")
            if last == "in_port":
                went.add(port)
                turned = True
            elif last != f"output:{port}":
                went.add(int(last.removeprefix("output:")))
        return went, turned


def rows(path):
    with open(path, newline="") as sheet:
        return list(csv.DictReader(sheet))
