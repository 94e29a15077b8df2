"""Outputs of a system along a motion."""

import numpy as np

from chorda.mechanics import Array, System


def observed(system: System, q: Array, v: Array, u: Array, p: Array) -> dict[str, Array]:
    """Every output at each time: arrays (n, rows) by name."""
    n = len(q)
    if not system.outputs or n == 0:
        return {o.name: np.zeros((n, len(o.labels))) for o in system.outputs}
    P = np.repeat(p[:, None], n, 1)
    a, lam = accelerations(system, q, v, u, P)
    results = system.observe(q.T, v.T, a.T, lam.T, u.T, P)
    if len(system.outputs) == 1:
        results = [results]
    return {o.name: r.full().T for o, r in zip(system.outputs, results, strict=True)}


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
    except np.linalg.LinAlgError:  # closures that depend on each other share their force
        solution = (np.linalg.pinv(A) @ right[..., None])[..., 0]
    return solution[:, :nv], solution[:, nv:]
