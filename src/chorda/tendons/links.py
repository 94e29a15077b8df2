"""A robot as numbers: links in their frames, outward and inward recursion, for many samples.

Nothing here comes from the System's expressions, so that the two can check each other. Arrays have
the sample first: vectors are (n, 3), rotations (n, 3, 3). The equations are those of
[Recursive], for any placement of the joints.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from chorda.describe import (
    DenavitHartenberg,
    Fixed,
    Placement,
    Point,
    Prismatic,
    Pulley,
    Revolute,
    Robot,
)
from chorda.errors import InputError
from chorda.mechanics import Array

OneAxis = Revolute | Prismatic


@dataclass(frozen=True)
class Values:
    """The numbers of a description, with those parameters that a System has other values for."""

    changed: Mapping[str, float] = field(default_factory=dict)

    def scalar(self, name: str, described: float) -> float:
        return self.changed.get(name, described)

    def vector(self, name: str, described: Sequence[float], axes: Sequence[str] = "xyz") -> Array:
        pairs = zip(axes, described, strict=True)
        return np.array([self.changed.get(f"{name}.{axis}", value) for axis, value in pairs], float)

    def place(self, name: str, at: Point | Pulley) -> Array:
        """Coordinates of a point, or of a pulley's centre, in its frame [m]."""
        return np.zeros(3) if isinstance(at.point, str) else self.vector(name, at.point)


@dataclass(frozen=True)
class Link:
    """What a joint carries: its place in the tree and its body in its frame's axes.

    The far end of a link in Denavit-Hartenberg form is one more, without a body and fixed in it.
    """

    name: str
    parent: int
    position: Array  # of the joint in the parent's frame [m]
    turned: Array  # of the joint against the parent's frame
    axis: Array  # of the joint, in its own axes; 0 for fixed joints
    slides: bool
    column: int  # in q; -1: fixed
    is_joint: bool = True
    mass: float = 0.0
    center: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    dry_friction: Any = None  # as described
    stop: tuple[float, ...] | None = None  # low, high, stiffness, damping, smoothing


@dataclass(frozen=True)
class Frame:
    """Pose and motion of a frame, the motion in the frame's own axes."""

    R: Array  # to the world's axes
    p: Array  # origin in the world [m]
    E: Array  # from the parent's axes to the frame's
    r: Array  # origin in the parent's axes, from the parent's origin [m]
    w: Array
    v: Array
    w_dot: Array
    v_dot: Array  # gravity enters as an upward acceleration of the world

    def at(self, point: Array) -> Array:
        """World position of a point fixed in the frame [m]."""
        return self.p + self.R @ point

    def speed(self, place: Array) -> Array:
        """World velocity of the frame's material at a place of the world [m/s]."""
        return turn(self.R, self.v) + np.cross(turn(self.R, self.w), place - self.p)


Configuration = list[Frame]  # the world is frame 0


@dataclass(frozen=True)
class Wrenches:
    """Forces and moments about each frame's origin, in the frame's axes (frames, n, 3)."""

    F: Array
    N: Array

    def push(self, at: Configuration, frame: int, force: Array, place: Array) -> None:
        """Adds a force, in world axes, that acts on a frame at a place of the world."""
        back = at[frame].R.transpose(0, 2, 1)
        self.F[frame] += turn(back, force)
        self.N[frame] += turn(back, np.cross(place - at[frame].p, force))


