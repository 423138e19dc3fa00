"""Tables as pandas DataFrames. Names stay what they are: a rack may be called NA or 007."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lightloom._extras import need
from lightloom._lightloom import arrow_columns
from lightloom.errors import LightloomError

if TYPE_CHECKING:
    import pandas as pd

_WHOLE = {
    "from_tor",
    "from_port",
    "splitter",
    "branch",
    "to_tor",
    "to_port",
    "tor",
    "port",
    "unit",
    "splices",
    "panels",
    "transceiver",
    "rx_from_tor",
    "quantity",
    "spares",
    "order",
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
}
_REAL = {"length_m", "stock_m", "tray_fill_percent", "goodput_bps"}
# Whole numbers that rows may leave empty: always with a mask, whether any row does or not.
_MISSING = {"splitter", "branch", "mean_completion_ps", "p99_completion_ps"}
# Up to 2^64 - 1.
_UNSIGNED = {"seed"}

Columns: TypeAlias = Mapping[str, str]
"""The columns of a table and what each holds: ``whole`` (int64), ``whole?`` (Int64: some are
missing), ``real`` (float64; NaN is missing), ``flag`` (bool), ``text`` (str) or ``list``."""


def of_rows(rows: Sequence[Mapping[str, Any]], columns: Columns, caller: str) -> pd.DataFrame:
    """Rows of a report as a table. Its types depend on the columns only, never on the rows."""
    pandas = need("pandas", caller)
    # What a report has beside these columns is not lost: it comes after them, as pandas takes it.
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
        # Before pandas 3 a text that is missing would become the word None.
        new = int(pandas.__version__.partition(".")[0]) >= 3
        return pandas.Series(values, dtype="str" if new else object)
    return pandas.Series(values, dtype=object if kind == "list" else None)


def of_csv(content: bytes, name: str, caller: str, kind: type[LightloomError]) -> pd.DataFrame:
    """A sheet of lightloom: whole numbers, real numbers, and texts as they stand."""
    pandas = need("pandas", caller)
    try:
        frame: pd.DataFrame = pandas.read_csv(
            io.BytesIO(content), dtype=str, keep_default_na=False, encoding="utf-8"
        )
        for column in map(str, frame.columns):
            texts = frame[column]
            if column in _UNSIGNED:
                frame[column] = texts.astype(np.uint64)
            elif column in _MISSING or (_is_whole(column) and (texts == "").any()):
                frame[column] = pandas.array(
                    [int(text) if text else None for text in texts], dtype="Int64"
                )
            elif _is_whole(column):
                frame[column] = pandas.to_numeric(texts).astype(np.int64)
            elif column in _REAL:
                frame[column] = pandas.to_numeric(frame[column]).astype(np.float64)
    except (ValueError, TypeError) as error:
        raise kind(f"{name}: is no sheet of lightloom: {error}", file=name) from error
    return frame


def _is_whole(column: str) -> bool:
    return column in _WHOLE or column.endswith(("_bytes", "_ps"))


def columns(name: str, content: bytes) -> dict[str, Any]:
    """The columns of an Arrow file of a result, none of which can be changed."""
    found = arrow_columns(name, content)
    for column in found.values():
        for array in column if isinstance(column, tuple) else (column,):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    return found


def frame(columns: dict[str, Any], caller: str) -> pd.DataFrame:
    """The same as a table; numbers that are not known are missing in it."""
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
