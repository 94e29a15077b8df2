"""Generalized-alpha with numerical damping rho at infinite frequency; Newmark as a case.

In the form of [Arnold2007]: equations of motion hold at each step's end, and the algorithmic
acceleration a follows (1 - m) a1 + m a0 = (1 - f) v_dot1 + f v_dot0. Memory: v_dot, a, and lam as
the next guess of it.

Closures hold there in their rates, and the configuration is shut afterwards by what one step leaves
open, of the order h^3. In [Arnold2007] they hold in the configuration alone: their rates drift,
and in violent motions the energy grows without limit, the sooner the smaller the step.
"""

from dataclasses import replace

import casadi as ca

from chorda.dynamics.schemes.stepper import (
    Model,
    Scheme,
    Stepper,
    acceleration,
    newton,
    settled_twice,
    shut,
    symbols,
)
from chorda.mechanics.frames import SX, Expr

RHO_INF = 0.8  # spectral radius at infinite frequency, unless another is asked for


def build(model: Model, m: float, f: float) -> Stepper:
    gamma = 0.5 + f - m
    beta = (0.5 + gamma) ** 2 / 4
    nv = model.nv
    s = symbols(model, memory(model))
    q, v, h = s.q, s.v, s.h
    v_dot0, a0, lam0 = s.memory[:nv], s.memory[nv : 2 * nv], s.memory[2 * nv :]
    z = SX.sym("z", nv + model.nc)
    a1 = z[:nv]
    v1 = v + h * ((1 - gamma) * a0 + gamma * a1)
    mid = q + h / 2 * (model.kinematics(q) @ v)  # where N is taken: second order
    q1 = q + h * (model.kinematics(mid) @ (v + h * ((0.5 - beta) * a0 + beta * a1)))
    q1, settling = settled_twice(model, q1, s, v1)
    v_dot1 = ((1 - m) * a1 + m * a0 - f * v_dot0) / (1 - f)
    guess = ca.vertcat(a0, lam0)
    after = ca.vertcat(shut(model, model.normalized(q1), s.u1, s.p), v1, v_dot1, z)
    parts, shares = (q1, v1, v_dot1), (beta * h**2, gamma * h, SX((1 - m) / (1 - f)))
    return newton(model, s, after, z, guess, parts, shares, h, settling, rates=True)


def memory(model: Model) -> int:
    return 2 * model.nv + model.nc


def start(model: Model, q: Expr, v: Expr, u: Expr, p: Expr, h: Expr) -> Expr:
    """Accelerations as far as a step can follow them: what is faster would be thrown by it."""
    a = acceleration(model, q, v, u, p, over=h)
    return ca.vertcat(a, a, SX.zeros(model.nc))


def damped(rho: float) -> tuple[float, float]:
    """(m, f) of the method that damps infinite frequencies by rho in one step."""
    return (2 * rho - 1) / (rho + 1), rho / (rho + 1)


def scheme(rho: float) -> Scheme:
    """The method that damps infinite frequencies by rho in one step."""
    return Scheme(
        "generalized-alpha",
        f"generalized-alpha (rho {rho:g})",
        2,
        lambda model: build(model, *damped(rho)),
        "Arnold2007",
        implicit=True,
        iterates=True,
        memory=memory,
        start=start,
        variant="" if rho == RHO_INF else f"rho_inf={rho!r}",
    )


SCHEME = scheme(RHO_INF)
NEWMARK = replace(
    SCHEME,
    name="newmark",
    title="Newmark (beta 1/4, gamma 1/2)",
    build=lambda model: build(model, 0.0, 0.0),
    source="Newmark1959",
)
