"""Converts the user's arguments for the extension and refuses wrong types."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np

from lightloom._csv import csv_text
from lightloom._lightloom import keys
from lightloom.errors import DesignError, DesignTypeError

Said: TypeAlias = list[tuple[str, int | str | list[str]]]
Files: TypeAlias = dict[str, str]
ToR: TypeAlias = int | str | SupportsIndex
Failed: TypeAlias = str | SupportsIndex | Iterable[str | SupportsIndex]

_LEAST, _MOST = -(2**63), 2**63 - 1


class Setting(NamedTuple):
    """The setting of a keyword."""

    key: str
    """The setting's key in a design file."""
    kind: str
    """The kind of its value: whole, number, text, path or list."""
    expected: str
    """The kind of a single value in words, with the unit of a quantity."""


SETTINGS = {
    name: Setting(key, kind, expected) for key, name, kind, expected in keys() if key != "version"
}


class Quantity(NamedTuple):
    """The keyword that takes a quantity as a number."""

    setting: str
    """The keyword that takes it as a text."""
    unit: str
    """The unit of the number."""


# What a setting expects, and the unit of its keyword for numbers.
_UNITS = {
    "a length ": ("m", "m"),
    "a bit rate ": ("bps", "b/s"),
    "a ratio ": ("db", "dB"),
    "a data size ": ("bytes", "B"),
}
QUANTITIES = {
    f"{name}_{suffix}": Quantity(name, unit)
    for name, setting in SETTINGS.items()
    for words, (suffix, unit) in _UNITS.items()
    if setting.expected.startswith(words)
}


def wrong_type(field: str, found: object, expected: str) -> DesignTypeError:
    """The error for a value of the wrong type."""
    shown = repr(found)
    if len(shown) > 60:
        shown = shown[:60] + "…"
    return DesignTypeError(f"{field}: found {shown}; expected {expected}", field=field)


def is_unicode(text: str) -> bool:
    """Whether a text can be written as UTF-8. A text with half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def text(field: str, value: object, expected: str = "a text") -> str:
    """A text that can be written as UTF-8."""
    if not isinstance(value, str):
        raise wrong_type(field, value, expected)
    value = str(value)
    if not is_unicode(value):
        message = f"{field}: found {value!r}, which is not Unicode text"
        raise DesignError(message, field=field)
    return value


def path(field: str, value: object) -> str:
    """A path as text."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return text(field, value, "a path")


def optional_path(field: str, value: object | None) -> str | None:
    """A path as text, or None."""
    return None if value is None else path(field, value)


def whole(field: str, value: object) -> int:
    """A whole number of any Python or NumPy type."""
    if isinstance(value, (bool, np.bool_)):
        raise wrong_type(field, value, "a whole number")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise wrong_type(field, value, "a whole number") from None


def number(field: str, value: object, most: int = _MOST) -> int:
    """A whole number from 0 to ``most``."""
    found = whole(field, value)
    if not 0 <= found <= most:
        raise DesignError(f"{field}: found {found}; expected 0 to {most}", field=field)
    return found


def index(field: str, value: object, length: int) -> int:
    """The number of one of ``length`` things; negative numbers count from the end.

    Raises
    ------
    IndexError
        If there is no such thing.
    """
    at = whole(field, value)
    if not -length <= at < length:
        raise IndexError(f"{field}: found {at}; there are {length}")
    return at % length


def optional_number(field: str, value: object | None, most: int = _MOST) -> int | None:
    """A whole number as in :func:`number`, or None."""
    return None if value is None else number(field, value, most)


def optional_text(field: str, value: object | None) -> str | None:
    """A text, or None."""
    return None if value is None else text(field, value)


def texts(field: str, value: object, expected: str = "a text") -> list[str]:
    """A list of texts; a single text becomes a list of one."""
    if isinstance(value, str):
        return [text(field, value)]
    if isinstance(value, (Mapping, bytes, bytearray)) or not isinstance(value, Iterable):
        raise wrong_type(field, value, f"{expected}, or several in a list")
    return [text(field, item, expected) for item in value]


def listed(field: str, given: str | Iterable[str] | None) -> list[str]:
    """A list of texts; each may be a list separated by commas, as on the command line."""
    if given is None:
        return []
    return [part for item in texts(field, given) for part in item.split(",")]


def numbers(field: str, given: int | Iterable[int] | None) -> list[int]:
    """Whole numbers of 32 bits; a single one becomes a list of one."""
    if given is None:
        return []
    several = given if isinstance(given, Iterable) else [given]
    return [number(field, one, 2**32 - 1) for one in several]


