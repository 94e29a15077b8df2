"""Stability at rest: Hessians of the energy over the moves that closures allow.

Two, by what the motors do when the robot is disturbed: `locked` keeps what is actuated in its
place,
`constant efforts` lets it move against an effort that stays as it is [Briot2022, eqs. 54-59].
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from chorda.mechanics import Array
from chorda.statics.problem import Problem

Kind = Literal["locked", "constant efforts"]
KINDS: tuple[Kind, ...] = ("locked", "constant efforts")
ZERO = 1e-11  # of the largest eigenvalue: nothing pulls back, and nothing pushes away


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Of many configurations (rows): eigenvalues in ascending order, by coordinates in their
    scales."""

    kind: Kind
    eigenvalues: Array  # [J], (configurations, moves)
    modes: Array  # of the smallest eigenvalue (configurations, nv), largest entry 1 over scales

    @property
    def negative(self) -> "np.typing.NDArray[np.intp]":
        """How many eigenvalues are negative."""
        least = ZERO * np.max(np.abs(self.eigenvalues), axis=1, initial=0.0)
        return np.asarray(np.sum(self.eigenvalues < -least[:, None], axis=1))

    @property
    def stable(self) -> "np.typing.NDArray[np.bool_]":
        least = ZERO * np.max(np.abs(self.eigenvalues), axis=1, initial=0.0)
        return np.asarray(np.all(self.eigenvalues > least[:, None], axis=1))

    @property
    def margin(self) -> Array:
        """The smallest eigenvalue over the largest: 0 where stability is lost."""
        largest = np.max(np.abs(self.eigenvalues), axis=1, initial=0.0)
        smallest = self.eigenvalues[:, 0] if self.eigenvalues.shape[1] else np.ones(len(largest))
        return np.asarray(smallest / np.where(largest > 0, largest, 1.0))


def judge(problem: Problem, matrices: Array, kind: Kind) -> Verdicts:
    """Verdicts from Newton's matrices (configurations, nz, nz) at solutions."""
    system = problem.system
    nv, nc = system.nv, system.nc
    K, J = matrices[:, :nv, :nv], matrices[:, nv : nv + nc, :nv]
    moves = free_moves(problem, kind)
    scale = system.scales[moves]
    H = -K[:, moves][:, :, moves] * scale[:, None] * scale
    H = (H + H.transpose(0, 2, 1)) / 2
    T = np.broadcast_to(np.eye(len(moves)), H.shape)
    if nc:
        T = _null(J[:, :, moves] * scale)
        H = T.transpose(0, 2, 1) @ H @ T
    values, vectors = np.linalg.eigh(H)
    modes = np.zeros((len(H), nv))
    if values.shape[1]:
        least = (T @ vectors[:, :, :1])[:, :, 0]
        least = least / np.max(np.abs(least), axis=1, keepdims=True)
        modes[:, moves] = least * scale
    return Verdicts(kind, values, modes)


def free_moves(problem: Problem, kind: Kind) -> "np.typing.NDArray[np.intp]":
    """Rows of v that move when the robot is disturbed."""
    everything = np.arange(problem.system.nv)
    if kind == "constant efforts":
        return everything
    return np.setdiff1d(everything, problem.actuated)


def _null(J: Array) -> Array:
    """Directions across the rows of each J (configurations, nc, n); closures that say the same
    count
    once, in all configurations."""
    rank = int(np.max(np.linalg.matrix_rank(J, tol=1e-10), initial=0))
    if rank == J.shape[1]:
        Q = np.linalg.qr(J.transpose(0, 2, 1), mode="complete")[0]
    else:
        Q = np.linalg.svd(J)[2].transpose(0, 2, 1)
    return np.asarray(Q[:, :, rank:])
