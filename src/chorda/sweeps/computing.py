"""Points to numbers: a system that is assembled once, and solved at one point after the other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import numpy as np

from chorda.errors import ChordaError, InputError
from chorda.mechanics import Array, System, assemble, unknown
from chorda.results import Code, Status
from chorda.sweeps.study import Study, from_mapping, robot_of
from chorda.sweeps.tasks import TASKS, Output
from chorda.sweeps.tasks.task import Failed

BY_NAME = ("initial", "inputs", "tensions", "angles", "torques", "hold", "efforts")
AT_ONCE = ("inputs", "tensions", "angles", "torques")
OWN = "parameters."
FAULTS = (ArithmeticError, RuntimeError, ValueError)  # of a solver at a point; told there


@dataclass(frozen=True)
class Piece:
    """What came out of some points in a row."""

    arrays: Mapping[str, Array]  # (points, ...) by output
    codes: Sequence[str]
    messages: Sequence[str]  # empty where all is well


class Computer:
    """A study made ready: checked names, one assembled system, the outputs that are kept."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.system: System = assemble(robot_of(study), study.tendons)
        self.task = TASKS[study.compute.kind]
        self._ways = [_way(study, self.system, k) for k in range(len(study.vary))]
        _apart(study, self.system, self._ways)
        self._base = {
            name: getattr(study.compute, name) for name in type(study.compute).model_fields
        }

    @cached_property
    def kept(self) -> tuple[Output, ...]:
        offered = {x.name: x for x in self.task.outputs(self.system, self.study.compute)}
        for k, name in enumerate(self.study.compute.keep):
            if name not in offered:
                raise InputError(unknown(f"compute.keep.{k}", name, tuple(offered)))
        wanted = self.study.compute.keep or [x for x in self.task.usual if x in offered]
        return tuple(offered[name] for name in dict.fromkeys(wanted))

    @property
    def units(self) -> tuple[str, ...]:
        """Of what varies; empty where it has none of its own."""
        return tuple(_unit(self.system, *way) for way in self._ways)

    def solve(self, row: Array) -> Any:
        """The result at a point, whatever the task gives; errors are raised."""
        settings, parameters = dict(self._base), dict(self.study.parameters)
        for (field, name), value in zip(self._ways, row.tolist(), strict=True):
            if field == "parameters":
                parameters[name] = value
            elif name:
                settings[field] = {**(settings[field] or {}), name: value}
            else:
                settings[field] = value
        return self.task.solve(self.system, settings, parameters)

    def piece(self, rows: Array, shapes: Mapping[str, Sequence[int]]) -> Piece:
        """All points of some rows. A point that fails has a code and a sentence, and NaN."""
        arrays = {x.name: np.full((len(rows), *shapes[x.name]), np.nan) for x in self.kept}
        codes, messages = [], []
        for i, row in enumerate(rows):
            status = self._into({name: array[i, ...] for name, array in arrays.items()}, row)
            codes.append(str(status.code))
            messages.append("" if status.ok else status.message)
        return Piece(arrays, codes, messages)

    def _into(self, places: Mapping[str, Any], row: Array) -> Status:
        """Solve at a point and put its numbers into their places."""
        try:
            found = self.solve(row)
            if not isinstance(found, Failed):
                for output in self.kept:
                    if found.status.ok or output.partial:
                        _put(places[output.name], output.read(found))
        except ChordaError as error:
            found = Failed(Status(Code.REFUSED, str(error)))
        except FAULTS as error:
            found = Failed(Status(Code.FAILED, f"{type(error).__name__}: {error}"))
        if isinstance(found, Failed):
            for place in places.values():
                place[...] = np.nan
        status: Status = found.status
        return status


def computer(text: str) -> Computer:
    """From the text of a whole study."""
    return Computer(from_mapping(json.loads(text)))


