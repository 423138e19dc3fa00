"""Writes SVG: names are escaped, numbers are rounded, and a picture always has the same bytes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple
from xml.sax.saxutils import escape as _escape

INK, MUTED, FAINT, LINE = "#1b2733", "#5b6b7a", "#c9d3dc", "#8fa3b5"
"""Colours of text and important parts, captions, guides, and unimportant fibres."""
LIT, BAD, PAPER = "#12588a", "#b3261e", "#ffffff"
"""Colours of light, of broken parts, and of the background."""
FONT = "Helvetica, Arial, sans-serif"
SHRINKING = "max-width:100%;block-size:auto"
"""The height follows the width that a page leaves. Browsers use `block-size` for the height and
ignore the attribute. Other programs know only `height`; they would draw nothing if it were `auto`,
so they use the attribute.
"""

# Characters that XML 1.0 does not allow.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Escapes a text for any place in XML or HTML."""
    return _escape(_FORBIDDEN.sub("\ufffd", text), {'"': "&quot;", "'": "&#39;"})


def shortened(name: str, most: int = 18) -> str:
    """Shortens a name to fit its place. The end stays, because racks of one kind differ there."""
    if len(name) <= most:
        return name
    tail = most // 2
    return name[: most - 1 - tail] + "…" + name[-tail:]


def number(value: float) -> str:
    """A number with at most two digits after the point, and never ``-0``."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, inner: str | None = None, /, **attributes: str | float) -> str:
    """An element. ``inner`` is already markup. Underscores in attribute names become hyphens."""
    listed = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{listed}/>" if inner is None else f"<{name}{listed}>{inner}</{name}>"


def _attribute(value: str | float) -> str:
    return escaped(value) if isinstance(value, str) else number(value)


def text(x: float, y: float, words: str, **attributes: str | float) -> str:
    """A text (default colour: ink)."""
    return tag("text", escaped(words), x=x, y=y, **{"fill": INK, **attributes})


class Label(NamedTuple):
    """A text over lines, with a halo in the background colour that keeps the lines away."""

    halo: str
    words: str


def label(x: float, y: float, words: str, **attributes: str | float) -> Label:
    """A label. Its halo is a separate element, because some programs lack ``paint-order``."""
    wide: dict[str, str | float] = {"stroke_width": 3, "stroke_linejoin": "round"}
    ground: dict[str, str | float] = {"fill": PAPER, "stroke": PAPER, "aria_hidden": "true"}
    return Label(
        text(x, y, words, **{**attributes, **ground, **wide}), text(x, y, words, **attributes)
    )


def labels(drawn: Iterable[Label]) -> list[str]:
    """All halos, then all texts. So no halo covers the text of a neighbour."""
    both = list(drawn)
    return [one.halo for one in both] + [one.words for one in both]


def named(shape: str, name: str, **attributes: str | float) -> str:
    """A shape that shows its name on hover."""
    return tag("g", tag("title", escaped(name)) + shape, **attributes)


def polar(radius: float, angle: float) -> tuple[float, float]:
    """A point in polar coordinates: from the centre, clockwise from the top."""
    return radius * math.sin(angle), -radius * math.cos(angle)


def along_ray(x: float, y: float, angle: float) -> tuple[str, bool]:
    """The transformation of a text along the ray of an angle, and whether it is on the left side.

    Texts on the left side are turned so that no text is upside down.
    """
    left = angle > math.pi
    turn = math.degrees(angle) - 90 + (180 if left else 0)
    return f"rotate({number(turn)} {number(x)} {number(y)})", left


def path(parts: Iterable[str | float], **attributes: str | float) -> str:
    """A path of letters and numbers."""
    steps = " ".join(part if isinstance(part, str) else number(part) for part in parts)
    return tag("path", d=steps, **attributes)


def cross(x: float, y: float, size: float, **attributes: str | float) -> str:
    """A cross for a broken part, also visible in grey."""
    a, b, c, d = x - size, y - size, x + size, y + size
    return path(["M", a, b, "L", c, d, "M", a, d, "L", c, b], fill="none", **attributes)


def document(
    left: float, top: float, width: float, height: float, title: str, parts: Iterable[str]
) -> str:
    """The whole picture. It shrinks with the page, and its title is read aloud.

    Attributes contain everything that the picture needs, so programs without CSS can draw it. A
    style sheet would also apply to the whole page of a notebook.
    """
    box = " ".join(number(value) for value in (left, top, width, height))
    ground = tag("rect", x=left, y=top, width=width, height=height, fill=PAPER)
    inner = [tag("title", escaped(title)), ground, *parts]
    return tag(
        "svg",
        "\n" + "\n".join(inner) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=box,
        width=width,
        height=height,
        role="img",
        font_family=FONT,
        style=SHRINKING,
    )
