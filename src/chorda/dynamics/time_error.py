"""The error that steps in time leave: the same motion in longer or shorter steps (Richardson)."""

from dataclasses import replace
from math import gcd

import numpy as np

from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.time_loop import Motion, advance, started
from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns
from chorda.results.accuracy import LARGE_ERROR, ErrorInTime

LONGER_STEPS = (4, 2)  # times the step, the second where the first cannot go through
SHORT_MOTION = 24  # steps of a motion that is too short for that; it is made in half steps
ROWS_COMPARED = 400  # times at which coordinates are compared
ROWS_LOOKED_AT = 6  # those of them with the largest differences, where points are
ASYMPTOTIC_DIFFERENCE = 0.1  # of scales, or of the size: larger ones do not show the order


def time_error(
    loop: SchemeLoop,
    actuation: Actuation,
    motion: Motion,
    start: tuple[Array, Array],
    p: Array,
    h: float,
    tolerance: float,
    every: int,
) -> ErrorInTime | None:
    """The estimate for a motion of fixed steps h [s] that went to its end from q and v.

    It is compared with the motion in steps four times as long, which costs a quarter of it; where
    the two are far apart, with twice as long ones too, lest a good motion gets a warning.
    """
    if loop.scheme.adaptive or actuation.controlled:
        return None
    found = None
    for ratio in LONGER_STEPS if motion.done > SHORT_MOTION else (0.5,):
        other, apart = _again(loop, actuation, motion.done, start, p, h, tolerance, every, ratio)
        if other.done * ratio > motion.done - ratio:
            n = min(len(motion.X[::apart]), len(other.X))
            q, nq = motion.X[::apart][:n], loop.system.nq
            order = loop.scheme.order
            found = _estimate(loop.system, q[:, :nq], other.X[:n, :nq], p, h, order, ratio)
            if found.relative < LARGE_ERROR:
                break
    return found


def _again(
    loop: SchemeLoop,
    actuation: Actuation,
    steps: int,
    start: tuple[Array, Array],
    p: Array,
    h: float,
    tolerance: float,
    every: int,
    ratio: float,
) -> tuple[Motion, int]:
    """The motion in other steps; each so-many-th kept row of the first belongs to a row of it."""
    signal = actuation.signal
    if ratio < 1:
        other, keep, apart = 2 * steps, 2 * every, 1
        if len(signal) > 1:
            middle = (signal[1:] + signal[:-1]) / 2
            fine = np.empty((2 * len(signal) - 1, signal.shape[1]))
            fine[::2], fine[1::2] = signal, middle
            signal = fine
    else:
        whole = int(ratio)
        common = whole * every // gcd(whole, every)  # steps of the first motion
        common *= max(1, steps // common // ROWS_COMPARED)
        other, keep, apart = steps // whole, common // whole, common // every
        signal = signal[::whole] if len(signal) > 1 else signal
    given = replace(actuation, signal=np.ascontiguousarray(signal))
    job = started(loop, *start, given.first(*start, p), p, h * ratio, tolerance)
    return advance(loop, job, other, given, every=keep), apart


def _estimate(
    system: System, q: Array, other: Array, p: Array, h: float, order: float, ratio: float
) -> ErrorInTime:
    coordinate, position, size = difference(system, q, other, p)
    far = coordinate > ASYMPTOTIC_DIFFERENCE or position > ASYMPTOTIC_DIFFERENCE * size
    k = min(1.0, order) if far else order
    part = 1 / (ratio**k - 1) if ratio > 1 else 1 / (1 - ratio**k)
    return ErrorInTime(part * coordinate, part * position, size, h, k)


def difference(system: System, a: Array, b: Array, p: Array) -> tuple[float, float, float]:
    """Of two motions at the same times, rows q (n, nq): the largest difference of a coordinate over
    its scale, that of a point [m], and the robot's size [m]."""
    apart = np.abs(a - b) / np.array([c.scale for c in system.coordinates])
    moving = [i for i, c in enumerate(system.coordinates) if c.kind != "motor"] or slice(None)
    rows = np.argsort(np.max(apart[:, moving], axis=1))[-ROWS_LOOKED_AT:]
    A, B = (_points(system, q[rows], p) for q in (a, b))
    if not A.size:
        return float(np.max(apart)), 0.0, 0.0
    position = float(np.max(np.linalg.norm(A - B, axis=1), initial=0.0))
    size = float(np.max(np.linalg.norm(np.ptp(A, axis=2), axis=1), initial=0.0))
    if not size:
        size = float(np.linalg.norm(np.ptp(_points(system, a[[0, *rows]], p), axis=(0, 2))))
    return float(np.max(apart)), position, size


def _points(system: System, q: Array, p: Array) -> Array:
    """What is drawn of the robot, tips and frames among it: (n, 3, points) [m]."""
    flat = by_columns(system.drawing, q.T, p[:, None])[0]
    count = flat.shape[1] // len(q)
    return np.asarray(flat.reshape(3, len(q), count).transpose(1, 0, 2))
