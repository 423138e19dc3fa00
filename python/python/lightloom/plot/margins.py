"""The margins of an optical budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lightloom._report import count
from lightloom.fabric import Budget
from lightloom.plot import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lightloom.light import Values

# Below this ratio of spread to distance, an axis that includes the limit squeezes the margins.
_SQUEEZED = 0.08
_BINS = 24


def budget(budget: Budget, ax: Axes | None = None) -> Axes:
    """Histogram of the margins of all branches, with the limit.

    If the margins differ little compared with their distance from the limit, an inset shows them
    enlarged.

    Parameters
    ----------
    budget : lightloom.Budget
        The budget.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).

    Returns
    -------
    matplotlib.axes.Axes
        The margin in dB on the x axis, the number of branches on the y axis.

    Raises
    ------
    ImportError
        Without matplotlib.

    Examples
    --------
    >>> from lightloom import Fabric, plot
    >>> axes = plot.budget(Fabric(p=2, k=2, transceiver="10gbase-er").budget())
    """
    _style.expect("budget", budget, Budget)
    ax = _style.axes(ax, "budget")
    margins = budget.margin_db[np.isfinite(budget.margin_db)]
    _style.plain(ax)
    ax.set_xlabel("margin (dB)")
    ax.set_ylabel("branches (number)")
    ax.set_title(f"Optical margin, {budget.case} case, {budget.report['transceiver']}")
    ax.axvline(0.0, color=_style.BAD, linestyle="--", linewidth=1.6, label="limit, 0 dB")
    unknown = len(budget) - len(margins)
    if len(margins) == 0:
        ax.text(0.5, 0.5, "no margin is known", transform=ax.transAxes, ha="center")
    else:
        low, high = float(margins.min()), float(margins.max())
        name = count(len(margins), "branch") + (f", {unknown:,} more unknown" if unknown else "")
        reach = max(high, 0.0) - min(low, 0.0)
        squeezed = high - low < _SQUEEZED * reach
        _histogram(ax, margins, reach / (2 * _BINS) if squeezed else 0.0, name)
        ax.axvline(low, color=_style.INK, linestyle=":", label=f"least margin, {low:.2f} dB")
        side = 0.06 * reach
        ax.set_xlim(min(low, 0.0) - side, max(high, 0.0) + side)
        if squeezed and high > low:
            # Lines behind the inset would cross its labels.
            ax.grid(False)
            _enlarged(ax, margins)
    # The legend is above the data, because a histogram may fill the whole area.
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=3, frameon=False, fontsize=9)
    return ax


def _histogram(ax: Axes, margins: Values, least: float, name: str) -> None:
    """Bars of equal width. If the margins hardly differ, there is one bar of ``least`` dB."""
    low, high = float(margins.min()), float(margins.max())
    if least > 0.0 or high == low:
        half = least / 2 or 0.05
        middle = (low + high) / 2
        edges = [middle - half, middle + half]
    else:
        edges = np.linspace(low, high, _BINS + 1).tolist()
    ax.hist(margins, edges, color=_style.LINE, edgecolor=_style.INK, linewidth=0.7, label=name)


def _enlarged(ax: Axes, margins: Values) -> None:
    """The same histogram, without the distance to the limit."""
    near_right = float(margins.mean()) > 0.0
    inset = ax.inset_axes((0.2 if near_right else 0.32, 0.34, 0.5, 0.5))
    _histogram(inset, margins, 0.0, "")
    _style.plain(inset)
    inset.tick_params(labelsize=8)
    inset.locator_params(axis="x", nbins=4)
    inset.ticklabel_format(axis="x", useOffset=False)
    inset.set_xlabel("margin (dB)", fontsize=8)
    inset.set_ylabel("branches (number)", fontsize=8)
    inset.set_title("enlarged", fontsize=9)
