"""Sources that send at line rate at the same time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from lightloom import _inputs
from lightloom._extras import Progress, watching
from lightloom._opened import Opened
from lightloom._report import Report, by_tor, count, parse
from lightloom._stops import answer_of


def _trees(report: dict[str, Any]) -> dict[int, npt.NDArray[np.uint32]]:
    trees = by_tor(report["trees"])
    return {source: np.array(relays, np.uint32) for source, relays in trees.items()}


class Parallel(Report):
    """Edge-disjoint trees for sources that send at line rate at the same time."""

    @property
    def possible(self) -> bool:
        """Whether the trees exist."""
        return bool(self.report["possible"])

    @property
    def sources(self) -> list[int]:
        """The sources."""
        return sorted(by_tor(self.report["installed_share"]))

    @property
    def trees(self) -> dict[int, npt.NDArray[np.uint32]]:
        """For each source its relays, ascending (uint32); empty if there are no trees."""
        return _trees(self.report)

    @property
    def forbidden(self) -> dict[str, Any] | None:
        """The cassettes that prevent the trees; ``None`` if the trees exist."""
        return self.report.get("forbidden")

    @property
    def limit(self) -> Any:
        """The reason for the limit, if no sources were given."""
        return self.report.get("limit")

    @property
    def installed_share(self) -> dict[int, float]:
        """Each source's max-min fair rate with the installed tables, in line rates."""
        return by_tor(self.report["installed_share"])

    def __bool__(self) -> bool:
        return self.possible

    def __repr__(self) -> str:
        outcome = "possible" if self.possible else "impossible"
        return f"<Parallel: {outcome} for {count(len(self.sources), 'source')}>"


class ParallelSoFar(Report):
    """What a search for edge-disjoint trees had found when it was stopped."""

    @property
    def at_least(self) -> int:
        """The number of sources that are known to be possible; 0 if none is known yet."""
        return int(self.report["at_least"])

    @property
    def at_most(self) -> int:
        """The upper bound of the number of sources that is proved."""
        return int(self.report["at_most"])

    @property
    def trees(self) -> dict[int, npt.NDArray[np.uint32]]:
        """The trees that were found, as in :attr:`Parallel.trees`.

        Empty if no sources were named, because the search then chooses them at its end.
        """
        return _trees(self.report)

    @property
    def missing(self) -> str:
        """The trees that were not found, and the rates with the installed tables."""
        if self.at_least < self.at_most:
            return f"the number of sources, at most {self.at_most:,}; all trees; all rates"
        lacking = self.at_least - len(self.trees)
        return f"{lacking:,} of {count(self.at_least, 'tree')}; all rates"

    def __repr__(self) -> str:
        return f"<ParallelSoFar: {count(len(self.trees), 'tree')}; missing: {self.missing}>"


def parallel_trees(
    fabric: Opened, sources: Iterable[_inputs.ToR] | None, progress: Progress
) -> Parallel:
    """Edge-disjoint trees for these sources, or for the largest set of parallel sources."""
    tors = None if sources is None else fabric._tors(sources, "sources")
    with watching(progress, "Searching") as update:
        found = answer_of(
            lambda: fabric._project.parallel(tors, update),
            _whole_or_so_far,
            "the trees, and whether they exist",
        )
    # A search that was not stopped is whole.
    assert isinstance(found, Parallel)
    return found


def _whole_or_so_far(text: str) -> Parallel | ParallelSoFar:
    """The whole answer, or what the search knew when it was stopped."""
    report = parse(text)
    return ParallelSoFar(report) if "at_most" in report else Parallel(report)
