"""A duration in equal steps: the one place where their number is found."""

import math
from dataclasses import dataclass

WHOLE = 1e-9  # what a whole number of steps may be off by, relative: rounding of the two numbers


@dataclass(frozen=True)
class EqualSteps:
    """So many steps [s] that make a duration; `asked` is the step that was asked for [s]."""

    count: int
    step: float
    asked: float

    @property
    def shortened(self) -> bool:
        """Whether the step that was asked for does not divide the duration."""
        return self.step != self.asked

    @property
    def message(self) -> str:
        """A sentence where the step was shortened, else an empty text."""
        if not self.shortened:
            return ""
        return (
            f"The step was shortened from {self.asked:g} s to {self.step:.6g} s, so that "
            f"{self.count} steps make the duration."
        )


def equal_steps(duration: float, step: float) -> EqualSteps:
    """The steps of a duration; a step that does not divide it is shortened until it does.

    >>> equal_steps(0.3, 0.1)
    EqualSteps(count=3, step=0.1, asked=0.1)
    >>> equal_steps(0.33, 0.05).message
    'The step was shortened from 0.05 s to 0.0471429 s, so that 7 steps make the duration.'
    """
    duration, step = float(duration), float(step)
    exact = duration / step
    nearest = max(1, round(exact))
    if abs(exact - nearest) <= WHOLE * exact:
        return EqualSteps(nearest, step, step)
    count = math.ceil(exact)
    return EqualSteps(count, duration / count, step)
