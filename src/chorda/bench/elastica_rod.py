"""The rod in PyElastica: its cost alone.

PyElastica damps velocities, not rates of bend, so its motion is another one; and its steps must
be shorter than a wave of shear across the section, 0.4 us here. The rod starts straight, which
changes nothing in the work of a step.
"""

from typing import Any

import numpy as np

from chorda.bench.rod_motion import GRAVITY, Ready, Setting, section, tension
from chorda.errors import SolveError

NAME = "PyElastica"
ELEMENTS, STEP, PART = 20, 4e-7, 0.01  # [-, s, s]


def settings() -> list[Setting]:
    return [Setting(NAME, f"{ELEMENTS} elements, {STEP * 1e6:g} us", _begin, PART)]


def _begin() -> Ready:
    import elastica

    given = section()

    parts = (elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing)
    simulator_of_rods = type("Simulator", parts, {})

    class Moment(elastica.NoForces):  # type: ignore[misc]
        def apply_torques(self, system: Any, time: Any = 0.0) -> None:
            moment = np.array([0.0, 0.0, given.offset * tension(float(time))])
            system.external_torques[:, -1] += system.director_collection[..., -1] @ moment

    def made() -> tuple[Any, Any]:
        simulator: Any = simulator_of_rods()
        rod = elastica.CosseratRod.straight_rod(
            ELEMENTS,
            np.zeros(3),
            np.array([1.0, 0.0, 0.0]),
            np.array([0.0, 0.0, 1.0]),
            given.length,
            given.radius,
            given.density,
            youngs_modulus=given.young_modulus,
            shear_modulus=given.shear_modulus,
        )
        simulator.append(rod)
        simulator.constrain(rod).using(
            elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
        )
        gravity = np.array([0.0, -GRAVITY, 0.0])
        simulator.add_forcing_to(rod).using(elastica.GravityForces, acc_gravity=gravity)
        simulator.add_forcing_to(rod).using(Moment)
        simulator.finalize()
        return simulator, rod

    def run() -> None:
        simulator, rod = made()
        stepper, t = elastica.PositionVerlet(), np.float64(0.0)
        for _ in range(round(PART / STEP)):
            t = stepper.step(simulator, t, np.float64(STEP))
        away = np.abs(rod.position_collection).max()
        if not away < 2 * given.length:
            raise SolveError(f"bench: PyElastica diverges at steps of {STEP:g} s")

    return Ready(run, None)
