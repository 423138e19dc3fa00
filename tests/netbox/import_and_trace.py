"""Imports plans into a NetBox through its import pages, and traces every receiver to its source.

`scripts/test-netbox` runs this with NetBox's own Python:

    python import_and_trace.py LIGHTLOOM EXAMPLES WORK NAME...

WORK/NAME-plan is a plan folder, and WORK/NAME-netbox has its import files for the site "Site NAME". The pages are those
that README.txt names. EXAMPLES has the racks, devices and interfaces that the last part plans with.
"""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "netbox.settings")

import django  # noqa: E402

django.setup()

from dcim.choices import InterfaceTypeChoices  # noqa: E402
from dcim.models import (  # noqa: E402
    Cable,
    Device,
    DeviceRole,
    DeviceType,
    Interface,
    Location,
    Manufacturer,
    Rack,
    Site,
)
from django.contrib.auth import get_user_model  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils.text import slugify  # noqa: E402
from extras.models import Tag  # noqa: E402

# Files with objects that several plans share: the manufacturer, roles and device types.
SHARED = ("01-manufacturers.csv", "02-device-roles.csv", "03-device-types.json")


def sheet(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def pages(folder):
    """The files and their pages, in the order of README.txt."""
    text = (folder / "README.txt").read_text(encoding="utf-8")
    return re.findall(r"^  (\d\d-\S+)\s+(/dcim/\S+/import/)", text, flags=re.MULTILINE)


def post(client, page, text, form):
    answer = client.post(page, {"import_method": "direct", "data": text, "format": form, "csv_delimiter": "auto"})
    if answer.status_code != 302:
        errors = re.findall(r'class="(?:alert[^"]*|[^"]*errorlist[^"]*)"[^>]*>(.{0,400})', answer.content.decode(), re.S)
        sys.exit(f"{page}: NetBox answers {answer.status_code}: {errors[:3]}")


def without_known(name, text):
    """A file without the objects that an earlier plan has brought."""
    if name.endswith(".json"):
        known = set(DeviceType.objects.values_list("model", flat=True))
        new = [each for each in json.loads(text) if each["model"] not in known]
        return json.dumps(new) if new else None
    model = Manufacturer if name.startswith("01") else DeviceRole
    known = set(model.objects.values_list("name", flat=True))
    lines = text.splitlines(keepends=True)
    new = [line for line in lines[1:] if next(csv.reader([line]))[0] not in known]
    return "".join([lines[0], *new]) if new else None


def load(client, folder, last="99"):
    """Imports the files of a folder in their order, up to a file whose name begins with `last`."""
    listed = pages(folder)
    written = {path.name for path in folder.iterdir()} - {"README.txt", "lightloom.sha256"}
    assert {name for name, _ in listed} == written, "README.txt names other files"
    assert [name for name, _ in listed] == sorted(written)
    for name, page in listed:
        if name[:2] > last:
            return
        text = (folder / name).read_text(encoding="utf-8")
        if name in SHARED:
            text = without_known(name, text)
        if text is not None:
            post(client, page, text, "json" if name.endswith(".json") else "csv")


def switch_ports(plan, site):
    """The device and the interface of each port of each ToR. The files create switches whose names the plan does not
    have.
    """
    places = [row["module"] for row in sheet(plan / "modules.csv") if row["kind"] == "switch"]
    found = {}
    for row in sheet(plan / "ports.csv"):
        tor, port = int(row["tor"]), row["port"]
        found[tor, port] = (row.get("device") or f"{places[tor]} ({site})", row.get("interface") or f"Port {port}")
    return found


def check(plan, site):
    """Traces every receiver, and compares with cables.csv."""
    ports = switch_ports(plan, site)
    fibres = sheet(plan / "cables.csv")
    feeds = {row["from_tor"]: row for row in fibres if row["kind"] == "feed"}

    def interface(tor, port, direction):
        device, name = ports[int(tor), port]
        return Interface.objects.get(device__site__name=site, device__name=device, name=f"{name} {direction}")

    traced = 0
    for branch in (row for row in fibres if row["kind"] == "branch"):
        receiver = interface(branch["to_tor"], branch["to_port"], "Rx")
        feed = feeds[branch["from_tor"]]
        path = receiver.path
        assert path is not None and path.is_complete and not path.is_split, f"{site}: {receiver.device} {receiver}"
        transmitter = interface(feed["from_tor"], feed["from_port"], "Tx")
        assert list(path.destinations) == [transmitter], f"{site}: {receiver.device} {receiver}: {path.destinations}"
        cables = [node for nodes in path.path_objects for node in nodes if isinstance(node, Cable)]
        cords = {cable.label.removesuffix("J") for cable in cables if not cable.label.startswith("T")}
        assert cords == {branch["label"], feed["label"]}, f"{site}: {cords}"
        traced += 1
    for feed in feeds.values():
        transmitter = interface(feed["from_tor"], feed["from_port"], "Tx")
        assert transmitter.path is not None and not transmitter.path.is_complete, f"{site}: {transmitter}"
    return traced


def told(name, plan, site):
    traced = check(plan, site)
    devices = Device.objects.filter(site__name=site).count()
    print(f"{name}: {devices} devices, {traced} receivers traced to their sources", flush=True)


ROLES = ("Fibre shelf", "Optical splitter", "Fibre panel", "Optical multicast ToR")


def take_back(site):
    """Takes an import back as docs/netbox.md says: cables, modules, shelves and switches, racks, site."""
    Cable.objects.filter(terminations___site__name=site, status="planned", type="smf-os2").distinct().delete()
    devices = Device.objects.filter(site__name=site, status="planned", role__name__in=ROLES)
    devices.filter(device_type__subdevice_role="child").delete()
    devices.all().delete()
    Rack.objects.filter(site__name=site).delete()
    Site.objects.filter(name=site).delete()


def half_done(client, folder, plan, site):
    """An import that stopped anywhere is taken back, and done again."""
    before = counted()
    for last in [name[:2] for name, _ in pages(folder)][3:-1]:
        load(client, folder, last)
        take_back(site)
        assert counted() == before, f"{site}: what is left of an import up to {last}: {counted()}, not {before}"
    load(client, folder)
    take_back(site)
    assert counted() == before, f"{site}: what is left: {counted()}, not {before}"
    load(client, folder)
    told("taken back and imported again", plan, site)


def counted():
    return [model.objects.count() for model in (Site, Rack, Device, Interface, Cable)]


def make_site(examples):
    """The racks, devices and interfaces of the examples, as a user's NetBox has them."""
    sites, places = {}, {}
    for row in sheet(examples / "netbox-racks.csv"):
        site = sites.get(row["site"]) or Site.objects.create(name=row["site"], slug=slugify(row["site"]))
        sites[row["site"]] = site
        location, key = None, (row["site"], row["location"])
        if row["location"]:
            location = places.get(key) or Location.objects.create(
                site=site, name=row["location"], slug=slugify(row["location"])
            )
            places[key] = location
        Rack.objects.create(
            site=site, location=location, name=row["name"], status=row["status"], u_height=int(row["u_height"])
        )
    for row in sheet(examples / "netbox-devices.csv"):
        maker = row["Manufacturer"] or "Unknown"
        maker, _ = Manufacturer.objects.get_or_create(name=maker, slug=slugify(maker))
        model, _ = DeviceType.objects.get_or_create(
            manufacturer=maker, model=row["Type"], slug=slugify(row["Type"]), u_height=float(row["U Height"] or 1)
        )
        role, _ = DeviceRole.objects.get_or_create(name=row["Role"], slug=slugify(row["Role"]))
        rack = Rack.objects.get(site__name=row["Site"], name=row["Rack"]) if row["Rack"] else None
        Device.objects.create(
            name=row["Name"],
            site=sites[row["Site"]],
            location=rack.location if rack else None,
            rack=rack,
            position=float(row["Position"]) if row["Position"] else None,
            face=row["Face"].lower(),
            device_type=model,
            role=role,
            status=row["Status"].lower(),
        )
    slugs = {str(title): slug for slug, title in flat(InterfaceTypeChoices.CHOICES)}
    for row in sheet(examples / "netbox-interfaces.csv"):
        interface = Interface.objects.create(
            device=Device.objects.get(name=row["Device"]),
            name=row["Name"],
            type=slugs[row["Type"]],
            enabled=row["Enabled"] == "True",
            mgmt_only=row["Management Only"] == "True",
            description=row["Description"],
            # A cable to a host is no matter of this test.
            mark_connected=bool(row["Cable"]) or row["Mark Connected"] == "True",
        )
        for tag in filter(None, row["Tags"].split(",")):
            interface.tags.add(Tag.objects.get_or_create(name=tag.strip(), slug=slugify(tag))[0])


def flat(choices):
    """The choices of all groups."""
    for choice in choices:
        if isinstance(choice[1], (list, tuple)):
            yield from flat(choice[1])
        else:
            yield choice[:2]


def export(client, folder):
    """NetBox's own exports, with all data."""
    folder.mkdir()
    for kind in ("racks", "devices", "interfaces", "cables"):
        answer = client.get(f"/dcim/{kind}/?export")
        assert answer.status_code == 200, f"{kind}: {answer.status_code}"
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        (folder / f"{kind}.csv").write_bytes(content)


def run(lightloom, *args):
    done = subprocess.run([lightloom, *args], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"lightloom {' '.join(map(str, args))}: {done.stderr}")


def there_and_back(client, lightloom, examples, work):
    """NetBox's export becomes a plan, the plan goes into NetBox, and its export becomes the same plan."""
    make_site(examples)
    export(client, work / "before")

    def planned(exports, out, *more):
        files = ["--inventory", exports / "racks.csv", "--devices", exports / "devices.csv"]
        files += ["--interfaces", exports / "interfaces.csv", "--site", "Harbor Hall", "--location", "Row *"]
        design = ["--family", "shufflecast", "--p", "2", "--k", "3", "--transceiver", "25gbase-er"]
        tor = ["--tor-role", "leaf", "--tor-reserved", "reserved,uplink"]
        run(lightloom, "plan", "--quiet", *design, *tor, *files, *more, "--out", out)

    plan, again, site = work / "first-plan", work / "again-plan", "Harbor Hall"
    planned(work / "before", plan)
    run(lightloom, "netbox", plan, "--out", work / "first-netbox", "--site", site)
    load(client, work / "first-netbox")
    told("from NetBox's export", plan, site)
    export(client, work / "after")
    planned(work / "after", again, "--keep", plan)
    for name in ("cables.csv", "ports.csv", "cords.csv", "modules.csv", "rules.json", "bom.csv"):
        first, second = ((folder / name).read_bytes() for folder in (plan, again))
        assert first == second, f"{name} of the plan that was made again differs"
    print("the plan that was made from NetBox's export of the imported plan is the same", flush=True)


def main():
    lightloom, examples, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("lightloom", password="not used"))
    for name in sys.argv[4:]:
        load(client, work / f"{name}-netbox")
        told(name, work / f"{name}-plan", f"Site {name}")
    half_done(client, work / "taken-netbox", work / "taken-plan", "Site taken")
    there_and_back(client, lightloom, examples, work)


main()
