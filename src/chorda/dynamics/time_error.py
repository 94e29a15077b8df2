"""The error that steps in time leave: the same motion in longer or shorter steps (Richardson)."""

from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.time_loop import Motion, advance, started
from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns
from chorda.results.accuracy import LARGE_ERROR, ErrorInTime

LONGER_STEPS = (4, 2)  # times the step, the second where the first cannot go through
SHORT_MOTION = 24  # steps of a motion in which the first is too long
SHORTEST_MOTION = 4  # steps
FIRST_STEPS = 2, 8  # that are made in quarters too, at the least and at the most,
STEPS_A_FIRST = 50  # one for so many steps of the motion
ROWS_COMPARED = 400  # times at which coordinates are compared
ROWS_LOOKED_AT = 2  # those of them with the largest differences, where points are
CLOSE_AGAIN = 0.1  # of how far two motions are apart at most
ORDER_SEEN = 0.6  # of the order that is counted on: what differences of motions have to show
ORDER_UNSEEN = 1.25  # at the most
ROUNDING = 1e-10  # of the size: differences below show nothing
ASYMPTOTIC_DIFFERENCE = 0.1  # of scales, or of the size: larger ones do not show the order


@dataclass(frozen=True)
class Stepped:
    """A motion in fixed steps h [s] that went to its end from q and v, and how it was made."""

    loop: SchemeLoop
    actuation: Actuation
    motion: Motion
    start: tuple[Array, Array]
    p: Array
    h: float
    tolerance: float
    every: int

    def again(self, signal: Array, h: float, steps: int, every: int) -> Motion:
        """The motion in other steps, with the signal at their times."""
        given = replace(self.actuation, signal=np.ascontiguousarray(signal))
        first = given.first(*self.start, self.p)
        job = started(self.loop, *self.start, first, self.p, h, self.tolerance)
        return advance(self.loop, job, steps, given, every=every)


@dataclass(frozen=True)
class Difference:
    """The largest of a coordinate over its scale, that of a point [m], and the robot's size [m]."""

    coordinate: float
    position: float
    size: float


def time_error(of: Stepped) -> ErrorInTime | None:
    """The estimate for a motion.

    It is compared with the motion in steps four times as long, which costs a quarter of it, and
    that with one in eight times as long ones, whether they show the order. Where the first two are
    far apart, with twice as long ones too until they have come close again, lest a good motion gets
    a warning. The first steps are made in quarters.
    """
    found, n, h = None, of.motion.done, of.h
    system, order = of.loop.system, of.loop.scheme.order
    off: dict[int, Difference] = {}
    for ratio in LONGER_STEPS[n <= SHORT_MOTION :]:
        if (rows := _in_longer_steps(of, ratio, n)) is None:
            continue
        off[ratio] = difference(system, *rows[:2], of.p)
        found = error_in_time(off[ratio], h, order, ratio)
        if found.relative < LARGE_ERROR:
            break
        n = min(n, rows[2] * (_last_apart(system, *rows[:2]) + 1))
    if found is None:
        return None
    if found.reliable and not _shows_order(of, off, min(off), order):
        found = error_in_time(off[min(off)], h, order, min(off), seen=False)
    return found if of.every > FIRST_STEPS[1] else _with_first_steps(found, of)


def _shows_order(of: Stepped, off: dict[int, Difference], ratio: int, order: float) -> bool:
    """Whether the motion in twice as long steps is as much further away as the order has it.

    off: from the motion in steps so many times as long.
    """
    double = 2 * ratio
    if double not in off and (rows := _in_longer_steps(of, double, of.motion.done)) is not None:
        off[double] = difference(of.loop.system, *rows[:2], of.p)
    if double not in off:
        return False
    near, far = off[ratio], off[double]
    if near.position <= ROUNDING * near.size:
        return True
    k = ORDER_SEEN * (1 + order) / 2
    least = (double**k - 1) / (ratio**k - 1)
    return far.position >= least * near.position and far.coordinate >= least * near.coordinate


