"""The ledger of a sweep: what is done, in a SQLite file. It outlives every process."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from lightloom.errors import DesignError

_FORMAT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS sweep (format INTEGER NOT NULL, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS outcomes (
    key TEXT PRIMARY KEY, parameters TEXT NOT NULL, answer TEXT, refused TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts (
    key TEXT NOT NULL, attempt INTEGER NOT NULL, seconds REAL, lost TEXT
);
"""


class Ledger:
    """The outcomes of the points of a sweep, by key.

    An outcome is stored before its point counts as done. The first one of a key stays, because
    another process may have run the same task again.
    """

    def __init__(self, folder: Path, name: str) -> None:
        file = folder / "sweep.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._held = sqlite3.connect(file, isolation_level=None)
            self._held.execute("PRAGMA journal_mode=WAL")
            self._held.executescript(_TABLES)
            found = self._held.execute("SELECT format, name FROM sweep").fetchall()
            if not found:
                self._held.execute("INSERT INTO sweep VALUES (?, ?)", (_FORMAT, name))
        except (OSError, sqlite3.Error) as error:
            message = f"{file}: cannot be used as the ledger of a sweep: {error}"
            raise DesignError(message, file=str(file), field="out") from error
        if found and found != [(_FORMAT, name)]:
            self._held.close()
            message = (
                f"{file}: is of another sweep, {found[0][1]!r}; give this one, {name!r}, a folder "
                "of its own"
            )
            raise DesignError(message, file=str(file), field="out")

    def done(self) -> set[str]:
        """The keys with an outcome."""
        return {key for (key,) in self._held.execute("SELECT key FROM outcomes")}

    def store(self, key: str, parameters: dict[str, Any], outcome: dict[str, Any]) -> None:
        """Stores the outcome of a point and the attempt that it came from."""
        answer = json.dumps(outcome["answer"]) if "answer" in outcome else None
        row = (key, json.dumps(parameters, sort_keys=True), answer, outcome.get("refused"))
        self._held.execute("INSERT OR IGNORE INTO outcomes VALUES (?, ?, ?, ?)", row)
        self.attempt(key, outcome.get("seconds"), None)

    def attempt(self, key: str, seconds: float | None, lost: str | None) -> None:
        """Notes an attempt: its time, or why it was lost."""
        (before,) = self._held.execute(
            "SELECT count(*) FROM attempts WHERE key = ?", (key,)
        ).fetchone()
        row = (key, before + 1, seconds, lost)
        self._held.execute("INSERT INTO attempts VALUES (?, ?, ?, ?)", row)

    def rows(self, keys: set[str]) -> list[dict[str, Any]]:
        """The rows of these points, by key: parameters, answers and refusals."""
        found = self._held.execute("SELECT * FROM outcomes ORDER BY key").fetchall()
        rows = []
        for key, parameters, answer, refused in found:
            if key in keys:
                values = json.loads(answer) if answer else {}
                rows.append({"key": key, **json.loads(parameters), **values, "refused": refused})
        return rows

    def attempts(self) -> list[dict[str, Any]]:
        """Every attempt: key, attempt, seconds and why it was lost."""
        found = self._held.execute("SELECT * FROM attempts ORDER BY key, attempt")
        names = ("key", "attempt", "seconds", "lost")
        return [dict(zip(names, row, strict=True)) for row in found]

    def close(self) -> None:
        """Closes the file."""
        self._held.close()
