"""The tree of joints with its forces linearised, in parts that add up along branches.

Row i of the linearised inverse dynamics, over changes x of all joints, is

    rows_i G_base + own_i x_i + sum over i's frames of S^T W,    G = sum of spread_j x_j,

G summed over the joints between the world and a frame, W = sum of pull_j x_j over those beyond it:
the matrix is never needed, and its size neither [Singh2022 has the same terms, one by one].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from chorda.mechanics.articulated.composite_bodies import Composite, load, moving_body, nothing
from chorda.mechanics.articulated.spatial import (
    Spatial,
    carried_along,
    crossed,
    turning,
)
from chorda.mechanics.frames import SX, Expr, Pose
from chorda.mechanics.joints.joint_model import Carried, JointModel
from chorda.mechanics.passive_forces import Wrench
from chorda.mechanics.tree import Tree

Shares = tuple[Expr, Expr, Expr]  # how much of x the positions, velocities, accelerations take


@dataclass(frozen=True)
class Changes:
    """What unit changes of one joint do to a frame that it carries; a column each."""

    sigma: Spatial
    eta: Expr  # angular part
    zeta: Spatial

    @property
    def spread(self) -> Expr:
        return ca.vertcat(self.zeta.column, self.eta, self.sigma.angular)


@dataclass(frozen=True)
class MovedFrame:
    """A frame that a joint carries, with what hangs on it."""

    node: int
    S: Spatial
    spread: Expr  # 12 x k


@dataclass(frozen=True)
class Branch:
    """One joint with degrees of freedom."""

    joint: int
    base: int  # the moving frame that it stands on; 0: the world
    frames: tuple[MovedFrame, ...]
    rows: Expr  # k x 12
    own: Expr  # k x k
    pull: Spatial  # 6 x k


@dataclass(frozen=True, eq=False)
class _Frame:
    """Motion of a frame that a joint carries, and of that joint's velocity alone."""

    node: int
    base: int
    base_pose: Pose
    joint: JointModel
    v: Expr
    a: Expr
    twist: Spatial  # of the base
    S_own: Expr  # about the base's origin, in its axes

    def in_world(self, x: Expr) -> Spatial:
        angular = self.base_pose.R @ x[:3, :]
        linear = self.base_pose.R @ x[3:, :] + crossed(self.base_pose.p, angular)
        return Spatial(angular, linear)

    def by_q(self, x: Expr) -> Expr:
        """How x changes with the joint's coordinates along its velocities."""
        return ca.sparsify(ca.jacobian(x, self.joint.q) @ self.joint.kinematics)

    @cached_property
    def S(self) -> Spatial:
        return self.in_world(self.S_own)

    @cached_property
    def slide(self) -> Spatial:
        return self.in_world(self.S_own @ self.v)

    @cached_property
    def turned(self) -> Expr:
        """Change of S v with the coordinates."""
        return self.by_q(self.S_own @ self.v)

    @cached_property
    def rate(self) -> Expr:
        """Of S v, at constant v."""
        return ca.sparsify(self.turned @ self.v)

    @cached_property
    def accelerated(self) -> Spatial:
        """Acceleration beside the base's."""
        return self.in_world(self.S_own @ self.a + self.rate) + self.twist.on(self.slide)

    @cached_property
    def by_position(self) -> tuple[Spatial, Spatial]:
        """Change of twist and acceleration."""
        turned = self.in_world(self.turned)
        more = self.in_world(self.by_q(self.S_own @ self.a + self.rate))
        return turned, more + self.twist.on(turned)

    @cached_property
    def by_velocity(self) -> Spatial:
        """Change of acceleration."""
        return self.in_world(ca.sparsify(ca.jacobian(self.rate, self.v))) + self.twist.on(self.S)

    def work(self, wrench: Spatial) -> Expr:
        """(Change of S by x)^T wrench."""
        phi = SX.sym("wrench", 6)
        changed = self.by_q(self.S_own.T @ phi)
        return ca.substitute(changed, phi, _seen_from(self.base_pose, wrench))


