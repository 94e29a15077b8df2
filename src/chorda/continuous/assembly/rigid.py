"""The rigid parts of an assembly: joints, platform, closures and loads, in symbols.

Rods come in as the poses of their tips and the wrenches at their bases. All derivatives are with
respect to moves: a turn and a shift (world axes) of each rod's tip, then the joints' rates. A turn
is the exponential of a vector, so that the second derivative of an energy is symmetric.
"""

from dataclasses import dataclass
from functools import cache

import casadi as ca
import numpy as np

from chorda.continuous.assembly.along import Nodes
from chorda.continuous.assembly.structure import Rigid, Structure
from chorda.describe import Closure, Fixed, Free, Load, Point, Prismatic, Revolute
from chorda.mechanics import Array
from chorda.mechanics.frames import SX, Expr


@dataclass(frozen=True, eq=False)
class Configuration:
    """All unknowns: axes (angles, slides), poses of free joints in their placed frames, multipliers
    of the closures, and the rods at their nodes."""

    axes: Array
    free_R: Array
    free_p: Array
    multipliers: Array
    nodes: Nodes


@dataclass(frozen=True, eq=False)
class Parts:
    """Values at a configuration: G, what balances at each move (the energy's derivative, closures
    and
    bases included); K and B, its derivatives by moves and base wrenches; the closures' gaps psi,
    J = dpsi; how moves turn and shift the bases (rods, 6, moves); energy."""

    G: Array
    K: Array
    B: Array
    psi: Array
    J: Array
    base_J: Array
    energy: float


@dataclass(frozen=True)
class _Pose:
    R: Expr
    p: Expr

    def at(self, point: Expr) -> Expr:
        return self.p + self.R @ point

    def then(self, R: Expr, p: Expr) -> "_Pose":
        return _Pose(self.R @ R, self.at(p))


class RigidParts:
    """Functions of the rigid parts of one robot."""

    def __init__(self, s: Structure) -> None:
        self.structure = s
        n, free = len(s.rods), len(s.free)
        moves = SX.sym("moves", 6 * n + len(s.moves))
        axes = SX.sym("axes", len(s.axes))
        free_R, free_p = SX.sym("free_R", 3, 3 * free), SX.sym("free_p", 3, free)
        tip_R, tip_p = SX.sym("tip_R", 3, 3 * n), SX.sym("tip_p", 3, n)
        wrench = SX.sym("wrench", 6, n)
        poses = _poses(s, moves, axes, (free_R, free_p), (tip_R, tip_p))
        gaps = [row for closure in s.robot.closures for row in _gap(closure, poses, s.planar)]
        self.rows = tuple(name for name, _ in gaps)
        psi = ca.vertcat(SX(0, 1), *(value for _, value in gaps))
        lam = SX.sym("lam", psi.numel())

        V = _energy(s, poses, axes, moves)
        G = ca.gradient(V + ca.dot(lam, psi), moves)
        for load in s.robot.loads:
            G -= _work(load, poses, moves)
        bases = [poses[f"{rod.name}.base"] for rod in s.rods]
        for k, base in enumerate(bases):  # the rod pulls at its base with its own wrench
            G -= _virtual(base, base.p, base.R @ wrench[3:, k], base.R @ wrench[:3, k], moves)

        given = [axes, free_R, free_p, tip_R, tip_p, wrench, lam]
        still = ca.DM.zeros(moves.numel())

        def function(*values: Expr) -> ca.Function:
            return ca.Function("parts", given, ca.substitute([*values], [moves], [still]))

        self._parts = function(
            G,
            ca.jacobian(G, moves),
            ca.jacobian(G, ca.vec(wrench)),
            psi,
            ca.jacobian(psi, moves),
            ca.vertcat(SX(0, moves.numel()), *(_twist(x, moves) for x in bases)),
            V,
        )
        at = [ca.horzcat(SX(3, 0), *x) for x in ((b.R for b in bases), (b.p for b in bases))]
        here = ca.substitute(at, [moves], [still])
        self._bases = ca.Function("bases", given[:3], here)
        self.frames = tuple(poses)
        self._place = cache(
            lambda name: function(poses[name].R, poses[name].p, _twist(poses[name], moves))
        )

    def _inputs(self, x: Configuration) -> list[Array]:
        r = x.nodes
        wrench = np.concatenate([r.m[0], r.n[0]], axis=-1)
        tips = _flat(r.R[-1]), r.p[-1].T
        return [x.axes, _flat(x.free_R), x.free_p.T, *tips, wrench.T, x.multipliers]

    def bases(self, axes: Array, free_R: Array, free_p: Array) -> tuple[Array, Array]:
        """Poses of the rods' bases (n, 3, 3) and (n, 3)."""
        R, p = (v.full() for v in self._bases(axes, _flat(free_R), free_p.T))
        return np.stack(np.split(R, len(self.structure.rods), axis=1)), p.T

    def __call__(self, x: Configuration) -> Parts:
        G, K, B, psi, J, base_J, V = (v.full() for v in self._parts(*self._inputs(x)))
        n = len(self.structure.rods)
        return Parts(
            G=G.ravel(),
            K=K,
            B=B,
            psi=psi.ravel(),
            J=J,
            base_J=base_J.reshape(n, 6, -1),
            energy=float(V.item()),
        )

    def frame(self, name: str, x: Configuration) -> tuple[Array, Array, Array]:
        """Rotation, position, and how moves turn and shift it (6, moves)."""
        R, p, J = (v.full() for v in self._place(name)(*self._inputs(x)))
        return R, p.ravel(), J


