"""Several whole runs of one scenario, with all their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock
from typing import TYPE_CHECKING, Any

from lightloom import _choices, _inputs
from lightloom._extras import need
from lightloom._lightloom import interval
from lightloom._pictures import results
from lightloom._report import count, flat
from lightloom.errors import Interrupted, SimulationError
from lightloom.runs import Result

if TYPE_CHECKING:
    import pandas as pd

Run = Callable[[int, Callable[[int, int], object]], Result]
"""Runs the replica of a number, and tells a callback how far it is."""

_LOOK_S = 0.05
_SHEETS = ("flows", "links", "receivers", "branches")


class Replicas:
    """Several runs of a scenario: the result of each, and their tables in one.

    ``replicas[i]`` is the :class:`lightloom.Result` of the i-th run.
    """

    results: tuple[Result, ...]
    """The results, in the order of the seeds."""
    seeds: tuple[int, ...]
    """The seed of each result."""
    missing: str
    """What a stopped call has not done; an empty text if all runs are whole."""

    def __init__(self, results: Sequence[Result], seeds: Sequence[int], of: int) -> None:
        self.results, self.seeds = tuple(results), tuple(seeds)
        parts = [
            f"seed {seed}: {result.missing}"
            for seed, result in zip(self.seeds, self.results, strict=True)
            if result.missing
        ]
        self._of = of
        left = of - len(self.results)
        self.missing = "; ".join([*parts, *([f"{left:,} of {count(of, 'run')}"] if left else [])])

    @property
    def finished(self) -> bool:
        """Whether every run ended by itself."""
        return not self.missing and all(result.finished for result in self.results)

    def flows(self) -> pd.DataFrame:
        """Every flow of every run: ``seed``, and the columns of :meth:`Result.flows`.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.scenario().replicas(2).flows())
        2
        """
        return self._pooled([result.flows() for result in self.results])

    def links(self) -> pd.DataFrame:
        """Every direction of every link: ``seed``, and the columns of :meth:`Result.links`.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.scenario().replicas(2).links())
        24
        """
        return self._pooled([result.links() for result in self.results])

    def receivers(self) -> pd.DataFrame:
        """Every receiver of every message to a group: ``seed``, and its columns of one run.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().replicas(2).receivers())
        14
        """
        return self._pooled([result.receivers() for result in self.results])

    def branches(self) -> pd.DataFrame:
        """Every branch of every splitter: ``seed``, and the columns of one run.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().replicas(2).branches())
        32
        """
        return self._pooled([result.branches() for result in self.results])

    def messages(self) -> pd.DataFrame:
        """Every message to a group: ``seed``, ``message``, and its numbers of one run.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().replicas(2).messages())
        2
        """
        return self._pooled([self._rows(result.multicasts) for result in self.results])

    def groups(self) -> pd.DataFrame:
        """Every reliable group: ``seed``, ``group``, and its numbers of one run.

        Raises
        ------
        ImportError
            If pandas is missing: ``pip install lightloom[pandas]``.

        Examples
        --------
        >>> from lightloom import samples
        >>> len(samples.broadcast().replicas(2).groups())
        2
        """
        return self._pooled([self._rows(result.groups) for result in self.results])

    def intervals(self, table: _choices.PooledTable | None = None) -> pd.DataFrame:
        """Every number with its mean and its 95 % confidence interval over the runs.

        Parameters
        ----------
        table : {"flows", "links", "receivers", "branches"}, optional
            A table whose every row gets an interval for each number: by the row's place, so the
            runs must have the same traffic. By default the numbers of the report, by dotted names.

        Returns
        -------
        pandas.DataFrame
            ``name`` or the row's place and ``column``; ``runs`` (with a value), ``mean`` and
            ``half_width_95`` (missing with one run).

        Raises
        ------
        SimulationError
            If there is no such table, or if the runs have different numbers of rows.

        Examples
        --------
        >>> from lightloom import samples
        >>> "mean" in samples.scenario().replicas(2).intervals()
        True
        """
        if table is None:
            return self._of_reports()
        if not isinstance(table, str) or table not in _SHEETS:
            words = ", ".join(_SHEETS)
            raise SimulationError(f"found {table!r}; expected one of {words}", field="table")
        frames = [getattr(result, table)() for result in self.results]
        if len({len(each) for each in frames}) > 1:
            message = "table: the runs have different rows, because their traffic was drawn anew"
            raise SimulationError(message, field="table")
        rows = []
        numbers = frames[0].select_dtypes("number").columns if frames else []
        for column in numbers:
            values = [
                each[column].astype("Float64").to_numpy("float64", float("nan")) for each in frames
            ]
            for at, own in enumerate(zip(*values, strict=True)):
                known = [float(value) for value in own if value == value]
                rows.append((at, column, *_interval(known)))
        names = ["row", "column", "runs", "mean", "half_width_95"]
        found: pd.DataFrame = self._pandas().DataFrame(rows, columns=names)
        return found

    def _of_reports(self) -> pd.DataFrame:
        """The numbers of the reports that are no constants of the scenario."""
        found: dict[str, list[float]] = {}
        for result in self.results:
            for key, value in result.report.items():
                if key in ("manifest", "timing", "format", "network"):
                    continue
                for name, number in flat(key, value):
                    if isinstance(number, (int, float)) and not isinstance(number, bool):
                        found.setdefault(name, []).append(float(number))
        rows = [(name, *_interval(values)) for name, values in found.items()]
        columns = ["name", "runs", "mean", "half_width_95"]
        found_rows: pd.DataFrame = self._pandas().DataFrame(rows, columns=columns)
        return found_rows

    def _pooled(self, frames: list[pd.DataFrame]) -> pd.DataFrame:
        for seed, frame in zip(self.seeds, frames, strict=True):
            frame.insert(0, "seed", seed)
        pandas = self._pandas()
        pooled: pd.DataFrame = (
            pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame({"seed": []})
        )
        return pooled

    def _rows(self, reports: list[dict[str, Any]]) -> pd.DataFrame:
        rows = [
            {"message" if "receivers" in report else "number": at}
            | {key: value for key, value in report.items() if not isinstance(value, (list, dict))}
            for at, report in enumerate(reports)
        ]
        found: pd.DataFrame = self._pandas().DataFrame(rows)
        return found

    @staticmethod
    def _pandas() -> Any:
        return need("pandas", "tables of Replicas")

    def __len__(self) -> int:
        """The number of runs."""
        return len(self.results)

    def __getitem__(self, at: int) -> Result:
        return self.results[_inputs.index("at", at, len(self))]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Replicas):
            return NotImplemented
        return (self.seeds, self.results) == (other.seeds, other.results)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (Replicas, (self.results, self.seeds, self._of))

    def __repr__(self) -> str:
        ends = sorted({result.end for result in self.results})
        return f"<Replicas of {count(len(self), 'run')}: {', '.join(ends) or 'none'}>"

    def _repr_html_(self) -> str:
        reports = zip(self.seeds, self.results, strict=True)
        return results.several_runs([{**result.report, "seed": seed} for seed, result in reports])


def _interval(values: list[float]) -> tuple[int, float | None, float | None]:
    return interval(values) or (0, None, None)


def replicas_of(run: Run, seeds: Sequence[int], at_once: int, update: Any) -> Replicas:
    """Runs all replicas, some at once. Ctrl-C stops them, and what they had done is the result."""
    stop = False
    lock = Lock()
    reached: dict[int, tuple[int, int]] = {}

    def one(number: int) -> Result | Interrupted:
        def hear(done: int, of: int) -> None:
            with lock:
                reached[number] = (done, of)
            if stop:
                raise KeyboardInterrupt

        if stop:
            return Interrupted()
        try:
            return run(number, hear)
        except Interrupted as stopped:
            return stopped

    with ThreadPoolExecutor(at_once) as pool:
        running = [pool.submit(one, number) for number in range(len(seeds))]
        waiting: set[Future[Result | Interrupted]] = set(running)
        try:
            while waiting:
                _, waiting = wait(waiting, timeout=_LOOK_S)
                with lock:
                    parts = list(reached.values())
                whole = max((of for _, of in parts), default=0) * len(seeds)
                if update is not None and whole:
                    # The end is told too, however fast all runs were.
                    update(sum(done for done, _ in parts) if waiting else whole, whole)
        except BaseException as error:
            stop = True
            wait(running)
            if not isinstance(error, KeyboardInterrupt):
                raise
            found = _so_far(running, seeds)
            raise Interrupted("interrupted", found, missing=found.missing) from None
    ended = [future.result() for future in running]
    return Replicas([each for each in ended if isinstance(each, Result)], seeds, len(seeds))


def _so_far(running: Sequence[Future[Result | Interrupted]], seeds: Sequence[int]) -> Replicas:
    """The runs that are done, and what the stopped ones had come to."""
    done, of = [], []
    for seed, future in zip(seeds, running, strict=True):
        if future.exception() is not None:
            continue
        ended = future.result()
        result = ended.result if isinstance(ended, Interrupted) else ended
        if isinstance(result, Result):
            done.append(result)
            of.append(seed)
    return Replicas(done, of, len(seeds))
