"""A batch: many robots of one kind, in arrays whose last index is the member; see many.c."""

import ctypes
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chorda.compile.job import MAX_ITERATIONS, Array


class Numbers(ctypes.Structure):
    """`Batch` of driver.c."""

    _fields_ = (
        ("whole", ctypes.c_long * 9),
        ("reals", ctypes.c_double * 2),
        ("stop", ctypes.c_void_p),
    )


def fetched(cp: Any, there: Any, kind: Any) -> Any:
    """An array on a GPU as one of the host, in memory that the GPU writes to by itself: pages that
    are not pinned take ten times as long."""
    here = cp.cuda.alloc_pinned_memory(there.size * np.dtype(kind).itemsize)
    found = np.frombuffer(here, kind, there.size).reshape(there.shape)
    return there.astype(kind, copy=False).get(out=found)


@dataclass(frozen=True, eq=False)
class Batch:
    """x: states (nx, members), moved along. signal: inputs, or what the controller needs (times,
    nw, members); 1 time where they are constant, 1 member where they are shared. p: parameters
    (np, members or 1). X: states kept (kept, nx, members). done, code: see many.c. stop: once it
    is not 0, members end before their next step. xp, real: the library of the arrays and their
    kind of numbers; those of a batch on a GPU are there.
    """

    h: float
    steps: int
    every: int
    x: Array
    signal: Array
    p: Array
    low: Array
    high: Array
    tolerance: float
    most: int = MAX_ITERATIONS
    xp: Any = np
    real: Any = np.float64
    X: Array = field(init=False)
    done: "np.typing.NDArray[np.int64]" = field(init=False)
    code: "np.typing.NDArray[np.int64]" = field(init=False)
    stop: "np.typing.NDArray[np.int64]" = field(init=False)

    def __post_init__(self) -> None:
        nx, members = self.x.shape
        kept = self.xp.full((self.steps // self.every, nx, members), np.nan, self.real)
        object.__setattr__(self, "X", kept)
        for name in ("done", "code"):
            object.__setattr__(self, name, self.xp.zeros(members, np.int64))
        object.__setattr__(self, "stop", np.zeros(1, np.int64))

    def bring_back(self) -> None:
        """What was computed on a GPU, as arrays of the host; the states in which members ended
        stay there, as few ask for them."""
        for name, kind in (("X", np.float64), ("done", np.int64), ("code", np.int64)):
            object.__setattr__(self, name, fetched(self.xp, getattr(self, name), kind))

    @property
    def members(self) -> int:
        return int(self.x.shape[1])

    @property
    def whole(self) -> list[int]:
        """The whole numbers of `Batch` in driver.c, in order."""
        (times, items, own), p_own = self.signal.shape, self.p.shape[1]
        strides = [items * own if times > 1 else 0, own, int(own > 1), p_own, int(p_own > 1)]
        return [self.members, self.steps, self.every, self.most, *strides]

    @property
    def numbers(self) -> Numbers:
        return Numbers(tuple(self.whole), (self.h, self.tolerance), self.stop.ctypes.data)

    @property
    def arrays(self) -> tuple["np.typing.NDArray[np.generic]", ...]:
        """In the order of many.c."""
        return (self.x, self.signal, self.p, self.low, self.high, self.X, self.done, self.code)
