"""The motions of the paper, and the largest step that explicit Euler bears.

Two necks, rigid and elastic tendons, explicit and implicit Euler. The paper finds limit steps of
0.4 ms for 3 joints and less than 0.025 ms for 4, without printing what they depend on. Here both
are computed by linearising the neck at the straight configuration.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from chorda.catalogue import load
from chorda.control import JointControl, Sine
from chorda.dynamics import linearize, simulate
from chorda.dynamics.linearize import feedback
from chorda.dynamics.schemes import find
from chorda.dynamics.stable_step import Amplifier, limit
from chorda.mechanics import Array, System, assemble
from chorda.numerics.timing import best_in_turns, seconds
from chorda.papers.studies import once
from chorda.papers.testard2023 import published
from chorda.papers.testard2023.published import EXPLICIT, FREQUENCY, IMPLICIT
from chorda.results import Run
from chorda.statics.initial import initial_state

STEP = 2e-3  # [s]
STEPS = {IMPLICIT: STEP, EXPLICIT: 4e-4}  # [s] with elastic tendons
CHOICE = (1e-4, 17.2)  # inertia [kg m^2] and gains [rad/s] that meet both of the paper's limits
SMALL_SHARE = 0.05  # share of the assumed motion at which the linear prediction is checked


@dataclass(frozen=True)
class Case:
    """One integration: number of joints, tendons, scheme and step [s]."""

    joints: int
    tendons: str
    scheme: str
    step: float


@dataclass(frozen=True)
class Loop:
    """The linearised neck at the straight configuration.

    step: explicit limit [s], 0 where the loop itself is unstable; growth: largest real part of the
    continuous loop's eigenvalues [1/s]; implicit: growth of a deviation over an implicit step.
    """

    step: float
    growth: float
    implicit: float


def controller(joints: int, frequency: float = FREQUENCY, share: float = 1.0) -> JointControl:
    """Computed torque along the assumed motion, its amplitude scaled by `share`."""
    motion = Sine.from_rest([share * a for a in published.AMPLITUDE[joints]])
    return JointControl(motion, frequency=frequency, minimum_tension=published.MINIMUM)


class Study:
    """The necks and their runs; repeats: how often a run is timed."""

    inertias = np.geomspace(2e-7, 2e-4, 13)  # [kg m^2]
    frequencies = np.array([5, 8, 10, 12, 13, 14, 15, 16, 17.2, 18, 19, 20, 21, 22, 25, 30.0])

    def __init__(self, repeats: int = 5) -> None:
        self._repeats = repeats

    @once
    def system(self, joints: int, tendons: str) -> System:
        return assemble(load(f"neck-{joints}"), "rigid" if tendons == "rigid" else "elastic")

    @once
    def run(self, case: Case) -> Run:
        return self._moved(case, controller(case.joints))

    def times(self, cases: Iterable[Case]) -> dict[Case, float]:
        """Best computing time of each run [s]; runs take turns, kernels are built before."""
        contenders = {
            case: partial(seconds, partial(self._moved, case, controller(case.joints)))
            for case in cases
            if self.run(case)
        }
        return best_in_turns(contenders, self._repeats)

    @property
    def motion(self) -> Run:
        """Of the 3-joint neck with elastic tendons."""
        return self.run(Case(3, "elastic", IMPLICIT, STEP))

    def _moved(self, case: Case, control: JointControl, **options: Any) -> Run:
        return simulate(
            self.system(case.joints, case.tendons),
            duration=published.DURATION,
            step=case.step,
            scheme=case.scheme,
            control=control,
            initial={"tension": published.MINIMUM} if case.tendons == "elastic" else None,
            progress=False,
            **options,
        )

    def small_motion(self, joints: int, scheme: str, step: float) -> Run:
        """With the choice that meets the paper, to see the limit happen."""
        inertia, frequency = CHOICE
        case = Case(joints, "elastic", scheme, step)
        control = controller(joints, frequency, SMALL_SHARE)
        return self._moved(case, control, parameters={"motor-*.inertia": inertia})

    @once
    def loop(self, joints: int, inertia: float, frequency: float | None) -> Loop:
        """The elastic neck, controlled at that frequency or (None) with constant torques."""
        system = self.system(joints, "elastic")
        p = system.parameters({"motor-*.inertia": inertia})
        q, still = initial_state(system, {"tension": published.MINIMUM}, p)
        law = controller(joints, frequency or 0.0).law(system)
        w = np.zeros(3 * joints)
        u = law(0.0, q, still, w, p).full().ravel()
        gains = None if frequency is None else feedback(system, law, q, still, p, w)
        linear = linearize(system, q, still, u, p)
        growth = float(np.max(np.linalg.eigvals(linear.closed(gains)).real))
        step = limit(find(EXPLICIT), linear, gains).step if growth <= 0 else 0.0
        return Loop(step, growth, Amplifier(find(IMPLICIT), linear, gains).growth(STEP))

    def limits_over_inertia(self, joints: int) -> Array:
        """Explicit limit [s] with constant torques at each of the inertias."""
        return np.array([self.loop(joints, float(x), None).step for x in self.inertias])

    def limits_over_gains(self, joints: int) -> Array:
        """Explicit limit [s] of the controlled neck at each frequency [rad/s] of its error
        dynamics; 0: unstable at any step."""
        return np.array([self.loop(joints, CHOICE[0], float(x)).step for x in self.frequencies])

    def angles(self, case: Case) -> Array:
        """Of the joints over time (n, joints) [rad]."""
        return self.run(case).position[:, : case.joints]

    def schemes_apart(self, joints: int) -> Array:
        """Explicit less implicit with rigid tendons and steps of 2 ms (n, joints) [rad]."""
        a, b = (self.angles(Case(joints, "rigid", x, STEP)) for x in (EXPLICIT, IMPLICIT))
        return a - b

    def elasticity(self, scheme: str) -> Array:
        """What elastic tendons change in the motion of 3 joints (n, 3) [rad]."""
        a, b = (self.angles(Case(3, x, scheme, STEPS[scheme])) for x in ("elastic", "rigid"))
        return a - b

    def elongation(self, scheme: str) -> tuple[Array, Array]:
        """Time (n) [s] and elongation of the tendons of 3 joints (n, tendons) [mm]."""
        run = self.run(Case(3, "elastic", scheme, STEPS[scheme]))
        return run.time, run.outputs["elongation"] * 1e3

    def friction_limit(self) -> float:
        """Largest step [s] at which the implicit scheme damps motors with dry friction at rest."""
        return limit(find(IMPLICIT), linearize(self.system(3, "elastic"))).step
