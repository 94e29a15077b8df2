"""Lengths of tendons in numbers: which are linear in the joints, and which MuJoCo cannot lay."""

import casadi as ca
import numpy as np

from chorda.describe import Pulley, Tendon
from chorda.errors import InputError
from chorda.exporting.mjcf.scene import Scene
from chorda.mechanics import Array, System

POSTURES = 24  # in which a length is looked at,
FAR = {"rad": 3.0, "m": 0.5}  # as far away as this: a cable may leave its pulley only there
STRAIGHT = 1e-10  # m: change of a moment arm that is none


def run_length(scene: Scene) -> float:
    """Cable between a motor's slide and its eye: more than a motor ever pays out [m]."""
    return float(max(1.0, 4 * np.max(reference_lengths(scene), initial=0.0)))


def reference_lengths(scene: Scene) -> Array:
    """Lengths of all tendons at the reference configuration, leads included [m]."""
    lengths, _ = _of_lengths(scene.system)
    return np.asarray(lengths(scene.system.rest, scene.p).full().ravel())


def _of_lengths(system: System) -> tuple[ca.Function, ca.Function]:
    def make() -> tuple[ca.Function, ca.Function]:
        found = [o.expression for o in system.outputs if o.name == "length"]
        l = found[0] if found else ca.SX(0, 1)  # noqa: E741
        slope = ca.jacobian(l, system.q)
        return system.function("lengths", "q p", l), system.function("slopes", "q p", slope)

    made: tuple[ca.Function, ca.Function] = system.once("mjcf-lengths", make)
    return made


def constant_arms(scene: Scene, index: int) -> list[tuple[str, float]] | None:
    """Moment arms by MuJoCo's joints where they are the same in all configurations; else None."""
    system = scene.system
    _, slopes = _of_lengths(system)
    random = np.random.default_rng(0)
    far = [FAR.get(c.unit, 1.0) for c in system.coordinates]
    low = np.array([max(c.low, -x) for c, x in zip(system.coordinates, far, strict=True)])
    high = np.array([min(c.high, x) for c, x in zip(system.coordinates, far, strict=True)])
    configurations = [system.rest, *(random.uniform(low, high) for _ in range(POSTURES))]
    rows = np.array([slopes(q, scene.p).full()[index] for q in configurations])
    if not np.all(np.abs(rows - rows[0]) < STRAIGHT):  # a NaN is not
        return None
    kinds = {joint.name: joint.kind for joint in scene.robot.joints}
    out: list[tuple[str, float]] = []
    for c, arm in zip(system.coordinates, rows[0], strict=True):
        if abs(arm) < STRAIGHT:
            continue
        parts = (f"{c.name}.left_diagonal", f"{c.name}.top")  # whose sum is the X-joint's angle
        out += [(part, float(arm)) for part in (parts if kinds.get(c.name) == "x" else (c.name,))]
    return out or None


def refuse(scene: Scene, tendon: Tendon) -> None:
    """Paths that MuJoCo's spatial tendons cannot take."""
    last = len(tendon.path) - 1
    for k, x in enumerate(tendon.path):
        if not isinstance(x, Pulley):
            continue
        where = f"tendons.{tendon.name}.path.{k}"
        if k in (0, last):
            raise InputError(
                f"{where}: a tendon of MuJoCo cannot end on a drum whose moment arm changes; put "
                "the drum on its joint's axis, or end the path at a point"
            )
        if not x.leave:
            raise InputError(
                f"{where}.leave: MuJoCo's cables leave a pulley where they bend away; write "
                "'leave: true'"
            )
        if any(isinstance(tendon.path[j], Pulley) for j in (k - 1, k + 1)):
            raise InputError(
                f"{where}: MuJoCo's cables cannot run from pulley to pulley; put a point between "
                "them"
            )
        if abs(_wrap(scene, f"{tendon.name}.path{k}")) >= np.pi:
            raise InputError(
                f"{where}: MuJoCo's cables wind less than half a turn around a pulley; put a point "
                "between two pulleys, or leave 'wound' out"
            )


def _wrap(scene: Scene, label: str) -> float:
    """Wrap angle at the reference configuration [rad]."""
    system = scene.system
    output = next(o for o in system.outputs if o.name == "wrap_angle")
    angle = system.function("wrap", "q p", output.expression)
    return float(angle(system.rest, scene.p).full().ravel()[output.labels.index(label)])
