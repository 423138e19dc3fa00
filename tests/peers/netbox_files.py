"""Import files for NetBox, read as NetBox reads them, and traces through them.

It uses the standard library only, and no code of the planner. Columns and limits are those of NetBox's sources
(`FORMS`). A trace follows cables and port mappings from an interface with a stack of positions, as
`CablePath.from_origin` of NetBox 4.5 to 4.7 does for cables without a profile:

- from a front port to its rear ports, the position at the rear port is pushed if it has several;
- from a rear port with several positions, the position is taken from the stack; without one the path is split;
- front ports with several positions take and push in the same way.
"""

import csv
import io
import json

# What each import form of NetBox takes: its columns, and those of them that a new object needs. From
# netbox/dcim/forms/bulk_import.py of releases 4.5 to 4.7.1 (columns that all of them have).
FORMS = {
    "manufacturers": ("ManufacturerImportForm", {"name", "slug", "description", "owner", "tags"}, {"name", "slug"}),
    "device-roles": (
        "DeviceRoleImportForm",
        {"name", "slug", "parent", "color", "vm_role", "config_template", "description", "owner", "comments", "tags"},
        {"name", "slug", "color"},
    ),
    "sites": (
        "SiteImportForm",
        {
            *("name", "slug", "status", "region", "group", "tenant", "facility", "time_zone", "description"),
            *("physical_address", "shipping_address", "latitude", "longitude", "owner", "comments", "tags"),
        },
        {"name", "slug", "status"},
    ),
    "locations": (
        "LocationImportForm",
        {
            *("site", "parent", "name", "slug", "status", "tenant", "facility", "description", "owner", "comments"),
            "tags",
        },
        {"site", "name", "slug", "status"},
    ),
    "racks": (
        "RackImportForm",
        {
            *("site", "location", "name", "facility_id", "tenant", "status", "role", "rack_type", "form_factor"),
            *("serial", "asset_tag", "width", "u_height", "desc_units", "outer_width", "outer_height"),
            *("outer_depth", "outer_unit", "mounting_depth", "airflow", "weight", "max_weight", "weight_unit"),
            *("description", "owner", "comments", "tags"),
        },
        {"site", "name", "status", "width", "u_height"},
    ),
    "devices": (
        "DeviceImportForm",
        {
            *("name", "role", "tenant", "manufacturer", "device_type", "platform", "serial", "asset_tag", "status"),
            *("site", "location", "rack", "position", "face", "latitude", "longitude", "parent", "device_bay"),
            *("airflow", "virtual_chassis", "vc_position", "vc_priority", "cluster", "description"),
            *("config_template", "owner", "comments", "tags"),
        },
        {"role", "manufacturer", "device_type", "status", "site"},
    ),
    "interfaces": (
        "InterfaceImportForm",
        {
            *("device", "name", "label", "parent", "bridge", "lag", "type", "speed", "duplex", "enabled"),
            *("mark_connected", "wwn", "vdcs", "mtu", "mgmt_only", "description", "poe_mode", "poe_type", "mode"),
            *("vlan_group", "untagged_vlan", "tagged_vlans", "qinq_svlan", "vrf", "rf_role", "rf_channel"),
            *("rf_channel_frequency", "rf_channel_width", "tx_power", "owner", "tags"),
        },
        {"device", "name", "type"},
    ),
    "cables": (
        "CableImportForm",
        {
            *(f"side_{side}_{what}" for side in "ab" for what in ("site", "device", "power_panel", "type", "name")),
            *("type", "status", "profile", "tenant", "label", "color", "length", "length_unit", "description"),
            *("owner", "comments", "tags"),
        },
        {"side_a_type", "side_a_name", "side_b_type", "side_b_name"},
    ),
}

# netbox/dcim/forms/object_import.py of releases 4.5 to 4.7.1: the fields of parts of device types. The form of a
# mapping asks for all of them.
TEMPLATES = {
    "rear-ports": ({"name", "type", "color", "positions", "label", "description"}, {"name", "type", "positions"}),
    "front-ports": ({"name", "type", "color", "positions", "label", "description"}, {"name", "type", "positions"}),
    "port-mappings": (
        {"front_port", "front_port_position", "rear_port", "rear_port_position"},
        {"front_port", "front_port_position", "rear_port", "rear_port_position"},
    ),
    "device-bays": ({"name", "label", "description"}, {"name"}),
}
TYPE_FIELDS = {
    *("manufacturer", "default_platform", "model", "slug", "part_number", "u_height", "exclude_from_utilization"),
    *("is_full_depth", "subdevice_role", "airflow", "description", "weight", "weight_unit", "comments", "tags"),
}

