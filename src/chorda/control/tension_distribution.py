"""Tension distribution: inputs that give wanted generalized forces, all tensions within limits.

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


def distribute(
    Z: Array, torque: Array, minimum: Array | float, maximum: Array | float | None = None
) -> Array:
    """Find the smallest tensions, minimum <= t <= maximum, with Z t = torque.

    Parameters
    ----------
    Z : array of shape (n, m)
        Moment arms of m tendons [m].
    torque : array of shape (n,)
        Wanted generalized forces [N m, or N].
    minimum : float or array of shape (m,)
        Least tensions [N].
    maximum : float or array of shape (m,), optional
        Largest tensions [N]; without, there is no limit.

    Returns
    -------
    array of shape (m,)
        Tensions [N]; NaN where none exist.

    Raises
    ------
    InputError
        If a minimum is above its maximum.

    See Also
    --------
    JointControl : uses it in every step.

    Examples
    --------
    >>> distribute(np.array([[1.0, -1.0]]), np.array([2.0]), 1.0)
    array([3., 1.])
    >>> distribute(np.array([[1.0, -1.0]]), np.array([2.0]), 1.0, 2.5)
    array([nan, nan])
    """
    n, m = Z.shape
    bounds = [np.broadcast_to(np.asarray(minimum, float), m)]
    if maximum is not None:
        bounds.append(np.broadcast_to(np.asarray(maximum, float), m))
        check_order(*bounds)
    law = distribution(n, m, maximum is not None)
    return np.asarray(law(np.asarray(Z, float), torque, *bounds).full()).ravel()


def check_order(low: Array | float, high: Array | float) -> None:
    """Refuse a minimum above its maximum."""
    low, high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
    if np.any(low > high):
        k = np.unravel_index(int(np.argmax(low > high)), low.shape)
        raise InputError(
            f"maximum_tension: expected at least the minimum of {low[k]:g} N, got {high[k]:g} N; "
            "swap them, or lower the minimum"
        )


def distribution(n: int, m: int, limited: bool = False) -> Any:
    """A CasADi function (Z, torque, minimum) -> tensions for n forces and m tendons; limited: with
    the largest tensions as a last argument."""
    if m < n:
        raise InputError(
            f"control: {m} tendons cannot produce {n} independent forces; at least {n + 1} are "
            "needed to pull in all directions"
        )
    return _line(n, limited) if m == n + 1 else _program(n, m, limited)


def _line(n: int, limited: bool) -> Any:
    """One spare tendon: the null space is a line through the least-squares solution."""
    Z, tau = SX.sym("Z", n, n + 1), SX.sym("tau", n)
    bounds = [SX.sym("bound", n + 1) for _ in range(1 + limited)]
    t, spare = particular_and_spare(Z, tau)
    return ca.Function("distribution", [Z, tau, *bounds], [smallest_on_line(t, spare, *bounds)])


def particular_and_spare(Z: Expr, tau: Expr) -> tuple[Expr, Expr]:
    """The least-squares tensions, and the pull that all tendons can share (the null space)."""
    gram = Factor(Z @ Z.T)
    t, spare = SX.zeros(Z.shape[1]), SX.ones(Z.shape[1])
    for _ in range(2):  # the second pass takes back what the squared condition of Z cost
        t = t + Z.T @ gram.solve(tau - Z @ t)
        spare = spare - Z.T @ gram.solve(Z @ spare)
    return t, spare


def smallest_on_line(t: Expr, spare: Expr, low: Expr, high: Expr | None = None) -> Expr:
    """low <= t + s * spare <= high with the smallest total; NaN if no s does it."""
    least, most, possible = -SX.inf(), SX.inf(), SX(1)
    size = ca.mmax(ca.fabs(spare))
    for i in range(t.shape[0]):
        shares = ca.fabs(spare[i]) > 1e-9 * size  # else the shared pull does not reach it
        for bound, way in ((low, 1), (high, -1)):
            if bound is None:
                continue
            need = (bound[i] - t[i]) / spare[i]
            up, down = (ca.logic_and(shares, sign * spare[i] > 0) for sign in (way, -way))
            least = ca.if_else(up, ca.fmax(least, need), least)
            most = ca.if_else(down, ca.fmin(most, need), most)
            enough = way * (t[i] - bound[i]) >= -1e-9 * (1 + ca.fabs(bound[i]))
            possible = ca.logic_and(possible, ca.logic_or(shares, enough))
    s = ca.if_else(ca.sum1(spare) >= 0, least, most)
    # rounding must not turn a bound that holds with equality into a failure
    possible = ca.logic_and(possible, least <= most + 1e-9 * (1 + ca.fabs(most)))
    return t + ca.if_else(possible, s, SX.nan()) * spare


def _program(n: int, m: int, limited: bool) -> Any:
    """The smallest tensions in the least-squares sense, by Newton's method on the dual.

    The minimum of |t|^2 with Z t = torque and low <= t <= high is t = Z^T y, cut off at the bounds,
    y being a zero of g(y) = Z t(y) - torque. That is the gradient of a convex function made of
    quadratics, so that Newton steps along which it falls end after finitely many, exactly.
    """
    y, Z, tau = SX.sym("y", n), SX.sym("Z", n, m), SX.sym("tau", n)
    bounds = [SX.sym("bound", m) for _ in range(1 + limited)]
    problem = ca.vertcat(ca.vec(Z), tau, *bounds)
    pull = Z.T @ y
    g = Z @ _cut(pull, *bounds) - tau
    within = pull > bounds[0]
    if limited:
        within = ca.logic_and(within, pull < bounds[1])
    # where few tendons pull, their share of the Hessian is singular: a trace of the rest helps
    H = Z @ ca.diag(within) @ Z.T + 1e-9 * Z @ Z.T
    d = solve(H, -g)
    g_full = Z @ _cut(pull + Z.T @ d, *bounds) - tau
    whole = ca.norm_2(g_full) < 0.5 * ca.norm_2(g)
    best = y + ca.if_else(whole, 1, _lowest(pull, Z.T @ d, bounds, ca.dot(tau, d))) * d
    iterate = ca.Function("iterate", [ca.vertcat(y, problem)], [ca.vertcat(best, problem)]).fold(
        NEWTON_ITERATIONS
    )
    given = [Z, tau, *bounds]
    first = ca.Function("first", given, [ca.vertcat(solve(Z @ Z.T, tau), problem)])
    last = ca.Function("last", [ca.vertcat(y, problem)], [_checked(Z, y, tau, bounds)])
    symbols = [ca.MX.sym("given", *x.shape) for x in given]
    return ca.Function("distribution", symbols, [last(iterate(first(*symbols)))])


def _cut(pull: Expr, low: Expr, high: Expr | None = None) -> Expr:
    above = ca.fmax(low, pull)
    return above if high is None else ca.fmin(above, high)


def _lowest(a: Expr, b: Expr, bounds: list[Expr], wanted: Expr) -> Expr:
    """The s >= 0 where sum b t = wanted, t = a + s b cut off at the bounds: a broken line that
    never falls."""

    def excess(s: Expr) -> Expr:
        return ca.dot(b, _cut(a + s * b, *bounds)) - wanted

    left, left_value = SX(0), excess(0)
    right, right_value = SX.inf(), SX.inf()
    for bound in bounds:
        for i in range(a.shape[0]):
            corner = ca.fmax(ca.if_else(b[i] == 0, 0, (bound[i] - a[i]) / b[i]), 0)
            value = excess(corner)
            nearer = ca.logic_and(value <= 0, corner > left)
            left = ca.if_else(nearer, corner, left)
            left_value = ca.if_else(nearer, value, left_value)
            nearer = ca.logic_and(value > 0, corner < right)
            right = ca.if_else(nearer, corner, right)
            right_value = ca.if_else(nearer, value, right_value)
    rises = SX(0) if len(bounds) > 1 else ca.sum1(ca.if_else(b > 0, b**2, 0))
    slope = ca.if_else(right < SX.inf(), (right_value - left_value) / (right - left), rises)
    return ca.if_else(slope > 0, left - left_value / slope, left)


def _checked(Z: Expr, y: Expr, tau: Expr, bounds: list[Expr]) -> Expr:
    """The tensions at y, or NaN where they do not give the forces."""
    t = _cut(Z.T @ y, *bounds)
    size = 1 + ca.norm_inf(tau) + ca.norm_inf(Z @ bounds[0])
    fits = ca.norm_inf(Z @ t - tau) <= 1e-8 * size
    return ca.if_else(fits, t, SX.nan(t.shape[0]))
