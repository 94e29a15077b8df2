"""Robots of one kind that move under inputs held for some steps: one batch, kept between calls.

The last index of arrays is the member.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from chorda.compile import Batch
from chorda.dynamics.kernels import kernel, starter
from chorda.dynamics.rollouts.cores import workers
from chorda.dynamics.schemes import REFERENCE, find, usual
from chorda.dynamics.simulate import NEWTON_STEPS, bounds, time_grid, tolerance_of
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
        _check(step)
        time_grid(step * steps, step, 1)  # refuses too many steps
        self._system, self._scheme = system, find(name)
        self._kernel = kernel(system, self._scheme)
        self._memory = self._scheme.memory(system)
        nx = system.nq + system.nv + self._memory
        self._batch = Batch(
            h=float(step),
            steps=steps,
            every=steps,
            x=np.zeros((nx, count)),
            signal=np.zeros((1, system.nu, count)),
            p=np.repeat(system.parameter_values[:, None], count, 1),
            low=bounds(system, nx)[0],
            high=bounds(system, nx)[1],
            tolerance=tolerance_of(None, name),
            most=NEWTON_STEPS,
        )
        self.q = self._batch.x[: system.nq]
        self.v = self._batch.x[system.nq : system.nq + system.nv]
        self.u, self.p = self._batch.signal[0], self._batch.p
        self.code = self._batch.code  # of many.c: 0 where the last call went well
        self._fresh = np.zeros(count, bool)
        threads = min(workers(jobs), count) if self._kernel.compiled else 1
        self._ends = [round(k * count / threads) for k in range(threads + 1)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def put(self, m: int, q: Array, v: Array, u: Array, p: Array) -> None:
        """A member somewhere else, or another robot in its place."""
        self.q[:, m], self.v[:, m], self.u[:, m], self.p[:, m] = q, v, u, p
        self.code[m], self._fresh[m] = 0, True

    def go(self) -> None:
        """All members under their inputs; one that fails stops before it does."""
        self._remember()
        count = len(self.code)
        if self._pool is None:
            self._kernel.many(self._batch, 0, count)
            return
        many, pieces = self._kernel.many, pairwise(self._ends)
        for item in [self._pool.submit(many, self._batch, a, b) for a, b in pieces]:
            item.result()

    def _remember(self) -> None:
        """What multistep schemes keep begins with the first input."""
        if self._memory and self._fresh.any():
            m = np.flatnonzero(self._fresh)
            start = starter(self._system, self._scheme)
            states = start(self.q[:, m], self.v[:, m], self.u[:, m], self.p[:, m], self._batch.h)
            self._batch.x[:, m] = states.full()
        self._fresh[:] = False

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def _check(step: Any) -> None:
    if not (isinstance(step, Real) and 0 < float(step) < np.inf):
        raise InputError(f"step: expected a positive number of seconds, got {step!r:.60}")
