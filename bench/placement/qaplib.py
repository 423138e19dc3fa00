"""Instances of QAPLIB: tabu search, SciPy's FAQ from random starts, and CP-SAT alone, each for as long.

    python bench/placement/qaplib.py FOLDER --seconds 60

FOLDER has pairs of files NAME.dat and NAME.sln, as QAPLIB (Burkard, Karisch, Rendl) distributes them. It needs lightloom,
SciPy and OR-Tools. The first value of a `.sln` file is the best known cost, unless the list below knows a better one.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from lightloom.optimize import qap

# Best known values that are better than those of old `.sln` files.
KNOWN = {"nug30": 6124, "chr25a": 3796, "tai20a": 703482, "tai50a": 4938796, "sko64": 48498,
         "wil100": 273038}  # fmt: skip
# CP-SAT's model has n^4 terms.
MOST_OF_CP_SAT = 30


def faq(instance: qap.Instance, seconds: float, seed: int) -> int:
    """The best of SciPy's FAQ from random starts."""
    from scipy.optimize import quadratic_assignment

    draws, least, began = np.random.default_rng(seed), None, time.monotonic()
    while least is None or time.monotonic() - began < seconds:
        found = quadratic_assignment(
            instance.flows, instance.distances, options={"P0": "randomized", "rng": draws}
        )
        cost = instance.cost(found.col_ind)
        least = cost if least is None else min(least, cost)
    return least


def cp_sat(instance: qap.Instance, seconds: float, seed: int) -> int | None:
    """CP-SAT on the linearisation of Kaufman and Broeckx (1978)."""
    from ortools.sat.python import cp_model

    size, flows, far = instance.size, instance.flows, instance.distances
    if size > MOST_OF_CP_SAT:
        return None
    model = cp_model.CpModel()
    at = [[model.new_bool_var("") for _ in range(size)] for _ in range(size)]
    for one in range(size):
        model.add_exactly_one(at[one])
        model.add_exactly_one(row[one] for row in at)
    costs = []
    for one in range(size):
        for here in range(size):
            terms = [
                int(flows[one, other] * far[here, there]) * at[other][there]
                for other in np.flatnonzero(flows[one])
                for there in np.flatnonzero(far[here])
            ]
            most = int(flows[one].sum() * far[here].max())
            cost = model.new_int_var(0, most, "")
            model.add(cost >= sum(terms)).only_enforce_if(at[one][here])
            costs.append(cost)
    model.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.random_seed = seed
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    rows = [next(here for here in range(size) if solver.value(row[here])) for row in at]
    return instance.cost(rows)


def above(cost: int | None, known: int) -> str:
    """A cost, and how far it is above the best known one."""
    return "none" if cost is None else f"{cost} (+{(cost / known - 1) * 100:.2f} %)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("| instance | best known | lightloom | in seconds | SciPy FAQ | CP-SAT |")
    print("|---|---|---|---|---|---|")
    for file in sorted(asked.folder.glob("*.dat")):
        instance = qap.read(file)
        known = KNOWN.get(file.stem) or qap.read_solution(file.with_suffix(".sln")).cost
        began = time.monotonic()
        found = qap.solve(instance, f"{asked.seconds} s", seed=asked.seed)
        took = time.monotonic() - began
        others = [method(instance, asked.seconds, asked.seed) for method in (faq, cp_sat)]
        cells = [above(cost, known) for cost in (found.cost, *others)]
        print(f"| {file.stem} | {known} | {cells[0]} | {took:.1f} | {cells[1]} | {cells[2]} |", flush=True)


if __name__ == "__main__":
    main()
