"""The time of whole calls of `simulate`, as a user meets them."""

from statistics import median

from chorda.bench.timing import seconds
from chorda.control import JointControl, Sine
from chorda.dynamics import simulate
from chorda.mechanics import System

DURATION, STEP = 6.3, 2e-3  # [s] the motion of the three-joint neck
AMPLITUDE = (0.6, 0.4, 0.2)  # [rad]
TENSION = {"tension": 8.0}  # [N] at the start


def controlled_motion(system: System) -> float:
    """Seconds of a call that moves neck-3 for 6.3 s with computed-torque control."""
    control = JointControl(Sine.from_rest(AMPLITUDE))
    return seconds(
        lambda: simulate(
            system, duration=DURATION, step=STEP, control=control, initial=TENSION, strict=True
        )
    )


def overhead(system: System, calls: int) -> float:
    """Median seconds of a call that makes one step."""
    return median(
        seconds(lambda: simulate(system, duration=STEP, step=STEP, initial=TENSION))
        for _ in range(calls)
    )
