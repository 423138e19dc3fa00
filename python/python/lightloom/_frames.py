"""Tables as pandas DataFrames. Names stay what they are: a rack may be called NA or 007."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

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


def of_csv(content: bytes, name: str, caller: str, kind: type[LightloomError]) -> pd.DataFrame:
    """A sheet of lightloom: whole numbers, real numbers, and texts as they stand."""
    pandas = need("pandas", caller)
    try:
        frame: pd.DataFrame = pandas.read_csv(
            io.BytesIO(content), dtype=str, keep_default_na=False, encoding="utf-8"
        )
        for column in frame:
            if column in _WHOLE:
                frame[column] = _whole(pandas, frame[column])
            elif column in _REAL:
                frame[column] = pandas.to_numeric(frame[column]).astype(np.float64)
    except (ValueError, TypeError) as error:
        raise kind(f"{name}: is no sheet of lightloom: {error}", file=name) from error
    return frame


def _whole(pandas: Any, texts: Any) -> Any:
    """64-bit numbers; where some cells are empty, those that pandas can leave empty."""
    numbers = pandas.to_numeric(texts)
    return numbers.astype("Int64" if numbers.isna().any() else np.int64)


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
