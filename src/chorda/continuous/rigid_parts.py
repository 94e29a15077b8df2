"""The rigid parts of an assembly: joints, platform, closures and loads, in symbols.

Rods come in as the poses of their tips and the wrenches at their bases. All derivatives are with
respect to moves: a turn and a shift (world axes) of each rod's tip, then the joints' rates. A turn
is the exponential of a vector, so that the second derivative of an energy is symmetric.
"""

from dataclasses import dataclass
from functools import cache

import casadi as ca
import numpy as np

from chorda.continuous.along_rods import Nodes
from chorda.continuous.assembly_structure import Structure
from chorda.describe import Closure, Fixed, Free, Load, Point, Prismatic, Revolute
from chorda.mechanics import Array
from chorda.mechanics.constraints import closure_equations
from chorda.mechanics.frames import SX, Expr, Pose, identity, rotation, skew_part, work_of_wrench
from chorda.mechanics.stop_forces import StopModel


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
    and bases included); K and B, its derivatives by moves and base wrenches; the closures' gaps
    psi, J = dpsi; how moves turn and shift the bases (rods, 6, moves); energy."""

    G: Array
    K: Array
    B: Array
    psi: Array
    J: Array
    base_J: Array
    energy: float


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
        coordinates = axes + moves[(6 * n + s.axis_moves).tolist()]
        poses = _poses(s, moves, coordinates, (free_R, free_p), (tip_R, tip_p))
        gaps = [row for closure in s.robot.closures for row in _gap(closure, poses, s.planar)]
        self.rows = tuple(name for name, _ in gaps)
        psi = ca.vertcat(SX(0, 1), *(value for _, value in gaps))
        lam = SX.sym("lam", psi.numel())

        V = _energy(s, poses, coordinates)
        G = ca.gradient(V + ca.dot(lam, psi), moves)
        for load in s.robot.loads:
            G -= _work(load, poses, moves)
        bases = [poses[f"{name}.base"] for name in s.rods.names]
        for k, base in enumerate(bases):  # the rod pulls at its base with its own wrench
            force, moment = base.R @ wrench[3:, k], base.R @ wrench[:3, k]
            G -= work_of_wrench(base, base.p, force, moment, moves)

        given = [axes, free_R, free_p, tip_R, tip_p, wrench, lam]
        still = ca.DM.zeros(moves.numel())

        def function(*values: Expr, of: int = len(given)) -> ca.Function:
            return ca.Function("parts", given[:of], ca.substitute([*values], [moves], [still]))

        self._parts = function(
            G,
            ca.jacobian(G, moves),
            ca.jacobian(G, ca.vec(wrench)),
            psi,
            ca.jacobian(psi, moves),
            ca.vertcat(*(_twist(x, moves) for x in bases)),
            V,
        )
        self._bases = function(
            ca.horzcat(*(b.R for b in bases)), ca.horzcat(*(b.p for b in bases)), of=3
        )
        self.frames = tuple(poses)
        self._frame = cache(
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
        return np.stack(np.split(R, p.shape[1], axis=1)), p.T

    def __call__(self, x: Configuration) -> Parts:
        G, K, B, psi, J, base_J, V = (v.full() for v in self._parts(*self._inputs(x)))
        base_J = base_J.reshape(len(x.nodes.p[0]), 6, -1)
        return Parts(G.ravel(), K, B, psi.ravel(), J, base_J, float(V.item()))

    def frame(self, name: str, x: Configuration) -> tuple[Array, Array, Array]:
        """Rotation, position, and how moves turn and shift it (6, moves)."""
        R, p, J = (v.full() for v in self._frame(name)(*self._inputs(x)))
        return R, p.ravel(), J


def _flat(R: Array) -> Array:
    """Matrices (n, 3, 3) side by side."""
    return np.concatenate([np.zeros((3, 0)), *R], axis=1)


def _poses(
    s: Structure,
    moves: Expr,
    coordinates: Expr,
    free: tuple[Expr, Expr],
    tips: tuple[Expr, Expr],
) -> dict[str, Pose]:
    """Every frame by name."""
    one, six, tip = (iter(range(len(x))) for x in (s.axes, s.free, s.rods.names))
    poses = {"world": identity()}

    def shaken(k: int, R: Expr, p: Expr, first: int) -> Pose:
        """The k-th of many poses, after the move that starts at `first`."""
        e = moves[first : first + 6]
        return Pose(_exp(e[:3]) @ R[:, 3 * k : 3 * k + 3], p[:, k] + e[3:])

    for joint in s.robot.joints:
        place, name = joint.standing, joint.name
        fixed = Pose(rotation(place.axis, place.angle), SX(ca.DM(place.position)))
        at = poses[joint.parent] @ fixed
        if isinstance(joint, Fixed):
            poses[name] = at
        elif isinstance(joint, Free):
            k = next(six)
            first = 6 * len(s.rods) + int(s.free_moves[k, 0])
            poses[name] = at @ shaken(k, *free, first)
        elif isinstance(joint, Revolute):
            poses[name] = at @ Pose(rotation(joint.axis, coordinates[next(one)]), SX(3, 1))
        elif isinstance(joint, Prismatic):
            poses[name] = at @ Pose(SX.eye(3), ca.DM(joint.axis) * coordinates[next(one)])
        else:
            k = next(tip)
            poses[f"{name}.base"], poses[f"{name}.tip"] = at, shaken(k, *tips, 6 * k)
    return poses


def _exp(a: Expr) -> Expr:
    """exp of a vector near zero, right up to its second derivatives there."""
    return SX.eye(3) + ca.skew(a) + ca.skew(a) @ ca.skew(a) / 2


def _local(point: Point) -> Expr:
    """A point in the axes of its frame; the only anchor here is the origin."""
    return SX(ca.DM((0, 0, 0) if isinstance(point.point, str) else point.point))


def _at(point: Point, poses: dict[str, Pose]) -> Expr:
    """A point of a frame, in the world."""
    return poses[point.frame].at(_local(point))


def _gap(closure: Closure, poses: dict[str, Pose], planar: bool) -> list[tuple[str, Expr]]:
    """Equations of a closure by name, without those that hold by structure."""
    start, end = ((poses[x.frame], _local(x)) for x in (closure.start, closure.end))
    rows = closure_equations(closure, start, end)
    if not planar:
        return rows
    # the angle in the plane, where the closure prescribes it
    fixes = closure.kind == "fixed" or (closure.kind == "universal" and closure.axis[2] == 0)
    return [*rows[:2], *(rows[-1:] if fixes else [])]


def _energy(s: Structure, poses: dict[str, Pose], coordinates: Expr) -> Expr:
    """Of weights, springs and dead forces; that of the rods is not in it."""
    V, g = SX(0), ca.DM(s.robot.gravity)
    for joint in s.joints:
        if joint.body is not None:
            V -= joint.body.mass * ca.dot(g, poses[joint.name].at(ca.DM(joint.body.center)))
    for k, joint in enumerate(s.axes):
        if joint.stiffness is not None:
            V += joint.stiffness * (coordinates[k] - joint.rest) ** 2 / 2
        if joint.stop is not None and joint.range is not None:
            low, high, stiff = (SX(x) for x in (*joint.range, joint.stop.stiffness))
            w = joint.stop.smoothing
            stop = StopModel(low, high, stiff, None, SX(w) if w else None)
            V += stop.energy(coordinates[k])
    for spring in s.robot.springs:
        between = _at(spring.start, poses) - _at(spring.end, poses)
        V += spring.stiffness * (ca.norm_2(between) - spring.free_length) ** 2 / 2
    for load in s.robot.loads:
        if not load.follows:
            V -= ca.dot(ca.DM(load.force), _at(load.at, poses))
    return V


def _work(load: Load, poses: dict[str, Pose], moves: Expr) -> Expr:
    """Generalized force of what has no energy: moments, and forces that follow the body."""
    pose = poses[load.at.frame]
    R = pose.R if load.follows else SX.eye(3)
    force = R @ ca.DM(load.force) if load.follows else SX.zeros(3)
    return work_of_wrench(pose, _at(load.at, poses), force, R @ ca.DM(load.moment), moves)


def _twist(pose: Pose, moves: Expr) -> Expr:
    """How moves turn and shift a frame, in world axes (6, moves)."""
    slopes, turns = ca.jacobian(ca.vec(ca.densify(pose.R)), moves), []
    for k in range(moves.numel()):
        turns.append(skew_part(ca.reshape(slopes[:, k], 3, 3) @ pose.R.T))
    return ca.vertcat(ca.horzcat(*turns), ca.jacobian(ca.densify(pose.p), moves))
