"""Fabrics, plans, and the answers that lead from one to the other.

A fabric makes plans, and a plan has its fabric. Classes that name each other share this file, so
that no files import each other in a circle. What can be asked of them without a way back to another
class of this file is in their base classes.
"""

from __future__ import annotations

from typing import Any

from lightloom import _choices, _inputs
from lightloom._batches import Asked, Batches
from lightloom._changing import ChangingPlan
from lightloom._extras import Progress, watching
from lightloom._lightloom import Project
from lightloom._report import parse
from lightloom._settings import PathText
from lightloom._stops import answer_of
from lightloom.as_built import AsBuiltReport
from lightloom.failures import RecoveryReport
from lightloom.growth import GrowthReport
from lightloom.light import BudgetReport


class Fabric(Batches["Recovery"]):
    """An optical multicast fabric of passive splitters between top-of-rack switches (ToRs).

    Parameters
    ----------
    family : {"shufflecast", "kautz", "custom"}, optional
        The family (default: chosen by the number of ToRs).
    p : int, optional
        Outputs of a splitter, 2 to 1024.
    k : int, optional
        Columns of a Shufflecast, which has k p^k ToRs.
    tors : int, optional
        Number of ToRs, 2 to 4,194,304.
    edges : path or array of shape (tors, 3), optional
        Edges of a custom fabric: ToR, cassette that feeds it, cassette that it transmits into.
    router : {"algorithm1", "arborescence"}, optional
        The router; algorithm1 is the Shufflecast paper's, for a Shufflecast.
    inventory : path or pandas.DataFrame, optional
        The racks.
    **settings
        All other settings of a design file or of flags: see :class:`lightloom.Settings`.

    Raises
    ------
    DesignError
        If the design is wrong, with its file, line and field: the keyword, the key or the column.

    Examples
    --------
    >>> fabric = Fabric(p=4, k=2)
    >>> len(fabric), fabric.cassettes
    (32, 8)
    >>> fabric.tree(0).max_hops
    3
    """

    def budget(
        self,
        case: _choices.Case | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Budget:
        """Loss, received power and margin of every branch, worst first.

        Parameters
        ----------
        case : {"worst", "typical", "monte-carlo", "best"}, optional
            The case of the component values.
        threads : int, optional
            Threads of a Monte Carlo budget; the result does not depend on them.

        Raises
        ------
        DesignError
            If an argument is wrong.
        Interrupted
            On Ctrl-C.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2, transceiver="10gbase-er")
        >>> fabric.budget().worst_margin_db > 0
        True
        """
        wanted = _inputs.case_and_threads(case, threads)
        with watching(progress, "Drawing") as update:
            return answer_of(
                lambda: self._project.budget(*wanted, update),
                lambda raw: Budget(self, raw),
                "the budget",
            )

    def recover(
        self,
        failed: _inputs.Failed,
        method: _choices.Method | None = None,
        objective: _choices.Objective | None = None,
        throughput: bool = False,
    ) -> Recovery:
        """The rules to change, in order, to restore everything that light can still reach.

        Parameters
        ----------
        failed : str or iterable of str or int
            Failures as in :meth:`impact`.
        method : {"replan", "algorithm2"}, optional
            The exact method, or the Shufflecast paper's Algorithm 2.
        objective : {"fewest-changes", "fewest-hops"}, optional
            The quantity that replan minimises.
        throughput : bool, optional
            Whether to measure the lost throughput.

        Raises
        ------
        DesignError
            If a failure or the method does not apply.
        InfeasibleError
            If a state of the rollout is not safe.

        Examples
        --------
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> fabric.recover("relay:3").restored
        True
        """
        wanted = (
            _inputs.failed_text(failed),
            _inputs.optional_text("method", method),
            _inputs.optional_text("objective", objective),
        )
        measured = _inputs.flag("throughput", throughput)
        return answer_of(
            lambda: self._project.recover(*wanted, measured),
            lambda raw: Recovery(self, wanted, parse(raw)),
            "the recovery",
        )

    def _recovery(self, asked: Asked, report: dict[str, Any]) -> Recovery:
        return Recovery(self, asked, report)

    def plan(self, out: PathText, progress: Progress = None) -> Plan:
        """Plans every fibre, port and rule, proves the plan, and writes it to a folder.

        Parameters
        ----------
        out : path
            The folder. A plan in it is replaced in one step.

        Raises
        ------
        DesignError
            If the folder cannot be written or the design is too large.
        InfeasibleError
            If the proof of the plan fails. The plan is not written.
        Interrupted
            On Ctrl-C. Nothing was written.

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import Fabric
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     good = Fabric(p=2, k=2).plan(folder + "/plan").verify().good
        >>> good
        True
        """
        folder = _inputs.path("out", out)
        with watching(progress, "Planning and proving") as update:
            return answer_of(
                lambda: self._project.plan(folder, update),
                lambda raw: Plan(folder, parse(raw), self),
                "the plan; nothing was written",
            )


class Plan(ChangingPlan["Growth", "AsBuilt"]):
    """A plan in a folder, with its report and proof.

    Attributes
    ----------
    folder : str
        The folder of the plan.
    fabric : Fabric
        The fabric of the plan.
    """

    fabric: Fabric

    @classmethod
    def open(cls, folder: PathText, *, memory: str | None = None) -> Plan:
        """Opens the plan of a folder from its ``plan.json``; :meth:`verify` checks it.

        Parameters
        ----------
        folder : path
            The plan's folder.
        memory : str, optional
            Most memory that work on the plan may take, such as ``"8 GB"``; by default what the
            machine has left. It is estimated before work begins, and more is refused.

        Raises
        ------
        DesignError
            If the folder has no plan of lightloom, or if it needs more memory.

        Examples
        --------
        >>> from lightloom import samples
        >>> from lightloom import Plan
        >>> with samples.plan() as plan:
        ...     again = Plan.open(plan.folder)
        >>> again.fabric == plan.fabric
        True
        """
        place = _inputs.path("folder", folder)
        project, document = Project.open_plan((place, _inputs.optional_text("memory", memory)))
        return cls(place, parse(document)["report"], Fabric._of(project))

    def _grown(self, report: dict[str, Any]) -> Growth:
        return Growth(report)

    def _built(self, report: dict[str, Any]) -> AsBuilt:
        return AsBuilt(report)


class Growth(GrowthReport):
    """A plan that grew or shrank: which cords move, in which stages.

    Keys of ``report``: ``moved_transmit_cords``, ``moved_receive_cords``, ``too_short``,
    ``new_cords``, ``removed_cords``, ``stages``, ``hops``, ``fresh_kautz``,
    ``least_parallel_sources``, ``later`` and ``paper``.
    """

    @property
    def plan(self) -> Plan:
        """The new plan, from its folder.

        Raises
        ------
        DesignError
            If no folder was written.
        """
        return Plan.open(self._folder("Growth.plan"))


class AsBuilt(AsBuiltReport):
    """The check of a returned as-built sheet.

    Keys of ``report``: ``good``, ``astray`` (transmitters whose light arrives elsewhere than
    planned), ``move_back`` (the plugs to move to where they were planned), ``measure_again``
    (branches whose cables changed after they were measured), ``as_built`` (all differences from the
    plan, with those of earlier sheets; ``None`` if light arrives elsewhere), ``optical`` and
    ``out``.
    """

    @property
    def plan(self) -> Plan:
        """The plan as it was built, from its folder.

        Raises
        ------
        DesignError
            If no folder was written.
        """
        return Plan.open(self._folder())


class Recovery(RecoveryReport):
    """The rules to change after failures, in order."""

    _fabric: Fabric

    def apply(self, out: PathText, progress: Progress = None) -> Plan:
        """Plans with the new rules, proves the plan, and writes it to a folder.

        Raises
        ------
        DesignError
            If the folder cannot be written.
        InfeasibleError
            If the repaired plan is not correct.

        Examples
        --------
        >>> import tempfile
        >>> from lightloom import Fabric
        >>> fabric = Fabric(p=2, k=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     plan = fabric.recover("relay:3").apply(folder + "/repaired")
        ...     good = plan.verify().good
        >>> good
        True
        """
        recovered = self._fabric._project.recovered(*self._asked)
        return type(self._fabric)._of(recovered).plan(out, progress)


class Budget(BudgetReport):
    """Loss, received power and margin of every branch, worst first.

    The arrays have the shape (branches,) and the dtype float64 and are read-only. NaN is an unknown
    value; ``report["unknown"]`` gives the reason.
    """

    fabric: Fabric
