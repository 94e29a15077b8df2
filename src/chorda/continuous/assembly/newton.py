"""Newton's method for an assembly, damped, and along a shrinking residual where that fails."""

from dataclasses import dataclass

import numpy as np

from chorda.continuous.assembly.equations import Equations, Evaluation
from chorda.continuous.assembly.rigid import Configuration
from chorda.mechanics import Array

MOST, FEWER = 40, 15  # iterations, at once and for a part of the residual
SMALLEST = 0.01  # part of the residual below which it is given up
LARGEST = 1.0  # step: a radian, a length, or a wrench of the rods' own size
HUGE = 1e8  # a step that only a singular matrix makes
SINGULAR = 1e-12  # of singular values, relative: what no equation resists


@dataclass(frozen=True, eq=False)
class Outcome:
    """Where Newton's method ended; error is the largest residual or gap at a node, scaled."""

    configuration: Configuration
    evaluation: Evaluation
    converged: bool
    error: float
    iterations: int


def solve(equations: Equations, x: Configuration, tolerance: float) -> Outcome:
    """From a guess; where that fails, along r = (1 - t) r(guess) with t from 0 to 1."""
    first = newton(equations, x, tolerance)
    if first.converged:
        return first
    start = equations(x).residual
    count, reached, step, last = first.iterations, 0.0, 0.25, first
    while reached < 1 and step > SMALLEST:
        to = min(1.0, reached + step)
        out = newton(equations, x, tolerance, (1 - to) * start, FEWER)
        count += out.iterations
        if out.converged:
            x, reached, step, last = out.configuration, to, step * 1.5, out
        else:
            step /= 3
    best = last if reached == 1 else first
    return Outcome(best.configuration, best.evaluation, reached == 1, best.error, count)


@dataclass(frozen=True, eq=False)
class _Iterate:
    """A configuration, what is left there, and Newton's step from it; size: its largest part."""

    x: Configuration
    at: Evaluation
    left: Array
    step: Array
    deviations: Array
    size: float

    @property
    def error(self) -> float:
        return float(np.max(np.abs(self.left), initial=0.0))


def newton(
    equations: Equations,
    x: Configuration,
    tolerance: float,
    shift: Array | float = 0.0,
    most: int = MOST,
) -> Outcome:
    """Until residual - shift and all gaps at the nodes vanish.

    A step is good where it leaves less, or where the next one is shorter: pieces of strongly bent
    rods part for a while before they meet.
    """
    now = _iterate(equations, x, shift)
    for count in range(most):
        if now.error <= tolerance:
            return Outcome(now.x, now.at, True, now.error, count)
        part = min(1.0, LARGEST / now.size) if now.size > 0 else 1.0
        for _ in range(8):
            x1 = equations.moved(now.x, part * now.step, part * now.deviations)
            then = _iterate(equations, x1, shift)
            less = np.linalg.norm(then.left) < (1 - 0.1 * part) * np.linalg.norm(now.left)
            if less or then.size < (1 - 0.25 * part) * now.size:  # false where not finite
                break
            part /= 2
        else:
            return Outcome(now.x, now.at, now.error <= 100 * tolerance, now.error, count)
        now = then
    return Outcome(now.x, now.at, False, now.error, most)


def _iterate(equations: Equations, x: Configuration, shift: Array | float) -> _Iterate:
    at = equations(x)
    left = np.concatenate([at.residual - shift, (at.gaps / equations.units).ravel()])
    if not (np.all(np.isfinite(left)) and np.all(np.isfinite(at.matrix))):
        return _Iterate(x, at, np.full(len(left), np.inf), left, left, np.inf)
    d = _step(at.matrix, at.expected - shift)
    deviations = equations.deviations(at, d)
    size = float(np.max(np.abs(deviations) / equations.units))
    size = max(size, float(np.max(np.abs(d[: equations.moves]), initial=0.0)))
    return _Iterate(x, at, left, d, deviations, size)


def _step(A: Array, r: Array) -> Array:
    """The shortest step where the matrix is singular."""
    if A.shape[0] == A.shape[1]:
        try:
            d = np.linalg.solve(A, -r)
            if np.max(np.abs(d), initial=0.0) < HUGE:
                return np.asarray(d, float)
        except np.linalg.LinAlgError:
            pass
    return np.asarray(np.linalg.lstsq(A, -r, rcond=SINGULAR)[0], float)
