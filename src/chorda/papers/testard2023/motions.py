"""The motions of the paper: two necks, rigid and elastic tendons, explicit and implicit Euler.

The paper prints neither the wanted motion nor the gains, the lowest tension or the motors' inertia;
what stands here is assumed. 6.3 s is one period of a sine of 1 rad/s.
"""

import time
from dataclasses import dataclass

from chorda.catalogue import load
from chorda.control import JointControl, Sine
from chorda.dynamics import simulate
from chorda.mechanics import System, assemble
from chorda.results import Run

DURATION = 6.3  # [s] Testard2023, tables 1-3
AMPLITUDE = {3: (0.6, 0.5, 0.4), 4: (0.6, 0.4, 0.3, 0.2)}  # [rad] assumed
FREQUENCY = 10.0  # [rad/s] assumed: error dynamics of the computed torque
MINIMUM = 5.0  # [N] assumed: lowest tension
PATIENCE = 5.0  # [s] of repeating one run for its best time
EXPLICIT, IMPLICIT = "explicit-euler", "implicit-euler"
ASSUMED = (
    "Assumed, as the paper does not say: motor inertia 1e-5 kg m^2; wanted motion "
    "A/2 (1 - cos t) with A = 0.6, 0.5, 0.4 rad (3 joints) and 0.6, 0.4, 0.3, 0.2 rad (4 joints); "
    f"computed torque with error dynamics of {FREQUENCY:g} rad/s, critically damped; tensions of "
    f"{MINIMUM:g} N or more; the neck stands up."
)


@dataclass(frozen=True)
class Case:
    """One integration: number of joints, tendons, scheme and step [s]."""

    joints: int
    tendons: str
    scheme: str
    step: float


@dataclass(frozen=True)
class Timed:
    """A run and the time it took, best of several [s]; compilation is not in it."""

    run: Run
    seconds: float


def controller(joints: int, frequency: float = FREQUENCY, share: float = 1.0) -> JointControl:
    """Computed torque along the assumed motion, its amplitude scaled by `share`."""
    motion = Sine.from_rest([share * a for a in AMPLITUDE[joints]])
    return JointControl(motion, frequency=frequency, minimum_tension=MINIMUM)


class Necks:
    """The systems and their runs, each made once."""

    def __init__(self, repeats: int = 5) -> None:
        self._repeats = repeats
        self._systems: dict[tuple[int, str], System] = {}
        self._runs: dict[Case, Timed] = {}

    def system(self, joints: int, tendons: str) -> System:
        key = (joints, tendons)
        if key not in self._systems:
            robot = load(f"neck-{joints}")
            self._systems[key] = assemble(robot, "rigid" if tendons == "rigid" else "elastic")
        return self._systems[key]

    def run(self, case: Case) -> Timed:
        if case not in self._runs:
            system = self.system(case.joints, case.tendons)
            control = controller(case.joints)
            best, run, spent = float("inf"), None, 0.0
            for count in range(1 + self._repeats):  # the first builds the kernel
                if count > 1 and spent > PATIENCE:
                    break
                begin = time.perf_counter()
                run = simulate(
                    system,
                    duration=DURATION,
                    step=case.step,
                    scheme=case.scheme,
                    control=control,
                    initial={"tension": MINIMUM} if case.tendons == "elastic" else None,
                    progress=False,
                )
                best = min(best, time.perf_counter() - begin)
                spent += time.perf_counter() - begin
            assert run is not None
            self._runs[case] = Timed(run, best)
        return self._runs[case]
