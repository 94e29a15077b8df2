"""Where stability changes along a path: an eigenvalue of a Hessian passes zero."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from chorda.mechanics import Array
from chorda.results import EquilibriumPath
from chorda.statics.curve import Curve, On
from chorda.statics.hessians import KINDS, Kind, judge
from chorda.statics.problem import Problem

PRECISE = 1e-10  # of the way between two points
UPRIGHT = 1e-4  # of the share, in a tangent of unit length: the curve turns back


class Crossed(NamedTuple):
    kind: Kind
    share: float
    fold: bool
    state: Array
    target: Array


def crossings(problem: Problem, path: EquilibriumPath, X: Array, way: Array) -> tuple[Crossed, ...]:
    """Every eigenvalue that changes its sign between two configurations, located; way: rows of
    targets at
    even shares of the path."""
    curve = Curve(problem, way)
    found = list[Crossed]()
    for kind in KINDS:
        negative = path.stability[kind].negative
        for i in np.flatnonzero(np.diff(negative)).tolist():
            low, high = sorted((int(negative[i]), int(negative[i + 1])))
            for k in range(low, high):
                if (where := _locate(curve, path, X, kind, i, k)) is not None:
                    found.append(where)
    return tuple(sorted(found, key=lambda x: (x.kind, x.share)))


def _locate(
    curve: Curve, path: EquilibriumPath, X: Array, kind: Kind, i: int, k: int
) -> Crossed | None:
    """Eigenvalue k between configurations i and i + 1."""
    problem = curve.problem
    a, b = On(X[i], float(path.share[i])), On(X[i + 1], float(path.share[i + 1]))
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
    except (ValueError, RuntimeError):  # branches cross there: the curve is not found between
        part = float("nan")
    if np.isfinite(part) and (part in points or np.isfinite(eigenvalue(part))):
        y = points[part]
    else:
        ends = [float(path.stability[kind].eigenvalues[j, k]) for j in (i, i + 1)]
        y = curve.moved(a, ends[0] / (ends[0] - ends[1]) * curve.change(a, b))
    turns = np.diff(path.share)[max(i - 1, 0) : i + 2]
    fold = bool(np.any(turns > 0) and np.any(turns < 0)) and _upright(curve, y, chord)
    return Crossed(kind, y.s, fold, y.x, curve.target(y.s))


def _upright(curve: Curve, y: On, along: Array) -> bool:
    """Whether the curve does not go on along the path there."""
    try:
        return abs(float(curve.tangent(y, along)[-1])) < UPRIGHT
    except np.linalg.LinAlgError:
        return False
