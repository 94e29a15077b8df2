"""Where a segment comes closest to a segment, a box or a cylinder: its parameter from 0 to 1.

Half the squared distance of the segment's point from a convex solid is convex in the parameter,
so its slope grows. The slope is a simple function between breakpoints, where the segment's line
crosses the planes and surfaces that bound the solid. Its root therefore lies between the last
breakpoint with a negative slope and the first with a positive one, which needs no sorting. Where
the slope vanishes on a whole interval, since the segment is parallel to a face or passes through
the solid, the middle of that interval is taken: the point of contact is then unique and, for a
segment inside, the push is outwards. A segment that skewers a solid through two opposite flat faces
has its middle midway between them, and may be pushed along itself without leaving.

What lies on a line touches at one point, which a tilt would throw from end to end. Of shapes that
overlap the point therefore moves gradually, as if the segment were higher in its middle than at its
ends by CROWN times the depth: it is the mean of the nearest points over all tilts by which such a
crown could be rolled, one way and the other. A slope of half the squared distance stands for a
tilt. Where the nearest point is sharp, the mean is that point.
"""

from collections.abc import Callable
from math import inf

import casadi as ca

from chorda.mechanics.contacts.placed_shapes import PlacedBox, PlacedCapsule, PlacedCylinder
from chorda.mechanics.contacts.point_distances import TINY, clamped, inverse, positive
from chorda.mechanics.frames import SX, Expr

# Of the square of the segment's length: slopes below it are zero, curvatures below it are none.
# The gap changes by less than 1e-12 of that square over the gap.
FLAT = 1e-12
STEADY = 1e-9  # likewise, where a mean of two points needs digits
CROWN = 0.1  # height of a crown, in depths of the overlap
DEEPEST = 0.02  # of the radii: a depth from which on a crown grows no more
# Of Newton, to a root and to a level: of 100,000 random normals they leave none wrong by 1e-9.
CYLINDER_STEPS = 7, 4

Sample = tuple[Expr, Expr]  # a parameter, and the slope there
Slope = Callable[[Expr], tuple[Expr, Expr]]  # at a parameter, and how it grows there


def nearest_segment(capsule: PlacedCapsule, other: PlacedCapsule) -> Expr:
    """On the segment inside the other capsule, nearest to that inside a capsule.

    The closest points of the two lines, clamped one after the other (C. Ericson, Real-Time
    Collision Detection, 2005, section 5.1.9), counted from their middles. Of parallel segments it
    is the middle of their common part.
    """
    own, along = capsule.along, other.along
    apart = ca.sparsify(capsule.start - other.start + (own - along) / 2)
    a, e, b = capsule.squared_length, other.squared_length, ca.dot(own, along)
    c, f = ca.dot(own, apart), ca.dot(along, apart)
    D = a * e - b * b
    per_D, per_a, per_e = (
        inverse(x) for x in (D + FLAT * a * e + TINY**3, a + TINY**2, e + TINY**2)
    )

    def facing(t: Expr) -> Expr:
        return clamped(0.5 + (b * (t - 0.5) - c) * per_a)

    def nearest(slope: Expr | float) -> Expr:
        """Where half the squared distance has such a slope."""
        more = f + slope
        s = clamped(0.5 + (b * more - c * e) * per_D)
        return clamped(0.5 + (b * (s - 0.5) + more) * per_e)

    t = nearest(0.0)
    square = ca.sumsqr(ca.sparsify(apart + (facing(t) - 0.5) * own - (t - 0.5) * along))
    half = 0.5 * ca.fmin(1, ca.sqrt(a * per_e)) + TINY
    crown = 2 * _crown(square, capsule.radius + other.radius) / half
    level = ca.fmax(crown - half * D * per_a, STEADY * e) + TINY**2  # crossing needs none
    first, last = nearest(-level), nearest(level)
    middle, gain = _frozen((first + last) / 2), _frozen((last - first) / (2 * level))
    return clamped(middle - gain * (e * (middle - 0.5) - b * (facing(middle) - 0.5) - f))


def nearest_box(box: PlacedBox, q: Expr, e: Expr, reach: Expr) -> Expr:
    """On the segment q + t e in the axes of a box, nearest to the inner box.

    The slope is linear between breakpoints, so its roots are exact. reach: the sum of the radii.
    """
    moving = [i for i in range(3) if e[i].nnz()]
    if not moving:
        return SX(0)
    samples, nearest, half = list[Sample](), SX(inf), SX(0.5)
    for i in moving:
        slower = e[i] / (e[i] * e[i] + TINY**2)  # 0 where the segment stays beside the face
        half = ca.fmin(half, box.half[i] / (ca.fabs(e[i]) + TINY))
        for side in (-1, 1):
            t = _within((side * box.half[i] - q[i]) * slower, 0, 1)
            beyond = [_outside(q[j] + t * e[j], box.half[j]) for j in range(3)]
            nearest = ca.fmin(nearest, sum(x * x for x in beyond))
            samples.append((t, sum((e[j] * beyond[j] for j in moving), SX(0))))

    def slope(t: Expr) -> tuple[Expr, Expr]:
        """And how it grows."""
        slope, curvature = SX(0), SX(0)
        for i in moving:
            x = q[i] + t * e[i]
            sign = ca.copysign(1, x)
            active = sign * x > box.half[i]
            slope += ca.if_else(active, e[i] * (x - sign * box.half[i]), 0)
            curvature += ca.if_else(active, e[i] * e[i], 0)
        return slope, curvature

    level = ca.fmax(2 * _crown(nearest, reach) / half, FLAT * ca.sumsqr(e)) + TINY**2
    return _mean(samples, slope, level, (1, 1))


