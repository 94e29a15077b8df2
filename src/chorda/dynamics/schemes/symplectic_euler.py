"""Symplectic Euler: the position uses the NEW velocity, and so do states of first order."""

import casadi as ca

from chorda.dynamics.schemes.stepper import Model, Scheme, Stepper, acceleration, settled, symbols


def build(model: Model) -> Stepper:
    s = symbols(model)
    v1 = s.v + s.h * acceleration(model, s.q, s.v, s.u0, s.p, (s.u1 - s.u0) / s.h)
    q1 = model.normalized(s.q + s.h * (model.kinematics(s.q) @ v1))
    q1, _ = settled(model, q1, s.h, v1, s.u1, s.p)
    return Stepper(s, ca.vertcat(q1, v1))


SCHEME = Scheme("symplectic-euler", "symplectic Euler", 1, build, "Hairer2006")
