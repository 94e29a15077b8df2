"""Where the tips of rods are: people read these instead of the many strains."""

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.cli.output import number
from chorda.describe import Rod
from chorda.mechanics import Array, System


def has_rods(system: System) -> bool:
    """Whether there is anything to look up; without rods no figure code is loaded."""
    return any(isinstance(joint, Rod) for joint in system.robot.joints)


def strains(system: System) -> frozenset[str]:
    """Names of coordinates that are strains: there are many, and they mean little to a person."""
    if not has_rods(system):
        return frozenset()
    from chorda.view.rod_coordinates import strain_of

    return frozenset(strain_of(system))


def tips(system: System, q: Array, p: Array) -> dict[str, tuple[Array, Array]]:
    """By frame (rod.tip): rotations (n, 3, 3), positions (n, 3) [m] at configurations (n, nq)."""
    if not has_rods(system):
        return {}
    from chorda.view.rod_coordinates import tip_poses

    return tip_poses(system, q, p)


def tip_data(system: System, q: Array, p: Array) -> dict[str, Any]:
    """Tips at one configuration, for JSON: position [m], tangent, quaternion (w, x, y, z)."""
    return {
        frame: {"position": at[0], "tangent": R[0][:, 0], "quaternion": _quaternion(R[0])}
        for frame, (R, at) in tips(system, q[None], p).items()
    }


def tip_rows(system: System, q: Array, p: Array) -> list[tuple[str, str]]:
    rows = []
    for frame, (R, at) in tips(system, q[None], p).items():
        for what, unit, vector in (("", "m", at[0]), ("tangent ", "-", R[0][:, 0])):
            rows += [
                (f"{frame} {what}{axis}", f"{number(x)} {unit}")
                for axis, x in zip("xyz", vector, strict=True)
            ]
    return rows


def _quaternion(R: Array) -> Array:
    """Of a rotation matrix; w >= 0."""
    x, y, z, w = Rotation.from_matrix(R).as_quat(canonical=True)
    return np.array([w, x, y, z])
