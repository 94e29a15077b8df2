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

from chorda.continuous.rod_symbols import Local, RodSymbols, sheath_offset
from chorda.continuous.sheath_friction import Simple, Sliding
from chorda.continuous.tendon_rod import TendonRod
from chorda.describe.distributed_loads import FORCES, MOMENTS
from chorda.describe.rods import RodFrame
from chorda.mechanics import Array
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.joints.joint_model import body_inertia
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.bases import polynomial

STRAIN, W, Q, TENDONS = slice(9, 15), slice(15, 18), slice(18, 21), 21
MOVING = slice(9, 21)  # entries with a rate at every point; the slopes of strains have one too
HISTORY = 18  # entries of z_h for these; those of sliding tendons follow
FRICTION_PASSES = 3  # of a fixed point: what two leave is rounding in Till's robot


@dataclass(frozen=True, eq=False)
class RodEquations:
    """Functions of numbers.

    slopes: (point, y, z_h, c, p) -> y' and its derivative by y, point = (s, which tendons and
    loads along the rod are there). value: y' alone. stations: (y before, y behind, z_h before, z_h
    behind, c, p) -> y behind, improved; the last one is the wrench that is left at the tip; with
    derivatives by y before. wrench: internal moment and force. c = (c0, part of gravity and loads
    that acts).
    """

    slopes: Any
    value: Any
    stations: tuple[Any, ...]
    wrench: Any
    parameters: Array
    history: int


def rod_equations(problem: TendonRod) -> RodEquations:
    model, nt = _Model(problem), len(problem.cables)
    nz = HISTORY + (nt if problem.friction is not None else 0)
    point, y, zh = SX.sym("point", 1 + problem.flags), SX.sym("y", problem.size), SX.sym("zh", nz)
    behind, zh_behind = SX.sym("behind", problem.size), SX.sym("zh_behind", nz)
    slope, jacobian = model.slopes(point, y, zh)
    jumps = [model.jump(k, y, behind, zh, zh_behind) for k in range(len(problem.stations))]
    shared = [ca.vertcat(model.c0, model.load), ca.vertcat(*model.par.symbols)]
    wrench = model.internal(model.rod.at(point[0]), y, zh)[0]

    def function(name: str, inputs: list[Expr], *values: Expr) -> Any:
        return ca.Function(name, [*inputs, *shared], ca.cse([ca.densify(x) for x in values]))

    return RodEquations(
        function("chorda_rod", [point, y, zh], slope, jacobian),
        function("chorda_rod_value", [point, y, zh], slope),
        tuple(
            function(f"station{k}", [y, behind, zh, zh_behind], jump, ca.jacobian(jump, y))
            for k, jump in enumerate(jumps)
        ),
        function("wrench", [point, y, zh], wrench),
        np.array(model.par.values, float),
        nz,
    )


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

    def bend(self, strain_s: Expr) -> Expr:
        """Normal force on the rod per length and tension, of the slopes of the strains."""
        a = self.A1 @ (self.lever @ strain_s + self.turn)
        return ca.sqrt(ca.dot(a, a) + 1e-24)  # with a derivative where it is zero


