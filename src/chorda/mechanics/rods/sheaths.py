"""Tendons inside a rod: the length of a sheath, from the strains of the slices that it crosses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.describe import Rod, Sheath
from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.bases import Array, polynomial
from chorda.mechanics.rods.grid import SAME_POINT, Grid
from chorda.mechanics.rods.interval import twist
from chorda.mechanics.rods.scan import columns, total
from chorda.mechanics.rods.scans import NODE
from chorda.mechanics.rods.slices import Slices


@dataclass(frozen=True)
class Laid:
    """A sheath on a grid: offsets in the sections' planes (2 x slices), their slope over the
    fraction of the length, and which slices it crosses."""

    name: str
    offset: Expr
    slope: Expr
    crosses: Array  # 1 or 0


Curve = Callable[[float | Expr], tuple[Expr, Expr, Expr]]


def sheath_curve(name: str, sheath: Sheath, par: Parameters) -> Curve:
    """Offset of a sheath in the section's plane (2), its slope and the slope's slope, over the
    fraction x of the rod's length."""
    y, z = (polynomial(f"{name}.{k}", getattr(sheath, k), "m", par) for k in "yz")
    rate = 2 * math.pi * sheath.turns

    def at(x: float | Expr) -> tuple[Expr, Expr, Expr]:
        flat = ca.vertcat(y.at(x), z.at(x))
        slope = ca.vertcat(y.slope(x), z.slope(x))
        bend = ca.vertcat(y.bend(x), z.bend(x))
        if not rate:
            return flat, slope, bend
        c, s = ca.cos(rate * x), ca.sin(rate * x)
        R = ca.sparsify(ca.vertcat(ca.horzcat(SX(c), -s), ca.horzcat(SX(s), c)))
        turned = slope + rate * _quarter(flat)
        further = bend + 2 * rate * _quarter(slope) - rate**2 * flat
        return R @ flat, R @ turned, R @ further

    return at


def _quarter(x: Expr) -> Expr:
    """Turned by 90 degrees."""
    return ca.vertcat(-x[1], x[0])


def crossed_slices(sheath: Sheath, rod: Rod, grid: Grid) -> Array:
    """Which slices a sheath crosses: 1 or 0."""
    start = sheath.start / rod.length
    end = 1.0 if sheath.end is None else sheath.end / rod.length
    inside = (grid.ends > start + SAME_POINT) & (grid.ends < end + SAME_POINT)
    return inside.astype(float)


def lay_sheath(name: str, sheath: Sheath, rod: Rod, grid: Grid, curve: Curve) -> Laid:
    """Offsets of a sheath at the slices, in symbols."""
    offsets, slopes, _ = zip(*(curve(float(x)) for x in grid.ends), strict=True)
    return Laid(name, ca.horzcat(*offsets), ca.horzcat(*slopes), crossed_slices(sheath, rod, grid))


class Lengths:
    """Sums over the slices for all sheaths of a rod.

    The length of a sheath is the integral of |e + k x r + dr/ds| over the rod. at_ends: the
    coordinates' functions at the slices (slices, coordinates).
    """

    def __init__(self, slices: Slices, sheaths: Sequence[Laid], at_ends: Array) -> None:
        self.slices, self.count, self.at_ends = slices, len(sheaths), at_ends
        self.weights = np.array([x.crosses for x in sheaths]) * slices.grid.weights
        m, n = len(slices.strains), slices.count
        self.q, self.row, self.rest = SX.sym("q", n), SX.sym("phi", n), SX.sym("rest", m)
        self.L, self.offsets = SX.sym("L"), SX.sym("r", 4 * self.count)
        self.weight = SX.sym("weight", self.count)
        self.strain = SX.sym("X", m)
        xi = twist(slices.strains, self.strain)
        pieces = []
        for i in range(self.count):
            y, z, y1, z1 = ca.vertsplit(self.offsets[4 * i : 4 * i + 4])
            r, slope = ca.vertcat(SX(1, 1), y, z), ca.vertcat(SX(1, 1), y1, z1)
            along = xi[3:] + cross(xi[:3], r) + slope / self.L
            pieces.append(self.weight[i] * self.L * ca.sqrt(ca.sumsqr(along)))
        self.pieces = ca.vertcat(*pieces)

    def _sum(self, name: str, extra: list[Expr], result: Expr) -> Any:
        """(q, L, rest, offsets, extra...) -> the sum of a result over the slices."""
        s, K = self.slices, self.slices.intervals
        now = ca.vertcat(*[_strain(s, self.q, self.row, k) for k in range(len(s.strains))])
        result = ca.substitute(result, self.strain, now + self.rest)
        arguments = [self.q, self.L, *extra, self.row, self.rest, self.offsets, self.weight]
        each = ca.Function("each", arguments, ca.cse([ca.densify(result)]))
        free = [ca.MX.sym(x.name() if x.is_scalar() else "x", x.numel()) for x in arguments]
        shared = free[: 2 + len(extra)]
        rest = ca.MX.sym("rest", self.rest.numel(), K)
        offsets = ca.MX.sym("offsets", self.offsets.numel(), K)
        along = [columns(x) for x in (ca.DM(self.at_ends.T), rest, offsets, ca.DM(self.weights))]
        parts = [each(*shared, *mine) for mine in zip(*along, strict=True)]
        arguments = [shared[0], shared[1], rest, offsets, *shared[2:]]
        return ca.Function(f"rod_{name}", arguments, [total(parts)], NODE)

    def lengths(self) -> Any:
        """(q, L, rest, offsets and slopes (4 sheaths x slices)) -> length of each sheath [m]."""
        return self._sum("sheaths", [], self.pieces)

    def tightness(self) -> Any:
        """(q, L, rest, offsets, tensions) -> d2(tensions . lengths)/dq2, as a column."""
        t = SX.sym("t", self.count)
        H = ca.hessian(ca.dot(t, self.pieces), self.strain)[0]
        of = list(self.slices.of)
        return self._sum("tightness", [t], ca.vec(H[of, of] * (self.row @ self.row.T)))


def _strain(slices: Slices, q: Expr, row: Expr, strain: int) -> Expr:
    return sum((row[k] * q[k] for k, of in enumerate(slices.of) if of == strain), SX(0))
