"""Steps in time of a rod: BDF-alpha [Till2019], and BDF2 on steps of any length."""

from dataclasses import dataclass, replace
from math import prod

import numpy as np

from chorda.checks import number
from chorda.continuous.lifted_rod import Conditions, LiftedRod
from chorda.continuous.single_shooting import Solves
from chorda.mechanics import Array
from chorda.numerics.newton import Outcome, Solver

MAX_ITERATIONS = 30
PAST = 3  # states through which a guess is extrapolated


@dataclass(frozen=True)
class Formula:
    """z_t = c0 z + c1 z_1 + c2 z_2 + d1 z_t1, with the values of one and two steps before."""

    c0: float
    c1: float
    c2: float
    d1: float = 0.0


def bdf_alpha(step: float, alpha: float) -> Formula:
    """alpha = 0: BDF2; alpha = -1/2: the trapezoidal rule, without damping."""
    number("alpha", alpha, least=-0.5, most=0)
    a = step * (1 + alpha)
    return Formula((1.5 + alpha) / a, -2 / step, (0.5 + alpha) / a, alpha / (1 + alpha))


def bdf2(step: float, before: float) -> Formula:
    """After a step of length `before` [Hairer1993, III.5]."""
    w = step / before
    return Formula((1 + 2 * w) / (1 + w) / step, -(1 + w) / step, w**2 / (1 + w) / step)


@dataclass(frozen=True, eq=False)
class Moment:
    """A rod in motion: its last states with their times, newest first; what has rates, one and two
    steps ago, and its rates one step ago; the last solver and the formula it is for."""

    times: tuple[float, ...]
    states: tuple[Array, ...]
    z1: Array
    z2: Array
    rates: Array
    solver: Solver | None = None
    formula: Formula | None = None

    def history(self, formula: Formula) -> Array:
        """z_h of the rates in the next step."""
        out = formula.c1 * self.z1 + formula.c2 * self.z2
        return out + formula.d1 * self.rates if formula.d1 else out

    def extrapolated(self, t: float) -> Array:
        """The polynomial through the last states, at time t."""
        found = np.zeros_like(self.states[0])
        for here, state in zip(self.times, self.states, strict=True):
            others = [x for x in self.times if x != here]
            found += prod((t - x) / (here - x) for x in others) * state  # Lagrange
        return found


def resting(
    rod: LiftedRod, out: Outcome[Array], inputs: Array, times: tuple[float, ...] = (0.0,)
) -> Moment:
    """At the newest of these times, after a rest for ever."""
    z = rod.with_rates(out) + rod.wound(inputs)
    return Moment(times, (out.x,) * len(times), z, z, np.zeros_like(z))


def advance(
    rod: LiftedRod,
    now: Moment,
    t: float,
    formula: Formula,
    inputs: Array,
    tolerance: float,
    solver: Solves | None = None,
) -> tuple[Moment, Outcome[Array]]:
    """The moment after a step to time t; the same moment if the solver failed.

    solver: of all nodes at once if not given.
    """
    by = solver or rod
    past, wound = now.history(formula), rod.wound(inputs)
    at = Conditions(inputs, np.array([formula.c0, 1.0]), past + formula.c0 * wound)

    def solved(x: Array, kept: Solver | None) -> Outcome[Array]:
        # an extrapolation is no solution, however small its residual: one iteration at least
        limits = {"iterations": MAX_ITERATIONS, "least": 1}
        return by.solved(x, at, tolerance=tolerance, kept=kept, **limits)

    guess = now.extrapolated(t) if by.extrapolates else now.states[0]
    out = solved(guess, now.solver if now.formula == formula else None)
    if not out.converged and by.extrapolates:  # a jump of an input makes it a bad guess
        again = solved(now.states[0], None)
        out = replace(again, iterations=out.iterations + again.iterations)
    if not out.converged:
        return now, out
    z = rod.with_rates(out) + wound
    rates = formula.c0 * z + past if formula.d1 else now.rates
    times, states = (t, *now.times[: PAST - 1]), (out.x, *now.states[: PAST - 1])
    return Moment(times, states, z, now.z1, rates, out.solver, formula), out