class _Model:
    """Symbols of one problem; c0, load: of the rates, and the part of the loads that acts."""

    def __init__(self, problem: TendonRod) -> None:
        self.problem, self.par = problem, Parameters()
        self.rod = RodSymbols(problem.rod, problem.robot.gravity, self.par)
        named = [(x.sheath, f"{x.tendon.name}.sheath") for x in problem.cables]
        self.offsets = [sheath_offset(*x, self.par) for x in named]
        self.spread = [
            [polynomial(f"{x.name}.{k}", getattr(x, k), "-", self.par) for k in (*MOMENTS, *FORCES)]
            for x in problem.robot.distributed_loads
        ]
        self.c0, self.load = SX.sym("c0"), SX.sym("load")

    def internal(self, a: Local, y: Expr, zh: Expr) -> tuple[Expr, Expr]:
        """Wrench in local axes (Kelvin-Voigt), and the rates of strains, w and q."""
        rates = self.c0 * y[MOVING] + zh[:12]
        return a.K * (y[STRAIN] - a.rest) + a.B * rates[:6], rates

    def tendon(self, i: int, s: Expr, y: Expr) -> _TendonAt:
        u, (r, r1, r2) = y[9:12], self.offsets[i](s, self.rod.length)
        P = ca.cross(u, r) + vector(1, 0, 0) + y[12:15] + r1
        speed = ca.sqrt(ca.dot(P, P))
        A1 = -(_hat(P) @ _hat(P)) / speed**3
        lever = ca.horzcat(-_hat(r), SX.eye(3))
        return _TendonAt(speed, P / speed, A1, lever, ca.cross(u, P + r1) + r2)

    def slopes(self, point: Expr, y: Expr, zh: Expr) -> tuple[Expr, Expr]:
        """y' and its derivative: K (u', e') = rhs by Cholesky's method, differentiated as such."""
        s, nt, law = point[0], len(self.problem.cables), self.problem.friction
        R, u, v, w, q = ca.reshape(y[:9], 3, 3), y[9:12], vector(1, 0, 0) + y[12:15], y[W], y[Q]
        K, rhs, strain_t = self._balance(s, y, zh)
        rhs -= self._loaded(s, R, point[1 + nt :, 0])
        tension = y[TENDONS + nt :, 0] * point[1 : 1 + nt, 0]
        tendons = [self.tendon(i, s, y) for i in range(nt)]
        for i, a in enumerate(tendons):
            K += tension[i] * a.stiffness
            rhs -= tension[i] * (a.lever.T @ (a.A1 @ a.turn))
        x_s = point[1 : 1 + nt, 0] * ca.vertcat(SX(0, 1), *[a.speed for a in tendons])
        x_t: Expr = SX(0, 1)
        if law is not None:
            x_t = self.c0 * y[TENDONS : TENDONS + nt, 0] + zh[HISTORY:, 0]
            x_s /= self._stretch(tension)
        if isinstance(law, Simple):
            beta = self.par.scalar("friction.beta", law.beta, "s/m")
            sign = -1 if law.moment == "opposite" else 1
            for i, a in enumerate(tendons):
                wrench = ca.vertcat(sign * a.wrench[:3], a.wrench[3:])  # of r x t and t
                rhs -= beta * tension[i] * a.bend(SX(6, 1)) * x_t[i] * wrench
        D, LT, order = ca.ldl(ca.densify(K))

        def solved(right: Expr) -> Expr:
            return ca.ldl_solve(ca.densify(right), D, LT, order)

        answer, tension_s = solved(rhs), SX(nt, 1)
        if isinstance(law, Sliding):
            nu = self.par.scalar("friction.nu", law.nu, "-")
            factor = -nu * x_t / ca.sqrt(x_t**2 + law.speed**2) * tension
            factor = factor * x_s if law.printed else factor
            across, plain = solved(ca.horzcat(*[a.wrench for a in tendons])), answer
            for _ in range(FRICTION_PASSES):
                tension_s = factor * ca.vertcat(*[a.bend(answer) for a in tendons])
                answer = plain - across @ tension_s  # f = tau' t + tau t'
        velocities = strain_t - ca.vertcat(ca.cross(u, w), ca.cross(u, q) - ca.cross(w, v))
        before, behind = ca.vec(R @ _hat(u)), ca.vertcat(velocities, x_s, tension_s)
        slope = ca.vertcat(before, answer, behind)
        if isinstance(law, Sliding):
            return slope, ca.jacobian(slope, y)
        found = SX.sym("found", 6)  # d(K answer - rhs) = 0 instead of through the factors
        by_y = solved(ca.substitute(ca.jacobian(K @ found - rhs, y), found, answer))
        return slope, ca.vertcat(ca.jacobian(before, y), -by_y, ca.jacobian(behind, y))

    def _balance(self, s: Expr, y: Expr, zh: Expr) -> tuple[Expr, Expr, Expr]:
        """K and rhs of the rod alone, and the rates of its strains.

        n' + u x n + f = rhoA (q_t + w x q), and so for moments [Till2019].
        """
        a, (u, w, q) = self.rod.at(s), (y[9:12], y[W], y[Q])
        wrench, rates = self.internal(a, y, zh)
        m, n, strain_t, w_t, q_t = wrench[:3], wrench[3:], rates[:6], rates[6:9], rates[9:]
        weight = self.load * (ca.reshape(y[:9], 3, 3).T @ self.rod.gravity)
        v = vector(1, 0, 0) + y[12:15]
        moment = a.rhoJ * w_t + ca.cross(w, a.rhoJ * w) - ca.cross(v, n) - ca.cross(u, m)
        force = a.rhoA * (ca.cross(w, q) + q_t - weight) - ca.cross(u, n)
        rhs = ca.vertcat(moment, force + self.rod.drag * q * ca.fabs(q)) - a.B * zh[12:18]
        rhs += a.K * a.rest_s - a.K_s * (y[STRAIN] - a.rest) - a.B_s * strain_t
        return ca.diag(a.K + self.c0 * a.B), rhs, strain_t

    def _loaded(self, s: Expr, R: Expr, there: Expr) -> Expr:
        """Moment and force per length of loads along the rod, in local axes."""
        total, x = SX(6, 1), s / self.rod.length
        for k, item in enumerate(self.problem.robot.distributed_loads):
            both = vector(*[c.at(x) for c in self.spread[k]])
            if not item.follows:
                both = ca.vertcat(R.T @ both[:3], R.T @ both[3:])
            total += self.load * there[k] * both
        return total

    def _stretch(self, tension: Expr) -> Expr:
        """Length over length without tension, of each tendon."""
        named = [(f"{x.tendon.name}.compliance", x.compliance) for x in self.problem.cables]
        c = [self.par.scalar(name, value, "1/N") if value else 0.0 for name, value in named]
        return 1 + ca.vertcat(SX(0, 1), *c) * tension

    def jump(self, k: int, y: Expr, behind: Expr, zh: Expr, zh_behind: Expr) -> Expr:
        """What is left of the wrench behind the tip; else one Newton step to the state behind.

        Rod and tendons together carry on: where strains jump, the tendons that run on turn too.
        """
        station, par, nt = self.problem.stations[k], self.par, len(self.problem.cables)
        tip = k == len(self.problem.stations) - 1
        s = self.rod.length if tip else par.scalar(f"station{k}.at", station.at, "m")
        a, R, w, q = self.rod.at(s), ca.reshape(y[:9], 3, 3), y[W], y[Q]
        wrench, rates = self.internal(a, y, zh)
        for disk in station.disks:
            mass = par.scalar(f"{disk.name}.mass", disk.mass or 0.0, "kg")
            radius = par.scalar(f"{disk.name}.radius", disk.radius, "m")
            inertia = mass * radius**2 / 4 * ca.vertcat(2, 1, 1)  # a thin disk
            moment = inertia * rates[6:9] + ca.cross(w, inertia * w)
            weight = self.load * (R.T @ self.rod.gravity)
            wrench += ca.vertcat(moment, mass * (rates[9:] + ca.cross(w, q) - weight))
        for frame in station.bodies:
            wrench += self._carried(frame, R, w, q, rates)
        for item in station.loads:
            F = self.load * par.vector(f"{item.name}.force", item.force, "N")
            M = self.load * par.vector(f"{item.name}.moment", item.moment, "N m")
            if not item.follows:
                F, M = R.T @ F, R.T @ M
            at = (0, 0, 0) if isinstance(item.at.point, str) else item.at.point
            wrench -= ca.vertcat(M + ca.cross(par.vector(f"{item.name}.at", at, "m"), F), F)
        carried, _ = self.internal(a, behind, zh_behind)
        K = ca.diag(a.K + self.c0 * a.B)
        for i, cable in enumerate(self.problem.cables):
            T = y[TENDONS + nt + i]
            if cable.end >= station.at:
                wrench += T * self.tendon(i, s, y).wrench
            if cable.end > station.at:
                on = self.tendon(i, s, behind)
                carried += T * on.wrench
                K += T * on.stiffness
        if tip:
            return wrench
        D, LT, order = ca.ldl(ca.densify(K))
        change = ca.ldl_solve(ca.densify(wrench - carried), D, LT, order)
        return ca.vertcat(y[:9], behind[STRAIN] + change, y[15:])

    def _carried(self, frame: RodFrame, R: Expr, w: Expr, q: Expr, rates: Expr) -> Expr:
        """Moment and force that a body on a frame takes, in local axes."""
        body = body_inertia(frame.name, frame.body, self.par)
        assert body is not None
        c, w_t = body.center, rates[6:9]
        weight = self.load * (R.T @ self.rod.gravity)
        fast = rates[9:] + ca.cross(w, q) + ca.cross(w_t, c) + ca.cross(w, ca.cross(w, c))
        force = body.mass * (fast - weight)
        spin = body.matrix @ w_t + ca.cross(w, body.matrix @ w)
        return ca.vertcat(spin + ca.cross(c, force), force)


def _hat(a: Expr) -> Expr:
    return ca.sparsify(ca.skew(ca.densify(a)))