def flag(field: str, value: object) -> bool:
    """A bool of Python or NumPy."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise wrong_type(field, value, "True or False")


def captures(field: str, value: object | None) -> list[tuple[str, str]]:
    """Files, each with the link whose packets it gets."""
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise wrong_type(field, value, 'files with links, such as {"up.pcapng": "host 0>leaf 0"}')
    return [(path(field, file), text(field, link, "a link")) for file, link in value.items()]


def _table(name: str, value: Any, files: Files) -> str | None:
    """The name under which a table in memory was put into ``files``; None if it is not a table."""
    if hasattr(value, "to_csv"):
        content = value.to_csv(index=False)
    elif name == "edges" and isinstance(value, (np.ndarray, list, tuple)):
        try:
            edges = np.asarray(value)
        except ValueError:
            raise wrong_type(name, value, "rows of tor, from_cassette, to_cassette") from None
        if edges.ndim != 2 or edges.shape[1] != 3 or edges.dtype.kind not in "iu":
            raise wrong_type(name, value, "rows of tor, from_cassette, to_cassette")
        content = csv_text(("tor", "from_cassette", "to_cassette"), edges.tolist())
    else:
        return None
    file = f"<{name}>"
    files[file] = text(name, content)
    return file


def settings(given: Mapping[str, object]) -> tuple[Said, Files]:
    """The keys and values of settings by keyword, and the texts of tables in memory by name."""
    found: Said = []
    files: Files = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in QUANTITIES:
            said, unit = QUANTITIES[name]
            if given.get(said) is not None:
                message = f"{name}: is given together with {said}; give one of the two"
                raise DesignError(message, field=name)
            name, value = said, _with_unit(name, value, unit, SETTINGS[said].kind)
        if name not in SETTINGS:
            known = ", ".join(SETTINGS)
            message = f"{name}: unknown setting; known: {known}"
            raise DesignTypeError(message, field=name)
        setting = SETTINGS[name]
        found.append((setting.key, _value(name, setting, value, files)))
    return found, files


def _with_unit(name: str, value: object, unit: str, kind: str) -> str | list[str]:
    """A number, or several for a list, as texts with their unit."""
    if kind == "list" and isinstance(value, Iterable) and not isinstance(value, (str, Mapping)):
        return [_number_with_unit(name, each, unit) for each in value]
    return _number_with_unit(name, value, unit)


def _number_with_unit(name: str, value: object, unit: str) -> str:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise wrong_type(name, value, f"a number, in {unit}")
    number = int(value) if isinstance(value, Integral) else float(value)
    if not math.isfinite(number):
        raise DesignError(f"{name}: found {value}; expected a finite number", field=name)
    # Without an exponent, which texts of quantities do not have.
    return f"{Decimal(repr(number)).normalize():f} {unit}"


def _value(name: str, setting: Setting, value: object, files: Files) -> int | str | list[str]:
    if setting.kind == "path":
        return _table(name, value, files) or path(name, value)
    if setting.kind == "list":
        items = texts(name, value, setting.expected)
        if setting.key in ("hall.status", "splitters.frames"):
            items = [part for item in items for part in item.split(",")]
        return items
    if setting.kind == "text" or (setting.kind == "number" and isinstance(value, str)):
        return text(name, value, setting.expected)
    if setting.kind == "number":
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
            raise wrong_type(name, value, setting.expected)
        return str(int(value)) if isinstance(value, Integral) else repr(float(value))
    found = whole(name, value)
    if not _LEAST <= found <= _MOST:
        message = f"{name}: found {found}; that number is too large"
        raise DesignError(message, field=name)
    return found


def tor_text(field: str, tor: object) -> str:
    """A ToR by number or name, as text. ``tor:`` marks a number, so no rack name can match it."""
    if isinstance(tor, str):
        return text(field, tor)
    if isinstance(tor, (bool, np.bool_)):
        raise wrong_type(field, tor, "a ToR's number or its rack's name")
    try:
        return f"tor:{operator.index(tor)}"  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise wrong_type(field, tor, "a ToR's number or its rack's name") from None


def failed_text(failed: object) -> str:
    """Failures as one list, separated by commas. A number means the relay of that ToR."""
    field = "failed"
    if isinstance(failed, str):
        return text(field, failed)
    expected = "failures such as 'relay:8', or the numbers of ToRs that neither relay nor send"
    if isinstance(failed, (bool, np.bool_, Mapping)):
        raise wrong_type(field, failed, expected)
    if not isinstance(failed, Iterable):
        failed = [failed]
    items = []
    for item in failed:
        if isinstance(item, str):
            items.append(text(field, item))
        else:
            items.append(f"relay:{tor_text(field, item)}")
    return ",".join(items)


def failure_sets(sets: object) -> list[str]:
    """Several sets of failures, each as :func:`failed_text` takes it."""
    expected = "a list of failure sets, such as ['relay:8', ['tor:3', 'tor:4']]"
    if isinstance(sets, (str, bytes, bytearray, Mapping)) or not isinstance(sets, Iterable):
        raise wrong_type("failed", sets, expected)
    return [failed_text(each) for each in sets]


def tors_text(field: str, tors: object) -> str:
    """One ToR or several as one list, separated by commas. A text is such a list already."""
    if isinstance(tors, str) or not isinstance(tors, Iterable):
        return tor_text(field, tors)
    return ",".join(tor_text(field, tor) for tor in tors)


def text_pairs(field: str, value: object) -> dict[str, str]:
    """Texts by text."""
    if not isinstance(value, Mapping):
        raise wrong_type(field, value, "a mapping of texts to texts")
    return {text(field, key): text(field, found) for key, found in value.items()}


def case_and_threads(case: str | None, threads: int | None) -> tuple[str | None, int | None]:
    """The case of a budget, and the number of threads for its Monte Carlo draws."""
    workers = optional_number("threads", threads)
    if workers == 0:
        raise DesignError("threads: found 0; expected 1 or more", field="threads")
    return optional_text("case", case), workers
