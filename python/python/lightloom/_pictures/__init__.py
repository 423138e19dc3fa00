"""Pictures of fabrics, trees and results as SVG and HTML, in pure Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lightloom import _inputs
from lightloom._broken import broken, tree_of
from lightloom._pictures import ring, summary
from lightloom._pictures import tree as trees

if TYPE_CHECKING:
    from lightloom.fabric import Fabric
    from lightloom.tree import Tree


def fabric_svg(
    fabric: Fabric, tree: Tree | _inputs.ToR | None = None, failed: _inputs.Failed = ()
) -> str:
    """A fabric, with a tree or failures."""
    drawn = tree_of(fabric, tree)
    found = broken(fabric, failed, drawn)
    if fabric.tors > summary.LARGEST:
        return summary.picture(fabric, drawn, found)
    if drawn is None:
        return ring.picture(fabric, found)
    return trees.picture(fabric, drawn, found)
