"""One interval of a rod in motion: how its end moves against its start, and what pulls on it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr, Pose, cross
from chorda.mechanics.rods.magnus import Turning, exponent, exponential

STRETCH = 3


def twist(strains: tuple[int, ...], values: Expr) -> Expr:
    """All six strains as a twist: a rod without load runs along x."""
    xi = SX(6, 1)
    xi[STRETCH] = 1
    for k, strain in enumerate(strains):
        xi[strain] += values[k]
    return xi


def _turned(a: tuple[Expr, ...], b: tuple[Expr, ...]) -> tuple[Expr, Expr, Expr]:
    """a x b and its first two rates, from those of a and b."""
    return (
        cross(a[0], b[0]),
        cross(a[1], b[0]) + cross(a[0], b[1]),
        cross(a[2], b[0]) + 2 * cross(a[1], b[1]) + cross(a[0], b[2]),
    )


class Interval:
    """Functions of the strains at the Gauss points of an interval of length h.

    strains: which of the six occur. X holds them point by point, X1 and X2 their rates. Of a rod
    that is fed, X ends with the rod's length, and h is the interval's part of it.
    """

    def __init__(self, strains: tuple[int, ...], points: int, fed: bool = False) -> None:
        self.size = len(strains) * points + fed
        self.X, self.X1, self.X2 = (SX.sym(name, self.size) for name in ("X", "X1", "X2"))
        self.h = SX.sym("h")
        m = len(strains)
        twists = [twist(strains, self.X[i * m : (i + 1) * m]) for i in range(points)]
        self.omega = ca.sparsify(exponent(twists, self.h * self.X[-1] if fed else self.h))

    @cached_property
    def end(self) -> Pose:
        """The end in the start's frame."""
        return exponential(self.omega)

    def _dot(self, x: Expr) -> Expr:
        by_strain = ca.jtimes(x, self.X, self.X1)
        return ca.sparsify(by_strain + ca.jtimes(x, self.X1, self.X2))

    @cached_property
    def rates(self) -> tuple[Expr, Expr, Expr, Expr]:
        """Spin (angular velocity) and slide (velocity) of the end against the start, in the
        start's axes, and the rates of both."""
        o1 = self._dot(self.omega)
        o2 = self._dot(o1)
        w, w1, w2 = (x[:3] for x in (self.omega, o1, o2))
        v, v1, v2 = (x[3:] for x in (self.omega, o1, o2))
        turn = Turning(w)
        x1, x2 = 2 * ca.dot(w, w1), 2 * (ca.dot(w1, w1) + ca.dot(w, w2))

        def changing(n: int) -> tuple[Expr, Expr, Expr]:
            first = turn.rate(n)
            return turn.f[n], first * x1, turn.second(n) * x1**2 + first * x2

        f2, f3 = changing(2), changing(3)
        c = _turned((w, w1, w2), (v, v1, v2))
        e = _turned((w, w1, w2), c)
        slide = v1 + f2[1] * c[0] + f2[0] * c[1] + f3[1] * e[0] + f3[0] * e[1]
        slide_dot = v2 + f2[2] * c[0] + 2 * f2[1] * c[1] + f2[0] * c[2]
        slide_dot += f3[2] * e[0] + 2 * f3[1] * e[1] + f3[0] * e[2]
        d = cross(w, w1), cross(w, w2)
        g = cross(w, d[0]), cross(w1, d[0]) + cross(w, d[1])
        spin = w1 + f2[0] * d[0] + f3[0] * g[0]
        spin_dot = w2 + f2[1] * d[0] + f2[0] * d[1] + f3[1] * g[0] + f3[0] * g[1]
        spin, slide, spin_dot, slide_dot = map(ca.sparsify, (spin, slide, spin_dot, slide_dot))
        return spin, slide, spin_dot, slide_dot

    @cached_property
    def pose(self) -> Any:
        """(X, h) -> R, p."""
        return ca.Function("pose", [self.X, self.h], ca.cse([self.end.R, self.end.p]))

    @cached_property
    def motion(self) -> Any:
        """(X, X1, X2, h) -> R, p, spin, slide, and the rates of the last two."""
        found = [self.end.R, self.end.p, *self.rates]
        return ca.Function("motion", [self.X, self.X1, self.X2, self.h], ca.cse(found))

    @cached_property
    def moving(self) -> Any:
        """(X, X1, h) -> R, p, spin, slide."""
        found = [self.end.R, self.end.p, *self.rates[:2]]
        return ca.Function("moving", [self.X, self.X1, self.h], ca.cse(found))

    @cached_property
    def turning(self) -> Any:
        """(X, h) -> R, p, and spin and slide for unit rates of the strains (3 x strains each)."""
        spin, slide, _, _ = self.rates
        unit = [ca.jacobian(x, self.X1) for x in (spin, slide)]
        return ca.Function("turning", [self.X, self.h], ca.cse([self.end.R, self.end.p, *unit]))

    @cached_property
    def pull(self) -> Any:
        """(X, h, F, N) -> R, p, and what a wrench at the end does along the rates of the strains.

        F, N: in the start's axes, the moment about the end.
        """
        F, N = SX.sym("F", 3), SX.sym("N", 3)
        spin, slide, _, _ = self.rates
        power = ca.dot(spin, N) + ca.dot(slide, F)
        y = ca.gradient(power, self.X1)
        return ca.Function("pull", [self.X, self.h, F, N], ca.cse([self.end.R, self.end.p, y]))


def carried(x: Mapping[str, Expr], motion: Sequence[Expr]) -> dict[str, Expr]:
    """From the start of an interval to its end, in the base's axes; motion: see `Interval`."""
    R, p, spin, slide, spin_dot, slide_dot = motion
    r, spin, slide = x["R"] @ p, x["R"] @ spin, x["R"] @ slide
    w, w_dot = x["w"], x["w_dot"]
    return {
        "R": x["R"] @ R,
        "p": x["p"] + r,
        "w": w + spin,
        "v": x["v"] + cross(w, r) + slide,
        "w_dot": w_dot + cross(w, spin) + x["R"] @ spin_dot,
        "v_dot": x["v_dot"]
        + cross(w_dot, r)
        + cross(w, cross(w, r))
        + 2 * cross(w, slide)
        + x["R"] @ slide_dot,
    }


def slice_inertia(own: Expr) -> Expr:
    """A slice's moments of inertia in its own axes."""
    return ca.diag(ca.vertcat(own[1] + own[2], own[1], own[2]))


def required(x: Mapping[str, Expr], own: Expr, drag: bool) -> tuple[Expr, Expr, Expr]:
    """Force, moment and kinetic energy of one slice; the air resists each axis by itself."""
    R, mass, inertia = x["R"], own[0], slice_inertia(own)
    w, w_dot, v = R.T @ x["w"], R.T @ x["w_dot"], R.T @ x["v"]
    F, N = mass * x["v_dot"], R @ (inertia @ w_dot + cross(w, inertia @ w))
    if drag:
        F = F + R @ (own[3:6] * v * ca.fabs(v))
    T = mass * ca.sumsqr(x["v"]) / 2 + ca.dot(w, inertia @ w) / 2
    return F + own[6:9], N + own[9:12], T
