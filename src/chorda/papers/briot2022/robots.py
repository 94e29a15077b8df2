"""The paper's two robots: their paths of motor angles, and those on which stability is lost."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.catalogue.parallel import FIRST, rfrfr, six_rfs
from chorda.describe import Robot, Rod
from chorda.mechanics import Array

SLICE = (0.635, Rotation.from_euler("ZYZ", (math.pi / 8, math.pi / 3, 0)).as_matrix())
BULGE = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}  # a guess of the RFRFR in any basis


@dataclass(frozen=True)
class ParallelRobot:
    """A robot and its two paths.

    make: the robot with so many modes and intervals. start, goal: motor angles [rad] at the ends of
    the printed path; frame: the one whose pose is compared; bends: constant bends that the
    continuous model starts from. route: x and y [m] of the frame at the ends of the straight line
    along which stability is lost; pose: the target pose there.
    """

    name: str
    make: Callable[[int, int], Robot]
    motors: tuple[str, ...]
    start: tuple[float, ...]
    goal: tuple[float, ...]
    frame: str
    bends: Mapping[str, float]
    route: tuple[tuple[float, float], tuple[float, float]]
    pose: Callable[[float, float], Mapping[str, Any]]

    def angles(self, t: float) -> dict[str, float]:
        """Of the motors on the printed path, t from 0 to 1 [Briot2022, eq. 60]."""
        a, b = np.array(self.start), np.array(self.goal)
        return dict(zip(self.motors, (a + t * (b - a)).tolist(), strict=True))

    def point(self, t: float) -> tuple[float, float]:
        """x and y [m] on the path on which stability is lost, t from 0 to 1."""
        a, b = np.array(self.route)
        x, y = (a + t * (b - a)).tolist()
        return x, y

    def target(self, t: float) -> dict[str, Mapping[str, Any]]:
        """The target pose there."""
        return {self.frame: self.pose(*self.point(t))}


PLANAR = ParallelRobot(
    "rfrfr",
    rfrfr,
    ("motor1", "motor2"),
    (2.59, 0.55),
    (5.76, 3.67),
    "leg1.tip",
    {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0},
    ((0.0, 0.8), (0.0, -0.2)),
    lambda x, y: {"x": x, "y": y},
)
SPATIAL = ParallelRobot(
    "6-rfs",
    six_rfs,
    tuple(f"motor{k}" for k in range(1, 7)),
    FIRST,
    (7.95, 7.65, 4.29, 3.89, 3.77, 3.17),
    "platform",
    {f"leg{k}.bend_y": -2.0 for k in range(1, 7)},
    ((-0.4, 0.0), (-0.4, 0.2)),
    lambda x, y: {"x": x, "y": y, "z": SLICE[0], "rotation": SLICE[1]},
)


def angular_error(R1: Array, R2: Array) -> Array:
    """As the paper has it: the norm of vee(R1^T R2 - R2^T R1), twice the sine of the angle.

    >>> R = Rotation.from_euler("z", [[0.0], [0.01]]).as_matrix()
    >>> angular_error(R[:1], R[1:]).round(6).tolist()
    [0.02]
    """
    D = np.swapaxes(R1, -1, -2) @ R2
    D = D - np.swapaxes(D, -1, -2)
    return np.asarray(np.sqrt(D[..., 2, 1] ** 2 + D[..., 0, 2] ** 2 + D[..., 1, 0] ** 2))


def in_basis(robot: Robot, basis: str) -> Robot:
    """The robot with another basis of strains in all of its rods."""
    joints = []
    for joint in robot.joints:
        if isinstance(joint, Rod):
            modes = joint.modes.model_copy(update={"basis": basis})
            joint = joint.model_copy(update={"modes": modes})
        joints.append(joint)
    return robot.model_copy(update={"joints": tuple(joints)})
