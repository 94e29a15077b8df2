"""A batch: many robots of one kind, in arrays whose last index is the member; see many.c."""

import ctypes
from dataclasses import dataclass, field

import numpy as np

from chorda.compile.job import MAX_ITERATIONS, Array

WHOLE = (
    *("members", "steps", "every", "most"),
    *("per_time", "per_item", "per_member", "p_item", "p_member"),
)


class Numbers(ctypes.Structure):
    """`Batch` of many.c."""

    _fields_ = (
        *((name, ctypes.c_long) for name in WHOLE),
        *((name, ctypes.c_double) for name in ("h", "tol")),
    )


@dataclass(frozen=True, eq=False)
class Batch:
    """x: states (nx, members), moved along. signal: inputs, or what the controller needs (times,
    nw, members); 1 time where they are constant, 1 member where they are shared. p: parameters
    (np, members or 1). X: states kept (kept, nx, members). done, code: see many.c.
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
    X: Array = field(init=False)
    done: "np.typing.NDArray[np.int64]" = field(init=False)
    code: "np.typing.NDArray[np.int64]" = field(init=False)

    def __post_init__(self) -> None:
        nx, members = self.x.shape
        kept = np.full((self.steps // self.every, nx, members), np.nan)
        object.__setattr__(self, "X", kept)
        for name in ("done", "code"):
            object.__setattr__(self, name, np.zeros(members, np.int64))

    @property
    def members(self) -> int:
        return int(self.x.shape[1])

    @property
    def numbers(self) -> Numbers:
        times, items, own = self.signal.shape
        return Numbers(
            self.members,
            self.steps,
            self.every,
            self.most,
            items * own if times > 1 else 0,
            own,
            1 if own > 1 else 0,
            self.p.shape[1],
            1 if self.p.shape[1] > 1 else 0,
            self.h,
            self.tolerance,
        )

    @property
    def whole(self) -> list[int]:
        """The whole numbers of `Batch` in many.c, in order."""
        return [int(getattr(self.numbers, name)) for name in WHOLE]

    @property
    def arrays(self) -> tuple["np.typing.NDArray[np.generic]", ...]:
        """In the order of many.c."""
        return (self.x, self.signal, self.p, self.low, self.high, self.X, self.done, self.code)