@dataclass(frozen=True, eq=False)
class MovingTree:
    """All joints that move, by number, with what hangs on each frame."""

    frames: dict[int, tuple[_Frame, ...]]
    twist: dict[int, Spatial]
    acceleration: dict[int, Spatial]
    hung: dict[int, Composite]

    def branches(self, shares: Shares) -> list[Branch]:
        """Linearised for changes of q, v and a by `shares`; a parent before its children."""
        return [
            _branch(
                joint,
                self.rows[joint],
                [(x, self.hung[x.node], self._changes(x, shares)) for x in frames],
                shares[0],
            )
            for joint, frames in self.frames.items()
        ]

    def required(self, joint: int) -> Expr:
        """M a + Coriolis + gravity - loads: forces that the motion requires of a joint."""
        each = (x.S.dot(self.hung[x.node].wrench) for x in self.frames[joint])
        return sum(each, SX(self.frames[joint][0].S.angular.shape[1], 1))

    def inertial(self, a: Mapping[int, Expr], field: Expr) -> dict[int, Expr]:
        """M a by joint, and what a field of gravity [m/s^2] requires of the bodies as they are."""
        G = {0: Spatial(SX(3, 1), -field)}
        W: dict[int, Spatial] = {}
        for joint, frames in self.frames.items():
            for x in frames:
                G[x.node] = G[x.base] + Spatial(x.S.angular @ a[joint], x.S.linear @ a[joint])
        out = {}
        for joint in reversed(self.frames):
            frames = self.frames[joint]
            total = self.rows[joint][:, :6] @ G[frames[0].base].column
            for x in frames:
                own = Spatial(x.S.angular @ a[joint], x.S.linear @ a[joint])
                wrench = self.hung[x.node].accelerated(own)
                if x.node in W:
                    wrench += W.pop(x.node)
                total += x.S.dot(wrench)
                W[x.base] = W[x.base] + wrench if x.base in W else wrench
            out[joint] = total
        return out

    def inertia(self, sizes: Sequence[int]) -> Expr:
        """M of all joints, which have so many velocities each: its lower triangle, of composite
        bodies."""
        ends = np.cumsum([0, *sizes]).tolist()
        way = {
            0: (SX(6, 0), list[int]())
        }  # to each frame: S of the joints before it, their columns
        rows, columns, values = list[int](), list[int](), list[Expr]()
        for joint, frames in self.frames.items():
            own = list(range(ends[joint], ends[joint + 1]))
            before, known = way[frames[0].base]
            wrenches = [self.hung[x.node].accelerated(x.S) for x in frames]
            pairs = zip(frames, wrenches, strict=True)
            block = sum((x.S.dot(f) for x, f in pairs), SX(len(own), len(own)))
            total = sum(wrenches[1:], wrenches[0])
            both = ca.densify(ca.horzcat(total.column.T @ before, block))
            for k, row in enumerate(own):
                rows += [row] * both.shape[1]
                columns += [*known, *own]
                values.append(both[k, :].T)
            for x in frames:
                way[x.node] = ca.horzcat(before, x.S.column), [*known, *own]
        n = ends[-1]
        order = sorted(range(len(rows)), key=lambda i: (columns[i], rows[i]))
        pattern = ca.Sparsity.triplet(n, n, [rows[i] for i in order], [columns[i] for i in order])
        return ca.sparsify(ca.tril(SX(pattern, ca.vertcat(SX(0, 1), *values)[order])))

    @cached_property
    def rows(self) -> dict[int, Expr]:
        """By joint: k x 12."""
        return {
            joint: sum(
                (self.hung[x.node].rows(x.S) for x in frames),
                SX(frames[0].S.angular.shape[1], 12),
            )
            for joint, frames in self.frames.items()
        }

    def _changes(self, x: _Frame, shares: Shares) -> Changes:
        """(sigma, eta, zeta) of unit changes: what is left when everything beyond is displaced."""
        twist, acceleration = self.twist[x.node], self.acceleration[x.node]
        of_q, of_v, of_a = shares
        eta = x.by_position[0] - turning(x.S, twist)
        zeta = x.by_position[1] - turning(x.S, acceleration) - turning(eta, twist)
        zeta_v = x.by_velocity - turning(x.S, twist)
        return Changes(
            x.S.scaled(of_q),
            of_q * eta.angular + of_v * x.S.angular,
            zeta.scaled(of_q) + zeta_v.scaled(of_v) + x.S.scaled(of_a),
        )


def moving_tree(
    tree: Tree, v: Sequence[Expr], a: Sequence[Expr], gravity: Expr, loads: Sequence[Wrench]
) -> MovingTree:
    """The recursion outward for motion and inward for bodies; v, a: by joint."""
    still = Spatial(SX(3, 1), SX(3, 1))
    twist, acceleration = {0: still}, {0: Spatial(SX(3, 1), -gravity)}
    holder = {0: 0}  # by node: the moving frame that carries it
    frames: dict[int, tuple[_Frame, ...]] = {}
    for i, node in enumerate(tree.nodes[1:], start=1):
        base = holder[i] = holder[node.parent]
        if node.carried is None or not v[node.joint].numel():
            continue
        holder[i] = i
        joint, pose = tree.joints[node.joint], tree.pose(node.parent)
        motion = v[node.joint], a[node.joint], twist[base], _own_motion(node.carried)
        frame = _Frame(i, base, pose, joint, *motion)
        twist[i] = twist[base] + frame.slide
        acceleration[i] = acceleration[base] + frame.accelerated
        frames[node.joint] = (*frames.get(node.joint, ()), frame)
    hung = {i: nothing() for i in twist}
    for i, node in enumerate(tree.nodes):
        if node.carried is not None and node.carried.body is not None:
            at = holder[i]
            hung[at] += moving_body(tree.pose(i), node.carried.body, twist[at], acceleration[at])
    for x in loads:
        hung[holder[x.node]] += load(x.point, x.force, x.moment, x.follows)
    for number in reversed(frames):
        for frame in frames[number]:
            hung[frame.base] += hung[frame.node]
    return MovingTree(frames, twist, acceleration, hung)


def _own_motion(carried: Carried) -> Expr:
    """S of a frame, about its base's origin and in its base's axes."""
    linear = carried.linear + crossed(carried.pose.p, carried.angular)
    return ca.sparsify(ca.vertcat(carried.angular, linear))


def _branch(
    joint: int, rows: Expr, carried: list[tuple[_Frame, Composite, Changes]], of_q: Expr
) -> Branch:
    k = carried[0][0].S.angular.shape[1]
    own = SX(k, k)
    pull = Spatial(SX(3, k), SX(3, k))
    for x, body, change in carried:
        total = body.changed(change.sigma, change.eta, change.zeta) + carried_along(
            change.sigma, body.wrench
        )
        own += x.S.dot(total)
        own += of_q * x.work(body.wrench)
        pull += total
    frames = tuple(MovedFrame(x.node, x.S, change.spread) for x, _, change in carried)
    return Branch(joint, carried[0][0].base, frames, rows, own, pull)


def _seen_from(pose: Pose, wrench: Spatial) -> Expr:
    """A wrench about the origin of a frame, in its axes."""
    moment = wrench.angular - crossed(pose.p, wrench.linear)
    return ca.densify(ca.vertcat(pose.R.T @ moment, pose.R.T @ wrench.linear))
