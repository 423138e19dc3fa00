"""The examples of docstrings, run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import lightloom

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(lightloom.__path__, "lightloom.")
    # It needs os-ken, and has no examples.
    if ".controller" not in module.name and not module.name.endswith("._lightloom")
)


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = [
        example
        for name in MODULES
        for found in finder.find(importlib.import_module(name))
        for example in found.examples
    ]
    assert len(examples) > 30


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    ran = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert ran.failed == 0
