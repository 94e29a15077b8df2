"""The balance of a robot at rest: forces, their exact derivative, closures and theirs.

    G = F(q, u, p) + J^T lam,    K = dG/dq N,    psi(q, u, p) = 0

A robot with rods is taken apart: what acts from outside is a small expression over the places of
the rods' frames (`Outline`), and loops along each rod lead from there to its modes.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import casadi as ca

from chorda.describe import Pulley
from chorda.mechanics.assembler import Outline, outline
from chorda.mechanics.frames import SX, Expr, Pose
from chorda.mechanics.joints.model import JointModel
from chorda.mechanics.joints.stand_in import at, slices_of
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.bending import bending
from chorda.mechanics.system import System
from chorda.mechanics.tree import plant


def statics(system: System, frames: Sequence[str] = ()) -> Any:
    """(q, lam, u, p) -> G, K, psi, J, and of each frame: R (9) and origin (3) as a column of X,
    and its angular and linear velocities per velocity of the system (6 rows of V).

    Made once per system and frames.
    """
    frames = tuple(frames)

    def make() -> Any:
        return _parts(system, frames) if _has_loops(system) else _plain(system, frames)

    return system.once(("statics", frames), make)


def _has_loops(system: System) -> bool:
    """Whether rods are taken apart; paths around pulleys are known in the whole robot only."""
    tendons = system.robot.tendons
    wound = any(isinstance(x, Pulley) for tendon in tendons for x in tendon.path)
    return system.quasi is not None and not wound and all(x.carrier is None for x in tendons)


def _moving(poses: Sequence[Pose], q: Expr, N: Expr) -> tuple[Expr, Expr]:
    """X and V of frames."""
    columns, rows = [SX(12, 0)], [SX(0, N.shape[1])]
    for pose in poses:
        columns.append(ca.vertcat(ca.vec(ca.densify(pose.R)), ca.densify(pose.p)))
        turned = ca.jacobian(ca.vec(ca.densify(pose.R)), q) @ N  # R' R^T, by column
        spin = [
            sum(turned[i + 3 * k, :] * pose.R[j, k] for k in range(3))
            for i, j in ((2, 1), (0, 2), (1, 0))
        ]
        rows += [*spin, ca.jacobian(ca.densify(pose.p), q) @ N]
    return ca.horzcat(*columns), ca.vertcat(*rows)


def _balance(F: Expr, psi: Expr, q: Expr, N: Expr, lam: Expr) -> list[Expr]:
    J = ca.jacobian(psi, q) @ N
    G = F + J.T @ lam if lam.numel() else F
    return [ca.densify(G), ca.jacobian(G, q) @ N, ca.densify(psi), J]


def _plain(system: System, frames: Sequence[str]) -> Any:
    F = ca.substitute(system.F, system.v, SX.zeros(system.nv))
    found = _balance(F, system.psi, system.q, system.N, system.lam)
    found += _moving(_poses(system, frames), system.q, system.N)
    return system.function("statics", "q lam u p", *[ca.densify(x) for x in found])


def _poses(system: System, frames: Sequence[str]) -> list[Pose]:
    """Of frames in the world, in the system's symbols."""
    par = Parameters()
    tree = plant(system.robot, par)
    own = ca.vertcat(SX(0, 1), *[joint.q for joint in tree.joints], *par.symbols)
    rows = [system.parameter_names.index(name) for name in par.names]
    same = ca.vertcat(system.q[: own.numel() - len(rows)], system.p[rows])
    poses = [tree.pose(tree.index[x]) for x in frames]
    return [Pose(*(ca.substitute(x, own, same) for x in (pose.R, pose.p))) for pose in poses]


def _parts(system: System, frames: Sequence[str]) -> Any:
    out = outline(system.robot, system.tendons, frames)
    rods = [None if model is None else _Rod(model, out.p) for model in out.rods] + [None]
    sizes = [
        part[0] if rod is None else rod.model.q.numel()
        for rod, part in zip(rods, out.parts, strict=True)
    ]
    q, lam, u, p = (
        ca.MX.sym(name, x.numel())
        for name, x in zip("qlup", (system.q, system.lam, system.u, system.p), strict=True)
    )
    own = [q[a:b] for a, b in pairwise([0, *accumulate(sizes)])]
    places, spreads = [], []
    for rod, modes, (_, n) in zip(rods, own, out.parts, strict=True):
        place, spread = (modes, ca.MX.eye(n)) if rod is None else rod.along(modes, p)
        places.append(place)
        spreads.append(spread)
    found = _outside(out, system.lam)(
        ca.vertcat(*places), lam, u, p, _reference(out, rods, system, p)
    )
    g, k, psi, j, X, V = found
    E = ca.diagcat(*spreads)
    forces, blocks, row = [], [], 0
    for rod, modes, (_, n) in zip(rods, own, out.parts, strict=True):
        forces.append(ca.MX(n, 1) if rod is None else -rod.elastic @ modes)
        blocks.append(ca.MX(n, n) if rod is None else rod.stiffness(g[row : row + n]))
        row += n
    G, K = E.T @ g + ca.vertcat(*forces), ca.mtimes([E.T, k, E]) + ca.diagcat(*blocks)
    results = [ca.densify(x) for x in (G, K, psi, j @ E, X, V @ E)]
    return ca.Function("statics", [q, lam, u, p], results)


