"""Throughput over time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._pictures.tables import time_unit
from lightloom.errors import SimulationError
from lightloom.plot import _style
from lightloom.runs import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def throughput(
    result: Result, ax: Axes | None = None, flows: bool | int | Iterable[int] = False
) -> Axes:
    """Payload that arrived over time, for all hosts together or by flow.

    Parameters
    ----------
    result : lightloom.Result
        The result of one run.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into (default: a new figure).
    flows : bool, int or iterable of int, optional
        Flows by number, or ``True`` for all: one line per flow instead of the sum. If the scenario
        records flows (``[probes] flows = true``), a line is the rate over time. Otherwise it is the
        mean from start to completion, and a flow that did not complete has no line.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the x axis, Gb/s on the y axis.

    Raises
    ------
    ImportError
        Without matplotlib.
    lightloom.SimulationError
        If the result is of several runs, or if there is no such flow.

    Examples
    --------
    >>> from lightloom import plot, samples
    >>> axes = plot.throughput(samples.scenario().run())
    """
    _style.expect("result", result, Result)
    goodput, start = result.goodput_bps, result.time_s
    numbers = _numbers(flows, len(result.fct_s))
    ax = _style.axes(ax, "throughput")
    _style.plain(ax)
    interval = result.report["throughput"]["interval_ps"] / 1e12
    edges = np.append(start, start[-1] + interval) if len(start) else np.zeros(1)
    factor, unit = time_unit(float(edges[-1]))
    if numbers and result.records_flows:
        _series(ax, result, numbers, edges * factor)
        title = f"Throughput by flow, mean of each {interval * factor:.3g} {unit}"
    elif numbers:
        _flows(ax, result, numbers, factor)
        title = "Throughput by flow, mean from start to completion"
    else:
        ax.stairs(goodput / 1e9, edges * factor, fill=True, color=_style.FAINT)
        ax.stairs(goodput / 1e9, edges * factor, color=_style.LIT, linewidth=1.5)
        title = f"Throughput of all hosts, mean of each {interval * factor:.3g} {unit}"
    ax.set_xlabel(f"time ({unit})")
    ax.set_ylabel("throughput (Gb/s)")
    ax.set_ylim(bottom=0)
    ax.set_xlim(left=0)
    if not numbers:
        ax.set_xlim(right=float(edges[-1]) * factor or 1)
    ax.set_title(title)
    _style.legend(ax, len(numbers))
    return ax


def _numbers(flows: bool | int | Iterable[int], of: int) -> list[int]:
    if isinstance(flows, (bool, np.bool_)):
        return list(range(of)) if flows else []
    given = flows if isinstance(flows, Iterable) else [flows]
    numbers = [_inputs.whole("flows", flow) for flow in given]
    for number in numbers:
        if not 0 <= number < of:
            raise SimulationError(f"flows: found {number}; there are {of:,} flows", field="flows")
    return numbers


def _name(result: Result, flow: int) -> str:
    table = result._flows
    return f"flow {flow}, host {table['from'][flow]} to {table['to'][flow]}"


def _series(ax: Axes, result: Result, numbers: list[int], edges: npt.NDArray[np.float64]) -> None:
    """The recorded rate of each flow, step by step."""
    series = result._series
    interval = result.report["throughput"]["interval_ps"]
    for at, flow in enumerate(numbers):
        mine = series["flow"] == flow
        rate = np.zeros(len(edges) - 1)
        rate[(series["start_ps"][mine] // interval).astype(int)] = series["goodput_bps"][mine]
        look = _style.look(at, len(numbers), _name(result, flow), mark=False)
        del look["marker"], look["markersize"]
        ax.stairs(rate / 1e9, edges, baseline=None, **look)


def _flows(ax: Axes, result: Result, numbers: list[int], factor: float) -> None:
    """A line from start to completion for each flow. Markers distinguish a few flows."""
    table = result._flows
    for at, flow in enumerate(numbers):
        took = result.fct_s[flow]
        if not took > 0:
            continue
        begun = float(table["start_ps"][flow]) / 1e12
        rate = float(table["size_bytes"][flow]) * 8 / took / 1e9
        ax.plot(
            [begun * factor, (begun + took) * factor],
            [rate, rate],
            **_style.look(at, len(numbers), _name(result, flow)),
        )
