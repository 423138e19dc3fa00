"""How far above the bound a search is over time, for ten seeds: a table, and a figure.

    python bench/placement/gaps.py --tors 1024 --time "60 s" --out gaps.png

It needs lightloom and matplotlib. The bound is the projected eigenvalue bound in routed metres; the search makes the price
of stock lengths least, so its curve is turned into metres by the routed length at its end.
"""

from __future__ import annotations

import argparse
import statistics
import time

import lightloom
from lightloom import optimize, plot


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tors", type=int, default=1024)
    parser.add_argument("--time", default="60 s")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", default="gaps.png")
    asked = parser.parse_args()
    families = [{"family": "kautz", "p": 4, "tors": asked.tors}]
    if asked.tors == 1024:
        families.insert(0, {"p": 4, "k": 4})
    for family in families:
        fabric = lightloom.Fabric(**family)
        found, gaps, times = [], [], []
        for seed in range(asked.seeds):
            began = time.monotonic()
            found.append(fabric.place(asked.time, seed=seed))
            times.append(time.monotonic() - began)
            bound = optimize.placement_bound(found[-1].fabric)
            gaps.append(bound.now_m / bound.routed_m - 1)
            print(f"{family} seed {seed}: {bound.now_m:.0f} m, bound {bound.share:.1%}, "
                  f"{found[-1].after['cords_cost']:.2f}, {times[-1]:.1f} s", flush=True)
        spread = (min(gaps), statistics.median(gaps), max(gaps))
        words = ", ".join(f"{gap:.1%}" for gap in spread)
        print(f"{family}: above the bound, least, median and most of {asked.seeds} seeds: {words}")
        axes = plot.search(found)
        axes.set_title(f"{fabric.family}, {fabric.tors:,} ToRs: {asked.seeds} seeds, {asked.time}")
        axes.figure.savefig(f"{fabric.family}-{asked.out}", dpi=110)


if __name__ == "__main__":
    main()
