"""Hessians of the energy over the moves that closures allow, from Newton's matrices."""

import numpy as np

from chorda.mechanics import Array
from chorda.results.spectra import Kind, Spectra, signs
from chorda.statics.problem import Problem, Rows

DEPENDENT = 1e-10  # of the largest singular value: closures that say the same
TAKES_PART = 1e-6  # of the largest entry of a direction


def free_moves(problem: Problem, kind: Kind) -> Rows:
    """Rows of v that move when the robot is disturbed.

    A motor that is wound to a given tension moves as that asks, and stiffens nothing.
    """
    still = problem.moved_rows if kind == "locked" else problem.winding_rows
    return np.setdiff1d(np.arange(problem.system.nv), still)


def hessians(problem: Problem, matrices: Array, kind: Kind) -> tuple[Array, Array, Rows]:
    """From matrices (n, nz, nz): H over the moves that are left (n, m, m), these as columns over
    the scaled free velocities (n, k, m), and the rows of v that are free."""
    system = problem.system
    nv, nc = system.nv, system.nc
    matrices = np.where(np.isfinite(matrices).all(axis=(1, 2), keepdims=True), matrices, 0.0)
    moves = free_moves(problem, kind)
    scale = system.scales[moves]
    T = np.broadcast_to(np.eye(len(moves)), (len(matrices), len(moves), len(moves)))
    if nc:
        T = null_spaces(matrices[:, nv : nv + nc, moves] * scale, system.constraints.rank)
    spread = np.zeros((len(matrices), nv, T.shape[2]))
    spread[:, moves] = scale[:, None] * T
    H = -spread.transpose(0, 2, 1) @ (matrices[:, :nv, :nv] @ spread)
    H = (H + H.transpose(0, 2, 1)) / 2
    return H, T, moves


def spectra(problem: Problem, matrices: Array, kind: Kind) -> Spectra:
    """Stability from Newton's matrices (n, nz, nz) at solutions; eigenvalues are NaN where a solver
    failed so far away that its matrix is not finite."""
    H, _, _ = hessians(problem, matrices, kind)
    negative, neutral, _ = signs(H)
    values = np.asarray(np.linalg.eigvalsh(H), float)
    values[~np.isfinite(matrices).all(axis=(1, 2))] = np.nan
    return Spectra(kind, values, negative, neutral)


def neutral_names(problem: Problem, matrix: Array, kind: Kind = "locked") -> tuple[str, ...]:
    """Coordinates that take part in moves which nothing resists."""
    H, T, moves = hessians(problem, matrix[None], kind)
    along = T[0] @ signs(H)[2][0]
    along = along[:, np.any(along != 0, axis=0)]
    if not along.size:
        return ()
    sizes = np.max(np.abs(along) / np.max(np.abs(along), axis=0), axis=1)
    names = [name.removesuffix(".rate") for name, _ in problem.system.velocities]
    return tuple(names[k] for k in moves[sizes > TAKES_PART].tolist())


def null_spaces(J: Array, most: int) -> Array:
    """Directions across the rows of each J (n, nc, k), of which at most so many are independent;
    closures that say the same count once, in all configurations."""
    Q, R = np.linalg.qr(J.transpose(0, 2, 1), mode="complete")  # R is as singular as J
    rank = min(
        most, int(np.max(np.linalg.matrix_rank(R[:, : J.shape[1]], tol=DEPENDENT), initial=0))
    )
    if rank < J.shape[1]:
        Q = np.linalg.svd(J)[2].transpose(0, 2, 1)
    return np.asarray(Q[:, :, rank:])
