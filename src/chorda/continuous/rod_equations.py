"""The equations of a rod with tendons, once, in symbols [Till2019].

State y along s: rotation R (9, by columns), strains u (twist, bends) and e (stretch, shears),
velocities w and q in local axes, then for each tendon x (length of its path from where it is
attached, counted negative towards the base) and its tension. The tangent is the local x, where the
paper has z. Rates are z_t = c0 z + z_h with a history z_h: statics is c0 = 0 and no history.
Wrenches have the moment first.
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.continuous.rod_symbols import Local, Offset, RodSymbols, rod_symbols, sheath_offset
from chorda.continuous.sheath_friction import Simple, Sliding
from chorda.continuous.tendon_rod import TendonRod
from chorda.mechanics import Array
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.parameters import Parameters

STRAIN, W, Q, TENDONS = slice(9, 15), slice(15, 18), slice(18, 21), 21
MOVING = slice(9, 21)  # entries with a rate at every point; the slopes of strains have one too
HISTORY = 18  # entries of z_h for these; those of sliding tendons follow
FRICTION_PASSES = 3  # of a fixed point: what two leave is rounding in Till's robot


@dataclass(frozen=True, eq=False)
class RodEquations:
    """Functions of numbers.

    slopes: (point, y, z_h, c, p) -> y' and its derivative by y, point = (s, which tendons are
    there). value: y' alone. stations: (y before, y behind, z_h before, z_h behind, c, p) -> y
    behind, improved; the last one is the wrench that is left at the tip; with derivatives by y
    before. wrench: internal moment and force. c = (c0, part of gravity and loads that acts).
    """

    slopes: Any
    value: Any
    stations: tuple[Any, ...]
    wrench: Any
    parameters: Array
    history: int


def rod_equations(problem: TendonRod) -> RodEquations:
    par, nt = Parameters(), len(problem.cables)
    nz = HISTORY + (nt if problem.friction is not None else 0)
    y, behind = SX.sym("y", problem.size), SX.sym("behind", problem.size)
    zh, zh_behind = SX.sym("zh", nz), SX.sym("zh_behind", nz)
    point, c, b = SX.sym("point", 1 + nt), SX.sym("c", 2), _symbols(problem, par)
    slope, jacobian = _slopes(problem, b, point, y, zh, c)
    jumps = [
        _jump(problem, b, k, (y, behind), (zh, zh_behind), c) for k in range(len(problem.stations))
    ]
    p = ca.vertcat(*par.symbols)
    inputs = [point, y, zh, c, p]
    wrench, _ = _internal(b.rod.at(point[0]), y, zh, c[0])
    return RodEquations(
        ca.Function("chorda_rod", inputs, ca.cse([ca.densify(slope), ca.densify(jacobian)])),
        ca.Function("chorda_rod_value", inputs, ca.cse([ca.densify(slope)])),
        tuple(
            ca.Function(
                f"station{k}",
                [y, behind, zh, zh_behind, c, p],
                ca.cse([ca.densify(a), ca.densify(ca.jacobian(a, y))]),
            )
            for k, a in enumerate(jumps)
        ),
        ca.Function("wrench", inputs, [wrench]),
        np.array(par.values, float),
        nz,
    )


@dataclass(frozen=True)
class _Symbols:
    """Of the rod, and offsets of its sheaths."""

    rod: RodSymbols
    sheaths: tuple[Offset, ...]

    def tendon(self, i: int, s: Expr, y: Expr) -> "_TendonAt":
        u, length = y[9:12], self.rod.length
        r, r1, r2 = self.sheaths[i](s, length)
        P = ca.cross(u, r) + vector(1, 0, 0) + y[12:15] + r1
        speed = ca.sqrt(ca.dot(P, P))
        A1 = -(_hat(P) @ _hat(P)) / speed**3
        lever = ca.horzcat(-_hat(r), SX.eye(3))
        return _TendonAt(speed, P / speed, A1, lever, ca.cross(u, P + r1) + r2)


def _symbols(problem: TendonRod, par: Parameters) -> _Symbols:
    rod = rod_symbols(problem.rod, problem.robot.gravity, par)
    named = [(x.sheath, f"{x.tendon.name}.sheath") for x in problem.cables]
    return _Symbols(rod, tuple(sheath_offset(*x, par) for x in named))


@dataclass(frozen=True)
class _TendonAt:
    """A tendon at a point: P = p_i' in local axes, P' = lever (u', e') + turn.

    A tension T pulls at a section with the wrench T lever^T t; A1 = d(P / |P|) / dP.
    """

    speed: Expr
    t: Expr
    A1: Expr
    lever: Expr
    turn: Expr

    @property
    def wrench(self) -> Expr:
        return self.lever.T @ self.t

    @property
    def stiffness(self) -> Expr:
        """By the strains, per tension."""
        return self.lever.T @ self.A1 @ self.lever


def _hat(a: Expr) -> Expr:
    return ca.sparsify(ca.skew(ca.densify(a)))


def _norm(a: Expr) -> Expr:
    """Length of a vector with a derivative where it is zero."""
    return ca.sqrt(ca.dot(a, a) + 1e-24)


def _internal(a: Local, y: Expr, zh: Expr, c0: Expr) -> tuple[Expr, Expr]:
    """Wrench in local axes (Kelvin-Voigt), and the rates of strains, w and q."""
    rates = c0 * y[MOVING] + zh[:12]
    return a.K * (y[STRAIN] - a.rest) + a.B * rates[:6], rates


def _slopes(
    problem: TendonRod, b: _Symbols, point: Expr, y: Expr, zh: Expr, c: Expr
) -> tuple[Expr, Expr]:
    """y' and its derivative: K (u', e') = rhs by Cholesky's method, differentiated as such."""
    s, (c0, load) = point[0], ca.vertsplit(c)
    R, u, w, q = ca.reshape(y[:9], 3, 3), y[9:12], y[W], y[Q]
    v = vector(1, 0, 0) + y[12:15]
    a = b.rod.at(s)
    wrench, rates = _internal(a, y, zh, c0)
    m, n = wrench[:3], wrench[3:]
    strain_t, w_t, q_t = rates[:6], rates[6:9], rates[9:]
    # n' + u x n + f = rhoA (q_t + w x q), and so for moments [Till2019]
    moment = a.rhoJ * w_t + ca.cross(w, a.rhoJ * w) - ca.cross(v, n) - ca.cross(u, m)
    force = a.rhoA * (ca.cross(w, q) + q_t - load * (R.T @ b.rod.gravity)) - ca.cross(u, n)
    rhs = (
        ca.vertcat(moment, force + b.rod.drag * q * ca.fabs(q))
        - a.B * zh[12:18]
        - a.K_s * (y[STRAIN] - a.rest)
        - a.B_s * strain_t
        + a.K * a.rest_s
    )
    K = ca.diag(a.K + c0 * a.B)
    nt, law = len(problem.cables), problem.friction
    tension = y[TENDONS + nt :, 0] * point[1:, 0]
    tendons = [b.tendon(i, s, y) for i in range(nt)]
    x_s = []
    for i, (cable, tendon) in enumerate(zip(problem.cables, tendons, strict=True)):
        K += tension[i] * tendon.stiffness
        rhs -= tension[i] * (tendon.lever.T @ (tendon.A1 @ tendon.turn))
        stretch = 1.0
        if law is not None and cable.compliance:
            name = f"{cable.tendon.name}.compliance"
            stretch += b.rod.par.scalar(name, cable.compliance, "1/N") * tension[i]
        x_s.append(point[1 + i] * tendon.speed / stretch)
    D, LT, order = ca.ldl(ca.densify(K))

    def solved(right: Expr) -> Expr:
        return ca.ldl_solve(ca.densify(right), D, LT, order)

    sliding = [] if law is None else [c0 * y[TENDONS + i] + zh[HISTORY + i] for i in range(nt)]
    if isinstance(law, Simple):
        beta = b.rod.par.scalar("friction.beta", law.beta, "s/m")
        for T, a_i, rate in zip(ca.vertsplit(tension), tendons, sliding, strict=True):
            # f and r x f, one wrench
            rhs -= beta * T * _norm(a_i.A1 @ a_i.turn) * rate * a_i.wrench
    answer, tension_s = solved(rhs), SX(nt, 1)
    if isinstance(law, Sliding):
        nu = b.rod.par.scalar("friction.nu", law.nu, "-")
        factors = [-nu * v_ / ca.sqrt(v_**2 + law.speed**2) for v_ in sliding]
        if law.printed:
            factors = [factor * x for factor, x in zip(factors, x_s, strict=True)]
        across = solved(ca.horzcat(*[a_i.wrench for a_i in tendons]))
        plain = answer
        for _ in range(FRICTION_PASSES):
            turned = [_norm(a_i.A1 @ (a_i.lever @ answer + a_i.turn)) for a_i in tendons]
            tension_s = ca.vertcat(*factors) * tension * ca.vertcat(*turned)
            answer = plain - across @ tension_s  # f = tau' t + tau t'
    slope = ca.vertcat(
        ca.vec(R @ _hat(u)),
        answer,
        strain_t[:3] - ca.cross(u, w),
        strain_t[3:] - ca.cross(u, q) + ca.cross(w, v),
        *x_s,
        tension_s,
    )
    if isinstance(law, Sliding):
        return slope, ca.jacobian(slope, y)
    found = SX.sym("found", 6)  # d(K answer - rhs) = 0 instead of through the factors
    by_y = ca.substitute(ca.jacobian(K @ found - rhs, y), found, answer)
    others = ca.jacobian(ca.vertcat(slope[:9], slope[15:]), y)
    return slope, ca.vertcat(others[:9, :], -solved(by_y), others[9:, :])


def _jump(
    problem: TendonRod,
    b: _Symbols,
    k: int,
    states: tuple[Expr, Expr],
    histories: tuple[Expr, Expr],
    c: Expr,
) -> Expr:
    """What is left of the wrench behind the tip; else one Newton step to the state behind.

    Rod and tendons together carry on: where strains jump, the tendons that run on turn too.
    """
    station, (y, behind), (c0, load) = problem.stations[k], states, ca.vertsplit(c)
    tip, par, nt = k == len(problem.stations) - 1, b.rod.par, len(problem.cables)
    s = b.rod.length if tip else par.scalar(f"station{k}.at", station.at, "m")
    a, R, w, q = b.rod.at(s), ca.reshape(y[:9], 3, 3), y[W], y[Q]
    wrench, rates = _internal(a, y, histories[0], c0)
    w_t, q_t = rates[6:9], rates[9:]
    for disk in station.disks:
        mass = par.scalar(f"{disk.name}.mass", disk.mass or 0.0, "kg")
        radius = par.scalar(f"{disk.name}.radius", disk.radius, "m")
        inertia = mass * radius**2 / 4 * ca.vertcat(2, 1, 1)  # a thin disk
        force = mass * (load * (R.T @ b.rod.gravity) - q_t - ca.cross(w, q))
        wrench += ca.vertcat(inertia * w_t + ca.cross(w, inertia * w), -force)
    for item in station.loads:
        F = load * par.vector(f"{item.name}.force", item.force, "N")
        M = load * par.vector(f"{item.name}.moment", item.moment, "N m")
        if not item.follows:
            F, M = R.T @ F, R.T @ M
        at = (0, 0, 0) if isinstance(item.at.point, str) else item.at.point
        wrench -= ca.vertcat(M + ca.cross(par.vector(f"{item.name}.at", at, "m"), F), F)
    carried, _ = _internal(a, behind, histories[1], c0)
    K = ca.diag(a.K + c0 * a.B)
    for i, cable in enumerate(problem.cables):
        T = y[TENDONS + nt + i]
        if cable.end >= station.at:
            wrench += T * b.tendon(i, s, y).wrench
        if cable.end > station.at:
            on = b.tendon(i, s, behind)
            carried += T * on.wrench
            K += T * on.stiffness
    if tip:
        return wrench
    D, LT, order = ca.ldl(ca.densify(K))
    change = ca.ldl_solve(ca.densify(wrench - carried), D, LT, order)
    return ca.vertcat(y[:9], behind[STRAIN] + change, y[15:])
