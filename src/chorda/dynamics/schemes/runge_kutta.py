"""Explicit Runge-Kutta methods: a method is its tableau."""

from collections.abc import Sequence

import casadi as ca

from chorda.dynamics.schemes.stepper import Model, Stepper, acceleration, symbols
from chorda.mechanics.frames import Expr


def explicit(
    model: Model,
    stages: Sequence[Sequence[float]],
    weights: Sequence[float],
    embedded: Sequence[float] | None = None,
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
        slopes.append(ca.vertcat(model.kinematics(q) @ v, a))

    def combine(b: Sequence[float]) -> ca.SX:
        return s.h * sum((w * k for w, k in zip(b, slopes, strict=True) if w), 0 * x)

    end = x + combine(weights)
    after = ca.vertcat(model.normalized(end[: model.nq]), end[model.nq :])
    error = None
    if embedded is not None:
        error = combine([w - e for w, e in zip(weights, embedded, strict=True)])
    return Stepper(s, after, error=error)
