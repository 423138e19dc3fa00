"""The state file: what the switches must have, and how far a rollout is. SQLite in WAL mode."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lightloom.controller import text
from lightloom.controller.entries import Address, Tables, differences
from lightloom.controller.errors import BadFile, Conflict, ControllerError, StateFailed
from lightloom.controller.files import check_regular
from lightloom.controller.folder import Folder
from lightloom.controller.members import ServerGroup, check_name
from lightloom.controller.rollout import Change, Rollout

_VERSION = "1"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS base (tor INTEGER PRIMARY KEY, entries TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS groups (
    name TEXT PRIMARY KEY, place INTEGER NOT NULL UNIQUE, address TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS members (
    name TEXT NOT NULL REFERENCES groups (name) ON DELETE CASCADE, server TEXT NOT NULL,
    PRIMARY KEY (name, server));
CREATE TABLE IF NOT EXISTS rollouts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, digest TEXT NOT NULL,
    phases TEXT NOT NULL,
    state TEXT NOT NULL, forward INTEGER NOT NULL, phase INTEGER NOT NULL, stage TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS steps (
    rollout INTEGER NOT NULL REFERENCES rollouts (id) ON DELETE CASCADE, phase INTEGER NOT NULL,
    tor INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
    PRIMARY KEY (rollout, phase, tor));
"""


@dataclass(frozen=True)
class Pause:
    """A phase as the runner needs it: its name, and what comes after it."""

    name: str
    drain_ps: int
    probe: int | None


@dataclass
class Progress:
    """A rollout and how far it is."""

    id: int
    name: str
    digest: str
    phases: list[Pause]
    #: ``running``, ``done`` or ``rolled back``.
    state: str = "running"
    forward: bool = True
    #: The phase that is being installed or waited for, from 0.
    phase: int = 0
    #: ``installing``, ``draining`` or ``probing``.
    stage: str = "installing"

    def become(self, other: Progress) -> None:
        """Copies the state that was written."""
        self.state, self.forward = other.state, other.forward
        self.phase, self.stage = other.phase, other.stage


