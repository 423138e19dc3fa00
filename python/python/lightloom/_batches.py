"""Many recoveries at once, and searches for placements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from lightloom import _choices, _inputs
from lightloom._extras import Progress, watching
from lightloom._questions import Questions
from lightloom._report import parse
from lightloom._stops import answer_of
from lightloom.errors import DesignError
from lightloom.failures import RecoveryReport
from lightloom.many import RECOVERIES, Recoveries
from lightloom.placing import Placement
from lightloom.table import Table

if TYPE_CHECKING:
    from typing_extensions import Self

Found = TypeVar("Found", bound=RecoveryReport)
Asked: TypeAlias = tuple[str, str | None, str | None]
"""Failures, method and objective, as the extension takes them."""


class Batches(Questions, Generic[Found]):
    """Questions whose answers lead back to a fabric, for many cases at once."""

    def _recovery(self, asked: Asked, report: dict[str, Any]) -> Found:
        raise NotImplementedError

    def recover_many(
        self,
        failed: Iterable[_inputs.Failed],
        method: _choices.Method | None = None,
        objective: _choices.Objective | None = None,
        rollout: bool = True,
        progress: Progress = None,
    ) -> Recoveries[Found]:
        """The recoveries from many failure sets, each as :meth:`recover` gives it.

        Parameters
        ----------
        failed : iterable of failure sets
            Each as :meth:`impact` takes it: a text, a ToR's number, or a list of them.
        method : {"replan", "algorithm2"}, optional
            The exact method, or the Shufflecast paper's Algorithm 2.
        objective : {"fewest-changes", "fewest-hops"}, optional
            The quantity that replan minimises.
        rollout : bool, optional
            Whether every state of every rollout is replayed. Without it only the final states are,
            and :attr:`Recovery.phases` and :attr:`Recovery.outage` are refused.
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of).

        Returns
        -------
        Recoveries
            The figures of all sets as a table, and each recovery.

        Raises
        ------
        DesignError
            If a failure is not of this fabric, with the number of its set. A method that does not
            apply to a set is told in ``refused``, and the other sets go on.
        Interrupted
            On Ctrl-C. Its ``result`` has the sets that are done.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> recoveries = fabric.recover_many(range(8))
        >>> len(recoveries), recoveries.all_restored
        (8, True)
        >>> recoveries[3] == fabric.recover("relay:3")
        True
        """
        sets = _inputs.failure_sets(failed)
        how = (
            _inputs.optional_text("method", method),
            _inputs.optional_text("objective", objective),
        )
        replayed = _inputs.flag("rollout", rollout)
        with watching(progress, "Recovering") as update:
            return answer_of(
                lambda: self._project.recoveries(sets, how, replayed, update),
                lambda raw: Recoveries(
                    partial(_made, self, how), raw[0], Table(raw[1], RECOVERIES), raw[2]
                ),
                "the recoveries",
            )

    def place(
        self,
        time: str | None = None,
        *,
        chains: int | None = None,
        rounds: int | None = None,
        seed: int = 0,
        fixed: Iterable[_inputs.ToR] = (),
        forbidden: Iterable[str] = (),
        rack_groups: Mapping[str, str] | None = None,
        progress: Progress = None,
    ) -> Placement[Self]:
        """Searches the racks of all ToRs for the cheapest cords.

        The search anneals several placements side by side. The planner lays and prices what was
        found again, and the fabric is never dearer than it was.

        Parameters
        ----------
        time : str, optional
            About how long the search takes on this machine, such as ``"60 s"``. The answer says
            which chains and rounds that came to.
        chains, rounds : int, optional
            In place of a time: the number of placements that are annealed side by side, and the
            rounds of each. The result does not depend on the machine.
        seed : int, optional
            Seed of the random draws.
        fixed : iterable of int or str, optional
            ToRs that stay in their racks. Those that an old plan keeps always do.
        forbidden : iterable of str, optional
            Names of racks that get no ToR.
        rack_groups : mapping of str to str, optional
            The group of each rack by name: a ToR stays within the group of its rack. Racks without
            a group are one group.
        progress : bool or callable, optional
            ``True`` shows a tqdm bar; a callable is called with (done, of), in rounds.

        Returns
        -------
        Placement
            The placed fabric, and what its cords cost before and after.

        Raises
        ------
        DesignError
            If an option is wrong, or if the fabric is that of a plan that was read back.
        Interrupted
            On Ctrl-C. Its ``result`` has the best placement so far.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, tors=60)
        >>> found = fabric.place(chains=1, rounds=2)
        >>> found.after["branches_stock_m"] < found.before["branches_stock_m"]
        True
        >>> found.fabric.plan("plan")  # doctest: +SKIP
        """
        asked = {
            "effort": _effort(time, chains, rounds),
            "seed": _inputs.number("seed", seed),
            "fixed": _inputs.tors_text("fixed", fixed),
            "forbidden": _inputs.texts("forbidden", forbidden, "the name of a rack"),
            "rack_groups": _inputs.text_pairs("rack_groups", rack_groups or {}),
        }
        with watching(progress, "Placing") as update:
            return answer_of(
                lambda: self._project.place(asked, update),
                lambda raw: Placement(type(self)._of(raw[0]), parse(raw[1])),
                "the placement",
            )


def _made(
    fabric: Batches[Found], how: tuple[str | None, str | None], failed: str, report: dict[str, Any]
) -> Found:
    return fabric._recovery((failed, *how), report)


def _effort(time: object, chains: object, rounds: object) -> str:
    """The effort of a search, as the extension takes it."""
    if rounds is None and chains is None:
        if time is None:
            message = "time: is missing; give a time such as '60 s', or chains and rounds"
            raise DesignError(message, field="time")
        return _inputs.text("time", time, "a time such as '60 s'")
    if time is not None:
        message = "time: is given together with chains and rounds; give one of the two"
        raise DesignError(message, field="time")
    if rounds is None:
        raise DesignError("rounds: is missing; chains alone say no effort", field="rounds")
    side_by_side = 1 if chains is None else _inputs.number("chains", chains)
    return f"{side_by_side}x{_inputs.number('rounds', rounds)}"
