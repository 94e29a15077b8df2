"""Robots in motion: simulate, rollout, linearize, step limits; schemes in schemes/."""

from chorda.dynamics.linearize import Linear, linearize
from chorda.dynamics.rollouts.rollout import rollout
from chorda.dynamics.simulate import simulate
from chorda.dynamics.step_limits import StepLimits, step_limits

__all__ = ["Linear", "StepLimits", "linearize", "rollout", "simulate", "step_limits"]
