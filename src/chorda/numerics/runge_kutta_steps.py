"""Runge-Kutta methods: their tableaus, and one step of each from many starts at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.integrate import DOP853

from chorda.errors import InputError
from chorda.numerics import Array


@dataclass(frozen=True, eq=False)
class Tableau:
    """Butcher's tableau: a (stages, stages), b (stages), c (stages), and its order."""

    a: Array
    b: Array
    c: Array
    order: int

    @cached_property
    def explicit(self) -> bool:
        return bool(np.all(np.triu(self.a) == 0))


def _tableau(order: int, a: list[list[float]], b: list[float]) -> Tableau:
    A = np.array(a, float)
    return Tableau(A, np.array(b, float), A.sum(1), order)


R3, R15 = 3**0.5, 15**0.5
TABLEAUS = {
    "euler": _tableau(1, [[0]], [1]),
    "rk4": _tableau(
        4,
        [[0, 0, 0, 0], [1 / 2, 0, 0, 0], [0, 1 / 2, 0, 0], [0, 0, 1, 0]],
        [1 / 6, 1 / 3, 1 / 3, 1 / 6],
    ),
    # collocation at Gauss points [Hairer1993, II.7]
    "gauss4": _tableau(4, [[1 / 4, 1 / 4 - R3 / 6], [1 / 4 + R3 / 6, 1 / 4]], [1 / 2, 1 / 2]),
    "gauss6": _tableau(
        6,
        [
            [5 / 36, 2 / 9 - R15 / 15, 5 / 36 - R15 / 30],
            [5 / 36 + R15 / 24, 2 / 9, 5 / 36 - R15 / 24],
            [5 / 36 + R15 / 30, 2 / 9 + R15 / 15, 5 / 36],
        ],
        [5 / 18, 4 / 9, 5 / 18],
    ),
}
ORDER_8 = Tableau(DOP853.A, DOP853.B, DOP853.C, 8)  # Dormand and Prince [Hairer1993, II.5]


def tableau(name: str) -> Tableau:
    if name not in TABLEAUS:
        raise InputError(f"integrator: expected one of {', '.join(TABLEAUS)}, got '{name}'")
    return TABLEAUS[name]


@dataclass(frozen=True, eq=False)
class Stages:
    """Of steps from nodes, each array with the stages first: values Y, slopes f = y'(Y), and the
    slopes k that the steps are made of.

    flow (..., n, n): derivative of the steps' ends by their starts. Collocation only: missing,
    f - k; inverse (N, S n, S n) and by_start (N, S n, n), dk = inverse missing + by_start dy.
    """

    Y: Array
    f: Array
    k: Array
    flow: Array | None = None
    missing: Array | None = None
    inverse: Array | None = None
    by_start: Array | None = None


def explicit_stages(
    method: Tableau, slopes: Callable[[int, Array], tuple[Array, Array | None]], y: Array, h: Array
) -> Stages:
    """Steps of lengths h (...) from y (..., n).

    slopes: (number of the stage, values) -> y', and A of d' = A d for deviations d (or None).
    """
    h, by_start = h[..., None], None
    Y, f = np.empty((2, len(method.b), *y.shape))
    for i, row in enumerate(method.a):
        j = np.flatnonzero(row)
        Y[i] = y + h * weighted(row[j], f[j]) if len(j) else y
        f[i], A = slopes(i, Y[i])
        if A is None:
            continue
        if by_start is None:
            by_start = np.empty((len(f), *A.shape))
        by_start[i] = A
        if len(j):
            by_start[i] += A @ (h[..., None] * weighted(row[j], by_start[j]))
    if by_start is None:
        return Stages(Y, f, f)
    return Stages(Y, f, f, _flow(h[..., None] * weighted(method.b, by_start)))


def collocation_stages(
    method: Tableau,
    slopes: Callable[[Array], tuple[Array, Array | None]],
    y: Array,
    k: Array,
    h: Array,
) -> Stages:
    """Steps of lengths h (N) from y (N, n) with the guess k (S, N, n) of their slopes.

    slopes: values (S, N, n) -> y', and its derivative (S, N, n, n) or None.
    """
    a, (S, N, n) = method.a, k.shape
    Y = y + h[:, None] * np.einsum("ij,j...->i...", a, k)
    f, J = slopes(Y)
    if J is None:
        return Stages(Y, f, k, None, f - k)
    M = -np.einsum("ij,iNrc->Nirjc", a, J).reshape(N, S * n, S * n) * h[:, None, None]
    M[:, range(S * n), range(S * n)] += 1
    inverse = np.linalg.inv(M)
    by_start = inverse @ J.transpose(1, 0, 2, 3).reshape(N, S * n, n)
    step = weighted(method.b, by_start.reshape(N, S, n, n).swapaxes(0, 1))
    return Stages(Y, f, k, _flow(h[:, None, None] * step), f - k, inverse, by_start)


def weighted(weights: Array, stages: Array) -> Array:
    """Their sum over the stages; not by BLAS, whose threads cost more than they save here."""
    return np.asarray(np.einsum("i,i...->...", weights, stages))


def _flow(change: Array) -> Array:
    n = change.shape[-1]
    change[..., range(n), range(n)] += 1
    return change
