"""How the parts of a shape move: rigid ones as a whole, rods and tendons ring by ring."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array

STILL = 1e-9  # [m, or of a quaternion] what changes less does not move
FLAT = 1e-6  # of the largest extent: what is thinner has no orientation about its line


@dataclass(frozen=True, eq=False)
class Poses:
    """Of k nodes at n times: origins (n, k, 3) [m], and turns (n, k, 4) as quaternions (x, y, z, w)
    from the first time on. rings: how many corners of the mesh go with each node, in order; none:
    all of them with the only one."""

    origins: Array
    turns: Array
    ring_of: Array | None = None

    @property
    def moves(self) -> npt.NDArray[np.bool_]:
        """Which nodes move or turn (k, 2)."""
        both = [np.ptp(x, axis=0).max(axis=1, initial=0.0) for x in (self.origins, self.turns)]
        return np.asarray(np.column_stack(both) > STILL)


def rigid(points: Array) -> Poses:
    """The motion of a rigid body, some points (n, k, 3) of which are known."""
    origin = points.mean(axis=1)
    away = points - origin[:, None]
    size = np.linalg.svd(away[0], compute_uv=False)
    if size[0] < STILL:
        turns = np.tile([0.0, 0.0, 0.0, 1.0], (len(points), 1))
    elif len(size) < 2 or size[1] < FLAT * size[0]:
        far = int(np.argmax(np.linalg.norm(away[0], axis=1)))
        turns = shortest_turns(away[:, far])
    else:
        turns = _quaternions(_fitted(away))
    return Poses(origin[:, None], turns[:, None])


def along(paths: Array, ring_of: Array) -> Poses:
    """The motion of a tube: rings at points of a curve (n, k, 3), across its tangents."""
    tangents = np.array([tangents_of(path) for path in paths])
    turns = np.stack([shortest_turns(tangents[:, k]) for k in range(tangents.shape[1])], axis=1)
    return Poses(paths, turns, ring_of)


def tangents_of(path: Array) -> Array:
    """Unit vectors along a curve (k, 3); points may repeat."""
    steps = np.diff(path, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    good = np.flatnonzero(lengths > STILL)
    if not len(good):
        return np.tile([1.0, 0.0, 0.0], (len(path), 1))
    near = good[np.argmin(np.abs(np.arange(len(steps))[:, None] - good), axis=1)]
    units = steps[near] / lengths[near][:, None]
    mean = np.vstack([units[:1], units[:-1] + units[1:], units[-1:]])
    short = np.linalg.norm(mean, axis=1) < FLAT  # the curve turns back
    mean[short] = np.vstack([units, units[-1:]])[short]
    return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True))


def shortest_turns(vectors: Array) -> Array:
    """Quaternions (n, 4) of the shortest turns from the first of vectors (n, 3) to each, along the
    motion: none is more than half a turn from the one before."""
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    out = np.tile([0.0, 0.0, 0.0, 1.0], (len(units), 1))
    for k in range(1, len(units)):
        a, b = units[k - 1], units[k]
        step = np.array([*np.cross(a, b), 1 + a @ b])
        if step @ step < 1e-12:  # half a turn about any axis across
            step = np.array([*np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))]), 0.0])
        out[k] = _product(step / np.linalg.norm(step), out[k - 1])
        out[k] /= np.linalg.norm(out[k])
    return out


def _product(p: Array, q: Array) -> Array:
    """The turn q, then p."""
    v = p[3] * q[:3] + q[3] * p[:3] + np.cross(p[:3], q[:3])
    return np.array([*v, p[3] * q[3] - p[:3] @ q[:3]])


def _fitted(away: Array) -> Array:
    """Rotations (n, 3, 3) that take the first points (n, k, 3) to those of each time, in the sense
    of least squares [Kabsch's algorithm]."""
    U, _, Vt = np.linalg.svd(np.einsum("ki,nkj->nij", away[0], away))
    sign = np.sign(np.linalg.det(np.einsum("nij,njk->nik", U, Vt)))
    flip = np.stack([np.ones_like(sign), np.ones_like(sign), sign], axis=1)
    return np.asarray(np.einsum("nji,nj,nkj->nik", Vt, flip, U))


def _quaternions(R: Array) -> Array:
    """Of rotations (n, 3, 3), as (x, y, z, w), without jumps of sign."""
    from scipy.spatial.transform import Rotation

    found = Rotation.from_matrix(R).as_quat()
    for k in range(1, len(found)):
        if found[k] @ found[k - 1] < 0:
            found[k] *= -1
    return np.asarray(found)
