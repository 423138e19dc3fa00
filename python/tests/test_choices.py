"""Words that arguments may have: the types have those that Rust declares, and checkers use them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import typing

import pytest
from conftest import ROOT

from lightloom import DesignError, Fabric, SimulationError, _choices, explore
from lightloom._settings import Settings


def words(kind):
    return list(typing.get_args(getattr(_choices, kind)))


def declared():
    """The words of each setting in the schema of design files."""
    schema = json.loads((ROOT / "docs/design.schema.json").read_text(encoding="utf-8"))
    found = {}
    for section in schema["properties"].values():
        for name, value in section.get("properties", {}).items():
            choices = value.get("anyOf") or value.get("oneOf") or [value]
            consts = [one["const"] for one in choices if isinstance(one.get("const"), str)]
            if consts:
                found[name] = consts
    return found


def test_settings_have_the_words_of_the_schema():
    typed = typing.get_type_hints(Settings)
    for name, consts in declared().items():
        literal = [one for one in typing.get_args(typed[name]) if one is not type(None)]
        assert list(typing.get_args(literal[0])) == consts, name


@pytest.mark.parametrize(
    ("kind", "ask"),
    [
        ("Case", lambda word: Fabric(p=2, k=2).budget(word)),
        ("Method", lambda word: Fabric(p=2, k=2).recover("relay:1", method=word)),
        ("Objective", lambda word: Fabric(p=2, k=2).recover("relay:1", objective=word)),
        ("Dialect", lambda word: Fabric(p=2, k=2).configs(word)),
        ("Encoding", lambda word: Fabric(p=2, k=2).configs(encoding=word)),
        ("Criterion", lambda word: explore(8, rank_by=word)),
    ],
)
def test_other_words_are_those_that_a_refusal_lists(kind, ask):
    with pytest.raises((DesignError, SimulationError), match="wrost") as refused:
        ask("wrost")
    listed = str(refused.value).partition("expected")[2]
    found = re.findall(r"[a-z0-9][a-z0-9-]*", listed)
    assert set(words(kind)) <= set(found), str(refused.value)


GOOD = """
import lightloom
fabric = lightloom.Fabric(p=4, k=2, family="shufflecast", housing="receiver", polish="apc")
fabric.budget("worst")
fabric.recover("relay:1", method="replan", objective="fewest-hops")
fabric.configs("eos", encoding="roots")
lightloom.sweep.run(fabric, [{"p": 2}], "out", ask=["info"])
print(fabric.place("1 s").fabric.tors)
"""
WRONG = [
    'fabric.budget("wrost")',
    'fabric.budget(case="wrost")',
    'fabric.recover("relay:1", method="replam")',
    'fabric.recover_many(["relay:1"], objective="fewest")',
    'fabric.configs("cisco")',
    'fabric.configs(encoding="lists")',
    'lightloom.Fabric(p=4, k=2, family="kauz")',
    'lightloom.Fabric(p=4, k=2, housing="sneder")',
    'lightloom.Fabric(p=4, k=2, fault_signalling="maybe")',
    'lightloom.explore(8, rank_by="price")',
    'lightloom.Scenario({}).run(light="bright")',
    'lightloom.Scenario({}).run().arrow("hosts")',
    'lightloom.sweep.run(fabric, [{"p": 2}], "out", ask=["hops"])',
    'fabric.place(rounds="two")',
]


@pytest.mark.parametrize("checker", ["mypy", "basedpyright"])
def test_checkers_find_wrong_words(checker, tmp_path):
    head = GOOD.splitlines()[1:3]
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "wrong.py").write_text("\n".join([*head, *WRONG]) + "\n")
    command = [sys.executable, "-m", checker]
    if checker == "basedpyright":
        command += ["--level", "error", "--pythonpath", sys.executable]
    told = {}
    for name in ("good", "wrong"):
        ran = subprocess.run([*command, f"{name}.py"], cwd=tmp_path, capture_output=True, text=True)
        lines = re.findall(rf"{name}\.py:(\d+).*error", ran.stdout)
        told[name] = ({int(line) for line in lines}, ran.stdout + ran.stderr)
    assert told["good"][0] == set(), told["good"][1]
    wanted = set(range(len(head) + 1, len(head) + 1 + len(WRONG)))
    assert told["wrong"][0] == wanted, told["wrong"][1]
