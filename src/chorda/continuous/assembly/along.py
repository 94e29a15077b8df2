"""Along the rods: pose and wrench at nodes, and how deviations run from one to the next.

State of a rod at a node: rotation R, position p in the world, internal moment m and force n in
local axes. Deviations are (turn, shift, dm, dn) in local axes. Leading axes of all arrays are the
nodes and the rods, so that every piece of every rod is integrated at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from chorda.continuous.assembly.structure import Fibre
from chorda.mechanics import Array

Places = npt.NDArray[np.integer[Any]]
# v -> its cross-product matrix, as 9 numbers
_CROSS = np.array(
    [
        [0, 0, 0, 0, 0, -1, 0, 1, 0],
        [0, 0, 1, 0, 0, 0, -1, 0, 0],
        [0, -1, 0, 1, 0, 0, 0, 0, 0],
    ],
    float,
)


@dataclass(frozen=True, eq=False)
class Bundle:
    """Rods side by side: length (n), compliance (n, 6), weight (n, 3)."""

    fibres: tuple[Fibre, ...]
    length: Array
    compliance: Array
    weight: Array

    @staticmethod
    def of(fibres: Sequence[Fibre]) -> "Bundle":
        return Bundle(
            tuple(fibres),
            np.array([f.length for f in fibres]),
            np.array([f.compliance for f in fibres]),
            np.array([f.weight for f in fibres]),
        )

    def rest(self, share: Array) -> Array:
        """Strains without load (..., n, 6) at shares (...)."""
        return np.stack([f.rest_at(share) for f in self.fibres], axis=-2)

    def strains(self, rest: Array, m: Array, n: Array) -> Array:
        """(..., n, 6) from moment and force in local axes."""
        return rest + self.compliance * np.concatenate([m, n], axis=-1)


@dataclass(frozen=True, eq=False)
class Nodes:
    """States at shares (k) of the lengths: R (k, n, 3, 3), p, m, n (k, n, 3)."""

    share: Array
    R: Array
    p: Array
    m: Array
    n: Array

    @property
    def wrench(self) -> Array:
        """Moment and force in world axes (k, n, 6)."""
        turned = [(self.R @ x[..., None])[..., 0] for x in (self.m, self.n)]
        return np.concatenate(turned, axis=-1)

    def at(self, chosen: Places | slice) -> "Nodes":
        return Nodes(*(x[chosen] for x in (self.share, self.R, self.p, self.m, self.n)))

    def moved(self, d: Array) -> "Nodes":
        """After deviations (k, n, 12)."""
        turn = Rotation.from_rotvec(d[..., :3].reshape(-1, 3)).as_matrix().reshape(self.R.shape)
        p = self.p + (self.R @ d[..., 3:6, None])[..., 0]
        return Nodes(self.share, self.R @ turn, p, self.m + d[..., 6:9], self.n + d[..., 9:])


@dataclass(frozen=True, eq=False)
class Pieces:
    """Where pieces end that start at nodes; flow (k, n, 12, 12) of deviations; energy (k, n)."""

    ends: Nodes
    flow: Array
    energy: Array


Scheme = Callable[[Bundle, Nodes, Array], Pieces]  # from nodes, over shares h (k)


def cross_matrix(v: Array) -> Array:
    """(..., 3) -> (..., 3, 3)."""
    return (v @ _CROSS).reshape(*v.shape, 3)


def gaps(ends: Nodes, nodes: Nodes) -> Array:
    """Deviations (k, n, 12) of the ends of pieces from the nodes where they should be."""
    back = np.swapaxes(nodes.R, -1, -2)
    T = back @ ends.R
    turn = np.stack([T[..., 2, 1], T[..., 0, 2], T[..., 1, 0]], axis=-1)
    turn -= np.stack([T[..., 1, 2], T[..., 2, 0], T[..., 0, 1]], axis=-1)
    shift = (back @ (ends.p - nodes.p)[..., None])[..., 0]
    return np.concatenate([turn / 2, shift, ends.m - nodes.m, ends.n - nodes.n], axis=-1)


def march(scheme: Scheme, bundle: Bundle, R: Array, p: Array, wrench: Array, steps: int) -> Nodes:
    """Nodes from the bases R (n, 3, 3), p (n, 3) and local wrenches (n, 6) there, one by one."""
    share = np.linspace(0, 1, steps + 1)
    first = (share[:1], R[None], p[None], wrench[None, :, :3], wrench[None, :, 3:])
    nodes = [Nodes(*first)]
    for h in np.diff(share):
        nodes.append(scheme(bundle, nodes[-1], np.array([h])).ends)
    return Nodes(
        share, *(np.concatenate([getattr(x, k) for x in nodes]) for k in ("R", "p", "m", "n"))
    )


def resampled(
    scheme: Scheme, bundle: Bundle, nodes: Nodes, share: Array
) -> tuple[Nodes, Places, Array]:
    """States at other shares, each from the node before it; that node, and the flow from it."""
    before = np.clip(np.searchsorted(nodes.share, share, "right") - 1, 0, len(nodes.share) - 1)
    start = nodes.at(before)
    pieces = scheme(bundle, start, share - start.share)
    return pieces.ends, before, pieces.flow
