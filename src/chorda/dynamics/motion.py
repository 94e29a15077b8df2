"""What a time integrator hands back."""

from dataclasses import dataclass

from chorda.mechanics import Array
from chorda.results import Status


@dataclass(frozen=True)
class Motion:
    """Times, states with a row each, inputs, how it ended, and counts."""

    time: Array
    X: Array
    U: Array
    status: Status
    counts: dict[str, float]
