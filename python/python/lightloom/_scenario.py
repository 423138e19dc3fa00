"""What a scenario is asked besides its run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lightloom import _choices
from lightloom._extras import Progress, watching
from lightloom._lightloom import fastest_beside
from lightloom._stops import report_of
from lightloom.collectives import Advice, asked


class ScenarioQuestions:
    """What a scenario is asked whose answers lead back to no scenario."""

    _path: str
    _files: dict[str, str]
    _given: dict[str, Any] | None

    def collective(
        self,
        operation: _choices.Operation,
        *,
        size: str | None = None,
        members: int | Iterable[int] | None = None,
        groups: int | Iterable[int] | None = None,
        schedules: str | Iterable[str] | None = None,
        simulate_up_to: str | None = None,
        order: _choices.MemberOrder | None = None,
        slice: str | None = None,
        shards: int | None = None,
        start: str | None = None,
        seed: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Advice:
        """The fastest schedule of a collective operation on this network, by runs of the twin.

        Every schedule runs alone, and beside the messages of the scenario. The parameters are those
        of :meth:`Fabric.collective`; the scenario says the network, losses and failures.

        Raises
        ------
        SimulationError
            If the scenario or an argument is wrong.
        Interrupted
            On Ctrl-C. Its ``result`` has the runs that are done.

        Examples
        --------
        >>> from lightloom import samples
        >>> advice = samples.scenario().collective("allgather", size="64 kB", start="1 us")
        >>> advice.report["has_others"]
        True
        """
        given = asked(
            operation, size=size, members=members, groups=groups, schedules=schedules,
            simulate_up_to=simulate_up_to, order=order, slice=slice, shards=shards,
            start=start, seed=seed, threads=threads,
        )  # fmt: skip
        with watching(progress, "Simulating") as update:
            return report_of(
                lambda: fastest_beside(self._path, self._files, given, update, self._given),
                Advice,
                "all runs",
            )
