"""Robots of the catalogue with rods, and loads of them that no choice of functions was made for."""

import numpy as np

import chorda
from chorda.describe import Rod

LOADS = {
    "till": ({"tensions": 1.5}, {"tensions": 9.0}, {"inputs": [-0.03]}),
    "till-tension": ({"tensions": 2.0}, {"tensions": 12.0}),
    "till-spatial": ({"tensions": 1.5}, {"tensions": 9.0}),
    "continuum-2x3": (
        {"tensions": {"near1": 3, "near2": 0, "near3": 1, "far1": 0, "far2": 4, "far3": 1}},
        {"inputs": [-0.004, 0.002, 0.002, 0.003, -0.006, 0.003]},
    ),
    "helical": (
        {"tensions": {"helix": 2, "left": 0, "right": 1}},
        {"tensions": {"helix": 0, "left": 4, "right": 0}},
    ),
    "rfrfr": ({"hold": {"motor1": 2.4, "motor2": 0.3}}, {"hold": {"motor1": 2.9, "motor2": 0.8}}),
    "3-rfr": ({"hold": {"motor1": 0.2, "motor2": -0.3, "motor3": 0.4}},),
    "6-rfs": (
        {"hold": {f"motor{k + 1}": x for k, x in enumerate((5.8, 5.6, 5.9, 5.4, 5.8, 5.3))}},
    ),
    "tendon-parallel": (
        {
            "tensions": {
                f"tendon{leg}{side}": 3.0 * (leg == 1) + 1.0 * (side == "b")
                for leg in (1, 2, 3)
                for side in "abc"
            }
        },
    ),
}


def with_modes(robot, modes):
    """The robot with these modes of all its rods."""
    return robot.model_copy(
        update={
            "joints": tuple(
                x.model_copy(update={"modes": modes}) if isinstance(x, Rod) else x
                for x in robot.joints
            )
        }
    )


def tip_errors(system, load, exact):
    """The equilibrium, and the largest distance of a tip from where a system has it whose
    accuracy is `exact` [m]."""
    found = chorda.equilibrium(system, **load)
    truth = chorda.equilibrium(system, accuracy=exact, **load)
    if not (found.status.ok and truth.status.ok):
        return found, np.nan
    tips = [f"{x.name}.tip" for x in system.robot.joints if isinstance(x, Rod)]
    away = [np.linalg.norm(found.frame(tip)[0] - truth.frame(tip)[0]) for tip in tips]
    return found, max(away)
