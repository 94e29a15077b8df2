"""Sliders: what they give, how far they go, and the units in which a person reads them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.describe import JointMotion
from chorda.mechanics import System
from chorda.view.display_units import DisplayUnit, display_unit

INPUTS, PARAMETERS = "inputs", "parameters"
STEPS = 1000  # of a slider
DIGITS = 6  # of its number
USUAL_RANGES = {"rad": np.pi, "m": 0.05, "N": 50.0, "N m": 1.0, "V": 12.0}  # of inputs, both ways
ROUNDING = 1e-8  # of a usual range: an input that small is none
WIDER = 4.0  # times what is there, how far a slider goes


@dataclass(frozen=True)
class Slider:
    """Something to be given, in SI units: its group is an argument of `equilibrium`."""

    group: str
    name: str
    unit: str
    low: float
    high: float
    value: float

    @property
    def shown(self) -> DisplayUnit:
        """How a person reads it."""
        return display_unit(self.unit, np.array([self.low, self.high]))


class SliderHandle:
    """A slider in the page; `value` is in SI units."""

    def __init__(self, gui: Any, x: Slider) -> None:
        self.unit = x.shown
        low, high = (rounded(self.unit.factor * k) for k in (x.low, x.high))
        step = nice((high - low) / STEPS / 2)
        self._decimals = max(0, 1 - int(np.floor(np.log10(step))))
        value = self._seen(x.value)
        self.node = gui.add_slider(
            self.unit.label(x.name), low, high, step, min(max(value, low), high)
        )

    @property
    def value(self) -> float:
        return float(self.node.value) / self.unit.factor

    @value.setter
    def value(self, wanted: float) -> None:
        shown = self._seen(wanted)
        if shown < self.node.min:
            self.node.min = shown
        if shown > self.node.max:
            self.node.max = shown
        if shown != self._seen(self.value):  # else it stays as it was typed
            self.node.value = shown

    def _seen(self, value: float) -> float:
        """In the unit that is shown, with a digit more than a step has: there is little room."""
        return rounded(round(self.unit.factor * value, self._decimals))


def input_sliders(system: System, now: dict[str, float]) -> list[Slider]:
    """Of what actuators are given, by its present values. Tensions pull, the others go both ways;
    motions that are prescribed go as far as their joint."""
    inputs = {i.name: i for i in system.inputs}
    ranges = {name: (c.low, c.high) for name, c in _prescribed(system).items()}
    found = []
    for name, value in now.items():
        unit, kind = inputs[name].unit, inputs[name].kind
        usual = USUAL_RANGES.get(unit, 1.0)
        value = value if abs(value) > ROUNDING * usual else 0.0
        wide = nice(2 * WIDER * abs(value)) if value else 0.4 * usual
        low, high = ranges.get(name, (-np.inf, np.inf))
        low = low if np.isfinite(low) else 0.0 if kind == "tension" else -wide
        high = high if np.isfinite(high) else wide
        found.append(Slider(INPUTS, name, unit, low, high, value))
    return found


def parameter_slider(unit: str, name: str, value: float) -> Slider:
    """Of a parameter: its sign stays."""
    wide = nice(2 * abs(value)) if value else USUAL_RANGES.get(unit, 1.0)
    low = 0.0 if value > 0 else -wide
    return Slider(PARAMETERS, name, unit, low, wide if value >= 0 else 0.0, value)


def _prescribed(system: System) -> dict[str, Any]:
    """Coordinates that are prescribed, by the name of the input."""
    coordinates = {c.name: c for c in system.coordinates}
    return {
        x.name: coordinates[x.joint]
        for x in system.robot.actuators
        if isinstance(x, JointMotion) and x.joint in coordinates
    }


def rounded(x: float) -> float:
    """To as many digits as a slider shows.

    >>> rounded(-0.25500000000000006)
    -0.255
    """
    return float(f"{x:.{DIGITS}g}")


def nice(about: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not smaller.

    >>> nice(23.0), nice(0.4)
    (50.0, 0.5)
    """
    power = 10.0 ** np.floor(np.log10(about)) if about > 0 else 1.0
    return float(
        f"{next(k * power for k in (1, 2, 5, 10) if k * power >= about * (1 - 1e-12)):.9g}"
    )
