"""Directions along which nothing pulls a configuration back: Newton's step beside them, and their
names.

A matrix is scaled by its own rows first, so that metres, radians and the force of closures weigh
alike: what is then zero to rounding is neutral. Scaling on both sides keeps the eigenvalues' signs.
"""

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array, System

Rows = npt.NDArray[np.intp]
NOTHING = 1e-11  # of the largest singular value, after scaling
SHARE = 1e-6  # of the largest entry of a direction: smaller ones do not take part in it


def _scales(A: Array) -> Array:
    rows = np.max(np.abs(A), axis=1, initial=0.0)
    largest = float(np.max(rows, initial=0.0))
    return np.where(rows > 1e-14 * largest, 1 / np.sqrt(np.maximum(rows, 1e-300)), 0.0)


def shortest_step(A: Array, r: Array) -> Array:
    """d with A d = -r as nearly as can be, and nothing along neutral directions."""
    s = _scales(A)
    d = np.linalg.lstsq(s[:, None] * A * s, -s * r, rcond=NOTHING)[0]
    return np.asarray(s * d, float)


def signs(H: Array) -> tuple[int, Array]:
    """How many eigenvalues of a Hessian are negative, and its neutral directions as columns."""
    H = (H + H.T) / 2
    s = _scales(H)
    values, vectors = np.linalg.eigh(s[:, None] * H * s)
    small = NOTHING * float(np.max(np.abs(values), initial=0.0))
    neutral = np.abs(values) <= small
    free = np.where(s > 0, s, 1.0)  # a row of zeros is neutral by itself
    return int(np.sum(values < -small)), free[:, None] * vectors[:, neutral]


def taking_part(system: System, rows: Rows, directions: Array) -> tuple[str, ...]:
    """Names of the velocities (rows of v) that move along any of the directions."""
    if not directions.size:
        return ()
    sizes = np.abs(directions) / np.max(np.abs(directions), axis=0)
    moving = np.max(sizes, axis=1) > SHARE
    return tuple(system.velocities[i][0].removesuffix(".rate") for i in rows[moving].tolist())
