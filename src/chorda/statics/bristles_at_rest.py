"""Equilibria of robots that rest on bristles: coordinates and bristles move together.

To a search bristles are a constant force. A motion that has nearly come to rest ends with a little
of it left over, which nothing else may bear: on a floor nothing resists along it. As long as
bristles stick they are springs, and the little that is left bends them by as little.
"""

from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array
from chorda.numerics.newton import Solver, newton
from chorda.statics.cold_start import (
    CORRECTION,
    MAX_ITERATIONS,
    ROUNDING,
    TOLERANCE,
    Solved,
    shortest_step,
)
from chorda.statics.problem import Problem, Rows

FARTHEST_BENDING = 0.05  # of the deflection at which they slide: a start that is nearly at rest


def on_bristles(problem: Problem, x: Array, target: Array) -> Solved | None:
    """From a start that is nearly at rest; None where bristles would bend more than a little."""
    system, nv = problem.system, problem.system.nv
    rows, scales = bristles(problem)
    if not len(rows):
        return None
    column = np.ones(problem.nz)
    column[:nv] = system.scales
    function = system.once("bending-bristles", lambda: _bending(problem, rows))

    def slopes(x: Array) -> tuple[Array, Array]:
        q, _, tau = problem.parts(x)
        u, p = problem.inputs_and_parameters(tau, None)
        force, bending = (y.full() for y in function(q, u, p))
        return force, bending

    def evaluate(x: Array) -> tuple[Array, Solver]:
        r, A = problem.evaluate(x, target)
        force, bending = slopes(x)
        A = A.copy()
        A[:nv, :nv] += force @ bending
        return r, lambda r: shortest_step(A, r, column)

    def moved(x: Array, d: Array) -> Array:
        after = problem.moved(x, d).copy()
        after[rows] += slopes(x)[1] @ d[:nv]
        return after

    found = newton(
        evaluate,
        x,
        tolerance=TOLERANCE,
        correction_tolerance=CORRECTION,
        moved=moved,
        length=lambda d: float(np.max(np.abs(d / column)[:nv], initial=0.0)),
        rounding=ROUNDING,
        iterations=MAX_ITERATIONS,
    )
    bent = np.abs(found.x - x)[rows] / scales
    ok = found.converged and float(np.max(bent)) < FARTHEST_BENDING
    return Solved(found.x, found.iterations, 1.0) if ok else None


def bristles(problem: Problem) -> tuple[Rows, Array]:
    """Rows of q of bristles of contacts, and the deflections at which these slide [m]."""
    system = problem.system
    labels = [x.label for x in system.touches if x.stuck is not None]
    names = {f"{label}.bristle.{axis}": label for label in labels for axis in "xyz"}
    rows = [i for i, name in enumerate(system.coordinate_names) if name in names]
    contacts = [names[system.coordinate_names[i]].partition(".")[0] for i in rows]
    at = [system.parameter_names.index(f"{x}.friction.deflection") for x in contacts]
    return np.array(rows, np.intp), problem.p[at]


def _bending(problem: Problem, rows: Rows) -> Any:
    """(q, u, p) -> the force's slopes by bristles (nv x n), theirs by motions (n x nv), at rest."""
    system = problem.system
    d, first = system.dynamics, system.nq - system.nz
    z = system.q[rows.tolist(), :]
    force = ca.jacobian(d.F, z)
    bending = ca.jacobian(d.source[(rows - first).tolist(), :], system.v)
    still = ca.substitute([force, bending], [system.v], [ca.SX.zeros(system.nv)])
    return system.function("bending", "q u p", *map(ca.densify, still))
