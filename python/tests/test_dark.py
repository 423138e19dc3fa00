"""The dark fibres in pictures, compared with the dark fibres that follow from the wires alone."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest

from lightloom import Fabric, plot
from lightloom._broken import broken, fibres_of
from lightloom._pictures.svg import BAD

matplotlib.use("agg")
SVG = "{http://www.w3.org/2000/svg}"
FABRICS = {
    "4,2": Fabric("shufflecast", p=4, k=2),
    "2,3": Fabric("shufflecast", p=2, k=3),
    "kautz": Fabric("kautz", p=3, tors=20),
    "receivers": Fabric("kautz", p=2, tors=12, housing="receiver"),
    "loops": Fabric("custom", p=2, edges=[(0, 0, 1), (1, 1, 0), (2, 0, 0), (3, 1, 1)]),
}
KINDS = ("relay", "tx", "splitter", "branch", "rx", "tor", "cassette")


def cabled(fabric):
    """Every branch of the cabling: from, to, port of the receiver."""
    graph = fabric.to_networkx()
    number = {name: data["tor"] for name, data in graph.nodes(data=True)}
    return [(number[a], number[b], data["port"]) for a, b, data in graph.edges(data=True)]


CABLES = {name: cabled(fabric) for name, fabric in FABRICS.items()}


def wires(fabric):
    return next(CABLES[name] for name, known in FABRICS.items() if known is fabric)


def one(fabric, kind, dice):
    start, end, port = dice.choice(wires(fabric))
    if kind == "branch":
        return f"branch:{start}->{end}"
    if kind == "rx":
        return f"rx:{end}/{port}"
    if kind == "cassette":
        return f"cassette:{fabric.edges[start, 2]}"
    return f"{kind}:{start}"


def darkened(fabric, failures):
    """The dark branches, and the feeds without light."""
    cables = wires(fabric)
    branches, feeds = set(), set()
    for failure in failures:
        kind, _, part = failure.partition(":")
        if kind == "branch":
            start, end = map(int, part.split("->"))
            gone = {(a, b) for a, b, _ in cables if (a, b) == (start, end)}
        elif kind == "rx":
            tor, port = map(int, part.split("/"))
            gone = {(a, b) for a, b, at in cables if (b, at) == (tor, port)}
        elif kind == "cassette":
            gone = {(a, b) for a, b, _ in cables if fabric.edges[a, 2] == int(part)}
        else:
            tor = int(part)
            gone = {(a, b) for a, b, _ in cables if a == tor or (kind == "tor" and b == tor)}
            feeds |= {tor} if kind in ("relay", "tx", "tor") else set()
        assert gone
        branches |= gone
    return branches, feeds


def reached(fabric, tree, dark):
    """The ToRs that still get the packets of a tree under the installed rules."""
    relays = set(tree.relays.tolist())
    found, waiting = {tree.source}, [tree.source]
    while waiting:
        start = waiting.pop()
        for a, b, _ in wires(fabric):
            if a == start and (a, b) not in dark and b not in found:
                found.add(b)
                if b in relays:
                    waiting.append(b)
    return found


CASES = [
    (name, [one(fabric, kind, random.Random(seed))])
    for name, fabric in FABRICS.items()
    for kind in KINDS
    for seed in range(2)
] + [
    (name, sorted({one(fabric, dice.choice(KINDS), dice) for _ in range(4)}))
    for name, fabric in FABRICS.items()
    for dice in map(random.Random, range(10, 14))
]
case = pytest.mark.parametrize(("name", "failed"), CASES, ids=lambda case: str(case))


@case
def test_the_fibres(name, failed):
    fabric = FABRICS[name]
    branches, feeds = darkened(fabric, failed)
    found = broken(fabric, failed, None)
    assert found.branches == branches
    assert found.feeds == feeds
    assert set(found.fibres) == branches | {(tor, None) for tor in feeds}
    # A source loses every ToR that its dark branches cut off. Rust's replay gives the same.
    for source in range(len(fabric)):
        tree = fabric.tree(source)
        lost = set(broken(fabric, failed, tree).lost)
        assert lost == set(range(len(fabric))) - reached(fabric, tree, branches)


@case
def test_the_ring(name, failed):
    fabric = FABRICS[name]
    branches, _ = darkened(fabric, failed)
    names = fabric.tor_names
    root = ElementTree.fromstring(fabric.svg(failed=failed))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    drawn = [title for title in titles if title.endswith(": dark")]
    assert sorted(drawn) == sorted(f"{names[a]} to {names[b]}: dark" for a, b in branches)
    # One path draws the light of each ToR that has a branch with light.
    lit = {a for a, b, _ in wires(fabric) if (a, b) not in branches}
    ground = next(path for path in root.iter(f"{SVG}path") if path.get("stroke-opacity"))
    assert ground.get("d").count("M") == len(lit)


@case
def test_the_tree(name, failed):
    fabric = FABRICS[name]
    branches, _ = darkened(fabric, failed)
    tree = fabric.tree(1)
    root = ElementTree.fromstring(fabric.svg(tree, failed))
    dark = [
        path.get("d").count("M")
        for path in root.iter(f"{SVG}path")
        if path.get("stroke-dasharray") == "4 3" and path.get("fill") == "none"
    ]
    lost = len(fabric) - len(reached(fabric, tree, branches))
    # One fibre leads to each ToR. It is dark if the ToR gets no packet.
    assert sum(dark) == lost


@case
def test_the_floor_plan(name, failed):
    fabric = FABRICS[name]
    branches, feeds = darkened(fabric, failed)
    tree = fabric.tree(1)
    gets = reached(fabric, tree, branches)
    whole = fibres_of(fabric, tree.relays.tolist())
    dark = [
        (a, b)
        for a, b in whole
        if a not in gets or (a, b) in branches or (b is None and a in feeds)
    ]
    both = {
        "fibres that stay dark": dark,
        "fibres with light of the tree": [fibre for fibre in whole if fibre not in dark],
    }
    axes = plot.floor_plan(fabric, tree, failed)
    shown = {line.get_label().partition(",")[0]: line for line in axes.collections}
    for label, fibres in both.items():
        *ends, _ = fabric._project.tray_stretches(fibres)
        expected = np.stack(ends, axis=1).reshape(-1, 2, 2)
        found = shown[label].get_segments() if label in shown else []
        assert np.allclose(np.array(found).reshape(-1, 2, 2), expected)
    matplotlib.pyplot.close(axes.figure)


def test_a_relay_that_is_dead_is_red():
    text = Fabric(p=4, k=2).svg(failed="relay:0")
    root = ElementTree.fromstring(text)
    red = [p for p in root.iter(f"{SVG}path") if p.get("stroke") == BAD and "C" in p.get("d")]
    assert len(red) == 4
