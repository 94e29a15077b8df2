"""The continuous problem of a rod with tendons: no modes, all six strains [Till2019]."""

from chorda.continuous.rod.dynamics import rod_dynamics
from chorda.continuous.rod.friction import Simple, Sliding
from chorda.continuous.rod.results import RodEquilibrium, RodMotion
from chorda.continuous.rod.statics import rod_statics

__all__ = [
    "RodEquilibrium",
    "RodMotion",
    "Simple",
    "Sliding",
    "rod_dynamics",
    "rod_statics",
]
