"""Implicit Euler solved to convergence by Newton's method [Testard2023, eqs. 5 and 12]."""

import casadi as ca

from chorda.dynamics.schemes.stepper import Model, Scheme, Stepper, newton, settled, symbols
from chorda.mechanics.frames import SX


def build(model: Model) -> Stepper:
    s = symbols(model)
    z = SX.sym("z", model.nv + model.nc)
    v1 = z[: model.nv]
    q1 = s.q + s.h * (model.kinematics(s.q) @ v1)
    q1, settling = settled(model, q1, s.h, v1, s.u1, s.p)
    a1 = (v1 - s.v) / s.h
    guess = ca.vertcat(s.v, SX.zeros(model.nc))
    after = ca.vertcat(model.normalized(q1), v1)
    parts, shares = (q1, v1, a1), (s.h, SX(1), 1 / s.h)
    return newton(model, s, after, z, guess, parts, shares, scale=SX(1), settling=settling)


SCHEME = Scheme(
    "implicit-euler-converged",
    "implicit Euler, converged",
    1,
    build,
    "Testard2023",
    implicit=True,
    iterates=True,
)
