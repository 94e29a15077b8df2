"""Explicit Runge-Kutta methods: a method is its tableau.

Explicit Euler takes the OLD velocity for the position [Testard2023, eqs. 4 and 10]; Heun's method
is the trapezoidal rule, predicted explicitly. The pair of Dormand and Prince, of orders 5 and 4, is
adaptive: its step is the output interval.
"""

from collections.abc import Sequence
from typing import Any

import casadi as ca

from chorda.dynamics.schemes.stepper import Model, Scheme, Stepper, acceleration, symbols
from chorda.mechanics.frames import Expr

Row = Sequence[float]


def explicit(
    model: Model, stages: Sequence[Row], weights: Row, embedded: Row | None = None
) -> Stepper:
    """A Stepper from a tableau: lower-triangular rows, weights, and embedded weights."""
    s = symbols(model)
    x = ca.vertcat(s.q, s.v)
    slopes: list[Expr] = []
    u_rate = (s.u1 - s.u0) / s.h
    for row in stages:
        at = x + s.h * sum((a * k for a, k in zip(row, slopes, strict=True) if a), 0 * x)
        q, v = at[: model.nq], at[model.nq :]
        u = s.u0 + sum(row) * (s.u1 - s.u0)
        a = acceleration(model, q, v, u, s.p, u_rate)
        slopes.append(ca.vertcat(model.moving(q, v, u, s.p), a))

    def combine(b: Row) -> ca.SX:
        return s.h * sum((w * k for w, k in zip(b, slopes, strict=True) if w), 0 * x)

    end = x + combine(weights)
    after = ca.vertcat(model.normalized(end[: model.nq]), end[model.nq :])
    error = None
    if embedded is not None:
        error = combine([w - e for w, e in zip(weights, embedded, strict=True)])
    return Stepper(s, after, error=error)


def _scheme(name: str, title: str, order: int, source: str, *tableau: Any) -> Scheme:
    """tableau: stages, weights, and embedded weights of an adaptive method."""
    adaptive = len(tableau) > 2
    return Scheme(name, title, order, lambda x: explicit(x, *tableau), source, adaptive=adaptive)


EULER = _scheme("explicit-euler", "explicit Euler", 1, "Testard2023", [[]], [1.0])
HEUN = _scheme("heun", "Heun", 2, "Hairer1993", [[], [1.0]], [0.5, 0.5])
RK4 = _scheme(
    "rk4",
    "Runge-Kutta 4",
    4,
    "Hairer1993",
    [[], [1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0]],
    [1 / 6, 1 / 3, 1 / 3, 1 / 6],
)
RK45 = _scheme(
    "rk45",
    "adaptive Runge-Kutta 5(4)",
    5,
    "Dormand1980",
    [
        [],
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40],
)
