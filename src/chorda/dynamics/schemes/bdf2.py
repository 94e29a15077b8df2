"""BDF2: two-step backward differentiation; its first step is implicit Euler.

Memory: the previous (q, v), lam as the next guess of it, and whether there was a step before.
"""

import casadi as ca

from chorda.dynamics.schemes.stepper import Model, Scheme, Stepper, newton, settled, symbols
from chorda.mechanics.frames import SX, Expr


def build(model: Model) -> Stepper:
    nq, nv = model.nq, model.nv
    s = symbols(model, memory(model))
    q_old, v_old, going = s.memory[:nq], s.memory[nq : nq + nv], s.memory[-1]
    one, two, g = 1 + going / 3, going / 3, (1 - going / 3) * s.h  # 4/3, 1/3, 2h/3; or 1, 0, h
    ahead = s.q + going * (s.q - q_old)  # where N is taken: second order, exact where N is constant
    z = SX.sym("z", nv + model.nc)
    v1, lam1 = ca.vertsplit(z, [0, nv, nv + model.nc])
    q1 = one * s.q - two * q_old + g * (model.kinematics(ahead) @ v1)
    q1, settling = settled(model, q1, g, v1, s.u1, s.p)
    a1 = (v1 - one * s.v + two * v_old) / g
    guess = ca.vertcat(s.v + going * (s.v - v_old), s.memory[nq + nv : -1])
    after = ca.vertcat(model.normalized(q1), v1, s.q, s.v, lam1, 1)
    parts, shares = (q1, v1, a1), (g, SX(1), 1 / g)
    return newton(model, s, after, z, guess, parts, shares, scale=SX(1), settling=settling)


def memory(model: Model) -> int:
    return model.nq + model.nv + model.nc + 1


def start(model: Model, q: Expr, v: Expr, u: Expr, p: Expr, h: Expr) -> Expr:
    return ca.vertcat(q, v, SX.zeros(model.nc), 0)


SCHEME = Scheme(
    "bdf2", "BDF2", 2, build, "Hairer1996", implicit=True, iterates=True, memory=memory, start=start
)
