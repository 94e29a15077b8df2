"""What the integrations cost: operations of a step, and seconds in runs that take turns."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from chorda.compile.source import operations
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import find
from chorda.mechanics import Array
from chorda.numerics.timing import seconds
from chorda.papers.studies import once
from chorda.papers.testard2023.motions import Case, Motions, controller
from chorda.papers.testard2023.published import DURATION


@dataclass(frozen=True)
class Spread:
    """Median, least and largest of repeated times [s]."""

    median: float
    least: float
    largest: float


class Times:
    """Costs of runs; repeats: how often each is timed."""

    def __init__(self, motions: Motions, repeats: int) -> None:
        self._motions, self.repeats = motions, repeats

    @once
    def operations(self, joints: int, tendons: str, scheme: str) -> int:
        """Of one step with its control: additions, multiplications, functions."""
        system, control = self._motions.system(joints, tendons), controller(joints)
        wanted = control.signal(system, np.zeros(1)).shape[1]
        return operations(SchemeLoop(system, find(scheme), control.law(system), wanted).functions())

    def motion_operations(self, case: Case) -> float:
        """Of the whole motion."""
        steps = round(DURATION / case.step)
        return steps * float(self.operations(case.joints, case.tendons, case.scheme))

    def spreads(self, cases: Iterable[Case]) -> dict[Case, Spread]:
        """Each repeat runs all cases once, so that what else the machine does meets all alike."""
        contenders = {case: partial(self._motions.moved, case) for case in cases}
        rounds: list[list[float]] = [
            [seconds(run) for run in contenders.values()] for _ in range(self.repeats + 1)
        ]
        found: Array = np.array(rounds[1:])  # kernels are built in the first
        return {
            case: Spread(float(np.median(x)), float(x.min()), float(x.max()))
            for case, x in zip(contenders, found.T, strict=True)
        }
