"""What the modes of rods leave in a motion, looked at as if it stood still at one time."""

from dataclasses import replace

import numpy as np

from chorda.describe import Rod
from chorda.mechanics import Array, System
from chorda.results.space_accuracy import SpaceAccuracy
from chorda.statics.prescribe import Request, coordinate_rows, prescribe
from chorda.statics.problem import Problem
from chorda.statics.rod_accuracy import space_accuracy
from chorda.statics.targets import single


def space_error(system: System, q: Array, u: Array, p: Array) -> SpaceAccuracy | None:
    """The estimate for rows q of a motion and inputs u, in the row where rods are strained most.

    All but the strains is held, and what inertia and damping take at that time acts on the modes as
    a constant force: an order of magnitude, which does not count what adds up over time. None for
    robots without rods, and where it is not known.
    """
    rods = [joint.name for joint in system.robot.joints if isinstance(joint, Rod)]
    if not rods:
        return None
    each = enumerate(system.coordinate_names)
    strains = {name: i for i, name in each if name.rpartition(".")[0] in rods}
    scale = np.array([c.scale for c in system.coordinates])
    strained = np.abs(q / scale)[:, list(strains.values())]
    k = int(np.argmax(np.max(strained, axis=1, initial=0.0)))
    others = [name for name in coordinate_rows(system) if name not in strains]
    row = dict(zip(system.coordinate_names, q[k], strict=True))
    held = {name: np.asarray(row[name]) for name in others if name in row}
    prescription, values = prescribe(system, Request(hold=held), None)
    problem = Problem(system, prescription, u[k], p, compiled=False)
    target = single(prescription, values)
    x = problem.state(q[k], np.zeros(system.nc), np.zeros(len(prescription.unknowns)))
    r, A = problem.evaluate(x, target)
    nv = system.nv
    x[system.nq :] = np.linalg.lstsq(A[:, nv:], -r, rcond=None)[0]
    r, A = problem.evaluate(x, target)
    found = space_accuracy(problem, x, target, A, r)
    return None if found is None else replace(found, reliable=False)
