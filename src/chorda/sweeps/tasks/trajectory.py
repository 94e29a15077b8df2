"""What is read off a run: quantities over time, made one by one."""

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.results import Run, Status
from chorda.results.observe import observed

ENERGIES = {"kinetic_energy": "kinetic", "potential_energy": "potential"}


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A run, and what was read off it; an output is made alone, the first time it is asked for."""

    run: Run
    _made: dict[str, Array] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        return self.run.status

    def series(self, name: str) -> Array:
        """A quantity at all times, (n, ...)."""
        if name not in self._made:
            self._made[name] = self._rows(name, slice(None))
        return self._made[name]

    def last(self, name: str) -> Array:
        """A quantity at the end."""
        rows = self._made[name] if name in self._made else self._rows(name, slice(-1, None))
        return np.asarray(rows[-1])

    def last_state(self) -> tuple[Array, Array]:
        """(q, p) at the end."""
        return self.run.position[-1], self.run.parameters

    def _rows(self, name: str, which: slice) -> Array:
        run = self.run
        states = {"position": run.position, "velocity": run.velocity, "input": run.input}
        if name in states:
            return states[name][which]
        q, v, u = (states[x][which] for x in ("position", "velocity", "input"))
        observe = _observer(run.system, name)
        if observe is None:
            return observed(run.system, q, v, u, run.parameters)[name]
        p = np.repeat(run.parameters[:, None], len(q), 1)
        made = np.asarray(observe(q.T, v.T, u.T, p).full().T)
        return made[:, 0] if name in ENERGIES else made


def _observer(system: System, name: str) -> Any:
    """(q, v, u, p) -> a quantity; None where it needs accelerations or forces of closures."""

    def make() -> Any:
        if name in ENERGIES:
            x = getattr(system.dynamics, ENERGIES[name])
        else:
            x = next(o.expression for o in system.outputs if o.name == name)
        if ca.depends_on(x, ca.vertcat(system.a, system.lam)):
            return None
        return system.function("observed", "q v u p", x)

    return system.once(("observed", name), make)
