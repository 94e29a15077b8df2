"""A tendon that rubs in its sheath: how fast it slides along it, and how its tension falls.

The sheath is a row of short segments, one for each slice that it crosses, with a guide before each
and one behind the last. A guide turns the tendon by half of what the segments on its two sides
bend: between the slices' positions, per length of the rod, by |k x t + t'|, t being the tendon's
direction and k the rod's bends and twist.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.rods.bases import Array
from chorda.mechanics.rods.interval import twist
from chorda.mechanics.rods.scans import NODE
from chorda.mechanics.rods.slices import Slices

STRAIGHT = 1e-30  # squared bend [1/m^2] below which the tendon counts as straight


@dataclass(frozen=True, eq=False)
class RubbingSheath:
    """Functions along one sheath.

    functions, slopes: values of the coordinates' functions at the slices that it crosses, and
    their derivatives by the fraction of the length (slices, coordinates). rest, rest_slope: of
    strains without load (strains x slices). offsets: in the sections' planes with first and second
    derivative (6 x slices). weights: of the slices, by their numbers `at`.
    """

    slices: Slices
    q: Expr
    length: Expr
    functions: Array
    slopes: Array
    rest: Expr
    rest_slope: Expr
    offsets: Expr
    weights: Array
    at: tuple[int, ...]  # numbers of the slices

    @property
    def guides(self) -> int:
        return len(self.weights) + 1

    def speeds(self, v: Expr, beyond: Expr, beyond_rate: Expr, even: Expr) -> Expr:
        """At which the tendon slides over each guide towards its actuator [m/s].

        beyond: length of the cable behind the sheath; even: rate of the cable's even strain [1/s].
        """
        return self._run(self._speeds, v, beyond, beyond_rate, even)

    def pulled(self, mu: Expr, ways: Expr) -> tuple[Expr, Expr, Expr]:
        """For a unit tension where the tendon enters: what of it acts on the sheath's length, as
        the derivative by the coordinates; tension times length; the tension behind the sheath."""
        along, weighted, behind = self._run(self._pulled, mu, ways)
        return along, weighted, behind

    def turning(self) -> tuple[Expr, Expr]:
        """Angle by which the tendon turns in each slice [rad], and its direction there in the
        slice's axes (3 x slices)."""
        turn, along = self._run(self._turning)
        return turn, along

    def _run(self, function: Any, *more: Expr) -> Any:
        given = self.q, self.length, self.rest, self.rest_slope, self.offsets, *more
        return function(*[ca.densify(SX(x)) for x in given])

    @cached_property
    def _slice(self) -> Any:
        """(strains, their slopes, their rates, L, offsets, weight) -> length, its derivative by
        the strains, its rate, the angle by which the tendon turns, and its direction."""
        m = len(self.slices.strains)
        X, X1, rate = (SX.sym(name, m) for name in ("X", "X1", "rate"))
        L, r, w = SX.sym("L"), SX.sym("r", 6), SX.sym("w")
        xi = twist(self.slices.strains, X)
        slope = (twist(self.slices.strains, X1) - twist(self.slices.strains, SX(m, 1))) / L
        at, first, second = (ca.vertcat(SX(1, 1), r[2 * k : 2 * k + 2] / L**k) for k in range(3))
        along = xi[3:] + cross(xi[:3], at) + first
        change = slope[3:] + cross(slope[:3], at) + cross(xi[:3], first) + second
        stretch = ca.sqrt(ca.sumsqr(along))
        t = along / stretch
        bend = cross(xi[:3], t) + (change - t * ca.dot(t, change)) / stretch
        length = w * L * stretch
        by = ca.gradient(length, X)
        turn = w * L * ca.sqrt(ca.fmax(ca.sumsqr(bend), STRAIGHT))
        results = [length, by, ca.dot(by, rate), turn, t]
        given = [X, X1, rate, L, r, w]
        return ca.Function("slice", given, ca.cse([ca.densify(x) for x in results]))

    def _symbols(self) -> tuple[Any, ...]:
        n, m, K = self.q.numel(), len(self.slices.strains), len(self.weights)
        return (
            ca.MX.sym("q", n),
            ca.MX.sym("L"),
            ca.MX.sym("rest", m, K),
            ca.MX.sym("slope", m, K),
            ca.MX.sym("r", 6, K),
        )

    def _spread(self, table: Array) -> Any:
        """The matrix that makes strains, slice by slice, of coordinates."""
        m, K = len(self.slices.strains), len(self.weights)
        full = np.zeros((m * K, self.q.numel()))
        for j, strain in enumerate(self.slices.of):
            full[strain::m, j] = table[:, j]
        return ca.sparsify(ca.DM(full))

    def _along(self, given: tuple[Any, ...], v: Any) -> Any:
        """Rows of lengths, derivatives, rates and turns over the slices."""
        q, L, rest, slope, r = given
        m, K = len(self.slices.strains), len(self.weights)
        values, slopes = self._spread(self.functions), self._spread(self.slopes)
        X = ca.reshape(values @ q, m, K) + rest
        X1 = ca.reshape(slopes @ q, m, K) + slope
        rate = ca.reshape(values @ v, m, K)
        return self._slice.map(K)(X, X1, rate, ca.repmat(L, 1, K), r, ca.DM(self.weights).T)

    @cached_property
    def _speeds(self) -> Any:
        given, v = self._symbols(), ca.MX.sym("v", self.q.numel())
        beyond, beyond_rate, even = (ca.MX.sym(x) for x in ("beyond", "rate", "even"))
        length, _, rate, _, _ = self._along(given, v)
        past = beyond + _from_the_end(length)
        speeds = -(beyond_rate + _from_the_end(rate)) + past * even
        return ca.Function("rod_sliding", [*given, v, beyond, beyond_rate, even], [speeds.T], NODE)

    @cached_property
    def _turning(self) -> Any:
        given = self._symbols()
        *_, turn, along = self._along(given, ca.DM.zeros(self.q.numel()))
        return ca.Function("rod_turning", [*given], [turn.T, along], NODE)

    @cached_property
    def _pulled(self) -> Any:
        given, mu = self._symbols(), ca.MX.sym("mu")
        ways = ca.MX.sym("ways", self.guides)
        length, by, _, turn, _ = self._along(given, ca.DM.zeros(self.q.numel()))
        halves = turn / 2
        turns = ca.horzcat(halves, 0) + ca.horzcat(0, halves)
        ratios = ca.exp(-mu * ca.cumsum(turns * ways.T, 1))
        inside = ratios[:-1]
        pulled = ca.vec(by * ca.repmat(inside, by.shape[0], 1))
        along = self._spread(self.functions).T @ pulled
        results = [along, ca.dot(inside, length), ratios[-1]]
        return ca.Function("rod_rubbing", [*given, mu, ways], results, NODE)


def _from_the_end(row: Any) -> Any:
    """Sums over each entry and all behind it, and 0."""
    whole = ca.sum2(row)
    return ca.horzcat(whole, whole - ca.cumsum(row, 1))
