"""Starts, many and fast: motors wound to a tension by one function, which is checked once."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.gym.columns import Columns
from chorda.mechanics import Array, System
from chorda.statics.initial import closed, initial_state


class Starts:
    """Initial states as of `simulate`."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._winders: dict[float, Columns] = {}

    def __call__(
        self, values: dict[str, Any], u: Array, p: Array, what: str
    ) -> tuple[Array, Array]:
        """q and v from values by name, under inputs u; `what` is the field they came in."""
        system = self._system
        tension = values.get("tension")
        if isinstance(tension, int | float):
            if tension not in self._winders:
                initial_state(system, values, p, what)  # refuses what cannot be wound
                self._winders[tension] = Columns(winder(system, tension), 1)
            others = {name: x for name, x in values.items() if name != "tension"}
            q, v = initial_state(system, others, p, what)
            q = self._winders[tension](q[:, None], p[:, None])[:, 0]
        else:
            q, v = initial_state(system, values, p, what)
        return closed(system, values, q, v, u, np.zeros(system.nu), p)


def winder(system: System, tension: float) -> Any:
    """(q, p) -> q with the motors turned until elastic tendons have this static tension."""
    length = next(o.expression for o in system.outputs if o.name == "length")
    still = [system.v, system.a, system.lam, system.u]
    (length,) = ca.substitute([length], still, [ca.SX.zeros(x.shape) for x in still])
    (rest,) = ca.substitute([length], [system.q], [ca.SX(system.rest)])
    pulls = ca.SX.ones(system.tendons.pulls.shape) * tension
    (stretch,) = ca.substitute([system.tendons.stretch], [system.tendons.pulls], [pulls])
    paid = length - rest - stretch
    q = ca.SX(system.q)
    names, known = system.coordinate_names, system.parameter_names
    for i, tendon in enumerate(system.robot.tendons):
        if tendon.actuator in names:
            drum, gear = (
                system.p[known.index(f"{tendon.actuator}.{x}")]
                for x in ("drum_radius", "gear_ratio")
            )
            q[names.index(tendon.actuator)] = tendon.winding * paid[i] / (drum / gear)
    return system.function("winder", "q p", ca.densify(q))
