"""Numbers of a rod that the continuous models share: stiffness, mass and rest along its length."""

from dataclasses import dataclass
from itertools import zip_longest

import casadi as ca
import numpy as np

from chorda.describe import STRAINS, Rod
from chorda.mechanics import Array
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.section import section_of

TANGENT = np.array([0, 0, 0, 1.0, 0, 0])  # of a straight rod, among its strains


@dataclass(frozen=True, eq=False)
class RodConstants:
    """length [m]; stiffness (6) by strain [N m^2, N] and mass [kg/m] at the base.

    rest (degree + 1, 6): strains without load, as polynomials over the fraction of the length.
    """

    length: float
    stiffness: Array
    mass: float
    rest: Array

    def rest_at(self, fraction: Array) -> Array:
        """Strains without load (..., 6) at fractions (...) of the length."""
        values = np.polynomial.polynomial.polyval(fraction, self.rest)
        return np.moveaxis(np.asarray(values, float), 0, -1)


def rod_constants(rod: Rod) -> RodConstants:
    par = Parameters()
    section = section_of(rod, par)
    base = [section.stiffness_at(0.0), section.inertia_at(0.0)[0]]
    stiffness, mass = ca.Function("section", [par.column], base)(par.values)
    given = [getattr(rod.rest, strain) or (0.0,) for strain in STRAINS]
    rest = np.array(list(zip_longest(*given, fillvalue=0.0)), float)
    return RodConstants(rod.length, stiffness.full().ravel(), float(mass), rest)
