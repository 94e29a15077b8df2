"""A rod's stiffness, mass and rest at a place, and where its sheaths lie there, in symbols."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe.rods import STRAINS, Rod, Sheath
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.section import Matter, matter


@dataclass(frozen=True)
class Local:
    """Diagonals as columns, twist and bends (bt) or stretch and shears (se); _s: slopes."""

    Kbt: Expr
    Kse: Expr
    Kbt_s: Expr
    Kse_s: Expr
    Bbt: Expr
    Bse: Expr
    Bbt_s: Expr
    Bse_s: Expr
    rhoA: Expr
    rhoJ: Expr
    rest: Expr
    rest_s: Expr


@dataclass(frozen=True)
class Symbols:
    """What all expressions are made of."""

    par: Parameters
    matter: Matter
    length: Expr
    drag: Expr
    gravity: Expr
    rest: tuple[tuple[Expr, ...], ...]

    def at(self, s: Expr) -> Local:
        x, m = s / self.length, self.matter
        k, k_s = SX(1), SX(1, 1)
        if m.taper is not None:
            k, k_s = 1 + (m.taper - 1) * x, (m.taper - 1) / self.length
        K = ca.vertcat(*m.stiffness)
        B = vector(*[0.0 if b is None else b for b in m.damping])
        four, four_s, two, two_s = k**4, 4 * k**3 * k_s, k**2, 2 * k * k_s
        return Local(
            *(K[:3] * four, K[3:] * two, K[:3] * four_s, K[3:] * two_s),
            *(B[:3] * four, B[3:] * two, B[:3] * four_s, B[3:] * two_s),
            m.density * m.area.A * two,
            m.density * ca.vertcat(m.area.Iy + m.area.Iz, m.area.Iy, m.area.Iz) * four,
            ca.vertcat(*[polynomial(c, x) for c in self.rest]),
            ca.vertcat(*[polynomial(c, x, 1) for c in self.rest]) / self.length,
        )


def symbols_of(rod: Rod, gravity: tuple[float, float, float], par: Parameters) -> Symbols:
    return Symbols(
        par,
        matter(rod, par),
        par.scalar(f"{rod.name}.length", rod.length, "m"),
        par.vector(f"{rod.name}.drag", rod.drag or (0, 0, 0), "kg/m^2"),
        par.vector("gravity", gravity, "m/s^2"),
        tuple(
            _coefficients(f"{rod.name}.rest.{k}", getattr(rod.rest, k) or (), par) for k in STRAINS
        ),
    )


def _coefficients(name: str, values: Sequence[float], par: Parameters) -> tuple[Expr, ...]:
    """Of a polynomial; zeros are structure."""
    return tuple(
        SX(1, 1) if v == 0 else par.scalar(f"{name}.{k}", v, "-", signed=True)
        for k, v in enumerate(values)
    )


def polynomial(c: tuple[Expr, ...], x: Expr, derivative: int = 0) -> Expr:
    for _ in range(derivative):
        c = tuple(k * a for k, a in enumerate(c))[1:]
    value = SX(1, 1)
    for a in reversed(c):
        value = value * x + a
    return value


Offset = Callable[[Expr, Expr], tuple[Expr, Expr, Expr]]


def sheath(record: Sheath, name: str, par: Parameters) -> Offset:
    """(share of the length, length) -> r, r' and r''."""
    y, z = (_coefficients(f"{name}.{k}", getattr(record, k), par) for k in "yz")
    turns = par.scalar(f"{name}.turns", record.turns, "-", signed=True) if record.turns else None

    def at(x: Expr, L: Expr) -> tuple[Expr, Expr, Expr]:
        Y, Z = ([polynomial(c, x, k) for k in range(3)] for c in (y, z))
        if turns is not None:
            a = 2 * np.pi * turns
            cos, sin = ca.cos(a * x), ca.sin(a * x)
            # in the turning axes the derivative of (y, z) is d/dx + a (-z, y)
            Y1, Z1 = Y[1] - a * Z[0], Z[1] + a * Y[0]
            Y2, Z2 = Y[2] - 2 * a * Z[1] - a**2 * Y[0], Z[2] + 2 * a * Y[1] - a**2 * Z[0]
            pairs = [(Y[0], Z[0]), (Y1, Z1), (Y2, Z2)]
            Y = [cos * p - sin * q for p, q in pairs]
            Z = [sin * p + cos * q for p, q in pairs]
        r, r1, r2 = (vector(0, Y[k], Z[k]) for k in range(3))
        return r, r1 / L, r2 / L**2

    return at
