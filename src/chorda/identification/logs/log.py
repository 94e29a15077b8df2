"""A log: what sensors measured, each signal with times of its own, in SI units."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chorda.mechanics import Array, System

INPUT_WORDS = {
    "motor": ".torque",
    "tension": ".tension",
    "winch": ".displacement",
    "rate": "",  # its input is called winch.rate
}


@dataclass(frozen=True, eq=False)
class Channel:
    """One measured signal: values at increasing times [s] of its sensor's clock."""

    name: str  # a coordinate (x1, motor-left) or an input (motor-left.torque): `signals`
    unit: str
    time: Array
    value: Array
    sensor: str  # channels of one sensor share a clock: encoder, camera ...


@dataclass(frozen=True, eq=False)
class Log:
    """Channels by name. `truth` holds the parameters of a virtual experiment, if it was one."""

    channels: Mapping[str, Channel]
    source: str
    truth: Mapping[str, float] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Wanted:
    """A signal that identification needs: its name in a log, its unit, where it goes."""

    name: str
    unit: str
    kind: str  # "joint", "motor" or "input"
    row: int  # in q or in u


def signals(system: System) -> tuple[Wanted, ...]:
    """Every coordinate and every input of a system, as logs name them."""
    wanted = [
        Wanted(c.name, c.unit, "motor" if c.kind == "motor" else "joint", i)
        for i, c in enumerate(system.coordinates)
    ]
    wanted += [
        Wanted(f"{u.name}{INPUT_WORDS[u.kind]}", u.unit, "input", i)
        for i, u in enumerate(system.inputs)
    ]
    return tuple(wanted)
