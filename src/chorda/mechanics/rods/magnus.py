"""One interval of a rod: its end against its start, from the strains at its Gauss points.

g' = g xi(s) is solved by g(h) = g(0) exp(Omega), Omega by Magnus [Iserles2000]; for this order of
the factors its brackets have the opposite sign of those for Y' = A Y. Twists are angular first.
"""

import math

import casadi as ca

from chorda.mechanics.frames import SX, Expr, Pose, cross

SERIES_TERMS = 10  # of the series below: exact to rounding for half a circle an interval


def bracket(a: Expr, b: Expr) -> Expr:
    """The commutator of two twists."""
    turn = cross(a[:3], b[:3])
    return ca.vertcat(turn, cross(a[:3], b[3:]) - cross(b[:3], a[3:]))


def exponent(xi: list[Expr], h: Expr) -> Expr:
    """Omega over a length h, of order 4 from two strains or of order 6 from three."""
    if len(xi) == 2:
        return h / 2 * (xi[0] + xi[1]) + math.sqrt(3) / 12 * h**2 * bracket(xi[0], xi[1])
    a1 = h * xi[1]
    a2 = math.sqrt(15) / 3 * h * (xi[2] - xi[0])
    a3 = 10 / 3 * h * (xi[2] - 2 * xi[1] + xi[0])
    c1 = -bracket(a1, a2)
    c2 = bracket(a1, 2 * a3 + c1) / 60
    return a1 + a3 / 12 - bracket(-20 * a1 - a3 + c1, a2 + c2) / 240


class Turning:
    """Factors of exp for a turn w: f1 = sin(t)/t, f2 = (1 - cos t)/t^2, f3 = (t - sin t)/t^3 ...

    With x = t^2 they are sums of (-x)^k / (2 k + n)!, without a singularity at t = 0; f_n = 1/n! -
    x f_(n+2), and the derivative of f_n by x is (n f_(n+2) - f_(n+1)) / 2: two series give all.
    """

    def __init__(self, w: Expr) -> None:
        x = ca.sumsqr(w)
        self.f = {n: _series(x, n) for n in (6, 7)}
        for n in reversed(range(1, 6)):
            self.f[n] = 1 / math.factorial(n) - x * self.f[n + 2]

    def rate(self, n: int) -> Expr:
        """Of f_n, by x."""
        return (n * self.f[n + 2] - self.f[n + 1]) / 2

    def second(self, n: int) -> Expr:
        """Of f_n, twice by x."""
        return (n * self.rate(n + 2) - self.rate(n + 1)) / 2


def _series(x: Expr, first: int) -> Expr:
    total = SX(1 / math.factorial(2 * SERIES_TERMS + first))
    for k in reversed(range(SERIES_TERMS)):
        total = 1 / math.factorial(2 * k + first) - x * total
    return total


def exponential(omega: Expr) -> Pose:
    """exp(Omega) on SE(3)."""
    w, v = omega[:3], omega[3:]
    f = Turning(w).f
    S = ca.skew(w)
    R = SX.eye(3) + f[1] * S + f[2] * (S @ S)
    turned = cross(w, v)
    return Pose(ca.sparsify(R), ca.sparsify(v + f[2] * turned + f[3] * cross(w, turned)))
