"""What the continuous problem of a rod returns."""

from collections.abc import Mapping
from dataclasses import dataclass

from chorda.mechanics import Array
from chorda.results.status import Status


@dataclass(frozen=True, eq=False)
class RodEquilibrium:
    """A rod at rest, at the places s (n) [m]; two at one place where its strains jump.

    position (n, 3) [m] and rotation (n, 3, 3) in the world; strain (n, 6), internal force and
    moment (n, 3) [N, N m] in local axes; tension [N], slack and length of path [m] of each tendon.
    residual: the largest one, scaled by the rod's stiffness; iterations of Newton's method.
    """

    s: Array
    position: Array
    rotation: Array
    strain: Array
    force: Array
    moment: Array
    tension: Array
    slack: Array
    path: Array
    residual: float
    iterations: int
    status: Status

    @property
    def tip(self) -> Array:
        return self.position[-1]

    def __repr__(self) -> str:
        return f"<RodEquilibrium at {len(self.s)} places: {self.status}>"


@dataclass(frozen=True, eq=False)
class RodMotion:
    """A motion from rest: time (k), tip (k, 3), tension and slack (k, tendons) at the base,
    end_tension where each tendon is attached, centre lines (k, n, 3) at the places s (n), in SI.

    residual is the largest of all steps. counts: steps, iterations, factorised, rejected,
    seconds, segments.
    """

    s: Array
    time: Array
    tip: Array
    tension: Array
    end_tension: Array
    slack: Array
    centre: Array
    residual: float
    counts: Mapping[str, float]
    status: Status

    def __repr__(self) -> str:
        return f"<RodMotion of {len(self.time)} times at {len(self.s)} places: {self.status}>"