@dataclass(frozen=True)
class Tree:
    """The links of a robot, a parent before its children; link i carries frame i + 1."""

    robot: Robot
    values: Values
    links: tuple[Link, ...]

    @cached_property
    def index(self) -> dict[str, int]:
        return {"world": 0} | {link.name: i + 1 for i, link in enumerate(self.links)}

    @cached_property
    def moving(self) -> tuple[Link, ...]:
        return tuple(link for link in self.links if link.column >= 0)

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """Frames that joints carry."""
        return tuple(i + 1 for i, link in enumerate(self.links) if link.is_joint)

    @cached_property
    def gravity(self) -> Array:
        return self.values.vector("gravity", self.robot.gravity)

    def way(self, a: int, b: int) -> list[int]:
        """Frames from a up to the one that carries both, and those below it to b."""

        def up(frame: int) -> list[int]:
            return [frame, *(up(self.links[frame - 1].parent) if frame else [])]

        first, second = up(a), up(b)
        root = next(x for x in first if x in second)
        return [*first[: first.index(root) + 1], *second[: second.index(root)]]

    def still(self, n: int) -> Wrenches:
        """No force anywhere."""
        return Wrenches(*np.zeros((2, len(self.links) + 1, n, 3)))

    def outward(self, q: Array, v: Array, a: Array, gravity: Array) -> Configuration:
        """Velocities and accelerations from the base to the tips [Recursive, eqs. 2-15]."""
        n = len(q)
        zero, eye = np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1))
        out = [Frame(eye, zero, eye, zero, zero, zero, zero, zero - gravity)]
        for link in self.links:
            base, moves = out[link.parent], link.column >= 0
            angle = q[:, link.column] if moves else np.zeros(n)
            rate = v[:, link.column, None] * link.axis if moves else zero
            gain = a[:, link.column, None] * link.axis if moves else zero
            if link.slides:
                r = link.position + angle[:, None] * (link.turned @ link.axis)
                R = np.broadcast_to(link.turned, (n, 3, 3))
            else:
                r = np.broadcast_to(link.position, (n, 3))
                R = link.turned @ rotation(link.axis, angle) if moves else eye @ link.turned
            E = R.transpose(0, 2, 1)
            w, w_dot = turn(E, base.w), turn(E, base.w_dot)  # of the parent, in new axes
            vel = turn(E, base.v + np.cross(base.w, r))
            swing = np.cross(base.w_dot, r) + np.cross(base.w, np.cross(base.w, r))
            acc = turn(E, base.v_dot + swing)  # eq. 5
            if link.slides:
                vel, acc = vel + rate, acc + gain + 2 * np.cross(w, rate)
            else:
                w_dot = w_dot + gain + np.cross(w, rate)  # eq. 3
                w = w + rate  # eq. 2
            place = base.p + turn(base.R, r)
            out.append(Frame(base.R @ R, place, E, r, w, vel, w_dot, acc))
        return out

    def inward(self, at: Configuration, outside: Wrenches) -> Wrenches:
        """What each frame gets from its parent, from tips to base [Recursive, eqs. 23-25]."""
        need = self.still(len(at[0].p))
        for i in reversed(range(len(self.links))):
            link, k, here = self.links[i], i + 1, at[i + 1]
            w, w_dot, c = here.w, here.w_dot, link.center
            F = link.mass * (here.v_dot + np.cross(w_dot, c) + np.cross(w, np.cross(w, c)))
            N = w_dot @ link.inertia + np.cross(w, w @ link.inertia)  # eq. 24
            need.F[k] += F - outside.F[k]
            need.N[k] += N + np.cross(c, F) - outside.N[k]
            back = here.E.transpose(0, 2, 1)
            F, N, up = turn(back, need.F[k]), turn(back, need.N[k]), link.parent
            need.F[up] += F
            need.N[up] += N + np.cross(here.r, F)
        return need

    def along_axes(self, wrench: Wrenches) -> Array:
        """The part of each moving joint's wrench that its axis does not carry by itself (n, nj)."""
        rows = [
            (wrench.F if link.slides else wrench.N)[self.index[link.name]] @ link.axis
            for link in self.moving
        ]
        return np.stack(rows, 1) if rows else np.zeros((len(wrench.F[0]), 0))


def turn(R: Array, x: Array) -> Array:
    """R x for every sample."""
    return np.einsum("nij,nj->ni", R, x)


