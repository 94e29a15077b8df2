"""Ranges that values are drawn from, and limits of inputs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from chorda.checks import check_names, matching, numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.motor_limits import input_limits
from chorda.mechanics.tensioning import refuse_pushing_inputs

Range = tuple[float, float]
Ranges = Mapping[str, Range | float]


def span(what: str, given: Any) -> Range:
    """(low, high) from two numbers, or from one that is both."""
    values = numeric(what, given).ravel()
    if len(values) not in (1, 2) or not np.all(np.isfinite(values)):
        raise InputError(f"{what}: expected a number or (low, high), got {given!r:.60}")
    if values[0] > values[-1]:
        raise InputError(
            f"{what}: low must be below high, got low {values[0]:g} and high {values[-1]:g}; swap "
            "them"
        )
    return float(values[0]), float(values[-1])


def spans(what: str, given: Ranges) -> dict[str, Range]:
    """The same for each name."""
    if not isinstance(given, Mapping):
        raise InputError(f"{what}: expected a mapping of names to (low, high), got {given!r:.60}")
    return {name: span(f"{what}.{name}", value) for name, value in given.items()}


def drawn(ranges: Mapping[str, Range], rng: np.random.Generator) -> dict[str, float]:
    """A value in each range, uniformly distributed."""
    return {name: float(rng.uniform(*ends)) for name, ends in ranges.items()}


def check(system: System, what: str, given: Mapping[str, Range]) -> None:
    """Refuses names that are no coordinates, and ranges that they cannot have."""
    known = {c.name: c for c in system.coordinates}
    check_names(what, given, known)
    for name, (low, high) in given.items():
        if low < known[name].low or high > known[name].high:
            raise InputError(
                f"{what}.{name}: {low:g} to {high:g} leaves the coordinate's range "
                f"{known[name].low:g} to {known[name].high:g}"
            )


def parameters(system: System, given: Ranges) -> dict[str, Range]:
    """Ranges of parameters; '*' in a name: one value for all that match."""
    found = spans("parameters", given)
    for name, ends in found.items():
        for value in ends:
            system.parameters({name: value})  # refuses unknown names and wrong signs
    return found


def inputs(system: System, limits: Range | Ranges | None) -> tuple[Array, Array]:
    """Least and largest value of each input that is given; '*' in a name matches many. Those of
    motors that are not named are their described limits. Forces on frames are among them where
    they are named, or where there are no others."""
    names = system.commanded or system.given
    if isinstance(limits, Mapping) and set(limits) & set(system.given[len(names) :]):
        names = system.given
    if not names:
        raise InputError(f"system: {system.robot.name} has no inputs to act on; give it actuators")
    known = input_limits(system, system.parameter_values)
    if limits is None:
        limits = {}
    asked = limits if isinstance(limits, Mapping) else {"*": span("limits", limits)}
    low, high = np.full((2, len(names)), np.nan)
    for name, most in known.items():
        row = names.index(name)
        low[row], high[row] = -most, most
    for pattern, value in asked.items():
        rows = matching("limits", pattern, names)
        low[rows], high[rows] = span(f"limits.{pattern}", value)
    if missing := [name for name, x in zip(names, low, strict=True) if np.isnan(x)]:
        raise InputError(
            f"limits: expected (low, high) for every input, got none for {missing[0]}, which has "
            "no described limit; give one"
        )
    refuse_pushing_inputs(system.robot, dict(zip(names, low, strict=True)), "limits")
    return low, high
