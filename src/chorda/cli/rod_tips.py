"""Where the tips of rods are: people read these instead of the many strains."""

from typing import Any

import numpy as np

from chorda.cli.output import number
from chorda.describe import Rod
from chorda.mechanics import Array, System
from chorda.results import Equilibrium, Run


def _rods(system: System) -> list[str]:
    return [joint.name for joint in system.robot.joints if isinstance(joint, Rod)]


def strains(system: System) -> frozenset[str]:
    """Names of coordinates that are strains: there are many, and they mean little to a person."""
    if not _rods(system):
        return frozenset()  # and no figure code is loaded
    from chorda.view.strain_names import strain_of

    return frozenset(strain_of(system))


def tips(result: Run | Equilibrium) -> dict[str, tuple[Array, Array]]:
    """By frame (rod.tip): position [m] and rotation, of a motion at every time."""
    return {f"{rod}.tip": result.frame(f"{rod}.tip") for rod in _rods(result.system)}


def tip_data(result: Run | Equilibrium) -> dict[str, Any]:
    """Tips, of a motion at its end, for JSON: position [m], tangent, quaternion (w, x, y, z)."""
    from scipy.spatial.transform import Rotation

    found = {}
    for frame, (p, R) in tips(result).items():
        position, rotation = p.reshape(-1, 3)[-1], R.reshape(-1, 3, 3)[-1]
        x, y, z, w = Rotation.from_matrix(rotation).as_quat(canonical=True)
        quaternion = np.array([w, x, y, z])
        tangent = rotation[:, 0]
        found[frame] = {"position": position, "tangent": tangent, "quaternion": quaternion}
    return found


def tip_rows(result: Equilibrium) -> list[tuple[str, str]]:
    return [
        (f"{frame} {what}{axis}", f"{number(x)} {unit}")
        for frame, (p, R) in tips(result).items()
        for what, unit, vector in (("", "m", p), ("tangent ", "-", R[:, 0]))
        for axis, x in zip("xyz", vector, strict=True)
    ]
