"""The paper's two robots: their paths of motor angles, and those on which stability is lost."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.catalogue.parallel import FIRST, rfrfr, six_rfs
from chorda.describe import Robot
from chorda.mechanics import Array

SLICE = (0.635, Rotation.from_euler("ZYZ", (math.pi / 8, math.pi / 3, 0)).as_matrix())


@dataclass(frozen=True)
class Subject:
    """A robot and what is done with it.

    make: by modes and intervals. first, last: angles of the motors, `end`: the frame that is
    looked at. bulge: constant bends that the continuous model starts from. walk: from here to
    there stability is lost, by x and y [m]; placed: the prescribed pose there.
    """

    name: str
    make: Callable[[int, int], Robot]
    motors: tuple[str, ...]
    first: tuple[float, ...]
    last: tuple[float, ...]
    end: str
    bulge: Mapping[str, float]
    walk: tuple[tuple[float, float], tuple[float, float]]
    placed: Callable[[float, float], Mapping[str, Any]]

    def angles(self, share: float) -> dict[str, float]:
        """Of the motors on the printed path [Briot2022, eq. 60]."""
        a, b = np.array(self.first), np.array(self.last)
        return dict(zip(self.motors, (a + share * (b - a)).tolist(), strict=True))

    def on_walk(self, share: float) -> tuple[float, float]:
        """x and y on the way on which stability is lost."""
        a, b = np.array(self.walk[0]), np.array(self.walk[1])
        x, y = (a + share * (b - a)).tolist()
        return x, y

    def place(self, share: float) -> dict[str, Mapping[str, Any]]:
        """The prescribed pose on that way."""
        return {self.end: self.placed(*self.on_walk(share))}


def _in_plane(x: float, y: float) -> Mapping[str, Any]:
    return {"x": x, "y": y}


def _in_slice(x: float, y: float) -> Mapping[str, Any]:
    return {"x": x, "y": y, "z": SLICE[0], "rotation": SLICE[1]}


PLANAR = Subject(
    "rfrfr",
    rfrfr,
    ("motor1", "motor2"),
    (2.59, 0.55),
    (5.76, 3.67),
    "leg1.tip",
    {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0},
    ((0.0, 0.8), (0.0, -0.2)),
    _in_plane,
)
SPATIAL = Subject(
    "6-rfs",
    six_rfs,
    tuple(f"motor{k}" for k in range(1, 7)),
    FIRST,
    (7.95, 7.65, 4.29, 3.89, 3.77, 3.17),
    "platform",
    {f"leg{k}.bend_y": -2.0 for k in range(1, 7)},
    ((-0.4, 0.0), (-0.4, 0.2)),
    _in_slice,
)


def turned_by(R1: Array, R2: Array) -> Array:
    """The paper's angular error: the norm of vee(R1^T R2 - R2^T R1), twice the sine of the angle.

    >>> R = Rotation.from_euler("z", [[0.0], [0.01]]).as_matrix()
    >>> turned_by(R[:1], R[1:]).round(6).tolist()
    [0.02]
    """
    D = np.swapaxes(R1, -1, -2) @ R2
    D = D - np.swapaxes(D, -1, -2)
    return np.asarray(np.sqrt(D[..., 2, 1] ** 2 + D[..., 0, 2] ** 2 + D[..., 1, 0] ** 2))