class Store:
    """The state file. One controller at a time has it.

    Methods raise `StateFailed` if the file cannot be read or written. Then nothing has changed.
    """

    def __init__(self, path: Path) -> None:
        _check_files(path)
        try:
            self._db = sqlite3.connect(path, timeout=0, isolation_level=None)
            # The lock goes with the process, however it ends.
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("COMMIT")
            self._db.executescript(_SCHEMA)
            ((wrong,),) = self._db.execute("PRAGMA quick_check(1)").fetchall()
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise Conflict(f"{path}: another controller uses this state file") from None
            raise BadFile(f"--state {path}: {error}") from None
        self._path = path
        if wrong != "ok":
            raise self._damaged(wrong)
        try:
            version = self._meta("version")
        except sqlite3.Error as error:
            raise self._damaged(error) from None
        if version not in (None, _VERSION):
            raise BadFile(f"{path}: has version {version}; expected {_VERSION}")
        if version is not None:
            self._check()

    def _damaged(self, what: object) -> BadFile:
        text = str(what).partition("\n")[0][:200]
        return BadFile(f"{self._path}: is damaged: {text}; restore it, or begin a new state file")

    def _check(self) -> None:
        """Reads all that a controller needs. Raises `BadFile` if it did not write it so."""
        try:
            tors = [tor for (tor,) in self._db.execute("SELECT tor FROM base ORDER BY tor")]
            if tors != list(range(len(tors))) or not tors:
                raise ValueError("the tables of a ToR are missing")
            self.base()
            for group in self.groups().values():
                check_name(group.name)
                if type(group.place) is not int or group.place < 0:
                    raise ValueError(f"group {group.name!r} has the place {group.place!r}")
            if self._db.execute("SELECT 1 FROM rollouts WHERE forward NOT IN (0, 1)").fetchone():
                raise ValueError("a rollout has no direction")
            for progress in self.rollouts():
                _check_progress(progress)
                if progress.state == "running" and not self.changes(progress).keys() <= set(tors):
                    raise ValueError(f"rollout {progress.id} has a ToR that is not there")
        except (ControllerError, sqlite3.Error, LookupError, ValueError, TypeError) as error:
            raise self._damaged(error) from None
        except (AttributeError, RecursionError, OverflowError) as error:
            raise self._damaged(error) from None

    def close(self) -> None:
        """Closes the file, so that another controller can use it."""
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            # A commit that failed is still open. Some failures have ended it.
            if self._db.in_transaction:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise StateFailed(f"the state file: {error}") from error
            raise

    def _meta(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def adopt(self, folder: Folder) -> None:
        """Writes a folder at the first start. Later it must be that folder, or fit the state."""
        if self._meta("version") is None:
            with self._transaction():
                self._set("version", _VERSION)
                self._set("folder", folder.digest)
                self._save_base(dict(enumerate(folder.base)))
                for group in folder.members.groups.values():
                    self._save_group(group)
            return
        base = self.base()
        if self._meta("folder") == folder.digest:
            if len(base) != len(folder.base):
                raise self._damaged("the tables of a ToR are missing")
            return
        if len(base) != len(folder.base) or any(
            differences(new, old) for new, old in zip(folder.base, base, strict=True)
        ):
            raise Conflict(
                f"{self._path}: belongs to other configurations; apply a rollout to them, "
                "or start with a new state file"
            )
        with self._transaction():
            self._set("folder", folder.digest)

    def _set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def base(self) -> list[Tables]:
        """For each ToR, the tables without the entries of groups of servers."""
        rows = self._db.execute("SELECT tor, entries FROM base ORDER BY tor")
        return [text.read(entries, f"{self._path}: ToR {tor}") for tor, entries in rows]

    def _save_base(self, base: dict[int, Tables]) -> None:
        rows = [(tor, text.write(tables)) for tor, tables in base.items()]
        self._db.executemany("INSERT OR REPLACE INTO base VALUES (?, ?)", rows)

    def groups(self) -> dict[str, ServerGroup]:
        """All groups of servers."""
        members: dict[str, set[str]] = {}
        for name, server in self._db.execute("SELECT name, server FROM members"):
            members.setdefault(name, set()).add(server)
        rows = self._db.execute("SELECT name, place, address FROM groups ORDER BY place")
        return {
            name: ServerGroup(name, place, Address.parse(address), frozenset(members.get(name, ())))
            for name, place, address in rows
        }

    def save_group(self, group: ServerGroup) -> None:
        """Writes a group and its members."""
        with self._transaction():
            self._save_group(group)

    def _save_group(self, group: ServerGroup) -> None:
        self._db.execute("DELETE FROM groups WHERE name = ?", (group.name,))
        row = (group.name, group.place, str(group.address))
        self._db.execute("INSERT INTO groups VALUES (?, ?, ?)", row)
        rows = [(group.name, member) for member in sorted(group.members)]
        self._db.executemany("INSERT INTO members VALUES (?, ?)", rows)

    def remove_group(self, name: str) -> None:
        """Forgets a group."""
        with self._transaction():
            self._db.execute("DELETE FROM groups WHERE name = ?", (name,))

    def begin(self, rollout: Rollout, changes: list[dict[int, Change]]) -> Progress:
        """A new rollout, with its first phase to be installed."""
        pauses = [Pause(phase.name, phase.drain_ps, phase.probe) for phase in rollout.phases]
        phases = json.dumps([[one.name, one.drain_ps, one.probe] for one in pauses])
        with self._transaction():
            cursor = self._db.execute(
                "INSERT INTO rollouts"
                " (name, digest, phases, state, forward, phase, stage)"
                " VALUES (?, ?, ?, 'running', 1, 0, 'installing')",
                (rollout.name, rollout.digest, phases),
            )
            number = int(cursor.lastrowid or 0)
            for phase, changed in enumerate(changes):
                rows = [
                    (number, phase, tor, text.write(change.before), text.write(change.after))
                    for tor, change in changed.items()
                ]
                self._db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", rows)
            self._save_base({tor: change.after for tor, change in changes[0].items()})
        return Progress(number, rollout.name, rollout.digest, pauses)

    def advance(self, progress: Progress, base: dict[int, Tables] | None = None) -> None:
        """Writes how far a rollout is, with tables that change at the same time."""
        with self._transaction():
            self._db.execute(
                "UPDATE rollouts SET state = ?, forward = ?, phase = ?, stage = ? WHERE id = ?",
                (
                    progress.state,
                    int(progress.forward),
                    progress.phase,
                    progress.stage,
                    progress.id,
                ),
            )
            self._save_base(base or {})

    def changes(self, progress: Progress) -> dict[int, Change]:
        """What the present phase changes, in the direction of the rollout."""
        rows = self._rows(
            "SELECT tor, before, after FROM steps WHERE rollout = ? AND phase = ? ORDER BY tor",
            progress.id,
            progress.phase,
        )
        found = {}
        for tor, before, after in rows:
            where = f"{self._path}: rollout {progress.id}, ToR {tor}"
            change = Change(text.read(before, where), text.read(after, where))
            found[tor] = change if progress.forward else Change(change.after, change.before)
        return found

    def tors(self, progress: Progress) -> list[int]:
        """All ToRs that a rollout changes."""
        query = "SELECT DISTINCT tor FROM steps WHERE rollout = ? ORDER BY tor"
        return [int(tor) for (tor,) in self._rows(query, progress.id)]

    def _rows(self, query: str, *values: int) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StateFailed(f"the state file: {error}") from error

    def rollouts(self) -> list[Progress]:
        """All rollouts, the latest last."""
        rows = self._db.execute(
            "SELECT id, name, digest, phases, state, forward, phase, stage"
            " FROM rollouts ORDER BY id"
        )
        found = []
        for number, name, digest, phases, state, forward, *where in rows:
            pauses = [Pause(*phase) for phase in json.loads(phases)]
            found.append(Progress(number, name, digest, pauses, state, bool(forward), *where))
        return found


def _check_files(path: Path) -> None:
    """Raises if the state file or one that SQLite keeps beside it is no regular file."""
    for end in ("", "-wal", "-journal", "-shm"):
        file = path.with_name(path.name + end) if path.name else path
        try:
            mode = os.stat(file).st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadFile(f"--state {file}: {error.strerror or error}") from None
        check_regular(file, mode)


def _check_progress(progress: Progress) -> None:
    """Raises if a rollout is not as the store writes it."""
    states, stages = ("running", "done", "rolled back"), ("installing", "draining", "probing")
    if progress.state not in states or progress.stage not in stages:
        raise ValueError(f"rollout {progress.id} is {progress.state!r}, {progress.stage!r}")
    if type(progress.phase) is not int or not 0 <= progress.phase < len(progress.phases):
        raise ValueError(f"rollout {progress.id} is in phase {progress.phase!r}")
    for one in progress.phases:
        if type(one.drain_ps) is not int or one.drain_ps < 0 or not isinstance(one.name, str):
            raise ValueError(f"rollout {progress.id} has a phase without a name or a time")
