"""What is given at rest, by name, and what is actuated for it.

Any choice makes a problem: coordinates that are held, efforts of joints, values of inputs and
parameters, tensions, poses of frames. Whatever is prescribed beyond an effort or a value takes
something that is actuated: a coordinate, whose effort is whatever it takes; or an input or a
parameter (the length of a leg, say), whose value is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chorda.mechanics.motor_limits import input_per_torque
from chorda.mechanics.system import Array, System

AXES = "xyz"
ROTATION = "rotation"
EFFORT, TENSION = ".effort", ".tension"


def hold_name(coordinate: str) -> str:
    """Of what keeps a coordinate in a motion.

    >>> hold_name("motor1"), hold_name("leg1.length")
    ('hold-motor1', 'hold-leg1-length')
    """
    return f"hold-{coordinate.replace('.', '-')}"


@dataclass(frozen=True)
class Prescription:
    """Names of what is prescribed, in the order of a row of targets, and of what is actuated.

    Attributes
    ----------
    held : coordinates that are held.
    efforts : coordinates whose effort is given.
    values : inputs and parameters whose value is given.
    tensions : elastic tendons whose tension is given.
    positions : (frame, axis) of positions that are given.
    rotations : frames whose orientation is given.
    actuated : coordinates whose effort is whatever it takes, inputs and parameters whose value is.
    free_values : those of the actuated that are inputs and parameters.
    winders : for each of `tensions` the motor or winch that is actuated for it; empty where one
        that comes before has the same.
    slack : rigid tendons that hang loose: their length is not held, and they do not pull.
    """

    held: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    tensions: tuple[str, ...] = ()
    positions: tuple[tuple[str, str], ...] = ()
    rotations: tuple[str, ...] = ()
    actuated: tuple[str, ...] = ()
    free_values: tuple[str, ...] = ()
    winders: tuple[str, ...] = ()
    slack: tuple[str, ...] = ()

    @cached_property
    def moved(self) -> tuple[str, ...]:
        """Coordinates whose effort is whatever it takes."""
        return tuple(name for name in self.actuated if name not in self.free_values)

    @property
    def frames(self) -> tuple[str, ...]:
        """Frames with a prescribed pose, or a part of one."""
        return tuple(dict.fromkeys((*(frame for frame, _ in self.positions), *self.rotations)))

    @cached_property
    def unknowns(self) -> tuple[str, ...]:
        """Names of what is found beside the coordinates and the multipliers, in its order."""
        tensions = (f"{name}{TENSION}" for name in self.tensions)
        return (*self.actuated, *self.efforts, *self.values, *tensions)

    @cached_property
    def settings(self) -> dict[str, int]:
        """Inputs and parameters among the unknowns, given or free, with where they are there."""
        names = {*self.free_values, *self.values}
        return {name: k for k, name in enumerate(self.unknowns) if name in names}

    @cached_property
    def strained(self) -> tuple[str, ...]:
        """Tendons whose law determines how far their actuator winds them."""
        both = zip(self.tensions, self.winders, strict=True)
        return tuple(name for name, winder in both if winder)

    @cached_property
    def effort_names(self) -> tuple[str, ...]:
        """Labels of the unknowns: efforts of coordinates, the others as they are called."""
        efforts = {*self.moved, *self.efforts}
        return tuple(f"{x}{EFFORT}" if x in efforts else x for x in self.unknowns)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """A name for each number in a row of targets; a rotation has nine."""
        entries = (
            f"{f}.{ROTATION}{i}{j}" for f in self.rotations for j in range(3) for i in range(3)
        )
        return (
            *self.held,
            *(f"{name}{EFFORT}" for name in self.efforts),
            *self.values,
            *(f"{name}{TENSION}" for name in self.tensions),
            *(f"{frame}.{axis}" for frame, axis in self.positions),
            *entries,
        )

    @property
    def targets(self) -> int:
        """Numbers in a row of targets."""
        return len(self.labels)

    @property
    def given(self) -> str:
        """What the actuators do, in a word."""
        return "tensions" if self.tensions else "inputs"

    def request(self, target: Array) -> dict[str, dict[str, Any]]:
        """Arguments that prescribe the same again: hold, efforts, tensions and poses."""
        row = iter(target.tolist())
        hold = {name: next(row) for name in self.held}
        efforts = {name: next(row) for name in self.efforts}
        hold |= {name: next(row) for name in self.values}
        tensions = {name: next(row) for name in self.tensions}
        poses: dict[str, dict[str, Any]] = {frame: {} for frame in self.frames}
        for frame, axis in self.positions:
            poses[frame][axis] = next(row)
        for frame in self.rotations:
            poses[frame][ROTATION] = np.array([next(row) for _ in range(9)]).reshape(3, 3).T
        return {"hold": hold, "efforts": efforts, "tensions": tensions, "poses": poses}

    def applied(self, tau: Array, u: Array, p: Array, system: System) -> tuple[Array, Array]:
        """Inputs and parameters with the unknowns among them, torques of motors included; of one
        configuration, or a row for each of many."""
        many = tau.shape[:-1]
        u, p = (np.broadcast_to(x, (*many, x.shape[-1])).copy() for x in (u, p))
        efforts = {*self.moved, *self.efforts}
        for k, name in enumerate(self.unknowns):
            if name in self.settings and name not in system.given:
                p[..., system.parameter_names.index(name)] = tau[..., k]
            elif name in system.given and (name in self.settings or name in efforts):
                volts = input_per_torque(system, name, np.moveaxis(p, -1, 0))
                u[..., system.given.index(name)] = tau[..., k] * (volts if name in efforts else 1.0)
        return u, p

    def by_effort(self, tau: Array) -> dict[str, float]:
        """Efforts of coordinates among the unknowns, by name [N m or N]."""
        names = {*self.moved, *self.efforts}
        each = zip(self.unknowns, tau.tolist(), strict=True)
        return {name: x for name, x in each if name in names}


def prescription(fields: Mapping[str, Any]) -> Prescription:
    """The record of fields as JSON keeps them."""
    made = {name: tuple(x) for name, x in fields.items()}
    return Prescription(**made | {"positions": tuple(tuple(x) for x in fields["positions"])})
