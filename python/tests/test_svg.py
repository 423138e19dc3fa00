"""Pictures and tables without matplotlib: well-formed, escaped, deterministic and correct."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pandas as pd
import pytest
from conftest import EXAMPLES

import lightloom
from lightloom import DesignError, Fabric, Scenario

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "<b>&\"'"
FAILED = ["relay:3", "tx:5", "cassette:1"]


def parse(text):
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return root


def titles(root):
    return [title.text for title in root.iter(f"{SVG}title")]


def words(root):
    return [text.text for text in root.iter(f"{SVG}text")]


def nasty_fabric():
    racks = pd.DataFrame({"name": [NASTY, *(f"rack {i}" for i in range(7))], "row": NASTY})
    racks["position"] = range(1, 9)
    return Fabric("kautz", p=2, inventory=racks)


class Tidy(HTMLParser):
    """A parser that checks that elements close in the right order."""

    def __init__(self):
        super().__init__()
        self.open, self.said, self.tags = [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


def tidy(text):
    parser = Tidy()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser


@pytest.mark.parametrize("p,k", [(2, 2), (4, 2), (2, 6), (4, 3), (4, 4)])
@pytest.mark.parametrize("source", [None, 5])
@pytest.mark.parametrize("failed", [(), FAILED])
def test_it_is_xml_with_every_tor(p, k, source, failed):
    fabric = Fabric("shufflecast", p=p, k=k)
    text = fabric.svg(tree=source, failed=failed)
    root = parse(text)
    assert text == Fabric("shufflecast", p=p, k=k).svg(tree=source, failed=failed)
    # Each ToR shows its name on hover.
    assert set(fabric.tor_names) <= set(titles(root))
    shown = words(root)
    assert any(f"{fabric.tors:,} ToRs" in text for text in shown)
    if fabric.tors <= 64:
        assert set(fabric.tor_names) <= set(shown)
    # The picture fits a page.
    assert len(text) < 300_000
    assert "nan" not in text and "inf" not in text.replace("infinite", "")


def test_a_tree_says_its_figures():
    fabric = Fabric(p=4, k=2)
    tree = fabric.tree("R1.01")
    assert fabric.svg(tree) == fabric.svg(tree="R1.01") == fabric.svg(0) == tree._repr_svg_()
    said = f"Multicast from R1.01: {len(tree)} relays, {tree.max_hops} hops to the farthest ToR"
    assert said in words(parse(fabric.svg(tree)))
    assert fabric._repr_svg_() == fabric.svg()


@pytest.mark.parametrize("fabric", [Fabric(p=4, k=2), Fabric("kautz", p=3, tors=60)])
@pytest.mark.parametrize("failed", ["relay:9", "tx:7,relay:4", "cassette:2", "tor:6", "tx:0"])
def test_who_is_cut_off_is_as_many_as_the_impact_says(fabric, failed):
    impact = fabric.impact(failed)
    shown = words(parse(fabric.svg(tree=0, failed=failed)))
    lost = int(impact.lost[0])
    said = {0: "no ToR", 1: "1 ToR"}.get(lost, f"{lost} ToRs")
    assert f"Failed: {', '.join(impact.failed)}; {said} cut off before repair" in shown


def test_names_are_escaped_everywhere():
    fabric = nasty_fabric()
    for text in (fabric.svg(), fabric.svg(tree=NASTY), fabric.svg(tree=1, failed=["relay:0"])):
        root = parse(text)
        assert NASTY in words(root) and any(NASTY in title for title in titles(root))
        assert "<b>" not in text and '&"' not in text
    for answer in (fabric.budget(), fabric.recover(["relay:0", "tx:2"])):
        page = tidy(answer._repr_html_())
        assert NASTY in "".join(page.said), page.said
        assert "b" not in page.tags[1:] or page.tags.count("b") == 1


def test_large_fabrics_are_summed_up():
    fabric = Fabric(p=4, k=5)
    assert len(fabric) == 5120
    assert len(fabric.svg()) < 5_000
    tree = fabric.tree(3)
    shown = words(parse(fabric.svg(tree)))
    counts = [int(text.split()[0].replace(",", "")) for text in shown if text.endswith("ToRs")]
    assert sum(counts[-tree.max_hops :]) == 5119
    assert "Failed: relay:4" in words(parse(fabric.svg(failed="relay:4")))
    with pytest.raises(DesignError, match="up to 4096 ToRs"):
        fabric.svg(tree, failed="relay:4")


def test_what_is_no_part_of_the_fabric_is_refused():
    fabric = Fabric(p=4, k=2)
    with pytest.raises(DesignError):
        fabric.svg(tree=32)
    with pytest.raises(DesignError):
        fabric.svg(failed="relay:32")
    with pytest.raises(DesignError, match="names no failure"):
        fabric.svg(failed="")
    with pytest.raises(DesignError, match="of another fabric"):
        fabric.svg(tree=Fabric(p=2, k=2).tree(0))
    with pytest.raises(TypeError):
        fabric.svg(tree=1.5)


def test_loops_and_lonely_cassettes_are_drawn():
    fabric = Fabric("custom", p=2, edges=[(0, 0, 1), (1, 1, 0), (2, 0, 0)])
    parse(fabric.svg())
    parse(fabric.svg(tree=2, failed="branch:0->1"))


def test_tables_say_what_reports_say():
    fabric = Fabric(p=4, k=3)
    budget = fabric.budget()
    page = tidy(budget._repr_html_())
    assert page.tags.count("tr") == 21
    assert f"{budget.margin_db[0]:.2f}" in page.said
    assert f"and {len(budget) - 20:,} more, with more margin" in page.said
    recovery = fabric.recover("relay:8")
    said = tidy(recovery._repr_html_()).said
    rules = recovery.rules()
    added, deleted = (int((rules.change == change).sum()) for change in ("add", "delete"))
    assert f"{added:,} added, {deleted:,} deleted" in said and "relay:8" in said


def test_results_have_figures_and_a_chart():
    scenario = Scenario.open(EXAMPLES / "incast.toml")
    result = scenario.run()
    text = result._repr_html_()
    page = tidy(text)
    assert "1,991 completed, 0 unfinished" in page.said
    assert f"{result.report['goodput']['flows']['goodput_bps'] / 1e9:.2f} Gb/s" in page.said
    chart = parse(text[text.index("<svg") :])
    assert "time (ms)" in words(chart) and "Gb/s" in words(chart)
    assert f"{result.goodput_bps.max() / 1e9:,.0f}" in words(chart)
    several = tidy(scenario.run(seeds=2)._repr_html_())
    assert several.tags.count("tr") == 3 and "Result of 2 runs" in several.said


def test_nothing_but_numpy_is_needed():
    script = """
