"""The error of a solution from coarser ones, by Richardson's extrapolation."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from chorda.numerics import Array

X = TypeVar("X")
E = TypeVar("E")

SEEN = 1.5  # ratio of successive differences from which an order is seen
FASTER = 2.0  # times the ratio that the order has


def extrapolated_error(
    fine: Array, middle: Array, coarse: Array | None, order: int, noise: float
) -> tuple[Array, bool]:
    """How far points of the finest solution (n, 3) are from where it converges to.

    Parameters
    ----------
    fine, middle, coarse : the same points with N, N / 2 and N / 4 steps; the last may be missing.
    order : of the method.
    noise : differences below it are rounding.

    Returns
    -------
    Errors (n), and whether they are reliable: whether the differences fall. Where they fall faster
    than the order has it, as they do before it is seen, errors are the differences themselves.

    Examples
    --------
    >>> x = np.zeros((1, 3))
    >>> error, reliable = extrapolated_error(x + 1e-4, x + 4e-4, x + 16e-4, 2, 1e-12)
    >>> bool(np.isclose(error[0], 3**0.5 * 1e-4)), reliable
    (True, True)
    """
    last = np.linalg.norm(fine - middle, axis=1)
    if np.max(last, initial=0.0) <= noise:
        return last, True
    if coarse is None:
        return last, False
    before = float(np.max(np.linalg.norm(middle - coarse, axis=1)))
    ratio = before / float(np.max(last))
    if not SEEN <= ratio <= FASTER * 2.0**order:
        return last, bool(ratio >= SEEN)
    return np.asarray(last / (min(ratio, 2.0**order) - 1)), True


def finer_until(
    found: X,
    *,
    error: Callable[[X, list[X]], E],
    finer: Callable[[X], X | None],
    is_enough: Callable[[E], bool],
) -> tuple[X, E, bool]:
    """A solution with twice the steps, until its error is small enough; and whether it is.

    Parameters
    ----------
    error : (solution, coarser ones that are known, the finest first) -> its error.
    finer : a solution -> one with twice the steps, or None where there is none.
    """
    coarser: list[X] = []
    while True:
        off = error(found, coarser)
        if is_enough(off):
            return found, off, True
        if (better := finer(found)) is None:
            return found, off, False
        found, coarser = better, [found, *coarser][:2]
