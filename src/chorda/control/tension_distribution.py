"""Tension distribution: inputs that give wanted generalized forces, all tensions above a minimum.

G u = tau with bounds on u. With one spare tendon the solution is a line u0 + s n: the exact
smallest pull on it is found in closed form. With more, a quadratic program takes the smallest
tensions; its method ends exactly too, and is compiled into the step like the closed form.
"""

from typing import Any

import casadi as ca
import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.algebra import Factor, solve
from chorda.mechanics.frames import SX, Expr

NEWTON_ITERATIONS = 40


def distribute(Z: Array, torque: Array, minimum: Array | float) -> Array:
    """Find the smallest tensions t >= minimum with Z t = torque.

    Parameters
    ----------
    Z : array of shape (n, m)
        Moment arms of m tendons [m].
    torque : array of shape (n,)
        Wanted generalized forces [N m, or N].
    minimum : float or array of shape (m,)
        Least tensions [N].

    Returns
    -------
    array of shape (m,)
        Tensions [N]; NaN where none exist.

    Examples
    --------
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
    gram = Factor(Z @ Z.T)
    t, spare = SX.zeros(Z.shape[1]), SX.ones(Z.shape[1])
    for _ in range(2):  # the second pass takes back what the squared condition of Z cost
        t = t + Z.T @ gram.solve(tau - Z @ t)
        spare = spare - Z.T @ gram.solve(Z @ spare)
    return t, spare


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
    """The smallest tensions in the least-squares sense, by Newton's method on the dual.

    The minimum of |t|^2 with Z t = torque and t >= low is t = max(low, Z^T y), y being a zero of
    g(y) = Z max(low, Z^T y) - torque. That is the gradient of a convex function made of
    quadratics, so that Newton steps along which it falls end after finitely many, exactly.
    """
    y, Z = SX.sym("y", n), SX.sym("Z", n, m)
    tau, low = SX.sym("tau", n), SX.sym("low", m)
    problem = ca.vertcat(ca.vec(Z), tau, low)
    pull = Z.T @ y
    g = Z @ ca.fmax(low, pull) - tau
    # where few tendons pull, their share of the Hessian is singular: a trace of the rest helps
    H = Z @ ca.diag(pull > low) @ Z.T + 1e-9 * Z @ Z.T
    d = solve(H, -g)
    g_full = Z @ ca.fmax(low, pull + Z.T @ d) - tau
    whole = ca.norm_2(g_full) < 0.5 * ca.norm_2(g)
    best = y + ca.if_else(whole, 1, _lowest(pull, Z.T @ d, low, ca.dot(tau, d))) * d
    iterate = ca.Function("iterate", [ca.vertcat(y, problem)], [ca.vertcat(best, problem)]).fold(
        NEWTON_ITERATIONS
    )
    first = ca.Function("first", [Z, tau, low], [ca.vertcat(solve(Z @ Z.T, tau), problem)])
    last = ca.Function("last", [ca.vertcat(y, problem)], [_checked(Z, y, tau, low)])
    symbols = [ca.MX.sym("Z", n, m), ca.MX.sym("tau", n), ca.MX.sym("low", m)]
    return ca.Function("distribution", symbols, [last(iterate(first(*symbols)))])


def _lowest(a: Expr, b: Expr, low: Expr, wanted: Expr) -> Expr:
    """The s >= 0 where sum b max(low, a + s b) = wanted: a broken line that never falls."""

    def excess(s: Expr) -> Expr:
        return ca.dot(b, ca.fmax(low, a + s * b)) - wanted

    left, left_value = SX(0), excess(0)
    right, right_value = SX.inf(), SX.inf()
    for i in range(a.shape[0]):
        corner = ca.fmax(ca.if_else(b[i] == 0, 0, (low[i] - a[i]) / b[i]), 0)
        value = excess(corner)
        nearer = ca.logic_and(value <= 0, corner > left)
        left, left_value = ca.if_else(nearer, corner, left), ca.if_else(nearer, value, left_value)
        nearer = ca.logic_and(value > 0, corner < right)
        right = ca.if_else(nearer, corner, right)
        right_value = ca.if_else(nearer, value, right_value)
    slope = ca.if_else(
        right < SX.inf(),
        (right_value - left_value) / (right - left),
        ca.sum1(ca.if_else(b > 0, b**2, 0)),
    )
    return ca.if_else(slope > 0, left - left_value / slope, left)


def _checked(Z: Expr, y: Expr, tau: Expr, low: Expr) -> Expr:
    """The tensions at y, or NaN where they do not give the forces."""
    t = ca.fmax(low, Z.T @ y)
    fits = ca.norm_inf(Z @ t - tau) <= 1e-8 * (1 + ca.norm_inf(tau) + ca.norm_inf(Z @ low))
    return ca.if_else(fits, t, SX.nan(t.shape[0]))
