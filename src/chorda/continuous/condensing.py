"""The linear problem along the rod: segments condensed side by side, then a banded LU.

From dy_{j+1} = A_j dy_j + d_j each segment gives its end by its start. Solutions that grow along
the rod (short time steps) lose digits in a long segment, hence as many segments as keep the growth
in each below a bound.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from chorda.continuous.tendon_ends import Scales
from chorda.mechanics import Array

GROWTH_LIMIT = 1e6  # in a segment: ten digits are left
USUAL_SEGMENTS, MAX_SEGMENTS = 8, 64


@dataclass(frozen=True, eq=False)
class Tangent:
    """Derivatives: maps A (maps, n, n) from node to node, of the balance at the tip by the last
    node (6 + nt, n), of the first node by the unknowns at the base (n, 6 + nt)."""

    A: Array
    tip: Array
    base: Array


@dataclass(frozen=True, eq=False)
class Condensed:
    """Everything in the scaled state; the last segment is filled up with maps that change nothing.

    A (maps of a segment, segments, n, n); S likewise: from a segment's start to behind each map.
    """

    A: Array
    S: Array
    tip: Array
    base: Array
    lu: Array
    pivots: Array
    bandwidth: tuple[int, int]
    scales: Scales

    @property
    def segments(self) -> int:
        return self.A.shape[1]

    def solve(self, d: Array, tip: Array) -> tuple[Array, Array]:
        """Change of all nodes and of the unknowns at the base."""
        a, (K, M, n) = self.scales, self.A.shape[:3]
        J, m = len(d), self.base.shape[1]
        misses = np.zeros((M * K, n))
        np.divide(d, a.y, out=misses[:J])
        misses = misses.reshape(M, K, n)
        c = np.empty((K, M, n))
        c[0] = misses[:, 0]
        for k in range(1, K):
            np.matmul(self.A[k], c[k - 1][..., None], out=c[k][..., None])
            c[k] += misses[:, k]
        right = np.concatenate([-c[-1, :-1].ravel(), -(tip / a.tip + self.tip @ c[-1, -1])])
        start, _ = lapack.dgbtrs(self.lu, *self.bandwidth, right, self.pivots)
        starts = np.vstack([self.base @ start[:m], start[m:].reshape(-1, n)])
        c += np.matmul(self.S, starts[..., None])[..., 0]
        dy = np.vstack([starts[0], c.transpose(1, 0, 2).reshape(-1, n)[:J]])
        return dy * a.y, start[:m] * a.unknown


def condensed(tangent: Tangent, scales: Scales, segments: int) -> Condensed:
    """With so many segments, or with more where solutions grow."""
    a = scales
    maps = tangent.A * (a.y / a.y[:, None])
    tip = tangent.tip * (a.y / a.tip[:, None])
    base = tangent.base * (a.unknown / a.y[:, None])
    most = min(MAX_SEGMENTS, len(maps))
    segments = min(max(segments, USUAL_SEGMENTS), most)
    while True:
        A, S = _products(maps, segments)
        growth = float(np.max(np.abs(S)))
        if not growth > GROWTH_LIMIT or segments >= most:
            break
        needed = np.log(growth) * segments / np.log(GROWTH_LIMIT) if np.isfinite(growth) else most
        segments = int(min(most, max(segments + 1, np.ceil(needed))))
    bands, low, high = _banded(S[-1], base, tip)
    lu, pivots, _ = lapack.dgbtrf(bands, low, high)
    return Condensed(A, S, tip, base, lu, pivots, (low, high), scales)


def _products(maps: Array, segments: int) -> tuple[Array, Array]:
    J, n, _ = maps.shape
    K = -(-J // segments)
    M = -(-J // K)
    full = np.concatenate([maps, np.broadcast_to(np.eye(n), (M * K - J, n, n))])
    A = np.ascontiguousarray(full.reshape(M, K, n, n).transpose(1, 0, 2, 3))
    S = np.empty_like(A)
    S[0] = A[0]
    for k in range(1, K):
        np.matmul(A[k], S[k - 1], out=S[k])
    return A, S


def _banded(ends: Array, base: Array, tip: Array) -> tuple[Array, int, int]:
    """Segments meet, and the tip is in balance: unknowns at the base, then each start.

    In LAPACK's storage of bands, which stays in one thread and grows with the segments only.
    """
    M, n, m = len(ends), base.shape[0], base.shape[1]
    size = m + n * (M - 1)
    low, high = (2 * n - 1 - m, m + n - 1) if M > 1 else (m - 1, m - 1)
    bands = np.zeros((2 * low + high + 1, size))

    def put(row: int, column: int, block: Array) -> None:
        i = row + np.arange(block.shape[0])[:, None]
        j = column + np.arange(block.shape[1])
        bands[low + high + i - j, j] = block

    columns = [0, *range(m, size, n)]
    blocks = [ends[0] @ base, *ends[1:]]
    blocks[-1] = tip @ blocks[-1]
    for k, block in enumerate(blocks):
        put(k * n, columns[k], block)
    for k in range(M - 1):
        put(k * n, columns[k + 1], -np.eye(n))
    return bands, low, high
