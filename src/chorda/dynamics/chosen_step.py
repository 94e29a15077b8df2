"""A step for an accuracy: the motion in half the steps again and again (Richardson)."""

from collections.abc import Callable
from dataclasses import replace
from math import log2
from typing import Any

import numpy as np

from chorda.checks import number
from chorda.dynamics.schemes import REFERENCE, find
from chorda.dynamics.time_error import difference
from chorda.errors import InputError
from chorda.results import Accuracy, Code, Run, Status
from chorda.results.accuracy import ErrorInTime

FIRST_COUNT = 64  # steps of the first motion
LARGEST_COUNT = 4_000_000  # steps of the last one
LONGEST_RUN = 300.0  # [s] that the last one may take
TRIES_AFTER_FAILURE = 6  # halvings of a step with which the motion does not come to its end
LEAST_ORDER = 0.5


def check_accuracy(accuracy: Any, step: Any, scheme: str, inputs: Any, control: Any) -> float:
    """The accuracy [m], if a step can be chosen for it."""
    found = number("accuracy", accuracy, above=0, unit="metres")
    if step is not None:
        raise InputError("accuracy: it chooses the step; give step or accuracy, not both")
    if scheme == REFERENCE or find(scheme).adaptive:
        raise InputError(
            f"accuracy: scheme '{scheme}' chooses its own steps by its tolerance; give tolerance "
            "and step, or another scheme"
        )
    if control is not None:
        raise InputError(
            "accuracy: the output of a controller is held over each step, which is its sampling "
            "time; give step"
        )
    each = inputs.values() if hasattr(inputs, "values") else [inputs]
    least = 1 if hasattr(inputs, "values") else 2
    if any(not callable(x) and np.ndim(x) >= least for x in each):
        raise InputError(
            "accuracy: inputs are rows for the times of a step; give them as functions of time, "
            "such as lambda t: np.interp(t, times, values), or give step"
        )
    return found


def run_to_accuracy(
    accuracy: float, duration: float, order: int, every: int, run_with: Callable[[float], Run]
) -> Run:
    """The motion whose points are known to `accuracy` [m], in the longest step that is found.

    run_with: the motion for a step [s], of which all steps are kept.
    """
    count, coarse, before, failures = FIRST_COUNT, run_with(duration / FIRST_COUNT), None, 0
    while True:
        if coarse.status.code is Code.INTERRUPTED:
            return _kept(coarse, every)
        count *= 2
        fine = run_with(duration / count)
        if fine.status.code is Code.INTERRUPTED:
            ended = fine if not coarse.status.ok else replace(coarse, status=fine.status)
            return _kept(ended, every)
        if not (coarse.status.ok and fine.status.ok):
            failures, before = failures + 1, None
            if failures > TRIES_AFTER_FAILURE:
                return _kept(fine, every)
            coarse = fine
            continue
        found = _estimate(coarse, fine, duration / count, order, before)
        sure = before is not None or found.position < 0.01 * accuracy
        if found.position <= accuracy and sure:
            return _kept(_with_estimate(fine, found, accuracy), every)
        if 2 * count > LARGEST_COUNT or 2 * fine.counts["seconds"] > LONGEST_RUN:
            return _kept(_with_estimate(fine, found, accuracy, reached=False), every)
        coarse, before = fine, found.position * (2**found.order - 1)


def _estimate(coarse: Run, fine: Run, step: float, order: int, before: float | None) -> ErrorInTime:
    """Of the fine run; before: the distance of the coarse one from the one before it [m]."""
    pair = coarse.position, fine.position[::2]
    coordinate, position, size = difference(fine.system, *pair, fine.parameters)
    seen = float(min(1, order))
    if before is not None and before > 0 and position > 0:
        seen = min(float(order), max(LEAST_ORDER, log2(before / position)))
    part = 1 / (2**seen - 1)
    return ErrorInTime(part * coordinate, part * position, size, step, seen)


def _with_estimate(run: Run, found: ErrorInTime, accuracy: float, reached: bool = True) -> Run:
    """The run with the estimate, and a status that says which step was chosen."""
    message = run.status.message.removesuffix(run.accuracy.message()).strip()
    made = Accuracy(found, run.accuracy.energy)
    sentence = (
        f"The step of {found.step:g} s was chosen for an accuracy of {accuracy:g} m; the "
        f"estimated error is {found.position:.1g} m."
    )
    code = run.status.code
    if not reached:
        code = Code.NOT_CONVERGED
        sentence = (
            f"The accuracy of {accuracy:g} m is not reached within {LARGEST_COUNT:g} steps and "
            f"{LONGEST_RUN:g} s: with the step of {found.step:g} s the estimated error is "
            f"{found.position:.1g} m. Try a scheme of higher order, or a shorter duration."
        )
    status = Status(code, message).with_remarks(sentence, made.message())
    return replace(run, accuracy=made, status=status)


def _kept(run: Run, every: int) -> Run:
    """Each n-th of its times."""
    names = ("time", "position", "velocity", "input")
    return replace(run, **{name: getattr(run, name)[::every].copy() for name in names})
