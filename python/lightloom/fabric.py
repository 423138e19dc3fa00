"""A fabric and everything that can be asked of it."""

from __future__ import annotations

from lightloom._lightloom import Project
from lightloom.tree import Tree


class Fabric:
    """An optical multicast fabric."""

    def __init__(self, *, p: int, k: int) -> None:
        self._project = Project(p, k)

    def tree(self, source: int) -> Tree:
        """The multicast tree of a source."""
        return Tree(source, *self._project.tree(source))
