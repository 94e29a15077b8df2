"""MuJoCo's step for the same neck and chain with motors, and how far two necks agree."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

from chorda.bench import chain, mujoco_neck
from chorda.dynamics import simulate
from chorda.errors import SolveError
from chorda.mechanics import System
from chorda.numerics.timing import seconds

INSTALL = (
    "MuJoCo is not installed, so there is no peer to compare with: pip install 'chorda[peers]'"
)
INTEGRATORS = ("implicit", "Euler", "implicitfast", "RK4")
CHAIN_INTEGRATORS = ("implicit", "implicitfast")
JOINTS = 3
MUJOCO_STEP = 2e-4  # [s] its integrators diverge at the 2 ms that Chorda's step bears


def installed() -> bool:
    return find_spec("mujoco") is not None


def neck_steps(steps: int) -> dict[str, Callable[[], float]]:
    """By integrator: a function that times `steps` steps from rest and returns seconds a step."""

    def timed(integrator: str) -> float:
        pull = mujoco_neck.torques(JOINTS)
        model, data = mujoco_neck.load(pull, timestep=MUJOCO_STEP, integrator=integrator)
        spent = stepped(model, data, steps)
        if not mujoco_neck.closure_error(model, data) < 1e-4:  # also true of a NaN
            raise SolveError(f"bench: MuJoCo {integrator} diverges at steps of {MUJOCO_STEP:g} s")
        return spent

    return {f"MuJoCo {x}": partial(timed, x) for x in INTEGRATORS} if installed() else {}


def chain_steps(steps: int) -> dict[str, Callable[[], float]]:
    """The same for the chain."""

    def timed(integrator: str) -> float:
        return stepped(*chain.load(integrator=integrator), steps)

    return {f"MuJoCo {x}": partial(timed, x) for x in CHAIN_INTEGRATORS} if installed() else {}


def stepped(model: Any, data: Any, steps: int) -> float:
    """Seconds a step; the loop over the steps is MuJoCo's own, in C."""
    import mujoco

    return seconds(lambda: mujoco.mj_step(model, data, nstep=steps)) / steps


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
    pull = mujoco_neck.torques(JOINTS)
    model, data = mujoco_neck.load(pull, timestep=step)
    distance = float(np.mean(mujoco_neck.mid_bar_distance(model, data)))
    theirs = mujoco_neck.trajectory(model, data, duration)
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
