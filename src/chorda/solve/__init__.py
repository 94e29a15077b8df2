"""Verbs: simulate, equilibrium, linearize; schemes in schemes/."""

from chorda.solve.equilibrium import equilibrium
from chorda.solve.linear import Linear, linearize
from chorda.solve.simulate import simulate

__all__ = ["Linear", "equilibrium", "linearize", "simulate"]
