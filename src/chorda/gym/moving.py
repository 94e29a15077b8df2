"""Robots of one kind that move under inputs held for some steps: one batch, kept between calls.

The last index of arrays is the member.
"""

import numpy as np

from chorda.checks import number
from chorda.compile import Batch
from chorda.compile.cores import Cores
from chorda.dynamics.arguments import time_grid, tolerance_of
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.rollouts.ending import end_before, looks
from chorda.dynamics.rollouts.passing_members import end_where_solids_pass
from chorda.dynamics.schemes import REFERENCE, find, usual
from chorda.dynamics.time_loop import bounds
from chorda.errors import InputError
from chorda.mechanics import Array, System


class Moving:
    """States, inputs and parameters of all members; u and p may be written to."""

    def __init__(
        self,
        system: System,
        count: int,
        step: float,
        steps: int,
        scheme: str | None,
        jobs: int | None,
    ) -> None:
        name = usual(system) if scheme is None else scheme
        if name == REFERENCE:
            raise InputError(f"scheme: '{name}' has no compiled step; expected another one")
        number("step", step, above=0, unit="seconds")
        time_grid(step * steps, step, 1)  # refuses too many steps
        self.loop = SchemeLoop(system, find(name))
        self.step, self.steps = float(step), steps
        nx = self.loop.settings.nx
        self._memory = nx - system.nq - system.nv
        x, signal = np.zeros((nx, count)), np.zeros((1, system.nu, count))
        p = np.repeat(system.parameter_values[:, None], count, 1)
        ends, self.tolerance = bounds(system, nx), tolerance_of(None, name)
        every = steps // looks(system, steps, steps, steps * nx * count, loops=1)
        self._batch = Batch(float(step), steps, every, x, signal, p, *ends, self.tolerance)
        self.q = self._batch.x[: system.nq]
        self.v = self._batch.x[system.nq : system.nq + system.nv]
        self.u, self.p = self._batch.signal[0], self._batch.p
        self.code = self._batch.code  # of many.c: 0 where the last call went well
        self._fresh = np.zeros(count, bool)
        self._jobs = jobs
        self._cores = Cores(self.loop.kernel, count, jobs)
        self.close = self._cores.close

    def put(self, m: int, q: Array, v: Array, u: Array, p: Array) -> None:
        """A member somewhere else, or another robot in its place."""
        self.q[:, m], self.v[:, m], self.u[:, m], self.p[:, m] = q, v, u, p
        self.code[m], self._fresh[m] = 0, True

    def go(self) -> None:
        """All members under their inputs; one that fails stops before it does."""
        self._remember()
        batch, system = self._batch, self.loop.system
        start = batch.x.copy()
        batch.X[:] = np.nan
        for _ in self._cores.run(batch):
            pass
        end_before(system, batch, start[: system.nq], None, batch.signal, self.p, led=False)
        end_where_solids_pass(self.loop, batch, start, self.p, self._jobs)

    def _remember(self) -> None:
        """What multistep schemes keep begins with the first input."""
        if self._memory and self._fresh.any():
            m = np.flatnonzero(self._fresh)
            here = (x[:, m] for x in (self.q, self.v, self.u, self.p))
            self._batch.x[:, m] = self.loop.start(self._batch.h, *here)
        self._fresh[:] = False
