"""Refusals: the texts of the command line with keywords for flags; file, line, field; no panic."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import with_keywords

import lightloom
from lightloom import (
    DesignError,
    DesignTypeError,
    Fabric,
    InfeasibleError,
    Interrupted,
    LightloomError,
    SimulationError,
)

FABRIC = Fabric(p=4, k=2)

WRONG = [
    {"p": 1, "k": 2},
    {"p": 4, "k": 0},
    {"p": -4, "k": 2},
    {"p": 4, "k": 40},
    {"p": 2000, "k": 1},
    {"p": 4},
    {},
    {"family": "nonsense", "p": 4, "k": 2},
    {"family": "kautz", "p": 4, "tors": 10**9},
    {"family": "kautz", "p": 4, "tors": 2**63 - 1},
    {"family": "kautz", "p": 4, "tors": -(2**63)},
    {"family": "kautz", "p": 4, "tors": 1},
    {"family": "kautz", "p": 4, "k": 3, "tors": 9},
    {"family": "custom", "p": 4},
    {"p": 4, "k": 2, "router": "other"},
    {"p": 4, "k": 2, "extra_hops": 2},
    {"p": 4, "k": 2, "housing": "cellar"},
    {"p": 4, "k": 2, "spares_percent": 10**6},
    {"p": 4, "k": 2, "status": "active"},
    {"p": 4, "k": 2, "inventory": "/no/such/file.csv"},
    {"p": 4, "k": 2, "inventory": "/"},
    {"p": 4, "k": 2, "keep": "/no/such/plan"},
]


@pytest.mark.parametrize("said", WRONG, ids=str)
def test_the_texts_are_those_of_the_command_line(said, cli):
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in said.items()]
    printed = cli("fabric", *flags, refused=True)
    with pytest.raises(DesignError) as caught:
        Fabric(**said)
    assert str(caught.value) == with_keywords(printed)
    error = caught.value
    assert error.field is None or error.field in str(error)
    assert isinstance(error, (LightloomError, ValueError))


def test_file_line_and_field(tmp_path, cli):
    design = tmp_path / "design.toml"
    design.write_text("version = 1\n\n[fabric]\np = 4\nk = 2\ncolour = 3\n")
    printed = cli("fabric", design, refused=True)
    with pytest.raises(DesignError) as caught:
        Fabric.open(design)
    error = caught.value
    assert str(error) == with_keywords(printed)
    assert (error.file, error.line, error.field) == (str(design), 6, "fabric.colour")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.file, again.line, again.field, type(again)) == (
        (str(error), error.file, error.line, error.field, DesignError)
    )
    for content in (b"\xff\xfe", b"version = 1\0", b"version", b""):
        design.write_bytes(content)
        printed = cli("fabric", design, refused=True)
        with pytest.raises(DesignError) as caught:
            Fabric.open(design)
        assert str(caught.value) == with_keywords(printed)


@pytest.mark.parametrize("value", [4.0, float("nan"), True, None, b"4", [4], {}, object(), 2**70])
def test_wrong_types(value):
    if value is None:
        assert Fabric(p=4, k=2, tors=None) == FABRIC
        return
    kind = DesignError if isinstance(value, int) and value is not True else DesignTypeError
    for name in ("p", "tors", "samples"):
        with pytest.raises(kind) as caught:
            Fabric(**{"family": "kautz", "p": 4, "tors": 9, name: value})
        assert caught.value.field == name
    if kind is DesignTypeError:
        assert issubclass(kind, TypeError)
        for call in (FABRIC.tree, FABRIC.rules, FABRIC.tor):
            if not isinstance(value, int):
                with pytest.raises(DesignTypeError):
                    call(value)


def test_texts_that_are_no_texts():
    for text in ("nul\0", "lone \ud800", "x" * 100_000, "\u202e", "'; --"):
        for call in (
            lambda t: Fabric(t, p=4, k=2),
            lambda t: Fabric(p=4, k=2, router=t),
            lambda t: Fabric(p=4, k=2, rate=t),
            lambda t: Fabric(p=4, k=2, inventory=t),
            Fabric.open,
            Fabric.from_document,
            FABRIC.tree,
            FABRIC.impact,
            lambda t: FABRIC.recover(t),
            lambda t: FABRIC.recover("relay:1", method=t),
            lambda t: FABRIC.budget(t),
            lambda t: lightloom.explore(32, rank_by=t),
            lambda t: lightloom.unused_ports(model=t),
            lightloom.verify,
            lightloom.Plan.open,
        ):
            with pytest.raises(DesignError):
                call(text)
        with pytest.raises(SimulationError):
            lightloom.Scenario(text)
    with pytest.raises(LightloomError):
        FABRIC.plan("nul\0/plan")


def test_unknown_settings():
    with pytest.raises(DesignTypeError, match="unknown setting; known: family, p, k"):
        Fabric(p=4, k=2, colour="red")
    with pytest.raises(DesignTypeError, match="unknown setting"):
        Fabric.open("design.toml", colour="red")


@pytest.mark.parametrize("tor", [32, -1, 10**30, "no such rack", "", np.int64(-5)])
def test_tors_that_are_not_there(tor, cli):
    flags = ["--p=4", "--k=2", f"--source={tor}"]
    printed = cli("tree", *flags, refused=True)
    with pytest.raises(DesignError) as caught:
        FABRIC.tree(tor)
    assert str(caught.value) == with_keywords(printed) and caught.value.field == "source"


@pytest.mark.parametrize(
    "failed", ["", "relay:99", "nonsense", "branch:0->1", "relay:1,relay:1", "rx:0/9", ","]
)
def test_failures_that_are_none(failed, cli):
    printed = cli("impact", "--p=4", "--k=2", f"--failed={failed}", refused=True)
    for call in (FABRIC.impact, FABRIC.recover):
        with pytest.raises(DesignError) as caught:
            call(failed)
        assert str(caught.value) == with_keywords(printed)


def test_empty_lists_are_refused():
    for call in (FABRIC.impact, FABRIC.recover, FABRIC.parallel):
        with pytest.raises(DesignError):
            call([])
    with pytest.raises(DesignError, match="named twice"):
        FABRIC.parallel([1, 1])


def test_folders_that_cannot_be_written(tmp_path, cli):
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "mine.txt").write_text("mine")
    file = tmp_path / "file"
    file.write_text("a file")
    for out in (foreign, file, "/proc/nothing/plan", "/dev/null", ""):
        printed = cli("plan", "--p=4", "--k=2", f"--out={out}", refused=True) if out else None
        with pytest.raises(DesignError) as caught:
            FABRIC.plan(out)
        assert printed is None or str(caught.value) == with_keywords(printed)
    assert (foreign / "mine.txt").read_text() == "mine"
    with pytest.raises(DesignError, match="there already"):
        lightloom.new_design(file, tors=9)


def test_methods_that_do_not_apply(cli):
    for flags in (
        {"method": "other"},
        {"objective": "other"},
        {"method": "algorithm2", "objective": "fewest-hops"},
    ):
        line = [f"--{name}={value}" for name, value in flags.items()]
        printed = cli("recover", "--p=4", "--k=2", "--failed=relay:1", *line, refused=True)
        with pytest.raises(DesignError) as caught:
            FABRIC.recover("relay:1", **flags)
        assert str(caught.value) == with_keywords(printed)
    with pytest.raises(DesignError, match="only a shufflecast"):
        Fabric("kautz", p=4, tors=20).recover("relay:1", method="algorithm2")


@pytest.mark.parametrize("value", ["yes", 1, None, [], np.zeros(3)], ids=repr)
def test_a_question_is_answered_by_true_or_false(value):
    with pytest.raises(DesignTypeError, match=r"throughput: .*True or False"):
        FABRIC.recover("relay:1", throughput=value)


def test_fabrics_too_large_for_what_is_asked():
    large = Fabric("kautz", p=4, tors=200_000)
    for call in (
        large.relay_sets,
        large.parallel,
        lambda: large.impact("relay:0"),
        lambda: large.recover("relay:0"),
        large.risk,
    ):
        with pytest.raises(DesignError):
            call()


def test_the_hierarchy():
    for kind in (DesignError, InfeasibleError, SimulationError):
        assert issubclass(kind, LightloomError) and issubclass(LightloomError, Exception)
    assert issubclass(DesignTypeError, (DesignError, TypeError))
    assert issubclass(Interrupted, KeyboardInterrupt) and Interrupted().result is None


def test_documents_that_are_none():
    document = Fabric(p=2, k=2).document()
    for text in ("", "{}", "[]", "3", '{"format": "lightloom-plan"}', document.replace("1", "2")):
        with pytest.raises(DesignError):
            Fabric.from_document(text)
    for text in (document.replace("fabric.p", "fabric.q"), document[:-1]):
        with pytest.raises(DesignError):
            Fabric.from_document(text)
