"""The rod in Chorda: modes of its strains, or the continuous problem without modes."""

from functools import partial

import numpy as np

from chorda.bench.rod_motion import DURATION, Path, Ready, Setting, robot, tension
from chorda.continuous import RodMotion, rod_dynamics
from chorda.describe import Modes
from chorda.dynamics import simulate
from chorda.mechanics import assemble
from chorda.results import Run
from chorda.statics import equilibrium

BENDING, PLANAR, CONTINUOUS = "Chorda bending modes", "Chorda planar modes", "Chorda continuous"
MODES = {  # planar: as in the catalogue
    BENDING: Modes(twist=0, bend_y=4, bend_z=0, stretch=0, order=6, intervals=6),
    PLANAR: Modes(twist=0, bend_y=6, bend_z=0, stretch=3, shear_z=3, order=6),
}
FINE_MODES = Modes(twist=0, bend_y=8, bend_z=0, stretch=3, shear_z=3, order=6)
SCHEME, TOLERANCE = "generalized-alpha", 1e-6
STEPS, CONTINUOUS_STEPS = (0.0125, 0.004), (0.005, 0.002)  # [s]
FINE_STEP, NODES = 5e-4, 11
IN_PLANE = [2, 0]  # along the rod, which is the world's z here, and up, its x


def settings(quick: bool = False) -> list[Setting]:
    """quick: bending modes alone."""
    bending, planar = ([modes(name, h) for h in STEPS] for name in (BENDING, PLANAR))
    return bending if quick else [*bending, *planar, *(continuous(h) for h in CONTINUOUS_STEPS)]


def modes(name: str, step: float) -> Setting:
    given = MODES[name]
    coordinates = sum(getattr(given, x) for x in ("bend_y", "stretch", "shear_z"))
    what = f"{coordinates} coordinates, {step * 1e3:g} ms"
    return Setting(name, what, partial(_modes, given, step))


def continuous(step: float) -> Setting:
    what = f"gauss6, {NODES} nodes, {step * 1e3:g} ms"
    return Setting(CONTINUOUS, what, partial(_continuous, step))


def fine() -> Path:
    """The converged motion."""
    return _modes(FINE_MODES, FINE_STEP, tolerance=1e-10).path()


def continuous_path(step: float) -> Path:
    """The same motion without modes."""
    return _continuous(step).path()


def _modes(given: Modes, step: float, tolerance: float = TOLERANCE) -> Ready:
    system = assemble(robot(given))
    rest = equilibrium(system, inputs=[0.0])
    pull = np.array([[tension(k * step)] for k in range(round(DURATION / step) + 1)])

    def run() -> Run:
        return simulate(
            system,
            duration=DURATION,
            step=step,
            scheme=SCHEME,
            inputs=pull,
            initial=rest,
            tolerance=tolerance,
            progress=False,
            strict=True,
        )

    return Ready(run, lambda run: Path(run.time, run.frame("rod.tip")[0][:, IN_PLANE]))


def _continuous(step: float) -> Ready:
    def run() -> RodMotion:
        pull = {"winch": tension}
        motion = rod_dynamics(
            robot(), pull, duration=DURATION, step=step, integrator="gauss6", nodes=NODES
        )
        motion.status.raise_unless_ok()
        return motion

    return Ready(run, lambda motion: Path(motion.time, motion.tip[:, IN_PLANE]))
