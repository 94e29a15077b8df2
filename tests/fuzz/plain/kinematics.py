"""Where the frames of a described robot are, in numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.describe import Placement, Point, Robot, Rod, XJoint
from tests.fuzz.plain.differences import turned
from tests.fuzz.plain.rods import PlainRod

Pose = tuple[Any, Any]  # rotation, origin


def compose(a: Pose, b: Pose) -> Pose:
    return a[0] @ b[0], a[1] + a[0] @ b[1]


def placed(placement: Placement) -> Pose:
    return turned(placement.axis, placement.angle), np.array(placement.position, float)


@dataclass(frozen=True)
class Mass:
    """A rigid body in a frame: its centre, and its inertia about it in the frame's axes."""

    frame: str
    mass: float
    center: Any
    inertia: Any


def _matrix(inertia: Any) -> Any:
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


class Kinematics:
    """Poses of frames of a robot at q, the coordinates of its joints in their order."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.rods = {x.name: PlainRod(x, robot) for x in robot.joints if isinstance(x, Rod)}
        self.nq = self.nv = 0
        self.rows: dict[str, tuple[int, int, int]] = {}  # first of q and of v, and how many of v
        for joint in robot.joints:
            nq, nv = self._counts(joint)
            self.rows[joint.name] = self.nq, self.nv, nv
            self.nq, self.nv = self.nq + nq, self.nv + nv
        self.masses = [m for joint in robot.joints for m in self._masses(joint)]

    def _counts(self, joint: Any) -> tuple[int, int]:
        if isinstance(joint, Rod):
            n = self.rods[joint.name].count
            return n, n
        return {"free": (7, 6), "fixed": (0, 0)}.get(joint.kind, (1, 1))

    def rest(self) -> Any:
        """The reference configuration."""
        q = np.zeros(self.nq)
        for joint in self.robot.joints:
            if joint.kind == "free":
                q[self.rows[joint.name][0]] = 1.0
        return q

    def moved(self, q: Any, v: Any, t: float) -> Any:
        """q after a time of constant velocities, those of free joints in their base's axes."""
        out = np.array(q, float)
        for joint in self.robot.joints:
            i, k, n = self.rows[joint.name]
            if joint.kind == "free":
                w, x, y, z = out[i : i + 4]
                turn = Rotation.from_rotvec(np.asarray(v[k : k + 3]) * t)
                x, y, z, w = (turn * Rotation.from_quat([x, y, z, w])).as_quat()
                out[i : i + 4] = w, x, y, z
                out[i + 4 : i + 7] += np.asarray(v[k + 3 : k + 6]) * t
            else:
                out[i : i + n] += np.asarray(v[k : k + n]) * t
        return out

    def frames(self, q: Any) -> dict[str, Pose]:
        """By name, slices of rods (ROD/k) among them."""
        found: dict[str, Pose] = {"world": (np.eye(3), np.zeros(3))}
        for joint in self.robot.joints:
            i, _, _ = self.rows[joint.name]
            base = compose(found[joint.parent], placed(joint.placement))
            if isinstance(joint, Rod):
                rod = self.rods[joint.name]
                found |= rod.frames(base, q[i : i + rod.count])
            elif isinstance(joint, XJoint):
                found |= _crossed(joint, base, q[i])
            else:
                found[joint.name] = compose(base, _own(joint, q, i))
                if (link := getattr(joint, "link", None)) is not None:
                    z = turned((0, 0, 1), link.theta), np.array([0.0, 0.0, link.d])
                    x = turned((1, 0, 0), link.alpha), np.array([link.a, 0.0, 0.0])
                    found[f"{joint.name}.tip"] = compose(found[joint.name], compose(z, x))
        return found

    def at(self, frames: dict[str, Pose], point: Point) -> Any:
        """A described point in the world."""
        R, p = frames[point.frame]
        return p + R @ self.local(point)

    def local(self, point: Any) -> Any:
        """A described point in its frame."""
        if not isinstance(point.point, str):
            return np.array(point.point, float)
        if point.point == "origin":
            return np.zeros(3)
        name, _, frame = point.frame.partition(".")
        joint = self.robot.named(name)
        length = joint.bar_length if frame in ("base", "top") else joint.diagonal_length
        return np.array([-length / 2 if point.point in ("left", "low") else length / 2, 0, 0])

    def _masses(self, joint: Any) -> list[Mass]:
        if isinstance(joint, Rod):
            return [Mass(*x) for x in self.rods[joint.name].masses()]
        if isinstance(joint, XJoint):
            L, b = joint.diagonal_length, joint.bar_length
            bars = [("left_diagonal", joint.diagonal_mass, L)]
            bars += [("right_diagonal", joint.diagonal_mass, L), ("top", joint.bar_mass, b)]
            return [
                Mass(f"{joint.name}.{x}", m, np.zeros(3), m * n**2 / 12 * np.diag([0.0, 1.0, 1.0]))
                for x, m, n in bars
            ]
        body = joint.body
        if body is None:
            return []
        return [Mass(joint.name, body.mass, np.array(body.center), _matrix(body.inertia))]


def _own(joint: Any, q: Any, i: int) -> Pose:
    """The pose of a joint's frame in its base."""
    if joint.kind == "revolute":
        return turned(joint.axis, q[i]), np.zeros(3)
    if joint.kind == "prismatic":
        return np.eye(3), np.array(joint.axis) * q[i]
    if joint.kind == "free":
        w, x, y, z = q[i : i + 4]
        return Rotation.from_quat([x, y, z, w]).as_matrix(), np.array(q[i + 4 : i + 7])
    held = joint.held
    if held is None:
        return np.eye(3), np.zeros(3)
    return turned(held.axis, held.angle), held.shift * np.array(held.axis)


def _crossed(joint: XJoint, base: Pose, alpha: float) -> dict[str, Pose]:
    """Frames of an X-joint: the top bar is where two circles about the base bar's ends meet."""
    L, half = joint.diagonal_length, joint.bar_length / 2
    left, right = np.array([-half, 0.0]), np.array([half, 0.0])
    bar = half * np.array([np.cos(alpha), np.sin(alpha)])  # from the top's middle to its right end
    one, other = left - bar, right + bar  # the middle is L away from both
    apart = np.linalg.norm(other - one)
    along = (other - one) / apart
    up = np.array([-along[1], along[0]])
    middle = (one + other) / 2 + up * np.sqrt(L**2 - apart**2 / 4)

    def flat(a: Any, b: Any) -> Pose:
        """A frame in the middle of two points, its x along them."""
        x = (b - a) / np.linalg.norm(b - a)
        R = np.array([[x[0], -x[1], 0], [x[1], x[0], 0], [0, 0, 1]])
        return R, np.append((a + b) / 2, 0.0)

    own = {
        "left_diagonal": flat(left, middle + bar),
        "right_diagonal": flat(right, middle - bar),
        "top": flat(middle - bar, middle + bar),
    }
    found = {f"{joint.name}.{name}": compose(base, pose) for name, pose in own.items()}
    return {f"{joint.name}.base": base, **found}
