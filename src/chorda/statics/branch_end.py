"""Why a path of equilibria ends: what the matrix of the problem says there."""

import numpy as np

from chorda.mechanics import Array
from chorda.statics.hessians import judge
from chorda.statics.problem import Problem

SMALL = 5e-3  # singular values over the largest one, after scaling


def tell(problem: Problem, x: Array, target: Array) -> str:
    """A sentence."""
    _, A = problem.evaluate(x, target)
    system, nv = problem.system, problem.system.nv
    scale = np.ones(problem.nz)
    scale[:nv] = system.scales
    rows = np.max(np.abs(A * scale), axis=1, keepdims=True)
    values, V = np.linalg.svd((A * scale) / np.where(rows > 0, rows, 1))[1:]
    distance = float(values[-1] / values[0])
    locked = judge(problem, A[None], "locked")
    if abs(float(locked.margin[0])) < SMALL:
        what = "stability with locked motors is lost there"
    elif distance < SMALL:
        what = "a singularity of this choice of prescribed and actuated coordinates is near"
    else:
        return (
            "No equilibrium of this branch was found beyond; the robot is not near a singularity "
            f"there (inverse condition {distance:.1e})."
        )
    mode = np.abs(V[-1, :nv])
    most = [system.velocities[k][0].removesuffix(".rate") for k in np.argsort(-mode)[:3]]
    return (
        f"The branch ends or turns back there: {what} (inverse condition {distance:.1e}; "
        f"{', '.join(most)} move most)."
    )
