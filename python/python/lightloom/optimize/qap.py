"""Quadratic assignments as matrices: files of QAPLIB, a search by tabu, proofs of small ones.

The cost of an assignment is the sum over all pairs of facilities of what one sends to the other,
times the distance between their locations.

>>> import numpy as np
>>> ring = np.roll(np.eye(5, dtype=int), 1, axis=1)
>>> line = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
>>> solve(Instance(ring, line), chains=1, rounds=1).cost
8
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._batches import _effort
from lightloom._extras import Progress, watching
from lightloom._lightloom import assign_dense, prove_dense
from lightloom._report import Report, count
from lightloom._stops import report_of
from lightloom.errors import DesignError
from lightloom.optimize._qaplib import Instance, Known, Whole, read, read_solution

__all__ = ["Assigned", "Instance", "Known", "Proof", "prove", "read", "read_solution", "solve"]


class Assigned(Report):
    """An assignment that a search has found."""

    @property
    def cost(self) -> int:
        """The cost of the assignment."""
        return int(self.report["cost"])

    @property
    def locations(self) -> npt.NDArray[np.uint32]:
        """The location of each facility, from 0 (uint32)."""
        return np.array(self.report["locations"], np.uint32)

    @property
    def curve(self) -> Whole:
        """The least cost after each round (int64)."""
        return np.array(self.report["curve"], np.int64)

    @property
    def missing(self) -> str:
        """What a stopped search has not done; an empty text if it is whole."""
        left = int(self.report["rounds"]) - int(self.report["rounds_done"])
        return f"{left:,} of {count(int(self.report['rounds']), 'round')}" if left else ""

    def __repr__(self) -> str:
        return f"<Assigned: cost {self.cost:,} after {count(len(self.curve), 'round')}>"


class Proof(Report):
    """An assignment that branch and bound has come to."""

    @property
    def cost(self) -> int:
        """The cost of the assignment."""
        return int(self.report["cost"])

    @property
    def locations(self) -> npt.NDArray[np.uint32]:
        """The location of each facility, from 0 (uint32)."""
        return np.array(self.report["locations"], np.uint32)

    @property
    def proved(self) -> bool:
        """Whether no assignment costs less."""
        return bool(self.report["proved"])

    @property
    def nodes(self) -> int:
        """The number of partial assignments that were looked at."""
        return int(self.report["nodes"])

    @property
    def missing(self) -> str:
        """What a stopped proof lacks; an empty text if it is whole."""
        return "" if self.proved else "the proof that no assignment costs less"

    def __repr__(self) -> str:
        word = "proved" if self.proved else "not proved"
        return f"<Proof: cost {self.cost:,}, {word}>"


def solve(
    instance: Instance,
    time: str | None = None,
    *,
    chains: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    progress: Progress = None,
) -> Assigned:
    """Searches the assignment of least cost by robust tabu search, on all cores.

    Parameters
    ----------
    instance : Instance
        The problem.
    time : str, optional
        About how long the search takes on this machine, such as ``"60 s"``. The answer says which
        chains and rounds that came to.
    chains, rounds : int, optional
        In place of a time: the number of assignments that are searched side by side, and the rounds
        of each. The result does not depend on the machine.
    seed : int, optional
        Seed of the random draws.
    progress : bool or callable, optional
        ``True`` shows a tqdm bar; a callable is called with (done, of), in rounds.

    Returns
    -------
    Assigned
        The best assignment that was found. It is not proved.

    Raises
    ------
    DesignError
        If an option is wrong, or if costs would not fit 62 bits.
    Interrupted
        On Ctrl-C. Its ``result`` has the best assignment so far.

    Examples
    --------
    >>> solve(Instance([[0, 1], [1, 0]], [[0, 4], [4, 0]]), chains=1, rounds=1)
    <Assigned: cost 8 after 1 round>
    """
    problem = _of(instance)
    asked = (_effort(time, chains, rounds), _inputs.number("seed", seed))
    with watching(progress, "Assigning") as update:
        return report_of(lambda: assign_dense(*problem, asked, update), Assigned, "the assignment")


def prove(instance: Instance, facilities: int | None = None) -> Proof:
    """Proves the best assignment of a small problem, by branch and bound.

    The bound is that of Gilmore and Lawler. Ten to twelve facilities take seconds to minutes.

    Parameters
    ----------
    instance : Instance
        The problem.
    facilities : int, optional
        The number of facilities that exchange anything: the first ones. By default as many as
        there are up to the last one with a flow.

    Returns
    -------
    Proof
        The best assignment.

    Raises
    ------
    DesignError
        If an option is wrong, or if costs would not fit 62 bits.
    Interrupted
        On Ctrl-C. Its ``result`` has the best assignment so far, which is not proved.

    Examples
    --------
    >>> prove(Instance([[0, 1], [1, 0]], [[0, 4], [4, 0]]))
    <Proof: cost 8, proved>
    """
    problem = _of(instance)
    size = instance.size
    busy = np.flatnonzero(instance.flows.any(axis=0) | instance.flows.any(axis=1))
    needed = int(busy[-1]) + 1 if len(busy) else 0
    some = needed if facilities is None else _inputs.number("facilities", facilities, size)
    if some < needed:
        message = f"facilities: found {some}; facility {needed - 1} still has flows"
        raise DesignError(message, field="facilities")
    first = solve(instance, chains=1, rounds=1).locations.tolist()
    return report_of(lambda: prove_dense(*problem, (some, first)), Proof, "the proof")


def _of(instance: object) -> tuple[list[int], list[int]]:
    if not isinstance(instance, Instance):
        raise _inputs.wrong_type("instance", instance, "an Instance")
    return instance.flows.ravel().tolist(), instance.distances.ravel().tolist()
