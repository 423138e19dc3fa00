"""The common style of all figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightloom._extras import need
from lightloom._pictures.svg import BAD, FAINT, INK, LINE, LIT, MUTED, PAPER, shortened
from lightloom.errors import DesignTypeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Figures have the colours of pictures.
__all__ = ["BAD", "FAINT", "INK", "LINE", "LIT", "MUTED", "PAPER", "shortened"]

DASHES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v", "x")
GREYS = (LIT, INK, MUTED)
"""Line styles, markers and colours that distinguish lines, also in print without colours."""


def module(name: str, caller: str) -> Any:
    """A module of matplotlib, or an ``ImportError`` that names the extra to install."""
    return need("matplotlib", f"plot.{caller}()", name)


def axes(ax: Axes | None, caller: str, width: float = 6.4, height: float = 4.0) -> Axes:
    """The given Axes, or those of a new figure. Sizes are in inches."""
    matplotlib = module("matplotlib.axes", caller)
    if ax is None:
        pyplot = module("matplotlib.pyplot", caller)
        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    if not isinstance(ax, matplotlib.Axes):
        raise DesignTypeError(f"ax: found {ax!r}; expected the Axes of a figure", field="ax")
    found: Axes = ax
    return found


def plain(ax: Axes) -> None:
    """Removes the frame and adds a faint grid behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(True, color=FAINT, linewidth=0.6)
    ax.set_axisbelow(True)


FEW = 24
"""Up to this many lines differ and have names."""


def look(at: int, of: int, label: str, mark: bool = True) -> dict[str, Any]:
    """The style of one of several lines. Many lines are thin and have no names."""
    few = of <= FEW
    return {
        "linestyle": DASHES[at % len(DASHES)] if few else "-",
        "linewidth": 1.2 if few else 0.7,
        "color": GREYS[at % len(GREYS)] if few else INK,
        "alpha": 1.0 if few else 0.5,
        "label": label if few else None,
        # One further each twelve, so that no two of a few are alike.
        "marker": MARKS[(at + at // 12) % len(MARKS)] if few and mark else None,
        "markersize": 4,
    }


def legend(ax: Axes, of: int, title: str | None = None) -> None:
    """The names of a few lines, beside the figure, where they cover nothing."""
    if 0 < of <= FEW:
        ax.legend(
            title=title, frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1)
        )


def expect(field: str, found: object, kind: type) -> None:
    """Refuses a value of the wrong type."""
    if not isinstance(found, kind):
        message = f"{field}: found {found!r}; expected {kind.__name__}"
        raise DesignTypeError(message, field=field)
