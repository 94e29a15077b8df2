"""Kernels: the time loop of a scheme, compiled, or the same in CasADi's virtual machine."""

from collections.abc import Callable
from ctypes import byref, c_double, c_long, c_void_p
from functools import partial

import numpy as np

from chorda.compile.batch import Batch
from chorda.compile.interpreted import Interpreted
from chorda.compile.job import Array, Job, Settings
from chorda.compile.library import Functions, Library, obtain

DRIVERS = ("newton.c", "driver.c", "many.c")


class Compiled:
    """A kernel in a shared library."""

    compiled = True

    def __init__(self, settings: Settings, library: Library) -> None:
        self._library, self._kept, self.operations = library, settings.kept, library.operations
        head = (c_long, c_double, c_double, c_void_p, c_void_p, c_long)
        tail = (*[c_void_p] * 5, c_double, c_long, *[c_void_p] * 4)
        self._run = library.function("chorda_run", c_long, *head, *tail)
        self._many = library.function(
            "chorda_many", None, c_void_p, c_long, c_long, *[c_void_p] * 11
        )

    def run(self, job: Job, n: int, t0: float, signal: Array, X: Array, U: Array) -> int:
        """Advance n steps from time t0; returns how many were completed.

        signal holds inputs (or what the controller needs) at the n + 1 times, or one row; the
        states after each step go to X, the inputs used to U.
        """
        stride = signal.shape[1] if signal.shape[0] > 1 else 0
        memory = job.kept.setdefault("numbers", np.zeros(self._kept))
        arrays = (job.x, signal, job.p, job.low, job.high, X, U, job.info, memory)
        x, rows, p, low, high, states, inputs, info, kept = (a.ctypes.data for a in arrays)
        tail = (p, low, high, states, inputs, job.tolerance, job.most, info, kept)
        return int(self._run(n, t0, job.h, x, rows, stride, *tail, *self._library.work()))

    def many(self, batch: Batch, first: int, last: int) -> None:
        """Members first to last - 1 of a batch; threads may run different ones at once."""
        arrays = (*batch.arrays, np.zeros(self._kept + 1))
        at = [a.ctypes.data for a in arrays]
        self._many(byref(batch.numbers), first, last, *at, *self._library.work())


Kernel = Compiled | Interpreted


def build(recipe: bytes, settings: Settings, make: Callable[[], Functions]) -> Kernel:
    """The kernel of a recipe (what its functions follow from), from the cache if it is there."""
    kinds = partial(Compiled, settings), partial(Interpreted, settings)
    return obtain(recipe, settings.defines(), DRIVERS, make, *kinds)
