"""How a written plan grows, shrinks, and is taken back as it was built."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._lightloom import grow, shrink, take_as_built
from lightloom._settings import PathText
from lightloom._stops import report_of
from lightloom._written import WrittenPlan
from lightloom.as_built import AsBuiltReport
from lightloom.growth import GrowthReport

Grown = TypeVar("Grown", bound=GrowthReport)
Built = TypeVar("Built", bound=AsBuiltReport)


class ChangingPlan(WrittenPlan, Generic[Grown, Built]):
    """A written plan whose answers lead to another plan."""

    def _grown(self, report: dict[str, Any]) -> Grown:
        raise NotImplementedError

    def _built(self, report: dict[str, Any]) -> Built:
        raise NotImplementedError

    def grow(
        self,
        tors: int | None = None,
        out: PathText | None = None,
        *,
        phases: Iterable[int] = (),
        pin: str | None = None,
        most_moves: int | None = None,
        inventory: PathText | None = None,
        progress: Progress = None,
    ) -> Grown:
        """Adds ToRs: few transmit cords of old ToRs move, and no receive cord.

        With splitters at the senders the branches of these ToRs move instead.

        Parameters
        ----------
        tors : int, optional
            Number of ToRs afterwards; without it the first of ``phases``.
        out : path, optional
            The folder to write the new plan to. Without it, nothing is written.
        phases : iterable of int, optional
            Numbers of ToRs of this phase and of later ones, ascending.
        pin : str, optional
            ToRs and ports whose cords must not move, separated by commas: numbers or racks, and
            ports after a colon (``R7:tx``, ``R7:rx2``, or ``R7:2`` for both).
        most_moves : int, optional
            Largest number of ToRs whose cords may move.
        inventory : path, optional
            A file with all racks of the plan and more.

        Raises
        ------
        DesignError
            If the plan was edited, or cannot grow as asked.
        InfeasibleError
            If the new plan is not correct.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     grown = plan.grow(10)
        >>> grown["tors"]
        10
        """
        wanted = _inputs.optional_number("tors", tors)
        sizes = [_inputs.number("phases", size) for size in phases]
        most = _inputs.optional_number("most_moves", most_moves)
        pinned = _inputs.optional_text("pin", pin) or ""
        listed = _inputs.optional_path("inventory", inventory)
        place = _inputs.optional_path("out", out)
        with watching(progress, "Planning and proving") as update:
            return report_of(
                lambda: grow(self._place, wanted, sizes, pinned, most, listed, place, update),
                self._grown,
                "the growth; nothing was written",
            )

    def shrink(
        self,
        tors: int | None = None,
        out: PathText | None = None,
        *,
        racks: str | None = None,
        progress: Progress = None,
    ) -> Grown:
        """Removes ToRs: those that stay keep their racks, labels and receive cords.

        Parameters
        ----------
        tors : int, optional
            Number of ToRs afterwards. The ToRs that the last cassettes feed are removed.
        out : path, optional
            The folder to write the new plan to. Without it, nothing is written.
        racks : str, optional
            The ToRs to remove: racks or numbers, separated by commas.

        Raises
        ------
        DesignError
            If the plan was edited, or cannot shrink as asked.
        InfeasibleError
            If the new plan is not correct.

        Examples
        --------
        >>> from lightloom import samples
        >>> with samples.plan() as plan:
        ...     shrunk = plan.shrink(7)
        >>> shrunk["tors"]
        7
        """
        wanted = _inputs.optional_number("tors", tors)
        leaving = _inputs.optional_text("racks", racks)
        place = _inputs.optional_path("out", out)
        with watching(progress, "Planning and proving") as update:
            return report_of(
                lambda: shrink(self._place, wanted, leaving, place, update),
                self._grown,
                "the smaller plan; nothing was written",
            )

    def as_built(
        self, returned: PathText, out: PathText | None = None, progress: Progress = None
    ) -> Built:
        r"""Checks the as-built sheet that a crew returned.

        The light is followed over the cables as they are. If all of it arrives where it should,
        there is a plan as it was built. Otherwise the answer names the plugs to move back.

        Parameters
        ----------
        returned : path
            The form, filled in, or a CSV file with some of its columns and rows.
        out : path, optional
            The folder to write the plan as it was built to. Without it, nothing is written.

        Raises
        ------
        DesignError
            If the sheet is wrong or of another plan, or if the plan was edited.

        Examples
        --------
        >>> from pathlib import Path
        >>> from lightloom import samples
        >>> swapped = "label,far_at\nB0.0,B2.0\nB2.0,B0.0\n"
        >>> with samples.plan() as plan:
        ...     form = Path(plan.folder).parent / "form.csv"
        ...     size = form.write_text(swapped)
        ...     built = plan.as_built(form)
        >>> built
        <AsBuilt: 2 moved plugs, 0 measured, 0 failed>
        """
        sheet = _inputs.path("returned", returned)
        place = _inputs.optional_path("out", out)
        with watching(progress, "Planning and proving") as update:
            return report_of(
                lambda: take_as_built(self._place, sheet, place, update),
                self._built,
                "the plan as it was built; nothing was written",
            )
