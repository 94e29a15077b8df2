"""Bodies that shapes are fixed to, and slices of rods: how their points move, what pushes them.

What pushes a body or a slice at many points is summed up as one wrench before it acts on joints.
"""

from dataclasses import dataclass, field

import casadi as ca
import numpy as np

from chorda.mechanics.frames import SX, Expr, Pose, cross
from chorda.mechanics.joints.proxy import slice_frame
from chorda.mechanics.rods.soft import BASE, Soft
from chorda.mechanics.skeleton import Skeleton


@dataclass(frozen=True)
class RodSlice:
    """A slice of the rod that is a joint, by numbers."""

    joint: int
    slice: int


At = int | RodSlice  # a frame of the tree, or a slice


@dataclass(frozen=True, eq=False)
class Moving:
    """A body, or a slice, against a frame that carries it (root), in the axes of that frame."""

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
    _moving: dict[tuple[At, int], Moving] = field(default_factory=dict, repr=False)
    _speeds: dict[int, Expr] = field(default_factory=dict, repr=False)
    _wrenches: dict[tuple[int, int], _Wrench] = field(default_factory=dict, repr=False)
    _on_rods: dict[int, Expr] = field(default_factory=dict, repr=False)
    _on_feeds: dict[int, Expr] = field(default_factory=dict, repr=False)

    def soft(self, number: int) -> Soft:
        """The rod that is a joint."""
        model = self.skeleton.tree.joints[number]
        soft = model.soft if model.proxy_of is None else model.proxy_of.soft
        assert soft is not None
        return soft

    def base(self, number: int) -> int:
        """The frame of the base of a rod."""
        return self.skeleton.tree.index[f"{self._name(number)}.base"]

    def pose(self, at: At, root: int) -> Pose:
        """A frame or a slice seen from a frame that carries it."""
        node = self._node(at)
        if node is not None:
            return self.skeleton.tree.pose(node, root)
        assert isinstance(at, RodSlice)
        base = self.skeleton.tree.pose(self.base(at.joint), root)
        return base @ self.soft(at.joint).pose(at.slice)

    def moving(self, at: At, root: int) -> Moving:
        """A frame or a slice against a frame that carries it."""
        if (at, root) not in self._moving:
            node = self._node(at)
            if node is not None:
                self._moving[at, root] = self._frame(node, root)
            else:
                assert isinstance(at, RodSlice)
                self._moving[at, root] = self._slice(at, root)
        return self._moving[at, root]

    def passing(self, at: At, root: int) -> tuple[Expr, Expr] | None:
        """Of a slice of a rod that is fed: angular and linear velocity of its material against it,
        for a unit rate of the length."""
        twist = None if isinstance(at, int) else self._joint(at.joint).passing.get(at.slice)
        if twist is None:
            return None
        R = self.pose(at, root).R
        return R @ twist[:3], R @ twist[3:]

    def feed(self, number: int) -> int:
        """Which of the velocities is the rate of a rod's length: its last one."""
        return self._columns(number).stop - 1

    def push(self, at: At, root: int, force: Expr, moment: Expr) -> None:
        """Adds a force at the origin of a frame or slice, and a moment, in the axes of the root."""
        node = self._node(at)
        if node is not None:
            self._push(node, root, force, moment)
            return
        assert isinstance(at, RodSlice)
        base = self.base(at.joint)
        pose, arm = self.skeleton.tree.pose(base, root), self.pose(at, root).p
        self._push(base, root, force, moment + cross(ca.sparsify(arm - pose.p), force))
        each = self._on_rods.setdefault(at.joint, SX(6, self.soft(at.joint).p.shape[1]))
        each[:, at.slice] += ca.vertcat(pose.R.T @ force, pose.R.T @ moment)

    def push_feed(self, number: int, force: Expr) -> None:
        """Adds a force along the length of a rod that is fed."""
        self._on_feeds[number] = self._on_feeds.get(number, SX(0)) + force

    def force(self) -> Expr:
        """Generalized, of all that pushes them (nv of the joints)."""
        Q = SX(self.skeleton.v.numel(), 1)
        for at, wrench in self._wrenches.items():
            moving = self.moving(*at)
            Q += moving.shift.T @ wrench.force + moving.turn.T @ wrench.moment
        for number, wrenches in self._on_rods.items():
            Q[self._columns(number)] += self.soft(number).pulled(wrenches)
        for number, force in self._on_feeds.items():
            Q[self.feed(number)] += force
        return ca.sparsify(Q)

    def _joint(self, number: int) -> Expr:
        return self.skeleton.tree.joints[number]

    def _name(self, number: int) -> str:
        return self.skeleton.robot.joints[number].name

    def _columns(self, number: int) -> slice:
        """Velocities of a joint."""
        first = sum(joint.v.numel() for joint in self.skeleton.tree.joints[:number])
        return slice(first, first + self._joint(number).v.numel())

    def _node(self, at: At) -> int | None:
        """The frame that something is; in a robot of proxy joints, slices are frames."""
        if isinstance(at, int):
            return at
        if at.slice == BASE:
            return self.base(at.joint)
        if self._joint(at.joint).proxy_of is None:
            return None
        return self.skeleton.tree.index[f"{self._name(at.joint)}.{slice_frame(at.slice)}"]

    def _frame(self, node: int, root: int) -> Moving:
        v, turn, shift = self.skeleton.v, *_rates(self.skeleton, node, root)
        spin, speed = ca.sparsify(turn @ v), ca.sparsify(shift @ v)
        return Moving(self.skeleton.tree.pose(node, root).p, turn, shift, spin, speed)

    def _slice(self, at: RodSlice, root: int) -> Moving:
        soft, columns, base = self.soft(at.joint), self._columns(at.joint), self.base(at.joint)
        carrier, R = self.moving(base, root), self.skeleton.tree.pose(base, root).R
        origin = self.pose(at, root).p
        turn, shift = SX(carrier.turn), carrier.rates(origin)
        own = soft.slice_rates(at.slice)
        turn[:, columns] += R @ own[0]
        shift[:, columns] += R @ own[1]
        if at.joint not in self._speeds:
            self._speeds[at.joint] = soft.speeds(self.skeleton.v[columns])
        w, v = soft.scans.speed(self._speeds[at.joint][:, at.slice])
        spin, speed = carrier.spin + R @ w, carrier.velocity(origin) + R @ v
        return Moving(origin, *map(ca.sparsify, (turn, shift, spin, speed)))

    def _push(self, node: int, root: int, force: Expr, moment: Expr) -> None:
        if node == root:
            return
        wrench = self._wrenches.setdefault((node, root), _Wrench(SX(3, 1), SX(3, 1)))
        wrench.force = ca.sparsify(wrench.force + force)
        wrench.moment = ca.sparsify(wrench.moment + moment)


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
