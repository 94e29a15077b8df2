"""The way on which stability is lost: eigenvalues of the modes and conjugate points beside."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from chorda.continuous.assembly import (
    AssemblyEquilibrium,
    ConjugatePoints,
    conjugate_points,
    joint_stiffness,
)
from chorda.mechanics import Array
from chorda.papers.briot2022.study import Study, continuous_at
from chorda.results import EquilibriumPath
from chorda.statics import equilibrium, follow

LOCKED, CONSTANT = "locked", "constant efforts"
PRECISE = 1e-9  # of the way
DRAWN = 200  # places along the legs in figures
BEYOND = 1e-7  # of the way: a conjugate point that comes in is there


@dataclass(frozen=True, eq=False)
class Stop:
    """A named place on the way, and the continuous model there."""

    name: str
    share: float
    fields: ConjugatePoints


class Walk:
    """points: how many along the way, the first and the last included."""

    def __init__(self, study: Study, points: int) -> None:
        self.study, self.subject = study, study.subject
        self.share = np.linspace(0, 1, points)
        self._paths: dict[int, EquilibriumPath] = {}

    def by_modes(self, modes: int) -> EquilibriumPath:
        """As far as it goes: with three modes the planar robot's branch ends on the way."""
        if modes not in self._paths:
            subject = self.subject
            first = equilibrium(
                self.study.system(modes),
                poses=subject.place(0),
                actuated=subject.motors,
                initial=self.study.start(modes),
                strict=True,
            )
            poses = [subject.place(float(s))[subject.end] for s in self.share]
            series = {key: np.array([pose[key] for pose in poses]) for key in poses[0]}
            place = {subject.end: series}
            self._paths[modes] = follow(first, poses=place, actuated=subject.motors)
        return self._paths[modes]

    def crossings(self, modes: int, kind: str = LOCKED) -> list[float]:
        """Shares of the way at which an eigenvalue passes zero."""
        return [x.parameter for x in self.by_modes(modes).changes if x.kind == kind]

    # The continuous model ---------------------------------------------------------------------

    @cached_property
    def continuous(self) -> list[AssemblyEquilibrium]:
        found = [continuous_at(self.study, self.subject.place(0), self.by_modes(5).at(0))]
        for share in self.share[1:]:
            found.append(continuous_at(self.study, self.subject.place(float(share)), found[-1]))
        return found

    @cached_property
    def fields(self) -> list[ConjugatePoints]:
        return [conjugate_points(x) for x in self.continuous]

    @cached_property
    def counts(self) -> Array:
        """How many conjugate points, motors locked."""
        return np.array([x.count for x in self.fields])

    def at(self, share: float) -> AssemblyEquilibrium:
        near = int(np.argmin(np.abs(self.share - share)))
        return continuous_at(self.study, self.subject.place(share), self.continuous[near])

    @cached_property
    def limits(self) -> dict[str, list[float]]:
        """Shares at which the continuous model gains a conjugate point, motors locked, and at which
        the stiffness at the motors is singular, before that: there it has a pole."""
        locked = self._roots(self.counts, lambda x, _: float(conjugate_points(x).determinant[-1]))
        falling = np.array([np.sum(self._stiffness(x) < 0) for x in self.continuous])
        constant = self._roots(falling, lambda x, k: float(self._stiffness(x)[k]))
        return {LOCKED: locked, CONSTANT: [x for x in constant if x < min(locked, default=1.0)]}

    def _stiffness(self, x: AssemblyEquilibrium) -> Array:
        """Eigenvalues of the stiffness at the motors [N m/rad]."""
        K = joint_stiffness(x, self.subject.motors)
        return np.asarray(np.linalg.eigvalsh((K + K.T) / 2))

    def _roots(
        self, counts: Array, value: Callable[[AssemblyEquilibrium, int], float]
    ) -> list[float]:
        """Where the count rises by one, and the value (of its number) changes its sign."""
        found = []
        for i in np.flatnonzero(np.diff(counts) == 1).tolist():
            ends, k = (float(self.share[i]), float(self.share[i + 1])), int(counts[i])
            if value(self.continuous[i], k) * value(self.continuous[i + 1], k) < 0:
                zero = brentq(lambda s, k=k: value(self.at(s), k), *ends, xtol=PRECISE)
                found.append(float(zero))
        return found

    @cached_property
    def stops(self) -> list[Stop]:
        """X1, each place where a conjugate point comes in, what lies between, and the end."""
        limits = self.limits[LOCKED]
        shares = [0.0]
        for k, limit in enumerate(limits):
            shares.append(limit + BEYOND)
            if k + 1 < len(limits):
                shares.append((limit + limits[k + 1]) / 2)
        shares.append(1.0)
        return [
            Stop(f"X{k}", share, conjugate_points(self.at(share), shares=DRAWN))
            for k, share in enumerate(shares, start=1)
        ]
