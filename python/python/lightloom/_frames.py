"""Tables as pandas DataFrames. Names stay texts: a rack may be called NA or 007."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lightloom._extras import need
from lightloom._lightloom import arrow_columns, sheet_columns
from lightloom.errors import DesignError, LightloomError

if TYPE_CHECKING:
    import pandas as pd

# Columns of plan folders whose kinds lightloom declares, by file.
_DECLARED = sheet_columns()
# Whole numbers of all other files.
_WHOLE = {
    "splitter",
    "branch",
    "port",
    "to_port",
    "seed",
    "from",
    "to",
    "rate_bps",
    "delay_ps",
    "sent",
    "sent_bytes",
    "lost",
    "received",
    "in_flight",
    "marked",
    "pauses",
    "most_queued_bytes",
    "stopped_ps",
    "reached_ps",
    "completed",
    "unfinished",
    "mean_completion_ps",
    "p99_completion_ps",
    "repeated",
    "timeouts",
    "dropped",
    "data_hops",
    "message",
    "group",
    "delivered",
    "twice",
    "receivers",
    "copies",
    "collective",
    "time",
    "place",
    "host",
    "trace",
    "rank",
    "operations",
    "ended",
}
# An empty cell is nan.
_REAL = {"goodput_bps"}
# Whole numbers that can be missing. The column always has a mask, also if no value is missing.
_MISSING = {
    "splitter",
    "branch",
    "mean_completion_ps",
    "p99_completion_ps",
    "start_ps",
    "received_ps",
    "completion_ps",
    "last_ps",
    "busy_ps",
    "done_ps",
}
# Up to 2^64 - 1.
_UNSIGNED = {"seed"}

Columns: TypeAlias = Mapping[str, str]
"""The columns of a table and their types: ``whole`` (int64), ``whole?`` (Int64, values can be
missing), ``real`` (float64; NaN is missing), ``flag`` (bool), ``text`` (str) or ``list``.
"""


def of_rows(rows: Sequence[Mapping[str, Any]], columns: Columns, caller: str) -> pd.DataFrame:
    """Rows of a report as a table. The types depend only on the columns, never on the rows."""
    pandas = need("pandas", caller)
    # Other columns of the report follow these columns, with the types that pandas chooses.
    beside = dict.fromkeys(name for row in rows for name in row if name not in columns)
    made: pd.DataFrame = pandas.DataFrame(
        {
            name: _column(pandas, [row.get(name) for row in rows], columns.get(name))
            for name in (*columns, *beside)
        }
    )
    return made


def _column(pandas: Any, values: list[Any], kind: str | None) -> Any:
    if kind == "whole":
        return np.array(values, np.int64)
    if kind == "whole?":
        return pandas.array(values, dtype="Int64")
    if kind == "real":
        return np.array([np.nan if value is None else value for value in values], np.float64)
    if kind == "flag":
        return np.array(values, np.bool_)
    if kind == "text":
        return texts(pandas, values)
    return pandas.Series(values, dtype=object if kind == "list" else None)


def texts(pandas: Any, values: list[Any]) -> Any:
    """A column of texts."""
    # Before pandas 3 a missing text would become the word None.
    new = int(pandas.__version__.partition(".")[0]) >= 3
    return pandas.Series(values, dtype="str" if new else object)


def of_file(file: str, caller: str) -> pd.DataFrame:
    """A CSV file of a plan as a table."""
    try:
        with open(file, "rb") as sheet:
            content = sheet.read()
    except (OSError, ValueError) as error:
        raise DesignError(f"{file}: cannot be read: {error}", file=file) from error
    return of_csv(content, file, caller, DesignError)


def of_csv(content: bytes, name: str, caller: str, kind: type[LightloomError]) -> pd.DataFrame:
    """A CSV file of lightloom as a table of whole numbers, real numbers and unchanged texts."""
    pandas = need("pandas", caller)
    declared = _DECLARED.get(os.path.basename(name), {})
    try:
        frame: pd.DataFrame = pandas.read_csv(
            io.BytesIO(content), dtype=str, keep_default_na=False, encoding="utf-8"
        )
        for column in map(str, frame.columns):
            texts = frame[column]
            cells = declared.get(column)
            is_whole = cells == "whole" if cells else _is_whole(column)
            if column in _UNSIGNED:
                frame[column] = texts.astype(np.uint64)
            elif column in _MISSING or (is_whole and (texts == "").any()):
                frame[column] = pandas.array(
                    [int(text) if text else None for text in texts], dtype="Int64"
                )
            elif is_whole:
                frame[column] = pandas.to_numeric(texts).astype(np.int64)
            elif cells == "real" or (cells is None and column in _REAL):
                frame[column] = np.array([float(text or "nan") for text in texts], np.float64)
    except (ValueError, TypeError) as error:
        raise kind(f"{name}: is not a CSV file of lightloom: {error}", file=name) from error
    return frame


def _is_whole(column: str) -> bool:
    return column in _WHOLE or column.endswith(("_bytes", "_ps"))


def columns(name: str, content: bytes) -> dict[str, Any]:
    """The read-only columns of an Arrow file of a result."""
    found = arrow_columns(name, content)
    for column in found.values():
        for array in column if isinstance(column, tuple) else (column,):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    return found


def frame(columns: dict[str, Any], caller: str) -> pd.DataFrame:
    """The columns as a table; unknown numbers are missing values."""
    pandas = need("pandas", caller)

    def column(values: Any) -> Any:
        if isinstance(values, tuple):
            numbers, known = values
            return pandas.arrays.IntegerArray(numbers.copy(), ~known)
        if isinstance(values, list):
            return pandas.Categorical(values)
        return values

    made: pd.DataFrame = pandas.DataFrame(
        {name: column(values) for name, values in columns.items()}
    )
    return made
