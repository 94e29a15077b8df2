"""A robot at rest and near it: forces that answer a small move, closures, a frame's motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chorda.checks import check_names, name_list
from chorda.mechanics import Array, System
from chorda.mechanics.balance import statics
from chorda.results import Equilibrium
from chorda.statics.follow import checked
from chorda.statics.prescribe import coordinate_rows
from chorda.statics.problem import Problem

DEPENDENT = 1e-10  # of the largest singular value: closures that say the same
NO_STIFFNESS = 1e-11  # of the largest one


@dataclass(frozen=True, eq=False)
class AtRest:
    """Derivatives at an equilibrium, along velocities in their scales.

    K dv + J^T dlam + V^T dw + B dtau = 0,    J dv = 0,    dx = V dv

    with a wrench w on the frame and its motion x (angular, then linear, in world axes). Motors that
    are wound to a given tension stiffen nothing: rows of J after the closures keep them still.
    """

    problem: Problem
    K: Array
    J: Array
    V: Array

    @property
    def system(self) -> System:
        return self.problem.system

    def unit(self, rows: Sequence[int]) -> Array:
        """Columns that are one scale of each of these velocities."""
        return np.eye(self.system.nv)[:, list(rows)]

    def over(self, moves: Array) -> Array:
        """The Hessian of the energy over some moves (columns)."""
        return np.asarray(-moves.T @ self.K @ moves)


def at_rest(equilibrium: Equilibrium, frame: str | None = None) -> AtRest:
    """Exact derivatives at an equilibrium; without a frame V has no rows."""
    found = checked(equilibrium, "equilibrium")
    system = found.system
    problem = Problem(system, found.prescription, found.u, found.parameters)
    known = system.robot.frames()
    check_names("frame", [] if frame is None else [frame], known)
    K, J, V = linearised(found, found.q, () if frame is None else (frame,))
    s = system.scales
    still = np.eye(system.nv)[problem.winding_rows]
    return AtRest(problem, s[:, None] * K * s, np.vstack([J * s, still]), V * s)


def linearised(found: Equilibrium, q: Array, frames: tuple[str, ...]) -> tuple[Array, Array, Array]:
    """K, J and V as `statics` gives them at q, with all else as at an equilibrium."""
    given = found.prescription
    pulled = found.unknowns[len(given.unknowns) - len(given.tensions) :]
    make = statics(found.system, frames, given.tensions)
    each = make(q, found.multipliers, found.u, found.parameters, pulled)
    return each[1].full(), each[3].full(), each[5].full()


def motors_of(problem: Problem, named: Sequence[str] | None) -> tuple[str, ...]:
    """Coordinates that are motors: as named, else what is actuated, unless its effort is given."""
    if named is None:
        return tuple(x for x in problem.prescription.moved if x not in problem.prescription.winders)
    named = name_list("motors", named)
    known = coordinate_rows(problem.system)
    check_names("motors", named, known)
    return tuple(dict.fromkeys(named))


def null(rows: Array) -> Array:
    """Orthonormal columns across the rows of a matrix."""
    _, sizes, Vt = np.linalg.svd(rows)
    rank = int(np.sum(sizes > DEPENDENT * np.max(sizes, initial=1.0)))
    return np.asarray(Vt[rank:].T)


def most(names: Sequence[str], values: Array, count: int = 3) -> dict[str, float]:
    """The largest entries by name, over the largest one, which is positive."""
    order = np.argsort(-np.abs(values), kind="stable")[:count]
    largest = values[order[0]] if len(order) and values[order[0]] else 1.0
    return {
        names[k]: float(values[k] / largest) for k in order if abs(values[k]) > 1e-3 * abs(largest)
    }


def listed(direction: dict[str, float]) -> str:
    """
    >>> listed({"motor1": 1.0, "motor2": -0.5})
    'motor1 +1, motor2 -0.5'
    """
    return ", ".join(f"{name} {x:+.2g}" for name, x in direction.items())


def move_names(system: System) -> list[str]:
    """Of what moves, by velocity."""
    return [name.removesuffix(".rate") for name, _ in system.velocities]