def rotation(axis: Array, angle: Array) -> Array:
    """Rotations about a constant unit axis."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_rotvec(np.outer(angle, axis)).as_matrix(), float)


def links(robot: Robot, values: Values) -> Tree:
    """The robot's tree in numbers; joints of other kinds and closures are refused by name."""
    other = [f"'{j.name}' ({j.kind})" for j in robot.joints if j.kind in ("x", "free", "rod")]
    if other:
        raise InputError(
            f"{robot.name}: the recursion knows revolute, prismatic and fixed joints, not "
            f"{', '.join(other)}; describe an X-joint by its bars, a free body by six one-axis "
            "joints; forces inside a single rod are in chorda.continuous.rod_statics"
        )
    if robot.closures or robot.couplings:
        ties: list[Any] = [*robot.closures, *robot.couplings]
        names = ", ".join(f"'{x.name}'" for x in ties)
        raise InputError(
            f"{robot.name}: the forces in closures ({names}) do not follow from a recursion over "
            "the tree; cut the loop with a stiff spring, or read `reaction` in run.data"
        )
    made: list[Link] = []
    index, column = {"world": 0}, 0
    for joint in robot.joints:
        assert isinstance(joint, Revolute | Prismatic | Fixed)
        moves = isinstance(joint, OneAxis)
        made.append(_link(joint, index[joint.parent], column if moves else -1, values))
        index[joint.name] = len(made)
        column += moves
        if isinstance(joint, OneAxis) and joint.link is not None:
            made.append(_tip(joint.name, joint.link, len(made), values))
            index[made[-1].name] = len(made)
    return Tree(robot, values, tuple(made))


def _link(joint: OneAxis | Fixed, parent: int, column: int, values: Values) -> Link:
    name, placed = joint.name, joint.standing
    turned = np.eye(3)
    if placed != Placement() and placed.angle:
        turned = rotation(np.array(placed.axis), np.array([placed.angle]))[0]
    parts: dict[str, Any] = {}
    if joint.body is not None:
        six = ("xx", "yy", "zz", "xy", "xz", "yz")
        xx, yy, zz, xy, xz, yz = values.vector(f"{name}.inertia", joint.body.inertia, six)
        parts = {
            "mass": values.scalar(f"{name}.mass", joint.body.mass),
            "center": values.vector(f"{name}.center", joint.body.center),
            "inertia": np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
        }
    if isinstance(joint, OneAxis):
        parts |= {
            "friction": values.scalar(f"{name}.friction", joint.friction or 0.0),
            "stiffness": values.scalar(f"{name}.stiffness", joint.stiffness or 0.0),
            "rest": values.scalar(f"{name}.rest", joint.rest),
            "dry_friction": joint.dry_friction,
            "stop": _stop(joint, values),
        }
    return Link(
        name,
        parent,
        values.vector(f"{name}.position", placed.position),
        turned,
        np.array(joint.axis) if isinstance(joint, OneAxis) else np.zeros(3),
        isinstance(joint, Prismatic),
        column,
        True,
        **parts,
    )


def _stop(joint: OneAxis, values: Values) -> tuple[float, ...] | None:
    """Ends of the range, stiffness, damping and smoothing."""
    if joint.stop is None or joint.range is None:
        return None
    given = {"low": joint.range[0], "high": joint.range[1], "stiffness": joint.stop.stiffness}
    given |= {x: getattr(joint.stop, x) or 0.0 for x in ("damping", "smoothing")}
    return tuple(values.scalar(f"{joint.name}.stop.{key}", x) for key, x in given.items())


def _tip(name: str, link: DenavitHartenberg, parent: int, values: Values) -> Link:
    """Far end of a link, Rz(theta) Tz(d) Tx(a) Rx(alpha) [Recursive, eq. 1]."""
    x, _, z = np.eye(3)
    about_z = rotation(z, np.array([link.theta]))[0]
    about_x = rotation(x, np.array([link.alpha]))[0]
    a, d = (values.scalar(f"{name}.link.{key}", getattr(link, key)) for key in ("a", "d"))
    none = np.zeros(3)
    return Link(
        f"{name}.tip", parent, a * about_z @ x + d * z, about_z @ about_x, none, False, -1, False
    )
