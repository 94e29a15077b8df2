"""Signed distance of a point from a solid, and the direction in which it grows fastest.

Lengths are guarded by TINY, so that they have two finite derivatives where they vanish; a guarded
length is at most TINY too long.
"""

from dataclasses import dataclass

import casadi as ca

from chorda.mechanics.contacts.placed_shapes import PlacedBox, PlacedCapsule, PlacedCylinder
from chorda.mechanics.frames import SX, Expr

TINY = 1e-10  # [m]
NUDGE = 1e-13  # share of the nearest face in the normal at a point inside [m]


@dataclass(frozen=True, eq=False)
class Clearance:
    """Of a point from a solid: negative inside."""

    distance: Expr  # [m]
    normal: Expr  # (3), unit vector out of the solid


def guarded_length(x: Expr) -> Expr:
    """|x|, at least TINY."""
    return ca.sqrt(ca.sumsqr(x) + TINY**2)


def inverse(x: Expr) -> Expr:
    """1 / x as a factor.

    CasADi makes a division of every product with 1 / x, and so of every direction of a derivative.
    Divisions take a processor several times as long as products. What is 2 over 2 x stays a factor.
    """
    return 2 / (2 * x)


def length_and_inverse(square: Expr) -> tuple[Expr, Expr]:
    """The root of a square that is not zero, and 1 over it."""
    length = ca.sqrt(square)
    return length, inverse(length)


def positive(x: Expr) -> Expr:
    """max(x, 0); at 0 its slope is 0, and its derivatives are shorter than those of fmax."""
    return ca.if_else(x > 0, x, 0)


def clamped(t: Expr) -> Expr:
    """t between 0 and 1; constant where it is held, ends included."""
    return ca.if_else(ca.logic_and(t > 0, t < 1), t, 0) + (t >= 1)


def from_point(offset: Expr) -> Clearance:
    """Of a point at an offset from another; the normal vanishes where the two coincide."""
    length, inverse = length_and_inverse(ca.sumsqr(offset) + TINY**2)
    return Clearance(length, offset * inverse)


def from_segment(capsule: PlacedCapsule, point: Expr) -> Clearance:
    """Of a point from the segment inside a capsule."""
    along, offset = capsule.along, ca.sparsify(point - capsule.start)
    factor = inverse(capsule.squared_length + TINY**2)
    t = clamped(ca.dot(offset, along) * factor)
    return from_point(ca.sparsify(offset - t * along))


def in_box(box: PlacedBox, point: Expr) -> Expr:
    """A point in the axes of a box."""
    return ca.sparsify(box.R.T @ ca.sparsify(point - box.centre))


def from_box(box: PlacedBox, q: Expr) -> Clearance:
    """Of a point in the axes of a box, from the inner box.

    An axis along which the point never leaves the box's middle is left out: in a planar robot a
    box pushes within the plane, however thin it is across.
    """
    axes = [i for i in range(3) if q[i].nnz()] or [0, 1, 2]
    signs = [ca.copysign(1, q[i]) for i in axes]
    beyond = [sign * q[i] - box.half[i] for sign, i in zip(signs, axes, strict=True)]
    distance, weights = _beyond_faces(beyond)
    normal = SX(3, 1)
    for i, sign, weight in zip(axes, signs, weights, strict=True):
        normal[i] = sign * weight
    return Clearance(distance, ca.sparsify(box.R @ normal))


def in_cylinder(cylinder: PlacedCylinder, vector: Expr) -> tuple[Expr, Expr]:
    """A vector's part along the axis of a cylinder, and its part across (3)."""
    along = ca.sparsify(ca.dot(cylinder.axis, vector))
    return along, ca.sparsify(vector - along * cylinder.axis)


def from_cylinder(cylinder: PlacedCylinder, along: Expr, across: Expr) -> Clearance:
    """Of a point with an offset along and across the axis, counted from the centre.

    Where the offset along the axis is structurally zero the flat ends are left out, as in a
    planar robot with discs.
    """
    radial = guarded_length(across)
    outward = across / radial
    side = radial - cylinder.radius
    if not along.nnz():
        return Clearance(side, outward)
    sign = ca.copysign(1, along)
    distance, (end, rim) = _beyond_faces([sign * along - cylinder.half_length, side])
    return Clearance(distance, ca.sparsify(end * sign * cylinder.axis + rim * outward))


def _beyond_faces(beyond: list[Expr]) -> tuple[Expr, list[Expr]]:
    """Distance from a convex corner of perpendicular faces, and the faces' shares in the normal.

    `beyond` holds the signed distances from the faces; inside, the nearest face counts. With the
    largest of them m and the sum S of the squares of the positive ones the distance outside is
    sqrt(S) = m + (S - m^2) / (sqrt(S) + m). So written it continues as m to the inside, and on a
    face, where S = m^2, no root is guarded.
    """
    if len(beyond) == 1:
        return beyond[0], [SX(1)]
    out = [positive(x) for x in beyond]
    most = beyond[0]
    for x in beyond[1:]:
        most = ca.fmax(most, x)
    S = sum(x * x for x in out)
    distance = most + (S - positive(most) ** 2) / (ca.sqrt(S + TINY**2) + ca.fabs(most))
    shares = [x + NUDGE * (y >= most) for x, y in zip(out, beyond, strict=True)]
    total = ca.sqrt(sum(x * x for x in shares))
    return distance, [x / total for x in shares]
