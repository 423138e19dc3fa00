"""Folders of rollouts: the changes from the rules of one plan to those of another, in phases."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lightloom.controller import files, text
from lightloom.controller.entries import FIRST, Flow, FlowKey, Tables
from lightloom.controller.errors import BadFile, Conflict
from lightloom.controller.folder import (
    MOST_BYTES,
    parse_stamp,
    read_json,
    read_text,
    show_stamp,
)

ROLLOUT, ROLLBACK = "rollout.json", "rollback.json"
#: Cookie of the flows that admit servers by port and address.
_ORIGIN = 0x10
_LONGEST_WAIT = 24 * 3600 * 10**12
_MOST_PHASES = 1000


@dataclass(frozen=True)
class Phase:
    """A phase: the operations on each switch, and the wait after them."""

    name: str
    #: Time to wait after all switches have confirmed, in picoseconds.
    drain_ps: int
    #: A source that the operator probes before the next phase begins.
    probe: int | None
    switches: dict[int, list[text.Operation]]


@dataclass(frozen=True)
class Rollout:
    """A folder of a rollout."""

    name: str
    digest: str
    #: For each switch that changes, its stamps before and after.
    stamps: dict[int, tuple[int, int]]
    phases: list[Phase]

    def check_start(self, base: list[Tables]) -> None:
        """Raises if a switch is not at the stamp that the rollout begins at."""
        for tor, (old, _) in self.stamps.items():
            if base[tor].stamp != old:
                raise Conflict(
                    f"the rollout begins at {show_stamp(old)} on ToR {tor}; "
                    f"the switch is at {show_stamp(base[tor].stamp)}"
                )

    def is_done(self, base: list[Tables]) -> bool:
        """Whether all switches are at the stamps that the rollout leads to."""
        return all(base[tor].stamp == new for tor, (_, new) in self.stamps.items())


@dataclass(frozen=True)
class Change:
    """Tables of a switch before and after a phase, without those of groups of servers."""

    before: Tables
    after: Tables


def read(folder: Path, file: str, tors: int) -> Rollout:
    """Reads the folder of a rollout for a fabric with this number of ToRs.

    ``file`` is ``rollout.json``, or ``rollback.json`` for the rollback.
    """
    manifest = read_json(folder / file, "lightloom rollout")
    digest = hashlib.sha256(files.read(folder / file, MOST_BYTES))
    phases = manifest.get("phases")
    if not isinstance(phases, list) or len(phases) > _MOST_PHASES:
        raise BadFile(f"{file}: phases: expected a list of at most {_MOST_PHASES}")
    found = []
    for number, phase in enumerate(phases, 1):
        where = f"{file}: phase {number}"
        if not isinstance(phase, dict) or not isinstance(phase.get("name"), str):
            raise BadFile(f"{where}: expected a table with a name")
        switches: dict[int, list[text.Operation]] = {}
        for tor, name in _files(phase, where, tors):
            content = read_text(folder / name)
            digest.update(name.encode() + b"\0" + hashlib.sha256(content.encode()).digest())
            switches[tor] = text.read_operations(content, name)
        probe = phase.get("probe")
        if probe is not None and (type(probe) is not int or not 0 <= probe < tors):
            raise BadFile(f"{where}: probe: found {probe!r}; expected a ToR")
        found.append(Phase(phase["name"][:64], _wait(phase, where), probe, switches))
    name = folder.name if file == ROLLOUT else f"{folder.name} (back)"
    return Rollout(name, digest.hexdigest(), _stamps(manifest, file, tors), found)


def _stamps(manifest: dict[str, Any], file: str, tors: int) -> dict[int, tuple[int, int]]:
    said = manifest.get("stamps")
    if not isinstance(said, dict):
        raise BadFile(f"{file}: stamps: expected a table")
    found = {}
    for name, stamps in said.items():
        tor = _tor(name, f"{file}: stamps", tors)
        if not isinstance(stamps, dict) or None in (stamps.get("from"), stamps.get("to")):
            raise Conflict(
                f"{file}: stamps: ToR {tor} comes or goes: "
                "start the controller with the new configurations and a new state file"
            )
        where = f"{file}: stamps of ToR {tor}"
        found[tor] = (parse_stamp(stamps["from"], where), parse_stamp(stamps["to"], where))
    return found


def _tor(text: str, where: str, tors: int) -> int:
    if not (text.isascii() and text.isdecimal()) or str(int(text)) != text or int(text) >= tors:
        raise BadFile(f"{where}: found {text[:20]!r}; expected 0 to {tors - 1}")
    return int(text)


def _files(phase: dict[str, Any], where: str, tors: int) -> list[tuple[int, str]]:
    switches = phase.get("switches")
    if not isinstance(switches, dict):
        raise BadFile(f"{where}: switches: expected a table")
    found = []
    for tor, names in switches.items():
        if not isinstance(names, list) or len(names) != 1:
            raise BadFile(f"{where}: switches: found {names!r}; expected a list of one file")
        (name,) = names
        # A plain name: no file outside the folder.
        if not isinstance(name, str) or Path(name).name != name or name in ("", ".", ".."):
            raise BadFile(f"{where}: switches: found {name!r}; expected the name of a file")
        found.append((_tor(tor, f"{where}: switches", tors), name))
    return sorted(found)


def _wait(phase: dict[str, Any], where: str) -> int:
    drain = phase.get("drain_ps")
    if type(drain) is int and 0 <= drain <= _LONGEST_WAIT:
        return drain
    raise BadFile(f"{where}: drain_ps: found {drain!r}; expected picoseconds, at most a day")


def changes(rollout: Rollout, base: list[Tables]) -> list[dict[int, Change]]:
    """The tables of each switch before and after each phase. Raises if a line does not fit them."""
    now = [tables.copy() for tables in base]
    found = []
    for phase in rollout.phases:
        changed = {}
        for tor, operations in phase.switches.items():
            after = now[tor].copy()
            for operation in operations:
                _apply(after, operation)
            changed[tor] = Change(now[tor], after)
            now[tor] = after
        found.append(changed)
    for tor, tables in enumerate(now):
        old, new = rollout.stamps.get(tor, (base[tor].stamp, base[tor].stamp))
        if _of_servers(tables) != _of_servers(base[tor]):
            raise Conflict(
                f"ports or addresses of servers change on ToR {tor}: "
                "start the controller with the new configurations and a new state file"
            )
        if tables.stamp != new:
            raise BadFile(
                f"the phases do not lead ToR {tor} from {show_stamp(old)} to {show_stamp(new)}"
            )
    return found


def _of_servers(tables: Tables) -> set[FlowKey]:
    """The keys of the flows that admit servers by port and address. Their actions may change."""
    flows = tables.flows.items()
    return {key for key, flow in flows if flow.table == FIRST and flow.cookie == _ORIGIN}


def _apply(tables: Tables, operation: text.Operation) -> None:
    entry = operation.entry
    if entry.is_of_members:
        # The controller knows the members better than the files. It writes these entries itself.
        return
    if isinstance(entry, Flow):
        if not operation.deletes:
            tables.flows[entry.key] = entry
        elif tables.flows.pop(entry.key, None) is None:
            raise Conflict(f"{operation.where}: the switch has no such entry")
    elif not operation.deletes:
        tables.groups[entry.number] = entry
    elif tables.groups.pop(entry.number, None) is None:
        raise Conflict(f"{operation.where}: the switch has no such entry")
