"""Quadratic assignments, and files of QAPLIB that have them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._settings import PathText
from lightloom.errors import DesignError

_MOST_BYTES = 1 << 30

Whole = npt.NDArray[np.int64]


class Instance:
    """A quadratic assignment of whole numbers.

    Parameters
    ----------
    flows, distances : array_like
        Shape (n, n), whole numbers: what each facility sends to each other one, and the distance
        from each location to each other one.

    Raises
    ------
    DesignError
        If they are not square, of one size and whole.

    Examples
    --------
    >>> instance = Instance([[0, 3], [0, 0]], [[0, 5], [7, 0]])
    >>> instance.cost([0, 1]), instance.cost([1, 0])
    (15, 21)
    """

    flows: Whole
    """Shape (n, n), int64."""
    distances: Whole
    """Shape (n, n), int64."""

    def __init__(self, flows: npt.ArrayLike, distances: npt.ArrayLike) -> None:
        self.flows = _square("flows", flows)
        self.distances = _square("distances", distances)
        if self.flows.shape != self.distances.shape:
            sizes = f"{len(self.flows)} and {len(self.distances)}"
            message = f"distances: found sizes of {sizes}; both matrices have one size"
            raise DesignError(message, field="distances")

    @property
    def size(self) -> int:
        """The number of facilities, and of locations."""
        return len(self.flows)

    def cost(self, locations: npt.ArrayLike) -> int:
        """The cost if each facility is at this location, from 0.

        Parameters
        ----------
        locations : array_like
            Shape (n,): the location of each facility.

        Raises
        ------
        DesignError
            If it does not name each location once.

        Examples
        --------
        >>> Instance([[0, 1], [1, 0]], [[0, 4], [4, 0]]).cost([1, 0])
        8
        """
        at = _permutation("locations", locations, self.size)
        # By Python's numbers, so that nothing overflows.
        products = self.flows.astype(object) * self.distances[np.ix_(at, at)].astype(object)
        return int(products.sum())

    def __repr__(self) -> str:
        return f"<Instance of size {self.size:,}>"


class Known(NamedTuple):
    """A solution of a file of QAPLIB."""

    cost: int
    """The best known cost."""
    permutation: npt.NDArray[np.uint32]
    """The permutation from 0 (uint32). In some files it is the inverse one."""


def read(path: PathText) -> Instance:
    """The instance of a file of QAPLIB: its size, and two square matrices.

    Parameters
    ----------
    path : path
        The file (``.dat``). Its first matrix are the flows.

    Returns
    -------
    Instance
        The instance.

    Raises
    ------
    DesignError
        If the file cannot be read, or has something else than the size and two matrices.

    Examples
    --------
    >>> read("no-such.dat")
    Traceback (most recent call last):
    lightloom.errors.DesignError: no-such.dat: cannot be read: No such file or directory
    """
    name, numbers = _numbers(path)
    if not numbers or numbers[0][1] < 1:
        found = numbers[0][1] if numbers else "nothing"
        raise _wrong(name, 1, f"found {found}; expected the size, 1 or more")
    size = numbers[0][1]
    values = np.array([value for _, value in numbers[1:]], np.int64)
    if len(values) != 2 * size * size:
        message = f"found {len(values):,} numbers after the size {size}; two matrices have "
        raise _wrong(name, numbers[-1][0], f"{message}{2 * size * size:,}")
    flows, distances = values.reshape(2, size, size)
    return Instance(flows, distances)


def read_solution(path: PathText) -> Known:
    """The solution of a file of QAPLIB: the size, the best known cost, a permutation.

    Parameters
    ----------
    path : path
        The file (``.sln``).

    Returns
    -------
    Known
        The cost and the permutation from 0.

    Raises
    ------
    DesignError
        If the file cannot be read, or has something else.

    Examples
    --------
    >>> read_solution("no-such.sln")
    Traceback (most recent call last):
    lightloom.errors.DesignError: no-such.sln: cannot be read: No such file or directory
    """
    name, numbers = _numbers(path)
    if len(numbers) < 2 or len(numbers) != 2 + numbers[0][1]:
        message = "expected the size, the cost, and as many numbers as the size says"
        raise _wrong(name, numbers[-1][0] if numbers else 1, message)
    values = [value - 1 for _, value in numbers[2:]]
    if sorted(values) != list(range(len(values))):
        raise _wrong(name, numbers[2][0], "the numbers are no permutation from 1")
    return Known(numbers[1][1], np.array(values, np.uint32))


def _square(field: str, matrix: npt.ArrayLike) -> Whole:
    try:
        found = np.asarray(matrix)
    except ValueError:
        raise _inputs.wrong_type(field, matrix, "a square matrix of whole numbers") from None
    if found.ndim != 2 or found.shape[0] != found.shape[1] or not found.size:
        raise DesignError(f"{field}: expected a square matrix", field=field)
    if found.dtype.kind == "f" and np.isfinite(found).all() and (found == np.rint(found)).all():
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise _inputs.wrong_type(field, matrix, "a square matrix of whole numbers")
    return found.astype(np.int64)


def _permutation(field: str, locations: npt.ArrayLike, size: int) -> npt.NDArray[np.int64]:
    found = np.asarray(locations)
    if found.dtype.kind not in "iu" or sorted(found.ravel().tolist()) != list(range(size)):
        message = f"{field}: expected each location from 0 to {size - 1} once"
        raise DesignError(message, field=field)
    return found.ravel().astype(np.int64)


def _numbers(path: PathText) -> tuple[str, list[tuple[int, int]]]:
    """The whole numbers of a file, each with its line."""
    name = _inputs.path("path", path)
    file = Path(name)
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise _wrong(name, None, "is larger than 1 GiB")
        text = file.read_text("utf-8")
    except OSError as error:
        words = os.strerror(error.errno) if error.errno else str(error)
        raise _wrong(name, None, f"cannot be read: {words}") from None
    except UnicodeDecodeError:
        raise _wrong(name, None, "is no text") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for word in line.replace(",", " ").split():
            try:
                value = int(word)
            except ValueError:
                message = f"found {word[:40]!r}; expected a whole number"
                raise _wrong(name, number, message) from None
            if abs(value) >= 1 << 62:
                raise _wrong(name, number, f"found {word[:40]}, which is too large")
            found.append((number, value))
    return name, found


def _wrong(name: str, line: int | None, message: str) -> DesignError:
    place = name if line is None else f"{name}:{line}"
    return DesignError(f"{place}: {message}", file=name, line=line)
