"""The names of NetworkX nodes, which may be any hashable object, as texts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from lightloom._inputs import is_unicode
from lightloom.errors import LightloomError

Refuse = Callable[[str], LightloomError]


def name_of(node: Hashable, refuse: Refuse) -> str:
    """The name of a node as text."""
    name = node if isinstance(node, str) else str(node)
    if not is_unicode(name):
        raise refuse(f"found node {name!r}, which is not Unicode text")
    if "\0" in name:
        raise refuse(f"found node {name!r}; take the NUL out of its name")
    return name


def check_texts(nodes: Iterable[Hashable], refuse: Refuse) -> None:
    """Refuses different nodes with the same text, such as 1 and "1".

    Texts that only look the same, such as other Unicode forms, are refused where they are read.
    """
    seen: dict[str, Hashable] = {}
    for node in nodes:
        text = name_of(node, refuse).strip()
        if text in seen:
            raise refuse(
                f"nodes {seen[text]!r} and {node!r} would have one name, {text!r}; give each node "
                "a text of its own"
            )
        seen[text] = node
