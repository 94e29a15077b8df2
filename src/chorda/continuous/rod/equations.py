"""The equations of a rod with tendons, once, in symbols [Till2019].

State y along s: rotation R (9, by columns), strains u (twist, bends) and e (stretch, shears),
velocities w and q in local axes, then for each tendon x (length of its path from where it is
attached, counted negative towards the base) and its tension. The tangent is the local x, where the
paper has z. Rates are z_t = c0 z + z_h with a history z_h: statics is c0 = 0 and no history.
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.continuous.rod.friction import Simple, Sliding
from chorda.continuous.rod.local import Local, Offset, Symbols, sheath, symbols_of
from chorda.continuous.rod.problem import Problem, Station
from chorda.mechanics import Array
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.parameters import Parameters

U, E, W, Q = slice(9, 12), slice(12, 15), slice(15, 18), slice(18, 21)
MOVING = slice(9, 21)  # what has a rate, at every point; its strains' slopes have one too
KEPT = 18
PASSES = 3  # of the fixed point of sliding friction: what two leave is rounding in Till's robot


@dataclass(frozen=True, eq=False)
class Equations:
    """Functions of numbers.

    slopes: (place, y, z_h, c, p) -> y' and its derivative by y, place = (s, which tendons are
    there). stations: (y before, y behind, z_h before, z_h behind, c, p) -> y behind, improved; the
    last one moment and force left at the tip; with derivatives by y before. inside: internal force
    and moment.
    c = (c0, share of gravity and loads).
    """

    slopes: Any
    value: Any
    stations: tuple[Any, ...]
    inside: Any
    parameters: Array
    history: int


def equations(problem: Problem) -> Equations:
    par = Parameters()
    symbols = symbols_of(problem.rod, problem.robot.gravity, par)
    nt = len(problem.cables)
    nz = KEPT + (nt if problem.friction is not None else 0)
    y, after = SX.sym("y", problem.size), SX.sym("after", problem.size)
    zh, zh_after = SX.sym("zh", nz), SX.sym("zh_after", nz)
    place, c = SX.sym("place", 1 + nt), SX.sym("c", 2)
    sheaths = [sheath(x.sheath, f"{x.tendon.name}.sheath", par) for x in problem.cables]
    slope, jacobian = _slopes(problem, symbols, sheaths, place, y, zh, c)
    ends = [
        _station(problem, symbols, sheaths, k, y, after, zh, zh_after, c)
        for k in range(len(problem.stations))
    ]
    p = ca.vertcat(*par.symbols)
    inputs = [place, y, zh, c, p]
    n, m, *_ = _internal(symbols.at(place[0]), y, zh, c[0])
    return Equations(
        ca.Function("chorda_rod", inputs, ca.cse([ca.densify(slope), ca.densify(jacobian)])),
        ca.Function("chorda_rod_value", inputs, ca.cse([ca.densify(slope)])),
        tuple(
            ca.Function(
                f"station{k}",
                [y, after, zh, zh_after, c, p],
                ca.cse([ca.densify(a), ca.densify(ca.jacobian(a, y))]),
            )
            for k, a in enumerate(ends)
        ),
        ca.Function("inside", inputs, [n, m]),
        np.array(par.values, float),
        nz,
    )


def _hat(a: Expr) -> Expr:
    return ca.sparsify(ca.skew(ca.densify(a)))


def _internal(a: Local, y: Expr, zh: Expr, c0: Expr) -> tuple[Expr, ...]:
    """Force and moment in local axes, and the rates of all that moves (Kelvin-Voigt)."""
    u_t, e_t, w_t, q_t = ca.vertsplit(c0 * y[MOVING] + zh[:12], 3)
    n = a.Kse * (y[E] - a.rest[3:]) + a.Bse * e_t
    m = a.Kbt * (y[U] - a.rest[:3]) + a.Bbt * u_t
    return n, m, u_t, e_t, w_t, q_t


@dataclass(frozen=True)
class Along:
    """A tendon at a place: P = p_i' in local axes, P' = lever (u', e') + turn.

    The pull of a tension T on a section is T lever^T t, moment first; A1 = d(P / |P|) / dP.
    """

    speed: Expr
    t: Expr
    A1: Expr
    lever: Expr
    turn: Expr


def _along(offset: Offset, b: Symbols, s: Expr, y: Expr) -> Along:
    r, r1, r2 = offset(s / b.length, b.length)
    P = ca.cross(y[U], r) + vector(1, 0, 0) + y[E] + r1
    speed = ca.sqrt(ca.dot(P, P))
    A1 = -(_hat(P) @ _hat(P)) / speed**3
    lever = ca.horzcat(-_hat(r), SX.eye(3))
    return Along(speed, P / speed, A1, lever, ca.cross(y[U], P + r1) + r2)


def _slopes(
    problem: Problem,
    b: Symbols,
    sheaths: list[Offset],
    place: Expr,
    y: Expr,
    zh: Expr,
    c: Expr,
) -> tuple[Expr, Expr]:
    """y' and its derivative: K (u', e') = rhs by Cholesky's method, differentiated as such."""
    s, (c0, load) = place[0], ca.vertsplit(c)
    R, u, w, q = ca.reshape(y[:9], 3, 3), y[U], y[W], y[Q]
    v = vector(1, 0, 0) + y[E]
    a = b.at(s)
    n, m, u_t, e_t, w_t, q_t = _internal(a, y, zh, c0)
    weight = a.rhoA * load * (R.T @ b.gravity)
    # n' + u x n + f = rhoA (q_t + w x q), and so for moments [Till2019]
    force = (
        a.rhoA * (ca.cross(w, q) + q_t)
        + b.drag * q * ca.fabs(q)
        - weight
        - ca.cross(u, n)
        - a.Bse * zh[15:18]
        - a.Kse_s * (y[E] - a.rest[3:])
        - a.Bse_s * e_t
        + a.Kse * a.rest_s[3:]
    )
    moment = (
        a.rhoJ * w_t
        + ca.cross(w, a.rhoJ * w)
        - ca.cross(v, n)
        - ca.cross(u, m)
        - a.Bbt * zh[12:15]
        - a.Kbt_s * (u - a.rest[:3])
        - a.Bbt_s * u_t
        + a.Kbt * a.rest_s[:3]
    )
    K = ca.diag(ca.vertcat(a.Kbt + c0 * a.Bbt, a.Kse + c0 * a.Bse))
    rhs = ca.vertcat(moment, force)
    nt = len(problem.cables)
    x, tau = y[21 : 21 + nt], y[21 + nt :]
    bends, x_s, tau_s, frictions = [], [], [SX(1, 1)] * nt, []
    for i, (cable, offset) in enumerate(zip(problem.cables, sheaths, strict=True)):
        T, a_i = tau[i] * place[1 + i], _along(offset, b, s, y)
        K += T * (a_i.lever.T @ a_i.A1 @ a_i.lever)
        rhs -= T * (a_i.lever.T @ (a_i.A1 @ a_i.turn))
        bends.append((a_i.A1, a_i.lever, a_i.turn, T))
        stretch = 1.0
        if problem.friction is not None and cable.compliance:
            stretch = (
                1 + b.par.scalar(f"{cable.tendon.name}.compliance", cable.compliance, "1/N") * T
            )
        x_s.append(place[1 + i] * a_i.speed / stretch)
        if problem.friction is not None:
            frictions.append((c0 * x[i] + zh[KEPT + i], a_i.lever.T @ a_i.t))
    D, LT, order = ca.ldl(ca.densify(K))

    def solved(right: Expr) -> Expr:
        return ca.ldl_solve(ca.densify(right), D, LT, order)

    answer = solved(rhs)
    law = problem.friction
    if isinstance(law, Simple):
        beta = b.par.scalar("friction.beta", law.beta, "s/m")
        for (A1, _, turn, T), (rate, along) in zip(bends, frictions, strict=True):
            rhs -= beta * T * _norm(A1 @ turn) * rate * along  # f and r x f, one wrench
        answer = solved(rhs)
    elif isinstance(law, Sliding):
        nu = b.par.scalar("friction.nu", law.nu, "-")
        saturation = [v_ / ca.sqrt(v_**2 + law.speed**2) for v_, _ in frictions]
        across = solved(ca.horzcat(*[along for _, along in frictions]))
        plain = answer
        for _ in range(PASSES):
            tau_s = [
                -nu
                * saturation[i]
                * T
                * _norm(A1 @ (lever @ answer + turn))
                * (x_s[i] if law.printed else 1)
                for i, (A1, lever, turn, T) in enumerate(bends)
            ]
            answer = plain - across @ ca.vertcat(*tau_s)  # f = tau' t + tau t'
    slope = ca.vertcat(
        ca.vec(R @ _hat(u)),
        answer,
        u_t - ca.cross(u, w),
        e_t - ca.cross(u, q) + ca.cross(w, v),
        *x_s,
        *tau_s,
    )
    if isinstance(law, Sliding):
        return slope, ca.jacobian(slope, y)
    found = SX.sym("found", 6)  # d(K answer - rhs) = 0 instead of through the factors
    by_y = ca.jacobian(K @ found - rhs, y)
    by_y = ca.substitute(by_y, found, answer)
    held = ca.vertcat(slope[:9], slope[15:])
    others = ca.jacobian(held, y)
    return slope, ca.vertcat(others[:9, :], -solved(by_y), others[9:, :])


def _norm(a: Expr) -> Expr:
    """Length of a vector with a derivative where it is zero."""
    return ca.sqrt(ca.dot(a, a) + 1e-24)


def _station(
    problem: Problem,
    b: Symbols,
    sheaths: list[Offset],
    k: int,
    y: Expr,
    after: Expr,
    zh: Expr,
    zh_after: Expr,
    c: Expr,
) -> Expr:
    """What is left of the wrench behind the tip; else one Newton step to the state behind.

    Rod and tendons together carry on: where strains jump, the tendons that run on turn too.
    """
    station: Station = problem.stations[k]
    tip, c0, load = k == len(problem.stations) - 1, c[0], c[1]
    s = b.length if tip else b.par.scalar(f"station{k}.at", station.at, "m")
    a, R, w, q = b.at(s), ca.reshape(y[:9], 3, 3), y[W], y[Q]
    n, m, _, _, w_t, q_t = _internal(a, y, zh, c0)
    for disk in station.disks:
        mass = b.par.scalar(f"{disk.name}.mass", disk.mass or 0.0, "kg")
        radius = b.par.scalar(f"{disk.name}.radius", disk.radius, "m")
        inertia = mass * radius**2 / 4 * ca.vertcat(2, 1, 1)  # a thin disk
        n -= mass * (load * (R.T @ b.gravity) - q_t - ca.cross(w, q))
        m += inertia * w_t + ca.cross(w, inertia * w)
    for item in station.loads:
        F = load * b.par.vector(f"{item.name}.force", item.force, "N")
        M = load * b.par.vector(f"{item.name}.moment", item.moment, "N m")
        if not item.follows:
            F, M = R.T @ F, R.T @ M
        at = (0, 0, 0) if isinstance(item.at.point, str) else item.at.point
        n, m = n - F, m - M - ca.cross(b.par.vector(f"{item.name}.at", at, "m"), F)
    wrench = ca.vertcat(m, n)
    n, m, *_ = _internal(a, after, zh_after, c0)
    behind, K = ca.vertcat(m, n), ca.vertcat(a.Kbt + c0 * a.Bbt, a.Kse + c0 * a.Bse)
    K = ca.diag(K)
    for i, cable in enumerate(problem.cables):
        T, on = y[21 + len(problem.cables) + i], _along(sheaths[i], b, s, after)
        if cable.end >= station.at:
            here = _along(sheaths[i], b, s, y)
            wrench += T * (here.lever.T @ here.t)
        if cable.end > station.at:
            behind += T * (on.lever.T @ on.t)
            K += T * (on.lever.T @ on.A1 @ on.lever)
    if tip:
        return wrench
    D, LT, order = ca.ldl(ca.densify(K))
    change = ca.ldl_solve(ca.densify(wrench - behind), D, LT, order)
    return ca.vertcat(y[:9], after[9:15] + change, y[15:])
