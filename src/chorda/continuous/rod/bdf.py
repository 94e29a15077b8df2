"""Rates by backward differences: BDF-alpha [Till2019], and BDF2 on steps of any length."""

from dataclasses import dataclass

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array


@dataclass(frozen=True)
class Formula:
    """z_t = c0 z + c1 z_1 + c2 z_2 + d1 z_t1, with the values of one and two steps before."""

    c0: float
    c1: float
    c2: float
    d1: float = 0.0


def bdf_alpha(step: float, alpha: float) -> Formula:
    """alpha = 0: BDF2; alpha = -1/2: the trapezoidal rule, without damping."""
    if not -0.5 <= alpha <= 0:
        raise InputError(f"alpha: expected a number from -0.5 to 0, got {alpha:g}")
    a = step * (1 + alpha)
    return Formula((1.5 + alpha) / a, -2 / step, (0.5 + alpha) / a, alpha / (1 + alpha))


def bdf2(step: float, before: float) -> Formula:
    """After a step of length `before`."""
    w = step / before
    return Formula(
        (1 + 2 * w) / (1 + w) / step, -(1 + w) / step, w**2 / (1 + w) / step
    )  # [Hairer1993, III.5]


@dataclass(frozen=True, eq=False)
class Past:
    """What has a rate, one and two steps ago, and its rate one step ago."""

    z1: Array
    z2: Array
    rate: Array

    def history(self, formula: Formula) -> Array:
        out = formula.c1 * self.z1 + formula.c2 * self.z2
        return out + formula.d1 * self.rate if formula.d1 else out

    def then(self, z: Array, formula: Formula, history: Array) -> "Past":
        return Past(z, self.z1, formula.c0 * z + history if formula.d1 else self.rate)


def rest(z: Array) -> Past:
    """At rest for ever."""
    return Past(z, z, np.zeros_like(z))
