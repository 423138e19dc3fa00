"""Pictures as CairoSVG draws them: it knows attributes, but little of CSS."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import cairosvg
import numpy as np
import pytest
from conftest import EXAMPLES
from PIL import Image

from lightloom import Fabric, Scenario

SVG = "{http://www.w3.org/2000/svg}"
SCALE = 2
FAILED = ["relay:3", "tx:5", "cassette:1"]


def chart():
    page = Scenario.open(EXAMPLES / "incast.toml").run()._repr_html_()
    return page[page.index("<svg") :]


PICTURES = {
    "ring": lambda: Fabric(p=4, k=2).svg(),
    "ring failed": lambda: Fabric(p=4, k=2).svg(failed=FAILED),
    "small ring": lambda: Fabric("kautz", p=2, tors=6).svg(),
    "large ring": lambda: Fabric(p=4, k=3).svg(),
    "tree": lambda: Fabric(p=4, k=2).svg(0),
    "tree failed": lambda: Fabric(p=4, k=2).svg(0, FAILED),
    "deep tree": lambda: Fabric("shufflecast", p=2, k=4).svg(5),
    "large tree": lambda: Fabric(p=4, k=3).svg(0, FAILED),
    "summary": lambda: Fabric(p=4, k=5).svg(failed="relay:3"),
    "tree in figures": lambda: Fabric(p=4, k=5).svg(0),
    "chart": chart,
}


@pytest.fixture(scope="module", params=PICTURES)
def picture(request):
    return ElementTree.fromstring(PICTURES[request.param]())


def drawn(root):
    """The brightness of each pixel: 0 is black, 255 is the background."""
    png = cairosvg.svg2png(bytestring=ElementTree.tostring(root), scale=SCALE)
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(paper, image).convert("L"), dtype=int)


def only(root, keep):
    """A copy with the background and the kept elements, including their parents.

    It has no style sheet, so texts have only their own attributes.
    """

    def copy(element):
        made = ElementTree.Element(element.tag, element.attrib)
        made.text = element.text
        for at, child in enumerate(element):
            ground = element is root and child.tag == f"{SVG}rect" and at < 3
            if child.tag in (f"{SVG}g", f"{SVG}title") or ground or keep(child):
                made.append(copy(child))
        return made

    return copy(root)


def is_halo(element):
    return element.tag == f"{SVG}text" and element.get("aria-hidden") == "true"


def is_words(element):
    return element.tag == f"{SVG}text" and not is_halo(element)


def test_it_is_there_in_its_size(picture):
    pixels = drawn(picture)
    width, height = (float(picture.get(name)) for name in ("width", "height"))
    assert pixels.shape == pytest.approx((height * SCALE, width * SCALE), abs=1)
    ink = pixels < 200
    assert 0.005 < ink.mean() < 0.5
    # No part is cut off, and the corners are empty.
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert rows[0] > 0 and columns[0] > 0
    assert rows[-1] - rows[0] > 0.6 * pixels.shape[0]
    assert columns[-1] - columns[0] > 0.6 * pixels.shape[1]


def test_no_words_are_erased(picture):
    words = drawn(only(picture, is_words))
    core = words < 120
    # All texts are there, with as much ink as letters of ten pixels have.
    letters = sum(len(text.text) for text in picture.iter(f"{SVG}text") if is_words(text))
    assert core.sum() > 4 * letters
    found = drawn(picture)
    erased = core & (found > words + 60)
    assert erased.sum() <= 0.002 * core.sum()


def test_lines_keep_away_from_names(picture):
    halos = only(picture, is_halo)
    everything = [text.text for text in picture.iter(f"{SVG}text") if is_halo(text)]
    names = [text for text in everything if "hop" not in text and not text.isdigit()]
    if not names:
        return
    # Colouring the halo with ink shows the area that it covers.
    for halo in halos.iter(f"{SVG}text"):
        if halo.text in names:
            halo.set("fill", "black")
            halo.set("stroke", "black")
        else:
            halo.set("fill", "none")
            halo.set("stroke", "none")
    covered = drawn(halos) < 10
    words = drawn(only(picture, is_words)) < 250
    around = covered & ~words
    assert around.sum() > 10 * len(names)
    assert (drawn(picture)[around] > 235).mean() > 0.998


def test_every_program_reads_the_same_look(picture):
    text = ElementTree.tostring(picture, encoding="unicode")
    # A style sheet would apply to the whole page with the picture.
    assert not list(picture.iter(f"{SVG}style"))
    assert "class=" not in text and "paint-order" not in text
    styles = [element.get("style") for element in picture.iter() if element.get("style")]
    assert styles == ["max-width:100%;block-size:auto"]
    box = [float(number) for number in picture.get("viewBox").split()]
    assert [picture.get("width"), picture.get("height")] == picture.get("viewBox").split()[2:]
    assert box[2] > 0 and box[3] > 0


def test_halos_are_beneath_their_words(picture):
    order = [
        (text.text, text.get("x"), text.get("y"), is_halo(text))
        for text in picture.iter(f"{SVG}text")
    ]
    for at, (*label, halo) in enumerate(order):
        # Screen readers skip the halo and read the text after it.
        assert not halo or (*label, False) in order[at:]
        assert halo or (*label, True) not in order[at:]
