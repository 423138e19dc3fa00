"""A fabric, a tree of it, and failures, in the kind of picture that fits."""

from __future__ import annotations

from lightloom import _inputs
from lightloom._broken import Multicast, broken
from lightloom._opened import Opened
from lightloom._pictures import ring, summary
from lightloom._pictures import tree as trees


def fabric_svg(fabric: Opened, tree: Multicast | None, failed: _inputs.Failed) -> str:
    """A fabric as SVG: on a circle, as a tree, or summed up if it is too large to draw."""
    found = broken(fabric, failed, tree)
    if fabric.tors > summary.LARGEST:
        return summary.picture(fabric, tree, found)
    if tree is None:
        return ring.picture(fabric, found)
    return trees.picture(fabric, tree, found)
