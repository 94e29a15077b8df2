"""Starts, many and fast: motors are wound to a tension by one function, which is checked once."""

from typing import Any

import numpy as np

from chorda.compile.point_functions import Pointwise
from chorda.mechanics import Array, System
from chorda.mechanics.tensioning import winder
from chorda.statics.initial import closed, initial_state


class Starts:
    """Initial states as of `simulate`."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._checked: set[float] = set()  # tensions that motors can be wound to

    def __call__(
        self, values: dict[str, Any], u: Array, p: Array, what: str
    ) -> tuple[Array, Array]:
        """q and v from values by name, under inputs u; `what` is the field they came in."""
        system = self._system
        tension = values.get("tension")
        if isinstance(tension, int | float):
            if tension not in self._checked:
                initial_state(system, values, p, what)  # refuses what cannot be wound
                self._checked.add(tension)
            others = {name: x for name, x in values.items() if name != "tension"}
            q, v = initial_state(system, others, p, what)
            pulls = np.full((len(system.robot.tendons), 1), tension)
            wind = system.once("wind", lambda: Pointwise(winder(system), 1))
            q = wind.columns(pulls, q[:, None], p[:, None])[:, 0]
        else:
            q, v = initial_state(system, values, p, what)
        return closed(system, values, q, v, u, np.zeros(system.nu), p)
