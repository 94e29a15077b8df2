"""Tension distribution: inputs that give wanted generalized forces, all tensions above a minimum.

G u = tau with bounds on u. With one spare tendon the solution is a line u0 + s n: the exact
smallest pull on it is found in closed form. With more, a quadratic program with an active-set
method (exact, compiled too) takes the smallest tensions.
"""

from typing import Any

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.algebra import solve
from chorda.mechanics.frames import SX, Expr


def distribute(Z: Array, torque: Array, minimum: Array | float) -> Array:
    """Tensions t >= minimum with Z t = torque, as small as possible; NaN where none exist.

    Z (n, m) are moment arms, torque (n) wanted generalized forces, minimum in newtons.

    >>> distribute(np.array([[1.0, -1.0]]), np.array([2.0]), 1.0)
    array([3., 1.])
    """
    n, m = Z.shape
    low = np.broadcast_to(np.asarray(minimum, float), m)
    law = distribution(n, m)
    return np.asarray(law(np.asarray(Z, float), torque, low).full()).ravel()


def distribution(n: int, m: int) -> Any:
    """A CasADi function (Z, torque, minimum) -> tensions for n forces and m tendons."""
    if m < n:
        raise InputError(
            f"control: {m} tendons cannot produce {n} independent forces; at least {n + 1} are "
            "needed to pull in all directions"
        )
    return _line(n) if m == n + 1 else _program(n, m)


def _line(n: int) -> Any:
    """One spare tendon: the null space is a line through the least-squares solution."""
    Z, tau, low = SX.sym("Z", n, n + 1), SX.sym("tau", n), SX.sym("low", n + 1)
    t, spare = particular_and_spare(Z, tau)
    return ca.Function("distribution", [Z, tau, low], [smallest_on_line(t, spare, low)])


def particular_and_spare(Z: Expr, tau: Expr) -> tuple[Expr, Expr]:
    """The least-squares tensions, and the pull that all tendons can share (the null space)."""
    gram = Z @ Z.T
    t = Z.T @ solve(gram, tau)
    ones = SX.ones(Z.shape[1])
    return t, ones - Z.T @ solve(gram, Z @ ones)


def smallest_on_line(t: Expr, spare: Expr, low: Expr) -> Expr:
    """t + s * spare >= low with the smallest total; NaN if no s does it."""
    least, most, possible = -SX.inf(), SX.inf(), SX(1)
    size = ca.mmax(ca.fabs(spare))
    for i in range(t.shape[0]):
        need = (low[i] - t[i]) / spare[i]
        shares = ca.fabs(spare[i]) > 1e-9 * size  # else the shared pull does not reach it
        least = ca.if_else(ca.logic_and(shares, spare[i] > 0), ca.fmax(least, need), least)
        most = ca.if_else(ca.logic_and(shares, spare[i] < 0), ca.fmin(most, need), most)
        enough = t[i] >= low[i] - 1e-9 * (1 + ca.fabs(low[i]))
        possible = ca.logic_and(possible, ca.logic_or(shares, enough))
    s = ca.if_else(ca.sum1(spare) >= 0, least, most)
    # rounding must not turn a bound that holds with equality into a failure
    possible = ca.logic_and(possible, least <= most + 1e-9 * (1 + ca.fabs(most)))
    return t + ca.if_else(possible, s, SX.nan()) * spare


def _program(n: int, m: int) -> Any:
    """The smallest tensions in the least-squares sense, by an active-set quadratic program."""
    Z, tau, low = ca.MX.sym("Z", n, m), ca.MX.sym("tau", n), ca.MX.sym("low", m)
    options = {
        "print_iter": False,
        "print_header": False,
        "print_info": False,
        "error_on_fail": False,
        "max_iter": 200,
    }
    dense = ca.DM.ones(n, m).sparsity()
    program = ca.conic("program", "qrqp", {"h": ca.DM.eye(m).sparsity(), "a": dense}, options)
    answer = program(h=ca.DM.eye(m), g=ca.MX.zeros(m), a=Z, lba=tau, uba=tau, lbx=low, ubx=ca.inf)[
        "x"
    ]
    error = ca.norm_inf(Z @ answer - tau)
    fits = ca.logic_and(error <= 1e-6 * (1 + ca.norm_inf(tau)), ca.mmin(answer - low) >= -1e-6)
    return ca.Function("distribution", [Z, tau, low], [ca.if_else(fits, answer, ca.MX.nan(m))])
