"""The error that steps in time leave: the same motion in longer or shorter steps (Richardson)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from chorda.describe.shapes import breadth
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.longer_steps import Pair, Stepped
from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns
from chorda.results.accuracy import LARGE_ERROR, ErrorInTime

LONGER_STEPS = (4, 2)  # times the step, the second where the first cannot go through
FAR_LONGER = 8  # times the step, first, of schemes of first order
LEAST_LONGER = 6  # steps of such a length that a motion has more of; the last may have fewer
LEAST_FAR_LONGER = 25  # steps of the first length
SMALL_ERROR = 0.1 * LARGE_ERROR  # of the size: with it, longer steps tell where errors are largest
SHORTEST_MOTION = 4  # steps
FIRST_STEPS = 2, 8  # that are made in quarters too, at the least and at the most,
STEPS_A_FIRST = 50  # one for so many steps of the motion
ROWS_LOOKED_AT = 2  # those with the largest differences of coordinates, where points are
CLOSE_AGAIN = 0.1  # of how far two motions are apart at most
CHECKED = 0.8  # of a difference: as far as the order is checked
LEAST_CHECKED = 8  # steps of the longest kind
ORDER_SEEN = 0.6  # of the order that is counted on: what differences of motions have to show
ORDER_UNSEEN = 1.25  # at the most
ROUNDING = 1e-10  # of the size: differences below show nothing
ASYMPTOTIC_DIFFERENCE = 0.1  # of scales, or of the size: larger ones do not show the order


@dataclass(frozen=True)
class Difference:
    """The largest of a coordinate over its scale, that of a point [m], and the robot's size [m]."""

    coordinate: float
    position: float
    size: float


def time_error(of: Stepped) -> ErrorInTime | None:
    """The estimate for a motion.

    It is compared with the motion in steps four times as long, which costs a quarter of it, and
    both with one in eight times as long ones, whether they show the order. Schemes of first order,
    whose order is the least there is, begin with steps eight times as long; where those do not show
    it, four times as long ones follow, of a small error until the motions were furthest apart.
    Where these are far off, twice as long ones are made too until they have come close again, lest
    a good motion gets a warning. The first steps are made in quarters.
    """
    found, n, order = None, of.motion.done, of.loop.scheme.order
    first, pairs = _first_steps(of), dict[int, Pair]()
    for ratio in _ratios(order, n):
        if (pair := of.longer(ratio, n)) is None:
            continue
        pairs[ratio] = pair
        near, far = _checked(of, pairs, ratio)
        shown = [] if far is None or far is near else [near, far]
        looked = [pair, *shown, *([] if first is None else [first])]
        off = differences(of.loop.system, looked, of.p)
        seen = far is near or (bool(shown) and _shows_order(off[1], off[2], order, ratio))
        found = error_in_time(off[0], of.h, order, ratio)
        fair = found.relative < LARGE_ERROR
        found = found if seen else error_in_time(off[0], of.h, order, ratio, seen)
        if fair and (found.reliable or ratio != FAR_LONGER):
            break
        if ratio != FAR_LONGER:
            n = min(n, pair.between * (_last_apart(pair) + 1))
        elif found.relative < SMALL_ERROR:
            n = min(n, pair.between * (_furthest(pair) + 1))
    if found is None or first is None:
        return found
    return replace(
        found,
        coordinate=max(found.coordinate, off[-1].coordinate),
        position=max(found.position, off[-1].position),
    )


def _ratios(order: float, steps: int) -> list[int]:
    """How much longer steps are, one after the other, for a motion of so many."""
    usual = [x for x in LONGER_STEPS if steps > LEAST_LONGER * x or x == LONGER_STEPS[-1]]
    return [FAR_LONGER, *usual] if order == 1 and steps > LEAST_FAR_LONGER * FAR_LONGER else usual


