"""A view of a sweep that is at work, in a notebook."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from time import monotonic
from typing import Any

from lightloom import _inputs, plot
from lightloom._extras import need

#: Seconds between two pictures.
_BETWEEN = 1.0


class Live:
    """A picture in a notebook that is drawn anew while a sweep is at work."""

    def __init__(self, columns: object, rows: Callable[[], list[dict[str, Any]]]) -> None:
        if not isinstance(columns, (tuple, list)) or len(columns) != 2:
            raise _inputs.wrong_type("live", columns, 'two columns, such as ("p", "info.max_hops")')
        x, y = (_inputs.text("live", column, "a column") for column in columns)
        self._display = need("IPython", "live=", "IPython.display").display
        self._pyplot = need("matplotlib", "live=", "matplotlib.pyplot")
        self._columns, self._rows = (x, y), rows
        self._handle: Any = None
        self._last = 0.0

    def look(self, is_last: bool = False) -> None:
        """Draws the points that are done, at most once a second."""
        if not is_last and monotonic() - self._last < _BETWEEN:
            return
        self._last = monotonic()
        x, y = self._columns
        done = [row for row in self._rows() if row.get(x) is not None and row.get(y) is not None]
        if not done:
            if is_last:
                warnings.warn(f"live: no point has both {x!r} and {y!r}", stacklevel=3)
            return
        axes = plot.points(done, x, y)
        figure = axes.get_figure()
        if self._handle is None:
            self._handle = self._display(figure, display_id=True)
        else:
            self._handle.update(figure)
        self._pyplot.close(figure)
