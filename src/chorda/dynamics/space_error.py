"""What the modes of rods leave in a motion, looked at as if it stood still at one time."""

from dataclasses import replace

import numpy as np

from chorda.describe import STRAINS, Rod
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.mechanics.small_motions import inertia
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.statics.prescribe import Request, coordinate_rows, prescribe
from chorda.statics.problem import Problem
from chorda.statics.rod_accuracy import most_strained, space_accuracy, strain_rows
from chorda.statics.rod_refinement import HIERARCHICAL, parts
from chorda.statics.targets import single

VIBRATING = 0.3  # of how far the highest functions of rods move the tips: what others would
ROWS_LOOKED_AT = 8  # those in which they are furthest from their means, and one for each of them
SMALLEST = 1e-300  # lest nothing is divided by nothing
OVERSHOOT = 2.0  # how far an undamped motion goes beyond the equilibrium that it is let go to


def space_error(
    system: System, q: Array, u: Array, p: Array, duration: float
) -> SpaceAccuracy | None:
    """The estimate for rows q of a motion and inputs u, in the row where rods are strained most.

    All but the strains is held, and what inertia and damping take at that time acts on the modes as
    a constant force. What comes of it in the duration [s] against their inertia and stiffness is
    doubled, as motions overshoot. Where the highest functions vibrate, those that are missing would
    too: a part of how far they move the tips is the least error. This is an order of magnitude,
    which does not count what adds up over time. None for robots without rods, and where it is not
    known.
    """
    k = most_strained(system, q)
    if k is None:
        return None
    strains = {system.coordinate_names[i] for i in strain_rows(system)}
    row = dict(zip(system.coordinate_names, q[k], strict=True))
    others = [name for name in coordinate_rows(system) if name not in strains and name in row]
    held = {name: np.asarray(row[name]) for name in others}
    prescription, values = prescribe(system, Request(hold=held), None)
    problem = Problem(system, prescription, u[k], p, compiled=False)
    target = single(prescription, values)
    x = problem.state(q[k], np.zeros(system.nc), np.zeros(len(prescription.unknowns)))
    r, A = problem.evaluate(x, target)
    nv = system.nv
    x[system.nq :] = np.linalg.lstsq(A[:, nv:], -r, rcond=None)[0]
    r, A = problem.evaluate(x, target)
    M = inertia(system)(q[k], p).full()
    A = A.copy()
    A[:nv, :nv] -= 2 / duration**2 * M
    found = space_accuracy(problem, x, target, A, r)
    if found is None:
        return None
    error = np.maximum(OVERSHOOT * found.error, VIBRATING * _vibration(system, found.frames, q, p))
    integration = np.minimum(OVERSHOOT * found.integration, error)
    return replace(found, error=error, integration=integration, reliable=False)


def _vibration(system: System, frames: tuple[str, ...], q: Array, p: Array) -> Array:
    """How far the highest function of each strain moves the frames about where it is on average
    [m]; nothing for bases without a highest one."""
    rows = {name: i for i, name in enumerate(system.coordinate_names)}
    highest = [
        rows[f"{rod.name}.{strain}{part * count + count - 1}"]
        for rod in system.robot.joints
        if isinstance(rod, Rod) and rod.modes.basis in HIERARCHICAL
        for strain in STRAINS
        if (count := getattr(rod.modes, strain))
        for part in range(parts(system.robot, rod))
    ]
    if not highest:
        return np.zeros(len(frames))
    mean = np.mean(q[:, highest], axis=0)
    off = np.abs(q[:, highest] - mean)
    off /= np.max(off, axis=0) + SMALLEST
    furthest = np.argsort(np.sum(off, axis=1))[-ROWS_LOOKED_AT:]
    looked = q[np.union1d(furthest, np.argmax(off, axis=0))]
    still = looked.copy()
    still[:, highest] = mean
    moved, held = (frame_poses(system, frames, x, p)[1] for x in (looked, still))
    return np.asarray(np.max(np.linalg.norm(moved - held, axis=2), axis=0))
