"""Files of Arista EOS: the same decisions as the flows that Open vSwitch has proved, and lines that pyavd writes too."""

import json
from ipaddress import IPv4Address

import pyavd
import pytest
from eos import Eos, Openflow, rows
from ovs import run

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
PARTS = """[switch.own]
ports = ["32 x 10 Gb/s"]
interfaces = [{{ names = "Ethernet{{1-32}}", rate = "10 Gb/s", connector = "lc" }}]
source = "a test"
date = "2026-11"
{more}
"""
DESIGN = """version = 1
[fabric]
family = "shufflecast"
p = {p}
k = {k}
[optics]
parts = "own.toml"
transceiver = "10gbase-er"
[tor]
model = "own"
"""


def write(lightloom, folder, p, k, more="", encoding="masked"):
    """The folders of OpenFlow and of EOS."""
    (folder / "own.toml").write_text(PARTS.format(more=more))
    (folder / "design.toml").write_text(DESIGN.format(p=p, k=k))
    (folder / "groups.toml").write_text(GROUPS)
    for dialect in ("openflow", "eos"):
        run(
            *(str(lightloom), "configs", str(folder / "design.toml"), "--dialect", dialect),
            *("--groups", str(folder / "groups.toml"), "--encoding", encoding),
            *("--out", str(folder / dialect)),
            # No data sheet has a splitter of 1:3, so its light is not known to arrive.
            codes=(1,) if p == 3 else (0,),
        )
    return folder / "openflow", folder / "eos"


@pytest.mark.parametrize(
    ("p", "k", "encoding", "turns"),
    [
        (2, 2, "literal", True),
        (2, 2, "masked", True),
        (2, 2, "masked-destination", True),
        (2, 2, "roots", True),
        (2, 2, "masked", False),
        (2, 3, "masked", True),
        (3, 2, "roots", True),
    ],
)
def test_one_table_decides_as_two(lightloom, tmp_path, p, k, encoding, turns):
    more = "hairpin = true" if turns else ""
    openflow, eos = write(lightloom, tmp_path, p, k, more, encoding)
    ports = rows(eos / "switch-ports.csv")
    servers = [int(IPv4Address(row["address"])) for row in rows(eos / "servers.csv")]
    groups = {int(IPv4Address(row["address"])) for row in rows(eos / "groups.csv")}
    strangers = [int(IPv4Address("10.255.255.254")), int(IPv4Address("192.0.2.1"))]
    nobody = int(IPv4Address("239.200.0.0"))
    codes = (0, 1, 5) if encoding == "masked-destination" else (0,)
    destinations = {group | code for group in groups for code in codes} | {nobody}
    tors = len({row["tor"] for row in ports})
    compared = turned = 0
    for tor in range(tors):
        name = f"tor-{tor:0{len(str(tors - 1))}}"
        one, two = Eos.read(eos / f"{name}.eos"), Openflow(openflow, name)
        assert not one.on, "the flows are off until the gate is loaded"
        names = {int(row["number"]): row["interface"] for row in ports if row["tor"] == str(tor)}
        for number, interface in names.items():
            for source in servers[::2] + servers[1:2] + strangers:
                for destination in destinations:
                    due, is_turned = two.outputs(number, source, destination)
                    if is_turned and not turns:
                        due.discard(number)
                    found, is_clear = one.outputs(interface, source, destination)
                    where = f"ToR {tor} {interface} {IPv4Address(source)} {IPv4Address(destination)}"
                    assert is_clear, where
                    assert found == {names[port] for port in due}, where
                    compared += bool(due)
                    turned += is_turned
    assert compared > 100 and turned > 10
    manifest = json.loads((eos / "configs.json").read_text())
    lacking = {lacks["what"] for lacks in manifest["not_expressed"]}
    assert "time to live" in lacking
    assert ("hairpin" in lacking) != turns


def structured(name, lines):
    """The settings of a port as pyavd's data, from the meaning of the lines."""
    port = {"name": name, "shutdown": False}
    for line in lines:
        words = line.split(" ")
        match words:
            case ["description", *text]:
                port["description"] = " ".join(text)
            case ["no", "error-correction", "encoding"]:
                port["error_correction_encoding"] = {"enabled": False}
            case ["flowcontrol", "receive", "off"]:
                port["flowcontrol"] = {"received": "off"}
            case ["no", "priority-flow-control"]:
                port["priority_flow_control"] = {"enabled": False}
            case ["switchport", "mode", "access"]:
                port.setdefault("switchport", {})["mode"] = "access"
            case ["switchport", "access", "vlan", vlan]:
                port.setdefault("switchport", {})["access_vlan"] = int(vlan)
            case ["mac", "access-group", access_list, way]:
                port[f"mac_access_group_{way}"] = access_list
            case ["ip", "access-group", access_list, "in"]:
                port["access_group_in"] = access_list
            case ["spanning-tree", "bpdufilter", "enable"]:
                port["spanning_tree_bpdufilter"] = "enabled"
            case ["storm-control", kind, "level", level]:
                storms = port.setdefault("storm_control", {})
                storms[kind.replace("-", "_")] = {"level": level}
    return port


