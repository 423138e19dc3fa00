"""A multicast tree: the source in the middle, and a ring for every hop."""

from __future__ import annotations

import math
from itertools import pairwise

from lightloom._broken import Broken, Multicast
from lightloom._opened import Opened
from lightloom._pictures import frame, svg
from lightloom._report import count

# A gap at the top for the labels of the rings.
_GAP = 0.16


class _Layout:
    """The places of the ToRs of a tree."""

    def __init__(self, fabric: Opened, tree: Multicast) -> None:
        self.hops: list[int] = tree.hops.tolist()
        feeds, row = fabric.edges[:, 1].tolist(), tree.relay_row.tolist()
        tors = range(fabric.tors)
        self.parent = [row[feeds[tor]] for tor in tors]
        self.source, self.rings = tree.source, max(tree.max_hops, 1)
        self.children: list[list[int]] = [[] for _ in tors]
        for tor in tors:
            if tor != tree.source:
                self.children[self.parent[tor]].append(tor)
        # From the outside in: a ToR needs its own room, or the room of all ToRs that receive from
        # it.
        self.order = sorted(tors, key=self.hops.__getitem__)
        self.need = [0.0] * fabric.tors
        for tor in reversed(self.order):
            own = 1 / max(self.hops[tor], 1)
            self.need[tor] = max(own, sum(self.need[child] for child in self.children[tor]))
        self.angle = [0.0] * fabric.tors
        self._turn(self.source, _GAP, 2 * math.pi - _GAP)

    def _turn(self, root: int, start: float, end: float) -> None:
        """Gives each ToR below a root its angle; the ToRs of a subtree share its room."""
        waiting = [(root, start, end)]
        while waiting:
            tor, start, end = waiting.pop()
            self.angle[tor] = (start + end) / 2
            total = sum(self.need[child] for child in self.children[tor])
            at = start
            for child in self.children[tor]:
                room = (end - start) * self.need[child] / total
                waiting.append((child, at, at + room))
                at += room

    def spacing(self) -> float:
        """The least distance of two ToRs on a ring, in rings."""
        least = 1.0
        for hop in range(1, self.rings + 1):
            angles = sorted(self.angle[tor] for tor in self.order if self.hops[tor] == hop)
            gaps = (b - a for a, b in pairwise(angles))
            least = min([least, *(gap * hop for gap in gaps)])
        return least


def picture(fabric: Opened, tree: Multicast, found: Broken) -> str:
    """The picture as SVG."""
    layout = _Layout(fabric, tree)
    named = fabric.tors <= frame.NAMED
    # Dots are at least two pixels apart, and names do not touch.
    wanted = (15.0 if named else 4.4) / layout.spacing()
    longest = max(len(svg.shortened(name)) for name in fabric.tor_names) if named else 0
    ring = min(max(wanted, 130.0 / layout.rings, 44.0), 430.0 / layout.rings)
    # A name is between its ring and the next.
    ring = max(ring, 6.2 * longest + 24) if named else ring
    dot = min(max(0.4 * ring * layout.spacing(), 1.1), 5.0)
    radius = ring * layout.rings
    parts = [
        *_rings(layout, ring),
        *_fibres(layout, found, ring),
        *_tors(fabric, layout, found, ring, dot),
    ]
    signs: list[frame.Sign] = [
        (frame.source_sign, "source"),
        (frame.relay_sign, "ToR that relays"),
        (frame.leaf_sign, "ToR that receives only"),
    ]
    if found.names:
        signs += [(frame.failed_sign, "failed"), (frame.lost_sign, "cut off")]
        signs.append((frame.dark_sign, "dark"))
    return frame.framed(radius + 14 + 6.2 * longest, fabric, tree, found, parts, signs)


