"""Optional packages and progress bars."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from lightloom.errors import DesignTypeError

Progress: TypeAlias = bool | Callable[[int, int], object] | None

_EXTRAS = {
    "pandas": "pandas",
    "networkx": "networkx",
    "matplotlib": "plot",
    "tqdm": "progress",
    "pyarrow": "arrow",
    "polars": "polars",
    "ortools": "optimize",
    "IPython": "notebook",
}


def need(package: str, caller: str, module: str | None = None) -> Any:
    """The module, or an ``ImportError`` that names the extra to install."""
    try:
        return importlib.import_module(module or package)
    except ImportError as error:
        extra = _EXTRAS[package]
        message = f"{package} is needed for {caller}: pip install lightloom[{extra}]"
        raise ImportError(message, name=package) from error


@contextmanager
def watching(progress: Progress, what: str) -> Iterator[Callable[[int, int], object] | None]:
    """The progress callback of a long call: None, a tqdm bar for ``True``, or the callable."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        tqdm = need("tqdm", "progress=True", "tqdm.auto").tqdm
        bar = tqdm(desc=what, leave=False)

        def update(done: int, of: int) -> None:
            bar.total = of
            bar.n = done
            bar.refresh()

        try:
            yield update
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise DesignTypeError(
            f"progress: found {progress!r}; expected True, False or a callable of (done, of)",
            field="progress",
        )
