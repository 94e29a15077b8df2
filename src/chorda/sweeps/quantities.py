"""What varies in a study: where its values go, in which unit, and that no two overlap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from chorda.checks import unknown
from chorda.errors import InputError
from chorda.mechanics import System
from chorda.sweeps.study import Study

BY_NAME = ("initial", "inputs", "tensions", "angles", "torques", "hold", "efforts")
AS_A_WHOLE = ("inputs", "tensions", "angles", "torques")


@dataclass(frozen=True)
class Quantity:
    """A field of the task, or "parameters", and a name within; without one, the whole field."""

    field: str
    name: str
    unit: str = ""  # empty where there is none, or several


def resolved(study: Study, system: System) -> tuple[Quantity, ...]:
    """What the names under `vary` stand for, checked."""
    names = _names(system)
    found = []
    for k in range(len(study.vary)):
        field, name = _resolved(study, system, names, k)
        units = {u for x, u in names.get(field, {}).items() if not name or fnmatchcase(x, name)}
        found.append(Quantity(field, name, units.pop() if len(units) == 1 else ""))
    _refuse_overlaps(study, system, found)
    return tuple(found)


def _names(system: System) -> dict[str, dict[str, str]]:
    """Units by name within a field; of the other fields only the solver knows the names."""
    return {
        "parameters": dict(zip(system.parameter_names, system.parameter_table.units, strict=True)),
        "initial": {c.name: c.unit for c in system.coordinates}
        | dict(system.velocities)
        | {"tension": "N"},
        "inputs": {i.name: i.unit for i in system.inputs},
        "tensions": {t.name: "N" for t in system.robot.tendons},
    }


def _resolved(
    study: Study, system: System, names: Mapping[str, Mapping[str, str]], k: int
) -> tuple[str, str]:
    name, where = study.vary[k].name, f"vary.{k}.name"
    field, _, rest = name.partition(".")
    fields = type(study.compute).model_fields
    if field == "parameters" or any(fnmatchcase(x, name) for x in names["parameters"]):
        name = rest if field == "parameters" else name
        for value in study.vary[k].extremes:
            try:
                system.parameters({name: value})
            except InputError as error:
                raise InputError(f"vary.{k}: {error}") from None
        return "parameters", name
    if field not in BY_NAME or field not in fields:
        within = tuple(f"{f}.{x}" for f in BY_NAME if f in fields for x in names.get(f, ()))
        whole = tuple(x for x in AS_A_WHOLE if x in fields)
        raise InputError(unknown(where, name, (*system.parameter_names, *within, *whole)))
    fixed, known = getattr(study.compute, field), names.get(field, {})
    if rest:
        if fixed is not None and not isinstance(fixed, Mapping):
            raise InputError(
                f"compute.{field}: expected values by name, since {name} varies, got {fixed!r}"
            )
        if known and rest not in known:
            raise InputError(unknown(where, name, tuple(f"{field}.{x}" for x in known)))
    elif field not in AS_A_WHOLE:
        example = next(iter((*known, *system.coordinate_names)))
        raise InputError(f"{where}: say which, such as {field}.{example}")
    elif fixed is not None:
        raise InputError(f"compute.{field}: varies as a whole; leave it out there")
    return field, rest


def _refuse_overlaps(study: Study, system: System, found: Sequence[Quantity]) -> None:
    """Of two quantities that set the same number only one would count."""
    owners: dict[str, str] = {}
    for k, x in enumerate(found):
        if x.field == "parameters":
            numbers = [p for p in system.parameter_names if fnmatchcase(p, x.name)]
        else:
            parts = [y.name for y in found if y.field == x.field and y.name and not x.name]
            numbers = [f"{x.field}.{name}" for name in (parts or [x.name])]
        for number in numbers:
            name = study.vary[k].name
            if owners.setdefault(number, name) != name:
                raise InputError(
                    f"vary.{k}.name: '{name}' and '{owners[number]}' both set {number}; "
                    "expected quantities that have nothing in common: name them one by one"
                )
