"""Clearance of a point from the wall of a bent tube that it is inside of."""

from math import cos, sin

import casadi as ca
import numpy as np

from chorda.describe.bent_lines import Piece
from chorda.mechanics.contacts.placed_shapes import PlacedBore
from chorda.mechanics.contacts.point_distances import (
    TINY,
    Clearance,
    clamped,
    length_and_inverse,
    positive,
)
from chorda.mechanics.frames import SX, Expr

ELSEWHERE = 1e6  # [m^2] stands for the distance from an arc that a point is not beside


def from_wall(bore: PlacedBore, point: Expr) -> Clearance:
    """Negative beyond the wall; the normal is its gradient, and points to the line in the middle.

    The wall is that of a block through which the bore is drilled. Its mouth is rounded with the
    radius of the bore, so that what leaves it lets go smoothly: beyond the last point of the line
    the wall is a quarter of a ring, and then the flat face of the block, one radius further out.
    """
    R, origin = SX(bore.pose.R), SX(bore.pose.p)
    x = ca.sparsify(R.T @ ca.sparsify(point - origin))
    first, last = bore.pieces[0], bore.pieces[-1]
    mouths = ((first, first.start, first.end), (last, last.end, last.start))
    out = [ca.DM((end - other) / np.linalg.norm(end - other)) for _, end, other in mouths]
    best, offset, past = SX(ELSEWHERE**2), SX(3, 1), SX(2, 1)
    for piece in bore.pieces:
        own, away = _beside_arc(piece, x) if piece.centre is not None else _beside(piece, x)
        nearer = own < best
        ahead = [
            positive(ca.dot(way, x - ca.DM(end))) if piece is at else SX(0)
            for (at, end, _), way in zip(mouths, out, strict=True)
        ]
        best, offset = ca.if_else(nearer, own, best), ca.if_else(nearer, away, offset)
        past = ca.if_else(nearer, ca.vertcat(*ahead), past)
    along = ca.horzcat(*out) @ past
    across = offset - along
    length, inverse = length_and_inverse(ca.sumsqr(across) + TINY**2)
    inward, inside = -across * inverse, 2 * bore.radius - length  # of the middle of the ring
    over, rest = past[0] + past[1], positive(inside)
    reach, inverse = length_and_inverse(over * over + rest * rest + TINY**2)
    distance = ca.if_else(over > 0, reach, inside) - bore.radius
    normal = ca.if_else(over > 0, (along + rest * inward) * inverse, inward)
    return Clearance(distance, ca.sparsify(R @ normal))


def _beside(piece: Piece, x: Expr) -> tuple[Expr, Expr]:
    """Square of the distance from a straight piece, and the offset from it."""
    start, way = ca.DM(piece.start), ca.DM(piece.end - piece.start)
    offset = x - start
    t = clamped(ca.dot(offset, way) / float(ca.sumsqr(way)))
    away = offset - t * way
    return ca.sumsqr(away), away


def _beside_arc(piece: Piece, x: Expr) -> tuple[Expr, Expr]:
    """The same for an arc; straight pieces follow on both ends of it."""
    assert piece.centre is not None
    assert piece.outward is not None
    assert piece.along is not None
    offset = x - ca.DM(piece.centre)
    a, b = ca.dot(ca.DM(piece.outward), offset), ca.dot(ca.DM(piece.along), offset)
    radius = float(ca.norm_2(ca.DM(piece.start - piece.centre)))
    scale = radius / ca.sqrt(a * a + b * b + TINY**2)
    away = offset - scale * (a * ca.DM(piece.outward) + b * ca.DM(piece.along))
    past = a * sin(piece.sweep) - b * cos(piece.sweep)
    beside = ca.logic_and(b >= 0, past >= 0)
    return ca.if_else(beside, ca.sumsqr(away), ELSEWHERE), away
