"""The balance of a robot at rest: forces, their exact derivative, closures and theirs.

    G = F(q, u, p) + J^T lam,    K = dG/dq N,    psi(q, u, p) = 0

A robot with rods is taken apart: what acts from outside is a small expression over the poses of
the rods' frames (a `Mechanism` of proxy joints), and scans along each rod lead from there to its
modes.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import casadi as ca

from chorda.describe import Pulley
from chorda.mechanics.assembler import Mechanism, mechanism
from chorda.mechanics.frames import SX, Expr, Pose
from chorda.mechanics.joints.model import JointModel
from chorda.mechanics.joints.proxy import proxy_coordinates, slices_of
from chorda.mechanics.rods.bending import bending
from chorda.mechanics.system import System


def statics(system: System, frames: Sequence[str] = (), tensions: Sequence[str] = ()) -> Any:
    """(q, lam, u, p, t) -> G, K, psi, J; of each frame R (9) and origin (3) as a column of X, and
    its angular and linear velocities per velocity of the system (6 rows of V); dG/dt; and of each
    tendon with a given tension its law e = elongation - stretch(t), de/dq N and de/dt.

    t: the tensions of the named tendons, which pull with them whatever their law says. Made once
    per system, frames and tendons.
    """
    frames, tensions = tuple(frames), tuple(tensions)

    def make() -> Any:
        if _has_loops(system):
            return _Parts(system, frames, tensions).statics()
        return _plain(system, frames, tensions)

    return system.once(("statics", frames, tensions), make)


def forces(system: System, frames: Sequence[str] = (), tensions: Sequence[str] = ()) -> Any:
    """(q, lam, u, p, t) -> G, psi, X, e as `statics` gives them, for less."""
    frames, tensions = tuple(frames), tuple(tensions)

    def make() -> Any:
        if _has_loops(system):
            return _Parts(system, frames, tensions).forces()
        whole = _plain(system, frames, tensions)
        given = whole.sx_in()
        found = whole(*given)
        return ca.Function("forces", given, [found[k] for k in (0, 2, 4, 7)])

    return system.once(("forces", frames, tensions), make)


def _has_loops(system: System) -> bool:
    """Whether rods are taken apart; paths around pulleys are known in the whole robot only."""
    tendons = system.robot.tendons
    wound = any(isinstance(x, Pulley) for tendon in tendons for x in tendon.path)
    return (
        system.dynamics.approximate_tangent is not None
        and not wound
        and all(x.carrier is None for x in tendons)
    )


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


def _plain(system: System, frames: Sequence[str], tensions: Sequence[str]) -> Any:
    tendons, d = system.tendons, system.dynamics
    t, zero = SX.sym("t", len(tensions)), SX.zeros(system.nv)
    chosen = _chosen(system, tensions)
    F = d.F if not chosen else _pulled(d.F_pulled, tendons.pulls, tendons.tension, chosen, t)
    law = _law(tendons.elongation, tendons.stretch, tendons.pulls, chosen, t)
    F, law = (ca.substitute(x, system.v, zero) for x in (F, law))
    found = _balance(F, system.constraints.psi, system.q, d.N, system.lam)
    found += _moving([system.frames[x] for x in frames], system.q, d.N)
    found += [ca.jacobian(F, t), law, ca.jacobian(law, system.q) @ d.N, ca.jacobian(law, t)]
    given = [system.q, system.lam, system.u, system.p, t]
    return ca.Function("statics", given, ca.cse([ca.densify(x) for x in found]))


def _chosen(system: System, tensions: Sequence[str]) -> list[int]:
    names = [tendon.name for tendon in system.robot.tendons]
    return [names.index(name) for name in tensions]


def _pulled(F_pulled: Expr, pulls: Expr, tension: Expr, chosen: list[int], t: Expr) -> Expr:
    """Forces with tensions t of the chosen tendons, and by their laws of the others."""
    mine = dict(zip(chosen, ca.vertsplit(t), strict=True))
    column = [mine.get(i, tension[i]) for i in range(pulls.numel())]
    return ca.substitute(F_pulled, pulls, ca.densify(ca.vertcat(*column)))


def _law(elongation: Expr, stretch: Expr, pulls: Expr, chosen: list[int], t: Expr) -> Expr:
    """How far each chosen tendon is from the elongation that its tension asks for [m]."""
    each = [elongation[i] - ca.substitute(stretch[i], pulls[i], t[k]) for k, i in enumerate(chosen)]
    return ca.vertcat(SX(0, 1), *each)


class _Parts:
    """A robot with rods, taken apart: q and the other arguments, and the modes of each rod."""

    def __init__(self, system: System, frames: Sequence[str], tensions: Sequence[str]) -> None:
        self.system, self.chosen = system, _chosen(system, tensions)
        self.outside = outside = mechanism(system.robot, system.mode, proxies=True)
        self.frames = [outside.skeleton.tree.pose(outside.skeleton.tree.index[x]) for x in frames]
        joints = outside.skeleton.tree.joints
        p = outside.skeleton.par.column
        self.rods = [None if x.proxy_of is None else _Rod(x.proxy_of, p) for x in joints] + [None]
        motors = outside.drive.q.numel() - outside.skeleton.q.numel()
        sizes = [(x if x.proxy_of is None else x.proxy_of).q.numel() for x in joints] + [motors]
        known = {"q": system.q, "l": system.lam, "u": system.u, "p": system.p}
        counts = {name: x.numel() for name, x in known.items()} | {"t": len(self.chosen)}
        self.arguments = q, self.lam, self.u, self.p, self.t = [
            ca.MX.sym(name, n) for name, n in counts.items()
        ]
        own = ca.vertsplit(q, [0, *accumulate(sizes)])
        rows = pairwise([0, *accumulate([*(x.v.numel() for x in joints), motors])])
        self.each = list(zip(self.rods, own, rows, strict=True))  # rod or none, q, rows of v

    def statics(self) -> Any:
        places, spreads = [], []
        for rod, modes, (a, b) in self.each:
            found = (modes, ca.MX.eye(b - a)) if rod is None else rod.along(modes, self.p)
            places.append(found[0])
            spreads.append(found[1])
        g, k, psi, j, X, V, g_t, law, law_v, law_t = self._outside(places, range(10))
        E = ca.diagcat(*spreads)
        pull, blocks = [], []
        for rod, modes, (a, b) in self.each:
            pull.append(ca.MX(b - a, 1) if rod is None else -rod.elastic @ modes)
            blocks.append(ca.MX(b - a, b - a) if rod is None else rod.stiffness(g[a:b]))
        G, K = E.T @ g + ca.vertcat(*pull), ca.mtimes([E.T, k, E]) + ca.diagcat(*blocks)
        pulled = E.T @ g_t, law, law_v @ E, law_t
        results = [ca.densify(x) for x in (G, K, psi, j @ E, X, V @ E, *pulled)]
        return ca.Function("statics", self.arguments, results)

    def forces(self) -> Any:
        places = [modes if rod is None else rod.place(modes, self.p) for rod, modes, _ in self.each]
        g, psi, X, law = self._outside(places, (0, 2, 4, 7))
        G = [g[a:b] if rod is None else rod.force(g[a:b]) for rod, _, (a, b) in self.each]
        results = [ca.densify(x) for x in (ca.vertcat(*G), psi, X, law)]
        return ca.Function("forces", self.arguments, results)

    def _outside(self, places: Sequence[Any], wanted: Sequence[int]) -> Any:
        """What `statics` gives over the proxy joints, or some of it."""
        out, lam = self.outside, self.system.lam
        q, N, t = out.drive.q, out.drive.N, SX.sym("t", len(self.chosen))
        pulls, each = out.tendons.pulls, out.tendons.each
        F = out.forces.F
        if self.chosen:
            F = _pulled(out.forces.F_pulled, pulls, out.tendons.tension, self.chosen, t)
        elongation, stretch = (
            ca.vertcat(SX(0, 1), *(getattr(x, name) for x in each))
            for name in ("elongation", "under")
        )
        law = _law(elongation, stretch, pulls, self.chosen, t)
        found = [*_balance(F, out.constraints.psi, q, N, lam), *_moving(self.frames, q, N)]
        found += [ca.jacobian(F, t), law, ca.jacobian(law, q) @ N, ca.jacobian(law, t)]
        given = [q, lam, out.drive.u, out.skeleton.par.column, out.skeleton.rest, t]
        function = ca.Function("outside", given, ca.cse([found[i] for i in wanted]))
        reference = _reference(out, self.rods, self.system, self.p)
        return function(ca.vertcat(*places), self.lam, self.u, self.p, reference, self.t)


def _reference(out: Mechanism, rods: "list[_Rod | None]", system: System, p: Any) -> Any:
    """Coordinates of the proxy joints in the reference configuration, which lengths of tendons
    refer to."""
    rest = out.skeleton.rest
    acting = (out.forces.F, out.constraints.psi)
    if not any(ca.depends_on(ca.densify(x), rest) for x in acting if x.numel()):
        return ca.MX(*rest.shape)
    parts, first = [], 0
    for rod, joint in zip(rods, out.skeleton.tree.joints, strict=False):
        n = joint.q.numel() if rod is None else rod.model.q.numel()
        known = system.rest[first : first + n]
        parts.append(ca.MX(ca.DM(known)) if rod is None else rod.places(ca.DM.zeros(n), p))
        first += n
    return ca.vertcat(*parts)


class _Rod:
    """One rod: coordinates and velocities of its proxy joint from its modes."""

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
        self.places = ca.Function("places", [model.q, p], [ca.vertcat(*proxy_coordinates(model))])
        lengths = ca.vertcat(SX(0, 1), *model.sheaths.values())
        slopes = ca.jacobian(lengths, model.q)
        self.lengths = ca.Function("lengths", [model.q, p], [lengths, slopes])
        t = SX.sym("t", len(model.sheaths))
        pulled = SX(model.q.numel(), model.q.numel())
        if model.tightness is not None:
            pulled = model.tightness(dict(zip(model.sheaths, ca.vertsplit(t), strict=True)))
        self.pulled = ca.Function("pulled", [model.q, p, t], [pulled])

    def _constants(self, q: Any, p: Any) -> None:
        self.q, self.p = q, p
        self.L, self.rest, mass, self.elastic = self.constants(p)
        self.shares = mass / ca.sum2(mass)
        self.length, self.slopes = self.lengths(q, p)

    def place(self, q: Any, p: Any) -> Any:
        """The proxy joint's coordinates at modes q."""
        self._constants(q, p)
        self.turns, self.points = self.loops.placing(q, self.L, self.rest)
        places = []
        for k, (turn, shift) in zip(self.slices, self.patterns, strict=True):
            places += [self.turns[turn, k + 1], self.points[shift, k + 1]]
        return ca.vertcat(*places, self.points[:, 1:] @ self.shares.T, self.length)

    def force(self, g: Any) -> Any:
        """On the modes, from what acts on the proxy joint."""
        wrenches, t = self._acting(g)
        where = self.q, self.L, self.rest, self.turns, self.points
        Q = self.loops.pulling(*where, wrenches) - self.elastic @ self.q
        return Q + self.slopes.T @ t if self.model.sheaths else Q

    def along(self, q: Any, p: Any) -> tuple[Any, Any]:
        """The proxy joint's coordinates at modes q, and its velocities per mode."""
        self._constants(q, p)
        self.states = self.loops.moving(q, self.L, self.rest)
        places, rows = [], []
        for k, (turn, shift) in zip(self.slices, self.patterns, strict=True):
            R, x, w, v = (self.loops.part(self.states, name, k) for name in ("R", "p", "w", "v"))
            places += [ca.vec(R)[turn], x[shift]]
            rows += [w, v]
        centre, moving = (
            self.loops.along.dense(self.states[:, 1:], name) @ self.shares.T for name in "pv"
        )
        spread = ca.vertcat(*rows, ca.reshape(moving, 3, q.numel()), self.slopes)
        return ca.vertcat(*places, centre, self.length), spread

    def _acting(self, g: Any) -> tuple[Any, Any]:
        """Wrenches on the slices (6 x slices), and what pulls on the lengths of tendons."""
        *wrenches, rest = ca.vertsplit(g, [*range(0, 6 * len(self.slices) + 1, 6), g.numel()])
        force, moment = rest[:3] @ self.shares, ca.MX(3, self.soft.slices.intervals)
        for k, wrench in zip(self.slices, wrenches, strict=True):
            moment[:, k] += wrench[:3]
            force[:, k] += wrench[3:]
        return ca.densify(ca.vertcat(force, moment)), rest[3:]

    def stiffness(self, g: Any) -> Any:
        """Derivative by the modes of all forces on them; g acts on the proxy joint."""
        wrenches, t = self._acting(g)
        K = self.loops.stiffening(self.q, self.L, self.rest, self.states, wrenches) - self.elastic
        return K + self.pulled(self.q, self.p, t) if self.model.sheaths else K
