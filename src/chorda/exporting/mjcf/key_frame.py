"""A configuration of Chorda as positions of MuJoCo's joints."""

import math

import numpy as np

from chorda.describe import Motor, XJoint
from chorda.exporting.mjcf.mujoco_model import output_at
from chorda.mechanics import Array, System


def configuration(system: System, q: Array, p: Array | None = None) -> dict[str, Array]:
    """Values of MuJoCo's joints by name, in its units: a motor's is in metres of cable.

    An X-joint is three hinges there; a free joint three slides and a ball.
    """
    values = system.parameter_values if p is None else p
    known = dict(zip(system.parameter_names, values.tolist(), strict=True))
    given = dict(zip(system.coordinate_names, np.asarray(q, float).tolist(), strict=True))
    out: dict[str, list[float]] = {}
    for joint in system.robot.joints:
        name = joint.name
        if isinstance(joint, XJoint):
            ratio = known[f"{name}.bar_length"] / known[f"{name}.diagonal_length"]
            left, right = _diagonals(given[name], ratio)
            out[f"{name}.left_diagonal"], out[f"{name}.right_diagonal"] = [left], [right]
            out[f"{name}.top"] = [given[name] - left]
        elif joint.kind == "free":
            out |= {f"{name}.{k}": [given[f"{name}.{k}"]] for k in "xyz"}
            out[name] = [given[f"{name}.e{k}"] for k in "wxyz"]
        elif name in given:
            out[name] = [given[name]]
    motors = [actuator.name for actuator in system.robot.actuators if isinstance(actuator, Motor)]
    angles = output_at(system, "motor_angle", q, values)  # on rigid tendons they follow the joints
    for name in motors:
        out[name] = [known[f"{name}.drum_radius"] / known[f"{name}.gear_ratio"] * angles[name]]
    return {name: np.array(value) for name, value in out.items()}


def _diagonals(alpha: float, ratio: float) -> tuple[float, float]:
    """Turns of both diagonals since alpha = 0; ratio: bar over diagonal."""
    lean = math.acos(ratio * math.cos(alpha / 2)) - math.acos(ratio)
    return alpha / 2 + lean, alpha / 2 - lean
