"""Along the rods of an assembly: pose and wrench at nodes, and how deviations run between them.

State of a rod at a node: rotation R, position p in the world, internal moment m and force n in
local axes. Deviations are (turn, shift, dm, dn) in local axes. Leading axes of all arrays are the
nodes and the rods, so that every piece of every rod is integrated at once. Wrenches, not strains,
are the state: strains that do not occur have no compliance, and need no stiffness without bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from chorda.continuous.rod_constants import TANGENT, rod_constants
from chorda.describe import STRAINS, Rod
from chorda.mechanics import Array

Indices = npt.NDArray[np.integer[Any]]
# v -> its cross-product matrix, as 9 numbers
_CROSS = np.cross(np.eye(3), np.eye(3)[:, None]).reshape(3, 9)


@dataclass(frozen=True, eq=False)
class Rods:
    """Rods side by side: length (n); stiffness and compliance (n, 6); weight (n, 3) [N/m].

    The compliance is zero for strains that do not occur. rest (degree + 1, n, 6): coefficients of
    the strains without load over the fraction of the length, the unit tangent included.
    """

    names: tuple[str, ...]
    length: Array
    stiffness: Array
    compliance: Array
    rest: Array
    weight: Array

    def __len__(self) -> int:
        return len(self.names)

    @staticmethod
    def of(rods: Sequence[Rod], gravity: Sequence[float]) -> "Rods":
        each = [rod_constants(rod) for rod in rods]
        stiffness = np.array([x.stiffness for x in each])
        occurs = np.array([[getattr(rod.modes, x) > 0 for x in STRAINS] for rod in rods])
        rest = np.zeros((max(len(x.rest) for x in each), len(rods), 6))
        for i, x in enumerate(each):
            rest[: len(x.rest), i] = x.rest
        rest[0] += TANGENT
        return Rods(
            names=tuple(rod.name for rod in rods),
            length=np.array([x.length for x in each]),
            stiffness=stiffness,
            compliance=occurs / stiffness,
            rest=rest,
            weight=np.outer([x.mass for x in each], gravity),
        )

    def rest_at(self, fraction: Array) -> Array:
        """Strains without load (..., n, 6) at fractions (...) of the lengths."""
        return np.tensordot(fraction[..., None] ** np.arange(len(self.rest)), self.rest, 1)

    def strains(self, rest: Array, m: Array, n: Array) -> Array:
        """(..., n, 6) from moment and force in local axes."""
        return rest + self.compliance * np.concatenate([m, n], axis=-1)


@dataclass(frozen=True, eq=False)
class Nodes:
    """States at fractions (k) of the lengths: R (k, n, 3, 3), p, m, n (k, n, 3)."""

    fraction: Array
    R: Array
    p: Array
    m: Array
    n: Array

    @property
    def wrench(self) -> Array:
        """Moment and force in world axes (k, n, 6)."""
        turned = [(self.R @ x[..., None])[..., 0] for x in (self.m, self.n)]
        return np.concatenate(turned, axis=-1)

    def at(self, chosen: Indices | slice) -> "Nodes":
        return Nodes(*(x[chosen] for x in (self.fraction, self.R, self.p, self.m, self.n)))

    def moved(self, d: Array) -> "Nodes":
        """After deviations (k, n, 12)."""
        turn = Rotation.from_rotvec(d[..., :3].reshape(-1, 3)).as_matrix().reshape(self.R.shape)
        p = self.p + (self.R @ d[..., 3:6, None])[..., 0]
        return Nodes(self.fraction, self.R @ turn, p, self.m + d[..., 6:9], self.n + d[..., 9:])

    def gaps(self, ends: "Nodes") -> Array:
        """Deviations (k, n, 12) of the ends of pieces from these nodes, where they should be."""
        back = np.swapaxes(self.R, -1, -2)
        T = back @ ends.R
        turn = np.stack([T[..., 2, 1], T[..., 0, 2], T[..., 1, 0]], axis=-1)
        turn -= np.stack([T[..., 1, 2], T[..., 2, 0], T[..., 0, 1]], axis=-1)
        shift = (back @ (ends.p - self.p)[..., None])[..., 0]
        return np.concatenate([turn / 2, shift, ends.m - self.m, ends.n - self.n], axis=-1)

    @property
    def to_world(self) -> Array:
        """Deviations in local axes to (turn, shift, change of moment and force) in world axes, the
        moment's in axes half way through the turn (k, n, 12, 12)."""
        T = np.zeros((*self.m.shape[:-1], 12, 12))
        for i in range(4):
            T[..., 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = self.R
        T[..., 6:9, 0:3] = -self.R @ cross_matrix(self.m) / 2
        T[..., 9:12, 0:3] = -self.R @ cross_matrix(self.n)
        return T


@dataclass(frozen=True, eq=False)
class Pieces:
    """Where pieces end that start at nodes; flow (k, n, 12, 12) of deviations; energy (k, n)."""

    ends: Nodes
    flow: Array
    energy: Array


Scheme = Callable[[Rods, Nodes, Array], Pieces]  # from nodes, over fractions h (k)


def cross_matrix(v: Array) -> Array:
    """(..., 3) -> (..., 3, 3)."""
    return (v @ _CROSS).reshape(*v.shape, 3)


def integrated(scheme: Scheme, rods: Rods, R: Array, p: Array, wrench: Array, steps: int) -> Nodes:
    """Nodes from the bases R (n, 3, 3), p (n, 3) and local wrenches (n, 6) there, one by one."""
    fraction = np.linspace(0, 1, steps + 1)
    nodes = [Nodes(fraction[:1], R[None], p[None], wrench[None, :, :3], wrench[None, :, 3:])]
    for h in np.diff(fraction):
        nodes.append(scheme(rods, nodes[-1], np.array([h])).ends)
    each = [np.concatenate([getattr(x, k) for x in nodes]) for k in ("R", "p", "m", "n")]
    return Nodes(fraction, *each)


def resampled(
    scheme: Scheme, rods: Rods, nodes: Nodes, fraction: Array
) -> tuple[Nodes, Indices, Array]:
    """States at other fractions, each from the node before it; that node, and the flow from it."""
    before = np.searchsorted(nodes.fraction, fraction, "right") - 1
    before = np.clip(before, 0, len(nodes.fraction) - 1)
    start = nodes.at(before)
    pieces = scheme(rods, start, fraction - start.fraction)
    return pieces.ends, before, pieces.flow