def nearest_cylinder(
    cylinder: PlacedCylinder,
    along: Expr,
    across: Expr,
    along_e: Expr,
    across_e: Expr,
    reach: Expr,
) -> Expr:
    """On a segment, given by its start and direction along and across the axis of a cylinder.

    Beside a rim the slope is convex or concave between breakpoints, and Newton's method, held
    there, takes CYLINDER_STEPS.
    """
    a, b, c = ca.sumsqr(across), ca.dot(across, across_e), ca.sumsqr(across_e)
    h, r, e = cylinder.half_length, cylinder.radius, along_e
    abeam = -b / (c + TINY**2)  # where the segment's line passes the axis
    if not e.nnz():
        return clamped(abeam)
    within = positive(r * r - ca.sumsqr(ca.sparsify(across + abeam * across_e)))
    chord = ca.sqrt(within / (c + TINY**2) + TINY**2)  # from there to the surface, if it is met
    slower = e / (e * e + TINY**2)

    def beyond(t: Expr) -> tuple[Expr, Expr, Expr, Expr]:
        """Of the ends and the side; 1 over the distance from the axis, and its slope."""
        distance = ca.sqrt(positive(a + t * (2 * b + t * c)) + TINY**2)
        per = inverse(distance)
        return _outside(along + t * e, h), positive(distance - r), per, (b + t * c) * per

    samples, nearest = list[Sample](), SX(inf)
    for t in (abeam - chord, abeam, abeam + chord, *((x - along) * slower for x in (-h, h))):
        t = _within(t, 0, 1)
        end, side, _, radial = beyond(t)
        nearest = ca.fmin(nearest, end * end + side * side)
        samples.append((t, e * end + side * radial))

    def slope(t: Expr) -> tuple[Expr, Expr]:
        end, side, per, radial = beyond(t)
        steep = radial * radial
        curvature = ca.if_else(end * end > 0, e * e, 0) + ca.if_else(side > 0, steep, 0)
        return e * end + side * radial, curvature + side * (c - steep) * per

    half = ca.fmin(ca.fmin(h / (ca.fabs(e) + TINY), r / (ca.sqrt(c) + TINY)), 0.5)
    level = ca.fmax(2 * _crown(nearest, reach) / half, FLAT * (e * e + c)) + TINY**2
    return _mean(samples, slope, level, CYLINDER_STEPS)


def _outside(x: Expr, half: Expr) -> Expr:
    """How far x lies outside of [-half, half], with its sign."""
    return x - _within(x, -half, half)


def _within(x: Expr, low: Expr | float, high: Expr | float) -> Expr:
    return ca.fmin(ca.fmax(x, low), high)


def _crown(square: Expr, reach: Expr) -> Expr:
    """A crown's height times the distance, which has this square. reach: the sum of the radii."""
    distance = ca.sqrt(square + TINY**2)
    depth = ca.fmin(positive(reach - distance), DEEPEST * reach)
    return CROWN * distance * depth


def _mean(samples: list[Sample], slope: Slope, level: Expr, steps: tuple[int, int]) -> Expr:
    """The mean of the points at which a growing slope has the values from -level to level.

    From their middle it is as far as the slope there is from zero, for a slope that is constant or
    linear; its root, where both are between the same breakpoints.
    """

    def bracket(value: Expr) -> tuple[Expr, Expr]:
        low, high = SX(0), SX(1)
        for t, own in samples:
            low = ca.fmax(low, ca.if_else(own <= value, t, 0))
            high = ca.fmin(high, ca.if_else(own >= value, t, 1))
        return low, high

    def root(value: Expr, between: tuple[Expr, Expr], start: float, steps: int) -> Expr:
        low, high = between
        t = low + start * (high - low)
        for _ in range(steps):
            own, curvature = slope(t)
            t = _within(t - (own - value) / (curvature + TINY**2), low, high)
        return t

    below, above = bracket(-level), bracket(level)
    to_root, to_level = steps
    first, last = root(-level, below, 0.99, to_level), root(level, above, 0.01, to_level)
    sharp = ca.logic_and(below[0] == above[0], below[1] == above[1])
    middle, half = (first + last) / 2, _frozen((last - first) / 2)
    middle = _frozen(ca.if_else(sharp, root(SX(0), below, 0.5, to_root), middle))
    own, curvature = slope(middle)
    moved = _within(_frozen(half / level) * own, -half, half)
    return clamped(middle - ca.if_else(sharp, own / (curvature + TINY**2), moved))


def _frozen(t: Expr) -> Expr:
    """t to 1e-15, without derivatives, by a function of CasADi that has none.

    The last step to a root gives the root's derivatives by itself; those of the search are long
    and add nothing. Only where the middle of an interval is taken, derivatives of gaps are those at
    a point held on the segment: along the normal, as they are outside.
    """
    return ca.floor(t * 2**50) / 2**50
