"""The unit in which a person reads a quantity: degrees for radians, millimetres for metres."""

import math
from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array


@dataclass(frozen=True)
class DisplayUnit:
    """What is shown is factor * SI value, in `unit`."""

    factor: float
    unit: str

    def label(self, what: str) -> str:
        """An axis label such as 'tension [N]'."""
        return f"{what} [{self.unit}]" if self.unit else what


# SI unit -> (largest magnitude [SI] that is shown so, factor, unit), the first that fits
RULES: dict[str, tuple[tuple[float, float, str], ...]] = {
    "rad": ((math.inf, 180 / math.pi, "°"),),
    "rad/s": ((math.inf, 180 / math.pi, "°/s"),),
    "rad/s^2": ((math.inf, 180 / math.pi, "°/s²"),),
    "s": ((1e-3, 1e6, "µs"), (0.1, 1e3, "ms"), (1200.0, 1.0, "s"), (math.inf, 1 / 60, "min")),
    "m": ((1e-5, 1e6, "µm"), (1.0, 1e3, "mm"), (math.inf, 1.0, "m")),
    "m/s": ((0.5, 1e3, "mm/s"), (math.inf, 1.0, "m/s")),
    "m/s^2": ((math.inf, 1.0, "m/s²"),),
    "N": ((1e-4, 1e6, "µN"), (0.1, 1e3, "mN"), (1e5, 1.0, "N"), (math.inf, 1e-3, "kN")),
    "N m": ((1e-4, 1e6, "µN m"), (0.1, 1e3, "mN m"), (1e5, 1.0, "N m"), (math.inf, 1e-3, "kN m")),
    "Pa": ((1e3, 1.0, "Pa"), (1e5, 1e-3, "kPa"), (1e10, 1e-6, "MPa"), (math.inf, 1e-9, "GPa")),
    "J": ((1e-4, 1e6, "µJ"), (0.1, 1e3, "mJ"), (1e5, 1.0, "J"), (math.inf, 1e-3, "kJ")),
    "A": ((0.1, 1e3, "mA"), (math.inf, 1.0, "A")),
    "-": ((math.inf, 1.0, ""),),
}
USUAL_MAGNITUDE = 0.2  # [SI] the magnitude to expect of what is zero so far


def display_unit(unit: str, values: Array) -> DisplayUnit:
    """How to show values that are in an SI unit.

    >>> display_unit("m", np.array([0.0, 2e-4]))
    DisplayUnit(factor=1000.0, unit='mm')
    """
    finite = np.abs(values[np.isfinite(values)])
    size = float(finite.max()) if finite.any() else USUAL_MAGNITUDE
    for largest, factor, name in RULES.get(unit, ()):
        if size <= largest:
            return DisplayUnit(factor, name)
    return DisplayUnit(1.0, unit)
