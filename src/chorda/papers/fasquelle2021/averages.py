"""Fits of the paper's estimator to logs that differ in the sensors' errors alone, on average."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chorda.identification import Log
from chorda.identification.reconstruction import Tensions
from chorda.mechanics import Array
from chorda.papers.fasquelle2021.published_estimator import PublishedEstimator

QUARTERS = 4  # of the samples, sorted by tension


@dataclass(frozen=True, eq=False)
class Averaged:
    """Means over logs.

    value, deviation: of each unknown, the latter by eq. 66. torque_error, known_torque: rms of
    what is left of eq. 51 with and without the unknowns [N m]. tension_error: mean magnitude of
    law less motor [N]; growth (tendons): that in the quarter of the highest tensions over that in
    the lowest; slope (tendons): of motor less law over the tension. Not a number without laws.
    """

    names: tuple[str, ...]
    value: Array
    deviation: Array
    torque_error: float
    known_torque: float
    tension_error: float
    growth: Array
    slope: Array

    def __getitem__(self, name: str) -> tuple[float, float]:
        """Value and deviation of an unknown."""
        k = self.names.index(name)
        return float(self.value[k]), float(self.deviation[k])


def averaged(estimator: PublishedEstimator, logs: Sequence[Log]) -> Averaged:
    """The paper's estimator run on each of the logs."""
    fits = [estimator(log) for log in logs]
    joints = sum(c.kind == "joint" for c in estimator.system.coordinates)
    error, growth, slope = _tension_errors([x.tensions for x in fits if estimator.with_laws])
    return Averaged(
        names=fits[0].names,
        value=np.mean([x.theta for x in fits], axis=0),
        deviation=np.mean([x.deviation for x in fits], axis=0),
        torque_error=_rms([x.residual[:, :joints] for x in fits]),
        known_torque=_rms([x.known[:, :joints] for x in fits]),
        tension_error=error,
        growth=growth,
        slope=slope,
    )


def _tension_errors(both: Sequence[Tensions]) -> tuple[float, Array, Array]:
    if not both:
        return np.nan, np.array(np.nan), np.array(np.nan)
    return (
        float(np.mean([np.mean(np.abs(x.error)) for x in both])),
        np.mean([_growth(x) for x in both], axis=0),
        np.mean([_slope(x) for x in both], axis=0),
    )


def _rms(parts: Sequence[Array]) -> float:
    return float(np.sqrt(np.mean([np.mean(x**2) for x in parts])))


def _growth(both: Tensions) -> Array:
    order = np.argsort(both.by_motor, axis=0)
    size = np.take_along_axis(np.abs(both.error), order, axis=0)
    part = len(size) // QUARTERS
    return np.asarray(np.mean(size[-part:], axis=0) / np.mean(size[:part], axis=0))


def _slope(both: Tensions) -> Array:
    t = both.by_motor - np.mean(both.by_motor, axis=0)
    return np.asarray(np.sum(-both.error * t, axis=0) / np.sum(t**2, axis=0))
