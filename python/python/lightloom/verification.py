"""Checks of written plans."""

from __future__ import annotations

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._lightloom import verify as verify_folder
from lightloom._report import Report, by_tor, count
from lightloom._settings import PathText
from lightloom._stops import report_of


class Verification(Report):
    """The result of checking a plan's folder."""

    @property
    def good(self) -> bool:
        """Whether all files and packets are correct, and every source reaches every other ToR."""
        return bool(self.report["good"])

    @property
    def faults(self) -> list[str]:
        """The first faults; ``report["faults"]`` has their number."""
        return list(self.report["first_faults"])

    @property
    def failed(self) -> list[str]:
        """The failures that the plan goes around."""
        return list(self.report.get("failed", ()))

    @property
    def cut_off(self) -> dict[int, list[int]]:
        """For each source that these failures cut off from ToRs, those ToRs."""
        return by_tor((self.report["verification"] or {}).get("cut_off", {}))

    def __bool__(self) -> bool:
        return self.good

    def __repr__(self) -> str:
        if self.good:
            proved = self.report["verification"]
            return (
                f"<Verification: good, {count(proved['fibres_checked'], 'fibre')}, "
                f"{proved['sources_checked']:,} of {count(proved['sources'], 'source')}>"
            )
        if not self.faults:
            pairs = self.report["verification"]["pairs_cut_off"]
            return f"<Verification: no fault, {count(pairs, 'pair')} cut off by failures>"
        return f"<Verification: {count(self.report['faults'], 'fault')}: {self.faults[0]}>"


def verify(
    folder: PathText, progress: Progress = None, *, memory: str | None = None
) -> Verification:
    """Checks a written plan from its files alone.

    Parameters
    ----------
    folder : path
        The plan's folder.
    memory : str, optional
        Most memory that the check may take, such as ``"8 GB"``; by default what the machine has
        left. It is estimated before the check begins, and more is refused.

    Raises
    ------
    DesignError
        If a file is missing or cannot be read, or if the check needs more memory.

    Examples
    --------
    >>> from lightloom import samples
    >>> import lightloom
    >>> with samples.plan() as plan:
    ...     good = lightloom.verify(plan.folder).good
    >>> good
    True
    """
    place = (_inputs.path("folder", folder), _inputs.optional_text("memory", memory))
    with watching(progress, "Proving") as update:
        return report_of(lambda: verify_folder(place, update), Verification, "the verification")
