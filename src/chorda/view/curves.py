"""Curves through points: their length, and smooth ones where a rod or a tendon is known."""

import numpy as np
from scipy.interpolate import CubicSpline

from chorda.mechanics import Array

REFINEMENT = 5  # points on the curve for each that is known
ROW_REFINEMENT = 4  # the same, of a curve that moves
SMALLEST_GAP = 1e-9  # of the curve's length: nearer points count as one


def smooth(points: Array, refinement: int = REFINEMENT) -> Array:
    """A cubic spline through points (n, d), over the distance along them.

    >>> smooth(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), 2)[:, 0]
    array([0. , 0.5, 1. , 1.5, 2. ])
    """
    if len(points) < 3 or not np.isfinite(points).all():
        return points
    points = distinct(points)
    if len(points) < 3:
        return points
    length = arc_length(points)
    count = refinement * (len(length) - 1) + 1
    at = np.interp(np.arange(count) / refinement, np.arange(len(length)), length)
    return np.asarray(CubicSpline(length, points)(at))


def arc_length(points: Array) -> Array:
    """Distance (n) from the first of the points (n, d), along the lines between them."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def distinct(points: Array) -> Array:
    """Points (n, d) without those that repeat the one before."""
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return points[np.concatenate([[True], gaps > SMALLEST_GAP * gaps.sum()])]


def smoothing(points: Array) -> Array:
    """A matrix (m, k) that makes points on a smooth curve of points on it.

    The curve is a cubic spline over the distance along these points (k, 3); for others near them it
    is nearly that.

    >>> smoothing(np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]))[1].round(3)
    array([ 0.656,  0.438, -0.094])
    """
    count, length = len(points), arc_length(points)
    if count < 3:
        return np.eye(count)
    known = np.arange(count, dtype=float)
    if np.all(np.diff(length) > SMALLEST_GAP * length[-1]):
        known = length
    fine = np.arange(ROW_REFINEMENT * (count - 1) + 1) / ROW_REFINEMENT
    at = np.interp(fine, np.arange(count), known)
    return np.asarray(CubicSpline(known, np.eye(count))(at))
