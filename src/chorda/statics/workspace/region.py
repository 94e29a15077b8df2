"""A region: values of one to three prescribed quantities, and the problem that they are part of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System, numeric, unknown
from chorda.results import Equilibrium
from chorda.statics.follow import problem_from
from chorda.statics.prescribed import AXES, ROTATION, Layout, actuatable, settings
from chorda.statics.problem import Problem
from chorda.statics.targets import actual
from chorda.statics.visiting import state_of

EFFORT = ".effort"
MOST = 3  # dimensions
LARGEST = 20_000_000  # cells


@dataclass(frozen=True, eq=False)
class Region:
    """A grid of rows of targets: `base`, with `values` of each name in its column."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: tuple[Array, ...]
    columns: tuple[int, ...]
    base: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(x) for x in self.values)

    @property
    def count(self) -> int:
        return int(np.prod(self.shape))

    def points(self, cells: Sequence[int]) -> Array:
        """The values of cells (n, axes), which count in C order."""
        at = np.unravel_index(np.asarray(cells, np.intp), self.shape)
        return np.stack([x[i] for x, i in zip(self.values, at, strict=True)], axis=-1)

    def point(self, cell: int) -> Array:
        return np.asarray(self.points([cell])[0])

    def nearest(self, row: Array) -> int:
        """The cell that is nearest to a row of targets, along each of its axes."""
        wanted = row[list(self.columns)]
        at = [int(np.argmin(np.abs(v - x))) for v, x in zip(self.values, wanted, strict=True)]
        return int(np.ravel_multi_index(at, self.shape))


def lay_out(
    start: Equilibrium, over: Mapping[str, Any], actuated: Sequence[str] | None
) -> tuple[Problem, Region, Array]:
    """The problem, the region, and the state of the start in it."""
    if not isinstance(start, Equilibrium):
        raise InputError(f"start: expected what chorda.equilibrium returns, got {start!r:.60}")
    if not isinstance(over, Mapping) or not 1 <= len(over) <= MOST:
        got = f"{len(over)} names" if isinstance(over, Mapping) else f"{over!r:.60}"
        raise InputError(
            f"over: expected a mapping of 1 to {MOST} prescribed quantities to (low, high, count), "
            f"such as {{'motor1': (0, 1, 21)}}, got {got}"
        )
    values = {name: _values(name, given) for name, given in over.items()}
    problem = _problem(start, values, actuated)
    x = state_of(problem, start)
    q, _, tau = problem.parts(x)
    base = actual(problem.system, problem.layout, q, tau, problem.p)
    labels = problem.layout.labels
    region = Region(
        names=tuple(values),
        units=tuple(_unit(problem.system, name) for name in values),
        values=tuple(values.values()),
        columns=tuple(labels.index(name) for name in values),
        base=base,
    )
    if region.count > LARGEST:
        raise InputError(
            f"over: expected at most {LARGEST} cells, got {region.count}; take fewer values"
        )
    return problem, region, x


def _values(name: str, given: Any) -> Array:
    where = f"over.{name}"
    if isinstance(given, tuple) and len(given) == 3:
        low, high, count = given
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise InputError(
                f"{where}: expected (low, high, count) with a whole count, got {given!r:.60}; give "
                "a list or an array to name the values one by one"
            )
        ends = numeric(where, (low, high))
        found = np.linspace(ends[0], ends[1], int(count))
    else:
        found = numeric(where, given)
    if found.ndim != 1 or not found.size or not np.all(np.isfinite(found)):
        raise InputError(
            f"{where}: expected (low, high, count) or finite values, got {given!r:.60}"
        )
    if np.any(np.diff(found) <= 0):
        raise InputError(f"{where}: expected values that increase, got {given!r:.60}")
    return found


def _problem(
    start: Equilibrium, values: Mapping[str, Array], actuated: Sequence[str] | None
) -> Problem:
    """What `start` prescribes, and the region's names beside it or in its place."""
    before: Layout = start.layout or Layout()
    hold: dict[str, Any] = {}
    place: dict[str, dict[str, Any]] = {}
    efforts: dict[str, Any] = {}
    for name, x in values.items():
        group, key = _kind(start.system, name)
        value = float(x[0])
        if group == "place":
            frame, _, axis = key.rpartition(".")
            place.setdefault(frame, {})[axis] = value
        else:
            (hold if group == "hold" else efforts)[key] = value
    new = [name for name in values if name not in before.labels]
    if new and actuated is None:
        actuated = _instead(before, values, new)
    if actuated is not None:
        actuated = _kept(before, start.target, actuated, hold, place, efforts)
    return problem_from(start, hold, place, efforts, actuated)[0]


def _instead(before: Layout, values: Mapping[str, Array], new: Sequence[str]) -> list[str]:
    """Held joints that are actuated for what is new, where that is clear."""
    held = [name for name in before.held if name not in values]
    if len(held) == len(new):
        return held
    there = ", ".join(n for n in before.labels if f".{ROTATION}" not in n) or "nothing"
    raise InputError(
        f"over: '{new[0]}' is not prescribed at the start, which prescribes {there}; name what is "
        "actuated for it (actuated), or prescribe it at the start"
    )


def _kept(
    before: Layout,
    target: Array,
    actuated: Sequence[str],
    hold: dict[str, Any],
    place: dict[str, dict[str, Any]],
    efforts: dict[str, Any],
) -> list[str]:
    """Adds what was prescribed at the start but for what is actuated now; returns all actuated."""
    known = iter(target.tolist())
    freed = {*actuated, *efforts}
    for name in before.held:
        value = next(known)
        if name not in freed:
            hold.setdefault(name, value)
    for name in before.efforts:
        value = next(known)
        if name not in {*actuated, *hold}:
            (hold if name in before.settings else efforts).setdefault(name, value)
    for frame, axis in before.axes:
        place.setdefault(frame, {}).setdefault(axis, next(known))
    for frame in before.turned:
        R = np.array([next(known) for _ in range(9)]).reshape(3, 3).T
        place.setdefault(frame, {}).setdefault(ROTATION, R)
    return [*actuated, *(name for name in before.held if name in hold and name not in actuated)]


def _kind(system: System, name: str) -> tuple[str, str]:
    """What a name of the region prescribes: hold, efforts or place; and its name there."""
    joints, frames = actuatable(system), system.robot.frames()
    if name in joints or name in settings(system):
        return "hold", name
    if name.endswith(EFFORT) and name.removesuffix(EFFORT) in joints:
        return "efforts", name.removesuffix(EFFORT)
    frame, _, axis = name.rpartition(".")
    if axis in AXES and frame in frames:
        return "place", name
    places = tuple(f"{frame}.{axis}" for frame in frames for axis in AXES)
    raise InputError(unknown("over", name, (*joints, *places)))


def _unit(system: System, name: str) -> str:
    group, key = _kind(system, name)
    units = {c.name: c.unit for c in system.coordinates}
    if group == "place":
        return "m"
    if group == "efforts":
        return "N m" if units[key] == "rad" else "N"
    units |= dict(zip(system.parameter_names, system.parameter_table.units, strict=True))
    return (units | {i.name: i.unit for i in system.inputs})[key]
