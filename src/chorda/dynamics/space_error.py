"""What the modes of rods leave in a motion, looked at as if it stood still at one time."""

from dataclasses import replace

import numpy as np

from chorda.mechanics import Array, System
from chorda.mechanics.small_motions import inertia
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.statics.prescribe import Request, coordinate_rows, prescribe
from chorda.statics.problem import Problem
from chorda.statics.rod_accuracy import most_strained, space_accuracy, strain_rows
from chorda.statics.targets import single

OVERSHOOT = 2.0  # how far an undamped motion goes beyond the equilibrium that it is let go to


def space_error(
    system: System, q: Array, u: Array, p: Array, duration: float
) -> SpaceAccuracy | None:
    """The estimate for rows q of a motion and inputs u, in the row where rods are strained most.

    All but the strains is held, and what inertia and damping take at that time acts on the modes as
    a constant force. What comes of it in the duration [s] against their inertia and stiffness is
    doubled, as motions overshoot. This is an order of magnitude, which does not count what adds up
    over time. None for robots without rods, and where it is not known.
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
    error, integration = OVERSHOOT * found.error, OVERSHOOT * found.integration
    return replace(found, error=error, integration=integration, reliable=False)
