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
from chorda.describe.friction_checks import rubs
from chorda.mechanics.first_order import settled
from chorda.mechanics.frames import SX, Expr, Pose
from chorda.mechanics.joints.joint_model import JointModel
from chorda.mechanics.joints.proxy import lengths_of, proxy_coordinates, slices_of
from chorda.mechanics.mechanism import Mechanism, mechanism
from chorda.mechanics.system import System
from chorda.mechanics.tendon_forces import Tendons

RESULTS = ("G", "K", "psi", "J", "X", "V", "G_t", "law", "law_q", "law_t")
CHEAP = ("G", "psi", "X", "law")  # results without derivatives
Names = Sequence[str]


def statics(system: System, frames: Names = (), tensions: Names = ()) -> Any:
    """(q, lam, u, p, t) -> G, K, psi, J; of each frame R (9) and origin (3) as a column of X, and
    its angular and linear velocities per velocity of the system (6 rows of V); dG/dt; and of each
    tendon with a given tension its law e = elongation - stretch(t), de/dq N and de/dt.

    t: the tensions of the named tendons, which pull with them whatever their law. Made once
    per system, frames and tendons.
    """
    return _made("statics", system, tuple(frames), tuple(tensions), RESULTS)


def forces(system: System, frames: Names = (), tensions: Names = ()) -> Any:
    """(q, lam, u, p, t) -> G, psi, X, e as `statics` gives them, for less."""
    return _made("forces", system, tuple(frames), tuple(tensions), CHEAP)


def _made(name: str, system: System, frames: Names, tensions: Names, wanted: Names) -> Any:
    def make() -> Any:
        if is_taken_apart(system):
            given, found = TakenApart(system, frames, tensions).balance(wanted)
        else:
            given, found = _whole(system, frames, tensions, wanted)
        return ca.Function(name, given, [ca.densify(found[x]) for x in wanted])

    return system.once((name, frames, tensions), make)


def is_taken_apart(system: System) -> bool:
    """Whether rods are taken apart; paths around pulleys, and the tension along sheaths that rub,
    are known in the whole robot only."""
    tendons = system.robot.tendons
    wound = any(isinstance(x, Pulley) for tendon in tendons for x in tendon.path)
    carried = any(tendon.carrier is not None for tendon in tendons)
    rubbed = any(tendon.sheaths and rubs(tendon) for tendon in tendons)
    whole = wound or carried or rubbed
    return system.dynamics.approximate_tangent is not None and not whole


def _whole(
    system: System, frames: Names, tensions: Names, wanted: Names
) -> tuple[list[Expr], dict[str, Expr]]:
    """Arguments and results for a robot in one piece."""
    d, poses = system.dynamics, [system.frames[x] for x in frames]
    t = SX.sym("t", len(tensions))
    F, law = pulled(d.F_resting, d.F_pulled, system.tendons.resting, tensions, t)
    F, law = settled(d.states, F, law)
    F, law = ca.substitute([F, law], [system.v], [SX.zeros(system.nv)])
    acting = F, system.constraints.psi, law
    found = _balance(wanted, (system.q, d.N, system.lam, t), acting, poses)
    shared = dict(zip(found, ca.cse(list(found.values())), strict=True))
    return [system.q, system.lam, system.u, system.p, t], shared


def pulled(F: Expr, F_pulled: Expr, tendons: Tendons, names: Names, t: Expr) -> tuple[Expr, Expr]:
    """Forces with tensions t of the named tendons, and the laws of these."""
    if not names:
        return F, SX(0, 1)
    rows = [[cable.name for cable in tendons.cables].index(name) for name in names]
    tension = SX(tendons.tension)
    tension[rows] = t
    F, stretch = ca.substitute([F_pulled, tendons.stretch], [tendons.pulls], [tension])
    return F, (tendons.elongation - stretch)[rows]


