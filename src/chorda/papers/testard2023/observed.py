"""Steps with which motions complete, found by integrating them."""

from collections.abc import Callable

import numpy as np

from chorda.papers.studies import once
from chorda.papers.testard2023.motions import BASE, Case, Motions, Setting, amplitude, at_times
from chorda.papers.testard2023.published import (
    EXPLICIT,
    IMPLICIT,
    LIMITS,
    NEGLIGIBLE_SHARE,
    STEP,
)

SHORTEST_STEP, LONGEST_STEP = LIMITS[4], 1.0  # [s] that are tried
EXPLICIT_STEP = 1.2e-3  # [s] the longest that is tried of explicit runs with elastic tendons
STEP_RATIO = 1.1  # of steps that are tried one after the other
BISECTION_RATIO = 1.02  # of steps between which a limit is known
KEPT_STEP = 1e-3  # [s] about that of the states of a run that are compared


class Observed:
    """What integrations of the necks show."""

    def __init__(self, motions: Motions) -> None:
        self._motions = motions

    @once
    def completes(self, case: Case, setting: Setting = BASE) -> bool:
        every = max(1, round(KEPT_STEP / case.step))
        return self._motions.moved(case, setting, every=every).status.ok

    @once
    def converges(self, case: Case, setting: Setting = BASE) -> bool:
        """Whether it completes near the motion of implicit Euler at 2 ms."""
        n = case.joints
        known = self._motions.run(Case(n, "elastic", IMPLICIT, STEP), setting)
        if not known.status.ok:
            return False
        every = max(1, round(KEPT_STEP / case.step))
        run = self._motions.moved(case, setting, every=every)
        if not run.status.ok:
            return False
        apart = at_times(known.time, run.time, run.position[:, :n]) - known.position[:, :n]
        return bool(np.abs(apart).max() < NEGLIGIBLE_SHARE * amplitude(n, setting))

    def explicit_limit(
        self, joints: int, setting: Setting = BASE, *, completing: bool = False
    ) -> float:
        """Largest explicit step [s] with elastic tendons that converges, or only completes; 0
        where none of 0.025 ms or more does."""
        met = self.completes if completing else self.converges
        return _bisected(lambda h: met(Case(joints, "elastic", EXPLICIT, h), setting))

    def longest(self, joints: int, tendons: str, scheme: str) -> float:
        """The last step [s] that completes when it grows from 2 ms to 1 s."""
        return self._last(joints, tendons, scheme, LONGEST_STEP)

    def shortest(self, joints: int, tendons: str, scheme: str) -> float:
        """The last step [s] that completes when it shrinks from 2 ms to 0.025 ms."""
        return self._last(joints, tendons, scheme, SHORTEST_STEP)

    @once
    def _last(self, joints: int, tendons: str, scheme: str, end: float) -> float:
        ratio = STEP_RATIO if end > STEP else STEP_RATIO**-8
        count = int(np.ceil(np.log(end / STEP) / np.log(ratio))) + 1
        last = float("nan")
        for h in np.geomspace(STEP, end, count):
            if not self.completes(Case(joints, tendons, scheme, float(h))):
                break
            last = float(h)
        return last


def _bisected(met: Callable[[float], bool]) -> float:
    low, high = SHORTEST_STEP, EXPLICIT_STEP
    if not met(low):
        return 0.0
    while high / low > BISECTION_RATIO:
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if met(middle) else (low, middle)
    return low
