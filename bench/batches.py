"""Times what the Python package asks of a fabric many times at once: one run of each, on all cores.

    .venv-python/bin/maturin build --release --manifest-path python/Cargo.toml --out target/wheels-release
    .venv-python/bin/python -m pip install --force-reinstall --no-deps target/wheels-release/*.whl
    .venv-python/bin/python bench/batches.py

Needs a release wheel with pandas. Prints a table with the load of the machine.
"""

import os
import random
import time

from lightloom import Fabric

LIT = {"catalogue": "datasheets-2026", "transceiver": "10gbase-er"}


def timed(work):
    """What the work returns, and the seconds that it took."""
    start = time.perf_counter()
    made = work()
    return made, time.perf_counter() - start


def main():
    fabric = Fabric(p=4, k=4)
    draw = random.Random(1)
    sets = [
        [f"relay:{tor}" for tor in draw.sample(range(1024), 3)] for _ in range(10_000)
    ]
    single = [f"relay:{tor}" for tor in range(1024)]
    budget, took = timed(Fabric("kautz", p=4, tors=16_384, **LIT).budget)
    rows = [
        (
            "1,024 recoveries of 4,4 with the replay of rollouts",
            "25 s",
            timed(lambda: fabric.recover_many(single))[1],
        ),
        (
            "1,024 recoveries of 4,4 without it",
            "10 s",
            timed(lambda: fabric.recover_many(single, rollout=False))[1],
        ),
        (
            "impacts of 10,000 sets of three failures of 4,4",
            "2 s",
            timed(lambda: fabric.impact_many(sets))[1],
        ),
        (
            "impacts of all single failures of 4,4",
            "",
            timed(lambda: fabric.impact_many(fabric.single_failures()))[1],
        ),
        ("hops of all pairs of 4,4", "", timed(fabric.hops)[1]),
        ("budget of 65,536 branches", "", took),
        ("its branches as columns", "0.02 s", timed(budget.table)[1]),
        ("its branches as a DataFrame", "", timed(budget.branches)[1]),
    ]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print("| asked | took | goal |\n|---|---|---|")
    for name, goal, seconds in rows:
        print(f"| {name} | {seconds:.3f} s | {goal} |")


main()
