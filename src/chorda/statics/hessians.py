"""Hessians of the energy over the moves that closures allow, from Newton's matrices.

Where forces have no energy (following loads, moments about fixed axes), the stiffness is not
symmetric, and the linearised motion decides about stability.
"""

from dataclasses import replace

import numpy as np

from chorda.mechanics import Array
from chorda.mechanics.small_motions import inertia_and_damping
from chorda.numerics.linear_motion import SINGULAR, LinearMotion, linear_motion
from chorda.results.spectra import Kind, Spectra, row_scales, signs
from chorda.statics.problem import Problem, Rows
from chorda.statics.sticking import with_bristles
from chorda.statics.well_conditioned import well_conditioned

ASYMMETRIC = 1e-7  # of the largest entry, rows scaled alike: the forces have no energy
DEPENDENT = 1e-10  # of the largest singular value: closures that say the same
TAKES_PART = 1e-6  # of the largest entry of a direction


def free_moves(problem: Problem, kind: Kind) -> Rows:
    """Rows of v that move when the robot is disturbed.

    A motor that is wound to a given tension moves as that asks, and stiffens nothing.
    """
    moves = np.ones(problem.system.nv, bool)
    moves[problem.moved_rows if kind == "locked" else problem.winding_rows] = False
    return np.flatnonzero(moves)


def stiffnesses(problem: Problem, matrices: Array, kind: Kind) -> tuple[Array, Array, Rows]:
    """From matrices (n, nz, nz): the stiffness over the moves that are left (n, m, m), these as
    columns over the scaled free velocities (n, k, m), and the rows of v that are free."""
    system = problem.system
    nv, nc = system.nv, system.nc
    if not (finite := np.isfinite(matrices).all(axis=(1, 2), keepdims=True)).all():
        matrices = np.where(finite, matrices, 0.0)
    moves = free_moves(problem, kind)
    scale = system.scales[moves]
    T = np.broadcast_to(np.eye(len(moves)), (len(matrices), len(moves), len(moves)))
    if nc:
        T = null_spaces(matrices[:, nv : nv + nc, moves] * scale, system.constraints.rank)
    K = matrices[:, moves[:, None], moves] * (scale[:, None] * scale)
    return -T.transpose(0, 2, 1) @ (K @ T), T, moves


def _spread(problem: Problem, T: Array, moves: Rows) -> Array:
    """Moves T (n, k, m) over the scaled free velocities as columns over all velocities."""
    spread = np.zeros((len(T), problem.system.nv, T.shape[2]))
    spread[:, moves] = problem.system.scales[moves][:, None] * T
    return spread


def hessians(problem: Problem, matrices: Array, kind: Kind) -> tuple[Array, Array, Rows]:
    """As `stiffnesses`, the symmetric part."""
    K, T, moves = stiffnesses(problem, matrices, kind)
    return (K + K.transpose(0, 2, 1)) / 2, T, moves


def have_energy(K: Array) -> "np.typing.NDArray[np.bool_]":
    """Whether each stiffness (n, m, m) is symmetric, so that forces have an energy."""
    s, _ = row_scales(K)
    scaled = s[:, :, None] * K * s[:, None, :]
    odd = np.max(np.abs(scaled - scaled.transpose(0, 2, 1)) / 2, axis=(1, 2), initial=0.0)
    return np.asarray(odd <= ASYMMETRIC * np.max(np.abs(scaled), axis=(1, 2), initial=0.0))


def spectra(
    problem: Problem, X: Array, matrices: Array, kind: Kind, P: Array | None = None
) -> Spectra:
    """Stability from solutions X (n, nx) and Newton's matrices (n, nz, nz) there.

    P: rows of parameters (n, np) where they differ from the problem's.
    """
    finite = np.isfinite(matrices).all(axis=(1, 2))
    problem, X, matrices = well_conditioned(problem, X, matrices, P)
    matrices = with_bristles(problem, X, matrices, P)
    K, T, moves = stiffnesses(problem, matrices, kind)
    H = (K + K.transpose(0, 2, 1)) / 2
    negative, neutral, _ = signs(H)
    leading = np.full(len(K), complex("nan"))
    energy = have_energy(K)
    if any(x.rubbing is not None and x.rubbing.drags for x in problem.system.tendons.each):
        energy[:] = False  # viscous friction in sheaths may feed a motion
    for k in np.flatnonzero(~energy & finite).tolist():
        own = problem if P is None else replace(problem, p=P[k])
        found = motion(own, X[k], K[k], _spread(problem, T[k : k + 1], moves)[0])
        negative, neutral = negative.copy(), neutral.copy()
        negative[k], neutral[k], leading[k] = found.growing, found.neutral, found.leading
    K[~finite] = np.nan
    return Spectra.of(kind, K, negative, neutral, leading)


def motion(problem: Problem, x: Array, K: Array, moves: Array) -> LinearMotion:
    """The linearised motion about a state, over some moves (nv, m) with the stiffness K (m, m)."""
    system, given = problem.system, problem.prescription
    q, _, tau = problem.parts(x)
    pulled = tau[len(tau) - len(given.tensions) :]
    make = inertia_and_damping(system, given.tensions)
    M, D = (y.full() for y in make(q, *problem.inputs_and_parameters(tau), pulled))
    return linear_motion(K, moves.T @ D @ moves, moves.T @ M @ moves)


def neutral_names(
    problem: Problem, x: Array, matrix: Array, kind: Kind = "locked"
) -> tuple[str, ...]:
    """Coordinates that take part in moves which nothing resists."""
    problem, X, matrices = well_conditioned(problem, x[None], matrix[None])
    K, T, moves = stiffnesses(problem, with_bristles(problem, X, matrices), kind)
    along = T[0] @ _unresisted(K)
    along = along[:, np.any(along != 0, axis=0)]
    if not along.size:
        return ()
    sizes = np.max(np.abs(along) / np.max(np.abs(along), axis=0), axis=1)
    names = [name.removesuffix(".rate") for name, _ in problem.system.velocities]
    return tuple(names[k] for k in moves[sizes > TAKES_PART].tolist())


def _unresisted(K: Array) -> Array:
    """Of a stiffness (1, m, m) the moves that it leaves alone, as columns; others are zero."""
    if have_energy(K)[0]:
        return signs((K + K.transpose(0, 2, 1)) / 2)[2][0]
    s, resists = row_scales(K)
    scale = np.where(resists, s, 1.0)[0]
    _, sizes, moves = np.linalg.svd(scale[:, None] * K[0] * scale)
    return np.asarray(scale[:, None] * moves.T * (sizes <= SINGULAR * max(sizes[0], 1e-300)))


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
