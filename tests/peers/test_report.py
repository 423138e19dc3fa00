"""The report of a plan, read as HTML: every figure is the one of the answer that it names, and nothing is elsewhere."""

import csv
import hashlib
import json
import re
import subprocess
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

VOID = {"meta", "br", "link", "img", "input", "hr"}

LIT = "\n[optics]\ntransceiver = \"10gbase-er\"\n"
DESIGNS = {
    "dark sender": '[fabric]\nfamily = "shufflecast"\np = 4\nk = 2\n',
    "lit receiver": '[fabric]\nfamily = "kautz"\np = 4\ntors = 30\n[splitters]\nhousing = "receiver"\n' + LIT,
    "lit zone": '[fabric]\nfamily = "shufflecast"\np = 4\nk = 2\n[splitters]\nhousing = "zone"\n'
    'cabling = "trunked"\n' + LIT,
    "too weak": '[fabric]\nfamily = "shufflecast"\np = 32\nk = 1\n[optics]\ntransceiver = "10gbase-er"\n',
}


class Page(HTMLParser):
    """A page: its figures, its texts by attribute, and whether its tags are in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.figures, self.hashes, self.elsewhere, self.open, self.text = [], {}, [], [], []
        self.into = []
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.elsewhere += [(tag, name) for name in given if name in ("src", "href", "xlink:href", "srcset", "action")]
        self.elsewhere += [(tag, name) for name in given if name.startswith("on")]
        assert tag not in ("script", "iframe", "object", "link", "base"), tag
        if tag in VOID:
            return
        self.open.append((tag, given))
        self.into.append("")

    def handle_endtag(self, tag):
        assert tag not in VOID
        there, given = self.open.pop()
        assert there == tag, (there, tag)
        text = self.into.pop()
        if "data-at" in given:
            self.figures.append((given["data-of"], given["data-at"], given.get("data-minus"), text))
        if "data-file" in given:
            self.hashes[given["data-file"]] = text
        if self.into:
            self.into[-1] += text

    def handle_data(self, text):
        if self.into:
            self.into[-1] += text
        self.text.append(text)


def at(answer, pointer):
    """The value at a JSON pointer; None where a key is absent."""
    for part in pointer.split("/")[1:]:
        if answer is None:
            return None
        answer = answer[int(part)] if isinstance(answer, list) else answer.get(part)
    return answer


def number(text):
    return float(text.replace(",", "").lstrip("+"))


def agrees(text, value):
    """Whether a text shows a value, rounded to the decimals that it has."""
    if value is None:
        return text == "–"
    if isinstance(value, bool):
        return text == ("yes" if value else "no")
    if isinstance(value, str):
        if text == value:
            return True
        amount, _, currency = value.partition(" ")
        shown, _, unit = text.partition(" ")
        return currency == unit and abs(number(shown) - float(amount)) <= 0.00501
    decimals = len(text.partition(".")[2])
    return abs(number(text) - value) <= 0.5 * 10**-decimals * 1.001 + 1e-12


def run(lightloom, *arguments, code=0):
    done = subprocess.run([lightloom, "--quiet", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in ((code,) if isinstance(code, int) else code), done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=DESIGNS, ids=list(DESIGNS))
def reported(request, lightloom, tmp_path_factory):
    place = tmp_path_factory.mktemp("report")
    design, folder, page = place / "design.toml", place / "plan", place / "report.html"
    design.write_text("version = 1\n" + DESIGNS[request.param])
    run(lightloom, "plan", design, "--out", folder, code=(0, 1))
    run(lightloom, "report", folder, "--out", page, "--design", design, "--date", "2026-03-31", code=(0, 1))
    plan = json.loads((folder / "plan.json").read_text())
    answers = {"plan": plan["report"]}
    for name in ("compare", "risk"):
        answers[name] = json.loads(run(lightloom, name, design, "--json"))
    if plan["report"].get("light"):
        case = plan["report"]["light"]["decided_by"]
        answers["budget"] = json.loads(run(lightloom, "budget", design, "--case", case, "--json"))
    return folder, page.read_text(), answers


def test_every_figure_is_that_of_the_answer_that_it_names(reported):
    folder, text, answers = reported
    sheets = {name: list(csv.DictReader((folder / name).open())) for name in ("bom.csv", "acceptance.csv")}
    seen = {}
    for of, pointer, minus, shown in Page(text).figures:
        seen[of] = seen.get(of, 0) + 1
        if of == "bom.csv":
            _, row, column = pointer.split("/")
            assert shown == sheets[of][int(row)][column], pointer
        elif of == "acceptance.csv":
            which, column = pointer.split("/")
            values = [float(row[column]) for row in sheets[of]]
            assert number(shown) == {"min": min, "max": max}[which](values)
        elif minus:
            assert agrees(shown, at(answers[of], pointer) - at(answers[of], minus)), (of, pointer, shown)
        else:
            value = at(answers.get(of), pointer)
            assert agrees(shown, value), (of, pointer, shown, value)
    assert seen["plan"] > 60 and seen["compare"] > 50 and seen["risk"] > 20
    assert seen["bom.csv"] == 7 * len(sheets["bom.csv"])
    assert ("budget" in answers) == (seen.get("budget", 0) > 50)


def test_a_report_is_whole_and_has_nothing_from_elsewhere(reported):
    folder, text, _ = reported
    page = Page(text)
    assert page.elsewhere == []
    assert not re.search(r"https?://|url\(|@import|//[a-z]", re.sub(r'xmlns="[^"]*"', "", text.split("</style>")[0]))
    assert "".join(page.text).count("2026-03-31") >= 2
    for file in set(folder.iterdir()) - {folder / "lightloom.sha256"}:
        assert page.hashes.pop(file.name) == hashlib.sha256(file.read_bytes()).hexdigest()
    assert page.hashes == {}


def test_light_that_does_not_close_comes_with_mends(reported):
    _, text, answers = reported
    if answers["plan"]["optical"] != "fail":
        pytest.skip("the light closes")
    assert "Do not build this." in text and "What would mend it" in text
    assert any(pointer.startswith("/branches/0/mend/0/") for _, pointer, _, _ in Page(text).figures)


# A text is as wide as this at most, in its size: that of a wide sans-serif font.
NARROW, WIDE = set("ijlIft.,:;'|!()[]/-r "), set("mwMW%@…")


def wide(text, size):
    return size * sum(0.3 if c in NARROW else 0.95 if c in WIDE else 0.6 for c in text)


def boxes(root):
    """The boxes of all texts of a sheet: left, top, right, bottom."""
    for element in root.iter("{http://www.w3.org/2000/svg}text"):
        shown = "".join(part for part in element.itertext())
        title = element.find("{http://www.w3.org/2000/svg}title")
        if title is not None:
            shown = shown[len(title.text) :]
        size, x, y = (float(element.get(name)) for name in ("font-size", "x", "y"))
        width = wide(shown, size)
        start = {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
        if element.get("transform"):
            yield shown, (x - 0.75 * size, y - width + start, x + 0.1 * size, y + start)
        else:
            yield shown, (x - start, y - 0.75 * size, x - start + width, y + 0.1 * size)
        assert width <= float(element.get("data-most")) * 1.1, shown


def sheets(root):
    """Each sheet of a picture."""
    groups = [child for child in root if child.tag.endswith("}g")]
    assert groups
    return groups


@pytest.mark.parametrize("name", ["floor-plan.svg", "elevations.svg"])
def test_no_text_of_a_picture_lies_over_another(reported, name):
    folder, _, _ = reported
    root = ElementTree.parse(folder / name).getroot()
    count = 0
    for sheet in sheets(root):
        found = sorted(boxes(sheet), key=lambda box: box[1][1])
        count += len(found)
        for at_, (text, (left, top, right, bottom)) in enumerate(found):
            for other, (left2, top2, right2, bottom2) in found[at_ + 1 :]:
                if top2 >= bottom:
                    break
                over = min(right, right2) - max(left, left2), min(bottom, bottom2) - max(top, top2)
                assert min(over) <= 0.25, (text, other, over)
    assert count > 10


def test_a_picture_has_every_module_and_every_rack(reported):
    folder, _, _ = reported
    root = ElementTree.parse(folder / "elevations.svg").getroot()
    texts = {"".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")}
    for row in csv.DictReader((folder / "modules.csv").open()):
        if row["kind"] != "shelf":
            assert any(text.startswith(row["module"]) for text in texts), row["module"]


def test_names_are_escaped(lightloom, tmp_path):
    names = ["<script>alert(1)</script>", "a & b", "it's \"quoted\"", "'><img src=x>"]
    with (tmp_path / "racks.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["name", "row", "position"])
        rows.writerows([name, "<b>R&1</b>", place] for place, name in enumerate(names, 1))
    (tmp_path / "design.toml").write_text(
        'version = 1\n[fabric]\nfamily = "kautz"\np = 2\ntors = 4\n[hall]\ninventory = "racks.csv"\n'
    )
    folder = tmp_path / "plan"
    run(lightloom, "plan", tmp_path / "design.toml", "--out", folder)
    run(lightloom, "report", folder, "--out", tmp_path / "report.html")
    run(lightloom, "draw", folder, "--out", tmp_path / "drawings.html")
    for page in ("report.html", "drawings.html"):
        page = Page((tmp_path / page).read_text())
        assert page.elsewhere == []
        shown = "".join(page.text)
        assert all(name in shown for name in names)
    for picture in ("floor-plan.svg", "elevations.svg"):
        root = ElementTree.parse(folder / picture).getroot()
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
            "svg", "g", "rect", "line", "path", "text", "title",
        }


# The last characters of the blocks and planes that XML has or has not, and neighbours of what it has not.
ODD = [*range(0x20), 0x7F, 0x80, 0x85, 0x9B, 0xA0, 0x2028, 0xD7FF, 0xE000, 0xFDCF, 0xFDD0, 0xFFFD, 0xFFFE, 0xFFFF]
ODD += [0x10000, 0x1F980, 0x1FFFE, 0x10FFFD, 0x10FFFF]


def test_a_rack_is_refused_or_its_pictures_are_xml(lightloom, tmp_path):
    taken = []
    for odd in map(chr, ODD):
        with (tmp_path / "racks.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["name", "row", "position"])
            rows.writerows([f"R{place}{odd}x", "A", place] for place in range(1, 5))
        (tmp_path / "design.toml").write_text(
            'version = 1\n[fabric]\nfamily = "kautz"\np = 2\ntors = 4\n[hall]\ninventory = "racks.csv"\n'
        )
        folder = tmp_path / f"plan-{ord(odd)}"
        run(lightloom, "plan", tmp_path / "design.toml", "--out", folder, code=(0, 2))
        if not folder.exists():
            continue
        taken.append(ord(odd))
        for picture in ("floor-plan.svg", "elevations.svg"):
            # Expat shares no code with what wrote it.
            root = ElementTree.parse(folder / picture).getroot()
            assert f"R1{odd}x" in "".join(root.itertext()), (odd, picture)
    assert taken == [0xA0, 0xD7FF, 0xE000, 0xFDCF, 0xFFFD, 0x10000, 0x1F980, 0x10FFFD]


def test_a_file_that_was_changed_is_told_on_the_first_page(lightloom, tmp_path):
    (tmp_path / "design.toml").write_text('version = 1\n[fabric]\nfamily = "kautz"\np = 2\ntors = 12\n')
    folder, page = tmp_path / "plan", tmp_path / "report.html"
    run(lightloom, "plan", tmp_path / "design.toml", "--out", folder)
    sheet = folder / "cords.csv"
    sheet.write_text(sheet.read_text().replace("F3,", "F30,", 1))
    run(lightloom, "report", folder, "--out", page, code=1)
    text = page.read_text()
    assert "The files of the folder are not those of the plan." in text and "cords.csv" in text
