"""Smooth curves through the few places at which a rod or a tendon is known."""

import numpy as np

from chorda.mechanics import Array

FINER = 5  # places on the curve for each that is known
APART = 1e-9  # of the curve's length: nearer ones count as one


def smooth(points: Array, finer: int = FINER) -> Array:
    """A cubic spline through points (n, d), over the distance along them.

    >>> smooth(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), 2)[:, 0]
    array([0. , 0.5, 1. , 1.5, 2. ])
    """
    from scipy.interpolate import CubicSpline

    if len(points) < 3 or not np.isfinite(points).all():
        return points
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    kept = np.concatenate([[True], gaps > APART * gaps.sum()])
    points = points[kept]
    if len(points) < 3:
        return points
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    count = finer * (len(way) - 1) + 1
    at = np.interp(np.arange(count) / finer, np.arange(len(way)), way)
    return np.asarray(CubicSpline(way, points)(at))
