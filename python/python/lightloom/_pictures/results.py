"""Results of the twin: figures, and throughput over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lightloom._pictures import tables
from lightloom._report import count


def one_run(report: dict[str, Any], end: str, goodput_bps: Sequence[float]) -> str:
    """The figures of a run, with its goodput in each interval."""
    flows, network, queues = report["flows"], report["network"], report["queues"]
    rows = [
        ("network", f"{network['kind']}, {count(network['hosts'], 'host')}"),
        ("ended", f"{end}, at {_time(report['end']['reached_ps'])}"),
        *_moved("flows", flows, report["goodput"]["flows"]),
        *_moved("messages to groups", report.get("to_groups"), report["goodput"]["groups"]),
        ("drops", f"{sum(drop['packets'] for drop in report['drops']):,} packets"),
        ("pauses", f"{queues['pauses']:,}"),
    ]
    series = report["throughput"]
    starts = [at * series["interval_ps"] / 1e12 for at in range(len(series["bytes"]))]
    chart = tables.chart(starts, goodput_bps, len(starts) * series["interval_ps"] / 1e12)
    return tables.facts("Result", rows) + (chart if starts else "")


def several_runs(runs: Sequence[dict[str, Any]]) -> str:
    """One line for each run."""

    def row(run: dict[str, Any]) -> list[str]:
        flows = run["flows"]
        return [
            str(run["seed"]),
            f"{run['end']['how']}, at {_time(run['end']['reached_ps'])}",
            f"{flows['completed']:,}",
            f"{flows['unfinished']:,}",
            gbps(run["goodput"]["all"]),
            _completion(flows["completion"]),
        ]

    head = ("seed", "ended", "completed", "unfinished", "goodput", "completion time")
    return tables.table(f"Result of {count(len(runs), 'run')}", head, map(row, runs))


def gbps(moved: dict[str, Any] | None) -> str:
    """A goodput of a report; of a run that moved nothing there is none."""
    return f"{moved['goodput_bps'] / 1e9:.2f} Gb/s" if moved else "no goodput"


def _moved(
    name: str, of: dict[str, Any] | None, goodput: dict[str, Any] | None
) -> list[tuple[str, str]]:
    """Rows of flows, or of messages to groups; none where the run has none."""
    if of is None or not of["completed"] + of["unfinished"]:
        return []
    return [
        (name, f"{of['completed']:,} completed, {of['unfinished']:,} unfinished"),
        (f"goodput of {name}", gbps(goodput)),
        (f"completion time of {name}", _completion(of["completion"])),
    ]


def _completion(of: dict[str, Any] | None) -> str:
    if of is None or not of["count"]:
        return "none completed"
    return f"mean {_time(of['mean_ps'])}, 99th percentile {_time(of['p99_ps'])}"


def _time(ps: int) -> str:
    factor, unit = tables.time_unit(ps / 1e12)
    return f"{ps / 1e12 * factor:.4g} {unit}"
