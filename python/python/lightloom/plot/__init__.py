"""Figures with matplotlib, which is an extra: ``pip install lightloom[plot]``.

Every function draws into ``ax`` (default: a new figure) and returns the Axes. Axes have units.
Lines differ by more than their colour, so figures can be printed in grey.

>>> import lightloom
>>> fabric = lightloom.Fabric(p=4, k=2)
>>> axes = lightloom.plot.floor_plan(fabric, tree=0)
"""

from __future__ import annotations

from lightloom.plot.collectives import collective
from lightloom.plot.floor import floor_plan
from lightloom.plot.losses import impact
from lightloom.plot.margins import budget
from lightloom.plot.pareto import front
from lightloom.plot.rates import throughput
from lightloom.plot.searches import schedule, search
from lightloom.plot.sweeps import points

__all__ = [
    "budget",
    "collective",
    "floor_plan",
    "front",
    "impact",
    "points",
    "schedule",
    "search",
    "throughput",
]
