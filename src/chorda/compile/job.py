"""What a kernel is given: its kind and sizes when it is made, a job when it runs."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
MAX_ITERATIONS = 25  # of Newton's method in a step


class Exit(IntEnum):
    """How a kernel ended, info[0] of driver.c and path.c."""

    DONE = 0
    OUT_OF_BOUNDS = 1  # or not finite
    NOT_CONVERGED = 2
    STEP_UNDERFLOW = 3
    SINGULAR = 4
    INTERRUPTED = 5  # by Ctrl-C
    WINDING_LIMIT = 6  # set in Python: a cable turned too far about a pulley
    PUSHING = 7  # set in Python: a rigid tendon would have to push
    PASSED_THROUGH = 8  # set in Python: a solid went through another
    OPENED = 9  # set in Python: a loop came apart


@dataclass(frozen=True)
class Settings:
    """Sizes and kind of a kernel; see driver.c."""

    nx: int
    nu: int
    nw: int
    nz: int = 0
    newton: bool = False
    reuses: bool = False
    adaptive: bool = False
    control: bool = False
    order: int = 1

    @property
    def kept(self) -> int:
        """Numbers that Newton's method keeps from step to step."""
        return 1 + self.nz + self.nz**2 if self.reuses else 0

    def defines(self) -> dict[str, int]:
        own = {name.upper(): int(value) for name, value in vars(self).items()}
        return own | {"KEPT": self.kept}


@dataclass(frozen=True)
class Job:
    """What stays the same along a motion; the kernel moves `x` and counts in `info` (driver.c).

    What Newton's method keeps from step to step is here too, not in the kernel, so that a motion
    does not depend on those before it.

    h: step [s]; x: state; p: parameters; low, high: bounds of the state; tolerance: of Newton's
    method or of the local error; most: iterations of Newton's method.
    """

    h: float
    x: Array
    p: Array
    low: Array
    high: Array
    tolerance: float
    most: int = MAX_ITERATIONS
    info: Array = field(default_factory=lambda: np.zeros(8))
    kept: dict[str, Any] = field(default_factory=dict)
