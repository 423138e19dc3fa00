"""The floor plan of a hall: racks, trays and the fibres in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._broken import Broken, Fibres, broken, fibres_of
from lightloom._pictures.frame import what
from lightloom._report import count
from lightloom.fabric import Fabric
from lightloom.plot import _style
from lightloom.tree import Tree, tree_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Places = npt.NDArray[np.float64]

# The largest size of a cabinet. Racks that are closer together are drawn smaller.
_WIDE_M, _DEEP_M = 0.6, 1.2
# The largest numbers of racks and rows whose names are all written.
_NAMED, _ROWS = 40, 36


def floor_plan(
    fabric: Fabric,
    tree: Tree | _inputs.ToR | None = None,
    failed: _inputs.Failed = (),
    ax: Axes | None = None,
) -> Axes:
    """The hall from above: racks in their rows, and the fibres along the trays.

    Rooms of a building are one behind the other, with their outlines and names. A way between them
    is a straight line.

    The width of a line is in proportion to the number of fibres in the tray. With a tree, the
    fibres that carry its light are drawn over all others.

    Parameters
    ----------
    fabric : lightloom.Fabric
        The fabric.
    tree : lightloom.Tree, int or str, optional
        A tree, or the source of a tree.
    failed : str or iterable of str or int, optional
        Failures as in :meth:`lightloom.Fabric.impact`. With a tree, the plan also shows the racks
        that they cut off and the dark fibres.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).

    Returns
    -------
    matplotlib.axes.Axes
        Metres along the rows on the x axis, metres across the rows on the y axis; the names of the
        rows are on the right.

    Raises
    ------
    ImportError
        Without matplotlib.
    lightloom.DesignError
        If a ToR or a failure is not of this fabric, if it has too many fibres to list, or if a tree
        with failures is drawn for more than 4,096 ToRs.

    Examples
    --------
    >>> from lightloom import Fabric, plot
    >>> axes = plot.floor_plan(Fabric(p=2, k=2), tree=0)
    """
    _style.expect("fabric", fabric, Fabric)
    drawn = tree_of(fabric, tree)
    found = broken(fabric, failed, drawn)
    hall = _Hall(json.loads(fabric._project.floor()))
    scale = min(8.4 / hall.width, max(6.4 / hall.depth, min(10 / hall.depth, 3 / hall.width)))
    own = ax is None
    size = max(hall.width * scale + 1.5, 6.4), hall.depth * scale + 1.6
    ax = _style.axes(ax, "floor_plan", *size)
    ax.set_aspect("equal")
    ax.set_xlim(-0.02 * hall.width, 1.02 * hall.width)
    ax.set_ylim(-0.02 * hall.depth, 1.02 * hall.depth)
    _rooms(ax, hall)
    _racks(ax, hall, drawn, found)
    _fibres(ax, fabric, drawn, found)
    _marks(ax, hall, drawn, found)
    _labels(ax, hall)
    title = f"{what(fabric)}, {count(fabric.tors, 'ToR')}"
    if drawn is not None:
        title += f": multicast from {_style.shortened(fabric.tor_names[drawn.source])}"
    ax.set_title(title, parse_math=False)
    ax.set_xlabel("along the rows (m)")
    ax.set_ylabel("across the rows (m)")
    figure = ax.get_figure()
    if own and figure is not None:
        figure.legend(loc="outside lower center", ncol=3, frameon=False, fontsize=8)
    else:
        ax.legend(loc="upper right", fontsize=8)
    return ax


class _Hall:
    """The report of a hall, as columns."""

    def __init__(self, report: dict[str, Any]) -> None:
        racks, rows = report["racks"], report["rows"]
        self.names = [rack["name"] for rack in racks]
        self.row_names = [row["name"] for row in rows]
        self.row_y: Places = np.array([row["y_m"] for row in rows], float)
        row = np.array([rack["row"] for rack in racks], int)
        self.x: Places = np.array([rack["x_m"] for rack in racks], float)
        self.y = self.row_y[row]
        self.frame = np.array([rack.get("role", "tor") != "tor" for rack in racks], bool)
        self.tor = np.array([-1 if rack["tor"] is None else rack["tor"] for rack in racks])
        self.rooms = [
            (room["name"], float(room["y_m"]), float(room["width_m"]), float(room["depth_m"]))
            for room in report.get("rooms", [])
        ]
        self.width = max(float(report["width_m"]), 1.0)
        self.depth = max(float(report["depth_m"]), 1.0)
        self.rack_width = min(_WIDE_M, _least_gap(self.x, row)) * 0.86
        self.rack_depth = min(_DEEP_M, 0.6 * _least_gap(np.unique(self.row_y)))

    def at(self, tors: list[int]) -> tuple[Places, Places]:
        """The places of the racks of these ToRs."""
        place = {int(tor): rack for rack, tor in enumerate(self.tor) if tor >= 0}
        racks = [place[tor] for tor in tors]
        return self.x[racks], self.y[racks]


def _least_gap(places: Places, groups: npt.NDArray[np.int_] | None = None) -> float:
    """The least distance of two places; with groups, of two places of one group."""
    order = np.argsort(places) if groups is None else np.lexsort((places, groups))
    gaps = np.diff(places[order])
    near = gaps > 0
    if groups is not None:
        near &= np.diff(groups[order]) == 0
    return float(gaps[near].min()) if near.any() else np.inf


def _rooms(ax: Axes, hall: _Hall) -> None:
    """The outline and the name of each room; nothing in a hall of one room."""
    if len(hall.rooms) < 2:
        return
    patches = _style.module("matplotlib.patches", "floor_plan")
    for name, low, width, depth in hall.rooms:
        outline = patches.Rectangle(
            (0, low), width, depth, fill=False, edgecolor=_style.FAINT, linewidth=0.8, zorder=0
        )
        ax.add_patch(outline)
        ax.text(
            0,
            low + depth,
            _style.shortened(name, 24),
            ha="left",
            va="bottom",
            fontsize=8,
            color=_style.INK,
            parse_math=False,
        )


def _racks(ax: Axes, hall: _Hall, tree: Tree | None, found: Broken) -> None:
    """Rectangles, by what a rack holds: nothing, splitters, a ToR, a relay, a ToR cut off."""
    lost = np.isin(hall.tor, sorted(found.lost))
    relays = np.zeros(len(hall.tor), bool) if tree is None else np.isin(hall.tor, tree.relays)
    looks = (
        ("rack without a ToR", (hall.tor < 0) & ~hall.frame, _style.PAPER, _style.FAINT, ""),
        ("frame", hall.frame, "#fdd49e", _style.LINE, ""),
        ("ToR", (hall.tor >= 0) & ~relays & ~lost, "#e4eaef", _style.LINE, ""),
        ("ToR that relays", relays & ~lost, "#7f9bb3", _style.INK, ""),
        ("ToR that is cut off", lost, _style.PAPER, _style.BAD, "/////"),
    )
    collections = _style.module("matplotlib.collections", "floor_plan")
    wide, deep = hall.rack_width / 2, hall.rack_depth / 2
    corners = np.array([(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)])
    for name, which, face, edge, hatch in looks:
        if which.any():
            centres = np.stack([hall.x[which], hall.y[which]], axis=1)
            racks = collections.PolyCollection(
                centres[:, None, :] + corners,
                facecolors=face,
                edgecolors=edge,
                linewidths=0.6,
                hatch=hatch,
                zorder=1,
                label=name,
            )
            ax.add_collection(racks)


def _fibres(ax: Axes, fabric: Fabric, tree: Tree | None, found: Broken) -> None:
    stretches = fabric._project.tray_stretches
    everything = stretches(None)
    most = max(int(everything[4].max()), 1) if len(everything[4]) else 1
    colour = _style.LIT if tree is None else _style.LINE
    _lines(ax, everything, most, colour, "-", 2, "fibres in a tray")
    dark = found.fibres
    if tree is not None:
        lit: Fibres = []
        broken_fibres, dark = set(dark), []
        for fibre in fibres_of(fabric, tree.relays.tolist()):
            # A relay that is cut off does not send.
            gone = fibre[0] in found.lost or fibre in broken_fibres
            (dark if gone else lit).append(fibre)
        _lines(ax, stretches(lit), most, _style.LIT, "-", 4, "fibres with light of the tree")
    if dark:
        _lines(ax, stretches(dark), most, _style.BAD, (0, (3, 1.5)), 3, "fibres that stay dark")


def _lines(
    ax: Axes, stretches: tuple[Any, ...], most: int, colour: str, style: Any, order: int, name: str
) -> None:
    """Stretches of trays with a width by their fibres. The label gives the largest number."""
    collections = _style.module("matplotlib.collections", "floor_plan")
    from_x, from_y, to_x, to_y, fibres = stretches
    if len(fibres) == 0:
        return
    ends = np.stack([from_x, from_y, to_x, to_y], axis=1).reshape(-1, 2, 2)
    lines = collections.LineCollection(
        ends,
        linewidths=0.5 + 5.5 * np.sqrt(fibres / most),
        colors=colour,
        linestyles=style,
        zorder=order,
        label=f"{name}, at most {int(fibres.max()):,}",
    )
    # Stretches of one tray join end to end.
    lines.set_capstyle("butt")
    ax.add_collection(lines)


def _marks(ax: Axes, hall: _Hall, tree: Tree | None, found: Broken) -> None:
    if tree is not None:
        ax.plot(
            *hall.at([tree.source]),
            marker="*",
            markersize=13,
            linestyle="none",
            zorder=6,
            label="source",
            color=_style.INK,
            markerfacecolor=_style.PAPER,
            markeredgewidth=1.3,
        )
    if found.at:
        ax.plot(
            *hall.at(sorted(found.at)),
            marker="X",
            markersize=9,
            linestyle="none",
            color=_style.BAD,
            markeredgecolor=_style.PAPER,
            zorder=7,
            label="failed",
        )


def _labels(ax: Axes, hall: _Hall) -> None:
    """The names of the rows on the right; in a small hall also the names of the racks."""
    step = -(-len(hall.row_y) // _ROWS)
    side = ax.secondary_yaxis("right")
    names = [_style.shortened(name, 14) for name in hall.row_names[::step]]
    # Names may have dollar signs, which are not formulas here.
    side.set_yticks(hall.row_y[::step], names, fontsize=8, parse_math=False)
    side.tick_params(length=0)
    side.set_ylabel("row" if step == 1 else f"row, every {step}th named")
    if len(hall.names) <= _NAMED:
        low = hall.y - hall.rack_depth / 2 - 0.06
        for name, x, y in zip(hall.names, hall.x, low, strict=True):
            ax.text(
                x,
                y,
                _style.shortened(name, 12),
                rotation=90,
                ha="center",
                va="top",
                fontsize=7,
                parse_math=False,
            )
