"""The package as ARCHITECTURE.md draws it, read from its sources.

No files import each other in a circle, no file imports from a package that it lies in, each layer
imports only from layers below it, and no file is too long to read.
"""

from __future__ import annotations

import re

import house
import pytest
from conftest import ROOT

#: Most lines of a file.
LONGEST = 400

FILES = house.read(ROOT / "python/python/lightloom")


def test_no_files_import_each_other_in_a_circle():
    assert house.circles(FILES) == []


def test_no_file_imports_from_a_package_that_it_lies_in():
    assert {module: file.upward for module, file in FILES.items() if file.upward} == {}


def test_no_file_is_too_long_to_read():
    assert {module: file.lines for module, file in FILES.items() if file.lines > LONGEST} == {}


def layers():
    """The layers of the drawing, the lowest first. A folder stands for all files in it."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    _, table, _ = text.split("<!-- python layers -->")
    rows = [re.findall(r"`([a-z_./]+)`", row) for row in table.splitlines() if "`" in row]
    return list(reversed(rows))


def layer_of(module):
    name = module.removeprefix("lightloom").removeprefix(".") or "__init__"
    folder = f"{name.partition('.')[0]}/"
    found = [at for at, row in enumerate(layers()) if name in row or folder in row]
    assert len(found) == 1, f"{name} stands in {len(found)} layers of the drawing"
    return found[0]


def test_layers_import_only_what_is_below():
    at = {module: layer_of(module) for module in FILES}
    wrong = [
        f"{module} imports {other}"
        for module, file in FILES.items()
        for other in sorted(file.imports)
        if at[other] > at[module]
    ]
    assert wrong == []


def test_the_controller_stands_alone():
    own = {module for module in FILES if module.startswith("lightloom.controller")}
    assert own
    for module, file in FILES.items():
        if module in own:
            assert file.imports <= own, module
        else:
            assert not file.imports & own, module


def test_all_that_is_drawn_is_there():
    drawn = {name for row in layers() for name in row}
    names = {module.removeprefix("lightloom").removeprefix(".") or "__init__" for module in FILES}
    assert drawn - names - {f"{name.partition('.')[0]}/" for name in names} == set()


def written(folder, **texts):
    """A package of these modules; ``__`` stands for a dot."""
    root = folder / "pack"
    for name, text in texts.items():
        path = root.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        (path.parent / "__init__.py").touch()
    (root / "__init__.py").touch()
    return house.read(root)


@pytest.mark.parametrize(
    "back",
    [
        "from pack.a import x",
        "from pack import a",
        "from . import a",
        "from .a import x",
        "import pack.a",
        "def f():\n    from pack.a import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pack.a import x",
    ],
)
def test_a_circle_is_found(tmp_path, back):
    files = written(tmp_path, a="from pack.b import y", b="from pack.c import z", c=back)
    assert house.circles(files) == [["pack.a", "pack.b", "pack.c"]]


def test_a_package_runs_before_its_modules(tmp_path):
    files = written(tmp_path, a="import pack.sub.leaf", sub__leaf="")
    assert files["pack.a"].imports == {"pack.sub", "pack.sub.leaf"}
    (tmp_path / "pack/sub/__init__.py").write_text("from pack.a import x")
    files = house.read(tmp_path / "pack")
    assert house.circles(files) == [["pack.a", "pack.sub"]]


@pytest.mark.parametrize(
    ("text", "upward"),
    [
        ("from pack import Name", ["pack.Name"]),
        ("import pack", ["pack"]),
        ("from pack.sub import Name", ["pack.sub.Name"]),
        ("from . import Name", ["pack.sub.Name"]),
        ("from .. import Name", ["pack.Name"]),
        ("from pack import a", []),
        ("from pack.sub import other", []),
        ("from pack.a import Name", []),
        ("import packed", []),
    ],
)
def test_an_import_from_a_package_around_it_is_found(tmp_path, text, upward):
    files = written(tmp_path, a="", sub__leaf=text, sub__other="")
    assert files["pack.sub.leaf"].upward == upward
