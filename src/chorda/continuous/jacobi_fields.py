"""Jacobi fields of an assembly: deviations in balance at the tips, along the rods.

Such fields form a Lagrangian plane (X moves, Y wrenches). As unitary matrices
W = (X + i Y)(X + i Y)^T planes have eigenvalues on the circle, which pass -1, where X is singular,
in one direction only. Their winding counts them, double ones too. Everything is in units: lengths
of the rods, and their own forces.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.linalg import null_space

from chorda.continuous.along_rods import resampled
from chorda.continuous.continuous_results import AssemblyEquilibrium
from chorda.errors import InputError
from chorda.mechanics import Array

RANK_TOLERANCE = 1e-9  # of singular values: what counts as zero
AT_MINUS_ONE = 1e-7  # [rad] what counts as an eigenvalue of -1
DIVISIONS, DEPTH = 10, 4  # how often, and how many times over, the span of a point is divided


def tip_plane(solution: AssemblyEquilibrium) -> tuple[Array, int]:
    """Moves X and changes Y of the tips' wrenches that all behind the tips leaves in balance, as an
    orthonormal basis (2 n, n); and in how many directions the energy falls with all rods clamped.
    """
    equations, parts = solution.equations, solution.evaluation.parts
    s, tips, pick = equations.structure, equations.wrenches, equations.all_moves
    L, units = s.length_scale, s.move_units
    gaps = np.array([L if x.rpartition(".")[2] in "xyz" else 1.0 for x in equations.rigid.rows])
    K = parts.K[np.ix_(pick, pick)] * np.outer(units, units) / (s.force_scale * L)
    K = (K + K.T) / 2
    J = parts.J[:, pick] * units / gaps[:, None]
    still = [*s.upstream, *equations.prescription.actuated]
    behind = [tips + k for k, name in enumerate(s.moves) if name not in still]
    moves = [*range(tips), *behind]
    # (X, moves behind, multipliers): closures hold, and what is behind is in balance
    rows = np.block(
        [[J[:, moves], np.zeros((len(J), len(J)))], [K[np.ix_(behind, moves)], J[:, behind].T]]
    )
    N = null_space(rows, rcond=RANK_TOLERANCE) if len(rows) else np.eye(tips)
    Y = -(K[np.ix_(range(tips), moves)] @ N[: len(moves)] + J[:, :tips].T @ N[len(moves) :])
    alone = null_space(J[:, behind], rcond=RANK_TOLERANCE) if len(J) else np.eye(len(behind))
    return _basis(N[:tips], Y), negative(alone.T @ K[np.ix_(behind, behind)] @ alone)


def negative(H: Array) -> int:
    """Eigenvalues of a Hessian below zero."""
    if not H.size:
        return 0
    values = np.linalg.eigvalsh((H + H.T) / 2)
    return int(np.sum(values < -RANK_TOLERANCE * np.max(np.abs(values))))


def _basis(X: Array, Y: Array) -> Array:
    """Of a plane, orthonormal (2 n, n)."""
    U, sizes, _ = np.linalg.svd(np.vstack([X, Y]), full_matrices=False)
    n, found = len(X), int(np.sum(sizes > RANK_TOLERANCE * sizes[0]))
    if found != n:
        raise InputError(
            f"solution: expected {n} independent ways to move or load the tips, got {found}: "
            "closures hold something twice, or something behind the tips is loose; take such "
            "closures away, or hold what is loose"
        )
    return np.asarray(U[:, :n])


@dataclass(frozen=True, eq=False)
class FieldPath:
    """Planes at falling fractions (k) of the lengths: frames (2 n, n) in units, carried over, so
    that their determinants have one sign; angles (k, n) of the unitary matrices; turns between them
    (k - 1), all eigenvalues together; fastest: the largest turn of one eigenvalue [rad]."""

    fraction: Array
    frames: list[Array]
    angles: Array
    turns: list[float]
    fastest: float

    def passed(self, k: int) -> int:
        """How many eigenvalues pass -1 between k and k + 1; those at -1 at the tips have passed it
        as soon as rods have a length."""
        start = self.angles[k]
        if self.fraction[k] == 1:
            start = np.where(np.pi - np.abs(start) < AT_MINUS_ONE, -np.pi, start)
        return round((self.turns[k] + start.sum() - self.angles[k + 1].sum()) / (2 * np.pi))


class JacobiFields:
    """Planes along the rods, from the one at the tips."""

    def __init__(self, solution: AssemblyEquilibrium, tips: Array) -> None:
        self.equations, self.nodes = solution.equations, solution.nodes
        self.flow = solution.evaluation.flow
        # the plane at the bases, in local axes
        self.base = np.linalg.solve(self._transfer(np.ones(1))[0], tips)

    def path(self, fraction: Array) -> FieldPath:
        frames = list(self._transfer(fraction) @ self.base)
        W = [_unitary(frame) for frame in frames]
        turns = [np.angle(np.linalg.eigvals(b @ a.conj().T)) for a, b in pairwise(W)]
        angles = np.array([np.sort(np.angle(np.linalg.eigvals(w))) for w in W])
        fastest = max((float(np.max(np.abs(x))) for x in turns), default=0.0)
        return FieldPath(fraction, frames, angles, [float(x.sum()) for x in turns], fastest)

    def _transfer(self, fraction: Array) -> Array:
        """Deviations at the bases (local) to moves and wrenches of all rods at fractions."""
        eq = self.equations
        n, m, tips = len(eq.rods), len(eq.kept), slice(0, eq.wrenches)
        nodes, before, flow = resampled(eq.scheme, eq.rods, self.nodes, fraction)
        flow = nodes.to_world @ flow @ self.flow[before]
        both = np.array([*eq.kept, *(6 + eq.kept)])
        own = flow[..., both[:, None], both].reshape(-1, n, 2, m, 2, m)
        # moves of all rods, then wrenches of all; no rod moves another one
        T = np.einsum("fiakbl,ij->faikbjl", own, np.eye(n)).reshape(-1, 2 * n * m, 2 * n * m)
        # units of moves and wrenches: their products are all the same
        units = np.concatenate([eq.structure.move_units[tips], eq.force_units[tips]])
        return np.asarray(T / units[:, None])

    def located(self, high: float, low: float, count: int, depth: int = DEPTH) -> list[float]:
        """Fractions of so many conjugate points between two, by dividing the span."""
        middle = (high + low) / 2
        if depth == 0 or count <= 0:
            return [middle] * max(count, 0)
        path = self.path(np.linspace(high, low, DIVISIONS + 1))
        found: list[float] = []
        for k, (high, low) in enumerate(pairwise(path.fraction.tolist())):
            found += self.located(high, low, path.passed(k), depth - 1)
        return found if len(found) == count else [middle] * count


def _unitary(frame: Array) -> Array:
    Q = np.linalg.qr(frame)[0]
    n = len(Q) // 2
    U = Q[:n] + 1j * Q[n:]
    return np.asarray(U @ U.T)
