"""Down the energy from a configuration: motion in thick oil, in steps that grow into Newton's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array, System
from chorda.statics.initial import moved

Evaluate = Callable[[Array, Array], tuple[Array, Array, Array, Array]]
MOST = 400
LONGEST = 0.3  # of a step, over the coordinates' scales (1 rad, 1 m)


def descend(
    system: System, evaluate: Evaluate, free: npt.NDArray[np.intp], q: Array
) -> tuple[Array, Array, int] | None:
    """(q, lam, steps taken) near an equilibrium that the system would settle in, or None.

    Each step solves (H + mu W) d = F, the implicit Euler step of a motion in thick oil, with W
    the inertias and mu falling with the force. H + mu W is kept positive, so that the motion
    leaves unstable configurations.
    """
    W = np.diag(system.M_at(q))[free]
    W = np.where(W > 0, W, 1.0)
    mu, before, scales = 0.0, np.inf, system.scales[free]
    for count in range(MOST):
        F, H, T, particular, lam, gap = _balance(system, evaluate, free, q)
        force = T.T @ F
        size = float(np.linalg.norm(force)) + gap
        if not np.isfinite(size):
            return None
        if size < 1e-9 * (1 + float(np.linalg.norm(F))) and gap < 1e-10:
            return q, lam, count
        mu = size if count == 0 else mu * float(np.clip(size / before, 0.2, 2.0))
        before = size
        move, mu = _step(H, T, W, force, particular, mu, scales)
        if move is None:
            return None
        whole = np.zeros(system.nv)
        whole[free] = move
        q = moved(system, q, whole)
    return None


def _balance(
    system: System, evaluate: Evaluate, free: npt.NDArray[np.intp], q: Array
) -> tuple[Array, Array, Array, Array, Array, float]:
    """Force, Hessian, directions that closures leave, the move that shuts them, multipliers."""
    lam: Array = np.zeros(system.nc)
    F, K, psi, J = evaluate(q, lam)
    n = len(free)
    if not system.nc:
        return F[free], -K[np.ix_(free, free)], np.eye(n), np.zeros(n), lam, 0.0
    from scipy.linalg import null_space

    J = J[:, free]
    lam = np.asarray(np.linalg.lstsq(J.T, -F[free], rcond=1e-10)[0], float)
    F, K, _, _ = evaluate(q, lam)
    shut = np.asarray(np.linalg.lstsq(J, -psi, rcond=1e-10)[0], float)
    gap = float(np.max(np.abs(psi)))
    return F[free], -K[np.ix_(free, free)], null_space(J, rcond=1e-10), shut, lam, gap


def _step(
    H: Array, T: Array, W: Array, force: Array, particular: Array, mu: float, scales: Array
) -> tuple[Any, float]:
    """A step that is not too long, with as much oil as that takes."""
    inner, oil = T.T @ H @ T, T.T @ (W[:, None] * T)
    for _ in range(200):
        try:
            np.linalg.cholesky((inner + inner.T) / 2 + mu * oil)
            move = T @ np.linalg.solve(inner + mu * oil, force) + particular
            if np.max(np.abs(move) / scales, initial=0.0) <= LONGEST:
                return move, mu
        except np.linalg.LinAlgError:
            pass
        mu = max(
            2 * mu, 1e-6 * float(np.max(np.abs(inner), initial=1.0) / np.max(oil, initial=1e-9))
        )
    return None, mu
