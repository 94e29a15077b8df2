"""Newton's method, damped: one for everything in this library that iterates in Python.

A step is good where it leaves less of the residual. It may also count as good where the correction
that the same matrix asks for behind it is shorter: this natural monotonicity test [Deuflhard2011]
does not depend on how the equations are scaled. A step that is not good is halved.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from chorda.numerics import Array

X = TypeVar("X")
Solver = Callable[[Any], Array]  # residual -> correction
Reason = Literal["converged", "iterations", "no descent", "singular", "not finite", "too far"]

DECREASE = 0.1  # a whole step leaves this much less of the residual, at least
SHORTENING = 0.25  # or the correction behind it is this much shorter, at least
KEEP_BELOW = 0.15  # a matrix is kept as long as each step leaves less than this of the residual
HUGE_STEP = 1e8  # length of a correction that only a singular matrix makes
RANK_TOLERANCE = 1e-12  # of the largest singular value: directions that no equation resists


@dataclass(frozen=True, eq=False)
class Outcome(Generic[X]):
    """Where Newton's method ended, and why.

    Attributes
    ----------
    x : the last state.
    converged : whether it is a solution within the tolerances.
    iterations : how many corrections were computed.
    residual : largest entry of the scaled residual at x.
    correction : length of the last correction before damping; infinite before the first one.
    reason : "converged"; "iterations": the limit was reached; "no descent": no part of the step was
        good; "singular": the matrix could not be solved with; "not finite"; "too far": a correction
        was longer than `divergence`.
    value : the residual at x, as it came.
    solver : the last solver, for a similar problem.
    matrices : how many matrices were evaluated.
    """

    x: X
    converged: bool
    iterations: int
    residual: float
    correction: float
    reason: Reason
    value: Any
    solver: Solver | None
    matrices: int


def newton(
    evaluate: Callable[[X], tuple[Any, Array | Solver]],
    x: X,
    *,
    tolerance: float,
    correction_tolerance: float = np.inf,
    residual: Callable[[X], Any] | None = None,
    kept: Solver | None = None,
    moved: Callable[[X, Array], X] = lambda x, d: x + d,  # type: ignore[operator]
    scaled: Callable[[Any], Array] = np.asarray,
    length: Callable[[Array], float] = lambda d: float(np.max(np.abs(d), initial=0.0)),
    longest: float = np.inf,
    divergence: float = np.inf,
    trials: int = 8,
    by_correction: bool = False,
    rounding: float = 0.0,
    iterations: int = 40,
    least: int = 0,
) -> Outcome[X]:
    """Solve residual(x) = 0 from a guess.

    Parameters
    ----------
    evaluate : x -> (residual, matrix), or (residual, solver) with solver(residual) the correction
        -A^-1 residual. A matrix may be singular or not square: see `solver_of`.
    x : the guess, anything that `moved` understands.
    tolerance : of the largest entry of the scaled residual.
    correction_tolerance : of the length of the last correction. Both tolerances must be met. Where
        `tolerance` is infinite, the residual behind the last correction is not evaluated.
    residual : x -> residual alone, where a matrix costs much more. Matrices are then kept as long
        as they converge fast.
    kept : the solver of a similar problem to begin with. It needs `residual`.
    moved : (x, correction) -> the state after the correction; x + correction if not given.
    scaled : residual -> array (n) of its entries, each in units of its own.
    length : correction -> its length; its largest entry if not given.
    longest : a longer correction is shortened to this length.
    divergence : a longer correction ends the search.
    trials : how many lengths of a step are tried, each half of the one before; 0: every step is
        taken, good or not.
    by_correction : whether a step also counts as good where the correction behind it is shorter.
    rounding : a residual up to this counts as zero where no step is good.
    iterations, least : the most and the fewest corrections.

    Examples
    --------
    >>> root = newton(lambda x: (x**2 - 2, np.diag(2 * x)), np.array([1.0]), tolerance=1e-14)
    >>> root.x.round(12).tolist(), root.iterations
    ([1.414213562373], 5)
    """
    f = _Equations(evaluate, residual, moved, scaled, length)
    here, count, correction = f.at(x, kept), 0, np.inf

    def outcome(reason: Reason) -> "Outcome[X]":  # in quotes: annotations cost time in each call
        done = reason == "converged"
        value, solver = here.residual, here.solver
        return Outcome(
            here.x, done, count, here.largest, correction, reason, value, solver, f.matrices
        )

    while True:
        small = correction <= correction_tolerance
        if count >= least and here.largest <= tolerance and small:
            return outcome("converged")
        if here.norm == np.inf:
            return outcome("not finite")
        if count >= iterations:
            return outcome("iterations")
        if here.solver is None:
            here = f.with_matrix(here.x)
        try:
            d, correction = f.correction(here.residual, here.solver)
        except np.linalg.LinAlgError:
            return outcome("singular")
        if correction == np.inf or correction > divergence:
            return outcome("not finite" if correction == np.inf else "too far")
        count += 1
        part = min(1.0, longest / correction) if correction > 0 else 1.0
        if tolerance == np.inf and correction <= correction_tolerance:
            here = replace(here, x=f.moved(here.x, part * d))
            return outcome("converged")
        for _ in range(trials if here.fresh and trials else 1):
            then = f.at(f.moved(here.x, d if part == 1.0 else part * d), here.solver)
            good = then.largest <= tolerance or then.norm < (1 - DECREASE * part) * here.norm
            if not good and by_correction and here.fresh and then.norm < np.inf:
                wanted = f.correction(then.residual, here.solver)[1]
                good = wanted < (1 - SHORTENING * part) * correction
            if good:
                break
            part /= 2
        slow = then.norm > KEEP_BELOW * here.norm and then.largest > tolerance
        if not here.fresh and slow and then.norm >= here.norm:
            here = replace(here, solver=None)  # too old to get nearer
        elif good or not trials or (not here.fresh and slow):
            here = replace(then, solver=None) if slow and not then.fresh else then
        else:
            zero = here.largest <= rounding and correction <= correction_tolerance
            return outcome("converged" if zero else "no descent")


@dataclass(frozen=True, eq=False)
class _Point:
    """A state with its residual; fresh: its solver was made there."""

    x: Any
    residual: Any
    largest: float
    norm: float
    solver: Any
    fresh: bool


class _Equations:
    def __init__(self, evaluate: Any, residual: Any, moved: Any, scaled: Any, length: Any) -> None:
        self._evaluate, self._residual = evaluate, residual
        self.moved, self._scaled, self._length = moved, scaled, length
        self.matrices = 0

    def at(self, x: Any, solver: Solver | None) -> _Point:
        """With a matrix of its own where it comes with the residual, else with the given solver."""
        if self._residual is None:
            return self.with_matrix(x)
        return self._point(x, self._residual(x), solver, False)

    def with_matrix(self, x: Any) -> _Point:
        self.matrices += 1
        r, found = self._evaluate(x)
        return self._point(x, r, found if callable(found) else solver_of(found), True)

    def _point(self, x: Any, r: Any, solver: Solver | None, fresh: bool) -> _Point:
        with np.errstate(all="ignore"):
            a = self._scaled(r)
            norm = float(np.sqrt(a @ a))
        if not np.isfinite(norm):
            return _Point(x, r, np.inf, np.inf, solver, fresh)
        return _Point(x, r, float(np.max(np.abs(a), initial=0.0)), norm, solver, fresh)

    def correction(self, r: Any, solver: Solver) -> tuple[Array, float]:
        with np.errstate(all="ignore"):
            d = solver(r)
            size = self._length(d)
        return d, size if np.isfinite(size) else np.inf


def solver_of(A: Array) -> Solver:
    """r -> d with A d = -r: the shortest one where A is singular or not square."""

    def solve(r: Array) -> Array:
        if A.shape[0] == A.shape[1]:
            try:
                d = np.linalg.solve(A, -r)
                if np.max(np.abs(d), initial=0.0) < HUGE_STEP:
                    return np.asarray(d, float)
            except np.linalg.LinAlgError:
                pass
        return np.asarray(np.linalg.lstsq(A, -r, rcond=RANK_TOLERANCE)[0], float)

    return solve
