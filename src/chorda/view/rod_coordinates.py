"""What pictures and tables show of rods: their tips, and strains by name."""

from chorda.describe import STRAINS, Rod
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses


def tip_poses(system: System, q: Array, parameters: Array) -> dict[str, tuple[Array, Array]]:
    """By frame (rod.tip): rotations (n, 3, 3), positions (n, 3) [m] at configurations (n, nq)."""
    frames = [f"{x.name}.tip" for x in system.robot.joints if isinstance(x, Rod)]
    R, at = frame_poses(system, frames, q, parameters)
    return {frame: (R[:, k], at[:, k]) for k, frame in enumerate(frames)}


def strain_of(system: System) -> dict[str, str]:
    """By name of a coordinate that is a mode of a rod's strain: that strain, such as bend_y."""
    found = {}
    rods = {x.name for x in system.robot.joints if isinstance(x, Rod)}
    for name in system.coordinate_names:
        rod, _, mode = name.rpartition(".")
        if rod in rods and (strain := mode.rstrip("0123456789")) in STRAINS:
            found[name] = strain
    return found
