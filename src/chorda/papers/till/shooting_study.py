"""Single shooting as the chapter has it, in steps from 50 ms down, and what grows as they shrink.

A run starts at the last multiple of its step before the tendon is pulled: until then the robot is
at rest, and single shooting finds it there at once.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chorda.continuous import RodEquilibrium, RodMotion, SingleShooting, rod_dynamics, rod_statics
from chorda.continuous.lifted_rod import Conditions, LiftedRod
from chorda.continuous.rod_at_rest import rod_settled
from chorda.continuous.rod_grid import pieces
from chorda.continuous.single_shooting import PUBLISHED_METHOD, Method, Shots
from chorda.continuous.tendon_rod import tendon_rod
from chorda.continuous.time_steps import advance, bdf_alpha, resting
from chorda.describe import Robot
from chorda.mechanics import Array
from chorda.numerics.runge_kutta_steps import tableau
from chorda.papers.studies import once
from chorda.papers.till.published import DURATION, NODES, RAMP, STEP, ramp

STEPS = (50e-3, 12.5e-3, 10e-3, 8e-3, 6.25e-3, 3.125e-3)  # [s]
MORE_STEPS = (50e-3, 25e-3, 20e-3, 12.5e-3, 10e-3, 8e-3, 6.25e-3, 5e-3, 4e-3, 3.125e-3)
LATEST_TIME = 6.0  # [s] until when the runs go: the tendon is pulled, and the arm swings
QUICK_LATEST_TIME = 4.05  # [s] where the tendon has been pulled, and the arm is on its way up
TOLERANCE = 1e-6  # scaled: less than the program's in N, N m and m
SAME_TOLERANCE = 1e-9  # where single shooting is held against all nodes at once
EXTRAPOLATED_START = SingleShooting(start="extrapolated")


@dataclass(frozen=True)
class Shot:
    """A run by single shooting.

    step [s]; ok: whether it came to the end, and when it was over [s]; iterations in a step;
    growth: largest factor by which a change at the base grows up to the tip; condition: of the
    derivative of what is left at the tip by the base, scaled; left: the largest force that the
    base of a step leaves at the tip of the next one [N].
    """

    step: float
    ok: bool
    end: float
    iterations: float
    growth: float
    condition: float
    left: float


class Shooting:
    """Runs in the chapter's discretisation: Euler along 200 nodes, BDF2."""

    def __init__(self, robot: Robot, quick: bool) -> None:
        self.robot, self.steps = robot, STEPS if quick else MORE_STEPS
        self.latest = QUICK_LATEST_TIME if quick else LATEST_TIME
        self.compared = 5.0 if quick else DURATION  # [s] of the ramp in steps of 50 ms

    @cached_property
    def statics(self) -> RodEquilibrium:
        return rod_statics(
            self.robot, 0.0, integrator="euler", nodes=NODES, method="single-shooting"
        )

    @once
    def ramp(self, method: Method) -> RodMotion:
        """The ramp in steps of 50 ms from time 0, as far as it is compared."""
        return self._moved(STEP, 0.0, self.compared, method, SAME_TOLERANCE)

    @once
    def pull(self, step: float, method: Method = "single-shooting") -> RodMotion:
        """While the tendon is pulled."""
        start = begin(step)
        return self._moved(step, start, self.latest - start, method, TOLERANCE)

    def _moved(
        self, step: float, start: float, duration: float, method: Method, tolerance: float
    ) -> RodMotion:
        count = math.floor(duration / step + 1e-9)
        return rod_dynamics(
            self.robot,
            {"winch": lambda t: ramp(t + start)},
            duration=count * step,
            step=step,
            integrator="euler",
            nodes=NODES,
            tolerance=tolerance,
            method=method,
        )

    @cached_property
    def shots(self) -> list[Shot]:
        return [self._shot(step) for step in self.steps]

    def _shot(self, step: float) -> Shot:
        run = self.pull(step)
        per_step = run.counts["iterations"] / run.counts["steps"]
        end = begin(step) + float(run.time[-1])
        return Shot(step, run.status.ok, end, per_step, *_reasons(self.robot, step, self.latest))


def begin(step: float) -> float:
    """The last multiple of a step before the tendon is pulled [s]."""
    return math.floor(RAMP[0] / step) * step


def _reasons(robot: Robot, step: float, latest: float) -> tuple[float, float, float]:
    """Growth, condition and the largest force left [N], along the motion by all nodes at once."""
    problem = tendon_rod(robot, moving=True)
    rod = LiftedRod(problem, pieces(problem, NODES, NODES), tableau("euler"))
    shots, formula, start = Shots(PUBLISHED_METHOD, rod), bdf_alpha(step, 0.0), begin(step)
    rest, _ = rod_settled(rod, np.zeros(1), TOLERANCE)
    now, left = resting(rod, rest, np.zeros(1)), []

    def conditions(inputs: Array) -> Conditions:
        return Conditions(inputs, np.array([formula.c0, 1.0]), now.history(formula))

    growth, condition = _sensitivity(rod, rest.x, conditions(np.zeros(1)))
    for k in range(1, math.floor((latest - start) / step + 1e-9) + 1):
        inputs = np.array([ramp(start + k * step)])
        at = conditions(inputs)
        left.append(float(np.max(np.abs(shots.left(now.states[0], at)[3:6]))))
        now, out = advance(rod, now, k * step, formula, inputs, TOLERANCE)
        if not out.converged:
            left.append(math.nan)
            break
    return growth, condition, max(left)


def _sensitivity(rod: LiftedRod, x: Array, at: Conditions) -> tuple[float, float]:
    """Of the tip to the base: the largest eigenvalue of the march, and the condition number."""
    tangent, scale, flow = rod.tangent(x, at), rod.scales, np.eye(rod.n)
    for step in tangent.A:
        flow = step @ flow
    matrix = tangent.tip @ flow @ tangent.base * (scale.unknown / scale.tip[:, None])
    return float(np.max(np.abs(np.linalg.eigvals(flow)))), float(np.linalg.cond(matrix))
