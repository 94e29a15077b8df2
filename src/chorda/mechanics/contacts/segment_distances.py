"""Where a segment comes closest to a segment, a box or a cylinder: its parameter from 0 to 1.

Half the squared distance of the segment's point from a convex solid is convex in the parameter,
so its slope grows. The slope is a simple function between breakpoints, where the segment's line
crosses the planes and surfaces that bound the solid. Its root therefore lies between the last
breakpoint with a negative slope and the first with a positive one, which needs no sorting. Where
the slope vanishes on a whole interval, since the segment is parallel to a face or passes through
the solid, the middle of that interval is taken: the point of contact is then unique and, for a
segment inside, the push is outwards. A segment that skewers a solid through two opposite flat faces
has its middle midway between them, and may be pushed along itself without leaving.
"""

import casadi as ca

from chorda.mechanics.contacts.placed_shapes import PlacedBox, PlacedCapsule, PlacedCylinder
from chorda.mechanics.contacts.point_distances import TINY, clamped, positive
from chorda.mechanics.frames import SX, Expr

# Of the square of the segment's length: slopes below it are zero, curvatures below it are none.
# The gap changes by less than 1e-12 of that square over the gap.
FLAT = 1e-12
CYLINDER_STEPS = 8  # of Newton; of 100,000 random normals seven leave the worst wrong by 1e-8


def nearest_segment(capsule: PlacedCapsule, other: PlacedCapsule) -> Expr:
    """On the segment inside the other capsule, nearest to that inside a capsule.

    The closest points of the two lines, clamped one after the other (C. Ericson, Real-Time
    Collision Detection, 2005, section 5.1.9).
    Parallel segments are equally far along their common part: the point is then the one that
    faces the middle of the capsule, or the nearest to it.
    """
    own, along = capsule.along, other.along
    apart = ca.sparsify(capsule.start - other.start)
    a, e, b = capsule.squared_length, other.squared_length, ca.dot(own, along)
    c, f = ca.dot(own, apart), ca.dot(along, apart)
    D = a * e - b * b
    s = clamped(0.5 + (b * f - c * e - D / 2) / (D + FLAT * a * e + TINY**3))
    return clamped((b * s + f) / (e + TINY**2))


def nearest_box(box: PlacedBox, q: Expr, e: Expr) -> Expr:
    """On the segment q + t e in the axes of a box, nearest to the inner box.

    The slope is linear between breakpoints, so its root is exact.
    """
    moving = [i for i in range(3) if e[i].nnz()]
    if not moving:
        return SX(0)
    flat = FLAT * ca.sumsqr(e) + TINY**2
    samples = []
    for i in moving:
        inverse = e[i] / (e[i] * e[i] + TINY**2)  # 0 where the segment stays beside the face
        for side in (-1, 1):
            t = (side * box.half[i] - q[i]) * inverse
            others = [j for j in moving if j != i]  # this axis adds nothing at its own face
            slope = sum((e[j] * _outside(q[j] + t * e[j], box.half[j]) for j in others), SX(0))
            samples.append((t, slope))
    low, high = _bracket(samples, flat)
    middle = _frozen((low + high) / 2)
    A, B = flat, flat * middle  # the middle, unless some face is left at an angle
    for i in moving:
        x = q[i] + middle * e[i]
        sign = ca.copysign(1, x)
        active = sign * x > box.half[i]
        A += ca.if_else(active, e[i] * e[i], 0)
        B += ca.if_else(active, e[i] * (sign * box.half[i] - q[i]), 0)
    return clamped(B / A)


def nearest_cylinder(
    cylinder: PlacedCylinder, along: Expr, across: Expr, along_e: Expr, across_e: Expr
) -> Expr:
    """On a segment, given by its start and direction along and across the axis of a cylinder.

    Closed forms, except beside a rim: there the slope has one root in the bracket, is convex or
    concave, and Newton's method, held in the bracket, takes CYLINDER_STEPS.
    """
    a, b, c = ca.sumsqr(across), ca.dot(across, across_e), ca.sumsqr(across_e)
    h, r, e = cylinder.half_length, cylinder.radius, along_e
    abeam = -b / (c + TINY**2)  # where the segment's line passes the axis
    if not e.nnz():
        return clamped(abeam)
    within = positive(r * r - ca.sumsqr(ca.sparsify(across + abeam * across_e)))
    reach = ca.sqrt(within / (c + TINY**2) + TINY**2)  # from there to the surface, if it is met
    flat = FLAT * (e * e + c) + TINY**2

    def radial(t: Expr) -> tuple[Expr, Expr]:
        """Distance from the axis and its slope."""
        distance = ca.sqrt(positive(a + t * (2 * b + t * c)) + TINY**2)
        return distance, (b + t * c) / distance

    samples = []
    for t in (abeam - reach, abeam, abeam + reach):
        # the side adds nothing: the line meets it here, or runs along it
        samples.append((t, e * _outside(along + t * e, h)))
    inverse = e / (e * e + TINY**2)
    for side in (-1, 1):
        t = (side * h - along) * inverse
        distance, slope = radial(t)
        samples.append((t, positive(distance - r) * slope))
    low, high = _bracket(samples, flat)

    def newton(t: Expr) -> Expr:
        end = _outside(along + t * e, h)
        distance, slope = radial(t)
        side = positive(distance - r)
        steep = slope * slope
        curvature = ca.if_else(end * end > 0, e * e, 0) + ca.if_else(side > 0, steep, 0)
        curvature += side * (c - steep) / distance
        return t - (e * end + side * slope) / (curvature + flat)

    t = (low + high) / 2
    for _ in range(CYLINDER_STEPS - 1):
        t = ca.fmin(ca.fmax(newton(t), low), high)
    return clamped(newton(_frozen(t)))


def _outside(x: Expr, half: Expr) -> Expr:
    """How far x lies outside of [-half, half], with its sign."""
    return x - ca.fmin(ca.fmax(x, -half), half)


def _bracket(samples: list[tuple[Expr, Expr]], flat: Expr) -> tuple[Expr, Expr]:
    """Between 0 and 1: the root of a growing function, or the interval where it vanishes.

    Among pairs of t and value, the first t whose value is not negative and the last whose value is
    not positive: they bound the zeros if there are any, and else the only root, in reverse.
    """
    first, last = SX(1), SX(0)
    for t, value in samples:
        first = ca.fmin(first, 1 + ca.if_else(value >= -flat, t - 1, 0))
        last = ca.fmax(last, ca.if_else(value <= flat, t, 0))
    first, last = ca.fmax(first, 0), ca.fmin(last, 1)
    return ca.fmin(first, last), ca.fmax(first, last)


def _frozen(t: Expr) -> Expr:
    """t to 1e-15, without derivatives, by a function of CasADi that has none.

    The last step to a root gives the root's derivatives by itself; those of the search are long
    and add nothing. Only inside a solid, where the middle of an interval is taken, are derivatives
    of gaps those at a point held on the segment: along the normal, as they are outside.
    """
    return ca.floor(t * 2**50) / 2**50
