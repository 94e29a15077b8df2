"""Differences of sixth order along a way, and rotations as vectors."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

STEP = 1e-2  # of a way that changes things by about one
OFFSETS = np.array([-3, -2, -1, 1, 2, 3])
FIRST = np.array([-1 / 60, 3 / 20, -3 / 4, 3 / 4, -3 / 20, 1 / 60])
SECOND = np.array([1 / 90, -3 / 20, 3 / 2, 3 / 2, -3 / 20, 1 / 90])
MIDDLE = -49 / 18


def slopes(way: Callable[[float], Any], step: float = STEP) -> Any:
    """d way / dt at t = 0."""
    return np.tensordot(FIRST, np.array([way(k * step) for k in OFFSETS]), 1) / step


def both_slopes(way: Callable[[float], Any], step: float = STEP) -> tuple[Any, Any]:
    """First and second derivative of a way at t = 0."""
    values = np.array([way(k * step) for k in OFFSETS])
    first = np.tensordot(FIRST, values, 1) / step
    second = (np.tensordot(SECOND, values, 1) + MIDDLE * np.asarray(way(0.0))) / step**2
    return first, second


def turned(axis: Any, angle: float) -> Any:
    """The rotation matrix of a turn about a unit axis, by Rodrigues' formula."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def rotation_vectors(R: Any, R0: Any) -> Any:
    """Vectors of the rotations (n) that lead from R0 to R, in the outer axes."""
    return Rotation.from_matrix(R @ np.swapaxes(R0, -1, -2)).as_rotvec()
