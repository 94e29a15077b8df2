"""From names and values to a region, and the problem that they are part of."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chorda.checks import name_list, numeric, shown, unknown
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.prescription import AXES, EFFORT, ROTATION, TENSION, Prescription
from chorda.results import Equilibrium
from chorda.results.region import Region
from chorda.results.workspace import units_at_rest
from chorda.statics.branch import state_of
from chorda.statics.follow import checked, problem_from
from chorda.statics.prescribe import Request, coordinate_rows, prescribe, read, settings
from chorda.statics.problem import Problem
from chorda.statics.targets import actual

MAX_AXES = 3
MAX_CELLS = 20_000_000
LARGEST_VALUE = 1e15  # beyond, neighbours of a map are the same number


def lay_out(
    start: Equilibrium, over: Mapping[str, Any], actuated: Sequence[str] | None
) -> tuple[Problem, Region, Array]:
    """The problem, the region, and the state of the start in it."""
    checked(start)
    actuated = None if actuated is None else name_list("actuated", actuated)
    if not isinstance(over, Mapping) or not 1 <= len(over) <= MAX_AXES:
        got = f"{len(over)} names" if isinstance(over, Mapping) else f"{over!r:.60}"
        raise InputError(
            f"over: expected a mapping of 1 to {MAX_AXES} prescribed quantities to (low, high, "
            f"count), such as {{'motor1': (0, 1, 21)}}, got {got}"
        )
    values = {name: _values(name, given) for name, given in over.items()}
    problem = _problem(start, values, actuated)
    x = state_of(problem, start)
    base = actual(problem, x)
    labels, units = problem.prescription.labels, units_at_rest(problem.system)
    region = Region(
        names=tuple(values),
        units=tuple(units.get(name, "m") for name in values),  # of poses, metres
        values=tuple(values.values()),
        columns=tuple(labels.index(_label(problem.system, name, labels)) for name in values),
        base=base,
    )
    if region.count > MAX_CELLS:
        raise InputError(
            f"over: expected at most {MAX_CELLS} cells, got {region.count}; take fewer values"
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
        if count > MAX_CELLS:
            raise InputError(f"{where}: expected at most {MAX_CELLS} values, got {shown(count)}")
        ends = numeric(where, (low, high))
        found = np.linspace(ends[0], ends[1], int(count))
    else:
        found = numeric(where, given)
    if found.ndim != 1 or not found.size or not np.all(np.isfinite(found)):
        raise InputError(
            f"{where}: expected (low, high, count) or finite values, got {given!r:.60}"
        )
    if np.max(np.abs(found)) > LARGEST_VALUE:
        raise InputError(
            f"{where}: expected values of at most {LARGEST_VALUE:g} in size, got {given!r:.60}; "
            "they are in metres, radians and newtons"
        )
    if np.any(np.diff(found) <= 0):
        raise InputError(f"{where}: expected values that increase, got {given!r:.60}")
    return found


def _problem(
    start: Equilibrium, values: Mapping[str, Array], actuated: Sequence[str] | None
) -> Problem:
    """What `start` prescribes, and the region's names beside it or instead of it."""
    system, before = start.system, start.prescription
    words: dict[str, dict[str, Any]] = {"hold": {}, "efforts": {}, "tensions": {}, "poses": {}}
    for name, x in values.items():
        group, key = _kind(system, name)
        if group == "poses":
            frame, _, axis = key.rpartition(".")
            words[group].setdefault(frame, {})[axis] = float(x[0])
        else:
            words[group][key] = float(x[0])
    request = read(system, start.parameters, **{k: x or None for k, x in words.items()})
    joints = coordinate_rows(system)
    new = [n for n in values if n not in before.labels and (n in joints or _is_pose(system, n))]
    if actuated is None and any(_is_pose(system, name) for name in new):
        actuated = _instead(before, values, new)
    if actuated is None:
        return problem_from(start, request)[0]
    request = request.over(Request(**before.request(start.target)), system)
    for name in actuated:
        request.hold.pop(name, None)
        request.efforts.pop(name, None)
    others = [n for n in request.hold if n in joints and n not in {*actuated, *new}]
    prescription, _ = prescribe(system, request, [*actuated, *others], start.parameters)
    return Problem(system, prescription, start.u, start.parameters)


def _is_pose(system: System, name: str) -> bool:
    return _kind(system, name)[0] == "poses"


def _instead(before: Prescription, values: Mapping[str, Array], new: Sequence[str]) -> list[str]:
    """Held joints that are actuated for what is new, where that is clear."""
    held = [name for name in before.held if name not in values]
    if len(held) == len(new):
        return held
    there = ", ".join(n for n in before.labels if f".{ROTATION}" not in n) or "nothing"
    raise InputError(
        f"over: '{new[0]}' is not prescribed at the start, which prescribes {there}; name what is "
        "actuated for it (actuated), or prescribe it at the start"
    )


def _label(system: System, name: str, labels: Sequence[str]) -> str:
    """The name in a row of targets; a tension may be the input of its actuator."""
    if name in labels:
        return name
    tendon = system.robot.named(name.removesuffix(TENSION))
    return str(tendon.actuator)


def _kind(system: System, name: str) -> tuple[str, str]:
    """What a name of the region prescribes: hold, efforts, tensions or poses; its name there."""
    joints, frames = coordinate_rows(system), system.robot.frames()
    tendons = [f"{t.name}{TENSION}" for t in system.robot.tendons if t.actuator is not None]
    if name in joints or name in settings(system):
        return "hold", name
    if name in tendons:
        return "tensions", name.removesuffix(TENSION)
    if name.endswith(EFFORT) and name.removesuffix(EFFORT) in joints:
        return "efforts", name.removesuffix(EFFORT)
    frame, _, axis = name.rpartition(".")
    if axis in AXES and frame in frames:
        return "poses", name
    poses = tuple(f"{frame}.{axis}" for frame in frames for axis in AXES)
    raise InputError(unknown("over", name, (*joints, *tendons, *poses)))
