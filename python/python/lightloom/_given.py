"""Values of a mapping as plain types of Python, with the types that a scenario needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lightloom import _inputs
from lightloom.errors import SimulationError


def plain(table: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A table of texts, numbers, booleans, lists and tables, without what is None.

    Parameters
    ----------
    table : mapping
        The table.
    file : str
        Its name in errors about texts that are not Unicode.

    Raises
    ------
    SimulationError
        If it has other values, keys that are no texts, or tables within each other without end.
    """
    try:
        return _table(table, (), file)
    except RecursionError:
        raise SimulationError("found tables nested without end") from None


def _table(table: Mapping[str, Any], path: tuple[str, ...], file: str) -> dict[str, Any]:
    found = {}
    for key, value in table.items():
        if not isinstance(key, str):
            raise _refuse(path, f"found the key {key!r}; keys are texts")
        if value is not None:
            found[_text(key, file)] = _value(value, (*path, key), file)
    return found


def _value(value: object, path: tuple[str, ...], file: str) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    elif isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return _table(value, path, file)
    if isinstance(value, (list, tuple)):
        return [_value(item, path, file) for item in value]
    if isinstance(value, str):
        return _text(value, file)
    if isinstance(value, (bool, int, float)):
        return value
    raise _refuse(path, f"found {type(value).__name__}; expected a text, number, list or table")


def _text(text: str, file: str) -> str:
    if not _inputs.is_unicode(text):
        raise SimulationError(f"{file}: found text that is not Unicode", file=file)
    return text


def _refuse(path: tuple[str, ...], message: str) -> SimulationError:
    field = ".".join(path) or None
    return SimulationError(f"{field}: {message}" if field else message, field=field)
