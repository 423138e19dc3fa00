"""Small HTML tables of answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from lightloom._pictures import svg

# Names may have dollar signs, which notebooks would read as formulas.
_DIV = '<div class="tex2jax_ignore mathjax_ignore">'
_CELL = "padding:2px 10px;text-align:{};border-bottom:1px solid " + svg.FAINT


class Columns(Protocol):
    """The columns of a table."""

    def __getitem__(self, column: str) -> Any: ...
    def __len__(self) -> int: ...


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    """A table with a caption. The first column is text; numbers are right-aligned."""
    lines = "".join("<tr>" + "".join(_cell("td", cell) for cell in row) + "</tr>" for row in rows)
    heads = "".join(_cell("th", cell) for cell in head)
    return _titled(title, f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody>", note)


def facts(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """The facts of an answer, one per line."""
    lines = "".join(
        f"<tr>{_cell('th', name, 'left')}{_cell('td', value, 'left')}</tr>" for name, value in rows
    )
    return _titled(title, f"<tbody>{lines}</tbody>")


def _titled(title: str, rows: str, note: str = "") -> str:
    """A table of rows that are already markup, with a caption above and a note below."""
    below = f'<p style="margin:4px 0;color:{svg.MUTED}">{svg.escaped(note)}</p>' if note else ""
    return (
        f'{_DIV}<p style="margin:4px 0"><b>{svg.escaped(title)}</b></p>'
        f'<table style="border-collapse:collapse">{rows}</table>{below}</div>'
    )


def _cell(kind: str, words: str, align: str = "") -> str:
    side = align or ("right" if words[:1].isdigit() or words[:1] == "-" else "left")
    return f'<{kind} style="{_CELL.format(side)}">{svg.escaped(words)}</{kind}>'


def listed(items: Sequence[object], most: int = 6) -> str:
    """The first of many items, and the number of the others."""
    words = ", ".join(str(item) for item in items[:most])
    return words + (f" and {len(items) - most:,} more" if len(items) > most else "")


def budget(title: str, names: Sequence[str], branches: Columns, most: int = 20) -> str:
    """Branches of a budget, worst first."""
    head = ("from", "to", "loss (dB)", "received (dBm)", "margin (dB)", "headroom (dB)", "verdict")
    ends = ([names[tor] for tor in branches[key][:most]] for key in ("from_tor", "to_tor"))
    keys = ("loss_db", "rx_dbm", "margin_db", "headroom_db")
    values = (
        ["unknown" if value != value else f"{value:.2f}" for value in branches[key][:most]]
        for key in keys
    )
    rows = zip(*ends, *values, branches["verdict"][:most], strict=True)
    more = len(branches) - most
    note = f"and {more:,} more, with more margin" if more > 0 else ""
    return table(title, head, rows, note)


def chart(start_s: Sequence[float], goodput_bps: Sequence[float], end_s: float) -> str:
    """A small chart of throughput over time, in steps."""
    width, height, left, below = 420.0, 120.0, 52.0, 34.0
    most = max(max(goodput_bps, default=0.0), 1.0)
    span = max(end_s - (start_s[0] if start_s else 0.0), 1e-12)
    first = start_s[0] if start_s else 0.0

    def x(at: float) -> float:
        return left + width * (at - first) / span

    steps: list[str | float] = ["M", x(first), height]
    for at, until, rate in zip(start_s, [*start_s[1:], end_s], goodput_bps, strict=True):
        y = height - (height - 12) * rate / most
        steps += ["L", x(at), y, "L", x(until), y]
    steps += ["L", x(end_s), height, "Z"]
    axis = svg.path(
        ["M", left, 8.0, "L", left, height, "L", left + width, height],
        fill="none",
        stroke=svg.MUTED,
    )
    factor, unit = time_unit(end_s)
    look: dict[str, str | float] = {"font_size": 10, "fill": svg.MUTED}
    parts = [
        svg.path(steps, fill=svg.LIT, fill_opacity=0.25, stroke=svg.LIT, stroke_width=1.2),
        axis,
        svg.text(left - 5, 15.0, _gbps(most), text_anchor="end", **look),
        svg.text(left - 5, height + 3, "0", text_anchor="end", **look),
        svg.text(left - 5, 30.0, "Gb/s", text_anchor="end", **look),
        svg.text(left, height + 14, f"{first * factor:.3g}", text_anchor="middle", **look),
        svg.text(left + width, height + 14, f"{end_s * factor:.3g}", text_anchor="end", **look),
        svg.text(left + width / 2, height + 26, f"time ({unit})", text_anchor="middle", **look),
    ]
    return svg.document(0.0, 0.0, left + width + 12, height + below, "Throughput over time", parts)


def _gbps(rate_bps: float) -> str:
    rate = rate_bps / 1e9
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def time_unit(longest_s: float) -> tuple[float, str]:
    """The factor for seconds that gives readable numbers, and the resulting unit."""
    for limit, factor, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if longest_s < limit:
            return factor, unit
    return 1.0, "s"