LLDP = "permit any 0180.c200.000e 0000.0000.0000"
LISTS = {
    "lightloom-closed": [(10, LLDP), (20, "deny any any")],
    "lightloom-only-multicast": [
        (10, "permit any 0100.5e00.0000 0000.007f.ffff"),
        (20, LLDP),
        (30, "deny any any"),
    ],
}
ANY_IP = {"protocol": "ip", "source": "any"}
NO_GROUPS = ("ip access-list lightloom-no-groups",)
# Lines that pyavd has no data for. `lldp transmit` and `lldp receive` are what EOS does without being told.
ALONE = {
    "flowcontrol send off",
    "no channel-group",
    "no switchport mac address learning",
    "lldp transmit",
    "lldp receive",
}


def test_pyavd_accepts_the_settings_and_writes_the_same_lines(lightloom, tmp_path):
    _, eos = write(lightloom, tmp_path, 2, 2)
    for tor in range(8):
        config = Eos.read(eos / f"tor-{tor}.eos")
        ports = [structured(name, lines) for name, lines in config.interfaces.items()]
        told = {
            "ip_igmp_snooping": {"globally_enabled": True, "vlans": [{"id": 3901, "enabled": False}]},
            "spanning_tree": {"no_spanning_tree_vlan": "3901"},
            "vlans": [{"id": 3901, "name": "lightloom-0x0123456789abcdef"}],
            "mac_access_lists": [
                {"name": name, "entries": [{"sequence": at, "action": text} for at, text in entries]}
                for name, entries in LISTS.items()
            ],
            "ip_access_lists": [
                {
                    "name": "lightloom-no-groups",
                    "entries": [
                        {"sequence": 10, "action": "deny", "destination": "239.0.0.0/8"} | ANY_IP,
                        {"sequence": 20, "action": "permit", "destination": "any"} | ANY_IP,
                    ],
                }
            ],
            "ethernet_interfaces": ports,
        }
        assert not faults(told)
        written = pyavd.get_device_config(told)
        ours = (eos / f"tor-{tor}.eos").read_text()
        for line in ("no ip igmp snooping vlan 3901", "no spanning-tree vlan-id 3901", "vlan 3901"):
            assert f"\n{line}\n" in written and f"\n{line}\n" in ours
        for block in ("mac access-list lightloom-closed", "mac access-list lightloom-only-multicast", *NO_GROUPS):
            theirs = block_of(written, block)
            assert theirs and theirs == block_of(ours, block)
        for name, lines in config.interfaces.items():
            block = written.split(f"interface {name}\n")[1].split("!\n")[0]
            theirs = {line.strip() for line in block.splitlines()}
            assert set(lines) - theirs <= ALONE, name


def block_of(text, header):
    """The lines of a block."""
    return text.split(f"\n{header}\n")[1].split("!\n")[0]


def faults(data):
    """The faults that pyavd finds."""
    result = pyavd.validate_structured_config(data).validation_result
    return [*result.violations]


def test_the_schema_of_pyavd_lets_lines_through_and_ours_does_not(lightloom, tmp_path):
    hostile = "x\n   shutdown"
    port = {"name": "Ethernet1", "description": hostile}
    assert not faults({"ethernet_interfaces": [port]})
    assert "\n   shutdown\n" in pyavd.get_device_config({"ethernet_interfaces": [port]})
    # Names of racks with other things that end a text: each stays within its description.
    racks = ["R!", 'R" shutdown', "R; reload", "Rück", "R|x", "R\\n", "R'", "R%"]
    text = "name,row,position\n"
    for number, rack in enumerate(racks):
        quoted = rack.replace('"', '""')
        text += f'"{quoted}",A,{number + 1}\n'
    (tmp_path / "racks.csv").write_text(text)
    (tmp_path / "own.toml").write_text(PARTS.format(more=""))
    (tmp_path / "design.toml").write_text(
        DESIGN.format(p=2, k=2) + '[hall]\ninventory = "racks.csv"\n'
    )
    out = tmp_path / "out"
    run(str(lightloom), "configs", str(tmp_path / "design.toml"), "--dialect", "eos", "--out", str(out))
    told = set()
    for tor in range(8):
        config = Eos.read(out / f"tor-{tor}.eos")
        for lines in config.interfaces.values():
            about, *rest = lines
            assert about.startswith("description ") and about.isascii()
            assert not set(about) & set("!;\"'|\\")
            told.add(tuple(line for line in rest))
    assert len(told) == 1
