"""Verbs: simulate, equilibrium, equilibria, follow, workspace, linearize; schemes in schemes/."""

from chorda.solve.equilibrium import equilibrium
from chorda.solve.linear import Linear, linearize
from chorda.solve.rollouts.rollout import rollout
from chorda.solve.simulate import simulate
from chorda.solve.statics.following import follow
from chorda.solve.statics.searching import equilibria
from chorda.solve.workspace import open_workspace, workspace

__all__ = [
    "Linear",
    "equilibria",
    "equilibrium",
    "follow",
    "linearize",
    "open_workspace",
    "rollout",
    "simulate",
    "workspace",
]
