"""A rod's stiffness, mass and rest at a point, and where its sheaths lie there, in symbols."""

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
    """Stiffness K, damping B and strains at rest (6), and inertia, at a point; _s: their slopes."""

    K: Expr
    B: Expr
    rest: Expr
    K_s: Expr
    B_s: Expr
    rest_s: Expr
    rhoA: Expr
    rhoJ: Expr


@dataclass(frozen=True)
class RodSymbols:
    """What all expressions are made of."""

    par: Parameters
    matter: Matter
    length: Expr
    drag: Expr
    gravity: Expr
    rest: tuple[tuple[Expr, ...], ...]

    def at(self, s: Expr) -> Local:
        here, m = SX.sym("s"), self.matter
        x = here / self.length
        size = SX(1) if m.taper is None else 1 + (m.taper - 1) * x
        grown = ca.vertcat(*[size**4] * 3, *[size**2] * 3)
        along = [
            grown * ca.vertcat(*m.stiffness),
            grown * vector(*[0.0 if b is None else b for b in m.damping]),
            ca.vertcat(*[_polynomial(c, x) for c in self.rest]),
        ]
        A, moments = m.area.A, ca.vertcat(m.area.Iy + m.area.Iz, m.area.Iy, m.area.Iz)
        slopes = [ca.jacobian(a, here) for a in along]
        inertia = [m.density * A * size**2, m.density * moments * size**4]
        return Local(*ca.substitute([*along, *slopes, *inertia], [here], [s]))


def rod_symbols(rod: Rod, gravity: tuple[float, float, float], par: Parameters) -> RodSymbols:
    name = rod.name
    return RodSymbols(
        par,
        matter(rod, par),
        par.scalar(f"{name}.length", rod.length, "m"),
        par.vector(f"{name}.drag", rod.drag or (0, 0, 0), "kg/m^2"),
        par.vector("gravity", gravity, "m/s^2"),
        tuple(_coefficients(f"{name}.rest.{k}", getattr(rod.rest, k) or (), par) for k in STRAINS),
    )


def _coefficients(name: str, values: Sequence[float], par: Parameters) -> tuple[Expr, ...]:
    """Of a polynomial; zeros are structure."""
    return tuple(
        SX(1, 1) if v == 0 else par.scalar(f"{name}.{k}", v, "-", signed=True)
        for k, v in enumerate(values)
    )


def _polynomial(c: tuple[Expr, ...], x: Expr) -> Expr:
    value = SX(1, 1)
    for a in reversed(c):
        value = value * x + a
    return value


Offset = Callable[[Expr, Expr], list[Expr]]


def sheath_offset(sheath: Sheath, name: str, par: Parameters) -> Offset:
    """(s, length of the rod) -> r, r' and r''."""
    y, z = (_coefficients(f"{name}.{k}", getattr(sheath, k), par) for k in "yz")
    turns = SX(1, 1)
    if sheath.turns:
        turns = par.scalar(f"{name}.turns", sheath.turns, "-", signed=True)

    def at(s: Expr, length: Expr) -> list[Expr]:
        here = SX.sym("s")
        x = here / length
        Y, Z, angle = _polynomial(y, x), _polynomial(z, x), 2 * np.pi * turns * x
        c, s_ = ca.cos(angle), ca.sin(angle)
        r = vector(0, c * Y - s_ * Z, s_ * Y + c * Z)
        r1 = ca.jacobian(r, here)
        return list(ca.substitute([r, r1, ca.jacobian(r1, here)], [here], [SX(s)]))

    return at
