"""Forces that are applied to a robot: its loads, and forces that are inputs."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns
from chorda.view.contact_arrows import Pushes


def applied_pushes(system: System, q: Array, u: Array, parameters: Array) -> Pushes | None:
    """Forces (n, m, 3) at configurations q (n, nq) under inputs u (n, nu), with parameters (n, np);
    none: nothing is applied but moments."""
    wrenches = [x for x in system.picture.wrenches if x.force.nnz()]
    if not wrenches or not len(q):
        return None

    def make() -> Any:
        points = ca.vertcat(*[x.point for x in wrenches])
        forces = ca.vertcat(*[x.force for x in wrenches])
        return system.function("applied", "q u p", ca.densify(points), ca.densify(forces))

    found = by_columns(system.once("applied-pushes", make), q.T, u.T, parameters.T)
    points, forces = (x.T.reshape(len(q), -1, 3) for x in found)
    return Pushes(points, np.where(np.isfinite(forces), forces, 0.0))


def joined(*parts: Pushes | None) -> Pushes | None:
    """All forces together; none: there are none."""
    found = [x for x in parts if x is not None]
    if not found:
        return None
    points = np.concatenate([x.points for x in found], axis=1)
    return Pushes(points, np.concatenate([x.forces for x in found], axis=1))
