"""Outputs of a system along a motion, computed in pieces."""

import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.pacing import Watch, pieces


@interruptible()
def observed(
    system: System, q: Array, v: Array, u: Array, p: Array, watch: Watch | None = None
) -> dict[str, Array]:
    """Every output at each time: arrays (n, rows) by name.

    p: parameters, or a column of them for each row.
    watch: see `chorda.numerics.pacing`; where it ends the work, later rows are not set.
    """
    n = len(q)
    found = {o.name: np.empty((n, len(o.labels))) for o in system.outputs}
    for at in pieces(n if found else 0, watch):
        P = np.repeat(p[:, None], at.stop - at.start, 1) if p.ndim == 1 else p[:, at]
        a, lam = accelerations(system, q[at], v[at], u[at], P)
        results = system.observe(q[at].T, v[at].T, a.T, lam.T, u[at].T, P)
        results = results if len(found) > 1 else [results]
        for rows, result in zip(found.values(), results, strict=True):
            rows[at] = result.full().T
    return found


def accelerations(system: System, q: Array, v: Array, u: Array, P: Array) -> tuple[Array, Array]:
    """Accelerations and closure multipliers at each time; P holds a column for each."""
    n, nv, nc = len(q), system.nv, system.nc
    M, F, _, J, bias, _ = (x.full() for x in system.equations(q.T, v.T, u.T, P))
    A = np.zeros((n, nv + nc, nv + nc))
    A[:, :nv, :nv] = M.reshape(nv, n, nv).transpose(1, 0, 2)
    if nc:
        jac = J.reshape(nc, n, nv).transpose(1, 0, 2)
        A[:, :nv, nv:] = -jac.transpose(0, 2, 1)
        A[:, nv:, :nv] = jac
        A[:, nv:, nv:] = system.compliance * np.eye(nc)
    right = np.concatenate([F, -bias.reshape(nc, n)]).T
    try:
        solution = np.linalg.solve(A, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        solution = np.array([_shared(A[k], right[k]) for k in range(n)])
    return solution[:, :nv], solution[:, nv:]


def _shared(A: Array, right: Array) -> Array:
    """The solution; closures that depend on each other share their force."""
    try:
        return np.asarray(np.linalg.solve(A, right))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(A) @ right)
