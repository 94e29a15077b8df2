"""Implicit Euler solved to convergence by Newton's method [Testard2023, eqs. 5 and 12]."""

import casadi as ca

from chorda.mechanics.frames import SX
from chorda.solve.schemes.stepper import Model, Scheme, Stepper, newton, symbols


def build(model: Model) -> Stepper:
    s = symbols(model)
    z = SX.sym("z", model.nv + model.nc)
    v1 = z[: model.nv]
    q1 = s.q + s.h * (model.kinematics(s.q) @ v1)
    a1 = (v1 - s.v) / s.h
    guess = ca.vertcat(s.v, SX.zeros(model.nc))
    better, change = newton(model, s, z, (q1, v1, a1), SX(1), 1 / s.h)
    return Stepper(
        s, ca.vertcat(model.normalized(q1), v1), z=z, guess=guess, better=better, change=change
    )


SCHEME = Scheme(
    "implicit-euler-converged",
    "implicit Euler, converged",
    1,
    build,
    "Testard2023",
    implicit=True,
    iterates=True,
)