def _rings(layout: _Layout, ring: float) -> list[str]:
    """A guide for every hop, with the number of hops."""
    guides, marks = [], []
    thin: dict[str, str | float] = {"fill": "none", "stroke": svg.FAINT, "stroke_width": 0.7}
    look: dict[str, str | float] = {"font_size": 10, "text_anchor": "middle", "fill": svg.MUTED}
    for hop in range(1, layout.rings + 1):
        guides.append(svg.tag("circle", cx=0.0, cy=0.0, r=hop * ring, **thin))
        words = count(hop, "hop") if hop == layout.rings else str(hop)
        marks.append(svg.label(0.0, -hop * ring + 3.5, words, **look))
    return [*guides, *svg.labels(marks)]


def _place(layout: _Layout, tor: int, ring: float) -> tuple[float, float]:
    return svg.polar(layout.hops[tor] * ring, layout.angle[tor])


def _fibres(layout: _Layout, found: Broken, ring: float) -> list[str]:
    """The branches of the tree, lit or dark."""
    steps: dict[str, list[str | float]] = {"lit": [], "dark": []}
    for tor in layout.order[1:]:
        parent = layout.parent[tor]
        middle = (layout.hops[tor] - 0.5) * ring
        start, end = _place(layout, parent, ring), _place(layout, tor, ring)
        near = svg.polar(middle if parent != layout.source else 0.0, layout.angle[parent])
        far = svg.polar(middle, layout.angle[tor])
        dark = (parent, tor) in found.branches or tor in found.lost
        steps["dark" if dark else "lit"] += ["M", *start, "C", *near, *far, *end]
    parts = []
    width = 0.9 if len(layout.order) > 256 else 1.3
    if steps["lit"]:
        parts.append(svg.path(steps["lit"], fill="none", stroke=svg.LINE, stroke_width=width))
    if steps["dark"]:
        look = {"fill": "none", "stroke": svg.BAD, "stroke_dasharray": "4 3"}
        parts.append(svg.path(steps["dark"], stroke_width=width, **look))
    return parts


def _tors(fabric: Opened, layout: _Layout, found: Broken, ring: float, dot: float) -> list[str]:
    """The ToRs with their names: relays are filled, others are open."""
    parts = []
    for tor in layout.order[1:]:
        x, y = _place(layout, tor, ring)
        lost = tor in found.lost
        colour = svg.BAD if lost else svg.LIT
        relays = bool(layout.children[tor]) and not lost
        fill = colour if relays else svg.PAPER
        shape = svg.tag(
            "circle", cx=x, cy=y, r=dot, fill=fill, stroke=colour, stroke_width=min(1.3, dot / 2)
        )
        if lost:
            shape += svg.path(["M", x - dot, y, "L", x + dot, y], stroke=colour, stroke_width=1)
        parts.append(svg.named(shape, fabric.tor_names[tor]))
    parts.append(svg.named(frame.source_sign(0.0, 0.0), fabric.tor_names[layout.source]))
    parts += frame.crosses(fabric, found, lambda tor: _place(layout, tor, ring), dot)
    shown = range(fabric.tors) if fabric.tors <= frame.NAMED else sorted({layout.source, *found.at})
    return [*parts, *svg.labels(_name(fabric, layout, tor, ring, dot) for tor in shown)]


def _name(fabric: Opened, layout: _Layout, tor: int, ring: float, dot: float) -> svg.Label:
    """A name along the ray of its ToR, so names of neighbours on a ring never overlap.

    The name of a relay is on the inner side, beside its one incoming fibre. Many fibres leave it on
    the outer side.
    """
    name = svg.shortened(fabric.tor_names[tor])
    look: dict[str, str | float] = {"font_size": 10}
    if tor == layout.source:
        return svg.label(0.0, 20.0, name, text_anchor="middle", font_weight="bold", **look)
    angle = layout.angle[tor]
    relays = bool(layout.children[tor])
    x, y = svg.polar(layout.hops[tor] * ring + (-dot - 4 if relays else dot + 5), angle)
    where, left = svg.along_ray(x, y, angle)
    anchor = "end" if left != relays else "start"
    lift = "-0.4em" if relays else "0.35em"
    return svg.label(x, y, name, transform=where, text_anchor=anchor, dy=lift, **look)
