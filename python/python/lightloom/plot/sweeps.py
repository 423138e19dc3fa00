"""The points of a sweep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from lightloom import _inputs
from lightloom.errors import DesignError
from lightloom.plot import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def points(
    rows: Iterable[Mapping[str, Any]],
    x: str,
    y: str,
    by: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Points of a sweep: one column over another, a line for each value of a third.

    Parameters
    ----------
    rows : iterable of mapping
        The rows, such as those of :attr:`lightloom.sweep.Sweep.rows`. A row without a value in one
        of the columns has no point.
    x, y : str
        The columns of the axes.
    by : str, optional
        The column whose values have a line each.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).

    Returns
    -------
    matplotlib.axes.Axes
        The columns on both axes. Up to 16 lines have a legend beside the figure.

    Raises
    ------
    ImportError
        Without matplotlib.
    lightloom.DesignError
        If no row has a column.

    Examples
    --------
    >>> rows = [{"p": p, "hops": 9 - p, "k": k} for p in (2, 4) for k in (1, 2)]
    >>> axes = points(rows, "p", "hops", by="k")
    >>> len(axes.lines)
    2
    """
    if isinstance(rows, (str, Mapping)) or not isinstance(rows, Iterable):
        raise _inputs.wrong_type("rows", rows, "the rows of a sweep")
    listed = []
    for row in rows:
        if not isinstance(row, Mapping):
            raise _inputs.wrong_type("rows", row, "the rows of a sweep")
        listed.append(dict(row))
    asked: list[tuple[str, Any]] = [("x", x), ("y", y), ("by", by)]
    for field, column in asked:
        if field == "by" and column is None:
            continue
        _inputs.text(field, column)
        if not any(row.get(column) is not None for row in listed):
            known = ", ".join(sorted({str(key) for row in listed for key in row})[:40])
            message = f"{field}: found {column!r}; no row has it. Columns: {known or 'none'}"
            raise DesignError(message, field=field)
    ax = _style.axes(ax, "points")
    _style.plain(ax)
    drawn = [row for row in listed if row.get(x) is not None and row.get(y) is not None]
    # Values of one kind are in order; others by their text.
    values = sorted({_key(row.get(by)) for row in drawn}) if by else [None]
    for at, value in enumerate(values):
        own = [row for row in drawn if by is None or _key(row.get(by)) == value]
        own.sort(key=lambda row: _key(row[x]))
        label = f"{by} {value[1] if value[0] else format(value[2], 'g')}" if value else None
        look = _style.look(at, len(values), label or "")
        if by is None:
            look |= {"linestyle": "", "label": None}
        ax.plot([_shown(row[x]) for row in own], [_shown(row[y]) for row in own], **look)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if by:
        _style.legend(ax, len(values))
    return ax


def _key(value: Any) -> tuple[bool, str, float]:
    """What values are sorted by: numbers before texts."""
    if isinstance(value, (int, float)):
        return (False, "", float(value))
    return (True, str(value), 0.0)


def _shown(value: Any) -> Any:
    """A number, or the text of anything else."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
