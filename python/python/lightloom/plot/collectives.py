"""Collective operations: time and bandwidth of schedules over sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lightloom import _inputs
from lightloom.collectives import Advice
from lightloom.errors import DesignError
from lightloom.plot import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_VALUES = {
    "last_ps": ("time until the last member has all (us)", 1e-6),
    "median_ps": ("time until half of the members have all (us)", 1e-6),
    "first_ps": ("time until the first member has all (us)", 1e-6),
    "algorithm_bps": ("algorithm bandwidth (Gb/s)", 1e-9),
    "bus_bps": ("bus bandwidth (Gb/s)", 1e-9),
    "link_bps": ("on the busiest link (Gb/s)", 1e-9),
    "host_bps": ("at the busiest host (Gb/s)", 1e-9),
    "joules_per_tb": ("energy (J for each TB that arrives)", 1.0),
}


def collective(
    advice: Advice,
    ax: Axes | None = None,
    value: str = "last_ps",
    *,
    members: int | None = None,
    groups: int | None = None,
) -> Axes:
    """Times or bandwidths of schedules over sizes: a line for each schedule.

    Sizes that are extended from smaller ones have marks without filling.

    Parameters
    ----------
    advice : lightloom.Advice
        What :meth:`Fabric.collective` has found.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).
    value : str, optional
        What to draw: last_ps, median_ps, first_ps, algorithm_bps, bus_bps, link_bps, host_bps or
        joules_per_tb.
    members, groups : int, optional
        The numbers of members and of groups (default: the first ones).

    Returns
    -------
    matplotlib.axes.Axes
        Size in bytes on the x axis.

    Raises
    ------
    ImportError
        Without matplotlib.
    lightloom.DesignError
        If ``value`` is not one of these, or if no case has these members and groups.

    Examples
    --------
    >>> import lightloom
    >>> advice = lightloom.Fabric(p=2, k=2).collective("allgather", size="8 kB..64 kB")
    >>> axes = lightloom.plot.collective(advice, value="bus_bps")
    """
    _style.expect("advice", advice, Advice)
    if not isinstance(value, str) or value not in _VALUES:
        message = f"value: found {value!r}; expected one of {', '.join(_VALUES)}"
        raise DesignError(message, field="value")
    ax = _style.axes(ax, "collective", 7.2, 4.6)
    _style.plain(ax)
    cases = advice.report["cases"]
    for field, said in (("members", members), ("groups", groups)):
        wanted = _inputs.optional_number(field, said)
        known = sorted({case[field] for case in cases})
        chosen = known[0] if wanted is None and known else wanted
        cases = [case for case in cases if case[field] == chosen]
        if not cases:
            listed = ", ".join(map(str, known)) or "none, as no run is done"
            raise DesignError(f"{field}: found {wanted!r}; there are {listed}", field=field)
    label, factor = _VALUES[value]
    names = list(dict.fromkeys(case["name"] for case in cases))
    for at, name in enumerate(names):
        shown = [case for case in cases if case["name"] == name and case[value] is not None]
        sizes, values = [case["bytes"] for case in shown], [case[value] * factor for case in shown]
        (line,) = ax.plot(sizes, values, **_style.look(at, len(names), name))
        open_marks = [case["is_extended"] for case in shown]
        if any(open_marks):
            ax.plot(
                [size for size, is_open in zip(sizes, open_marks, strict=True) if is_open],
                [number for number, is_open in zip(values, open_marks, strict=True) if is_open],
                linestyle="none",
                marker="o",
                markersize=6,
                markerfacecolor="white",
                markeredgecolor=line.get_color(),
            )
    first = cases[0]
    at_once = "" if first["groups"] == 1 else f", {first['groups']:,} groups at once"
    ax.set_title(f"{advice.report['operation']} of {first['members']:,} members{at_once}")
    ax.set_xlabel("size (bytes)")
    ax.set_ylabel(label)
    ax.set_xscale("log")
    if value.endswith("_ps"):
        ax.set_yscale("log")
    _style.legend(ax, len(names))
    return ax
