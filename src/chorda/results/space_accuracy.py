"""How accurate rods made of modes are, as lengths at frames."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.describe import Rod
from chorda.mechanics import Array, System

LARGE = 0.01  # of the robot's size: an error that a status reports
UNKNOWN = "How far the functions of the rods leave it off is not known."


@dataclass(frozen=True, eq=False)
class SpaceAccuracy:
    """Estimated error of a configuration with rods, against the continuous equations.

    Attributes
    ----------
    frames : tips of rods, and frames with a prescribed pose.
    error : (frames) [m] how far each is from where the continuous rods would have it.
    integration : (frames) [m] the part of it that the integration along the rods has
        (`modes.intervals`); the rest is due to the number of functions.
    reliable : whether the estimate settled; if not, it is an order of magnitude at best.
    size : [m] of the robot: its longest rod.
    remedy : what makes it smaller; if not given, functions or intervals of the modes.
    """

    frames: tuple[str, ...]
    error: Array
    integration: Array
    reliable: bool
    size: float
    remedy: str | None = None

    @property
    def worst(self) -> float:
        """The largest error [m]."""
        return float(np.max(self.error, initial=0.0))

    @property
    def functions(self) -> Array:
        """(frames) [m] the part of the error that the number of functions has."""
        return np.asarray(np.maximum(self.error - self.integration, 0.0))

    def is_large(self, asked: float | None = None) -> bool:
        """Whether it is above what was asked for, or above 1 % of the robot's size."""
        return not self.worst <= (LARGE * self.size if asked is None else asked)

    def message(self, asked: float | None = None) -> str:
        """The sentence for a status; asked: the accuracy [m] that it misses, if there is one."""
        k = int(np.argmax(self.error))
        by_functions = self.functions[k] >= self.integration[k]
        usual = "more functions (modes)" if by_functions else "more intervals (modes.intervals)"
        remedy = f"give the rods {self.remedy or usual}"
        if not np.isfinite(self.worst):
            return f"How far {self.frames[k]} is off is not known; {remedy}."
        about = "about" if self.reliable else "roughly"
        beside = f"{self.worst / self.size:.2g} of the longest rod"
        if asked is not None:
            beside += f", and {1e3 * asked:.2g} mm was asked for"
            remedy += f", or call equilibrium(..., accuracy={asked:g})"
        return (
            f"The rods are not resolved: {self.frames[k]} is off by {about} "
            f"{1e3 * self.worst:.2g} mm, {beside}; {remedy}."
        )

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "SpaceAccuracy":
        """The accuracy of such data as `to_dict` gives."""
        arrays = {name: np.array(data[name], float) for name in ("error", "integration")}
        return cls(**{**data, **arrays, "frames": tuple(data["frames"])})

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "frames": list(self.frames),
            "error": self.error.tolist(),
            "integration": self.integration.tolist(),
            "reliable": self.reliable,
            "size": self.size,
        }


def accuracy_remark(system: System, found: SpaceAccuracy | None) -> str:
    """The sentence where an error is above what the rods' modes are for, or large."""
    rods = [joint for joint in system.robot.joints if isinstance(joint, Rod)]
    if found is None:
        return UNKNOWN if rods else ""
    asked = min((x for rod in rods if (x := rod.modes.accuracy) is not None), default=None)
    return found.message(asked) if found.is_large(asked) else ""
