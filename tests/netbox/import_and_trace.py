"""Imports plans into a NetBox through its import pages, and traces every receiver to its source.

`scripts/test-netbox` runs this in the folder of NetBox's manage.py:

    python import_and_trace.py WORK EXPORTS NAME...

WORK/NAME-plan is a plan folder, and WORK/NAME-netbox has its import files. The pages are those that README.txt names.
"""

import csv
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, os.getcwd())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "netbox.settings")

import django  # noqa: E402

django.setup()

from dcim.models import Cable, Device, DeviceType, Interface, Manufacturer  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.test import Client  # noqa: E402

# Files with objects that several plans share: the manufacturer, roles and device types.
SHARED = ("01-manufacturers.csv", "02-device-roles.csv", "03-device-types.json")


def sheet(path):
    with open(path, newline="", encoding="utf-8") as file:
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
    import json

    if name.endswith(".json"):
        known = set(DeviceType.objects.values_list("model", flat=True))
        new = [each for each in json.loads(text) if each["model"] not in known]
        return json.dumps(new) if new else None
    from dcim.models import DeviceRole

    model = Manufacturer if name.startswith("01") else DeviceRole
    known = set(model.objects.values_list("name", flat=True))
    lines = text.splitlines(keepends=True)
    new = [line for line in lines[1:] if next(csv.reader([line]))[0] not in known]
    return "".join([lines[0], *new]) if new else None


def load(client, folder):
    listed = pages(folder)
    written = {path.name for path in folder.iterdir()} - {"README.txt"}
    assert {name for name, _ in listed} == written, "README.txt names other files"
    assert [name for name, _ in listed] == sorted(written)
    for name, page in listed:
        text = (folder / name).read_text(encoding="utf-8")
        if name in SHARED:
            text = without_known(name, text)
        if text is not None:
            post(client, page, text, "json" if name.endswith(".json") else "csv")


def check(plan, site):
    """Traces every receiver, and compares with cables.csv."""
    tors = [row["module"] for row in sheet(plan / "modules.csv") if row["kind"] == "switch"]
    fibres = sheet(plan / "cables.csv")
    feeds = {row["from_tor"]: row["label"] for row in fibres if row["kind"] == "feed"}
    traced = 0
    for branch in (row for row in fibres if row["kind"] == "branch"):
        receiver = Interface.objects.get(
            device__site__name=site, device__name=tors[int(branch["to_tor"])], name=f"Port {branch['to_port']} Rx"
        )
        path = receiver.path
        assert path is not None and path.is_complete and not path.is_split, f"{site}: {receiver.device} {receiver}"
        ends = [(end.device.name, end.name) for end in path.destinations]
        expected = [(tors[int(branch["from_tor"])], "Port 0 Tx")]
        assert ends == expected, f"{site}: {receiver.device} {receiver}: {ends}, not {expected}"
        cables = [node for nodes in path.path_objects for node in nodes if isinstance(node, Cable)]
        cords = {cable.label.removesuffix("J") for cable in cables if not cable.label.startswith("T")}
        assert cords == {branch["label"], feeds[branch["from_tor"]]}, f"{site}: {cords}"
        traced += 1
    for name in tors:
        transmitter = Interface.objects.get(device__site__name=site, device__name=name, name="Port 0 Tx")
        assert transmitter.path is not None and not transmitter.path.is_complete, f"{site}: {name}"
    return traced


def main():
    work, exports, names = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("lightloom", password="not used"))
    for name in names:
        load(client, work / f"{name}-netbox")
        site = f"Site {name}"
        traced = check(work / f"{name}-plan", site)
        devices = Device.objects.filter(site__name=site).count()
        print(f"{name}: {devices} devices, {traced} receivers traced to their sources")
    if exports:
        Path(exports).mkdir(parents=True, exist_ok=True)
        for kind in ("racks", "devices", "interfaces"):
            answer = client.get(f"/dcim/{kind}/?export")
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            (Path(exports) / f"netbox-{kind}.csv").write_bytes(content)
        print(f"NetBox's exports are in {exports}")


main()
