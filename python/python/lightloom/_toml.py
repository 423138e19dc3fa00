"""Writes a dict as TOML, with the types that a scenario needs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from lightloom.errors import SimulationError


def dumps(table: Mapping[str, Any]) -> str:
    """The TOML text of a table of texts, numbers, booleans, lists and tables."""
    lines: list[str] = []
    try:
        _write(lines, table, ())
    except RecursionError:
        raise SimulationError("found tables nested without end") from None
    return "\n".join(lines) + "\n"


def _write(lines: list[str], table: Mapping[str, Any], path: tuple[str, ...]) -> None:
    nested: list[tuple[str, Any]] = []
    for key, value in table.items():
        if not isinstance(key, str):
            raise _refuse(path, f"found the key {key!r}; keys are texts")
        if value is None:
            continue
        if isinstance(value, Mapping) or _is_tables(value):
            nested.append((key, value))
        else:
            lines.append(f"{_key(key)} = {_value(value, (*path, key))}")
    for key, value in nested:
        at = (*path, key)
        name = ".".join(map(_key, at))
        if isinstance(value, Mapping):
            lines.append(f"[{name}]")
            _write(lines, value, at)
        else:
            for item in value:
                lines.append(f"[[{name}]]")
                _write(lines, item, at)


def _is_tables(value: object) -> bool:
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(isinstance(item, Mapping) for item in value)


def _refuse(path: tuple[str, ...], message: str) -> SimulationError:
    field = ".".join(path) or None
    return SimulationError(f"{field}: {message}" if field else message, field=field)


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else _text(key)


def _text(text: str) -> str:
    # JSON's escapes are TOML's, except for a control character that JSON does not escape.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object, path: tuple[str, ...]) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    elif isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item, path) for item in value) + "]"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return repr(value)
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    raise _refuse(path, f"found {type(value).__name__}; expected a text, number, list or table")
