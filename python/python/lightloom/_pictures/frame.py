"""The common parts of all pictures of a fabric: a heading above and a legend below."""

from __future__ import annotations

from collections.abc import Callable

from lightloom._broken import Broken, Multicast
from lightloom._opened import Opened
from lightloom._pictures import svg
from lightloom._report import count

Sign = tuple[Callable[[float, float], str], str]
"""A function that draws a sign at a place, and the meaning of the sign."""

NAMED = 64
"""Up to this many ToRs every name is written. Above it, names show on hover."""
HEAD, LEGEND_LINE = 64.0, 20.0


def what(fabric: Opened) -> str:
    """The name of the fabric."""
    if fabric.k is not None:
        return f"{fabric.p},{fabric.k}-Shufflecast"
    family = {"kautz": "Kautz fabric"}.get(fabric.family, "Fabric")
    return f"{family}, splitters of {fabric.p}"


def headings(fabric: Opened, tree: Multicast | None, found: Broken) -> tuple[str, str, str]:
    """The heading lines: the subject, the figures and the failures."""
    sizes = f"{count(fabric.tors, 'ToR')}, {count(fabric.cassettes, 'cassette')}"
    title = f"{what(fabric)}: {sizes}"
    place = "in frames" if fabric.housing == "zone" else f"at the {fabric.housing}s"
    second = f"Router: {fabric.router}; splitters {place}"
    if tree is not None:
        name = svg.shortened(fabric.tor_names[tree.source])
        second = (
            f"Multicast from {name}: {count(len(tree), 'relay')}, "
            f"{count(tree.max_hops, 'hop')} to the farthest ToR"
        )
    third = ""
    if found.names:
        listed = ", ".join(found.names[:4]) + (", …" if len(found.names) > 4 else "")
        third = f"Failed: {listed}"
        if tree is not None:
            lost = count(len(found.lost), "ToR") if found.lost else "no ToR"
            third += f"; {lost} cut off before repair"
    return title, second, third


def head(left: float, top: float, texts: tuple[str, str, str]) -> list[str]:
    """The heading, from its upper left corner."""
    title, second, third = texts
    parts = [
        svg.text(left, top + 16, title, font_size=16, font_weight="bold"),
        svg.text(left, top + 35, second, font_size=12, fill=svg.MUTED),
    ]
    if third:
        parts.append(svg.text(left, top + 52, third, font_size=12, fill=svg.BAD))
    return parts


def legend(left: float, top: float, width: float, signs: list[Sign]) -> tuple[list[str], float]:
    """Signs with their meanings, in as many lines as needed, and the height of the legend."""
    parts, x, y = [], left, top + 12
    for draw, meaning in signs:
        room = 24 + 6.2 * len(meaning) + 14
        if x > left and x + room > left + width:
            x, y = left, y + LEGEND_LINE
        parts.append(draw(x + 8, y - 4))
        parts.append(svg.text(x + 22, y, meaning, font_size=11, fill=svg.MUTED))
        x += room
    return parts, y - top + 12


def framed(
    radius: float,
    fabric: Opened,
    tree: Multicast | None,
    found: Broken,
    drawing: list[str],
    signs: list[Sign],
) -> str:
    """A round drawing around the origin between heading and legend."""
    margin = 14.0
    texts = headings(fabric, tree, found)
    widest = max(9.2 * len(texts[0]), 6.6 * len(texts[1]), 6.6 * len(texts[2]))
    half = max(radius, 200.0, widest / 2) + margin
    top = -radius - margin - HEAD
    below, height = legend(-half + margin, radius + margin, 2 * (half - margin), signs)
    parts = [*head(-half + margin, top + 8, texts), *drawing, *below]
    return svg.document(
        -half, top, 2 * half, 2 * radius + 2 * margin + HEAD + height, texts[0], parts
    )


def crosses(
    fabric: Opened, found: Broken, place: Callable[[int], tuple[float, float]], dot: float
) -> list[str]:
    """Crosses over the ToRs with failures, which show their failures on hover."""
    parts = []
    for tor in sorted(found.at):
        cross = svg.cross(*place(tor), max(dot + 1.5, 5.0), stroke=svg.BAD, stroke_width=2.4)
        parts.append(svg.named(cross, f"{fabric.tor_names[tor]}: {', '.join(found.at[tor])}"))
    return parts


def relay_sign(x: float, y: float) -> str:
    """A ToR that relays."""
    return svg.tag("circle", cx=x, cy=y, r=4.5, fill=svg.LIT)


def leaf_sign(x: float, y: float) -> str:
    """A ToR that only receives."""
    return svg.tag("circle", cx=x, cy=y, r=4, fill=svg.PAPER, stroke=svg.LIT, stroke_width=1.3)


def source_sign(x: float, y: float) -> str:
    """The source."""
    return svg.tag("circle", cx=x, cy=y, r=6.5, fill="none", stroke=svg.INK, stroke_width=1.6) + (
        svg.tag("circle", cx=x, cy=y, r=3.5, fill=svg.INK)
    )


def lost_sign(x: float, y: float) -> str:
    """A ToR that is cut off."""
    return svg.tag(
        "circle", cx=x, cy=y, r=4, fill=svg.PAPER, stroke=svg.BAD, stroke_width=1.3
    ) + svg.path(["M", x - 4, y, "L", x + 4, y], stroke=svg.BAD, stroke_width=1.3)


def failed_sign(x: float, y: float) -> str:
    """A broken part."""
    return svg.cross(x, y, 5, stroke=svg.BAD, stroke_width=2.4)


def dark_sign(x: float, y: float) -> str:
    """A fibre without light."""
    return svg.path(
        ["M", x - 9, y, "L", x + 9, y], stroke=svg.BAD, stroke_width=1.6, stroke_dasharray="4 3"
    )
