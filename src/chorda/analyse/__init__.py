"""Analyses on top of the verbs: step limits, joint reactions, what tendons can hold."""

from chorda.analyse.newton_euler import Reactions, accelerations, newton_euler, reactions
from chorda.analyse.steps import StepLimits, step_limits
from chorda.analyse.transmission import Distribution, Transmission, transmission
from chorda.analyse.unheld import Unheld, unheld

__all__ = [
    "Distribution",
    "Reactions",
    "StepLimits",
    "Transmission",
    "Unheld",
    "accelerations",
    "newton_euler",
    "reactions",
    "step_limits",
    "transmission",
    "unheld",
]