def _outside(out: Outline, lam: Expr) -> Any:
    """(q, lam, u, p, reference) -> what `statics` gives, over the stand-ins."""
    found = [*_balance(out.F, out.psi, out.q, out.N, lam), *_moving(out.frames, out.q, out.N)]
    return ca.Function("outside", [out.q, lam, out.u, out.p, out.rest], ca.cse(found))


def _reference(out: Outline, rods: "list[_Rod | None]", system: System, p: Any) -> Any:
    """Coordinates of the stand-ins in the reference posture, which lengths of tendons refer to."""
    if not any(ca.depends_on(ca.densify(x), out.rest) for x in (out.F, out.psi) if x.numel()):
        return ca.MX(*out.rest.shape)
    parts, first = [], 0
    for rod, (n, _) in zip(rods, out.parts, strict=True):
        if rod is None:
            parts.append(ca.MX(ca.DM(system.rest[first : first + n])))
        else:
            n = rod.model.q.numel()
            parts.append(rod.places(ca.DM.zeros(n), p))
        first += n
    return ca.vertcat(*parts)[: out.rest.numel()]


class _Rod:
    """One rod: coordinates and velocities of its stand-in from its modes."""

    def __init__(self, model: JointModel, p: Expr) -> None:
        assert model.soft is not None
        self.model, self.soft, self.loops = model, model.soft, bending(model.soft.slices)
        self.slices = slices_of(self.soft)
        self.patterns = [
            (pose.R.sparsity().find(), pose.p.sparsity().find())
            for pose in map(self.soft.pose, self.slices)
        ]
        energy = ca.hessian(model.spring_energy, model.q)[0]
        constants = self.soft.length, self.soft.rest, self.soft.matter[0, :], energy
        self.constants = ca.Function("constants", [p], [ca.densify(x) for x in constants])
        self.places = ca.Function("places", [model.q, p], [ca.vertcat(*at(model))])
        lengths = ca.vertcat(SX(0, 1), *model.sheaths.values())
        slopes = ca.jacobian(lengths, model.q)
        self.lengths = ca.Function("lengths", [model.q, p], [lengths, slopes])
        t = SX.sym("t", len(model.sheaths))
        pulled = SX(model.q.numel(), model.q.numel())
        if model.tightness is not None:
            pulled = model.tightness(dict(zip(model.sheaths, ca.vertsplit(t), strict=True)))
        self.pulled = ca.Function("pulled", [model.q, p, t], [pulled])

    def along(self, q: Any, p: Any) -> tuple[Any, Any]:
        """The stand-in's coordinates at modes q, and its velocities per mode."""
        self.q, self.p = q, p
        self.L, self.rest, mass, self.elastic = self.constants(p)
        self.states = self.loops.moving(q, self.L, self.rest)
        places, rows = [], []
        for k, (turn, shift) in zip(self.slices, self.patterns, strict=True):
            R, x, w, v = (self.loops.part(self.states, name, k) for name in ("R", "p", "w", "v"))
            places += [ca.vec(R)[turn], x[shift]]
            rows += [w, v]
        self.shares = mass / ca.sum2(mass)
        centre, moving = (
            self.loops.along.dense(self.states[:, 1:], name) @ self.shares.T for name in "pv"
        )
        lengths, slopes = self.lengths(q, p)
        spread = ca.vertcat(*rows, ca.reshape(moving, 3, q.numel()), slopes)
        return ca.vertcat(*places, centre, lengths), spread

    def stiffness(self, g: Any) -> Any:
        """Derivative by the modes of all forces on them; g acts on the stand-in."""
        *wrenches, rest = ca.vertsplit(g, [*range(0, 6 * len(self.slices) + 1, 6), g.numel()])
        force, moment = rest[:3] @ self.shares, ca.MX(3, self.soft.slices.intervals)
        for k, wrench in zip(self.slices, wrenches, strict=True):
            moment[:, k] += wrench[:3]
            force[:, k] += wrench[3:]
        acting = ca.densify(ca.vertcat(force, moment))
        K = self.loops.stiffening(self.q, self.L, self.rest, self.states, acting) - self.elastic
        return K + self.pulled(self.q, self.p, rest[3:]) if self.model.sheaths else K
