"""Steps in time of a rod: BDF-alpha [Till2019], and BDF2 on steps of any length."""

from dataclasses import dataclass, replace

import numpy as np

from chorda.continuous.lifted_rod import Conditions, Iterate, LiftedRod
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.numerics.newton import Outcome, Solver

MAX_ITERATIONS = 30
PAST = 3  # iterates through which a guess is extrapolated


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
    """After a step of length `before` [Hairer1993, III.5]."""
    w = step / before
    return Formula((1 + 2 * w) / (1 + w) / step, -(1 + w) / step, w**2 / (1 + w) / step)


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


@dataclass(frozen=True, eq=False)
class Moment:
    """A rod in motion: its last iterates with their times (newest first), and what has rates."""

    times: tuple[float, ...]
    past: tuple[Iterate, ...]
    stages: Past
    nodes: Past
    solver: Solver | None = None
    formula: Formula | None = None


def resting(rod: LiftedRod, out: Outcome[Iterate]) -> Moment:
    """At time 0, after a rest for ever."""
    stages, nodes = (Past(z, z, np.zeros_like(z)) for z in rod.with_rates(out))
    return Moment((0.0,), (out.x,), stages, nodes)


def advance(
    rod: LiftedRod, now: Moment, t: float, formula: Formula, inputs: Array, tolerance: float
) -> tuple[Moment, Outcome[Iterate]]:
    """The moment after a step to time t; the same moment if Newton's method failed."""
    histories = now.stages.history(formula), now.nodes.history(formula)
    at = Conditions(inputs, np.array([formula.c0, 1.0]), *histories)

    def solved(x: Iterate, kept: Solver | None) -> Outcome[Iterate]:
        # an extrapolation is no solution, however small its residual: one iteration at least
        limits = {"tolerance": tolerance, "iterations": MAX_ITERATIONS, "least": 1}
        return rod.solved(x, at, kept=kept, **limits)  # type: ignore[arg-type]

    out = solved(extrapolated(now, t), now.solver if now.formula == formula else None)
    if not out.converged:  # an input that jumps makes a bad extrapolation
        again = solved(now.past[0], None)
        out = replace(again, iterations=out.iterations + again.iterations)
    if not out.converged:
        return now, out
    stages, nodes = rod.with_rates(out)
    after = Moment(
        (t, *now.times[: PAST - 1]),
        (out.x, *now.past[: PAST - 1]),
        now.stages.then(stages, formula, at.at_stages),
        now.nodes.then(nodes, formula, at.at_nodes),
        out.solver,
        formula,
    )
    return after, out


def extrapolated(now: Moment, t: float) -> Iterate:
    """Lagrange's polynomial through the last iterates, at time t."""
    weights = [float(np.prod([(t - b) / (a - b) for b in now.times if b != a])) for a in now.times]
    parts = zip(*((x.y, x.g, x.k) for x in now.past), strict=True)
    return Iterate(*(sum(w * a for w, a in zip(weights, part, strict=True)) for part in parts))
