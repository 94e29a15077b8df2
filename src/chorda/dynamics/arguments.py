"""Arguments that verbs of motion share, checked."""

from numbers import Integral, Real

import numpy as np

from chorda.dynamics.schemes import REFERENCE, find
from chorda.errors import InputError
from chorda.mechanics import Array

MAX_STEPS = 100_000_000


def time_grid(duration: float, step: float, every: int) -> tuple[int, Array]:
    """The number of steps, and the times of all of them [s]."""
    for name, value in (("duration", duration), ("step", step)):
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not (number and np.isfinite(value) and value > 0):
            raise InputError(f"{name}: expected a positive number of seconds, got {value!r}")
    if step > duration:
        raise InputError(
            f"step: {step:g} s is longer than the duration {duration:g} s; make it smaller"
        )
    if not (isinstance(every, Integral) and every >= 1):
        raise InputError(f"every: expected a whole number of steps, at least 1, got {every!r}")
    steps = round(duration / step)
    if steps > MAX_STEPS:
        raise InputError(
            f"step: {step:g} s makes {steps:.3g} steps, more than the {MAX_STEPS:g} that are "
            "kept in memory; make it larger, or run on from the Run of a shorter duration"
        )
    return steps, np.asarray(step * np.arange(steps + 1), float)


def tolerance_of(tolerance: float | None, scheme: str) -> float:
    """The tolerance that was asked for, or the usual one of the scheme."""
    if tolerance is None:
        return 1e-8 if scheme == REFERENCE or find(scheme).adaptive else 1e-10
    if not (isinstance(tolerance, Real) and 0 < tolerance < 1):
        raise InputError(f"tolerance: expected a number between 0 and 1, got {tolerance!r}")
    return tolerance
