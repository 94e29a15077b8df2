"""Levenberg's method with one damping for all unknowns, as the public program of [Till2019] has it.

A step solves (J^T J + damping) d = -J^T r. The damping is halved before each new matrix, and
doubled until the sum of squares does not grow. It depends on the units of the unknowns: it is here
so that what is published can be run as published. scipy's `least_squares` is the better tool.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chorda.numerics import Array
from chorda.numerics.newton import Reason

FIRST_DAMPING, FACTOR = 1e-2, 0.5  # in the calls of the chapter
INCREMENT, SMALLEST_INCREMENT = 1e-7, 1e-9  # for differences, relative and in an unknown's unit
MAX_ITERATIONS = 1500


@dataclass(frozen=True, eq=False)
class Search:
    """Where a search ended: x, its residual r, why, and how many iterations and matrices."""

    x: Array
    r: Array
    reason: Reason
    iterations: int
    matrices: int


def differences(many: Callable[[Array], Array], x: Array, r: Array) -> Array:
    """Derivative of the residual r at x (n) by forward differences; many: (n, n) -> residuals.

    >>> differences(lambda X: X**2, np.array([1.0, 3.0]), np.array([1.0, 9.0])).round(5).tolist()
    [[2.0, 0.0], [0.0, 6.0]]
    """
    d = INCREMENT * x
    d = np.where(np.abs(d) > SMALLEST_INCREMENT, d, SMALLEST_INCREMENT)
    return np.asarray(((many(x + np.diag(d)) - r) / d[:, None]).T)


def levenberg(
    residual: Callable[[Array], Array],
    derivative: Callable[[Array, Array], Array],
    x: Array,
    is_enough: Callable[[Array], bool],
    iterations: int = MAX_ITERATIONS,
) -> Search:
    """Until a residual is enough; derivative: (x, residual there) -> matrix.

    Both a new matrix and a larger damping count as an iteration.

    >>> found = levenberg(
    ...     lambda x: x**2 - 2, lambda x, r: np.diag(2 * x), np.ones(1), lambda r: abs(r[0]) < 1e-12
    ... )
    >>> found.x.round(9).tolist(), found.reason
    ([1.414213562], 'converged')

    Where the residual does not depend on x, the damping fades until no matrix is left to solve:

    >>> levenberg(
    ...     lambda x: np.ones(1), lambda x, r: np.zeros((1, 1)), np.ones(1), lambda r: False
    ... ).reason
    'singular'
    """
    r, damping, count, matrices = residual(x), FIRST_DAMPING, 0, 0
    left, unit = float(r @ r), np.eye(len(x))
    if not np.isfinite(left):
        return Search(x, r, "not finite", 0, 0)
    while not is_enough(r):
        J = derivative(x, r)
        matrices += 1
        with np.errstate(over="ignore", invalid="ignore"):
            A, b = J.T @ J, -J.T @ r
        if not np.all(np.isfinite(A)):
            return Search(x, r, "not finite", count, matrices)
        damping *= FACTOR
        while True:
            count += 1
            if count > iterations:
                return Search(x, r, "iterations", iterations, matrices)
            try:
                there = x + np.linalg.solve(A + damping * unit, b)
            except np.linalg.LinAlgError:
                return Search(x, r, "singular", count, matrices)
            then = residual(there)
            size = float(then @ then)
            if size <= left:
                break
            damping /= FACTOR
        x, r, left = there, then, size
    return Search(x, r, "converged", count, matrices)
