"""Plans, proves and simulates optical multicast fabrics of passive splitters.

>>> import lightloom
>>> fabric = lightloom.Fabric(p=4, k=2)
>>> fabric.tree(0).max_hops
3
"""

from __future__ import annotations

from lightloom import netbox, optimize, plot, samples, sweep
from lightloom._lightloom import __version__
from lightloom._settings import Settings
from lightloom.answers import Info, Repairs, Risk
from lightloom.applications import application_trace
from lightloom.collectives import Advice
from lightloom.configs import Configs, ReadBack, Rollout, verify_configs
from lightloom.errors import (
    DesignError,
    DesignTypeError,
    InfeasibleError,
    Interrupted,
    LightloomError,
    SimulationError,
)
from lightloom.exploring import (
    Exploration,
    NewDesign,
    UnusedPorts,
    explore,
    new_design,
    unused_ports,
)
from lightloom.fabric import AsBuilt, Budget, Fabric, Growth, Plan, Recovery
from lightloom.failures import Impact
from lightloom.graphs import from_networkx
from lightloom.light import Comparison, Spec, Trace
from lightloom.linting import Lint
from lightloom.many import Impacts, Recoveries, Trees
from lightloom.parallel import Parallel, ParallelSoFar
from lightloom.placing import Placement
from lightloom.replicas import Replicas
from lightloom.table import Table
from lightloom.tree import RelaySets, Tree
from lightloom.twin import Result, Scenario
from lightloom.verification import Verification, verify

__all__ = [
    "Advice",
    "AsBuilt",
    "Budget",
    "Comparison",
    "Configs",
    "DesignError",
    "DesignTypeError",
    "Exploration",
    "Fabric",
    "Growth",
    "Impact",
    "Impacts",
    "InfeasibleError",
    "Info",
    "Interrupted",
    "LightloomError",
    "Lint",
    "NewDesign",
    "Parallel",
    "ParallelSoFar",
    "Placement",
    "Plan",
    "ReadBack",
    "Recoveries",
    "Recovery",
    "RelaySets",
    "Repairs",
    "Replicas",
    "Result",
    "Risk",
    "Rollout",
    "Scenario",
    "Settings",
    "SimulationError",
    "Spec",
    "Table",
    "Trace",
    "Tree",
    "Trees",
    "UnusedPorts",
    "Verification",
    "__version__",
    "application_trace",
    "explore",
    "from_networkx",
    "netbox",
    "new_design",
    "optimize",
    "plot",
    "samples",
    "sweep",
    "unused_ports",
    "verify",
    "verify_configs",
]