import sys
for name in ("pandas", "networkx", "matplotlib", "tqdm", "pyarrow"):
    sys.modules[name] = None
import lightloom
fabric = lightloom.Fabric(p=4, k=2)
fabric.svg(tree=0, failed="relay:3"), fabric._repr_svg_(), fabric.budget()._repr_html_()
fabric.recover("relay:3")._repr_html_()
print("drawn")
"""
    line = [sys.executable, "-c", script]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert done.stdout == "drawn\n", done.stderr


def test_two_interpreters_draw_the_same():
    script = "import lightloom; print(lightloom.Fabric(p=4, k=3).svg(0, 'relay:8,tx:3'))"
    texts = set()
    for seed in ("1", "2"):
        line = [sys.executable, "-c", script]
        done = subprocess.run(
            line, capture_output=True, text=True, timeout=60, env={"PYTHONHASHSEED": seed}
        )
        texts.add(done.stdout)
    assert len(texts) == 1 and lightloom.Fabric(p=4, k=3).svg(0, "relay:8,tx:3") + "\n" in texts


def test_long_names_keep_what_tells_them_apart():
    names = [f"a rather long name of a rack {i:03}" for i in range(12)]
    racks = pd.DataFrame({"name": names, "row": "A", "position": range(1, 13)})
    fabric = Fabric("kautz", p=2, inventory=racks)
    for text in (fabric.svg(), fabric.svg(tree=0)):
        root = parse(text)
        assert set(names) <= set(titles(root))
        shown = [said for said in words(root) if "…" in said and said.endswith(tuple("0123456789"))]
        assert len({said for said in shown if len(said) == 18}) == 12
