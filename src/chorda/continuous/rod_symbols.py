"""A rod's stiffness, mass and rest at a point, and where its sheaths lie there, in symbols."""

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from chorda.describe.rods import STRAINS, Rod, Sheath
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.bases import polynomial
from chorda.mechanics.rods.section import section_of

Offset = Callable[[Expr, Expr], list[Expr]]


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


class RodSymbols:
    """What all expressions are made of; `at` gives them at a point s."""

    def __init__(self, rod: Rod, gravity: tuple[float, float, float], par: Parameters) -> None:
        name = rod.name
        self._section = section_of(rod, par)
        self.length = par.scalar(f"{name}.length", rod.length, "m")
        self.drag = par.vector(f"{name}.drag", rod.drag or (0, 0, 0), "kg/m^2")
        self.gravity = par.vector("gravity", gravity, "m/s^2")
        self._rest = [
            polynomial(f"{name}.rest.{strain}", getattr(rod.rest, strain) or (), "-", par)
            for strain in STRAINS
        ]

    def at(self, s: Expr) -> Local:
        here, section = SX.sym("s"), self._section
        x = here / self.length
        along = [
            section.stiffness_at(x),
            section.damping_at(x),
            vector(*[strain.at(x) for strain in self._rest]),
        ]
        slopes = [ca.jacobian(a, here) for a in along]
        return Local(*ca.substitute([*along, *slopes, *section.inertia_at(x)], [here], [s]))


def sheath_offset(sheath: Sheath, name: str, par: Parameters) -> Offset:
    """(s, length of the rod) -> r, r' and r'' in the sections' axes."""
    y, z = (polynomial(f"{name}.{k}", getattr(sheath, k), "m", par) for k in "yz")
    turns = SX(1, 1)
    if sheath.turns:
        turns = par.scalar(f"{name}.turns", sheath.turns, "-", signed=True)

    def at(s: Expr, length: Expr) -> list[Expr]:
        here = SX.sym("s")
        x = here / length
        cos, sin = ca.cos(2 * np.pi * turns * x), ca.sin(2 * np.pi * turns * x)
        r = vector(0, cos * y.at(x) - sin * z.at(x), sin * y.at(x) + cos * z.at(x))
        slope = ca.jacobian(r, here)
        return list(ca.substitute([r, slope, ca.jacobian(slope, here)], [here], [SX(s)]))

    return at
