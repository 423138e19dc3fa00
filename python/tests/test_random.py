"""Random values for every public function give an answer or a documented exception.

They never cause a panic, another exception, or a dead interpreter.
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lightloom
from lightloom import Fabric, LightloomError, Plan, Result, Scenario, Settings

# Sizes between small and impossible are only slow.
integers = st.one_of(
    st.integers(-3, 40), st.integers(2**33, 2**66), st.integers(-(2**66), -(2**31))
)
# The tests write only into their own folder.
names = st.text(st.characters(exclude_characters="/"), max_size=30)
words = st.sampled_from(
    ["shufflecast", "kautz", "custom", "relay:1", "tx:0,tor:3", "branch:0->1", "worst", "typical",
     "algorithm2", "replan", "fewest-hops", "arborescence", "receiver", "25 Gb/s", "1 dB", "0.6 m",
     "-1 m", "1e400", "cost", "hops", "nan", "3:1", "2 x 25 Gb/s", "10gbase-er", "R1.01", "0", "-1",
     "datasheets-2026", "racks.csv", "plan", "run", "nul\0", "\ud800", "\n", "", ".."]
)  # fmt: skip
texts = st.one_of(words, words, names)
numbers = st.one_of(integers, st.floats(), st.booleans(), st.just(np.float64("nan")))
scalars = st.one_of(st.none(), texts, numbers, integers.map(lambda n: np.int64(n % 50)))
odd = st.one_of(
    st.binary(max_size=9),
    st.complex_numbers(),
    st.builds(object),
    st.just(int),
    st.just(np.zeros((3, 3), int)),
    st.just(np.array([0.5])),
    st.just(pd.DataFrame({"name": ["a", "a"], "row": [1, None]})),
    st.just(pd.DataFrame()),
    st.just(nx.path_graph(3)),
    st.builds(Path, names.filter(lambda name: "\0" not in name)),
)
values = st.recursive(
    st.one_of(scalars, scalars, odd),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(texts, inner, max_size=3),
        st.sets(st.integers(0, 40), max_size=3),
    ),
    max_leaves=6,
)

FABRICS = [Fabric(p=2, k=2), Fabric("kautz", p=3, tors=7), Fabric(p=3, k=1, housing="receiver")]
TEXT = (EXAMPLES / "incast.toml").read_text().replace('"1 MB"', '"10 kB"')
SCENARIO = Scenario(TEXT.replace("1 ms", "10 us"))
RESULT = SCENARIO.run()
TREE, SETS = FABRICS[0].tree(0), FABRICS[0].relay_sets()

relaxed = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder for relative names: a plan, a run, an inventory, and all written files."""
    monkeypatch.chdir(tmp_path)
    FABRICS[0].plan("plan")
    RESULT.save("run")
    Path("racks.csv").write_text("name,row,position\na,1,1\nb,1,2\nc,1,3\n")


def throw(call, *arguments, also=(), **named):
    try:
        return call(*arguments, **named)
    except (LightloomError, *also) as error:
        str(error), repr(error)


