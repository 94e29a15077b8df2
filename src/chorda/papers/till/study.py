"""Till's robot by both formulations: its motions along the ramp and their wall times."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicSpline

from chorda.catalogue import load
from chorda.continuous import RodMotion, rod_dynamics
from chorda.describe import Robot
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.numerics.timing import timed
from chorda.papers.studies import once
from chorda.papers.till.friction_study import Frictions
from chorda.papers.till.published import ALPHA, DURATION, NODES, STEP, STEP_TIME, program, ramp
from chorda.papers.till.shooting_study import Shooting
from chorda.results import Equilibrium, Run, Status
from chorda.statics import equilibrium

ALPHA_SCHEME = "generalized-alpha"
PROGRAM = "public C++ program, quoted"
PATIENCE = 0.7  # [s] runs that take less in all are timed again
REPEATS = 3
DRAWN_EVERY = 5  # steps of the run that is drawn within one of the program's


@dataclass(frozen=True)
class Case:
    """How the ramp is integrated.

    nodes 0: strain modes, method a scheme of `simulate`; else the continuous problem, method along
    the rod, BDF-alpha in time, solved for all nodes at once or by single shooting.
    """

    method: str
    step: float
    nodes: int = 0
    alpha: float = 0.0
    shooting: bool = False

    @property
    def label(self) -> str:
        if not self.nodes:
            return f"strain modes, {self.method}"
        alpha = f", alpha {self.alpha:g}" if self.alpha else ""
        way = "single shooting" if self.shooting else "continuous"
        return f"{way}, {self.method}, {self.nodes} nodes{alpha}"


PAPER_CASE = Case("euler", STEP, NODES)  # the discretisation of the public program


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
    status: Status
    residual: float | None = None
    tension: Array | None = None
    seconds: float = float("nan")


@dataclass(frozen=True, eq=False)
class Limit:
    """Two runs extrapolated to steps of zero (Richardson), and what is left in the finer one [m].

    order: observed, with a third run in steps twice as long as the coarser of these.
    """

    at: CubicSpline
    time: Array
    left: float
    order: float


@dataclass(frozen=True)
class Point:
    """label: one for each curve; step and wall time [s], largest error of the tip [m]."""

    label: str
    step: float
    wall: float
    error: float


class Study:
    """quick: coarser steps for what is called true, and every run once."""

    def __init__(self, quick: bool = False) -> None:
        self.quick = quick
        self.robot: Robot = load("till")
        self.frictions = Frictions(self.robot, quick)
        self.shooting = Shooting(self.robot, quick)

    @cached_property
    def system(self) -> System:
        return assemble(self.robot)

    @cached_property
    def rest(self) -> Equilibrium:
        return equilibrium(self.system, inputs=[0.0], strict=True)

    def strain_run(
        self, case: Case, duration: float = DURATION, start: float = 0.0, every: int = 1
    ) -> Run:
        """By strain modes; the ramp's time begins at `start`."""
        return simulate(
            self.system,
            duration=duration,
            step=case.step,
            every=every,
            scheme=case.method,
            initial=self.rest,
            inputs={"winch": lambda t: ramp(t + start)},
            progress=False,
        )

    def integrated(
        self, case: Case, duration: float = DURATION, start: float = 0.0
    ) -> Run | RodMotion:
        """By either formulation."""
        if not case.nodes:
            return self.strain_run(case, duration, start)
        return rod_dynamics(
            self.robot,
            {"winch": lambda t: ramp(t + start)},
            duration=duration,
            step=case.step,
            integrator=case.method,
            nodes=case.nodes,
            alpha=case.alpha,
            method="single-shooting" if case.shooting else "all-nodes",
        )

    @once
    def run(self, case: Case) -> Motion:
        """The whole ramp, with its wall time."""
        if not case.nodes:
            self.strain_run(case, 10 * case.step)  # builds the kernel
        made, walls = timed(lambda: self.integrated(case), 1 if self.quick else REPEATS, PATIENCE)
        return replace(motion(made), seconds=min(walls))

    @cached_property
    def drawn(self) -> Run:
        """By strain modes, recorded as often as the program does."""
        return self.strain_run(modes(STEP / DRAWN_EVERY), every=DRAWN_EVERY)

    @cached_property
    def truth(self) -> Limit:
        """By strain modes: what is left of the steps is less than a thousandth of the program's."""
        h = 5e-3 if self.quick else 2.5e-3
        return limit(*(self.run(modes(step)) for step in (2 * h, h, h / 2)))

    @cached_property
    def check(self) -> Limit:
        """The same by the continuous problem."""
        h = 1e-2 if self.quick else 5e-3
        return limit(*(self.run(gauss(step, ALPHA)) for step in (2 * h, h, h / 2)))

    def error(self, time: Array, tip: Array) -> Array:
        """Distance of the tip from the limit of short steps (n) [m]."""
        return np.asarray(np.linalg.norm(tip - self.truth.at(time), axis=1))

    @cached_property
    def points(self) -> list[Point]:
        """Work and precision: the program first."""
        quoted = program()
        wall, error = STEP_TIME * DURATION / STEP, self.error(quoted.time, quoted.tip).max()
        found = [Point(PROGRAM, STEP, wall, error)]
        for case in cases(self.quick):
            run = self.run(case)
            error = self.error(run.time, run.tip).max()
            found.append(Point(case.label, case.step, run.seconds, error))
        return found


def cases(quick: bool) -> list[Case]:
    """A short version is without bdf2 of strain modes, single shooting and the finest steps."""
    steps = (0.05, 0.025, 0.01, 0.005) if quick else (0.05, 0.025, 0.01, 0.005, 0.0025)
    few = (0.05, 0.025) if quick else (0.05, 0.01)
    return [
        *(modes(h) for h in steps),
        *(Case("bdf2", h) for h in (() if quick else steps)),
        *(Case("euler", h, NODES) for h in few),
        *(Case("euler", h, NODES, shooting=True) for h in (() if quick else (STEP,))),
        *(Case("rk4", h, 41) for h in few[: 1 if quick else 2]),
        *(gauss(h) for h in few),
        *(gauss(h, ALPHA) for h in ((0.05, 0.01) if quick else (0.05, 0.01, 0.005, 0.0025))),
    ]


def motion(made: Run | RodMotion) -> Motion:
    """The common part of both kinds of run."""
    if isinstance(made, RodMotion):
        return Motion(made.time, made.tip, made.status, made.residual, made.tension[:, 0])
    return Motion(made.time, made.frame("rod.tip")[0], made.status)


def limit(longer: Motion, coarse: Motion, fine: Motion) -> Limit:
    """All are of second order; each has half the step of the one before."""
    found = (4 * fine.tip[::2] - coarse.tip) / 3
    before, after = (
        float(np.linalg.norm(a.tip - b.tip[::2], axis=1).max())
        for a, b in ((longer, coarse), (coarse, fine))
    )
    return Limit(CubicSpline(coarse.time, found), coarse.time, after / 3, np.log2(before / after))
