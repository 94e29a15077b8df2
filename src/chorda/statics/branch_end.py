"""Why a path of equilibria ends: slack tendons, or what the matrix of the problem says there."""

import numpy as np

from chorda.mechanics import Array
from chorda.results import Code
from chorda.statics.hessians import spectra
from chorda.statics.problem import Problem

NEAR_SINGULAR = 5e-3  # singular values over the largest one, after scaling
ALMOST_SLACK = 1e-3  # of the largest tension


def explain(problem: Problem, x: Array, target: Array) -> tuple[Code, str]:
    """A status code and a sentence."""
    _, A = problem.evaluate(x, target)
    distance, direction = to_singularity(problem, A)
    locked = spectra(problem, x[None], A[None], "locked")
    if slack := slack_tendons(problem, x, ALMOST_SLACK):
        return Code.SLACK, (
            f"Slack there: {', '.join(slack)}; nothing pulls back against them beyond (inverse "
            f"condition {distance:.1e})."
        )
    if abs(float(locked.margin[0])) < NEAR_SINGULAR:
        what = "stability with locked motors is lost there"
    elif distance < NEAR_SINGULAR:
        what = "a singularity of this choice of prescribed and actuated coordinates is near"
    else:
        return Code.STOPPED, (
            "No equilibrium of this branch was found beyond; the robot is not near a singularity "
            f"there (inverse condition {distance:.1e})."
        )
    velocities = [name.removesuffix(".rate") for name, _ in problem.system.velocities]
    most = [velocities[k] for k in np.argsort(-np.abs(direction))[:3]]
    return Code.STOPPED, (
        f"The branch ends or turns back there: {what} (inverse condition {distance:.1e}; "
        f"{', '.join(most)} move most)."
    )


def to_singularity(problem: Problem, A: Array) -> tuple[float, Array]:
    """Inverse condition number of Newton's matrix, columns in the coordinates' scales and rows over
    their largest entries; and the move that changes least."""
    values, V = np.linalg.svd(problem.scaled(A))[1:]
    return float(values[-1] / values[0]), np.asarray(V[-1, : problem.system.nv])


def slack_tendons(problem: Problem, x: Array, almost: float = 0.0) -> list[str]:
    """One-sided tendons without tension; almost: part of the largest one that counts as none."""
    system = problem.system
    if not system.tendons.one_sided:
        return []
    q, _, tau = problem.parts(x)
    u, p = problem.inputs_and_parameters(tau)
    taut = system.tautness(q, np.zeros(system.nv), u, p).full().ravel()
    stretch = dict(
        zip((c.name for c in system.tendons.cables), system.tendons.elastic, strict=True)
    )
    given = problem.prescription.tensions
    least = almost * float(np.max(np.abs(taut), initial=0.0))
    both = zip(system.tendons.one_sided, taut, strict=True)
    return [name for name, pull in both if pull <= least and stretch[name] and name not in given]