# Choices that the files use (netbox/dcim/choices.py).
PORT_TYPES = {"lc-upc", "lc-apc", "mpo"}
CABLE_TYPES = {"smf-os2"}
STATUSES = {"planned", "active"}
# Longest texts (max_length of the models).
LONGEST = {"name": 64, "label": 64, "description": 200, "slug": 100, "model": 100}
LONGEST_CABLE_LABEL = 100
MOST_POSITIONS = 1024


class Refused(Exception):
    """NetBox would not take the files."""


def need(condition, message):
    if not condition:
        raise Refused(message)


class Netbox:
    """The objects that the import of a set of files makes, with NetBox's rules."""

    def __init__(self, texts, existing=(), before=()):
        """`texts`: file by name. `existing`: names of switches that are there already. `before`: the objects of plans
        that were imported before.
        """
        self.texts, self.before = texts, before
        self.types, self.devices, self.bays = {}, {}, {}
        self.ports = {}  # (device, kind, name) -> positions
        self.front_to_rear, self.rear_to_front = {}, {}
        self.cable_at, self.far_end, self.cables = {}, {}, []
        self.manufacturers = {row["name"] for row in self.rows("01-manufacturers.csv")}
        self.roles = {row["name"] for row in self.rows("02-device-roles.csv")}
        self.read_types()
        self.names = set()  # (site, name in lower case)
        for name in existing:
            self.add_device({"name": name, "site": ""})
        for name in ("07-switches.csv", "08-shelves.csv", "09-modules.csv"):
            for row in self.rows(name):
                self.add_typed(row)
        self.read_interfaces()
        self.read_cables()

    def rows(self, name):
        """The rows of a CSV file, with the columns that its form takes."""
        if name not in self.texts:
            return []
        number, _, kind = name.removesuffix(".csv").partition("-")
        kind = "devices" if kind in ("switches", "shelves", "modules") else kind
        form, known, needed = FORMS[kind]
        reader = csv.DictReader(io.StringIO(self.texts[name]), strict=True)
        titles = set(reader.fieldnames)
        need(len(titles) == len(reader.fieldnames), f"{name}: a column twice")
        need(titles <= known, f"{name}: {form} has no {titles - known}")
        need(needed <= titles, f"{name}: {form} needs {needed - titles}")
        rows = list(reader)
        for row in rows:
            need(None not in row and None not in row.values(), f"{name}: a row of another length")
            need(all(row[column] for column in needed), f"{name}: an empty cell in {row}")
            for column, most in LONGEST.items():
                most = LONGEST_CABLE_LABEL if kind == "cables" or kind in ("sites", "locations", "racks") else most
                most = 200 if column == "description" else most
                need(len(row.get(column, "")) <= most, f"{name}: {column} is too long")
        return rows

    def read_types(self):
        for each in json.loads(self.texts["03-device-types.json"]):
            parts = {key: each.pop(key) for key in TEMPLATES if key in each}
            need(set(each) <= TYPE_FIELDS, f"device type: {set(each) - TYPE_FIELDS}")
            need(each["manufacturer"] in self.manufacturers, "device type: manufacturer")
            need(each["model"] not in self.types, f"device type {each['model']} twice")
            slugs = {other["slug"] for other, _ in self.types.values()}
            need(each["slug"] not in slugs and len(each["slug"]) <= 100, f"slug {each['slug']}")
            need(len(each["model"]) <= 100, "model is too long")
            for key, listed in parts.items():
                known, needed = TEMPLATES[key]
                for part in listed:
                    need(needed <= set(part) <= known, f"{key}: {part}")
                    need(part.get("type", "mpo") in PORT_TYPES, f"{key}: {part}")
                    need(1 <= part.get("positions", 1) <= MOST_POSITIONS, f"{key}: {part}")
            self.check_mappings(parts)
            self.types[each["model"]] = (each, parts)

    @staticmethod
    def check_mappings(parts):
        """Each position of a port is in at most one mapping, and exists."""
        positions = {
            side: {port["name"]: port["positions"] for port in parts.get(f"{side}-ports", ())}
            for side in ("front", "rear")
        }
        for side, ports in positions.items():
            need(len(ports) == len(parts.get(f"{side}-ports", ())), f"{side} ports of one name")
            ends = [(m[f"{side}_port"], m[f"{side}_port_position"]) for m in parts.get("port-mappings", ())]
            need(len(set(ends)) == len(ends), f"two mappings of one {side} position")
            for port, position in ends:
                need(1 <= position <= ports[port], f"{side} port {port} has no position {position}")

    def add_device(self, row):
        name = row["name"]
        need(len(name) <= 64 and "," not in name, f"device {name}")
        place = (row["site"], name.lower())
        need(not any(place in plan.names for plan in (self, *self.before)), f"device {name} twice")
        need(name not in self.devices, f"device {name} at two sites of one plan")
        self.names.add(place)
        self.devices[name] = row

    def alone(self, name):
        """The forms of interfaces and bays find a device by its name alone, whatever its site is."""
        need(name in self.devices, f"no device {name}")
        need(not any(name in plan.devices for plan in self.before), f"several devices {name}")

    def add_typed(self, row):
        self.add_device(row)
        name = row["name"]
        need(row["role"] in self.roles, f"role {row['role']}")
        need(row["status"] in STATUSES, row["status"])
        model, parts = self.types[row["device_type"]]
        is_child = model.get("subdevice_role") == "child"
        if is_child:
            parent = self.devices[row["parent"]]
            need((parent["site"], parent["rack"]) == (row["site"], row["rack"]), f"{name} is elsewhere")
            self.alone(row["parent"])
            bay = (row["parent"], row["device_bay"])
            need(bay in self.bays and self.bays[bay] is None, f"bay {bay} of {name}")
            self.bays[bay] = name
        else:
            self.mount(row, model["u_height"])
        for bay in parts.get("device-bays", ()):
            self.bays[name, bay["name"]] = None
        for kind in ("front", "rear"):
            for port in parts.get(f"{kind}-ports", ()):
                self.ports[name, f"dcim.{kind}port", port["name"]] = port["positions"]
        for mapping in parts.get("port-mappings", ()):
            front = (name, "dcim.frontport", mapping["front_port"]), mapping["front_port_position"]
            rear = (name, "dcim.rearport", mapping["rear_port"]), mapping["rear_port_position"]
            self.front_to_rear[front], self.rear_to_front[rear] = rear, front

    def mount(self, row, height):
        """Units of a rack hold one device each."""
        first = int(row["position"])
        need(row["face"] == "front" and first >= 1, f"{row['name']} has no place")
        for unit in range(first, first + height):
            place = (row["site"], row["rack"], unit)
            need(place not in self.bays, f"{row['name']}: unit {unit} of {row['rack']} is taken")
            self.bays[place] = row["name"]

    def read_interfaces(self):
        for row in self.rows("10-interfaces.csv"):
            self.alone(row["device"])
            end = (row["device"], "dcim.interface", row["name"])
            need(end not in self.ports and "," not in row["name"], f"interface {end}")
            need(row["type"] == "other", row["type"])
            self.ports[end] = 1

    def read_cables(self):
        for row in self.rows("11-cables.csv"):
            ends = [tuple(row[f"side_{side}_{what}"] for what in ("device", "type", "name")) for side in "ab"]
            need(row["type"] in CABLE_TYPES and row["status"] in STATUSES, f"cable {row}")
            whole, _, decimals = row["length"].partition(".")
            need(len(decimals) <= 2 and len(whole) <= 6 and row["length_unit"] == "m", f"length {row['length']}")
            for end in ends:
                need(end in self.ports, f"cable {row['label']}: no {end}")
                need(end not in self.cable_at, f"cable {row['label']}: {end} has a cable")
                self.cable_at[end] = row
            self.far_end[ends[0]], self.far_end[ends[1]] = ends[1], ends[0]
            self.cables.append(row)

    def trace(self, origin):
        """The interface at the end of the path from an interface, with the cables; `None` if it splits or ends
        early.
        """
        at, stack, cables = origin, [], []
        while at in self.far_end:
            cables.append(self.cable_at[at])
            far = self.far_end[at]
            _, kind, _ = far
            if kind == "dcim.interface":
                return far, cables
            position = 1
            if self.ports[far] > 1:
                if not stack:
                    return None, cables
                position = stack.pop()
            mapped = self.front_to_rear if kind == "dcim.frontport" else self.rear_to_front
            if (far, position) not in mapped:
                return None, cables
            at, position = mapped[far, position]
            if self.ports[at] > 1:
                stack.append(position)
        return None, cables
