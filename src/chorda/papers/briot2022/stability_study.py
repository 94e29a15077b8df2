"""Where stability is lost: eigenvalues of the modes beside conjugate points."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq

from chorda.continuous import (
    AssemblyEquilibrium,
    ConjugatePoints,
    conjugate_points,
    joint_stiffness,
)
from chorda.mechanics import Array
from chorda.papers.briot2022.published import NAMES
from chorda.papers.briot2022.robot_study import RobotStudy
from chorda.papers.studies import once
from chorda.results import EquilibriumPath
from chorda.statics import follow

LOCKED, CONSTANT = "locked", "constant efforts"
PRECISION = 1e-9  # of the path parameter
DRAWN_POINTS = 200  # points along the legs in figures
STEP_BEYOND = 1e-7  # of the path parameter: from there on a new conjugate point is counted


@dataclass(frozen=True, eq=False)
class Stop:
    """A named point on the path, t from 0 to 1, and the continuous model there."""

    name: str
    t: float
    fields: ConjugatePoints


@dataclass(frozen=True)
class Change:
    """A change of stability: y [m] by the continuous model and by each number of modes.

    missing: numbers of modes that do not have it.
    """

    label: str
    true: float
    found: tuple[tuple[int, float], ...]
    missing: tuple[int, ...]

    @property
    def errors(self) -> list[float]:
        return [abs(y - self.true) for _, y in self.found]


class StabilityPath:
    """points: how many along the path, the first and the last included."""

    def __init__(self, study: RobotStudy, points: int) -> None:
        self.study, self.case = study, study.case
        self.t = np.linspace(0, 1, points)

    @cached_property
    def y(self) -> Array:
        """(points) [m]."""
        return np.array([self.case.point(float(t))[1] for t in self.t])

    @once
    def by_modes(self, modes: int) -> EquilibriumPath:
        """As far as it goes: with three modes the planar robot's branch ends on the path."""
        case = self.case
        poses = [case.target(float(t))[case.frame] for t in self.t]
        series = {key: np.array([pose[key] for pose in poses]) for key in poses[0]}
        first = self.study.at_target(modes)
        return follow(first, poses={case.frame: series}, actuated=case.motors)

    def zeros(self, modes: int, kind: str = LOCKED) -> list[float]:
        """Path parameters at which a further eigenvalue becomes negative."""
        path = self.by_modes(modes)
        more = np.diff(path.stability[kind].negative) > 0
        found = [x.parameter for x in path.changes if x.kind == kind]
        at = np.clip(np.searchsorted(path.parameter, found) - 1, 0, len(more) - 1)
        return [t for t, i in zip(found, at.tolist(), strict=True) if more[i]]

    def changes(self, modes: tuple[int, ...]) -> list[Change]:
        """Every change of stability that the continuous model has on the path."""
        made = []
        for kind in (LOCKED, CONSTANT):
            each = {n: self.zeros(n, kind) for n in modes}
            for k, limit in enumerate(self.limits[kind]):
                name = f"X{2 * k + 2}" if kind == LOCKED else f"constant torque {k + 1}"
                found = ((n, self.case.point(t[k])[1]) for n, t in each.items() if len(t) > k)
                missing = (n for n, t in each.items() if len(t) <= k)
                label, y = f"{NAMES[self.case.name]}, {name}", self.case.point(limit)[1]
                made.append(Change(label, y, tuple(found), tuple(missing)))
        return made

    # The continuous model ---------------------------------------------------------------------

    @cached_property
    def continuous(self) -> list[AssemblyEquilibrium]:
        found = [self.study.continuous_at(self.case.target(0), self.by_modes(5).at(0))]
        for t in self.t[1:]:
            found.append(self.study.continuous_at(self.case.target(float(t)), found[-1]))
        return found

    @cached_property
    def fields(self) -> list[ConjugatePoints]:
        return [conjugate_points(x) for x in self.continuous]

    @cached_property
    def counts(self) -> Array:
        """How many conjugate points, motors locked."""
        return np.array([x.count for x in self.fields])

    def at(self, t: float) -> AssemblyEquilibrium:
        near = int(np.argmin(np.abs(self.t - t)))
        return self.study.continuous_at(self.case.target(t), self.continuous[near])

    @cached_property
    def limits(self) -> dict[str, list[float]]:
        """Path parameters at which the continuous model gains a conjugate point, motors locked,
        and at which the stiffness at the motors is singular, before that: there it has a pole."""
        locked = self._roots(self.counts, lambda x, _: float(conjugate_points(x).determinant[-1]))
        falling = np.array([np.sum(self._stiffness(x) < 0) for x in self.continuous])
        constant = self._roots(falling, lambda x, k: float(self._stiffness(x)[k]))
        return {LOCKED: locked, CONSTANT: [x for x in constant if x < min(locked, default=1.0)]}

    def _stiffness(self, x: AssemblyEquilibrium) -> Array:
        """Eigenvalues of the stiffness at the motors [N m/rad]."""
        K = joint_stiffness(x, self.case.motors)
        return np.asarray(np.linalg.eigvalsh((K + K.T) / 2))

    def _roots(
        self, counts: Array, value: Callable[[AssemblyEquilibrium, int], float]
    ) -> list[float]:
        """Where the count rises by one, and the value (of its number) changes its sign."""
        found = []
        for i in np.flatnonzero(np.diff(counts) == 1).tolist():
            ends, k = (float(self.t[i]), float(self.t[i + 1])), int(counts[i])
            if value(self.continuous[i], k) * value(self.continuous[i + 1], k) < 0:
                zero = brentq(lambda t, k=k: value(self.at(t), k), *ends, xtol=PRECISION)
                found.append(float(zero))
        return found

    @cached_property
    def stops(self) -> list[Stop]:
        """X1, each point where a conjugate point comes in, what lies between, and the end."""
        limits = self.limits[LOCKED]
        middles = [(a + b) / 2 for a, b in pairwise(limits)]
        stops = sorted([0.0, *(limit + STEP_BEYOND for limit in limits), *middles, 1.0])
        return [
            Stop(f"X{k}", t, conjugate_points(self.at(t), samples=DRAWN_POINTS))
            for k, t in enumerate(stops, start=1)
        ]
