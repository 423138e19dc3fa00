"""A folder of configurations: ``lightloom configs … --dialect openflow --out DIR``."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lightloom.controller import files, text
from lightloom.controller.entries import (
    FIRST_MEMBERS,
    Address,
    Tables,
    differences,
    stamp_text,
)
from lightloom.controller.errors import BadFile, ControllerError
from lightloom.controller.members import Members, Range, Server, ServerGroup, check_name

#: Bytes of one file, at most.
MOST_BYTES = 256 << 20
_SHEETS = {
    "switch-ports.csv": ("tor", "number", "use", "server"),
    "servers.csv": ("server", "tor", "number", "address"),
    "groups.csv": ("group", "address", "member"),
}


@dataclass(frozen=True)
class Folder:
    """The content of a folder of configurations."""

    #: A hash of all its files.
    digest: str
    #: The stamp of the plan.
    stamp: int
    #: For each ToR, its tables without the entries of groups of servers.
    base: list[Tables]
    members: Members


def plan_stamp(stamps: Iterable[int | None]) -> int | None:
    """The stamp of a plan from those of its switches, ToR 0 first. None: a gate is closed."""
    known = list(stamps)
    digest = hashlib.sha256()
    for stamp in known:
        if stamp is None:
            return None
        digest.update(stamp.to_bytes(8, "big"))
    return max(int.from_bytes(digest.digest()[:8], "big"), 1)


def read_text(path: Path) -> str:
    """The text of a file of a folder."""
    try:
        return files.read(path, MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise BadFile(f"{path.name}: is not UTF-8") from None


def read_rows(path: Path) -> list[list[str]]:
    """The rows of a CSV file of a folder, with its titles."""
    try:
        return list(csv.reader(io.StringIO(read_text(path), newline=""), strict=True))
    except csv.Error as error:
        raise BadFile(f"{path.name}: {error}") from None


def read_json(path: Path, form: str) -> dict[str, Any]:
    """A manifest of version 1."""
    try:
        found = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path.name}: {error}") from None
    if not isinstance(found, dict) or found.get("kind") != form:
        raise BadFile(f"{path.name}: kind: expected {form!r}")
    if found.get("version") != 1:
        raise BadFile(f"{path.name}: version: found {found.get('version')!r}; expected 1")
    if found.get("dialect", "openflow") != "openflow":
        raise BadFile(f"{path.name}: dialect: expected 'openflow'")
    return found


def parse_stamp(value: object, where: str) -> int:
    """A stamp such as ``"0x95b30d15c5532af9"``."""
    try:
        if isinstance(value, str) and value.startswith("0x") and len(value) == 18:
            return int(value[2:], 16)
    except ValueError:
        pass
    raise BadFile(f"{where}: found {value!r}; expected a stamp such as '0x95b30d15c5532af9'")


def show_stamp(stamp: int | None) -> str:
    """A stamp as text."""
    return stamp_text(stamp) or "no stamp"


def read(folder: Path) -> Folder:
    """Reads a folder, and checks that its files fit each other."""
    manifest = read_json(folder / "configs.json", "lightloom configs")
    switches = manifest.get("switches")
    if not isinstance(switches, list) or not switches:
        raise BadFile("configs.json: switches: expected a list")
    if any(isinstance(switch, dict) and "switch" in switch for switch in switches):
        raise BadFile(
            "configs.json: switches: the controller serves switches that are one ToR each, and "
            "these are several logical ToRs"
        )
    if any(row["use"] == "accelerator" for row in _sheet(folder, "switch-ports.csv")):
        raise BadFile(
            "switch-ports.csv: use: the controller serves switches without accelerators, and these "
            "have them"
        )
    width = len(str(len(switches) - 1))
    names = ["configs.json", *_SHEETS]
    full, base = [], []
    for tor in range(len(switches)):
        tables = Tables()
        for kind in ("flows", "groups", "gate"):
            name = f"tor-{tor:0{width}}.{kind}"
            names.append(name)
            tables.add(text.read(read_text(folder / name), name))
        full.append(tables)
        base.append(tables.without_members())
    stamp = parse_stamp(manifest.get("stamp"), "configs.json: stamp")
    for tor, switch in enumerate(switches):
        said = switch.get("stamp") if isinstance(switch, dict) else None
        if parse_stamp(said, f"configs.json: stamp of ToR {tor}") != base[tor].stamp:
            raise BadFile(f"tor-{tor:0{width}}.gate: its stamp is not that of configs.json")
    if plan_stamp(tables.stamp for tables in base) != stamp:
        raise BadFile("configs.json: stamp: is not that of the switches' stamps")
    members = _members(folder, manifest, full)
    for tor, tables in enumerate(full):
        wanted = base[tor].copy()
        wanted.add(members.of_tor(tor, base[tor]))
        wrong = differences(wanted, tables)
        if wrong:
            raise BadFile(f"tor-{tor:0{width}}: does not fit groups.csv: {wrong[0]}")
    digest = hashlib.sha256()
    for name in names:
        content = files.read(folder / name, MOST_BYTES)
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return Folder(digest.hexdigest(), stamp, base, members)


def _members(folder: Path, manifest: dict[str, Any], full: list[Tables]) -> Members:
    ports = {
        row["server"]: (row["tor"], row["number"])
        for row in _sheet(folder, "switch-ports.csv")
        if row["use"] == "server"
    }
    servers: dict[str, Server] = {}
    for row in _sheet(folder, "servers.csv"):
        name = row["server"]
        if name in servers:
            raise BadFile(f"servers.csv: server {name!r} a second time")
        tor, number = ports.get(name, ("", ""))
        if tor != row["tor"] or not tor.isdecimal() or not number.isdecimal():
            raise BadFile(f"servers.csv: server {name!r} has no port in switch-ports.csv")
        if int(tor) >= len(full):
            raise BadFile(f"servers.csv: server {name!r}: there is no ToR {tor}")
        servers[name] = Server(name, int(tor), int(number), row["address"])
    places, masks = _places(full)
    mask: int | None = 0xFFFFFFFF
    if manifest.get("encoding") == "masked-destination":
        mask = next(iter(masks), None)
    if masks - {mask}:
        raise BadFile("the flows of groups have different masks")
    try:
        all_groups = Address.parse(str(manifest.get("groups")))
    except ValueError as error:
        raise BadFile(f"configs.json: groups: {error}") from None
    members = Members(servers, Range(all_groups, mask))
    return _joined(members, _sheet(folder, "groups.csv"), places)


def _joined(members: Members, rows: list[dict[str, str]], places: dict[int, int]) -> Members:
    found: dict[str, tuple[Address, set[str]]] = {}
    for row in rows:
        name, member = row["group"], row["member"]
        try:
            match = members.addresses.check(row["address"])
            if found.setdefault(check_name(name), (match, set()))[0] != match:
                raise ControllerError("has two addresses")
            found[name][1].add(members.server(member).name)
        except ControllerError as error:
            raise BadFile(f"groups.csv: group {name!r}: {error}") from None
    for name, (match, names) in found.items():
        place = places.get(match.value)
        if place is None:
            raise BadFile(f"groups.csv: group {name!r}: no switch has entries for it")
        members.groups[name] = ServerGroup(name, place, match, frozenset(names))
    return members


def _places(full: list[Tables]) -> tuple[dict[int, int], set[int]]:
    """The places of groups by address, from the numbers of their replication groups."""
    places: dict[int, int] = {}
    masks: set[int] = set()
    for tables in full:
        for flow in tables.flows.values():
            to = flow.match.destination
            if not flow.is_of_members or to is None:
                continue
            number = int(flow.actions[0].partition(":")[2]) if flow.actions else 0
            place = number // FIRST_MEMBERS - 1
            if place < 0 or places.setdefault(to.value, place) != place:
                raise BadFile(f"group {to}: its replication groups have different places")
            masks.add(to.mask)
    return places, masks


def _sheet(folder: Path, name: str) -> list[dict[str, str]]:
    rows = read_rows(folder / name)
    titles = rows[0] if rows else []
    # There may be others.
    if not set(_SHEETS[name]) <= set(titles) or len(set(titles)) != len(titles):
        raise BadFile(f"{name}: expected the columns {', '.join(_SHEETS[name])}")
    for at, row in enumerate(rows[1:], 2):
        if len(row) != len(titles):
            raise BadFile(f"{name}, row {at}: expected {len(titles)} cells")
    return [dict(zip(titles, row, strict=True)) for row in rows[1:]]
