"""The kinemato-static model along the printed path, and how far its singularities are."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from chorda.mechanics import Array
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, STEPS, RobotStudy
from chorda.papers.studies import once
from chorda.results import Equilibrium
from chorda.statics import Kinematostatics, equilibrium, kinematostatics
from chorda.statics.kinematostatics import TWIST

MODES = 5
TYPE_1, TYPE_2 = "type 1 (inverse)", "type 2 (forward)"
PRECISION = 1e-6  # of a step along the path


@dataclass(frozen=True)
class SingularPoint:
    """Where the path meets a singularity of type 1: in steps, and as a configuration."""

    step: float
    found: Equilibrium


class SingularityPath:
    """At some of the 51 configurations of the printed path, in order."""

    def __init__(self, study: RobotStudy, steps: tuple[int, ...]) -> None:
        self.study, self.case, self.steps = study, study.case, steps

    @once
    def near(self, step: int) -> Kinematostatics:
        """The kinemato-static model at a configuration."""
        return self._linear(self.study.path(MODES, CATALOGUE_INTERVALS).at(step))

    def _linear(self, found: Equilibrium) -> Kinematostatics:
        return kinematostatics(found, self.case.frame)

    def distances(self, kind: str) -> Array:
        """Of one kind of singularity, at the configurations."""
        each = (x for step in self.steps for x in self.near(step).singularities)
        return np.array([x.distance for x in each if x.name == kind])

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(x.name for x in self.near(self.steps[0]).singularities)

    @cached_property
    def determinants(self) -> Array:
        """Of the frame's motion by the motors, at the configurations."""
        return np.array([determinant(self.near(step)) for step in self.steps])

    @cached_property
    def singular_point(self) -> SingularPoint | None:
        """The last change of sign of that determinant on the path."""
        changes = np.flatnonzero(np.diff(np.sign(self.determinants)))
        if not len(changes):
            return None
        low, high = self.steps[changes[-1]], self.steps[changes[-1] + 1]

        def value(step: float) -> float:
            return determinant(self._linear(self.between(step, low)))

        step = float(brentq(value, low, high, xtol=PRECISION))
        return SingularPoint(step, self.between(step, low))

    def between(self, step: float, near: int) -> Equilibrium:
        """The configuration after so many steps, from that of a whole number of them."""
        start = self.near(near).equilibrium
        hold = self.case.angles(step / STEPS)
        return equilibrium(start.system, hold=hold, initial=start, strict=True)


def counted_jacobian(near: Kinematostatics) -> Array:
    """Motion of the frame that the inverse problem prescribes, by the motors."""
    return near.jacobian.values[[TWIST.index(name) for name in near.counted]]


def determinant(near: Kinematostatics) -> float:
    """Its sign does not depend on units; it changes across singularities of type 1."""
    return float(np.linalg.det(counted_jacobian(near)))