def _put(place: Any, value: Any) -> None:
    """Where a result is shorter than the first one, the rest stays NaN."""
    value = np.asarray(value, float)
    common = tuple(slice(min(n, m)) for n, m in zip(place.shape, value.shape, strict=True))
    place[common] = value[common]


def _way(study: Study, system: System, k: int) -> tuple[str, str]:
    """(field, name) of what varies; the name is empty where the whole field does."""
    item, where = study.vary[k], f"vary.{k}.name"
    head, _, rest = item.name.partition(".")
    fields = type(study.compute).model_fields
    if any(fnmatchcase(x, item.name) for x in system.parameter_names):
        return _parameter(study, system, k, item.name)
    if item.name.startswith(OWN):
        return _parameter(study, system, k, item.name.removeprefix(OWN))
    if head in BY_NAME and head in fields:
        base = getattr(study.compute, head)
        if not rest:
            if head not in AT_ONCE:
                raise InputError(f"{where}: say which, such as {head}.{_some(system, head)}")
            if base is not None:
                raise InputError(f"compute.{head}: varies as a whole; leave it out there")
            return head, ""
        if base is not None and not isinstance(base, Mapping):
            raise InputError(
                f"compute.{head}: expected values by name, since {item.name} varies, got {base!r}"
            )
        known = _known(system, head)
        if known and rest not in known:
            raise InputError(unknown(where, item.name, tuple(f"{head}.{x}" for x in known)))
        return head, rest
    more = tuple(f"{f}.{x}" for f in BY_NAME if f in fields for x in _known(system, f))
    at_once = tuple(x for x in AT_ONCE if x in fields)
    raise InputError(unknown(where, item.name, (*system.parameter_names, *more, *at_once)))


def _parameter(study: Study, system: System, k: int, name: str) -> tuple[str, str]:
    for value in study.vary[k].extremes:
        try:
            system.parameters({name: value})
        except InputError as error:
            raise InputError(f"vary.{k}: {error}") from None
    return "parameters", name


def _apart(study: Study, system: System, ways: Sequence[tuple[str, str]]) -> None:
    """Refuse two quantities that set the same number: only one of them would count."""
    owners: dict[str, str] = {}
    for k, ((field, name), item) in enumerate(zip(ways, study.vary, strict=True)):
        if field == "parameters":
            numbers = [x for x in system.parameter_names if fnmatchcase(x, name)]
        else:
            whole = [n for f, n in ways if f == field and n and not name]
            numbers = [f"{field}.{x}" for x in (whole or [name])]
        for number in numbers:
            if number in owners:
                raise InputError(
                    f"vary.{k}.name: '{item.name}' and '{owners[number]}' both set {number}; "
                    "expected quantities that have nothing in common: name them one by one"
                )
            owners[number] = item.name


def _known(system: System, field: str) -> tuple[str, ...]:
    """Names within a field; none where the solver knows better."""
    rates = tuple(name for name, _ in system.velocities)
    return {
        "initial": (*system.coordinate_names, *rates, "tension"),
        "inputs": tuple(i.name for i in system.inputs),
        "tensions": tuple(t.name for t in system.robot.tendons),
    }.get(field, ())


def _unit(system: System, field: str, name: str) -> str:
    pairs = {
        "parameters": [
            (x, unit)
            for x, unit in zip(system.parameter_names, system.parameter_table.units, strict=True)
            if fnmatchcase(x, name)
        ],
        "initial": [*((c.name, c.unit) for c in system.coordinates), *system.velocities],
        "inputs": [(i.name, i.unit) for i in system.inputs],
    }.get(field, [])
    units = dict.fromkeys(unit for x, unit in pairs if field == "parameters" or name in ("", x))
    if field == "tensions" or (field, name) == ("initial", "tension"):
        return "N"
    return next(iter(units)) if len(units) == 1 else ""


def _some(system: System, field: str) -> str:
    return (*_known(system, field), *system.coordinate_names)[0]