def _balance(
    wanted: Names, variables: Sequence[Expr], acting: Sequence[Expr], poses: Sequence[Pose]
) -> dict[str, Expr]:
    """Results by name, over (q, N, lam, t), from (F, psi, law)."""
    (q, N, lam, t), (F, psi, law) = variables, acting
    J = ca.jacobian(psi, q) @ N
    G = F + J.T @ lam if lam.numel() else F
    X, V = _moving(poses, q, N)
    found = {"G": G, "psi": psi, "J": J, "X": X, "V": V, "law": law}
    slopes = {"K": (G, q), "G_t": (G, t), "law_q": (law, q), "law_t": (law, t)}
    for name in slopes.keys() & set(wanted):
        y, x = slopes[name]
        found[name] = ca.jacobian(y, x) @ N if x is q else ca.jacobian(y, x)
    return {name: found[name] for name in wanted}


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


class TakenApart:
    """A robot with rods, taken apart: q and the other arguments, and the modes of each rod."""

    def __init__(self, system: System, frames: Names, tensions: Names) -> None:
        self.system = system
        self.outer: Mechanism = system.once("proxies", lambda: _of_proxies(system))
        outer = self.outer
        self.frames, self.tensions = frames, tensions
        joints = outer.skeleton.tree.joints
        p = outer.skeleton.par.column
        self.rods = [None if x.proxy_of is None else RodPart(x.proxy_of, p) for x in joints] + [
            None
        ]
        others = outer.train.q.numel() - outer.skeleton.q.numel()  # motors, states
        sizes = [(x if x.proxy_of is None else x.proxy_of).q.numel() for x in joints] + [others]
        sides = system.q, system.lam, system.u, system.p, SX(len(tensions), 1)
        self.given = [ca.MX.sym(x, y.numel()) for x, y in zip("qlupt", sides, strict=True)]
        own = ca.vertsplit(self.given[0], [0, *accumulate(sizes)])
        turning = outer.train.v.numel() - outer.skeleton.v.numel()
        rows = pairwise([0, *accumulate([*(x.v.numel() for x in joints), turning])])
        self.each = list(zip(self.rods, own, rows, strict=True))  # rod or none, q, rows of v

    def balance(self, wanted: Names) -> tuple[list[Any], dict[str, Any]]:
        """Arguments and results, which lead from the proxy joints to the modes by the chain
        rule."""
        p = self.given[3]
        if "K" not in wanted:
            proxies = [x if rod is None else rod.coordinates(x, p) for rod, x, _ in self.each]
            found = self._over_proxies(proxies, wanted)
            g = found["G"]
            G = [g[a:b] if rod is None else rod.force(g[a:b]) for rod, _, (a, b) in self.each]
            return self.given, found | {"G": ca.vertcat(*G)}
        along = [
            (x, ca.MX.eye(b - a)) if rod is None else rod.along(x, p)
            for rod, x, (a, b) in self.each
        ]
        found = self._over_proxies([x for x, _ in along], wanted)
        g, E = found["G"], ca.diagcat(*[spread for _, spread in along])
        pull, blocks = [], []
        for rod, _, (a, b) in self.each:
            pull.append(ca.MX(b - a, 1) if rod is None else rod.own_force())
            blocks.append(ca.MX(b - a, b - a) if rod is None else rod.stiffness(g[a:b]))
        return self.given, found | {
            "G": E.T @ g + ca.vertcat(*pull),
            "K": ca.mtimes([E.T, found["K"], E]) + ca.diagcat(*blocks),
            "G_t": E.T @ found["G_t"],
            **{name: found[name] @ E for name in ("J", "V", "law_q")},
        }

    def posed(self) -> Any:
        """(q, lam, u, p, t) -> X of the frames."""
        p = self.given[3]
        proxies = [x if rod is None else rod.coordinates(x, p) for rod, x, _ in self.each]
        return ca.Function("posed", self.given, [self._over_proxies(proxies, ("X",))["X"]])

    def outside(self, wanted: Names) -> Any:
        """(proxies, lam, u, p, t, proxies in the reference configuration) -> results over the
        proxy joints."""
        out, t = self.outer, SX.sym("t", len(self.tensions))
        train, bones, lam = out.train, out.skeleton, self.system.lam
        poses = [bones.tree.pose(bones.tree.index[x]) for x in self.frames]
        F, law = pulled(out.F_resting, out.F_pulled, out.tendons, self.tensions, t)
        F, law = settled(train.states, F, law)
        acting = F, out.constraints.psi, law
        found = _balance(wanted, (train.q, train.N, lam, t), acting, poses)
        given = [train.q, lam, train.u, bones.par.column, t, bones.rest]
        return ca.Function("outside", given, ca.cse(list(found.values())))

    def _over_proxies(self, proxies: Sequence[Any], wanted: Names) -> dict[str, Any]:
        reference = _reference(self.outer, self.rods, self.system, self.given[3])
        found = self.outside(wanted).call([ca.vertcat(*proxies), *self.given[1:], reference])
        return dict(zip(wanted, found, strict=True))


