"""A fabric: its ToRs on a circle, grouped by the cassette that feeds each, with their light."""

from __future__ import annotations

import math
from collections import Counter

from lightloom._broken import Broken, receivers
from lightloom._opened import Opened
from lightloom._pictures import frame, svg


def picture(fabric: Opened, found: Broken) -> str:
    """The picture as SVG."""
    named = fabric.tors <= frame.NAMED
    radius = min(max(fabric.tors * 16.0 / (2 * math.pi), 120.0), 400.0)
    dot = min(max(0.36 * 2 * math.pi * radius / fabric.tors, 0.9), 4.5)
    fed = receivers(fabric)
    angle, middles, parts = _places(fabric, fed, radius)
    parts += _curves(fabric, found, fed, angle, middles, radius)
    names = fabric.tor_names
    for tor in range(fabric.tors):
        x, y = svg.polar(radius, angle[tor])
        parts.append(svg.named(svg.tag("circle", cx=x, cy=y, r=dot, fill=svg.LIT), names[tor]))
    parts += frame.crosses(fabric, found, lambda tor: svg.polar(radius, angle[tor]), dot)
    heard = {tor for branch in found.branches for tor in branch} if len(found.branches) < 9 else {}
    shown = range(fabric.tors) if named else sorted({*found.at, *heard})
    parts += [_name(names[tor], radius + 16, angle[tor]) for tor in _apart(shown, angle, radius)]
    longest = max((len(svg.shortened(names[tor])) for tor in shown), default=0)
    signs: list[frame.Sign] = [
        (frame.relay_sign, "ToR"),
        (_arc_sign, "cassette, over the ToRs that it feeds"),
        (_curve_sign, "the light of a ToR, on its way to a cassette"),
    ]
    if found.names:
        signs += [(frame.failed_sign, "failed"), (frame.dark_sign, "dark")]
    return frame.framed(radius + 20 + 6.2 * longest, fabric, None, found, parts, signs)


def _places(
    fabric: Opened, fed: list[list[int]], radius: float
) -> tuple[list[float], list[float], list[str]]:
    """The angle of each ToR and of the middle of each cassette, and the arcs of the cassettes."""
    # The gap between two cassettes has the width of a ToR, if cassettes have more than one ToR.
    gap = 0.8
    step = 2 * math.pi / (fabric.tors + gap * fabric.cassettes)
    angle, middles, parts = [0.0] * fabric.tors, [], []
    at = step * (1 + gap) / 2
    for cassette, tors in enumerate(fed):
        start = at
        for tor in tors:
            angle[tor] = at
            at += step
        end = at - step
        middles.append((start + end) / 2)
        pad = 0.35 * step
        arc = radius + 9
        big = 1.0 if end - start + 2 * pad > math.pi else 0.0
        a, b = svg.polar(arc, start - pad), svg.polar(arc, end + pad)
        steps: list[str | float] = ["M", *a, "A", arc, arc, 0.0, big, 1.0, *b]
        shape = svg.path(steps, fill="none", stroke=svg.INK, stroke_width=2.2)
        parts.append(svg.named(shape, f"cassette {cassette}"))
        at += gap * step
    return angle, middles, parts


def _curves(
    fabric: Opened,
    found: Broken,
    fed: list[list[int]],
    angle: list[float],
    middles: list[float],
    radius: float,
) -> list[str]:
    """The light of each ToR, on its way to its cassette, and dark branches to their receivers."""
    lit: list[str | float] = []
    parts: list[str] = []
    into = fabric.edges[:, 2].tolist()
    heads = fabric.tors <= frame.NAMED
    dark = Counter(tor for tor, _ in found.branches)
    names = fabric.tor_names
    for tor, to in sorted(found.branches):
        line = _dark(_curve(angle[tor], angle[to], radius - 5))
        parts.append(svg.named(line, f"{names[tor]} to {names[to]}: dark"))
    for tor in range(fabric.tors):
        curve = _curve(angle[tor], middles[into[tor]], radius - 5)
        # A ToR whose branches are all dark sends no light.
        if dark[tor] < len(fed[into[tor]]):
            lit += curve
            if heads:
                parts.append(_arrow(curve))
    many = fabric.tors > 256
    look = {"fill": "none", "stroke": svg.LIT}
    ground = svg.path(
        lit, stroke_width=0.5 if many else 1.0, stroke_opacity=0.35 if many else 0.6, **look
    )
    return [ground, *parts]


def _curve(start: float, end: float, inner: float) -> list[str | float]:
    """A curve between two angles: a small bow for neighbours, through the middle for opposites."""
    turn = abs((start - end + math.pi) % (2 * math.pi) - math.pi)
    pull = inner * (0.86 - 0.62 * turn / math.pi)
    near, far = svg.polar(pull, start), svg.polar(pull, end)
    return ["M", *svg.polar(inner, start), "C", *near, *far, *svg.polar(inner, end)]


def _dark(curve: list[str | float]) -> str:
    return svg.path(curve, fill="none", stroke=svg.BAD, stroke_width=1.6, stroke_dasharray="5 3")


def _arrow(curve: list[str | float]) -> str:
    """The arrowhead at the end of a curve."""
    from_x, from_y, x, y = (float(at) for at in curve[-4:])
    along = math.atan2(y - from_y, x - from_x)
    steps: list[str | float] = ["M", x, y]
    for aside in (-0.4, 0.4):
        steps += ["L", x - 7 * math.cos(along + aside), y - 7 * math.sin(along + aside)]
    return svg.path([*steps, "Z"], fill=svg.LIT)


def _apart(shown: range | list[int], angle: list[float], radius: float) -> list[int]:
    """The ToRs whose names have room. If two names would overlap, the first one stays."""
    kept: list[int] = []
    for tor in sorted(shown, key=angle.__getitem__):
        if not kept or (angle[tor] - angle[kept[-1]]) * radius > 11:
            kept.append(tor)
    return kept


def _name(name: str, radius: float, angle: float) -> str:
    x, y = svg.polar(radius, angle)
    where, left = svg.along_ray(x, y, angle)
    return svg.text(
        x,
        y,
        svg.shortened(name),
        transform=where,
        text_anchor="end" if left else "start",
        dy="0.35em",
        font_size=10,
    )


def _arc_sign(x: float, y: float) -> str:
    return svg.path(["M", x - 8, y, "L", x + 8, y], stroke=svg.INK, stroke_width=2.2)


def _curve_sign(x: float, y: float) -> str:
    steps: list[str | float] = ["M", x - 8, y + 3, "Q", x, y - 6, x + 8, y + 3]
    return svg.path(steps, fill="none", stroke=svg.LIT, stroke_width=1)