def parameters(function):
    """The names of a function's parameters, without `*args` and `**kwargs`."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = inspect.signature(function).parameters.values()
    return [found.name for found in found if found.kind in kinds and found.name != "self"]


said = st.dictionaries(st.sampled_from(sorted(Settings.__annotations__)), values, max_size=5)
good = {"family": "kautz", "p": 2, "tors": 6}


@relaxed
@given(said=said, base=st.sampled_from([{}, good, {"p": 2, "k": 2}]))
def test_fabrics(said, base):
    fabric = throw(Fabric, **{**base, **said})
    if fabric is not None and len(fabric) < 100:
        assert len(repr(fabric)) > 10 and throw(fabric.tree, 0) is not None
        assert Fabric.from_document(fabric.document()) == fabric


METHODS = [
    "tree", "tor", "rules", "relay_sets", "parallel", "info", "impact", "recover", "risk",
    "repairs", "budget", "compare", "plan", "to_networkx", "cassette_graph", "document",
    "spec", "svg", "configs", "trace", "trees", "hops", "impact_many", "single_failures",
    "recover_many", "place", "collective",
]  # fmt: skip


def test_all_methods_are_here():
    public = {
        name for name, _ in inspect.getmembers(Fabric, inspect.isfunction)
        if not name.startswith("_")
    }  # fmt: skip
    assert public == set(METHODS)


@pytest.mark.parametrize("name", METHODS)
@relaxed
@given(data=st.data())
def test_methods_of_fabrics(name, data):
    fabric = data.draw(st.sampled_from(FABRICS))
    method = getattr(fabric, name)
    keys = [key for key in parameters(method) if key != "progress"]
    arguments = {key: data.draw(values) for key in keys}
    if name == "budget":
        arguments["threads"] = data.draw(st.one_of(st.integers(-1, 4), values))
    if name == "place":
        few = st.one_of(st.integers(-1, 2), st.none(), st.text(max_size=3))
        times = st.one_of(st.none(), st.sampled_from(["0s", "10 ms", "x", "-1 s", ""]))
        arguments |= {"rounds": data.draw(few), "chains": data.draw(few), "time": data.draw(times)}
    throw(method, **arguments)


@pytest.mark.parametrize(
    "call",
    [Fabric.open, Fabric.from_document, lightloom.verify, Plan.open, Result.open, Scenario.open,
     lightloom.from_networkx, Scenario, TREE.path, RESULT.save, RESULT.arrow,
     RESULT.throughput],
    ids=lambda call: call.__qualname__,
)  # fmt: skip
@relaxed
@given(value=values)
def test_functions_of_one_value(call, value):
    throw(call, value)


@relaxed
@given(said=said, out=texts)
def test_new_designs(said, out):
    throw(lightloom.new_design, out, **said)


@settings(relaxed, max_examples=30)
@given(data=st.data())
def test_explorations(data):
    keys = set(parameters(lightloom.explore)) - {"progress", "tors"}
    asked = {key: data.draw(values) for key in data.draw(st.sets(st.sampled_from(sorted(keys))))}
    throw(lightloom.explore, data.draw(st.one_of(st.just(12), values)), **asked)


@relaxed
@given(data=st.data())
def test_unused_ports(data):
    keys = parameters(lightloom.unused_ports)
    asked = {key: data.draw(values) for key in data.draw(st.sets(st.sampled_from(keys)))}
    throw(lightloom.unused_ports, **asked)


@settings(relaxed, max_examples=50)
@given(data=st.data())
def test_runs(data):
    keys = set(parameters(SCENARIO.run)) - {"progress", "seeds", "threads"}
    asked = {key: data.draw(values) for key in data.draw(st.sets(st.sampled_from(sorted(keys))))}
    few = st.one_of(st.integers(-1, 3), st.integers(2**31, 2**66), texts)
    throw(SCENARIO.run, threads=data.draw(few), seeds=data.draw(st.none() | few), **asked)


mappings = st.dictionaries(
    st.sampled_from(["version", "until", "seed", "network", "traffic", "flow", "loss", "probes"]),
    st.one_of(values, st.dictionaries(texts, values, max_size=4)),
    max_size=8,
)


@relaxed
@given(mapping=mappings)
def test_scenarios(mapping):
    throw(Scenario, {"version": 1, "until": "1 us", **mapping})


attributes = st.fixed_dictionaries(
    {},
    optional={
        "rate_bps": st.one_of(st.just(1e9), values),
        "delay_s": st.one_of(st.just(1e-6), values),
        "length_m": values,
        "kind": st.sampled_from(["host", "switch", "router"]),
        "tor": values,
        "name": values,
        "x_m": values,
        "y_m": values,
        "row": values,
    },
)


@st.composite
def graphs(draw):
    kind = draw(st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]))
    graph = kind(**draw(st.dictionaries(st.sampled_from(["p", "document"]), values)))
    nodes = st.one_of(st.integers(0, 5), texts)
    for node, data in draw(st.lists(st.tuples(nodes, attributes), max_size=5)):
        graph.add_node(node, **data)
    for start, end, data in draw(st.lists(st.tuples(nodes, nodes, attributes), max_size=9)):
        graph.add_edge(start, end, **data)
    return graph


@relaxed
@given(graph=graphs())
def test_graphs(graph):
    throw(lightloom.from_networkx, graph)
    throw(Scenario, {"version": 1, "until": "1 us"}, network=graph)


@relaxed
@given(value=values)
def test_indices(value):
    throw(SETS.__getitem__, value, also=(IndexError,))
    throw(TREE.paths.__getitem__, value, also=(KeyError,))
    throw(RESULT.__getitem__, value, also=(KeyError, TypeError))


@relaxed
@given(value=st.one_of(st.none(), texts, integers, st.floats(), st.binary(), st.builds(object)))
def test_comparisons(value):
    for answer in (FABRICS[0], TREE, SETS, RESULT, SCENARIO, FABRICS[0].compare()):
        assert (answer == value) is False and (answer != value) is True


def test_nothing_was_written_elsewhere():
    assert os.getcwd() != str(Path(__file__).parent)
