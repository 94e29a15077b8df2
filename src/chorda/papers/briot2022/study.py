"""Configurations of one of the robots along the printed path: by modes, continuous, by elements."""

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chorda.continuous.assembly import AssemblyEquilibrium, finite_differences, shooting
from chorda.continuous.assembly import follow as follow_continuous
from chorda.describe import Robot
from chorda.mechanics import Array, System, assemble
from chorda.papers.briot2022.subjects import Subject, turned_by
from chorda.results import Equilibrium, EquilibriumPath
from chorda.statics import equilibrium, follow

STEPS = 50  # along the printed path
FINE = 40  # intervals along a leg: places are integrated within 1e-9 m
AS_LOADED = 12  # of the catalogue's robots
MODES = (3, 4, 5)


@dataclass(frozen=True, eq=False)
class Elements:
    """Configurations by finite differences, and the seconds they took after the first."""

    found: list[AssemblyEquilibrium]
    seconds: float


class Study:
    """Everything is made once, when it is first asked for."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.robot: Robot = subject.make(5, AS_LOADED)  # the continuous model has no modes
        self._systems: dict[tuple[int, int], System] = {}
        self._starts: dict[tuple[int, int], Equilibrium] = {}
        self._paths: dict[tuple[int, int], EquilibriumPath] = {}
        self._elements: dict[tuple[int, int], Elements] = {}

    # Mod. 2: continuous -----------------------------------------------------------------------

    @cached_property
    def continuous(self) -> list[AssemblyEquilibrium]:
        """At all 51 configurations."""
        return follow_continuous(
            self.robot,
            hold=[self.subject.angles(k / STEPS) for k in range(STEPS + 1)],
            initial=self.subject.bulge,
            strict=True,
        )

    @cached_property
    def true(self) -> tuple[Array, Array]:
        """Positions (51, 3) [m] and rotations (51, 3, 3) of the robot's end."""
        return poses(self.continuous, self.subject.end)

    # Mod. 1: modes ----------------------------------------------------------------------------

    def system(self, modes: int, intervals: int = FINE) -> System:
        key = modes, intervals
        if key not in self._systems:
            self._systems[key] = assemble(self.subject.make(*key))
        return self._systems[key]

    def start(self, modes: int, intervals: int = FINE) -> Equilibrium:
        """Where the printed path begins."""
        key = modes, intervals
        if key not in self._starts:
            hold = self.subject.angles(0)
            self._starts[key] = equilibrium(self.system(*key), hold=hold, strict=True)
        return self._starts[key]

    def path(self, modes: int, intervals: int = FINE) -> EquilibriumPath:
        key = modes, intervals
        if key not in self._paths:
            hold = self.subject.angles(1)
            self._paths[key] = follow(self.start(*key), hold=hold, points=STEPS, strict=True)
        return self._paths[key]

    def error(self, modes: int, intervals: int = FINE) -> Array:
        """Distance of the end from where the continuous model has it (51) [m]."""
        found = self.path(modes, intervals).frame(self.subject.end)[0]
        return np.asarray(np.linalg.norm(found - self.true[0], axis=1))

    def turn_error(self, modes: int) -> Array:
        """Angular error as the paper defines it (51) [rad]."""
        return turned_by(self.path(modes).frame(self.subject.end)[1], self.true[1])

    def inverse_error(self, modes: int) -> Array:
        """Of the motor angles where the end has the continuous model's poses (51, motors) [rad].

        Each configuration starts from the one with the same motor angles: near singularities,
        where the inverse problem has two solutions that are near, this is the one that is meant.
        """
        subject, forward = self.subject, self.path(modes)
        rows = [forward.system.coordinate_names.index(name) for name in subject.motors]
        spatial = subject.end == "platform"
        errors = []
        for k, (p, R) in enumerate(zip(*self.true, strict=True)):
            pose = dict(zip("xyz" if spatial else "xy", p.tolist(), strict=False))
            found = equilibrium(
                forward.system,
                poses={subject.end: pose | ({"rotation": R} if spatial else {})},
                actuated=subject.motors,
                initial=forward.at(k),
                strict=True,
            )
            errors.append(found.q[rows] - forward.q[k, rows])
        return np.abs(np.array(errors))

    # Mod. 3: finite differences ---------------------------------------------------------------

    def elements(self, count: int, steps: int = STEPS) -> Elements:
        """Along the path, each configuration from the one before."""
        key = count, steps
        if key not in self._elements:
            hold = [self.subject.angles(k / steps) for k in range(steps + 1)]
            first = self.continuous[0]
            found = [finite_differences(self.robot, elements=count, hold=hold[0], initial=first)]
            begin = time.perf_counter()
            for angles in hold[1:]:
                found.append(
                    finite_differences(
                        self.robot, elements=count, hold=angles, initial=found[-1], strict=True
                    )
                )
            self._elements[key] = Elements(found, time.perf_counter() - begin)
        return self._elements[key]

    def element_error(self, count: int) -> Array:
        """Distance of the end from where the continuous model has it (51) [m]."""
        found = poses(self.elements(count).found, self.subject.end)[0]
        return np.asarray(np.linalg.norm(found - self.true[0], axis=1))


def poses(found: list[AssemblyEquilibrium], frame: str) -> tuple[Array, Array]:
    each = [x.frame(frame) for x in found]
    return np.array([p for p, _ in each]), np.array([R for _, R in each])


def continuous_at(
    study: Study, place: object, near: AssemblyEquilibrium | Equilibrium
) -> AssemblyEquilibrium:
    """The continuous model with its end at a pose."""
    return shooting(
        study.robot,
        place=place,  # type: ignore[arg-type]
        actuated=study.subject.motors,
        initial=near,
        strict=True,
    )
