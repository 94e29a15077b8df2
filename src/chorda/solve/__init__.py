"""Verbs: simulate, equilibrium, follow, linearize; schemes in schemes/."""

from chorda.solve.equilibrium import equilibrium
from chorda.solve.linear import Linear, linearize
from chorda.solve.simulate import simulate
from chorda.solve.statics.following import follow

__all__ = ["Linear", "equilibrium", "follow", "linearize", "simulate"]
