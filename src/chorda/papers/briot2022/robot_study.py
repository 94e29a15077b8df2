"""Configurations along the printed paths: by modes, by the continuous model, by elements."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from chorda.continuous import AssemblyEquilibrium, finite_differences, shooting
from chorda.continuous import follow as follow_continuous
from chorda.describe import Robot
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.posing import frame_poses
from chorda.numerics.timing import timed
from chorda.papers.briot2022.as_published import (
    Continuous,
    Modes,
    PublishedPath,
    published_path,
)
from chorda.papers.briot2022.robots import ParallelRobot, angular_error
from chorda.papers.studies import once
from chorda.results import Equilibrium, EquilibriumPath
from chorda.statics import equilibrium, follow
from chorda.statics.branch import Branch, solve_along, state_of
from chorda.statics.follow import problem_from
from chorda.statics.prescribe import Poses, read
from chorda.statics.problem import Problem
from chorda.statics.targets import along

STEPS = 50  # along the printed path
FINE_INTERVALS = 40  # intervals along a leg: positions are integrated within 1e-9 m
CATALOGUE_INTERVALS = 12  # intervals of the catalogue's robots
MODES = (3, 4, 5)


@dataclass(frozen=True, eq=False)
class CompiledPath:
    """Configurations at the rows of targets, each from the one before, in compiled code."""

    problem: Problem
    state: Array
    targets: Array

    def __call__(self) -> Branch:
        found = solve_along(self.problem, self.state, self.targets[0], self.targets)
        found.status.raise_unless_ok()
        return found

    def poses(self, frame: str) -> object:
        """Those of a frame, configurations included."""
        q = self.problem.parts(self().states)[0]
        return frame_poses(self.problem.system, [frame], q, self.problem.p)


@dataclass(frozen=True, eq=False)
class Elements:
    """Configurations by finite differences, and the seconds they took after the first."""

    found: list[AssemblyEquilibrium]
    seconds: float


class RobotStudy:
    """One of the robots; everything is computed once, when it is first asked for.

    intervals: along a leg, where a method is not told another number.
    """

    def __init__(self, case: ParallelRobot, intervals: int = FINE_INTERVALS) -> None:
        self.case, self.intervals = case, intervals
        self.robot: Robot = case.make(5, CATALOGUE_INTERVALS)  # the continuous model has no modes

    def angles(self, steps: int = STEPS) -> list[dict[str, float]]:
        """Of the motors, along the printed path."""
        return [self.case.angles(k / steps) for k in range(steps + 1)]

    # Mod. 2: continuous -----------------------------------------------------------------------

    @cached_property
    def continuous(self) -> list[AssemblyEquilibrium]:
        """At all 51 configurations."""
        return follow_continuous(
            self.robot, hold=self.angles(), initial=self.case.bends, strict=True
        )

    @cached_property
    def true(self) -> tuple[Array, Array]:
        """Positions (51, 3) [m] and rotations (51, 3, 3) of the frame that is compared."""
        return poses(self.continuous, self.case.frame)

    def continuous_run(self, steps: int) -> Callable[[], object]:
        """A path from its first configuration, which is known."""
        hold, first = self.angles(steps), self.continuous[0]
        return lambda: follow_continuous(self.robot, hold=hold, initial=first, strict=True)

    def continuous_at(
        self, target: object, initial: AssemblyEquilibrium | Equilibrium
    ) -> AssemblyEquilibrium:
        """With the frame at a target pose."""
        return shooting(
            self.robot,
            poses=target,  # type: ignore[arg-type]
            actuated=self.case.motors,
            initial=initial,
            strict=True,
        )

    # Mod. 1: modes ----------------------------------------------------------------------------

    def system(self, modes: int, intervals: int | None = None) -> System:
        return self._system(modes, intervals or self.intervals)

    def start(self, modes: int, intervals: int | None = None) -> Equilibrium:
        """Where the printed path begins."""
        return self._start(modes, intervals or self.intervals)

    def path(self, modes: int, intervals: int | None = None) -> EquilibriumPath:
        """All 51 configurations."""
        return self._path(modes, intervals or self.intervals)

    def at_target(self, modes: int, intervals: int | None = None) -> Equilibrium:
        """Where the path on which stability is lost begins."""
        return self.posed(self.case.target(0), self.start(modes, intervals))

    @once
    def _system(self, modes: int, intervals: int) -> System:
        return assemble(self.case.make(modes, intervals))

    @once
    def _start(self, modes: int, intervals: int) -> Equilibrium:
        return equilibrium(self.system(modes, intervals), hold=self.case.angles(0), strict=True)

    @once
    def _path(self, modes: int, intervals: int) -> EquilibriumPath:
        start = self.start(modes, intervals)
        return follow(start, hold=self.case.angles(1), points=STEPS, strict=True)

    def posed(self, target: Poses, near: Equilibrium) -> Equilibrium:
        """With the frame at a target pose, of the system of a configuration near it."""
        return equilibrium(
            near.system, poses=target, actuated=self.case.motors, initial=near, strict=True
        )

    def compiled(self, steps: int, modes: int = 5) -> CompiledPath:
        """The printed path with the catalogue's intervals, from its first configuration."""
        start, rows = self.start(modes, CATALOGUE_INTERVALS), self.angles(steps)
        hold = {name: np.array([row[name] for row in rows]) for name in self.case.motors}
        request = read(start.system, start.parameters, hold=hold)
        problem, values = problem_from(start, request, self.case.motors)
        targets = along(problem.prescription, values, np.zeros(0), None)
        return CompiledPath(problem, state_of(problem, start), targets)

    def error(self, modes: int, intervals: int | None = None) -> Array:
        """Distance of the frame from where the continuous model has it (51) [m]."""
        found = self.path(modes, intervals).frame(self.case.frame)[0]
        return np.asarray(np.linalg.norm(found - self.true[0], axis=1))

    def turn_error(self, modes: int) -> Array:
        """Angular error as the paper defines it (51) [rad]."""
        return angular_error(self.path(modes).frame(self.case.frame)[1], self.true[1])

    def inverse_error(self, modes: int) -> Array:
        """As `inverse_change`, without signs."""
        return np.abs(self.inverse_change(modes))

    @once
    def inverse_change(self, modes: int) -> Array:
        """Of the motor angles where the frame has the continuous model's poses (51, motors) [rad].

        Each configuration starts from the one with the same motor angles: near singularities,
        where the inverse problem has two solutions that are near, this is the one that is meant.
        """
        case, forward = self.case, self.path(modes)
        rows = [forward.system.coordinate_names.index(name) for name in case.motors]
        spatial = case.frame == "platform"
        errors = []
        for k, (p, R) in enumerate(zip(*self.true, strict=True)):
            pose: dict[str, Any] = dict(zip("xyz" if spatial else "xy", p.tolist(), strict=False))
            pose |= {"rotation": R} if spatial else {}
            found = self.posed({case.frame: pose}, forward.at(k))
            errors.append(found.q[rows] - forward.q[k, rows])
        return np.array(errors)

    # As published, of the planar robot ----------------------------------------------------------

    @once
    def published(self, modes: int | None) -> PublishedPath:
        """The printed path by so many modes, or by the continuous model (None)."""
        angles = np.array([list(row.values()) for row in self.angles()])
        return published_path(Continuous() if modes is None else Modes(modes), angles)

    def published_error(self, modes: int) -> Array:
        """Distance of the pin by modes from where the continuous model has it (51) [m]."""
        gap = self.published(modes).pin - self.published(None).pin
        return np.asarray(np.linalg.norm(gap, axis=1))

    @property
    def published_reference_error(self) -> float:
        """Largest distance [m] of the continuous model as published from the converged one."""
        return float(np.max(np.linalg.norm(self.published(None).pin - self.true[0][:, :2], axis=1)))

    # Mod. 3: finite differences ---------------------------------------------------------------

    @once
    def elements(self, count: int, steps: int = STEPS) -> Elements:
        """Along the path, each configuration from the one before."""
        found, times, last = [], [], self.continuous[0]
        solve = partial(finite_differences, self.robot, elements=count, strict=True)
        for hold in self.angles(steps):
            last, spent = timed(partial(solve, hold=hold, initial=last))
            found.append(last)
            times += spent
        return Elements(found, sum(times[1:]))

    def element_error(self, count: int) -> Array:
        """Distance of the frame from where the continuous model has it (51) [m]."""
        found = poses(self.elements(count).found, self.case.frame)[0]
        return np.asarray(np.linalg.norm(found - self.true[0], axis=1))


def poses(found: list[AssemblyEquilibrium], frame: str) -> tuple[Array, Array]:
    each = [x.frame(frame) for x in found]
    return np.array([p for p, _ in each]), np.array([R for _, R in each])
