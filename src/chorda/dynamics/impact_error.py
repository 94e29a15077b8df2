"""Impacts that last few steps: whether the step and not the law decides how fast shapes part.

Longer steps need not show it: all of them may miss the same rebound. What meets fastest is
therefore made again in much shorter ones, from just before it meets.
"""

from typing import Any

import casadi as ca
import numpy as np

from chorda.dynamics.longer_steps import Stepped
from chorda.dynamics.time_error import robot_size
from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns
from chorda.results.accuracy import LARGE_ERROR, ImpactError

FASTEST = 3  # impacts that are made again
BEFORE, AFTER = 1, 24  # steps before they meet and after it
PARTS = 16  # of each step
LARGE_SHARE = 0.1  # of the speed with which they meet: an error of that with which they part


def impact_error(of: Stepped) -> ImpactError | None:
    """Of a motion whose steps are all kept: the fastest impact that is wrong by so much that the
    gap after it is wrong by a large error; None where none is."""
    system, n = of.loop.system, len(of.motion.X)
    if not system.touches or of.every != 1 or n <= BEFORE + 2:
        return None
    gap, rate = _touching(system, of.motion.X, of.motion.U, of.p)
    size = robot_size(system, of.motion.X[:, : system.nq], of.p)
    for row, k in _fastest(system, gap, rate):
        first, last = max(row - BEFORE, 0), min(row + AFTER, n - 1)
        X, U = of.again(first, last, PARTS)
        if len(X) <= last - first:
            continue
        near, fast = _touching(system, X, U, of.p)
        span, left = slice(first, last + 1), (n - 1 - row) * of.h
        ours, theirs = (
            _rebound(*x, of.h, left)
            for x in ((gap[span, k], rate[span, k]), (near[:, k], fast[:, k]))
        )
        met = -float(rate[row, k])
        off = [abs(x - y) for x, y in zip(ours, theirs, strict=True)]
        if off[0] > LARGE_SHARE * met and off[1] > LARGE_ERROR * size:
            label, when = system.touches[k].label, (row + 1) * of.h
            return ImpactError(label, when, met, ours[0], theirs[0], of.h)
    return None


def _fastest(system: System, gap: Array, rate: Array) -> list[tuple[int, int]]:
    """Rows before shapes meet, and the points that touch: those that meet fastest, one of a pair
    at a time."""
    begins = np.argwhere((gap[:-1] > 0) & (gap[1:] <= 0) & (rate[:-1] < 0)).tolist()
    found = dict[tuple[int, str], tuple[int, int]]()
    for row, k in sorted(begins, key=lambda x: rate[x[0], x[1]]):
        found.setdefault((row, system.touches[k].pair), (row, k))
    return list(found.values())[:FASTEST]


def _touching(system: System, X: Array, U: Array, p: Array) -> tuple[Array, Array]:
    """Gaps and their rates (rows, touches) of states in rows."""

    def make() -> Any:
        columns = [ca.vertcat(*[getattr(x, name) for x in system.touches]) for name in _BOTH]
        return system.function("touching", "q v u p", *map(ca.densify, columns))

    q, v = X[:, : system.nq], X[:, system.nq : system.nq + system.nv]
    found = by_columns(system.once("touching", make), q.T, v.T, U.T, p[:, None])
    return found[0].T, found[1].T


_BOTH = "gap", "rate"


def _rebound(gap: Array, rate: Array, h: float, left: float) -> tuple[float, float]:
    """How fast shapes part that met [m/s], and how far until they are pulled back or the motion
    ends [m]; gaps and rates of a point in rows."""
    touched = int(np.argmax(gap <= 0))
    apart = np.flatnonzero(gap[touched:] > 0) + touched
    if not len(apart) or gap[touched] > 0:
        return 0.0, 0.0
    top = int(apart[np.argmax(rate[apart])])
    speed, later = max(float(rate[top]), 0.0), apart[apart > top]
    if not len(later):
        return speed, speed * left
    slower = float(rate[top] - rate[later[-1]]) / ((later[-1] - top) * h)
    return speed, min(speed * left, speed**2 / (2 * slower) if slower > 0 else np.inf)
