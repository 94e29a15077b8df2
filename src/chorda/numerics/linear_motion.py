"""The eigenvalues of a linear motion M a + D v + K x = 0 whose stiffness is not symmetric.

Everything is scaled so that the slowest vibrations are about 1: they decide, and rounding leaves
them alone. How far an eigenvalue is trusted falls with its distance from there, on both sides.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Complex = npt.NDArray[np.complex128]

GROWTH = 1e-8  # of an eigenvalue: its real part from which on it grows
FAST, SLOW = 1e-13, 1e-14  # what rounding adds to that, times and over the eigenvalue squared
NO_DAMPING = 1e-14  # of the largest entry of a scaled matrix
SINGULAR = 1e-11  # of the largest singular value
REAL = 1e-6  # of an eigenvalue: an imaginary part that is none
TRUSTED = 1e-3  # of an eigenvalue: what rounding may add to one that leads


@dataclass(frozen=True, eq=False)
class LinearMotion:
    """What becomes of a small deviation.

    growing: how many eigenvalues grow; neutral: how many directions K leaves alone; leading: the
    eigenvalue [1/s] that grows fastest, or fades slowest; mode: how the coordinates move with it.
    """

    growing: int
    neutral: int
    leading: complex
    mode: Complex


def linear_motion(K: Array, D: Array, M: Array) -> LinearMotion:
    """Eigenvalues of M a + D v + K x = 0, matrices (m, m); M may be singular."""
    m = len(K)
    if not m:
        return LinearMotion(0, 0, 0j, np.zeros(0, complex))
    rows = np.max(np.abs(K), axis=1)
    resists = rows > NO_DAMPING * np.max(rows)
    s = np.where(resists, 1 / np.sqrt(np.where(resists, rows, 1.0)), 0.0)
    inertia = float(np.max(s**2 * np.diag(M), initial=0.0))
    inertia = inertia if inertia > 0 else 1.0
    loose = np.sqrt(inertia / np.where(np.diag(M) > 0, np.diag(M), inertia))
    s = np.where(resists, s, loose)
    K, D, M = (s[:, None] * x * s for x in (K, D, M))
    unit = max(float(np.linalg.norm(M, 2)), 1e-300) ** 0.5  # [s]
    M, D = M / unit**2, D / unit
    sizes = np.linalg.svd(K, compute_uv=False)
    neutral = int(np.sum(sizes <= SINGULAR * max(sizes[0], 1e-300)))
    values, vectors = _eigenvalues(K, D, M)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        square = np.abs(values) ** 2
        doubt = GROWTH + FAST * square + SLOW / square
        grows = values.real > doubt * np.abs(values)
        known = np.isfinite(values) & (doubt < TRUSTED)
        fading = known & (np.abs(values.real) > doubt * np.abs(values))
    if not known.any():
        return LinearMotion(0, neutral, 0j, np.zeros(m, complex))
    if grows.any():
        k = int(np.argmax(np.where(grows, values.real, -np.inf)))
    elif fading.any():
        k = int(np.argmax(np.where(fading, values.real, -np.inf)))
    else:  # nothing fades: the slowest
        k = int(np.argmin(np.where(known, square, np.inf)))
    at = values[k]
    real = at.real if abs(at.real) > doubt[k] * abs(at) else 0.0
    imag = at.imag if abs(at.imag) > REAL * abs(at) else 0.0
    return LinearMotion(int(np.sum(grows)), neutral, complex(real, imag) / unit, s * vectors[:, k])


def _eigenvalues(K: Array, D: Array, M: Array) -> tuple[Complex, Complex]:
    """Eigenvalues with their moves as columns; without damping, of each pair the one that does not
    fade."""
    from scipy.linalg import eig

    m = len(K)
    with np.errstate(divide="ignore", invalid="ignore"):
        if np.max(np.abs(D)) <= NO_DAMPING:
            (a, b), vectors = eig(K, M, homogeneous_eigvals=True)
            return np.sqrt(-(a / b).astype(complex)), vectors.astype(complex)
        none, one = np.zeros((m, m)), np.eye(m)
        A, B = np.block([[none, one], [-K, -D]]), np.block([[one, none], [none, M]])
        (a, b), vectors = eig(A, B, homogeneous_eigvals=True)
        return (a / b).astype(complex), vectors[:m].astype(complex)
