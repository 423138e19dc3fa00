"""Reads what the files of a Python package import of their own package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class File:
    """A source file of a package.

    Imports count wherever they stand: at the top, inside functions, and under ``TYPE_CHECKING``.
    A type that a file names is something that its reader has to know, too.
    """

    path: Path
    #: Number of lines.
    lines: int
    #: Modules of the same package that it imports, with the packages that they lie in.
    imports: set[str] = field(default_factory=set)
    #: Imports from a package that the file itself lies in, as they are written.
    upward: list[str] = field(default_factory=list)


def read(root: Path) -> dict[str, File]:
    """The files of a package by module name. ``root`` is the folder of the package."""
    paths = {_module(root, path): path for path in sorted(root.rglob("*.py"))}
    # A compiled module has only a stub.
    stubs = {_module(root, path): path for path in sorted(root.rglob("*.pyi"))}
    paths = {**stubs, **paths}
    return {module: _file(module, path, paths) for module, path in paths.items()}


def _module(root: Path, path: Path) -> str:
    parts = [root.name, *path.relative_to(root).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _file(module: str, path: Path, known: dict[str, Path]) -> File:
    text = path.read_text(encoding="utf-8")
    file = File(path, text.count("\n"))
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for name in _names(ast.parse(text), package):
        owner = _owner(name, known)
        if owner is None or owner == module:
            continue
        if f"{module}.".startswith(f"{owner}."):
            file.upward.append(name)
        # Importing a.b.c also runs a.b and a, unless they run already.
        for imported in (owner, *_packages(owner)):
            if not f"{module}.".startswith(f"{imported}."):
                file.imports.add(imported)
    return file


def _names(tree: ast.AST, package: str) -> Iterator[str]:
    """The full name of everything that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join(
                [*(above if node.level else []), *([node.module] if node.module else [])]
            )
            yield from (f"{start}.{alias.name}" for alias in node.names)


def _owner(name: str, known: dict[str, Path]) -> str | None:
    """The module that a name is imported from; None for other packages."""
    return next((each for each in (name, *_packages(name)) if each in known), None)


def _packages(module: str) -> list[str]:
    """The packages that a module lies in, innermost first."""
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]


def circles(files: dict[str, File]) -> list[list[str]]:
    """Modules that import each other in a circle, each circle once."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            new = files[waiting.pop()].imports - found
            found |= new
            waiting += new
        return found

    reach = {module: reached(module) for module in files}
    found = {
        tuple(sorted(other for other in files if other in reach[module] and module in reach[other]))
        for module in files
    }
    return sorted(map(list, found - {()}))
