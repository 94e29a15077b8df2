"""Analyses on top of the verbs: step limits, joint reactions, what tendons can hold, stability and
kinemato-statics at rest."""

from chorda.analyse.kinematostatics import Kinematostatics, kinematostatics
from chorda.analyse.newton_euler import Reactions, accelerations, newton_euler, reactions
from chorda.analyse.singularities import Singularity
from chorda.analyse.stability import Stability, stability
from chorda.analyse.steps import StepLimits, step_limits
from chorda.analyse.transmission import Distribution, Transmission, transmission
from chorda.analyse.unheld import Unheld, unheld

__all__ = [
    "Distribution",
    "Kinematostatics",
    "Reactions",
    "Singularity",
    "Stability",
    "StepLimits",
    "Transmission",
    "Unheld",
    "accelerations",
    "kinematostatics",
    "newton_euler",
    "reactions",
    "stability",
    "step_limits",
    "transmission",
    "unheld",
]
