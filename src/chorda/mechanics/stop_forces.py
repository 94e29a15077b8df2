"""Stops at the ends of a joint's range, and teeth on both sides of a gear's play: what they store,
and what they damp."""

from dataclasses import dataclass
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters

LEAST_SMOOTHING = 1e-12  # [rad or m] instead of a smoothing that is set to zero


@dataclass(frozen=True)
class StopModel:
    """Beyond an end by r, at the rate r' outwards, it pushes back with max(k s + d ds/dr r', 0).

    s is r, or grows from 0 with a slope that rises smoothly from 0 to 1 over the smoothing w. With
    x = r / w the slope there is 3 x^2 - 2 x^3.
    """

    low: Expr
    high: Expr
    k: Expr
    d: Expr | None
    w: Expr | None

    def energy(self, q: Expr) -> Expr:
        """That is stored at both ends [J]; its derivative is k s."""
        return sum((self.k * integral(r, self.w) for r in (q - self.high, self.low - q)), SX(0))

    def damping_force(self, q: Expr, v: Expr) -> Expr:
        """What damping adds along the coordinate to what is stored; a stop never pulls."""
        if self.d is None:
            return SX(1, 1)
        force = SX(0)
        for r, way in ((q - self.high, 1), (self.low - q, -1)):
            s, slope = depth(r, self.w)
            force -= way * ca.fmax(self.d * slope * way * v, -self.k * s)
        return force

    def push(self, q: Expr, v: Expr) -> Expr:
        """The whole force along the coordinate."""
        stored = self.k * (depth(self.low - q, self.w)[0] - depth(q - self.high, self.w)[0])
        return stored + self.damping_force(q, v)


def stop_model(joint: Any, unit: str, effort: str, par: Parameters) -> StopModel | None:
    """Of a described joint; effort: the unit of its force."""
    if joint.stop is None:
        return None
    name, stop = f"{joint.name}.stop", joint.stop
    low, high = (
        par.scalar(f"{name}.{end}", x, unit, signed=True)
        for end, x in zip(("low", "high"), joint.range, strict=True)
    )
    return _stop(name, stop, low, high, (unit, effort), par)


def _stop(
    name: str, stop: Any, low: Expr, high: Expr, units: tuple[str, str], par: Parameters
) -> StopModel:
    """With the stiffness, damping and smoothing of a described stop."""
    unit, effort = units
    k = par.scalar(f"{name}.stiffness", stop.stiffness, f"{effort}/{unit}", positive=True)
    d = w = None
    if stop.damping is not None:
        d = par.scalar(f"{name}.damping", stop.damping, f"{effort} s/{unit}")
    if stop.smoothing is not None:
        w = ca.fmax(par.scalar(f"{name}.smoothing", stop.smoothing, unit), LEAST_SMOOTHING)
    return StopModel(low, high, k, d, w)


def teeth_of(motor: Any, slides: bool, par: Parameters) -> StopModel:
    """The teeth of a gear with backlash, on both sides of the gap; slides: its joint does."""
    name, play = f"{motor.name}.backlash", motor.backlash
    unit, effort = ("m", "N") if slides else ("rad", "N m")
    half = par.scalar(f"{name}.gap", play.gap, unit) / 2
    return _stop(name, play, -half, half, (unit, effort), par)


def depth(r: Expr, w: Expr | None) -> tuple[Expr, Expr]:
    """s and ds/dr at r beyond an end."""
    if w is None:
        return ca.fmax(r, 0), SX(r > 0)
    x = ca.fmin(ca.fmax(r / w, 0), 1)
    return w * (x**3 - x**4 / 2) + ca.fmax(r - w, 0), x**2 * (3 - 2 * x)


def integral(r: Expr, w: Expr | None) -> Expr:
    """Of s over r, from the end on."""
    if w is None:
        return ca.fmax(r, 0) ** 2 / 2
    x, beyond = ca.fmin(ca.fmax(r / w, 0), 1), ca.fmax(r - w, 0)
    return w**2 * (x**4 / 4 - x**5 / 10) + beyond * (w + beyond) / 2
