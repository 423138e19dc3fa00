"""No function of the package has the name of a module, because it would hide the module."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import types

import pytest

import lightloom

PACKAGES = [
    package
    for package in (lightloom, *vars(lightloom).values())
    if isinstance(package, types.ModuleType) and hasattr(package, "__path__")
]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_no_name_hides_a_module(package):
    modules = [module.name for module in pkgutil.iter_modules(package.__path__)]
    assert modules
    for name in modules:
        module = importlib.import_module(f"{package.__name__}.{name}")
        assert getattr(package, name) is module, name


def test_what_is_public_is_there():
    for package in (lightloom, lightloom.plot):
        for name in package.__all__:
            assert getattr(package, name) is not None
    assert callable(lightloom.explore) and callable(lightloom.plot.front)
    again = pickle.loads(pickle.dumps(lightloom.explore(32)))
    assert again == lightloom.explore(32) and type(again) is lightloom.Exploration