def _flat(R: Array) -> Array:
    """Matrices (n, 3, 3) side by side."""
    return np.concatenate([np.zeros((3, 0)), *R], axis=1)


def _poses(
    s: Structure,
    moves: Expr,
    axes: Expr,
    free: tuple[Expr, Expr],
    tips: tuple[Expr, Expr],
) -> dict[str, _Pose]:
    """Every frame by name."""
    I = SX.eye(3)  # noqa: E741
    poses = {"world": _Pose(I, SX.zeros(3))}
    move, one, six, rod = 6 * len(s.rods), 0, 0, 0
    for joint in s.robot.joints:
        place = joint.placement
        R0 = _turn(ca.DM(place.axis), SX(place.angle))
        at = poses[joint.parent].then(R0, SX(ca.DM(place.position)))
        name = joint.name
        if isinstance(joint, Fixed):
            poses[name] = at
        elif isinstance(joint, Free):
            R, p = free[0][:, 3 * six : 3 * six + 3], free[1][:, six]
            e = moves[move : move + 6]
            poses[name] = at.then(_exp(e[:3]) @ R, p + e[3:])
            move, six = move + 6, six + 1
        elif isinstance(joint, Revolute | Prismatic):
            q, axis = axes[one] + moves[move], ca.DM(joint.axis)
            turned = isinstance(joint, Revolute)
            poses[name] = at.then(_turn(axis, q), SX.zeros(3)) if turned else at.then(I, axis * q)
            move, one = move + 1, one + 1
        else:
            e = moves[6 * rod : 6 * rod + 6]
            R, p = tips[0][:, 3 * rod : 3 * rod + 3], tips[1][:, rod]
            poses[f"{name}.base"], rod = at, rod + 1
            poses[f"{name}.tip"] = _Pose(_exp(e[:3]) @ R, p + e[3:])
    return poses


def _exp(a: Expr) -> Expr:
    """exp of a vector near zero, right up to its second derivatives there."""
    return SX.eye(3) + ca.skew(a) + ca.skew(a) @ ca.skew(a) / 2


def _turn(axis: Expr, angle: Expr) -> Expr:
    X = ca.skew(axis)
    return SX.eye(3) + ca.sin(angle) * X + (1 - ca.cos(angle)) * (X @ X)


def _at(point: Point) -> Expr:
    return SX(ca.DM((0, 0, 0) if isinstance(point.point, str) else point.point))


