"""The Pareto front of an exploration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from lightloom.errors import DesignError
from lightloom.exploring import Exploration
from lightloom.plot import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AGAINST = {
    "power_w": ("power (kW)", 1e-3),
    "max_hops": ("hops to the farthest ToR (number)", 1.0),
    "mean_hops": ("mean hops (number)", 1.0),
    "fibre_m": ("fibre (km)", 1e-3),
    "worst_margin_db": ("least margin (dB)", 1.0),
    "parallel_sources": ("sources at line rate at once (number)", 1.0),
    "ports_per_tor": ("ports of each ToR (number)", 1.0),
    "cables_beyond_rows": ("cables between rows (number)", 1.0),
    "fullest_tray_percent": ("fill of the fullest tray (%)", 1.0),
}
_MORE_IS_BETTER = ("worst_margin_db", "parallel_sources")
_MARKS = {"kautz": "o", "shufflecast": "s"}
_FILLED: dict[str, Literal["full", "none", "left"]] = {"receiver": "full", "zone": "left"}
_PLACES = {"zone": "in frames", "receiver": "at receivers", "sender": "at senders"}


def front(exploration: Exploration, ax: Axes | None = None, against: str = "power_w") -> Axes:
    """Designs by cost and one other figure, with the Pareto front.

    A design is on the front if no other design dominates it: is at least as good in everything that
    the exploration compares (cost, fibre, power, hops, parallel sources, margin, cables between
    rows, fullest tray) and better in one.
    A design can be worse in the two figures of the plot and be on the front because of a third.

    Parameters
    ----------
    exploration : lightloom.Exploration
        The exploration.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).
    against : str, optional
        The figure to plot against cost: power_w, max_hops, mean_hops, fibre_m, worst_margin_db,
        parallel_sources, ports_per_tor, cables_beyond_rows or fullest_tray_percent.

    Returns
    -------
    matplotlib.axes.Axes
        Cost on the x axis, the other figure on the y axis. The title has the number of designs
        without one of the two. The cost is the known part if prices are missing.

    Raises
    ------
    ImportError
        Without matplotlib.
    lightloom.DesignError
        If ``against`` is not one of these.

    Examples
    --------
    >>> import lightloom
    >>> axes = lightloom.plot.front(lightloom.explore(12))
    """
    _style.expect("exploration", exploration, Exploration)
    if not isinstance(against, str) or against not in _AGAINST:
        known = ", ".join(_AGAINST)
        message = f"against: found {against!r}; expected one of {known}"
        raise DesignError(message, field="against")
    ax = _style.axes(ax, "front", 7.2, 5.2)
    _style.plain(ax)
    label, factor = _AGAINST[against]
    designs: list[dict[str, Any]] = exploration.report["designs"]
    # If no price in dollars is known, costs cannot be compared.
    shown = [d for d in designs if d["cost_usd"] is not None and d[against] is not None]
    for pareto in (False, True):
        for (family, housing), group in _groups(shown, pareto).items():
            _points(ax, group, family, housing, pareto, against, factor)
    whole = all(design["cost_compares"] for design in shown)
    ax.set_xlabel("cost (thousand USD)" if whole else "known cost (thousand USD)")
    ax.set_ylabel(label)
    missing = len(designs) - len(shown)
    note = f"; {missing:,} without cost or figure" if missing else ""
    ax.set_title(f"Designs for {exploration.report['tors']:,} ToRs{note}")
    if shown:
        ax.margins(0.08, 0.1)
        _best(ax, shown, against, factor)
        ax.legend(
            loc="upper center", bbox_to_anchor=(0.5, -0.15), ncol=2, frameon=False, fontsize=9
        )
        _names(ax, sorted(shown, key=lambda d: not d["pareto"]), against, factor)
    return ax


def _groups(designs: list[Any], pareto: bool) -> dict[tuple[str, str], list[Any]]:
    groups: dict[tuple[str, str], list[Any]] = {}
    for design in designs:
        if design["pareto"] == pareto:
            groups.setdefault((design["family"], design["housing"]), []).append(design)
    return groups


def _points(
    ax: Axes, group: list[Any], family: str, housing: str, pareto: bool, against: str, factor: float
) -> None:
    """The mark shows the family, its filling the housing, its colour whether it is dominated."""
    colour = _style.LIT if pareto else _style.LINE
    state = "" if pareto else ", dominated"
    ax.plot(
        [design["cost_usd"] / 1e3 for design in group],
        [design[against] * factor for design in group],
        linestyle="none",
        marker=_MARKS.get(family, "^"),
        markersize=7 if pareto else 5,
        color=colour,
        fillstyle=_FILLED.get(housing, "none"),
        markerfacecoloralt="none",
        markeredgewidth=1.3 if pareto else 0.9,
        alpha=1.0 if pareto else 0.8,
        zorder=3 if pareto else 2,
        label=f"{family}, splitters {_PLACES.get(housing, housing)}{state}",
    )


def _best(ax: Axes, designs: list[Any], against: str, factor: float) -> None:
    """A line through the designs that no cheaper design beats in this figure."""
    sign = -1 if against in _MORE_IS_BETTER else 1
    best: list[tuple[float, float]] = []
    for design in sorted(designs, key=lambda d: (d["cost_usd"], sign * d[against])):
        value = design[against] * factor
        if not best or sign * value < sign * best[-1][1]:
            best.append((design["cost_usd"] / 1e3, value))
    if len(best) > 1:
        ax.step(
            *zip(*best, strict=True),
            where="post",
            color=_style.INK,
            linestyle=":",
            linewidth=1.1,
            zorder=1,
            label="best for its cost",
        )


def _names(ax: Axes, designs: list[Any], against: str, factor: float) -> None:
    """The splitter size of each design on the front, unless it overlaps another name or point."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.canvas.draw()
    # In points of the screen. A letter of a name takes 6 by 12 points.
    scale = figure.dpi / 72
    # Dominated designs keep their places but get no names.
    points = [
        ax.transData.transform((design["cost_usd"] / 1e3, design[against] * factor))
        for design in designs
    ]
    taken = [(x - 5 * scale, y - 5 * scale, x + 5 * scale, y + 5 * scale) for x, y in points]
    named: set[tuple[int, int]] = set()
    for (x, y), design in zip(points, designs, strict=True):
        if not design["pareto"]:
            break
        name = f"1:{design['p']}"
        if (round(x / (8 * scale)), round(y / (8 * scale))) in named:
            continue
        wide, high = 5.2 * len(name) * scale, 10 * scale
        for dx, dy in ((8, -4), (-8 - wide / scale, -4), (-8, 7), (-8, -17), (6, 5), (6, -14)):
            left, low = x + dx * scale, y + dy * scale
            box = (left, low, left + wide, low + high)
            if all(not _meet(box, other) for other in taken):
                ax.annotate(
                    name,
                    (design["cost_usd"] / 1e3, design[against] * factor),
                    (dx, dy),
                    textcoords="offset points",
                    fontsize=8,
                    color=_style.INK,
                    bbox={"facecolor": _style.PAPER, "edgecolor": "none", "pad": 0.4},
                )
                taken.append(box)
                named.add((round(x / (8 * scale)), round(y / (8 * scale))))
                break


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
