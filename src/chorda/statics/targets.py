"""Rows of targets along a path: from where a robot is to where it shall be."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.statics.prescribed import AXES, Layout, set_to


def actual(system: System, layout: Layout, q: Array, tau: Array, p: Array) -> Array:
    """The row of targets that a configuration fulfils."""
    at = dict(zip(system.coordinate_names, q, strict=True))
    efforts = dict(zip(layout.actuated, tau, strict=True))
    _, p = set_to(system, layout, tau, np.zeros(system.nu), p)
    R, places = frame_poses(system, layout.frames, q[None], p)
    index = {frame: k for k, frame in enumerate(layout.frames)}
    return np.array(
        [
            *(at[name] for name in layout.held),
            *(efforts[name] for name in layout.efforts),
            *(places[0, index[frame], AXES.index(axis)] for frame, axis in layout.axes),
            *(x for frame in layout.turned for x in R[0, index[frame]].T.ravel()),
        ]
    )


def between(layout: Layout, start: Array, end: Array, shares: Array) -> Array:
    """Rows on the way from one to the other: straight, and rotations about one axis."""
    shares = np.asarray(shares, float)
    rows = start + shares[:, None] * (end - start)
    first = layout.targets - 9 * len(layout.turned)
    for k in range(first, layout.targets, 9):
        a, b = (x[k : k + 9].reshape(3, 3).T for x in (start, end))
        turn = Rotation.from_matrix(b @ a.T).as_rotvec()
        R = Rotation.from_rotvec(shares[:, None] * turn).as_matrix() @ a
        rows[:, k : k + 9] = R.transpose(0, 2, 1).reshape(-1, 9)
    return rows


def along(layout: Layout, values: Sequence[Array], start: Array, points: int) -> Array:
    """Rows of targets (n, targets): of series where any is given, else straight to the values.

    values: one or a series for each of the layout's parts.
    """
    lengths = {
        name: len(x)
        for name, x in zip(layout.parts, values, strict=True)
        if x.ndim == (3 if name.endswith(".rotation") else 1)
    }
    if not lengths:
        end = np.concatenate(
            [x.T.ravel() if x.ndim == 2 else np.atleast_1d(x) for x in values] or [np.zeros(0)]
        )
        if isinstance(points, bool) or not isinstance(points, Integral) or points < 1:
            raise InputError(f"points: expected a whole number of at least 1, got {points!r:.60}")
        return between(layout, start, end, np.linspace(0, 1, points + 1))
    n = next(iter(lengths.values()))
    for name, length in lengths.items():
        if length != n:
            raise InputError(f"{name}: expected as many values as the others, {n}, got {length}")
    columns = []
    for x in values:
        if x.ndim >= 2:
            matrices = np.broadcast_to(x, (n, 3, 3))
            columns.append(matrices.transpose(0, 2, 1).reshape(n, 9))
        else:
            columns.append(np.broadcast_to(x, (n,))[:, None])
    return np.hstack(columns)