def _gap(closure: Closure, poses: dict[str, _Pose], planar: bool) -> list[tuple[str, Expr]]:
    """Equations of a closure by name, without those that hold by structure."""
    A, B = poses[closure.start.frame], poses[closure.end.frame]
    d = A.at(_at(closure.start)) - B.at(_at(closure.end))
    rows = [(f"{closure.name}.{x}", d[k]) for k, x in enumerate("xyz")][: 2 if planar else 3]
    turns = _turned(closure, A.R.T @ B.R)
    if planar:  # the angle in the plane, where the closure tells it
        told = closure.kind == "fixed" or (closure.kind == "universal" and closure.axis[2] == 0)
        turns = turns[-1:] if told else []
    return rows + turns


def _turned(closure: Closure, turn: Expr) -> list[tuple[str, Expr]]:
    """Rows about the turn of the end frame, seen from the start."""
    n, rows = ca.DM(closure.axis), []
    if closure.kind == "fixed":
        rows = [(turn[i, j] - turn[j, i]) / 2 for i, j in ((2, 1), (0, 2), (1, 0))]
    elif closure.kind == "revolute":
        axis = np.array(closure.axis)
        first = np.eye(3)[int(np.argmin(np.abs(axis)))]
        first = first - axis * (axis @ first)
        first /= np.linalg.norm(first)
        rows = [ca.dot(ca.DM(x), turn @ n) for x in (first, np.cross(axis, first))]
    elif closure.kind == "universal":
        rows = [ca.dot(n, turn @ ca.DM(closure.cross_axis))]
    return [(f"{closure.name}.r{k}", row) for k, row in enumerate(rows)]


def _energy(s: Structure, poses: dict[str, _Pose], axes: Expr, moves: Expr) -> Expr:
    """Of weights, springs and dead forces; that of the rods is not in it."""
    V, g = SX(0), ca.DM(s.robot.gravity)
    move, one = 6 * len(s.rods), 0
    for joint in s.joints:
        if joint.body is not None:
            V -= joint.body.mass * ca.dot(g, poses[joint.name].at(ca.DM(joint.body.center)))
        if isinstance(joint, Revolute | Prismatic):
            if joint.stiffness is not None:
                V += joint.stiffness * (axes[one] + moves[move] - joint.rest) ** 2 / 2
            one += 1
        move += _rates(joint)
    for spring in s.robot.springs:
        a, b = (poses[x.frame].at(_at(x)) for x in (spring.start, spring.end))
        V += spring.stiffness * (ca.norm_2(a - b) - spring.free_length) ** 2 / 2
    for load in s.robot.loads:
        if not load.follows:
            V -= ca.dot(ca.DM(load.force), poses[load.at.frame].at(_at(load.at)))
    return V


def _rates(joint: Rigid) -> int:
    return 6 if isinstance(joint, Free) else 0 if isinstance(joint, Fixed) else 1


def _work(load: Load, poses: dict[str, _Pose], moves: Expr) -> Expr:
    """Generalized force of what has no energy: moments, and forces that follow the body."""
    pose = poses[load.at.frame]
    R = pose.R if load.follows else SX.eye(3)
    force = R @ ca.DM(load.force) if load.follows else SX.zeros(3)
    return _virtual(pose, pose.at(_at(load.at)), force, R @ ca.DM(load.moment), moves)


def _virtual(pose: _Pose, point: Expr, force: Expr, moment: Expr, moves: Expr) -> Expr:
    """Work of a wrench per move; dR takes a moment's share twice, hence the half."""
    turned = ca.densify(ca.skew(moment) @ pose.R / 2)
    work = ca.jtimes(ca.densify(point), moves, ca.densify(force), True)
    return work + ca.jtimes(ca.vec(ca.densify(pose.R)), moves, ca.vec(turned), True)


def _twist(pose: _Pose, moves: Expr) -> Expr:
    """How moves turn and shift a frame, in world axes (6, moves)."""
    slopes, turns = ca.jacobian(ca.vec(ca.densify(pose.R)), moves), []
    for k in range(moves.numel()):
        W = ca.reshape(slopes[:, k], 3, 3) @ pose.R.T
        turns.append(ca.vertcat(W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]) / 2)
    return ca.vertcat(ca.horzcat(SX(3, 0), *turns), ca.jacobian(pose.p, moves))
