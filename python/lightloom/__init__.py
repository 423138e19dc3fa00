"""Optical multicast fabrics: planned, proved and simulated."""

from lightloom.errors import (
    DesignError,
    InfeasibleError,
    Interrupted,
    LightloomError,
    SimulationError,
)
from lightloom.fabric import Fabric
from lightloom.tree import Tree

__all__ = [
    "DesignError",
    "Fabric",
    "InfeasibleError",
    "Interrupted",
    "LightloomError",
    "SimulationError",
    "Tree",
]
