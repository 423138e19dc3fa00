"""Every public name is documented: what it raises, and an example that runs."""

from __future__ import annotations

import inspect
import re

import pytest
from conftest import ROOT

import lightloom
from lightloom._report import Report

MODULES = [
    lightloom,
    lightloom.netbox,
    lightloom.optimize,
    lightloom.optimize.qap,
    lightloom.plot,
    lightloom.samples,
    lightloom.sweep,
]
# They need a NetBox server, whose records their tests stand in for.
OF_NETBOX = {"Endpoint.all", "Endpoint.filter", "Exports.settings", "Exports.write",
             "Table.to_csv", "collect"}  # fmt: skip
# They need what switches said.
OF_SWITCHES = {"verify_configs"}
# They raise nothing of their own.
NEVER = {"Fabric.single_failures", "Budget.table", "Impacts.table", "Recoveries.table",
         "scenario", "allreduce", "broadcast"}  # fmt: skip


def functions():
    """Every public function and method of the package, once each, by name."""
    found = {}
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value):
                found.setdefault(value, name)
            elif inspect.isclass(value):
                for member, method in inspect.getmembers(value, callable):
                    method = getattr(method, "__func__", method)
                    own = getattr(method, "__module__", "") or ""
                    is_own = inspect.isfunction(method) and own.startswith("lightloom")
                    if is_own and not member.startswith("_"):
                        found.setdefault(method, f"{name}.{member}")
    return {name: function for function, name in found.items()}


FUNCTIONS = functions()


def test_the_walk_finds_what_is_there():
    assert len(FUNCTIONS) > 125 and {"Fabric.plan", "explore", "schedule"} <= set(FUNCTIONS)
    assert set(FUNCTIONS) >= NEVER | OF_NETBOX | OF_SWITCHES


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_what_it_raises_and_an_example(name):
    doc = inspect.getdoc(FUNCTIONS[name]) or ""
    lines = doc.splitlines()
    assert lines and lines[0].endswith(".")
    if name not in NEVER | OF_NETBOX:
        assert "Raises" in lines
    if name not in OF_NETBOX | OF_SWITCHES:
        assert any(line.startswith(">>> ") for line in lines)


def test_the_page_about_optimisation_runs_as_printed():
    text = (ROOT / "docs/optimisation.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/optimisation.md", "exec"), names)
    assert names["run"].makespan_s == pytest.approx(names["found"].makespan_s, rel=0.05)
    assert names["chosen"].proved


def answers():
    """Every class of answers, with those below it."""
    waiting, found = [Report], []
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting += kind.__subclasses__()
    return found


@pytest.mark.parametrize("kind", answers(), ids=lambda kind: kind.__name__)
def test_answers_are_shown_in_notebooks(kind):
    assert callable(kind._repr_html_)


def test_the_table_of_an_answer_has_its_numbers_and_no_markup_of_names():
    class Named(Report):
        def __repr__(self):
            return "<Named & <b>>"

    html = Named({"format": 1, "count": 1234, "of": None, "<i>": "<script>", "list": [1]})
    shown = html._repr_html_()
    assert "1,234" in shown and "unknown" in shown and "format" not in shown
    assert "<script>" not in shown and "<b>></b>" not in shown and "&lt;i&gt;" in shown
    info = lightloom.Fabric(p=2, k=2).info()
    assert "max_hops" in info._repr_html_()
