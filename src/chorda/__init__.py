"""Chorda: robots moved by tendons or made of flexible rods; their motion, equilibria, stability.

import chorda

robot = chorda.load("neck-3")
system = chorda.assemble(robot, tendons="elastic")
run = chorda.simulate(system, duration=2.0, step=2e-3, initial={"x1": 0.3, "tension": 20.0})
run.plot("motion.png")
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from chorda import control, describe, errors
from chorda.catalogue import load, names, neck
from chorda.dynamics import Linear, StepLimits, linearize, rollout, simulate, step_limits
from chorda.dynamics.schemes import NAMES as schemes
from chorda.mechanics import System
from chorda.results import (
    Code,
    Equilibrium,
    EquilibriumBatch,
    EquilibriumPath,
    Event,
    Run,
    Status,
    Workspace,
    open_run,
)
from chorda.statics import (
    Kinematostatics,
    Stability,
    assemble,
    equilibria,
    equilibrium,
    equilibrium_batch,
    follow,
    kinematostatics,
    open_workspace,
    stability,
    workspace,
)
from chorda.tendons import Transmission, infeasible, reactions, transmission

if TYPE_CHECKING:
    from chorda import continuous, identification, view
    from chorda.exporting import export
    from chorda.identification import compare, experiment, identify, read_log, write_log
    from chorda.sweeps import open_sweep, sweep

open = open_run
MODULES_LATER = ("continuous", "identification", "view")  # slow to import, as are these:
LATER = {
    **dict.fromkeys(
        ("compare", "experiment", "identify", "read_log", "write_log"), "chorda.identification"
    ),
    **dict.fromkeys(("open_sweep", "sweep"), "chorda.sweeps"),
    "export": "chorda.exporting",
}

try:
    __version__ = version("chorda")
except PackageNotFoundError:  # run from a source tree that is not installed
    __version__ = "0"

__all__ = [
    "Code",
    "Equilibrium",
    "EquilibriumBatch",
    "EquilibriumPath",
    "Event",
    "Kinematostatics",
    "Linear",
    "Run",
    "Stability",
    "Status",
    "StepLimits",
    "System",
    "Transmission",
    "Workspace",
    "__version__",
    "assemble",
    "compare",
    "continuous",
    "control",
    "describe",
    "equilibria",
    "equilibrium",
    "equilibrium_batch",
    "errors",
    "experiment",
    "export",
    "follow",
    "identification",
    "identify",
    "infeasible",
    "kinematostatics",
    "linearize",
    "load",
    "names",
    "neck",
    "open",
    "open_sweep",
    "open_workspace",
    "reactions",
    "read_log",
    "rollout",
    "schemes",
    "simulate",
    "stability",
    "step_limits",
    "sweep",
    "transmission",
    "view",
    "workspace",
    "write_log",
]


def __getattr__(name: str) -> Any:
    if name in MODULES_LATER:
        return import_module(f"chorda.{name}")
    if name in LATER:
        return getattr(import_module(LATER[name]), name)
    raise AttributeError(f"module 'chorda' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
