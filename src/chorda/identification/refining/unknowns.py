"""The unknowns of a refinement: which parameters move together, their names and bounds."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np

from chorda.dynamics.sensitivities import Directions
from chorda.errors import InputError
from chorda.identification.refining.misfit import Setting
from chorda.mechanics import Array, System, unknown


def directions_of(
    system: System,
    parameters: Sequence[str],
    tied: Sequence[Sequence[str]],
    p0: Array,
    start: bool,
) -> Directions:
    """One direction for each tied group and for each parameter that is in none."""
    for what, given in (("parameters", parameters), ("tied", tied)):
        if isinstance(given, str):
            raise InputError(f"{what}: expected a list, got the text '{given}'")
    groups = [matching(system, group, "tied") for group in tied]
    inside = [i for group in groups for i in group]
    if len(set(inside)) < len(inside):
        twice = next(i for i in inside if inside.count(i) > 1)
        raise InputError(f"tied: {system.parameter_names[twice]} is in two groups")
    alone = [(i,) for i in matching(system, parameters, "parameters") if i not in inside]
    moves = (*groups, *alone)
    if not moves:
        raise InputError("parameters: expected at least one name, got none")
    return Directions(moves, tuple(_ratios(system, rows, p0) for rows in moves), start)


def matching(system: System, patterns: Sequence[str], what: str) -> tuple[int, ...]:
    """Rows of the parameters that names or patterns stand for, each once."""
    rows: dict[int, None] = {}
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        found = [i for i, n in enumerate(system.parameter_names) if fnmatchcase(n, pattern)]
        if not found:
            raise InputError(unknown(what, pattern, system.parameter_names))
        rows |= dict.fromkeys(found)
    return tuple(rows)


def _ratios(system: System, rows: tuple[int, ...], p0: Array) -> tuple[float, ...]:
    values = p0[list(rows)]
    if np.all(values == values[0]):
        return (1.0,) * len(rows)
    if values[0] == 0:
        raise InputError(
            f"tied: {system.parameter_names[rows[0]]} starts at 0 and others of its group do not, "
            "so that they have no ratio to keep; give it a start value"
        )
    return tuple((values / values[0]).tolist())


def names_of(setting: Setting) -> tuple[str, ...]:
    """Names of all unknowns; a tied group has that of its first parameter."""
    system = setting.system
    names = [system.parameter_names[rows[0]] for rows in setting.directions.moves]
    if setting.directions.start:
        states = (*system.coordinate_names, *[name for name, _ in system.velocities])
        names += [f"start.{name}" for name in states]
    return (*names, *[f"clock.{sensor}" for sensor in setting.clocks])


def bounds_of(
    setting: Setting, given: Mapping[str, tuple[float, float]], farthest_clock: float
) -> tuple[Array, Array]:
    """Low and high of all unknowns."""
    system, moves = setting.system, setting.directions.moves
    low = [(-np.inf if system.parameter_table.signed[rows[0]] else 0.0) for rows in moves]
    high = [np.inf] * len(moves)
    names = [system.parameter_names[rows[0]] for rows in moves]
    for pattern, (a, b) in given.items():
        found = [j for j, name in enumerate(names) if fnmatchcase(name, pattern)]
        if not found:
            raise InputError(unknown("bounds", pattern, tuple(names)))
        for j in found:
            low[j], high[j] = max(low[j], float(a)), float(b)
            value = setting.p0[moves[j][0]]
            if not low[j] < high[j] or not low[j] <= value <= high[j]:
                raise InputError(
                    f"bounds: {names[j]} starts at {value:g}; expected low < high around it, got "
                    f"{low[j]:g} and {high[j]:g}"
                )
    if setting.directions.start:
        low += [c.low for c in system.coordinates] + [-np.inf] * system.nv
        high += [c.high for c in system.coordinates] + [np.inf] * system.nv
    low += [-farthest_clock] * len(setting.clocks)
    high += [farthest_clock] * len(setting.clocks)
    return np.array(low), np.array(high)
