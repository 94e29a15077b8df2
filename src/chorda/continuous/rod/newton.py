"""Newton's method on the lifted problem, with a line search; derivatives are kept while they do."""

from dataclasses import dataclass

import numpy as np

from chorda.continuous.rod.condensing import Condensed, condensed
from chorda.continuous.rod.ends import base
from chorda.continuous.rod.march import Iterate, March, Missed, Setting
from chorda.mechanics import Array

KEEP = 0.15  # an old derivative serves as long as each step leaves less than this of the residual
LEAST = 1 / 512  # share of Newton's step that the line search tries at the least


@dataclass(frozen=True, eq=False)
class Outcome:
    """Where Newton's method ended; residual is the largest one, scaled."""

    x: Iterate
    missed: Missed
    residual: float
    iterations: int
    factorised: int
    converged: bool
    linear: Condensed | None


def sizes(march: March, missed: Missed) -> tuple[float, float]:
    """Largest and root of squares of all residuals, scaled."""
    a = march.scales
    parts = [(missed.d / a.y).ravel(), missed.tip / a.tip]
    if missed.stages.size:
        parts.append((missed.stages * march.grid.h[:, None, None] / a.y).ravel())
    r = np.concatenate(parts)
    with np.errstate(all="ignore"):
        largest, square = float(np.max(np.abs(r))), float(r @ r)
    return (largest, float(np.sqrt(square))) if np.isfinite(square) else (np.inf, np.inf)


def newton(
    march: March,
    x: Iterate,
    at: Setting,
    *,
    tolerance: float,
    most: int,
    linear: Condensed | None = None,
    segments: int = 1,
    least: int = 0,
) -> Outcome:
    x = _on_base(march, x, at)
    missed = march.missed(x, at)
    largest, size = sizes(march, missed)
    factorised, fresh = 0, False
    iteration = 0
    while (
        (not largest <= tolerance or iteration < least) and iteration < most and np.isfinite(size)
    ):
        if linear is None:
            missed, tangent = march.linearised(x, at)
            linear = condensed(tangent, march.scales, segments)
            segments = linear.segments
            factorised, fresh = factorised + 1, True
        iteration += 1
        step = _step(march, missed, linear)
        share = 1.0
        while True:
            after = _on_base(march, _moved(x, step, share), at)
            found = march.missed(after, at)
            new_largest, new_size = sizes(march, found)
            less = 1 - share / 4
            good = new_largest <= tolerance or new_size < less * size
            if not good and fresh and np.isfinite(new_size):
                good = _length(march, _step(march, found, linear)) < less * _length(march, step)
            if good or not fresh or share < LEAST:
                break
            share /= 2
        if not fresh and new_size > KEEP * size and not new_largest <= tolerance:
            linear = None  # too old; what it found is taken if it is better
            if new_size >= size:
                continue
        elif not good:
            break
        contraction = new_size / size
        x, missed, largest, size = after, found, new_largest, new_size
        fresh = False
        if contraction > KEEP:
            linear = None
    return Outcome(x, missed, largest, iteration, factorised, largest <= tolerance, linear)


def _on_base(march: March, x: Iterate, at: Setting) -> Iterate:
    """The tendons' values at the base are those that g says."""
    y = x.y.copy()
    y[0, 21:] = base(march.problem, march.scales, x.g, at.inputs).y
    return Iterate(y, x.g, x.k)


def _step(march: March, missed: Missed, linear: Condensed) -> tuple[Array, Array, Array]:
    d = missed.d
    if not missed.stages.size:
        return (*linear.solve(d, missed.tip), np.zeros(0))
    t, N, S, n = linear.tangent, march.N, march.S, march.n
    own = (t.inverse @ missed.stages.reshape(N, S * n, 1)).reshape(N, S, n)
    d = d.copy()
    d[march.grid.starts] += march.grid.h[:, None] * np.einsum("i,Nin->Nn", march.method.b, own)
    dy, db = linear.solve(d, missed.tip)
    dk = own + (t.stages @ dy[march.grid.starts][..., None]).reshape(N, S, n)
    return dy, db, dk


def _length(march: March, step: tuple[Array, Array, Array]) -> float:
    """Of a step, scaled.

    The correction that the old derivative still asks for after a step tells progress whatever the
    equations are scaled by (natural monotonicity test): their squares do not, as the stiff shears
    answer to the square of small turns.
    """
    with np.errstate(all="ignore"):
        return float(np.linalg.norm(step[0] / march.scales.y))


def _moved(x: Iterate, step: tuple[Array, Array, Array], share: float) -> Iterate:
    dy, db, dk = step
    k = x.k + share * dk if dk.size else x.k
    return Iterate(x.y + share * dy, x.g + share * db[6:], k)
