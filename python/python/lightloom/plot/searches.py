"""Searches and schedules: how a cost falls, and which job goes when."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._pictures.tables import time_unit
from lightloom.errors import DesignError, DesignTypeError
from lightloom.plot import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Searched(Protocol):
    """What a search has found: a placement or an assignment."""

    @property
    def curve(self) -> npt.NDArray[np.int64]:
        """The least cost after each round."""
        ...


class Timed(Protocol):
    """When a job goes."""

    @property
    def job(self) -> str:
        """Its name."""
        ...

    @property
    def source(self) -> int:
        """The ToR that sends."""
        ...

    @property
    def start_s(self) -> float:
        """Its start in seconds."""
        ...

    @property
    def end_s(self) -> float:
        """Its end in seconds."""
        ...


def search(
    found: Searched | Iterable[Searched], bound: float | None = None, ax: Axes | None = None
) -> Axes:
    """How the cost falls in a search, or in several: a line for each.

    Parameters
    ----------
    found : Placement, Assigned or an iterable of them
        What searches have found.
    bound : float, optional
        A bound on the cost, in the units of the curves, drawn as a line. With it the y axis has the
        gap to the bound, in percent.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).

    Returns
    -------
    matplotlib.axes.Axes
        Share of the rounds on the x axis; cost, or gap to the bound, on the y axis.

    Raises
    ------
    ImportError
        Without matplotlib.
    lightloom.DesignError
        If there is no curve, or if the bound is not above 0.

    Examples
    --------
    >>> from lightloom import Fabric
    >>> axes = search(Fabric(p=2, tors=60).place(chains=1, rounds=2))
    >>> axes.get_ylabel()
    'cost (USD)'
    """
    # An answer can be iterated too: it gives the keys of its report.
    is_one = hasattr(found, "curve") or not isinstance(found, Iterable)
    several: list[Any] = [found] if is_one else list(cast(Iterable[Any], found))
    curves: list[Any] = [getattr(each, "curve", None) for each in several]
    if any(not isinstance(curve, np.ndarray) for curve in curves):
        raise DesignTypeError("found: expected placements or assignments", field="found")
    if not any(len(curve) for curve in curves):
        raise DesignError("found: no search has done a round", field="found")
    if bound is not None and (isinstance(bound, bool) or not isinstance(bound, (int, float))):
        raise _inputs.wrong_type("bound", bound, "a number")
    if bound is not None and not (bound > 0 and math.isfinite(bound)):
        raise DesignError(f"bound: found {bound}; expected more than 0", field="bound")
    ax = _style.axes(ax, "search")
    _style.plain(ax)
    scale, unit = _unit(several[0])
    for at, curve in enumerate(curves):
        share = np.arange(1, len(curve) + 1) / max(len(curve), 1) * 100
        heights = curve / scale if bound is None else (curve / bound - 1) * 100
        ax.plot(share, heights, **_style.look(at, len(curves), f"search {at + 1}", mark=False))
    ax.set_xlabel("rounds (%)")
    ax.set_ylabel(f"cost{unit}" if bound is None else "above the bound (%)")
    if bound is not None:
        ax.set_ylim(bottom=0)
    if len(curves) > 1:
        _style.legend(ax, len(curves))
    return ax


def _unit(found: Any) -> tuple[float, str]:
    """What a curve is divided by, and its unit: placements count micro-units."""
    objective = getattr(found, "report", {}).get("objective")
    if isinstance(objective, dict):
        return 1e6, f" ({objective['money']})"
    return (1e6, " (m of stock length)") if objective else (1.0, "")


def schedule(starts: Sequence[Timed], ax: Axes | None = None) -> Axes:
    """Which job goes when: a bar for each.

    Parameters
    ----------
    starts : sequence of Start
        The jobs, such as those of :attr:`lightloom.optimize.Schedule.starts`.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).

    Returns
    -------
    matplotlib.axes.Axes
        Time on the x axis, jobs on the y axis, the first one on top.

    Raises
    ------
    ImportError
        Without matplotlib.
    lightloom.DesignError
        If there are no jobs.

    Examples
    --------
    >>> from lightloom.optimize import Start
    >>> axes = schedule([Start("a", 3, 0.0, 1e-3, (3,))])
    >>> [text.get_text() for text in axes.get_yticklabels()]
    ['a, ToR 3']
    """
    if isinstance(starts, (str, Mapping)) or not isinstance(starts, Iterable):
        raise _inputs.wrong_type("starts", starts, "the starts of a schedule")
    listed = list(starts)
    if not all(hasattr(start, "end_s") and hasattr(start, "job") for start in listed):
        raise _inputs.wrong_type("starts", starts, "the starts of a schedule")
    if not listed:
        raise DesignError("starts: there are no jobs", field="starts")
    height = min(1.2 + 0.28 * len(listed), 12.0)
    ax = _style.axes(ax, "schedule", height=height)
    _style.plain(ax)
    factor, unit = time_unit(max(start.end_s for start in listed))
    rows = np.arange(len(listed))
    ax.barh(
        rows,
        [(start.end_s - start.start_s) * factor for start in listed],
        left=[start.start_s * factor for start in listed],
        color=_style.FAINT,
        edgecolor=_style.LIT,
        linewidth=0.8,
    )
    names = [f"{_style.shortened(start.job, 24)}, ToR {start.source}" for start in listed]
    ax.set_yticks(rows, names, fontsize=8 if len(listed) <= 40 else 5)
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.set_xlabel(f"time ({unit})")
    return ax
