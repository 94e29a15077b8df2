"""Where stability changes along a path: an eigenvalue of a Hessian passes zero, or one of the
motion begins to grow."""

import numpy as np
from scipy.optimize import brentq

from chorda.mechanics import Array
from chorda.results import EquilibriumPath, StabilityChange
from chorda.results.spectra import KINDS, Kind
from chorda.statics.curve import Curve, CurvePoint
from chorda.statics.hessians import spectra
from chorda.statics.problem import Problem
from chorda.statics.solutions import equilibrium_of

PRECISION = 1e-10  # of the way between two points
UPRIGHT = 1e-4  # of the path parameter, in a tangent of unit length: the curve turns back


def stability_changes(
    problem: Problem, path: EquilibriumPath, X: Array, way: Array
) -> tuple[StabilityChange, ...]:
    """Every eigenvalue that changes its sign between two configurations, located; way: rows of
    targets at even path parameters."""
    curve = Curve(problem, way)
    found = list[StabilityChange]()
    for kind in KINDS:
        negative = path.stability[kind].negative
        by_motion = ~np.isnan(path.stability[kind].leading)
        for i in np.flatnonzero(np.diff(negative)).tolist():
            if by_motion[i : i + 2].any():
                if bool(negative[i]) != bool(negative[i + 1]):
                    found.append(_begun(curve, path, X, kind, i))
                continue
            low, high = sorted((int(negative[i]), int(negative[i + 1])))
            found += [_located(curve, path, X, kind, i, k) for k in range(low, high)]
    return tuple(sorted(found, key=lambda x: (x.kind, x.parameter)))


def _located(
    curve: Curve, path: EquilibriumPath, X: Array, kind: Kind, i: int, k: int
) -> StabilityChange:
    """Eigenvalue k between configurations i and i + 1."""
    problem = curve.problem
    a, b = (CurvePoint(X[j], float(path.parameter[j])) for j in (i, i + 1))
    chord = curve.change(a, b)
    chord = chord / curve.length(chord)
    points = dict[float, CurvePoint]()

    def eigenvalue(part: float) -> float:
        guess = curve.moved(a, part * curve.change(a, b))
        made = curve.corrected(guess, chord, most=20)
        if made is None:
            return float("nan")
        y = points[part] = made[0]
        _, A = problem.evaluate(y.x, curve.target(y.s))
        return float(spectra(problem, y.x[None], A[None], kind).eigenvalues[0, k])

    try:
        part = brentq(eigenvalue, 0.0, 1.0, xtol=PRECISION)
    except (ValueError, RuntimeError):  # branches cross there: the curve is not found between
        part = float("nan")
    if np.isfinite(part) and (part in points or np.isfinite(eigenvalue(part))):
        y = points[part]
    else:
        ends = [float(path.stability[kind].eigenvalues[j, k]) for j in (i, i + 1)]
        y = curve.moved(a, ends[0] / (ends[0] - ends[1]) * curve.change(a, b))
    turns = np.diff(path.parameter)[max(i - 1, 0) : i + 2]
    fold = bool(np.any(turns > 0) and np.any(turns < 0)) and _upright(curve, y, chord)
    return StabilityChange(kind, y.s, fold, equilibrium_of(problem, y.x, curve.target(y.s)))


def _begun(curve: Curve, path: EquilibriumPath, X: Array, kind: Kind, i: int) -> StabilityChange:
    """Between configurations i and i + 1, where a motion begins to grow, or no longer does; the
    result is on the unstable side."""
    problem = curve.problem
    a, b = (CurvePoint(X[j], float(path.parameter[j])) for j in (i, i + 1))
    chord = curve.change(a, b)
    chord = chord / curve.length(chord)
    begins = not path.stability[kind].negative[i]
    low, high = (0.0, 1.0) if begins else (1.0, 0.0)  # stable and unstable
    unstable = b if begins else a
    while abs(high - low) > PRECISION:
        middle = (low + high) / 2
        made = curve.corrected(curve.moved(a, middle * curve.change(a, b)), chord, most=20)
        if made is None:
            break
        y = made[0]
        _, A = problem.evaluate(y.x, curve.target(y.s))
        if spectra(problem, y.x[None], A[None], kind).negative[0]:
            high, unstable = middle, y
        else:
            low = middle
    _, A = problem.evaluate(unstable.x, curve.target(unstable.s))
    there = spectra(problem, unstable.x[None], A[None], kind)
    at = equilibrium_of(problem, unstable.x, curve.target(unstable.s))
    how = there.instability[0] or "divergence"
    return StabilityChange(kind, unstable.s, False, at, there.criterion[0], how)


def _upright(curve: Curve, y: CurvePoint, along: Array) -> bool:
    """Whether the curve does not go on along the path there."""
    try:
        return abs(float(curve.tangent(y, along)[-1])) < UPRIGHT
    except np.linalg.LinAlgError:
        return False
