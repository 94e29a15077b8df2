"""Prescribed poses of frames: how far frames are from them, and which of them say nothing.

What is left to turn is axis times 2 tan(angle / 2): zero at the target alone, and without bound
half a turn away, where the sine would be zero again.
"""

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array
from chorda.mechanics.prescription import AXES, ROTATION, Prescription

HALF_TURN = 1e-6  # 1 + cos of an angle below which the axis is not known
HALF_TURN_ERROR = 1e3  # what is left there
DEPENDENT = 1e-10  # of the largest singular value: rows that say the same


def pose_errors(given: Prescription, X: Any, V: Any, target: Any) -> tuple[list[Any], list[Any]]:
    """Errors of prescribed poses and their derivatives by v; X, V: of the frames as `statics`
    gives them; target: the part of a row that poses have."""
    frames = given.frames
    off, by_v, t = [], [], 0
    for frame, axis in given.positions:
        k, i = frames.index(frame), AXES.index(axis)
        off.append(X[9 + i, k] - target[t])
        by_v.append(V[6 * k + 3 + i, :])
        t += 1
    for frame in given.rotations:
        k = frames.index(frame)
        S = ca.reshape(X[:9, k], 3, 3) @ ca.reshape(target[t : t + 9], 3, 3).T
        w = ca.vertcat(S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]) / 2
        c = (1 + ca.trace(S)) / 2
        safe = ca.fmax(c, HALF_TURN)
        off.append(ca.if_else(c < HALF_TURN, HALF_TURN_ERROR * ca.DM([1, 0, 0]), 2 * w / safe))
        slope = (ca.trace(S) * ca.DM.eye(3) - S) / safe + 2 * w @ w.T / safe**2
        by_v.append(slope @ V[6 * k : 6 * k + 3, :])
        t += 9
    return off, by_v


def row_names(given: Prescription) -> list[str]:
    """A name for each row of `pose_errors`."""
    turns = [f"{frame}.{ROTATION}" for frame in given.rotations for _ in range(3)]
    return [*(f"{frame}.{axis}" for frame, axis in given.positions), *turns]


def idle(A: Array, rows: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
    """Of the named rows of a matrix, those that others say already, or that nothing moves."""
    size = np.max(np.abs(A), axis=1)
    still = [n for r, n in zip(rows, names, strict=True) if size[r] == 0]
    if still:
        return tuple(dict.fromkeys(still))
    U, values, _ = np.linalg.svd(A / np.where(size > 0, size, 1)[:, None])
    if values[-1] > DEPENDENT * values[0]:
        return ()
    share = np.abs(U[:, -1])
    return tuple(dict.fromkeys(n for r, n in zip(rows, names, strict=True) if share[r] > 1e-3))
