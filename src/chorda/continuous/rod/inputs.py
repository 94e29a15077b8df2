"""Inputs of the actuators: numbers, or functions of time, by name."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chorda.continuous.rod.problem import Problem
from chorda.errors import InputError
from chorda.mechanics import Array, numeric, unknown

Given = Mapping[str, Any] | Callable[[float], Any] | float | None


def constant(problem: Problem, inputs: Given) -> Array:
    return at_time(problem, inputs, 0.0)


def at_time(problem: Problem, inputs: Given, t: float) -> Array:
    """One number for each actuator, at time t; actuators that are not named get zero."""
    names = problem.actuators
    if inputs is None:
        return np.zeros(len(names))
    if callable(inputs):
        inputs = inputs(t)
    if isinstance(inputs, Mapping):
        for name in inputs:
            if name not in names:
                raise InputError(unknown("inputs", name, names))
        row = [_number(inputs.get(name, 0.0), name, t) for name in names]
    else:
        row = np.atleast_1d(numeric("inputs", inputs)).ravel().tolist()
    if len(row) != len(names):
        raise InputError(
            f"inputs: expected {len(names)} values ({', '.join(names)}), got {len(row)}"
        )
    values = np.array(row, float)
    if not np.all(np.isfinite(values)):
        raise InputError(f"inputs: expected finite numbers, got {values} at {t:g} s")
    for name, value in zip(names, values, strict=True):
        if value < 0 and problem.robot.named(name).kind == "tension":
            raise InputError(f"inputs.{name}: a tendon cannot push; expected a tension >= 0")
    return values


def _number(value: Any, name: str, t: float) -> float:
    value = value(t) if callable(value) else value
    found = numeric(f"inputs.{name}", value)
    if found.ndim:
        raise InputError(
            f"inputs.{name}: expected a number or a function of time, got an array of shape "
            f"{found.shape}; pass lambda t: np.interp(t, times, values)"
        )
    return float(found)
