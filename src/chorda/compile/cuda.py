"""Kernels on a GPU through CuPy: moving arrays there, and running."""

import time
from collections.abc import Sequence
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


class Launch:
    """A kernel on a GPU; cp is the module CuPy.

    Its arguments are the number of members, which is that of threads, other numbers, and arrays.
    """

    def __init__(self, cp: Any, kernel: Any, precision: str) -> None:
        self.cp, self.real, self.least = cp, REALS[precision], LEAST[precision]
        self._kernel = kernel

    def put(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Arrays on the GPU, in its kind of numbers; those that are there stay there."""
        return tuple(
            self.cp.asarray(a if a.dtype == np.int64 else a.astype(self.real, copy=False))
            for a in arrays
        )

    def __call__(self, members: int, numbers: Sequence[float], there: Sequence[Any]) -> float:
        """One run of all members; seconds. Whole numbers are long, others those of the kernel."""
        head = [members, *numbers]
        kinds = (np.int64 if isinstance(x, int | np.integer) else self.real for x in head)
        values = [kind(x) for kind, x in zip(kinds, head, strict=True)]
        blocks = -(-members // THREADS)
        begin, end = self.cp.cuda.Event(), self.cp.cuda.Event()
        begin.record()
        self._kernel((blocks,), (THREADS,), (*values, *there))
        end.record()
        while not end.done:  # rather than wait within CUDA, where Ctrl-C is not heard
            time.sleep(POLL_INTERVAL)
        return float(self.cp.cuda.get_elapsed_time(begin, end)) / 1e3
