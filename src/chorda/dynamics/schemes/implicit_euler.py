"""Linearised implicit Euler: one linear solve a step, K and D exact [Testard2023, eqs. 9 and 21].

(M - h^2 K - h D) dv = h F + h^2 K v, with K = dF/dq and D = dF/dv at the step's start and dry
friction held over the step, as in the paper. States of first order follow v within the step:
F is taken with their values after a step at v, and K and D differentiate through them.
"""

import casadi as ca

from chorda.dynamics.schemes.stepper import (
    Model,
    Scheme,
    Stepper,
    bordered,
    cheapest,
    settled,
    symbols,
)
from chorda.mechanics.algebra import solve


def build(model: Model) -> Stepper:
    """By recursion over the tree where that takes fewer operations than a matrix."""
    return cheapest(model, _by_matrix, _by_recursion)


def _by_recursion(model: Model) -> Stepper:
    step = symbols(model)
    assert model.articulated is not None
    bent, settling = settled(model, step.q, step.h, step.v, step.u1, step.p)
    v1 = model.articulated.implicit_euler(bent, step.v, step.u1, step.p, step.h, settling)
    q1 = model.normalized(step.q + step.h * (model.kinematics(step.q) @ v1))
    q1, _ = settled(model, q1, step.h, v1, step.u1, step.p)
    return Stepper(step, ca.vertcat(q1, v1))


def _by_matrix(model: Model) -> Stepper:
    step = symbols(model)
    q, v, h, u = step.q, step.v, step.h, step.u1
    N = model.kinematics(q)
    bent, _ = settled(model, q, h, v, u, step.p)
    M, F, dry, J, _, psi = model.equations(bent, v, u, step.p)
    K = ca.jacobian(F - dry, q) @ N
    D = ca.jacobian(F - dry, v)
    A = M - h**2 * K - h * D
    b = h * F + h**2 * (K @ v)
    if model.nc:
        slack = model.compliance and model.compliance * h**2
        dv = bordered(A, h * J, b, -h * (J @ v) - psi, slack)[: model.nv]
    else:
        dv = solve(A, b)
    v1 = v + dv
    q1, _ = settled(model, model.normalized(q + h * (N @ v1)), h, v1, u, step.p)
    return Stepper(step, ca.vertcat(q1, v1))


SCHEME = Scheme(
    "implicit-euler", "linearised implicit Euler", 1, build, "Testard2023", implicit=True
)
