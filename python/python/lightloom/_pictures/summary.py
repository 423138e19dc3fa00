"""A summary of a fabric that is too large to draw part by part, or of a tree by its hops."""

from __future__ import annotations

import numpy as np

from lightloom._broken import Broken, Multicast
from lightloom._opened import Opened
from lightloom._pictures import frame, svg
from lightloom._report import count

_WIDTH, _EDGE, _BAR = 560.0, 16.0, 22.0


def picture(fabric: Opened, tree: Multicast | None, found: Broken) -> str:
    """The summary as SVG."""
    texts = frame.headings(fabric, tree, found)
    parts = frame.head(_EDGE, 10.0, texts)
    top = 84.0
    if tree is None:
        note = f"Above {LARGEST:,} ToRs a fabric is summed up; a tree of it is drawn by its hops."
        parts.append(svg.text(_EDGE, top, note, font_size=11, fill=svg.MUTED))
        return svg.document(0.0, 0.0, _WIDTH, top + 18, texts[0], parts)
    by_hops = np.bincount(tree.hops).tolist()
    most = max(by_hops)
    room = _WIDTH - 2 * _EDGE - 190
    for hop, tors in enumerate(by_hops[1:], start=1):
        y = top + (hop - 1) * _BAR
        width = max(room * tors / most, 0.5)
        parts.append(
            svg.text(_EDGE + 60, y + 11, count(hop, "hop"), font_size=11, text_anchor="end")
        )
        parts.append(svg.tag("rect", x=_EDGE + 70, y=y, width=width, height=14.0, fill=svg.LIT))
        parts.append(svg.text(_EDGE + 78 + width, y + 11, count(tors, "ToR"), font_size=11))
    return svg.document(0.0, 0.0, _WIDTH, top + len(by_hops) * _BAR, texts[0], parts)


LARGEST = 1024
"""The largest number of ToRs that are drawn one by one."""
