"""Which parameters are unknown: names and patterns, one number each or several tied to one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.checks import matching
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.first_order import FirstOrderState

DEFAULT_QUANTITIES = (  # what is identified unless something else is asked for, in this order
    "dry_torque",
    "dry_force",
    "friction",
    "stiffness",
    "stiffening",
    "young_modulus",
    "damping",
    "damping_modulus",
)


@dataclass(frozen=True)
class Unknowns:
    """Unknown numbers and the parameters that each of them sets (several, where they are tied)."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.names)

    def into(self, p: Array, theta: Array) -> Array:
        """p with the unknowns put in."""
        p = p.copy()
        for rows, value in zip(self.rows, theta, strict=True):
            p[list(rows)] = value
        return p

    def of(self, p: Array) -> Array:
        """Values of the unknowns in p (the mean of tied ones)."""
        return np.array([np.mean(p[list(rows)]) for rows in self.rows])


def refuse_states(system: System) -> None:
    """Equations at measured samples need every coordinate: states that no sensor sees are
    refused."""
    if system.nz:
        names = ", ".join(system.coordinate_names[system.nq - system.nz :])
        instead = ", ".join(dict.fromkeys(_remedy(system, x) for x in system.dynamics.states))
        raise InputError(
            f"{system.robot.name}: no sensor measures {names}, which the equations need; "
            f"{instead}, or fit the motion by simulation error (chorda.identification.refine)"
        )


def _remedy(system: System, state: FirstOrderState) -> str:
    """What to describe instead of a state."""
    if state.settles:
        return "leave the winding's inductance out"
    if any(state.coordinate.name.startswith(f"{x.label}.bristle") for x in system.touches):
        return "take friction of contacts of kind smooth"
    return "take dry_friction of kind arctan or tanh"


NO_UNKNOWNS = Unknowns((), (), ())


def choose(
    system: System, parameters: Sequence[str] | None = None, tied: Sequence[str] = ()
) -> Unknowns:
    """Unknowns by name, '*' matching many; each pattern in `tied` becomes a single unknown.

    By default frictions of the motors and the tendons' laws are unknown.
    """
    if isinstance(parameters, str) or isinstance(tied, str):
        raise InputError("parameters and tied: expected lists of names, got a text")
    if parameters is None:
        parameters = _default(system)
    known = system.parameter_names
    groups = [(pattern, tuple(matching("tied", pattern, known))) for pattern in tied]
    taken = {row for _, rows in groups for row in rows}
    for row in matching("parameters", parameters, known):
        if row not in taken:
            groups.append((known[row], (row,)))
    groups.sort(key=lambda group: _order(group[0], group[1][0]))
    units = tuple(system.parameter_table.units[rows[0]] for _, rows in groups)
    return Unknowns(tuple(name for name, _ in groups), units, tuple(rows for _, rows in groups))


def belonging(system: System, owners: Iterable[Any], quantities: Sequence[str]) -> list[str]:
    """Parameters of actuators or tendons that are one of these quantities."""
    wanted = {f"{x.name}.{quantity}" for x in owners for quantity in quantities}
    return [name for name in system.parameter_names if name in wanted]


def _default(system: System) -> list[str]:
    owners = (*system.robot.actuators, *system.robot.tendons)
    names = belonging(system, owners, DEFAULT_QUANTITIES)
    if not names:
        raise InputError(
            "parameters: this robot has no motor friction and no elastic tendon; name what to "
            f"identify, for example {', '.join(system.parameter_names[:3])}"
        )
    return names


def _order(name: str, row: int) -> tuple[int, int]:
    """Frictions, then stiffnesses, then dampings: as in the paper's tables."""
    quantity = name.rpartition(".")[2]
    known = DEFAULT_QUANTITIES
    return (known.index(quantity) if quantity in known else len(known)), row
