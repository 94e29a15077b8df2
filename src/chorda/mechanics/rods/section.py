"""A rod's section: area, moments of area, and what they make of the material."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb

import casadi as ca
import numpy as np

from chorda.describe import Rectangle, Rod, Tube
from chorda.mechanics.frames import SX, Expr, vector
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.bases import Array


@dataclass(frozen=True)
class Area:
    """Of the section at the base: area [m^2], moments of area and torsion constant [m^4]."""

    A: Expr
    Iy: Expr
    Iz: Expr
    J: Expr


@dataclass(frozen=True)
class Section:
    """A rod's section and material; stiffness and damping by strain, at the base."""

    area: Area
    density: Expr
    stiffness: tuple[Expr, ...]  # twist, bend y, bend z [N m^2], stretch, shear y, shear z [N]
    damping: tuple[Expr | None, ...]
    taper: Expr | None

    def size(self, x: Expr) -> Expr:
        """Of the section over that at the base, at a fraction x of the length."""
        return SX(1) if self.taper is None else (1 - x) + x * self.taper

    def stiffness_at(self, x: Expr) -> Expr:
        """By strain (6) [N m^2, N]."""
        return self._scaled(x) * ca.vertcat(*self.stiffness)

    def damping_at(self, x: Expr) -> Expr:
        """By strain (6) [N m^2 s, N s]; 0 where there is none."""
        return self._scaled(x) * vector(*[0.0 if b is None else b for b in self.damping])

    def inertia_at(self, x: Expr) -> tuple[Expr, Expr]:
        """Mass [kg/m], and moments of inertia about the section's axes (3) [kg m]."""
        area, size = self.area, self.size(x)
        moments = ca.vertcat(area.Iy + area.Iz, area.Iy, area.Iz)
        return self.density * area.A * size**2, self.density * moments * size**4

    def _scaled(self, x: Expr) -> Expr:
        size = self.size(x)
        return ca.vertcat(*[size**4] * 3, *[size**2] * 3)

    def over(self, strain: int, rod: Rod, count: int, values: Sequence[Expr | None]) -> Expr:
        """The integral of value(x) phi phi^T over the fraction x of the length, for one strain.

        The value, which is given for each strain at the base, grows with the section's size to the
        power 4 (twist, bend) or 2: with a taper t that is a polynomial in t, whose coefficients are
        numbers.
        """
        power, value = 4 if strain < 3 else 2, values[strain]

        def gram(weight: Callable[[Array], Array]) -> Expr:
            return SX(ca.sparsify(ca.DM(bases.products(rod.modes, rod.length, count, weight))))

        plain = gram(np.ones_like)
        if value is None:
            return SX(*plain.shape)
        if self.taper is None:
            return value * plain
        return sum(value * self.taper**k * gram(_bernstein(power, k)) for k in range(power + 1))


def _bernstein(power: int, k: int) -> Callable[[Array], Array]:
    return lambda x: comb(power, k) * (1 - x) ** (power - k) * x**k


def section_of(rod: Rod, par: Parameters) -> Section:
    """Symbols of a rod's section and material."""
    name = rod.name
    E = par.scalar(f"{name}.young_modulus", rod.young_modulus, "Pa", positive=True)
    G = E / 2.6
    if rod.shear_modulus is not None:
        G = par.scalar(f"{name}.shear_modulus", rod.shear_modulus, "Pa", positive=True)
    area = _area(rod, par)
    stiffness = (G * area.J, E * area.Iy, E * area.Iz, E * area.A, G * area.A, G * area.A)
    units = {"twist": "N m^2 s", "bend": "N m^2 s", "stretch": "N s", "shear": "N s"}
    damping = {key: getattr(rod, f"{key}_damping") for key in units}
    twist, bend, stretch, shear = (
        None if x is None else par.scalar(f"{name}.{key}_damping", x, units[key])
        for key, x in damping.items()
    )
    return Section(
        area,
        par.scalar(f"{name}.density", rod.density, "kg/m^3", positive=True),
        stiffness,
        (twist, bend, bend, stretch, shear, shear),
        None if rod.taper is None else par.scalar(f"{name}.taper", rod.taper, "-", positive=True),
    )


def _area(rod: Rod, par: Parameters) -> Area:
    section, name = rod.section, f"{rod.name}.section"
    if isinstance(section, Rectangle):
        w = par.scalar(f"{name}.width", section.width, "m", positive=True)
        h = par.scalar(f"{name}.height", section.height, "m", positive=True)
        long, short = ca.fmax(w, h), ca.fmin(w, h)
        thin = short / long
        J = long * short**3 * (1 / 3 - 0.21 * thin * (1 - thin**4 / 12))
        return Area(w * h, w * h**3 / 12, h * w**3 / 12, J)
    r = par.scalar(f"{name}.radius", section.radius, "m", positive=True)
    A, I = math.pi * r**2, math.pi * r**4 / 4  # noqa: E741
    if isinstance(section, Tube):
        hole = par.scalar(f"{name}.inner_radius", section.inner_radius, "m", positive=True)
        A, I = A - math.pi * hole**2, I - math.pi * hole**4 / 4  # noqa: E741
    return Area(A, I, I, 2 * I)
