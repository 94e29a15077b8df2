"""Clearance of a point from the wall of a bent tube that it is inside of."""

from math import cos, sin

import casadi as ca

from chorda.describe.bent_lines import Piece
from chorda.mechanics.contacts.placed_shapes import PlacedBore
from chorda.mechanics.contacts.point_distances import TINY, Clearance, clamped, guarded_length
from chorda.mechanics.frames import SX, Expr

ELSEWHERE = 1e6  # [m^2] stands for the distance from an arc that a point is not beside


def from_wall(bore: PlacedBore, point: Expr) -> Clearance:
    """Negative beyond the wall; the normal points to the line in its middle.

    Beyond the open ends the wall curves away with the radius of the bore, so that what leaves it
    lets go smoothly: there the distance is right to the first order of the depth.
    """
    R, origin = SX(bore.pose.R), SX(bore.pose.p)
    x = ca.sparsify(R.T @ ca.sparsify(point - origin))
    best, offset = SX(ELSEWHERE**2), SX(3, 1)
    for piece in bore.pieces:
        own, away = _beside_arc(piece, x) if piece.centre is not None else _beside(piece, x)
        nearer = own < best
        best, offset = ca.if_else(nearer, own, best), ca.if_else(nearer, away, offset)
    flare, square = SX(0), SX(1)  # of the slope: that of the offset's length is 1, and across
    ends = (bore.pieces[0].start, bore.pieces[0].end), (bore.pieces[-1].end, bore.pieces[-1].start)
    slope = SX(3, 1)
    for mouth, inside in ends:
        out = ca.DM(mouth - inside) / float(ca.norm_2(ca.DM(mouth - inside)))
        beyond = ca.dot(out, x - ca.DM(mouth))
        outside = ca.logic_and(beyond > 0, ca.sumsqr(x - ca.DM(mouth)) < 1.0001 * best + TINY)
        over = ca.if_else(outside, beyond, 0)
        offset -= over * out
        flare += over * over / (2 * bore.radius)
        slope += over / bore.radius * out
        square += (over / bore.radius) ** 2
    length = guarded_length(offset)
    slope -= offset / length
    steep = ca.sqrt(square)
    return Clearance((bore.radius + flare - length) / steep, ca.sparsify(R @ (slope / steep)))


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
