"""Bodies that shapes are fixed to: how their points move, and what pushes them.

What pushes a body at many points is summed up as one wrench before it acts on the joints.
"""

from dataclasses import dataclass, field

import casadi as ca
import numpy as np

from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Moving:
    """A body against a frame that carries it (root), in the axes of that frame."""

    origin: Expr  # (3) [m]
    turn: Expr  # (3 x nv) angular velocity per velocity of the joints
    shift: Expr  # (3 x nv) velocity of its origin, likewise
    spin: Expr  # (3) [rad/s]
    speed: Expr  # (3) of its origin [m/s]

    def rates(self, point: Expr) -> Expr:
        """Velocity of the body's own point there, per velocity (3 x nv)."""
        arm = ca.sparsify(point - self.origin)
        return ca.sparsify(self.shift - ca.skew(arm) @ self.turn)

    def velocity(self, point: Expr) -> Expr:
        """The same as it moves [m/s]."""
        return ca.sparsify(self.speed + cross(self.spin, ca.sparsify(point - self.origin)))


@dataclass
class _Wrench:
    force: Expr
    moment: Expr  # about the body's origin


@dataclass(frozen=True, eq=False)
class Bodies:
    """Of a robot, each made when it is first asked for."""

    skeleton: Skeleton
    _moving: dict[tuple[int, int], Moving] = field(default_factory=dict, repr=False)
    _wrenches: dict[tuple[int, int], _Wrench] = field(default_factory=dict, repr=False)

    def moving(self, node: int, root: int) -> Moving:
        """A frame against one that carries it."""
        if (node, root) not in self._moving:
            v, turn, shift = self.skeleton.v, *_rates(self.skeleton, node, root)
            spin, speed = ca.sparsify(turn @ v), ca.sparsify(shift @ v)
            origin = self.skeleton.tree.pose(node, root).p
            self._moving[node, root] = Moving(origin, turn, shift, spin, speed)
        return self._moving[node, root]

    def push(self, node: int, root: int, point: Expr, force: Expr, moment: Expr) -> None:
        """Adds a force at a point and a moment, in the axes of the root."""
        if node == root:
            return
        wrench = self._wrenches.setdefault((node, root), _Wrench(SX(3, 1), SX(3, 1)))
        arm = ca.sparsify(point - self.moving(node, root).origin)
        wrench.force = ca.sparsify(wrench.force + force)
        wrench.moment = ca.sparsify(wrench.moment + cross(arm, force) + moment)

    def force(self) -> Expr:
        """Generalized, of all that pushes them (nv of the joints)."""
        Q = SX(self.skeleton.v.numel(), 1)
        for at, wrench in self._wrenches.items():
            moving = self.moving(*at)
            Q += moving.shift.T @ wrench.force + moving.turn.T @ wrench.moment
        return ca.sparsify(Q)


def _rates(skeleton: Skeleton, node: int, root: int) -> tuple[Expr, Expr]:
    """Angular velocity of a frame and velocity of its origin, per velocity of the joints (3 x nv
    each)."""
    tree = skeleton.tree
    first = np.cumsum([0, *[joint.v.numel() for joint in tree.joints]]).tolist()
    turns, shifts = SX(3, first[-1]), SX(3, first[-1])
    origin = tree.pose(node, root).p
    while node != root:
        own = tree.nodes[node]
        if own.carried is not None and tree.joints[own.joint].v.numel():
            R = tree.pose(own.parent, root).R
            arm = ca.sparsify(origin - tree.pose(node, root).p)
            joint = tree.joints[own.joint]
            turn, shift = own.carried.angular, own.carried.linear
            if joint.soft is not None:
                turn, shift = joint.soft.slice_rates(joint.soft.slice_of(own.name))
            columns = slice(first[own.joint], first[own.joint + 1])
            turns[:, columns] = R @ turn
            shifts[:, columns] = R @ shift - ca.skew(arm) @ (R @ turn)
        node = own.parent
    return ca.sparsify(turns), ca.sparsify(shifts)
