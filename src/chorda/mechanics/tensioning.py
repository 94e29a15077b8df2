"""How far actuators wind their tendons for given tensions, and the tensions that they have then."""

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import Tendon
from chorda.errors import InputError
from chorda.mechanics.system import Array, System


def gain(system: System, motor: str, p: Array) -> float:
    """Length that a motor pays out per angle [m/rad]: its drum's radius over its gear ratio."""
    drum, gear = (
        p[system.parameter_names.index(f"{motor}.{x}")] for x in ("drum_radius", "gear_ratio")
    )
    return float(drum / gear)


def refuse_pushing(tendon: Tendon, tension: Any, what: str) -> None:
    """A one-sided tendon cannot have a negative tension."""
    least = float(np.min(tension))
    if least < 0 and getattr(tendon.law, "one_sided", False):
        raise InputError(
            f"{what}: {tendon.name} is one-sided and cannot push: expected 0 N or more, got "
            f"{least:g} N"
        )


def static_tensions(system: System, q: Array, p: Array) -> Array:
    """Tension of each tendon that stretches, at rest without inputs; NaN of the others [N]."""

    def make() -> Any:
        still = [system.v, system.u]
        zero = [ca.SX.zeros(x.shape) for x in still]
        return system.function(
            "tensions", "q p", *ca.substitute([system.tendons.tension], still, zero)
        )

    tension = np.array(system.once("static-tensions", make)(q, p), float).ravel()
    return np.where(system.tendons.elastic, tension, np.nan)


def paid_out(system: System, q: Array, tension: Array, p: Array) -> Array:
    """Length of each tendon that must be paid out for these static tensions at q [m]."""
    still = [np.zeros(k) for k in (system.nv, system.nv, system.nc, system.nu)]
    row = [o.name for o in system.outputs].index("length")
    length, rest = (system.observe(x, *still, p)[row].full().ravel() for x in (q, system.rest))
    stretch = system.stretched(tension, q, p).full().ravel()
    return np.asarray(length - rest - stretch, float)


def wound(
    system: System, q: Array, tension: Array, p: Array, asked: Sequence[bool] | Array | None = None
) -> Array:
    """q with the motors turned until the elastic tendons have these static tensions.

    asked: for which tendons; all if not given.
    """
    q = q.copy()
    tendons = system.robot.tendons
    which = [True] * len(tendons) if asked is None else asked
    for tendon, length, turn in zip(tendons, paid_out(system, q, tension, p), which, strict=True):
        if turn and tendon.actuator in system.coordinate_names:
            angle = tendon.winding * length / gain(system, tendon.actuator, p)
            q[system.coordinate_names.index(tendon.actuator)] = angle
    return q
