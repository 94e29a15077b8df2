"""Till's robot by both formulations: runs with their wall times, each made once."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicSpline

from chorda.catalogue.rods import till
from chorda.continuous import RodMotion, rod_dynamics
from chorda.describe import Robot
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.posing import frame_poses
from chorda.papers.till.published import ALPHA, COMPLIANCE, DURATION, NODES, STEP, ramp
from chorda.results import Equilibrium, Run, Status
from chorda.statics import equilibrium

ALPHA_SCHEME = "generalized-alpha"
SHORT = 0.7  # [s] what takes less is timed REPEATS times
REPEATS = 3


@dataclass(frozen=True)
class Case:
    """How the ramp is integrated.

    nodes 0: strain modes, method a scheme of `simulate`; else the continuous problem, method along
    the rod, BDF-alpha in time.
    """

    method: str
    step: float
    nodes: int = 0
    alpha: float = 0.0

    @property
    def label(self) -> str:
        if not self.nodes:
            return f"strain modes, {self.method}"
        alpha = f", alpha {self.alpha:g}" if self.alpha else ""
        return f"continuous, {self.method}, {self.nodes} nodes{alpha}"


PAPER = Case("euler", STEP, NODES)  # the discretisation of the public program


def modes(step: float) -> Case:
    return Case(ALPHA_SCHEME, step)


def gauss(step: float, alpha: float = 0.0) -> Case:
    return Case("gauss6", step, 11, alpha)


@dataclass(frozen=True, eq=False)
class Motion:
    """time (n) [s], tip (n, 3) [m]; wall time, best of some [s].

    residual: the largest, scaled, and tension at the base (n) [N], of the continuous problem.
    """

    time: Array
    tip: Array
    seconds: float
    status: Status
    residual: float | None = None
    tension: Array | None = None


@dataclass(frozen=True, eq=False)
class Truth:
    """A limit of two runs, steps to zero (Richardson), and how far the finer one is from it [m]."""

    at: CubicSpline
    time: Array
    coarse: float
    fine: float


class Study:
    """quick: coarser steps for what is called true, and every run once."""

    def __init__(self, quick: bool = False) -> None:
        self.quick = quick
        self._runs: dict[Case, Motion] = {}

    @cached_property
    def robot(self) -> Robot:
        return till()

    @cached_property
    def system(self) -> System:
        return assemble(self.robot)

    @cached_property
    def rest(self) -> Equilibrium:
        found = equilibrium(self.system, inputs=[0.0])
        found.status.raise_unless_ok()
        return found

    def strain_run(self, case: Case, duration: float = DURATION, start: float = 0.0) -> Run:
        """By strain modes; the ramp's time begins at `start`."""
        return simulate(
            self.system,
            duration=duration,
            step=case.step,
            scheme=case.method,
            initial=self.rest,
            inputs={"winch": lambda t: ramp(t + start)},
            progress=False,
        )

    def run(self, case: Case) -> Motion:
        if case not in self._runs:
            self._runs[case] = self._timed(case)
        return self._runs[case]

    def _timed(self, case: Case) -> Motion:
        if not case.nodes:
            self.strain_run(case, 10 * case.step)  # builds the kernel
        run: Callable[[], Run | RodMotion] = (
            (lambda: continuous(self.robot, case)) if case.nodes else lambda: self.strain_run(case)
        )
        best = np.inf
        for _ in range(1 if self.quick else REPEATS):
            begin = time.perf_counter()
            made = run()
            best = min(best, time.perf_counter() - begin)
            if best > SHORT:
                break
        return replace(motion(made), seconds=best)

    @cached_property
    def truth(self) -> Truth:
        """By strain modes: what is left of the steps is less than a thousandth of the program's."""
        h = 5e-3 if self.quick else 2.5e-3
        return limit(self.run(modes(h)), self.run(modes(h / 2)))

    @cached_property
    def check(self) -> Truth:
        """The same by the continuous problem."""
        h = 1e-2 if self.quick else 5e-3
        return limit(self.run(gauss(h, ALPHA)), self.run(gauss(h / 2, ALPHA)))

    def error(self, time: Array, tip: Array) -> Array:
        """Distance of the tip from where it truly is (n) [m]."""
        return np.asarray(np.linalg.norm(tip - self.truth.at(time), axis=1))


def continuous(
    robot: Robot, case: Case, duration: float = DURATION, start: float = 0.0
) -> RodMotion:
    return rod_dynamics(
        robot,
        {"winch": lambda t: ramp(t + start)},
        duration=duration,
        step=case.step,
        integrator=case.method,
        nodes=case.nodes,
        alpha=case.alpha,
    )


def motion(made: Run | RodMotion, seconds: float = float("nan")) -> Motion:
    """The common part of both kinds of run."""
    if isinstance(made, RodMotion):
        pull = made.tension[:, 0]
        return Motion(made.time, made.tip, seconds, made.status, made.residual, pull)
    return Motion(made.time, tips(made), seconds, made.status)


def tips(made: Run) -> Array:
    """(n, 3) [m]."""
    return np.asarray(
        frame_poses(made.system, ("rod.tip",), made.position, made.parameters)[1][:, 0]
    )


def limit(coarse: Motion, fine: Motion) -> Truth:
    """Both are of second order; the fine one has half the step."""
    found = (4 * fine.tip[::2] - coarse.tip) / 3
    left = [np.linalg.norm(x - found, axis=1).max() for x in (coarse.tip, fine.tip[::2])]
    return Truth(CubicSpline(coarse.time, found), coarse.time, float(left[0]), float(left[1]))


def soft(robot: Robot) -> Robot:
    """With the tendon of the examples with friction."""
    tendon = robot.tendons[0]
    law = tendon.law.model_copy(update={"young_modulus": 1e6 / COMPLIANCE})  # section 1 mm^2
    return robot.model_copy(update={"tendons": (tendon.model_copy(update={"law": law}),)})
