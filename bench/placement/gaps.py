"""How far above the bound placements are that were searched for longer and longer, for ten seeds: a table, and figures.

    python bench/placement/gaps.py --tors 1024 --times 1 3 10 30

It needs lightloom and matplotlib, and writes gaps-FAMILY.png. The bound is the projected eigenvalue bound in routed
metres. The search makes the price of stock lengths least, and routed metres follow.
"""

from __future__ import annotations

import argparse
import statistics

import lightloom
from lightloom import optimize, plot


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tors", type=int, default=1024)
    parser.add_argument("--times", type=float, nargs="+", default=[1.0, 3.0, 10.0, 30.0])
    parser.add_argument("--seeds", type=int, default=10)
    asked = parser.parse_args()
    families = [{"family": "kautz", "p": 4, "tors": asked.tors}]
    if asked.tors == 1024:
        families.insert(0, {"family": "shufflecast", "p": 4, "k": 4})
    print("| fabric | search | above the bound: least, median, most | metres saved, median |")
    print("|---|---|---|---|")
    for family in families:
        fabric = lightloom.Fabric(**family)
        bound = optimize.placement_bound(fabric)
        rows = []
        for seconds in asked.times:
            gaps, saved = [], []
            for seed in range(asked.seeds):
                found = fabric.place(f"{seconds} s", seed=seed)
                now = optimize.placement_bound(found.fabric).now_m
                gaps.append(100 * (now / bound.routed_m - 1))
                stock = [part["feeds_stock_m"] + part["branches_stock_m"]
                         for part in (found.before, found.after)]
                saved.append(100 * (1 - stock[1] / stock[0]))
                rows.append({"time of the search (s)": seconds, "above the bound (%)": gaps[-1],
                             "seed": seed})
            spread = f"{min(gaps):.1f}, {statistics.median(gaps):.1f}, {max(gaps):.1f} %"
            middle = statistics.median(saved)
            print(f"| {fabric.family} | {seconds:g} s | {spread} | {middle:.1f} % |", flush=True)
        axes = plot.points(rows, "time of the search (s)", "above the bound (%)", by="seed")
        axes.set_xscale("log")
        axes.set_xticks(asked.times, [f"{seconds:g}" for seconds in asked.times])
        axes.set_title(f"{fabric.family}, {fabric.tors:,} ToRs: {asked.seeds} seeds")
        axes.figure.savefig(f"gaps-{fabric.family}.png", dpi=110)


if __name__ == "__main__":
    main()
