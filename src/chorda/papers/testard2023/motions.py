"""The motions of the paper: two necks, rigid and elastic tendons, explicit and implicit Euler."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.catalogue import load
from chorda.control import JointControl, Sine
from chorda.dynamics import simulate
from chorda.mechanics import Array, System, assemble
from chorda.papers.studies import once
from chorda.papers.testard2023 import published
from chorda.papers.testard2023.published import EXPLICIT, FREQUENCY, IMPLICIT, STEP, STEPS
from chorda.results import Run


@dataclass(frozen=True)
class Case:
    """One integration: number of joints, tendons, scheme and step [s]."""

    joints: int
    tendons: str
    scheme: str
    step: float


@dataclass(frozen=True)
class Setting:
    """Frequency of the error dynamics [rad/s], and the share of the chosen motion."""

    frequency: float = FREQUENCY
    share: float = 1.0


BASE = Setting()


def controller(joints: int, setting: Setting = BASE) -> JointControl:
    """Computed torque along the chosen motion."""
    motion = Sine.from_rest([setting.share * a for a in published.AMPLITUDE[joints]])
    return JointControl(motion, frequency=setting.frequency, minimum_tension=published.MINIMUM)


def amplitude(joints: int, setting: Setting = BASE) -> float:
    """The largest of the joints' amplitudes [rad]."""
    return setting.share * max(published.AMPLITUDE[joints])


class Motions:
    """The necks and their runs."""

    @once
    def system(self, joints: int, tendons: str) -> System:
        return assemble(load(f"neck-{joints}"), "rigid" if tendons == "rigid" else "elastic")

    @once
    def run(self, case: Case, setting: Setting = BASE) -> Run:
        """Kept; see `moved`."""
        return self.moved(case, setting)

    def moved(self, case: Case, setting: Setting = BASE, **options: Any) -> Run:
        return simulate(
            self.system(case.joints, case.tendons),
            duration=published.DURATION,
            step=case.step,
            scheme=case.scheme,
            control=controller(case.joints, setting),
            initial={"tension": published.MINIMUM} if case.tendons == "elastic" else None,
            progress=False,
            **options,
        )

    def angles(self, case: Case, setting: Setting = BASE) -> Array:
        """Of the joints over time (n, joints) [rad]."""
        return self.run(case, setting).position[:, : case.joints]

    def schemes_apart(self, joints: int) -> Array:
        """Explicit less implicit with rigid tendons and steps of 2 ms (n, joints) [rad]."""
        a, b = (self.angles(Case(joints, "rigid", x, STEP)) for x in (EXPLICIT, IMPLICIT))
        return a - b

    def elasticity(self, joints: int, scheme: str) -> Array:
        """What elastic tendons change in the motion (n, joints) [rad]."""
        a, b = (self.angles(Case(joints, x, scheme, STEPS[scheme])) for x in ("elastic", "rigid"))
        return a - b

    def elongation(self, scheme: str) -> tuple[Array, Array]:
        """Time (n) [s] and elongation of the tendons of 3 joints (n, tendons) [mm]."""
        run = self.run(Case(3, "elastic", scheme, STEPS[scheme]))
        return run.time, run.outputs["elongation"] * 1e3


def at_times(times: Array, run_times: Array, values: Array) -> Array:
    """Columns of values, linear between the times of a run."""
    return np.column_stack([np.interp(times, run_times, x) for x in values.T])