def _checked(of: Stepped, pairs: dict[int, Pair], ratio: int) -> tuple[Pair, Pair | None]:
    """The part of a pair that shows the order, and the motion beside one in twice as long steps.

    It is looked at until the difference has grown to most of what it gets to: if the order were
    lost later, the estimate would still be less than three times too low. None where the order
    cannot be seen; the pair itself where there is no difference to see. pairs: in longer steps.
    """
    near, double = pairs[ratio], 2 * ratio
    size = float(np.max(near.moving))
    if size <= ROUNDING:  # motors alone, and no point
        return near, near
    if np.max(near.largest) > ASYMPTOTIC_DIFFERENCE:
        return near, None
    grown = max(int(np.argmax(x >= CHECKED * np.max(x))) for x in (near.largest, near.moving))
    rows = lcm(double, of.every)
    steps = max(near.between * grown, LEAST_CHECKED * double)
    steps = min(-(-steps // rows) * rows, of.motion.done)
    far = pairs.get(double) or of.longer(double, steps, size)
    return near.until(steps), far and far.until(steps)


def _shows_order(near: Difference, far: Difference, order: float, ratio: int) -> bool:
    """Whether a motion in twice as long steps is as much further away as the order has it."""
    if near.position <= ROUNDING * near.size:
        return True
    k = ORDER_SEEN * (1 + order) / 2
    least = ((2 * ratio) ** k - 1) / (ratio**k - 1)
    further = far.position >= least * near.position
    return further and far.coordinate >= least * near.coordinate


def _first_steps(of: Stepped) -> Pair | None:
    """The first steps beside quarters of them: longer steps do not show what is too fast for all of
    them."""
    low, high = FIRST_STEPS
    rows = max(1, min(high, max(low, of.motion.done // STEPS_A_FIRST)) // of.every)
    if of.every > high or rows * of.every > of.motion.done:
        return None
    return of.shorter(4, rows)


def has_estimate(loop: SchemeLoop, actuation: Actuation, steps: int, every: int) -> bool:
    """Whether steps of a motion can be doubled, and what is kept of it be compared."""
    fixed = not loop.scheme.adaptive and not actuation.controlled
    return fixed and steps >= max(SHORTEST_MOTION, lcm(2, every))


def _furthest(pair: Pair) -> int:
    """The last row in which a coordinate of two motions is furthest apart, motors or not."""
    return int(max(np.argmax(pair.largest), np.argmax(pair.moving)))


def _last_apart(pair: Pair) -> int:
    """The row from which on two motions stay close, as far as they ever were apart."""
    return int(np.flatnonzero(pair.largest >= CLOSE_AGAIN * np.max(pair.largest))[-1])


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
    return differences(system, [Pair.of(system, a, b)], p)[0]


def differences(system: System, pairs: Sequence[Pair], p: Array) -> list[Difference]:
    """Of several pairs of motions, whose points are looked for together."""
    rows = [np.argsort(pair.moving)[-ROWS_LOOKED_AT:] for pair in pairs]
    both = zip(pairs, rows, strict=True)
    each = [x for pair, k in both for x in (pair.a[k], pair.b[k])]
    points = _points(system, np.concatenate([*each, pairs[0].a[:1]]), p)
    found, first = [], 0
    for pair, k in zip(pairs, rows, strict=True):
        A, B = points[first : first + len(k)], points[first + len(k) : first + 2 * len(k)]
        first += 2 * len(k)
        position, size = _position(A, B, points[-1:], _breadth(system))
        found.append(Difference(float(np.max(pair.largest)), position, size))
    return found


def robot_size(system: System, q: Array, p: Array) -> float:
    """The size of a robot [m] in its motion, rows q: where it has none, how far it moves."""
    points = _points(system, q[[0, -1]], p)
    return _position(points[1:], points[1:], points[:1], _breadth(system))[1]


def _breadth(system: System) -> float:
    """The largest of the solids that the robot carries [m]: of one that is a ball, its size."""
    carried = (x for x in system.robot.shapes if x.frame != "world")
    return max(map(breadth, carried), default=0.0)


def _position(A: Array, B: Array, start: Array, breadth: float) -> tuple[float, float]:
    """The largest distance of points (n, 3, count) of two motions, and the robot's size [m], at
    least a breadth; where it has none, how far it moves from the start."""
    if not start.size:
        return 0.0, 0.0
    off, extent = A - B, np.max(A, axis=2) - np.min(A, axis=2)
    position = float(np.max(np.sum(off**2, axis=1), initial=0.0)) ** 0.5
    size = max(float(np.max(np.sum(extent**2, axis=1), initial=0.0)) ** 0.5, breadth)
    size = size or float(np.linalg.norm(np.ptp(np.concatenate([A, B, start]), axis=(0, 2))))
    return position, size


def _points(system: System, q: Array, p: Array) -> Array:
    """What is drawn of the robot, tips and frames among it: (n, 3, points) [m]."""
    flat = by_columns(system.drawing, q.T, p[:, None])[0]
    count = flat.shape[1] // len(q)
    return np.asarray(flat.reshape(3, len(q), count).transpose(1, 0, 2))