def _of_proxies(system: System) -> Mechanism:
    names = system.constraints.names
    return mechanism(system.robot, system.mode, proxies=True, closures=names)


def _reference(out: Mechanism, rods: "list[RodPart | None]", system: System, p: Any) -> Any:
    """Coordinates of the proxy joints in the reference configuration, which lengths of tendons
    refer to."""
    rest = out.skeleton.rest
    acting = (out.F_resting, out.constraints.psi, out.tendons.elongation)
    if not any(ca.depends_on(ca.densify(x), rest) for x in acting if x.numel()):
        return ca.MX(*rest.shape)
    parts, first = [], 0
    for rod, joint in zip(rods, out.skeleton.tree.joints, strict=False):
        n = joint.q.numel() if rod is None else rod.model.q.numel()
        known = system.rest[first : first + n]
        parts.append(ca.MX(ca.DM(known)) if rod is None else rod.proxy(ca.DM(known), p))
        first += n
    return ca.vertcat(*parts)


class RodPart:
    """One rod: coordinates and velocities of its proxy joint from its modes."""

    def __init__(self, model: JointModel, p: Expr) -> None:
        assert model.soft is not None
        self.model, self.soft, self.scans = model, model.soft, model.soft.scans
        self.slices = slices_of(self.soft)
        self.patterns = [
            (pose.R.sparsity().find(), pose.p.sparsity().find())
            for pose in map(self.soft.pose, self.slices)
        ]
        K, slope = ca.hessian(model.spring_energy, model.q)
        self.springs = ca.Function("springs", [model.q, p], [ca.densify(x) for x in (slope, K)])
        matter = self.soft.matter[0, :]
        fractions = matter / (ca.sum2(matter) if self.soft.stock is None else self.soft.mass)
        self.weighing = ca.Function("weighing", [model.q, p], [ca.densify(fractions)])
        masses = matter if self.soft.stock is None else SX(*matter.shape)
        constants = self.soft.length, self.soft.rest, masses
        self.constants = ca.Function("constants", [p], [ca.densify(x) for x in constants])
        proxy = ca.vertcat(*proxy_coordinates(model))
        self.proxy = ca.Function("proxy", [model.q, p], [proxy])
        lengths = ca.vertcat(SX(0, 1), *lengths_of(model))
        slopes = ca.jacobian(lengths, model.q)
        self.lengths = ca.Function("lengths", [model.q, p], [lengths, slopes])
        t = SX.sym("t", len(model.sheaths))
        pulled = SX(model.q.numel(), model.q.numel())
        if model.tightness is not None:
            pulled = model.tightness(dict(zip(model.sheaths, ca.vertsplit(t), strict=True)))
        self.pulled = ca.Function("pulled", [model.q, p, t], [pulled])

    def _constants(self, q: Any, p: Any) -> None:
        self.q, self.p = q, p
        self.L, self.rest, _ = self.constants(p)
        self.slope, self.elastic = self.springs(q, p)
        self.fractions = self.weighing(q, p)
        self.length, self.slopes = self.lengths(q, p)

    def coordinates(self, q: Any, p: Any) -> Any:
        """The proxy joint's coordinates at modes q."""
        self._constants(q, p)
        self.turns, points = self.scans.shape(q, self.L, self.rest)
        proxies = []
        for k, (turn, shift) in zip(self.slices, self.patterns, strict=True):
            proxies += [self.turns[turn, k], points[shift, k]]
        self.centre = points @ self.fractions.T
        return ca.vertcat(*proxies, self.centre, self.length)

    def force(self, g: Any) -> Any:
        """On the modes, from what acts on the proxy joint."""
        wrenches, t = self._acting(g)
        pulled = self.scans.pulling(self.q, self.L, self.rest, self.turns, wrenches)
        Q = pulled - self.slope + self._fed_by_weight(g)
        return Q + self.slopes.T @ t if t.numel() else Q

    def own_force(self) -> Any:
        """Of its springs, on the modes."""
        return -self.slope

    def _fed_by_weight(self, g: Any) -> Any:
        """On the length of a rod that is fed: its slices get heavier with it, by the same part of
        their weight, and the base lighter."""
        n = self.q.numel()
        if self.soft.stock is None:
            return ca.MX(n, 1)
        at = 6 * len(self.slices)
        return ca.vertcat(ca.MX(n - 1, 1), ca.dot(self.centre, g[at : at + 3]) / self.q[-1])

    def along(self, q: Any, p: Any) -> tuple[Any, Any]:
        """The proxy joint's coordinates at modes q, and its velocities per mode."""
        self._constants(q, p)
        self.states = self.scans.states(q, self.L, self.rest)
        proxies, rows = [], []
        for k, (turn, shift) in zip(self.slices, self.patterns, strict=True):
            R, x, w, v = (self.scans.part(self.states, name, k) for name in ("R", "p", "w", "v"))
            proxies += [ca.vec(R)[turn], x[shift]]
            rows += [w, v]
        centre, moving = (
            self.scans.moving.dense(self.states[:, 1:], name) @ self.fractions.T for name in "pv"
        )
        self.centre, moving = centre, ca.reshape(moving, 3, q.numel())
        if self.soft.stock is not None:  # parts of the mass grow with the length
            moving += ca.horzcat(ca.MX(3, q.numel() - 1), centre / q[-1])
        spread = ca.vertcat(*rows, moving, self.slopes)
        return ca.vertcat(*proxies, centre, self.length), spread

    def _acting(self, g: Any) -> tuple[Any, Any]:
        """Wrenches on the slices (6 x slices), and what pulls on the lengths of tendons."""
        n = 6 * len(self.slices)
        alone, rest = ca.reshape(g[:n], 6, len(self.slices)), g[n:]
        there = ca.DM(len(self.slices), self.soft.p.shape[1])
        for row, k in enumerate(self.slices):
            there[row, k] = 1
        weight = self._weight(rest[:3])
        return weight + alone[[3, 4, 5, 0, 1, 2], :] @ ca.densify(there), rest[3:]

    def _weight(self, force: Any) -> Any:
        """Wrenches on the slices (6 x slices) from the force on the centre of mass."""
        return ca.vertcat(force, ca.DM.zeros(3)) @ self.fractions

    def stiffness(self, g: Any) -> Any:
        """Derivative by the modes of all forces on them; g acts on the proxy joint."""
        wrenches, t = self._acting(g)
        K = self.scans.stiffening(self.q, self.L, self.rest, self.states, wrenches) - self.elastic
        if self.soft.stock is not None:
            K += self._fed_stiffness(g)
        return K + self.pulled(self.q, self.p, t) if self.model.sheaths else K

    def _fed_stiffness(self, g: Any) -> Any:
        """Of the weight of a rod that is fed, whose slices get heavier with the length."""
        n, at = self.q.numel(), 6 * len(self.slices)
        moving = self.scans.moving.dense(self.states[:, 1:], "v") @ self.fractions.T
        c = ca.reshape(moving, 3, n).T @ g[at : at + 3] / self.q[-1]
        side = ca.horzcat(ca.MX(n, n - 1), c)
        return side + side.T
