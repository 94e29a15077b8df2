"""The continuous problem of a rod with tendons: no modes, all six strains [Till2019]."""

from chorda.solve.cosserat.dynamics import rod_dynamics
from chorda.solve.cosserat.friction import Simple, Sliding
from chorda.solve.cosserat.results import RodEquilibrium, RodMotion
from chorda.solve.cosserat.statics import rod_statics

__all__ = [
    "RodEquilibrium",
    "RodMotion",
    "Simple",
    "Sliding",
    "rod_dynamics",
    "rod_statics",
]
