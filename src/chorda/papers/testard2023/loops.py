"""The controlled neck linearised: at rest, where dry friction damps, and in motion, where it is
nearly constant and does not.
"""

from dataclasses import dataclass

import numpy as np

from chorda.dynamics import linearize
from chorda.dynamics.linearize import Linear, feedback
from chorda.dynamics.schemes import find
from chorda.dynamics.stable_step import Amplifier, limit
from chorda.mechanics import Array, System
from chorda.papers.studies import once
from chorda.papers.testard2023 import published
from chorda.papers.testard2023.motions import Case, Motions, Setting, controller
from chorda.papers.testard2023.published import EXPLICIT, IMPLICIT, INERTIA, STEP
from chorda.statics.initial import initial_state

FASTEST_TIME = np.pi / 2  # [s] when the wanted motion is fastest


@dataclass(frozen=True)
class Loop:
    """A linearised neck under its control.

    step: explicit limit [s], 0 where the loop itself is unstable; growth: largest real part of the
    continuous loop's eigenvalues [1/s]; implicit: growth of a deviation over an implicit step.
    """

    step: float
    growth: float
    implicit: float


class Loops:
    """Linearised necks; motions: of which those in motion are taken."""

    def __init__(self, motions: Motions) -> None:
        self._motions = motions

    @once
    def at_rest(self, joints: int, frequency: float | None, inertia: float = INERTIA) -> Loop:
        """The straight elastic neck, controlled at that frequency or (None) by constant torques."""
        system = self._motions.system(joints, "elastic")
        p = system.parameters({"motor-*.inertia": inertia})
        q, still = initial_state(system, {"tension": published.MINIMUM}, p)
        linear, gains = _linear(system, joints, frequency or 0.0, 0.0, q, still, p)
        return _loop(linear, None if frequency is None else gains)

    @once
    def in_motion(self, joints: int, frequency: float) -> Loop:
        """The elastic neck where the wanted motion is fastest."""
        run = self._motions.run(Case(joints, "elastic", IMPLICIT, STEP))
        i = int(np.searchsorted(run.time, FASTEST_TIME))
        state = run.position[i], run.velocity[i], run.parameters
        return _loop(*_linear(run.system, joints, frequency, run.time[i], *state))

    @once
    def rigid_limit(self, joints: int, scheme: str, frequency: float) -> float:
        """Limit step [s] of the straight neck with rigid tendons under its control."""
        system = self._motions.system(joints, "rigid")
        still = np.zeros(joints)
        state = system.rest, still, system.parameters()
        return limit(find(scheme), *_linear(system, joints, frequency, 0.0, *state)).step

    def plain_limit(self, tendons: str) -> float:
        """Limit step [s] of the implicit scheme, 3 joints, constant torques, no dry friction."""
        system = self._motions.system(3, tendons)
        smooth = system.parameters({"*.dry_torque": 0.0})
        return limit(find(IMPLICIT), linearize(system, parameters=smooth)).step

    def friction_limit(self) -> float:
        """The same of elastic tendons with dry friction, which is held over the step."""
        return limit(find(IMPLICIT), linearize(self._motions.system(3, "elastic"))).step

    def over_inertia(self, joints: int, inertias: Array) -> Array:
        """Explicit limit [s] of the straight neck with constant torques at each inertia."""
        return np.array([self.at_rest(joints, None, float(x)).step for x in inertias])

    def over_gains(self, joints: int, frequencies: Array, moving: bool) -> Array:
        """Explicit limit [s] at each frequency of the error dynamics [rad/s], at rest or in motion;
        0: unstable at any step."""
        found = self.in_motion if moving else self.at_rest
        return np.array([found(joints, float(x)).step for x in frequencies])


def _linear(
    system: System, joints: int, frequency: float, t: float, q: Array, v: Array, p: Array
) -> tuple[Linear, Array]:
    """The neck and the gains of its controller at a state."""
    control = controller(joints, Setting(frequency))
    law, wanted = control.law(system), control.signal(system, np.array([t]))[0]
    u = law(t, q, v, wanted, p).full().ravel()
    return linearize(system, q, v, u, p), feedback(system, law, q, v, p, wanted)


def _loop(linear: Linear, gains: Array | None) -> Loop:
    growth = float(np.max(np.linalg.eigvals(linear.closed(gains)).real))
    step = limit(find(EXPLICIT), linear, gains).step if growth <= 0 else 0.0
    return Loop(step, growth, Amplifier(find(IMPLICIT), linear, gains).growth(STEP))
