"""Sweeps: the same question for many designs or scenarios, on any executor.

Points are a list, a :func:`grid` or a :func:`sample`. Each result is stored before its point counts
as done, so a sweep that was killed goes on where it was: ``run`` with the same folder repeats
nothing. A point whose design is refused is a row with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    wait,
)
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from lightloom import _choices, _frames, _given, _inputs
from lightloom._extras import Progress, need, watching
from lightloom._live import Live
from lightloom._pictures import tables
from lightloom._report import count
from lightloom._settings import PathText
from lightloom._sweep.ledger import Ledger
from lightloom._sweep.points import Point, grid, sample
from lightloom._sweep.pools import Pools
from lightloom._sweep.task import run as run_task
from lightloom._sweep.task import text_of
from lightloom._sweep.tasks import tasks_of
from lightloom.errors import DesignError
from lightloom.fabric import Fabric
from lightloom.plot.sweeps import points as draw_points

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["Sweep", "grid", "run", "sample"]

_QUESTIONS = ("info", "budget", "compare", "risk", "spec")
#: How often a worker may die of a task that runs alone.
_DEATHS = 2
#: Seconds between two looks at deadlines.
_LOOK = 0.5


class Sweep:
    """The points of a sweep that are done.

    Attributes
    ----------
    folder : str
        The folder with ``sweep.sqlite`` and, if pyarrow is installed, ``sweep.parquet``.
    rows : list of dict
        A row for each point, by key: ``key``, the parameters, the answers by dotted names, and
        ``refused``: why the point has no answer, or ``None``.
    missing : str
        Which points have no row; an empty text if the sweep is whole.
    """

    folder: str
    rows: list[dict[str, Any]]
    missing: str

    def __init__(self, folder: str, rows: list[dict[str, Any]], attempts: Any, of: int) -> None:
        self.folder, self.rows, self._attempts = folder, rows, attempts
        left = of - len(rows)
        self.missing = f"{left:,} of {count(of, 'point')}" if left else ""

    @property
    def refused(self) -> list[dict[str, Any]]:
        """The rows of points that have no answer."""
        return [row for row in self.rows if row["refused"] is not None]

    def table(self) -> pd.DataFrame:
        """A row for each point, by key.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> import tempfile
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> from lightloom import Fabric, sweep
        >>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as threads:
        ...     points = sweep.grid({"k": [2, 3]})
        ...     found = sweep.run(Fabric(p=2, k=2), points, folder, executor=threads)
        >>> sorted(found.table()["info.max_hops"])
        [3, 5]
        """
        return _frames.of_rows(self.rows, {}, "Sweep.table()")

    def attempts(self) -> pd.DataFrame:
        """Every attempt: ``key``, ``attempt``, ``seconds`` and ``lost`` (why it has no outcome).

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> import tempfile
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> from lightloom import Fabric, sweep
        >>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as threads:
        ...     points = sweep.grid({"k": [2, 3]})
        ...     found = sweep.run(Fabric(p=2, k=2), points, folder, executor=threads)
        >>> len(found.attempts())
        2
        """
        return _frames.of_rows(self._attempts, {}, "Sweep.attempts()")

    def plot(self, x: str, y: str, by: str | None = None, ax: Axes | None = None) -> Axes:
        """Draws one column over another; see :func:`lightloom.plot.points`.

        Parameters
        ----------
        x, y : str
            The columns of the axes, such as ``"p"`` and ``"info.max_hops"``.
        by : str, optional
            The column whose values have a line each.
        ax : matplotlib.axes.Axes, optional
            The Axes to draw into (default: a new figure).

        Raises
        ------
        ImportError
            Without matplotlib.
        DesignError
            If no row has a column.

        Examples
        --------
        >>> import tempfile
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> from lightloom import Fabric, sweep
        >>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as threads:
        ...     points = sweep.grid({"k": [2, 3]})
        ...     found = sweep.run(Fabric(p=2, k=2), points, folder, executor=threads)
        >>> axes = found.plot("k", "info.max_hops")
        """
        return draw_points(self.rows, x, y, by, ax)

    def __len__(self) -> int:
        """The number of points that are done."""
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sweep):
            return NotImplemented
        return self.rows == other.rows

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        refused = f", {len(self.refused):,} refused" if self.refused else ""
        missing = f", {self.missing} missing" if self.missing else ""
        return f"<Sweep of {count(len(self), 'point')}{refused}{missing}>"

    def _repr_html_(self) -> str:
        rows = [("folder", self.folder), ("points", f"{len(self):,}")]
        rows += [("refused", f"{len(self.refused):,}"), ("missing", self.missing)]
        return tables.facts("Sweep", [(name, value) for name, value in rows if value])


def run(
    base: Fabric | Mapping[str, Any],
    points: Iterable[Mapping[str, Any]],
    out: PathText,
    *,
    ask: Sequence[_choices.Question] = ("info",),
    executor: Executor | None = None,
    client: Any = None,
    deadline_s: float | None = None,
    threads: int = 1,
    live: tuple[str, str] | None = None,
    progress: Progress = None,
) -> Sweep:
    """Answers the same question for every point, and stores each answer at once.

    Parameters
    ----------
    base : Fabric or mapping
        The design, or a scenario as a mapping. A point's parameters replace its settings by keyword
        (``p``, ``housing``), or fields of the scenario by dotted names (``network.rate``,
        ``flow.0.size``, ``seed``).
    points : iterable of mapping
        The points: a list, :func:`grid` or :func:`sample`. Equal points are one.
    out : path
        The folder. A sweep that is there goes on; one of another base or question is refused.
    ask : sequence of {"info", "budget", "compare", "risk", "spec"}, optional
        The questions to a design. Of a scenario everything is reported.
    executor : concurrent.futures.Executor, optional
        Where points run (default: processes on this machine).
    client : distributed.Client, optional
        A Dask client, in place of an executor.
    deadline_s : float, optional
        Seconds that a point may take before it is given up as a refused row, from when it is handed
        to the executor: the start of a process counts.
    threads : int, optional
        Threads of a point (default: 1).
    live : tuple of str, optional
        In a notebook: two columns, such as ``("p", "info.max_hops")``, that are drawn while the
        sweep is at work.
    progress : bool or callable, optional
        ``True`` shows a tqdm bar; a callable is called with (done, of).

    Returns
    -------
    Sweep
        A row for each point. Results do not depend on the executor, on workers or on order.

    Raises
    ------
    DesignError
        If the base, a point or an option is wrong, or if the folder is of another sweep.

    Examples
    --------
    >>> import tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from lightloom import Fabric, sweep
    >>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as threads:
    ...     found = sweep.run(
    ...         Fabric(p=2, k=2), sweep.grid({"k": [2, 3, 4]}), folder, executor=threads
    ...     )
    >>> sorted(row["info.max_hops"] for row in found.rows)
    [3, 5, 7]
    """
    if client is not None and getattr(client, "status", None) != "running":
        raise DesignError("client: is closed, or no client of Dask", field="client")
    if executor is not None and client is not None:
        message = "executor: is given together with client; give one of the two"
        raise DesignError(message, field="executor")
    place = Path(_inputs.path("out", out))
    asked = _questions(ask)
    cores = _inputs.number("threads", threads)
    tasks = tasks_of(base, points, asked, cores)
    name = json.dumps([_name(base), list(asked)])
    ledger = Ledger(place, name)
    try:
        pools = Pools(executor, client, deadline_s is not None)
        try:
            view = None if live is None else Live(live, lambda: ledger.rows(set(tasks)))
            with watching(progress, "Sweeping") as update:
                given_up = _work(tasks, ledger, pools, deadline_s, _heard(update, view))
            if view is not None:
                view.look(is_last=True)
        finally:
            pools.kill()
        rows = ledger.rows(set(tasks))
        rows += [{"key": key, **tasks[key][0], "refused": why} for key, why in given_up.items()]
        rows.sort(key=lambda row: str(row["key"]))
        found = Sweep(str(place), rows, ledger.attempts(), len(tasks))
    finally:
        ledger.close()
    _write_parquet(place, found.rows)
    return found


def _heard(update: Any, view: Live | None) -> Any:
    """What hears of progress: a callback, a live view, or both."""

    def hear(done: int, of: int) -> None:
        if view is not None:
            view.look()
        if update is not None:
            update(done, of)

    return hear


def _questions(ask: Sequence[str]) -> tuple[str, ...]:
    asked = tuple(_inputs.texts("ask", ask, "a question"))
    for question in asked:
        if question not in _QUESTIONS:
            words = ", ".join(_QUESTIONS)
            message = f"ask: found {question!r}; expected some of {words}"
            raise DesignError(message, field="ask")
    return asked


def _name(base: Fabric | Mapping[str, Any]) -> str:
    """What a sweep is of. It tells one from another in a folder."""
    if isinstance(base, Fabric):
        return base.document()
    return text_of(_given.plain(base, "<scenario>"))


def _work(
    tasks: dict[str, tuple[Point, str]],
    ledger: Ledger,
    pools: Pools,
    deadline_s: float | None,
    update: Any,
) -> dict[str, str]:
    """Runs the tasks that have no outcome yet. Returns those that were given up, with the reason.

    What was given up is no outcome: another run tries it again.
    """
    done = ledger.done()
    todo = [key for key in tasks if key not in done]
    # Tasks that ran while a worker died. Each runs alone then, so that the one that kills is found.
    alone: list[str] = []
    deaths: dict[str, int] = {}
    given_up: dict[str, str] = {}
    running: dict[Future[str], tuple[str, float]] = {}
    while todo or alone or running:
        while todo and not alone and len(running) < pools.width:
            key = todo.pop(0)
            running[pools.submit(run_task, tasks[key][1])] = (key, monotonic())
        if alone and not running:
            key = alone.pop(0)
            deaths[key] = deaths.get(key, 0) + 1
            running[pools.submit(run_task, tasks[key][1])] = (key, monotonic())
        finished, _ = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED)
        for future in finished:
            key, _ = running.pop(future)
            outcome = _outcome(future)
            if isinstance(outcome, str):
                pools.check()
                ledger.attempt(key, None, outcome)
                if deaths.get(key, 0) < _DEATHS:
                    alone.append(key)
                    continue
                given_up[key] = f"its worker died {_DEATHS} times: {outcome}"
                continue
            ledger.store(key, tasks[key][0], outcome)
        if deadline_s is not None:
            given_up |= _give_up(ledger, running, pools, deadline_s)
        pools.mend()
        update(len(tasks) - len(todo) - len(alone) - len(running), len(tasks))
    return given_up


def _outcome(future: Future[str]) -> dict[str, Any] | str:
    """The outcome of a task, or why its worker has none."""
    try:
        found: dict[str, Any] = json.loads(future.result())
        return found
    except (Exception, CancelledError) as error:
        # Each executor has errors of its own for workers that die.
        return f"{type(error).__name__}: {error}"


def _give_up(
    ledger: Ledger,
    running: dict[Future[str], tuple[str, float]],
    pools: Pools,
    deadline_s: float,
) -> dict[str, str]:
    """Gives up points that take longer than they may. Returns them with the reason."""
    given_up = {}
    late = [future for future, (_, began) in running.items() if monotonic() - began > deadline_s]
    for future in late:
        key, _ = running.pop(future)
        future.cancel()
        given_up[key] = f"took longer than {deadline_s:g} s"
        ledger.attempt(key, None, given_up[key])
    if late:
        # A process does not hear that its task was given up.
        pools.kill()
    return given_up


def _write_parquet(folder: Path, rows: list[dict[str, Any]]) -> None:
    """Writes the rows by key, where pyarrow is installed. The bytes depend on the rows only."""
    try:
        parquet = need("pyarrow", "sweep.parquet", "pyarrow.parquet")
    except ImportError:
        return
    arrow = need("pyarrow", "sweep.parquet")
    names = list(dict.fromkeys(name for row in rows for name in row))
    names = ["key", *sorted(name for name in names if name != "key")]
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    fresh = folder / "sweep.parquet.new"
    parquet.write_table(arrow.table(columns), fresh)
    fresh.replace(folder / "sweep.parquet")


def _column(values: list[Any]) -> list[Any]:
    """Values of one kind: numbers as they are, and texts where kinds are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} or len(kinds) <= 1:
        is_mixed = kinds == {int, float}
        return [float(each) if is_mixed and each is not None else each for each in values]
    return [None if value is None else json.dumps(value) for value in values]
