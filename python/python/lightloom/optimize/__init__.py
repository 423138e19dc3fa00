"""Optimisation: bounds and proofs of placements, choices of fabrics, schedules of broadcasts.

:meth:`lightloom.Fabric.place` searches large halls. What stands here proves: bounds below every
placement, proofs of small halls with side constraints, choices and schedules by OR-Tools CP-SAT
(``pip install lightloom[optimize]``). :mod:`lightloom.optimize.qap` has assignments of their own.
"""

from __future__ import annotations

from lightloom.optimize import qap
from lightloom.optimize.bounds import (
    FeedBound,
    PlacementBound,
    feed_bound,
    placement_bound,
    projection_bound,
)
from lightloom.optimize.choice import Choice, Chosen, Pod, choose
from lightloom.optimize.halls import ProvedPlacement, prove_placement
from lightloom.optimize.schedules import Job, Schedule, Simulated, Start, schedule

__all__ = [
    "Choice",
    "Chosen",
    "FeedBound",
    "Job",
    "PlacementBound",
    "Pod",
    "ProvedPlacement",
    "Schedule",
    "Simulated",
    "Start",
    "choose",
    "feed_bound",
    "placement_bound",
    "projection_bound",
    "prove_placement",
    "qap",
    "schedule",
]
