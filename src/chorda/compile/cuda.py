"""Kernels on a GPU through CuPy: compiling, moving arrays there, and running.

This file needs NumPy and CuPy alone, so that machines without CasADi can run what others wrote.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

THREADS = 64  # a block; few, since each thread needs many registers
OPTIONS = {
    "double": ("-default-device", "--std=c++17"),
    "single": ("-default-device", "--std=c++17", "-use_fast_math"),
}
LEAST = {"double": 0.0, "single": 1e-5}  # tolerance of Newton's method that can be reached
REALS = {"double": np.float64, "single": np.float32}
POLL_INTERVAL = 2e-4  # [s]


Obtain = Callable[[Any, str, Sequence[str]], Any]


def compiled_now(cp: Any, text: str, options: Sequence[str]) -> Any:
    """The kernel of a source, compiled in this process."""
    module = cp.RawModule(code=text, options=tuple(options), backend="nvrtc")
    return module.get_function("chorda_many")


class Launch:
    """The kernel chorda_many of a CUDA source; cp is the module CuPy.

    obtain: how the source becomes a kernel; Chorda's own rollouts take it from the cache.
    """

    def __init__(self, cp: Any, text: str, precision: str, obtain: Obtain = compiled_now) -> None:
        self.cp, self.real, self._least = cp, REALS[precision], LEAST[precision]
        self._kernel = obtain(cp, text, OPTIONS[precision])

    def put(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Arrays of a batch, in the order of many.c, on the GPU; those that are stay there."""
        return tuple(
            self.cp.asarray(a if a.dtype == np.int64 else a.astype(self.real, copy=False))
            for a in arrays
        )

    def __call__(
        self, whole: Sequence[int], h: float, tolerance: float, there: tuple[Any, ...]
    ) -> float:
        """One run of all members from the states that are there; seconds.

        whole: the whole numbers of `Batch` in many.c.
        """
        numbers = [*map(np.int64, whole), self.real(h), self.real(max(tolerance, self._least))]
        blocks = -(-int(whole[0]) // THREADS)
        begin, end = self.cp.cuda.Event(), self.cp.cuda.Event()
        begin.record()
        self._kernel((blocks,), (THREADS,), (*numbers, *there))
        end.record()
        while not end.done:  # rather than wait within CUDA, where Ctrl-C is not heard
            time.sleep(POLL_INTERVAL)
        return float(self.cp.cuda.get_elapsed_time(begin, end)) / 1e3
