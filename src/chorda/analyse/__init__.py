"""Analyses on top of the verbs: step limits."""

from chorda.analyse.steps import StepLimits, step_limits

__all__ = ["StepLimits", "step_limits"]
