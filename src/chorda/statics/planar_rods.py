"""Rods of a robot that lies in a plane and stays there: which of their strains leave it."""

import numpy as np

from chorda.describe import Robot, Rod
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses

SAMPLES = 3  # configurations in the plane
ZERO = 1e-9  # of forces by their largest, of lengths by the longest rod, of directions
LEAVING: dict[str, tuple[str, ...]] = {
    "y": ("twist", "bend_z", "shear_y"),
    "z": ("twist", "bend_y", "shear_z"),
}
AXES = {"y": 1, "z": 2}


def leaving_strains(system: System) -> dict[str, tuple[str, ...]]:
    """By rod: strains that leave the plane which gravity, loads, tendons and joints lie in; none
    where there is no such plane, or more than one: nothing keeps a rod that hangs down in a plane.

    system: with all strains. What is looked for is a mirror: with rods bent in the plane nothing
    pulls out of it.
    """
    rods = [joint for joint in system.robot.joints if isinstance(joint, Rod)]
    if system.quaternions or not rods:
        return {}
    tips = [f"{rod.name}.tip" for rod in rods]
    rest = _poses(system, tips, system.rest)[0]
    planes = list[dict[str, tuple[str, ...]]]()
    for normal in (rest[0][:, 1], rest[0][:, 2]):
        axes = [x for R in rest if (x := _axis(R, normal)) is not None]
        if len(axes) == len(rods) and _is_mirror(system, rods, axes, normal):
            planes.append({rod.name: LEAVING[x] for rod, x in zip(rods, axes, strict=True)})
    return planes[0] if len(planes) == 1 else {}


def _poses(system: System, frames: list[str], q: Array) -> tuple[Array, Array]:
    R, p = frame_poses(system, frames, q[None], system.parameter_values)
    return R[0], p[0]


def _axis(R: Array, normal: Array) -> str | None:
    """The local axis along the normal."""
    return next((x for x, k in AXES.items() if abs(abs(R[:, k] @ normal) - 1) < ZERO), None)


def _is_mirror(system: System, rods: list[Rod], axes: list[str], normal: Array) -> bool:
    names, p = system.coordinate_names, system.parameter_values
    leaving = {
        f"{rod.name}.{x}" for rod, axis in zip(rods, axes, strict=True) for x in LEAVING[axis]
    }
    out = np.array([name.rstrip("0123456789") in leaving for name in names])
    tips, size = [f"{rod.name}.tip" for rod in rods], max(rod.length for rod in rods)
    heights = _poses(system, tips, system.rest)[1] @ normal
    pulling = system.once("pulling", lambda: system.function("pulling", "q p", system.tendons.Z))
    pushes = [k for k, item in enumerate(system.inputs) if item.kind == "wrench"]
    rng = np.random.default_rng(0)
    scales, still, idle = _scales(system), np.zeros(system.nv), np.zeros(system.nu)
    for _ in range(SAMPLES):
        q = system.rest + np.where(out, 0.0, 0.3 * scales * rng.uniform(-1, 1, system.nq))
        R, at = _poses(system, tips, q)
        if any(_axis(x, normal) != axis for x, axis in zip(R, axes, strict=True)):
            return False
        if np.max(np.abs(at @ normal - heights)) > ZERO * size:
            return False
        pushed = [idle, *(np.eye(system.nu)[k] for k in pushes)]
        force = np.hstack([system.equations(q, still, u, p)[1].full() for u in pushed])
        J = system.closing_all(q, idle, p)[1].full()
        mixed = np.minimum(np.max(np.abs(J[:, out]), axis=1), np.max(np.abs(J[:, ~out]), axis=1))
        for values in (force, pulling(q, p).full()):
            if np.max(np.abs(values[out]), initial=0.0) > ZERO * np.max(
                np.abs(values), initial=0.0
            ):
                return False
        if np.max(mixed, initial=0.0) > ZERO * np.max(np.abs(J), initial=0.0):
            return False
    return True


def _scales(system: System) -> Array:
    return np.array([c.scale for c in system.coordinates])


def without_strains(robot: Robot, leaving: dict[str, tuple[str, ...]]) -> Robot:
    """The robot whose rods lack these strains, unless their modes name them."""

    def flat(rod: Rod) -> Rod:
        gone = [x for x in leaving[rod.name] if x not in rod.modes.model_fields_set]
        modes = rod.modes.model_copy(update=dict.fromkeys(gone, 0))
        return rod.model_copy(update={"modes": modes})

    joints = tuple(
        flat(x) if isinstance(x, Rod) and x.name in leaving and x.modes.auto else x
        for x in robot.joints
    )
    return robot.model_copy(update={"joints": joints})
