"""Racks, devices and interfaces through an API with the interface of pynetbox."""

from __future__ import annotations

import csv
import io

import pytest

from lightloom import DesignError, Fabric, netbox


class Record:
    """A record as pynetbox has them: attributes, and pairs when it is iterated over."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __iter__(self):
        for name, value in vars(self).items():
            yield name, dict(value) if isinstance(value, Record) else value


class Endpoint:
    """An endpoint that counts its requests."""

    def __init__(self, records):
        self.records, self.asked = records, []

    def all(self):
        self.asked.append({})
        return iter(self.records)

    def filter(self, **filters):
        self.asked.append(filters)
        return iter(self.records)


class Dcim:
    pass


class Api:
    def __init__(self, **endpoints):
        self.dcim = Dcim()
        for name, records in endpoints.items():
            setattr(self.dcim, name, Endpoint(records))


SITE = Record(id=1, name="Harbor Hall", slug="harbor-hall")
ROW = Record(id=2, name="Row 1", slug="row-1")
LEAF = Record(id=7, model="Nexus 93180YC-EX", manufacturer=Record(id=1, name="Cisco"))
SERVER = Record(id=8, model="2U server", manufacturer=None)


def choice(value, label):
    return Record(value=value, label=label)


def interface(device, name, **fields):
    usual = {
        "type": choice("25gbase-x-sfp28", "SFP28 (25GE)"),
        "enabled": True,
        "mgmt_only": False,
        "mark_connected": False,
        "cable": None,
        "link_peers": [],
        "lag": None,
        "description": "",
        "tags": [],
    }
    return Record(id=1, device=Record(id=1, name=device), name=name, **{**usual, **fields})


def api():
    racks, devices, interfaces = [], [], []
    status = choice("active", "Active")
    for i in range(8):
        rack = Record(id=i, name=f"N-{i}")
        racks.append(Record(name=rack.name, site=SITE, location=ROW, status=status, u_height=48))
        place = {"site": SITE, "location": ROW, "rack": rack, "status": status}
        front = choice("front", "Front")
        leaf, host = f"leaf-{i}", f"host-{i}"
        role = Record(id=1, name="Leaf", slug="leaf")
        devices.append(
            Record(name=leaf, device_type=LEAF, role=role, position=47.0, face=front, **place)
        )
        role = Record(id=2, name="Server", slug="server")
        devices.append(
            Record(
                name=host, device_type=SERVER, device_role=role, position=1.0, face=None, **place
            )
        )
        interfaces += [
            interface(leaf, "Ethernet1/1", cable=Record(id=90 + i, label="", display=f"#{90 + i}")),
            interface(leaf, "Ethernet1/2", mark_connected=True),
            interface(leaf, "Ethernet1/3", tags=[Record(id=1, name="Reserved", slug="reserved")]),
            interface(leaf, "Ethernet1/10"),
            interface(leaf, "Ethernet1/9", enabled=False),
            interface(leaf, "Po1", type=choice("lag", "Link Aggregation Group (LAG)")),
            interface(host, "eth0", cable=Record(id=90 + i, label="H1")),
        ]
    types = [Record(id=7, model=LEAF.model, u_height=1.0), Record(id=8, model="s", u_height=2.0)]
    return Api(racks=racks, devices=devices, interfaces=interfaces, device_types=types)


def rows(table):
    return list(csv.DictReader(io.StringIO(table.to_csv())))


def test_the_tables_have_what_the_api_says():
    found = netbox.collect(api())
    assert rows(found.racks)[0] == {
        "name": "N-0",
        "site": "Harbor Hall",
        "location": "Row 1",
        "status": "Active",
        "u_height": "48",
    }
    leaf, host = rows(found.devices)[:2]
    assert (leaf["rack"], leaf["role"], leaf["position"], leaf["face"]) == (
        "N-0",
        "Leaf",
        "47",
        "Front",
    )
    assert (leaf["device_type"], leaf["u_height"]) == ("Nexus 93180YC-EX", "1")
    assert (host["role"], host["u_height"], host["face"]) == ("Server", "2", "")
    cabled, marked, tagged = rows(found.interfaces)[:3]
    assert (cabled["cable"], cabled["type"]) == ("#90", "25gbase-x-sfp28")
    assert (marked["mark_connected"], marked["cable"]) == ("True", "")
    assert tagged["tags"] == "Reserved"
    assert rows(found.interfaces)[6]["cable"] == "H1"
    assert len(found.interfaces) == 56 and "56 rows" in repr(found.interfaces)


def test_filters_go_to_every_endpoint_but_the_types():
    asked = api()
    netbox.collect(asked, site="harbor-hall")
    for name in ("racks", "devices", "interfaces"):
        assert getattr(asked.dcim, name).asked == [{"site": "harbor-hall"}]
    assert asked.dcim.device_types.asked == [{}]


def test_a_fabric_opens_from_the_tables_in_memory(tmp_path):
    pandas = pytest.importorskip("pandas")
    found = netbox.collect(api())
    fabric = Fabric(
        "shufflecast", p=2, k=2, tor_role="leaf", tor_reserved="reserved", **found.settings()
    )
    ports = fabric.plan(tmp_path / "plan").ports()
    assert isinstance(ports, pandas.DataFrame)
    assert set(ports["interface"]) == {"Ethernet1/9", "Ethernet1/10"}
    assert list(ports["tx"][:2]) == ["lit", "off"]
    assert list(ports["device"][:2]) == ["leaf-0", "leaf-0"]
    notes = fabric.info().report["inventory"]["notes"]
    assert any("8 fabric port(s)" in note for note in notes)


def test_written_tables_open_as_those_in_memory(tmp_path):
    found = netbox.collect(api())
    racks, devices, interfaces = found.write(tmp_path / "export")
    files = Fabric("kautz", p=2, inventory=racks, devices=devices, interfaces=interfaces)
    assert files == Fabric("kautz", p=2, **found.settings())


def test_a_refusal_names_the_table():
    found = netbox.collect(api())
    found.devices.rows[0] = ("leaf-1", *found.devices.rows[0][1:])
    with pytest.raises(DesignError) as refused:
        Fabric("kautz", p=2, **found.settings())
    assert (refused.value.line, refused.value.field) == (4, "rack")
    assert "<devices>:4: rack" in str(refused.value)
