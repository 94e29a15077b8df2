"""MuJoCo's step for the same neck with motors, and how far the two models agree."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec

import numpy as np

from chorda.bench import mujoco_neck
from chorda.bench.stepping import torques
from chorda.dynamics import simulate
from chorda.mechanics import System

INSTALL = (
    "MuJoCo is not installed, so there is no peer to compare with: pip install 'chorda[peers]'"
)
INTEGRATORS = ("implicit", "Euler", "implicitfast", "RK4")
JOINTS = 3
MUJOCO_STEP = 2e-4  # [s] its integrators diverge at the 2 ms that Chorda's step bears


def installed() -> bool:
    return find_spec("mujoco") is not None


def contenders(steps: int) -> dict[str, Callable[[], float]]:
    """By integrator: a function that times `steps` steps from rest and returns seconds a step."""

    def timed(integrator: str) -> float:
        spent = mujoco_neck.microseconds_per_step(
            integrator, JOINTS, steps=steps, repeats=1, timestep=MUJOCO_STEP
        )
        return spent * 1e-6

    return {f"MuJoCo {name}": partial(timed, name) for name in INTEGRATORS}


@dataclass(frozen=True)
class Likeness:
    """What shows that both programs move the same neck."""

    version: str
    velocities: int
    loops: int
    mid_bar_distance: float  # [m] at rest, the closed form is sqrt(L^2 - b^2)
    expected_distance: float
    closure_error: float  # [m] largest gap in a loop after the motion
    angle_difference: float  # [rad] largest along the motion, friction off, same step
    largest_angle: float  # [rad] along it


def likeness(system: System, duration: float = 0.5, step: float = 1e-4) -> Likeness:
    """Move both necks alike (dry friction off) and compare the joints' angles."""
    model, data = mujoco_neck.load(JOINTS, timestep=step)
    distance = float(np.mean(mujoco_neck.mid_bar_distance(model, data)))
    pull = torques(JOINTS)
    import mujoco

    data.ctrl[:] = pull
    mujoco.mj_step(model, data, nstep=round(duration / step))
    _, theirs = mujoco_neck.trajectory("implicit", pull, duration, step, JOINTS)
    ours = simulate(
        system, duration=duration, step=step, inputs=pull, parameters={"*.dry_torque": 0.0}
    ).position[:, :JOINTS]
    return Likeness(
        version=version("mujoco"),
        velocities=int(model.nv),
        loops=int(model.neq),
        mid_bar_distance=distance,
        expected_distance=mujoco_neck.REST_HEIGHT,
        closure_error=mujoco_neck.closure_error(model, data),
        angle_difference=float(np.max(np.abs(ours - theirs))),
        largest_angle=float(np.max(np.abs(theirs))),
    )
