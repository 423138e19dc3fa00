"""The ToRs that failures cut off from sources."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from lightloom.failures import Impact
from lightloom.plot import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Above this many ToRs a linear axis hides sources that lose few.
_MANY = 100


def impact(impact: Impact | Iterable[Impact], ax: Axes | None = None) -> Axes:
    """Cumulative distribution of the ToRs that sources lose by failures.

    Parameters
    ----------
    impact : lightloom.Impact or iterable of them
        The impacts to draw, one line each. Up to 16 have names beside the figure.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).

    Returns
    -------
    matplotlib.axes.Axes
        The number of ToRs cut off on the x axis; on the y axis the share of sources that lose at
        most this many, in percent.

    Raises
    ------
    ImportError
        Without matplotlib.

    Examples
    --------
    >>> from lightloom import Fabric, plot
    >>> axes = plot.impact(Fabric(p=2, k=2).impact("relay:3"))
    """
    several = isinstance(impact, Iterable) and not isinstance(impact, Impact)
    impacts: list[Impact] = list(impact) if several else [impact]  # type: ignore[arg-type, list-item]
    for one in impacts:
        _style.expect("impact", one, Impact)
    ax = _style.axes(ax, "impact")
    _style.plain(ax)
    for at, one in enumerate(impacts):
        lost = np.sort(one.lost)
        values, places = np.unique(lost, return_index=True)
        upto = np.append(places[1:], len(lost)) / len(lost) * 100
        # From 0 ToRs on. The last step goes on to all ToRs, so all lines end at the same place.
        xs = np.concatenate([[0], values, [len(lost) - 1]])
        ys = np.concatenate([[0.0], upto, [100.0]])
        ax.plot(
            xs,
            ys,
            drawstyle="steps-post",
            markevery=slice(1, len(xs) - 1),
            **_style.look(at, len(impacts), _style.shortened(", ".join(one.failed), 40)),
        )
    if any(len(one.lost) > _MANY for one in impacts):
        # Most sources lose few ToRs, and some lose all.
        ax.set_xscale("symlog", linthresh=1, linscale=0.5)
        ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlabel("ToRs cut off from a source (number)")
    ax.set_ylabel("sources that lose at most as many (%)")
    ax.set_ylim(0, 103)
    many = f", {len(impacts):,} failure sets" if len(impacts) > _style.FEW else ""
    ax.set_title(f"Impact before repair{many}")
    _style.legend(ax, len(impacts), "failed")
    return ax
