"""A path of equilibria as inputs over time, for a motion along it."""

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from chorda.checks import number
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.drivetrain import ACCELERATION
from chorda.mechanics.prescription import hold_name

if TYPE_CHECKING:
    from chorda.results.path import EquilibriumPath

FEWEST = 2  # configurations


def inputs_along(path: "EquilibriumPath", duration: float) -> dict[str, Callable[[float], float]]:
    """Inputs by name, as functions of time, that take a robot along the path in `duration`.

    The path parameter runs from 0 to 1 as 10 s^3 - 15 s^4 + 6 s^5, s = t / duration: it starts and
    ends without velocity and acceleration. A cubic spline through the path's configurations leads
    from it to what was held, as inputs hold-JOINT with their accelerations, and to the inputs.
    """
    duration = number("duration", duration, above=0, unit="seconds")
    if len(path) < FEWEST or not np.all(np.diff(path.parameter) > 0):
        raise InputError(
            "inputs: expected a path of at least two configurations that never turns back, got "
            f"{path!r}; take one without folds"
        )
    _refuse_parameters(path)
    share = (path.parameter - path.parameter[0]) / np.ptp(path.parameter)
    given, names = path.system.given, path.system.coordinate_names
    found: dict[str, Callable[[float], float]] = {}
    for k, name in enumerate(given):
        found[name] = _Timed(share, path.u[:, k], duration)
    held = dict.fromkeys((*path.prescription.held, *path.prescription.moved))
    for name in (x for x in held if x in names and x not in given):
        value = _Timed(share, path.q[:, names.index(name)], duration)
        found[hold_name(name)] = value
        found[f"{hold_name(name)}{ACCELERATION}"] = value.acceleration
    for name in (x for x in path.prescription.efforts if x not in given):
        found[hold_name(name)] = _Timed(share, path.efforts[name], duration)
    return found


def _refuse_parameters(path: "EquilibriumPath") -> None:
    """A parameter has one value in a motion."""
    system = path.system
    for name, values in path.settings.items():
        if name not in system.given and np.ptp(values) > 0:
            raise InputError(
                f"inputs: '{name}' is a parameter, which no motion changes; take a path on which "
                "it stays as it is. The length of a rod with fed: {range: [...]} is a coordinate"
            )


class _Timed:
    """A cubic spline over the path parameter, which runs in time as a quintic does."""

    def __init__(self, share: Array, values: Array, T: float) -> None:
        """Its pieces as lists: a call of SciPy's spline at one time takes ten times as long."""
        from scipy.interpolate import CubicSpline

        spline = CubicSpline(share, values)
        self._starts, self._pieces, self._T = share[:-1].tolist(), spline.c.T.tolist(), T

    def _parts(self, t: float) -> tuple[list[float], float, float]:
        """Coefficients of the piece at a time, how far it is in it, and s."""
        s = min(max(float(t) / self._T, 0.0), 1.0)
        x = s**3 * (10 - 15 * s + 6 * s**2)
        k = bisect_right(self._starts, x) - 1
        return self._pieces[k], x - self._starts[k], s

    def __call__(self, t: float) -> float:
        (a, b, c, d), x, _ = self._parts(t)
        return ((a * x + b) * x + c) * x + d

    def acceleration(self, t: float) -> float:
        """Its second derivative by time."""
        (a, b, c, _), x, s = self._parts(t)
        rate, second = 30 * s**2 * (1 - s) ** 2, 60 * s * (1 - s) * (1 - 2 * s)
        slope, bend = (3 * a * x + 2 * b) * x + c, 6 * a * x + 2 * b
        return (bend * rate**2 + slope * second) / self._T**2
