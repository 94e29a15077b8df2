"""Stability of contacts that stick: bristles that do not slip are springs across the normal.

At rest bristles stay what they are, and so a search for equilibria sees a constant force. A robot
that moves a little bends them. Bent by z of the d at which they slip, they resist more bending
along z with 1 - |z| / d of their stiffness, and other motions with more: the least of it counts.
"""

import casadi as ca
import numpy as np

from chorda.compile.columns import at_columns
from chorda.mechanics import Array, System
from chorda.statics.problem import Problem


def with_bristles(problem: Problem, X: Array, matrices: Array, P: Array | None = None) -> Array:
    """Newton's matrices (n, nz, nz) at states X (n, nx), dF/dq with that of bristles that stick.

    P: rows of parameters (n, np) where they differ from the problem's.
    """
    system, nv = problem.system, problem.system.nv
    if not any(x.stuck is not None for x in system.touches):
        return matrices
    q, _, tau = problem.parts(X)
    u, p = problem.inputs_and_parameters(tau, P)
    function = system.once("sticking", lambda: _sticking(system))
    K = at_columns(system, function, q.T, u.T, p.T)[0].T.reshape(len(X), nv, nv)
    found = matrices.copy()
    found[:, :nv, :nv] -= np.where(np.isfinite(K), K, 0.0)  # symmetric: rows are columns
    return found


def _sticking(system: System) -> ca.Function:
    """(q, u, p) -> the stiffness of all bristles by velocities of the system (nv x nv)."""
    K = ca.SX(system.nv, system.nv)
    for x in system.touches:
        if x.stuck is not None:
            wide = ca.horzcat(x.stuck.J, ca.SX(3, system.nv - x.stuck.J.shape[1]))
            K += wide.T @ x.stuck.stiffness @ wide
    still = ca.substitute(K, system.v, ca.SX.zeros(system.nv))
    return system.function("sticking", "q u p", ca.densify(still))
