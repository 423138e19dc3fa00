"""Runs OR-Tools CP-SAT: with a time, a seed, Ctrl-C, and minimal sets of rules that conflict."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

from lightloom import _inputs
from lightloom._extras import need
from lightloom.errors import DesignError, InfeasibleError, Interrupted

LONGEST_S = 7 * 86_400.0
_LOOK_S = 0.05


class Rule(NamedTuple):
    """A rule that a user has said, and how it goes into a model."""

    name: str
    """The rule in words, for messages."""
    add: Callable[[Any], None]
    """Adds it to a model that knows the variables."""


class Effort(NamedTuple):
    """How much a solver may take."""

    time_s: float
    workers: int
    seed: int


class Solved(NamedTuple):
    """What a solver has come to."""

    values: Callable[[Any], int]
    """The value of an expression; of no use if nothing was found."""
    found: bool
    proved: bool
    objective: int
    bound: int
    wall_s: float
    stopped: bool


def effort(time_s: object, workers: object, seed: object) -> Effort:
    """The checked options of a solver."""
    if isinstance(time_s, bool) or not isinstance(time_s, (int, float)):
        raise _inputs.wrong_type("time_s", time_s, "seconds, such as 60.0")
    seconds = float(time_s)
    if not (math.isfinite(seconds) and 0 < seconds <= LONGEST_S):
        message = f"time_s: found {time_s}; expected more than 0 and at most 7 days"
        raise DesignError(message, field="time_s")
    count = 0 if workers is None else _inputs.number("workers", workers, 512)
    if workers is not None and count == 0:
        raise DesignError("workers: found 0; expected 1 or more", field="workers")
    return Effort(seconds, count, _inputs.number("seed", seed, 2**31 - 1))


def cp_model(caller: str) -> Any:
    """The module of models, or an error that names the extra."""
    return need("ortools", caller, "ortools.sat.python.cp_model")


def solve(model: Any, asked: Effort, caller: str) -> Solved:
    """Solves a model. Ctrl-C ends it, and what was found by then counts, with ``stopped``."""
    module = cp_model(caller)
    solver = module.CpSolver()
    solver.parameters.max_time_in_seconds = asked.time_s
    solver.parameters.random_seed = asked.seed
    solver.parameters.catch_sigint_signal = False
    if asked.workers:
        solver.parameters.num_workers = asked.workers
    ended: Future[Any] = Future()

    def run() -> None:
        try:
            ended.set_result(solver.solve(model))
        except BaseException as error:
            ended.set_exception(error)

    # A daemon, so that a second Ctrl-C can end the program.
    work = threading.Thread(target=run, daemon=True)
    work.start()
    stopped = False
    try:
        while work.is_alive():
            work.join(_LOOK_S)
    except KeyboardInterrupt:
        stopped = True
        # It hears of the stop only once it searches.
        while work.is_alive():
            solver.stop_search()
            work.join(_LOOK_S)
    status = ended.result()
    if status == module.MODEL_INVALID:
        raise InfeasibleError(f"{caller}: the solver takes no such model: {model.validate()}")
    if status == module.INFEASIBLE:
        raise Infeasible
    found = status in (module.OPTIMAL, module.FEASIBLE)
    has_objective = found and model.has_objective()
    return Solved(
        solver.value,
        found,
        status == module.OPTIMAL,
        round(solver.objective_value) if has_objective else 0,
        # Half a step of an integer is no bound.
        math.ceil(solver.best_objective_bound - 1e-6) if has_objective else 0,
        solver.wall_time,
        stopped,
    )


class Infeasible(Exception):
    """No solution at all."""


def conflict(rules: Sequence[Rule], build: Callable[[Sequence[Rule]], Any], caller: str) -> str:
    """The names of a smallest set of rules that cannot all hold, one to a line.

    Rules are left out one after another; a rule without which the rest can hold stays. Each is a
    question of feasibility alone, for one worker.
    """
    left = list(rules)
    for rule in rules:
        fewer = [other for other in left if other is not rule]
        try:
            solve(build(fewer), Effort(20.0, 1, 0), caller)
        except Infeasible:
            left = fewer
    return "\n".join(f"- {rule.name}" for rule in left)


def refuse(rules: Sequence[Rule], build: Callable[[Sequence[Rule]], Any], caller: str) -> None:
    """Raises the error that names which rules conflict."""
    names = conflict(rules, build, caller)
    if not names:
        raise InfeasibleError(f"{caller}: there is no solution, even without any of the rules")
    raise InfeasibleError(f"{caller}: these cannot all hold; change one of them:\n{names}")


def interrupted(result: object, missing: str) -> Interrupted:
    """What a stopped solver raises."""
    return Interrupted("interrupted", result, missing=missing)
