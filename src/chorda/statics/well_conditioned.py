"""Robots with rods of many monomials, seen in Legendre polynomials.

Monomials over a length are nearly alike from some seven of them on: their stiffness is singular to
rounding, whatever the rod. The same strains in Legendre polynomials are not.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.polynomial import polynomial
from numpy.polynomial.legendre import poly2leg

from chorda.describe import STRAINS, Rod
from chorda.mechanics import Array, System, assemble
from chorda.mechanics.balance import statics
from chorda.mechanics.rods.bases import parts
from chorda.statics.problem import Problem

MOST_MONOMIALS = 6  # that rounding leaves apart


def well_conditioned(
    problem: Problem, X: Array, matrices: Array, P: Array | None = None
) -> tuple[Problem, Array, Array]:
    """The same problem, states and Newton's matrices (rows of forces and closures) where rods have
    few monomials or others; else those of the twin with Legendre polynomials.

    P: rows of parameters where they differ from the problem's.
    """
    system, given = problem.system, problem.prescription
    rods = {rod.name for rod in system.robot.joints if _has_many(rod)}
    named = (*given.held, *given.actuated, *given.efforts)
    if not rods or any(name.rpartition(".")[0] in rods for name in named):
        return problem, X, matrices
    twin: System = system.once("legendre-twin", lambda: _twin(system))
    seen = replace(problem, system=twin, compiled=False)
    C = _conversion(system, system.coordinate_names)
    X = X.copy()
    X[:, : system.nq] = X[:, : system.nq] @ C.T
    A = np.zeros_like(matrices)
    nv, nc = system.nv, system.nc
    for k, (row, x) in enumerate(zip(A, X, strict=True)):
        q, lam, tau = seen.parts(x)
        pulled = tau[len(tau) - len(given.tensions) :]
        at = q, lam, *seen.inputs_and_parameters(tau, None if P is None else P[k]), pulled
        found = statics(twin, (), given.tensions)(*at)
        row[:nv, :nv], row[nv : nv + nc, :nv] = found[1].full(), found[3].full()
    return seen, X, A


def _has_many(joint: object) -> bool:
    if not isinstance(joint, Rod) or joint.modes.basis != "monomial":
        return False
    return max(getattr(joint.modes, strain) for strain in STRAINS) > MOST_MONOMIALS


def _twin(system: System) -> System:
    robot = system.robot

    def seen(joint: Rod) -> Rod:
        modes = joint.modes.model_copy(update={"basis": "legendre"})
        return joint.model_copy(update={"modes": modes})

    joints = tuple(seen(x) if isinstance(x, Rod) and _has_many(x) else x for x in robot.joints)
    mode: Literal["elastic", "rigid"] = "rigid" if system.mode == "rigid" else "elastic"
    return assemble(robot.model_copy(update={"joints": joints}), mode)


def seen_back(problem: Problem, seen: Problem, move: Array) -> Array:
    """A move (nv) over the scales of the problem, from one of what `well_conditioned` returned."""
    if seen is problem:
        return move
    names = [name.removesuffix(".rate") for name, _ in problem.system.velocities]
    return np.asarray(np.linalg.solve(_conversion(problem.system, names), move))


def _conversion(system: System, coordinates: Sequence[str]) -> Array:
    """Coordinates of the twin from those of the system; of a rod all have one scale."""
    C, names = np.eye(len(coordinates)), list(coordinates)
    for rod in system.robot.joints:
        if not isinstance(rod, Rod) or not _has_many(rod):
            continue
        for strain in STRAINS:
            n = getattr(rod.modes, strain)
            block = to_legendre(n)
            for k, _ in enumerate(pairwise(parts(rod.modes, rod.length)) if n else ()):
                first = names.index(f"{rod.name}.{strain}{k * n}")
                C[first : first + n, first : first + n] = block
    return C


def to_legendre(count: int) -> Array:
    """Coefficients of x^k over (0, 1) in Legendre polynomials, a column for each k.

    >>> to_legendre(2).tolist()
    [[1.0, 0.5], [0.0, 0.5]]
    """
    C = np.zeros((count, count))
    for k in range(count):
        C[: k + 1, k] = poly2leg(polynomial.polypow([0.5, 0.5], k))
    return C
