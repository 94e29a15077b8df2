"""Lengths of tendons in numbers: which are linear in the joints, and which MuJoCo cannot have."""

import casadi as ca
import numpy as np

from chorda.describe import Pulley, Tendon
from chorda.errors import InputError
from chorda.exporting.mjcf.mujoco_model import MujocoModel, output_at
from chorda.mechanics import System

CONFIGURATIONS = 24  # in which a length is looked at,
DISTANCE = {"rad": 3.0, "m": 0.5}  # as far away as this: a cable may leave its pulley only there
ARM_ROUNDING = 1e-10  # m: change of a moment arm that is none


def slide_length(model: MujocoModel) -> float:
    """Cable between a motor's slide and its eyelet: more than a motor ever pays out [m]."""
    return max(1.0, 4 * max(reference_lengths(model).values(), default=0.0))


def reference_lengths(model: MujocoModel) -> dict[str, float]:
    """Lengths of all tendons at the reference configuration, leads included [m]."""
    return output_at(model.system, "length", model.system.rest, model.p)


def constant_arms(model: MujocoModel, tendon: Tendon) -> list[tuple[str, float]] | None:
    """Moment arms by MuJoCo's joints where they are the same in all configurations; else None."""
    system, index = model.system, model.robot.tendons.index(tendon)
    slopes = system.once("mjcf-slopes", lambda: _slopes(system))
    random = np.random.default_rng(0)
    far = [DISTANCE.get(c.unit, 1.0) for c in system.coordinates]
    low = np.array([max(c.low, -x) for c, x in zip(system.coordinates, far, strict=True)])
    high = np.array([min(c.high, x) for c, x in zip(system.coordinates, far, strict=True)])
    configurations = [system.rest, *(random.uniform(low, high) for _ in range(CONFIGURATIONS))]
    rows = np.array([slopes(q, model.p).full()[index] for q in configurations])
    if not np.all(np.abs(rows - rows[0]) < ARM_ROUNDING):  # a NaN is not
        return None
    kinds = {joint.name: joint.kind for joint in model.robot.joints}
    out: list[tuple[str, float]] = []
    for c, arm in zip(system.coordinates, rows[0], strict=True):
        if abs(arm) < ARM_ROUNDING:
            continue
        parts = (f"{c.name}.left_diagonal", f"{c.name}.top")  # whose sum is the X-joint's angle
        out += [(part, float(arm)) for part in (parts if kinds.get(c.name) == "x" else (c.name,))]
    return out or None


def _slopes(system: System) -> ca.Function:
    """(q, p) -> dl/dq."""
    lengths = next(o.expression for o in system.outputs if o.name == "length")
    return system.function("slopes", "q p", ca.jacobian(lengths, system.q))


def refuse(model: MujocoModel, tendon: Tendon) -> None:
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
        angles = output_at(model.system, "wrap_angle", model.system.rest, model.p)
        if abs(angles[f"{tendon.name}.path{k}"]) >= np.pi:
            raise InputError(
                f"{where}: MuJoCo's cables wind less than half a turn around a pulley; put a point "
                "between two pulleys, or leave 'wound' out"
            )
