"""How far an equilibrium of rods by modes is from that of the continuum.

The local balance along each rod is evaluated between the functions and the points that the modes
are made of and integrated at (`fine_rods.py`). The stiffness of each section answers it in strains
that the modes lack; Newton's matrix of the modes answers what is then left of the modes' own
equations. A few rounds of both lead to the solution of the continuous equations.
"""

from collections.abc import Callable

import numpy as np

from chorda.describe import Rod, RodTube
from chorda.mechanics import Array, System
from chorda.mechanics.balance import is_taken_apart
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.statics.fine_rods import estimating
from chorda.statics.problem import Problem

MAX_ROUNDS = 8
SETTLED = 0.05  # the next round moves the frames by this part of the whole way
ROUNDING = 1e-12  # of the robot's size
SINGULAR = 1e13  # condition of Newton's matrix
LINEAR = 1e-4  # of the robot's size: errors that small are linear in their causes


def strain_rows(system: System) -> list[int]:
    """Rows of q that are strains of rods."""

    def make() -> list[int]:
        rods = {joint.name for joint in system.robot.joints if isinstance(joint, Rod)}
        names = enumerate(system.coordinate_names)
        apart = [(i, *name.rpartition(".")) for i, name in names]
        return [i for i, rod, _, what in apart if rod in rods and what != "length"]

    return list(system.once("strain-rows", make))


def has_fed_rods(system: System) -> bool:
    """Whether the length of a rod is a coordinate."""
    return any(isinstance(joint, Rod) and joint.fed for joint in system.robot.joints)


def is_local(system: System) -> bool:
    """Whether the error shows in the balance along each rod. Of rods that are fed, that cables
    around pulleys keep from being taken apart, or that touch something, finer rods show it: contact
    forces act where the slices are."""
    touching = {x for touch in system.touches for x in (touch.first, touch.second)}
    tubes = {x.name for x in system.robot.shapes if isinstance(x, RodTube)}
    return is_taken_apart(system) and not has_fed_rods(system) and not touching & tubes


def most_strained(system: System, q: Array) -> int | None:
    """The row of q (n, nq) in which a rod is bent, twisted or stretched most, if there is one."""
    if not (rows := strain_rows(system)) or not len(q):
        return None
    scale = system.once(
        "strain-scales", lambda: np.array([system.coordinates[i].scale for i in rows])
    )
    return int(np.argmax(np.max(np.abs(q[:, rows]) / scale, axis=1)))


@np.errstate(all="ignore")  # shapes that are far away overflow
def space_accuracy(
    problem: Problem, x: Array, target: Array, A: Array | None = None, left: Array | None = None
) -> SpaceAccuracy | None:
    """The error of a solution; None where there are no rods, and where it is not `is_local`.

    A: Newton's matrix, where it is not that of the problem.
    left: what the modes' own residual is there, where it is no solution but balanced by other
    forces.
    """
    system = problem.system
    rods = [joint for joint in system.robot.joints if isinstance(joint, Rod)]
    if not rods or not is_local(system):
        return None
    A = problem.evaluate(x, target)[1] if A is None else A
    if not np.all(np.isfinite(A)):
        return None
    tips = [f"{rod.name}.tip" for rod in rods]
    frames = tuple(dict.fromkeys([*tips, *problem.prescription.frames]))
    p = problem.inputs_and_parameters(problem.parts(x)[2])[1]
    names = system.parameter_names
    size = max(float(p[names.index(f"{rod.name}.length")]) for rod in rods)
    functions = estimating(problem, frames)
    start = old = functions.moved(problem, x, np.zeros(problem.nz))[1]
    solve = _solver(A)
    more, reliable = functions.nothing, False
    error = integration = np.zeros(len(frames))
    for k in range(MAX_ROUNDS):
        r, lacking, fine_now = functions.residual(problem, x, target, more)
        further, new = functions.moved(problem, x, -solve(r if left is None else r - left))
        if not np.all(np.isfinite(further)) or not np.all(np.isfinite(fine_now)):
            error = np.maximum(error, size)  # the way to the continuum is too long to be followed
            break
        way, step = fine_now - start + new - old, np.linalg.norm(new - old, axis=1)
        error = np.linalg.norm(way, axis=1)
        if k == 0:
            integration = error
        elif np.all(error + step < LINEAR * size) or (
            k > 1 and np.all(step <= SETTLED * error + ROUNDING * size)
        ):
            reliable = True
            break
        else:
            x, old = further, new
        more = more + lacking
    return SpaceAccuracy(frames, error, integration, reliable, size)


def _solver(A: Array) -> Callable[[Array], Array]:
    """Newton's matrix, factored once; least squares where it is singular to rounding."""
    from scipy.linalg import lapack

    factors, pivots, failed = lapack.dgetrf(A)
    norm = float(np.max(np.sum(np.abs(A), axis=0), initial=0.0))
    if not failed and lapack.dgecon(factors, norm)[0] * SINGULAR > 1:
        return lambda r: np.asarray(lapack.dgetrs(factors, pivots, r)[0], float)
    inverse = np.linalg.pinv(A)
    return lambda r: np.asarray(inverse @ r, float)
