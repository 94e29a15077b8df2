"""Observations: parts of the state, the goal, and outputs such as tensions."""

from collections.abc import Iterable, Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.checks import check_names
from chorda.compile.point_functions import Pointwise
from chorda.dynamics.time_loop import bounds
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.results.observe import accelerations

STATE = ("position", "velocity", "achieved", "target")


class Observer:
    """Observations of members (last index), the named parts one below the other."""

    def __init__(self, system: System, parts: Sequence[str], goals: int, count: int) -> None:
        if isinstance(parts, str):
            parts = (parts,)
        known = (*STATE, *[o.name for o in system.outputs])
        if not isinstance(parts, Iterable):
            raise InputError(f"observe: expected some of {', '.join(known)}, got {parts!r:.60}")
        check_names("observe", parts, known)
        if not parts:
            raise InputError(f"observe: expected some of {', '.join(known)}, got none")
        self.parts, self._system = tuple(parts), system
        outputs = [o for o in system.outputs if o.name in parts]
        self.names = [o.name for o in outputs]
        shown = ca.vertcat(ca.SX(0, 1), *[ca.densify(o.expression) for o in outputs])
        self.sizes = [len(o.labels) for o in outputs]
        self.shown = system.function("shown", "q v a lam u p", shown)
        self._outputs = Pointwise(self.shown, count)
        later = ca.vertcat(system.a, system.lam)
        self.solves = any(ca.which_depends(shown, later, 1, True)) if outputs else False
        low, high = bounds(system, system.nq + system.nv)
        wide = {"achieved": goals, "target": goals, **{o.name: len(o.labels) for o in outputs}}
        ends = {
            "position": (low[: system.nq], high[: system.nq]),
            "velocity": (low[system.nq :], high[system.nq :]),
            **{name: (np.full(k, -np.inf), np.full(k, np.inf)) for name, k in wide.items()},
        }
        self.low, self.high = (np.concatenate([ends[name][i] for name in parts]) for i in (0, 1))

    def __call__(
        self, q: Array, v: Array, u: Array, p: Array, achieved: Array, target: Array
    ) -> Array:
        found = {"position": q, "velocity": v, "achieved": achieved, "target": target}
        found |= self._seen(q, v, u, p)
        return np.concatenate([found[name] for name in self.parts])

    def _seen(self, q: Array, v: Array, u: Array, p: Array) -> dict[str, Any]:
        if not self.names:  # what is not observed is not computed
            return {}
        system, n = self._system, q.shape[1]
        a, lam = np.zeros((system.nv, n)), np.zeros((system.nc, n))
        if self.solves:
            with interruptible():
                a, lam = (x.T for x in accelerations(system, q.T, v.T, u.T, p))
        rows = self._outputs.columns(q, v, a, lam, u, p)
        cuts = np.cumsum(self.sizes)[:-1]
        return dict(zip(self.names, np.split(rows, cuts), strict=True))
