"""Tendons inside a rod: the length of a sheath, from the strains of the slices that it crosses."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import Rod, Sheath
from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.bases import Array
from chorda.mechanics.rods.folds import OPEN, Slices, plain
from chorda.mechanics.rods.grid import SAME, Grid


@dataclass(frozen=True)
class Laid:
    """A sheath on a grid: places in the sections' planes (2 x slices), their slope over the share
    of the length, and which slices it crosses."""

    name: str
    place: Expr
    slope: Expr
    crosses: Array  # 1 or 0


def lay_sheath(name: str, sheath: Sheath, rod: Rod, grid: Grid, par: Parameters) -> Laid:
    """Offsets of a sheath at the slices, in symbols."""
    y, z = (
        [
            SX(0) if c == 0 else par.scalar(f"{name}.{axis}{k}", c, "m", signed=True)
            for k, c in enumerate(coefficients)
        ]
        for axis, coefficients in (("y", sheath.y), ("z", sheath.z))
    )
    places, slopes = [], []
    for x in grid.ends:
        flat = ca.vertcat(_at(y, x), _at(z, x))
        slope = ca.vertcat(_slope(y, x), _slope(z, x))
        turn, rate = 2 * math.pi * sheath.turns * x, 2 * math.pi * sheath.turns
        c, s = math.cos(turn), math.sin(turn)
        R = SX(ca.sparsify(ca.DM([[c, -s], [s, c]]))) if rate else SX.eye(2)
        places.append(R @ flat)
        slopes.append(R @ (slope + rate * ca.vertcat(-flat[1], flat[0])))
    start = sheath.start / rod.length
    end = 1.0 if sheath.end is None else sheath.end / rod.length
    inside = (grid.ends > start + SAME) & (grid.ends < end + SAME)
    return Laid(name, ca.horzcat(*places), ca.horzcat(*slopes), inside.astype(float))


def _at(coefficients: list[Expr], x: float) -> Expr:
    return sum((c * x**k for k, c in enumerate(coefficients)), SX(0))


def _slope(coefficients: list[Expr], x: float) -> Expr:
    return sum((k * c * x ** (k - 1) for k, c in enumerate(coefficients) if k), SX(0))


def lengths(slices: Slices, sheaths: Sequence[Laid], at_ends: Array) -> Any:
    """(q, L, rest, places and slopes (4 sheaths x slices)) -> length of each sheath [m].

    The integral of |e + k x r + dr/ds| over the rod; rest: the strains without load at the slices,
    at_ends: the coordinates' functions there (slices, coordinates).
    """
    m, K, n = len(slices.strains), slices.intervals, slices.count
    q, L, row, rest = SX.sym("q", n), SX.sym("L"), SX.sym("phi", n), SX.sym("rest", m)
    places, share = SX.sym("r", 4 * len(sheaths)), SX.sym("share", len(sheaths))
    xi = slices.twist(ca.vertcat(*[_sum(slices, q, row, k) for k in range(m)]) + rest)
    pieces = []
    for i in range(len(sheaths)):
        y, z, y1, z1 = ca.vertsplit(places[4 * i : 4 * i + 4])
        r, slope = ca.vertcat(SX(1, 1), y, z), ca.vertcat(SX(1, 1), y1, z1)
        along = xi[3:] + cross(xi[:3], r) + slope / L
        pieces.append(share[i] * L * ca.sqrt(ca.sumsqr(along)))
    piece = ca.Function("piece", [q, L, row, rest, places, share], ca.cse([ca.vertcat(*pieces)]))
    shares = np.array([x.crosses for x in sheaths]) * slices.grid.weights
    Q, length = ca.MX.sym("q", n), ca.MX.sym("L")
    Rest, Places = ca.MX.sym("rest", m, K), ca.MX.sym("r", 4 * len(sheaths), K)
    each = piece.map(K)(
        ca.repmat(Q, 1, K), ca.repmat(length, 1, K), at_ends.T, Rest, Places, ca.DM(shares)
    )
    return ca.Function(
        f"{plain(slices.name)}_sheaths", [Q, length, Rest, Places], [ca.sum2(each)], OPEN
    )


def _sum(slices: Slices, q: Expr, row: Expr, strain: int) -> Expr:
    return sum((row[k] * q[k] for k, of in enumerate(slices.of) if of == strain), SX(0))
