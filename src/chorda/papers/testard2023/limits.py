"""The explicit limit step: as a function of the motors' inertia and of the control gains.

The paper finds 0.4 ms for 3 joints and less than 0.025 ms for 4, without printing what they depend
on. Here both are computed by linearising the neck at the straight configuration.
"""

from dataclasses import dataclass

import numpy as np

from chorda.dynamics import linearize, simulate
from chorda.dynamics.linearize import feedback
from chorda.dynamics.schemes import find
from chorda.dynamics.stable_step import Amplifier, limit
from chorda.mechanics import Array
from chorda.papers.testard2023.motions import (
    DURATION,
    EXPLICIT,
    IMPLICIT,
    MINIMUM,
    Necks,
    controller,
)
from chorda.results import Run
from chorda.statics.initial import initial_state

PAPER = {3: 0.4e-3, 4: 0.025e-3}  # [s] Testard2023, table 3; the second is an upper bound
INERTIAS = np.geomspace(2e-7, 2e-4, 13)  # [kg m^2]
FREQUENCIES = np.array(
    [5, 8, 10, 12, 13, 14, 15, 16, 17.2, 18, 19, 20, 21, 22, 25, 30.0]
)  # [rad/s]
MEETS = (1e-4, 17.2)  # inertia [kg m^2] and gains [rad/s] that meet both of the paper's limits
SMALL = 0.05  # share of the assumed motion at which the linear prediction is checked


@dataclass(frozen=True)
class Loop:
    """Linear findings at the straight configuration."""

    step: float  # explicit limit [s]
    growth: float  # largest real part of the continuous loop's eigenvalues [1/s]
    implicit: float  # growth of a deviation over one implicit step of 2 ms


def loop(necks: Necks, joints: int, inertia: float, frequency: float | None) -> Loop:
    """The elastic neck, controlled at that frequency or (None) with constant torques."""
    system = necks.system(joints, "elastic")
    p = system.parameters({"motor-*.inertia": inertia})
    q, still = initial_state(system, {"tension": MINIMUM}, p)
    law = controller(joints, frequency or 0.0).law(system)
    w = np.zeros(3 * joints)
    u = law(0.0, q, still, w, p).full().ravel()
    gains = None if frequency is None else feedback(system, law, q, still, p, w)
    linear = linearize(system, q, still, u, p)
    A = linear.closed(gains)
    step = limit(find(EXPLICIT), linear, gains).step
    growth = float(np.max(np.linalg.eigvals(A).real))
    return Loop(
        step if growth <= 0 else 0.0, growth, Amplifier(find(IMPLICIT), linear, gains).growth(2e-3)
    )


def over_inertia(necks: Necks, joints: int) -> Array:
    """Explicit limit [s] with constant torques at each of INERTIAS."""
    return np.array([loop(necks, joints, float(x), None).step for x in INERTIAS])


def over_gains(necks: Necks, joints: int, inertia: float) -> Array:
    """Explicit limit [s] of the controlled neck at each of FREQUENCIES; 0: unstable at any step."""
    return np.array([loop(necks, joints, inertia, float(x)).step for x in FREQUENCIES])


def observed(
    necks: Necks, joints: int, scheme: str, step: float, duration: float = DURATION
) -> Run:
    """A small motion under the assumption that meets the paper, to see the limit happen."""
    inertia, frequency = MEETS
    return simulate(
        necks.system(joints, "elastic"),
        duration=duration,
        step=step,
        scheme=scheme,
        control=controller(joints, frequency, SMALL),
        initial={"tension": MINIMUM},
        parameters={"motor-*.inertia": inertia},
        progress=False,
    )
