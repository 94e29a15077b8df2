"""Ranges of coordinates, and limits of coordinates, efforts and tensions, at rest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.checks import check_names, mapping, numeric
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.prescription import Prescription
from chorda.results import Code, Status

ROUNDING = 1e-9  # of a range: beyond it by less is on it
ONE_SIDED = "strain", "stress"
Limits = Mapping[str, tuple[float, float]]
Mask = np.typing.NDArray[np.bool_]

REMEDY = (
    "Nothing holds a joint at the end of its range: give the joint a `stop`, such as "
    "stop: {stiffness: 20}, or take other tensions or inputs."
)


@dataclass(frozen=True)
class Violation:
    """A quantity that is beyond what it may be; excess: by how much, negative below."""

    name: str
    value: float
    low: float
    high: float
    is_range: bool

    @property
    def message(self) -> str:
        what = "its range" if self.is_range else "its limits"
        return f"{self.name} = {self.value:.4g} is beyond {what} {self.low:g} to {self.high:g}"

    def status(self, found: str) -> Status:
        if not self.is_range:
            return Status(Code.LIMIT, f"{found}: {self.message}.")
        return Status(Code.OUT_OF_RANGE, f"{found}: {self.message}. {REMEDY}")


def joint_ranges(system: System) -> dict[str, tuple[float, float]]:
    """Described ranges of coordinates by name, of those that no stop holds."""
    ends = {c.name: c.admissible for c in system.coordinates}
    return {name: x for name, x in ends.items() if x[0] > -math.inf or x[1] < math.inf}


def read_limits(
    given: Mapping[str, Any] | None, known: Sequence[str], positive: Sequence[str] = ()
) -> dict[str, tuple[float, float]]:
    """(low, high) by name; one number is for both sides, for `positive` ones from above."""
    found = {}
    given = mapping("limits", given, "{'motor1': (0, 1)}")
    check_names("limits", given, known)
    for name, value in given.items():
        x = numeric(f"limits.{name}", value)
        if x.ndim == 0 and float(x) > 0:
            found[name] = (-np.inf if name in positive else -float(x)), float(x)
        elif x.shape == (2,) and x[0] <= x[1]:
            found[name] = float(x[0]), float(x[1])
        else:
            raise InputError(
                f"limits.{name}: expected (low, high), or one positive number for both sides, "
                f"got {value!r:.60}"
            )
    return found


def tightened(one: Limits, other: Limits) -> dict[str, tuple[float, float]]:
    """Limits that both allow."""
    found = dict(one)
    for name, (low, high) in other.items():
        least, most = found.get(name, (-math.inf, math.inf))
        found[name] = max(low, least), min(high, most)
    return found


def workspace_limits(
    system: System, given: Prescription, rods: Sequence[str], limits: Mapping[str, Any] | None
) -> dict[str, tuple[float, float]]:
    """(low, high) by name: of joints as described, and as given; strain and stress of rods too."""
    strains = [*ONE_SIDED * bool(rods), *(f"{rod}.{what}" for rod in rods for what in ONE_SIDED)]
    known = (*quantities(system, given), *strains)
    return joint_ranges(system) | read_limits(limits, known, strains)


def quantities(system: System, given: Prescription) -> tuple[str, ...]:
    """Names that limits may have: coordinates, and what is found beside them."""
    return (*system.coordinate_names, *given.effort_names)


def all_within(system: System, given: Prescription, states: Array, limits: Limits) -> bool:
    """Whether nothing is beyond a range or a limit in any of many states (q, lam, tau)."""
    names = list(quantities(system, given))
    tables = [*joint_ranges(system).items(), *limits.items()]
    if not tables:
        return True
    columns = [names.index(name) for name, _ in tables]
    values = np.delete(states, np.s_[system.nq : system.nq + system.nc], axis=1)[:, columns]
    low, high = (np.array([ends[k] for _, ends in tables]) for k in (0, 1))
    return bool(np.all((values >= low) & (values <= high)))


def beyond_rows(
    system: System, given: Prescription, values: Array, limits: Limits
) -> tuple[Mask, Mask]:
    """Which of many rows (q, tau) are beyond a range, and which beyond a limit."""
    names, found = list(quantities(system, given)), []
    for table in (joint_ranges(system), limits):
        outside = np.zeros(len(values), bool)
        for name, (low, high) in table.items():
            x, size = values[:, names.index(name)], _rounding(low, high)
            outside |= ~((low - size <= x) & (x <= high + size))
        found.append(outside)
    return found[0], found[1]


def _rounding(low: float, high: float) -> float:
    return ROUNDING * max(1.0, *(abs(x) for x in (low, high) if math.isfinite(x)))


def beyond(
    system: System, given: Prescription, q: Array, tau: Array, limits: Limits
) -> Violation | None:
    """The first quantity at a configuration that is beyond its range or a limit."""
    ranges = joint_ranges(system)
    names = dict(zip(quantities(system, given), (*q, *tau), strict=True))
    for table in (ranges, limits):
        for name, (low, high) in table.items():
            size = _rounding(low, high)
            if not low - size <= names[name] <= high + size:
                return Violation(name, float(names[name]), low, high, table is ranges)
    return None
