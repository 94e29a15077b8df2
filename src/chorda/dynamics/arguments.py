"""Arguments that verbs of motion share, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.checks import number, refuse_idle, whole_number
from chorda.dynamics.schemes import REFERENCE, find
from chorda.dynamics.signals import Signal
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.equal_steps import equal_steps
from chorda.numerics.memory import refuse_beyond

MAX_STEPS = 100_000_000
FEWER_STEPS = "make fewer steps: a larger step, or run on from the Run of a shorter duration"


@dataclass(frozen=True, eq=False)
class TimeGrid:
    """The number of steps, the step [s], and the times of all of them [s].

    message: a sentence where the step was shortened so that it divides the duration.
    """

    steps: int
    step: float
    time: Array
    message: str


def time_grid(duration: float, step: float, every: int) -> TimeGrid:
    """The steps of a motion; one that does not divide the duration is shortened."""
    number("duration", duration, above=0, unit="seconds")
    number("step", step, above=0, unit="seconds")
    whole_number("every", every)
    if step > duration:
        raise InputError(
            f"step: {step:g} s is longer than the duration {duration:g} s; make it smaller"
        )
    count = np.divide(duration, step)
    if count > MAX_STEPS:
        raise InputError(
            f"step: {step:g} s makes {count:.3g} steps, more than the {MAX_STEPS:g} that are "
            "kept in memory; make it larger, or run on from the Run of a shorter duration"
        )
    made = equal_steps(duration, step)
    refuse_beyond("step", f"the times of {made.count:g} steps", 8.0 * made.count, FEWER_STEPS)
    time = np.arange(made.count + 1, dtype=float)
    time *= made.step
    return TimeGrid(made.count, made.step, time, made.message)


def check_rows(grid: TimeGrid, inputs: Signal, rows: int) -> None:
    """Refuse inputs in rows for the times of a step that was shortened: they are for others.

    rows: times that the inputs have; functions of time are taken at the times of any step.
    """
    given: list[Any] = [*inputs.values()] if isinstance(inputs, Mapping) else [inputs]
    if grid.message and rows > 1 and any(np.ndim(x) and not callable(x) for x in given):
        raise InputError(
            f"step: it does not divide the duration, and inputs are rows for its times; give a "
            f"step that does, such as {grid.step!r} ({grid.steps} steps) with inputs at its times, "
            "or inputs as functions of time"
        )


def check_memory(system: System, steps: int, every: int, varying: bool) -> None:
    """Refuse a motion whose states would not fit in memory, before anything is computed.

    varying: whether the inputs are rows over the times of all steps.
    """
    kept, numbers = steps // every + 1, 2 * (system.nq + system.nv) + system.nu
    size = 8.0 * (kept * numbers + (steps + 1) * (3 * (system.nq + system.nu) if varying else 1))
    what = f"{kept:g} of {steps:g} steps that are kept, of {numbers} numbers each,"
    refuse_beyond("every", what, size, f"keep fewer (such as every={10 * every}), or {FEWER_STEPS}")


def tolerance_of(tolerance: float | None, scheme: str) -> float:
    """The tolerance that was asked for, or the usual one of the scheme."""
    if tolerance is None:
        return 1e-8 if scheme == REFERENCE or find(scheme).adaptive else 1e-10
    number("tolerance", tolerance, above=0, below=1)
    if scheme != REFERENCE and not (find(scheme).adaptive or find(scheme).iterates):
        why = f"with scheme '{scheme}', which has fixed steps and no Newton's method"
        refuse_idle({"tolerance": tolerance}, why, "take another scheme")
    return float(tolerance)
