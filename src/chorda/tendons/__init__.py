"""What tendons can do: transmission, feasible tensions; reactions by recursive Newton-Euler."""

from chorda.tendons.infeasible import Infeasible, infeasible
from chorda.tendons.reactions import Reactions, accelerations, newton_euler, reactions
from chorda.tendons.tendon_structure import Distribution, Transmission
from chorda.tendons.transmission import transmission

__all__ = [
    "Distribution",
    "Infeasible",
    "Reactions",
    "Transmission",
    "accelerations",
    "infeasible",
    "newton_euler",
    "reactions",
    "transmission",
]
