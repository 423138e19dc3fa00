"""Tables of numbers and texts, which other libraries take without a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lightloom import _frames
from lightloom._extras import need
from lightloom._lightloom import Batch
from lightloom._pictures import tables
from lightloom._report import count

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

_SHOWN = 10


class Table:
    """A table, held as Arrow columns.

    Libraries that read the Arrow C stream interface take it without a copy:
    ``polars.DataFrame(table)``, ``pyarrow.table(table)``, DuckDB. ``table["name"]`` is a column: a
    read-only NumPy array, where NaN is missing, or a list of texts, where ``None`` is missing.

    Examples
    --------
    >>> from lightloom import Fabric
    >>> table = Fabric(p=2, k=2).impact_many(["relay:0", "tor:3"]).table()
    >>> len(table), table["failed"]
    (2, ['relay:0', 'tor:3'])
    """

    def __init__(self, batch: Batch, kinds: _frames.Columns) -> None:
        self._batch, self._kinds = batch, kinds

    @property
    def columns(self) -> list[str]:
        """The titles of the columns."""
        return self._batch.names()

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._batch)

    def __getitem__(self, column: str) -> Any:
        if column not in self.columns:
            known = ", ".join(self.columns)
            raise KeyError(f"{column!r} is no column; the columns are {known}")
        found = self._batch.column(column)
        if isinstance(found, np.ndarray):
            found.flags.writeable = False
        return found

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._batch.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> pd.DataFrame:
        """The table as a pandas DataFrame, with types that depend on the columns only.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> len(fabric.impact_many(range(8)).table().to_pandas())
        8
        """
        pandas = need("pandas", "Table.to_pandas()")
        made: pd.DataFrame = pandas.DataFrame(
            {name: self._of_kind(pandas, name) for name in self.columns}, copy=False
        )
        return made

    def _of_kind(self, pandas: Any, name: str) -> Any:
        values, kind = self._batch.column(name), self._kinds.get(name)
        if kind == "whole":
            return values.astype(np.int64)
        if kind == "whole?":
            missing = np.isnan(values)
            whole = np.where(missing, 0, values).astype(np.int64)
            return pandas.arrays.IntegerArray(whole, missing)
        if kind == "flag?":
            return pandas.array(list(values), dtype="boolean")
        if kind == "text":
            return _frames.texts(pandas, values)
        if isinstance(values, list):
            return pandas.Series(values, dtype=object)
        return values

    def to_polars(self) -> pl.DataFrame:
        """The table as a Polars DataFrame, without a copy.

        Raises
        ------
        ImportError
            If Polars is not installed.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.impact_many(range(8)).table().to_polars().height
        8
        """
        return cast("pl.DataFrame", need("polars", "Table.to_polars()").DataFrame(self))

    def to_arrow(self) -> Any:
        """The table as a ``pyarrow.Table``, without a copy.

        Raises
        ------
        ImportError
            If pyarrow is not installed.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.impact_many(range(8)).table().to_arrow().num_rows
        8
        """
        return need("pyarrow", "Table.to_arrow()").table(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._batch == other._batch

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self._batch.ipc(), self._kinds))

    def __repr__(self) -> str:
        return f"<Table of {count(len(self), 'row')}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        shown = [[_shown(value) for value in self[name][:_SHOWN]] for name in self.columns]
        more = len(self) - _SHOWN
        note = f"and {more:,} more rows" if more > 0 else ""
        return tables.table(
            count(len(self), "row"), self.columns, list(zip(*shown, strict=True)), note
        )


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else f"{value:.6g}"
    return str(value)


def _restore(stream: bytes, kinds: _frames.Columns) -> Table:
    return Table(Batch.of_ipc(stream), kinds)