def _with_first_steps(found: ErrorInTime, of: Stepped) -> ErrorInTime:
    """With the error of the first steps, from quarters of them: longer steps do not show what is
    too fast for all of them."""
    motion, every, system = of.motion, of.every, of.loop.system
    low, high = FIRST_STEPS
    rows = max(1, min(high, max(low, motion.done // STEPS_A_FIRST)) // every)
    if rows * every > motion.done:
        return found
    signal = of.actuation.signal
    if len(signal) > 1:
        at = np.arange(4 * rows * every + 1) / 4
        between = np.zeros((len(at), signal.shape[1]))
        for k, values in enumerate(signal.T):
            between[:, k] = np.interp(at, np.arange(len(signal)), values)
        signal = between
    other = of.again(signal, of.h / 4, 4 * rows * every, 4 * every)
    n, nq = len(other.X), system.nq
    off = difference(system, motion.X[:n, :nq], other.X[:, :nq], of.p)
    return replace(
        found,
        coordinate=max(found.coordinate, off.coordinate),
        position=max(found.position, off.position),
    )


def has_estimate(loop: SchemeLoop, actuation: Actuation, steps: int, every: int) -> bool:
    """Whether steps of a motion can be doubled, and what is kept of it be compared."""
    fixed = not loop.scheme.adaptive and not actuation.controlled
    return fixed and steps >= max(SHORTEST_MOTION, lcm(2, every))


def _last_apart(system: System, a: Array, b: Array) -> int:
    """The row from which on two motions stay close, as far as they ever were apart."""
    off = np.max(np.abs(apart(system, a, b)), axis=1)
    return int(np.flatnonzero(off >= CLOSE_AGAIN * np.max(off))[-1])


def _in_longer_steps(of: Stepped, ratio: int, steps: int) -> tuple[Array, Array, int] | None:
    """Rows q of the motion, or of its first steps, the same ones in longer steps, and how many of
    the short ones lie between two rows; None where the longer ones do not go through."""
    signal = of.actuation.signal
    common = lcm(ratio, of.every)  # steps of the first motion
    common *= max(1, steps // common // ROWS_COMPARED)
    signal = signal[::ratio] if len(signal) > 1 else signal
    other = of.again(signal, of.h * ratio, steps // ratio, common // ratio)
    if other.done * ratio <= steps - ratio or len(other.X) < 2:
        return None
    kept, nq = of.motion.X[:: common // of.every], of.loop.system.nq
    return kept[: len(other.X), :nq], other.X[: len(kept), :nq], common


def error_in_time(
    off: Difference, h: float, order: float, ratio: int, seen: bool = True
) -> ErrorInTime:
    """Of a motion in steps of h at the shortest, from its difference to the one in `ratio` times as
    long ones.

    Tendons that go slack and stiff modes cost some of a scheme's order: half of what it has above 1
    is not counted on, and where steps do not show the order, hardly more than 1.
    """
    limit = ASYMPTOTIC_DIFFERENCE
    reliable = seen and off.coordinate <= limit and off.position <= limit * off.size
    k = (1 + order) / 2 if reliable else min(ORDER_UNSEEN, order)
    part = 1 / (ratio**k - 1)
    return ErrorInTime(part * off.coordinate, part * off.position, off.size, h, k, reliable)


def difference(system: System, a: Array, b: Array, p: Array) -> Difference:
    """Of two motions at the same times, rows q (n, nq)."""
    off, moving = np.abs(apart(system, a, b)), _scales(system)[1]
    rows = np.argsort(np.max(off[:, moving], axis=1))[-ROWS_LOOKED_AT:]
    points = _points(system, np.concatenate([a[rows], b[rows], a[:1]]), p)
    if not points.size:
        return Difference(float(np.max(off)), 0.0, 0.0)
    A, B = points[: len(rows)], points[len(rows) : -1]
    position = float(np.max(np.linalg.norm(A - B, axis=1), initial=0.0))
    size = float(np.max(np.linalg.norm(np.ptp(A, axis=2), axis=1), initial=0.0))
    size = size or float(np.linalg.norm(np.ptp(points, axis=(0, 2))))
    return Difference(float(np.max(off)), position, size)


def apart(system: System, a: Array, b: Array) -> Array:
    """Of two motions, rows q (n, nq): differences of the coordinates over their scales."""
    return np.asarray((a - b) / _scales(system)[0])


def _scales(system: System) -> tuple[Array, list[int]]:
    """Scales of the coordinates, and which of them are no motors; all where there are others."""

    def make() -> tuple[Array, list[int]]:
        moving = [i for i, c in enumerate(system.coordinates) if c.kind != "motor"]
        return np.array([c.scale for c in system.coordinates]), moving or list(range(system.nq))

    return system.once("coordinate-scales", make)


def _points(system: System, q: Array, p: Array) -> Array:
    """What is drawn of the robot, tips and frames among it: (n, 3, points) [m]."""
    flat = by_columns(system.drawing, q.T, p[:, None])[0]
    count = flat.shape[1] // len(q)
    return np.asarray(flat.reshape(3, len(q), count).transpose(1, 0, 2))
