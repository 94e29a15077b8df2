"""Where stability changes along a path: an eigenvalue of a Hessian passes zero."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from chorda.mechanics import Array
from chorda.results import EquilibriumPath
from chorda.solve.statics.curve import Curve, On
from chorda.solve.statics.problem import Problem
from chorda.solve.statics.stability import KINDS, Kind, judge

PRECISE = 1e-10  # of the way between two points


class Crossed(NamedTuple):
    kind: Kind
    share: float
    fold: bool
    state: Array
    target: Array


def crossings(problem: Problem, path: EquilibriumPath, X: Array) -> tuple[Crossed, ...]:
    """Every eigenvalue that changes its sign between two postures, located."""
    found = list[Crossed]()
    for kind in KINDS:
        negative = path.stability[kind].negative
        for i in np.flatnonzero(np.diff(negative)).tolist():
            low, high = sorted((int(negative[i]), int(negative[i + 1])))
            for k in range(low, high):
                if (where := _locate(problem, path, X, kind, i, k)) is not None:
                    found.append(where)
    return tuple(sorted(found, key=lambda x: (x.kind, x.share)))


def _locate(
    problem: Problem, path: EquilibriumPath, X: Array, kind: Kind, i: int, k: int
) -> Crossed | None:
    """Eigenvalue k between postures i and i + 1."""
    curve = Curve(problem, path.targets[i : i + 2])
    a, b = On(X[i], 0.0), On(X[i + 1], 1.0)
    chord = curve.change(a, b)
    chord = chord / curve.length(chord)
    points = dict[float, On]()

    def eigenvalue(part: float) -> float:
        guess = curve.moved(a, part * curve.change(a, b))
        made = curve.corrected(guess, chord, most=20)
        if made is None:
            return float("nan")
        y = points[part] = made[0]
        _, A = problem.evaluate(y.x, curve.target(y.s))
        return float(judge(problem, A[None], kind).eigenvalues[0, k])

    try:
        part = brentq(eigenvalue, 0.0, 1.0, xtol=PRECISE)
    except (ValueError, RuntimeError):  # no change of sign along the curve between
        return None
    if part not in points and not np.isfinite(eigenvalue(part)):
        return None
    y = points[part]
    share = path.share[i] + y.s * (path.share[i + 1] - path.share[i])
    turns = np.diff(path.share)
    here = turns[max(i - 1, 0) : i + 2]
    fold = bool(np.any(here > 0) and np.any(here < 0))
    return Crossed(kind, float(share), fold, y.x, curve.target(y.s))
