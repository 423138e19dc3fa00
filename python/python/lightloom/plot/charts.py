"""Distributions: the margins of a budget, and the ToRs that failures cut off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from lightloom._report import count
from lightloom.fabric import Budget
from lightloom.failures import Impact
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


# Above this many ToRs a linear axis hides sources that lose few.
_MANY = 100


def impact(impact: Impact | Iterable[Impact], ax: Axes | None = None) -> Axes:
    """Cumulative distribution of the ToRs that sources lose by failures.

    Parameters
    ----------
    impact : lightloom.Impact or iterable of them
        The impacts to draw, one line each.
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
            linestyle=_style.DASHES[at % len(_style.DASHES)],
            marker=_style.MARKS[at % len(_style.MARKS)],
            markevery=slice(1, len(xs) - 1),
            markersize=4,
            linewidth=1.5,
            color=_style.GREYS[at % len(_style.GREYS)],
            label=_style.shortened(", ".join(one.failed), 40),
        )
    if any(len(one.lost) > _MANY for one in impacts):
        # Most sources lose few ToRs, and some lose all.
        ax.set_xscale("symlog", linthresh=1, linscale=0.5)
        ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlabel("ToRs cut off from a source (number)")
    ax.set_ylabel("sources that lose at most as many (%)")
    ax.set_ylim(0, 103)
    ax.set_title("Impact before repair")
    if impacts:
        ax.legend(title="failed", frameon=False, fontsize=9, loc="lower right")
    return ax
