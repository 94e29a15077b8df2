"""Material of a rod that is fed: how it passes along the rod, and what that resists and requires.

A rod of length L has its strains as functions of the fraction x = s / L, and a slice stays at its
x while L changes. Material keeps its distance L - s from the tip, so that it passes a slice at the
rate x_dot = (1 - x) L_dot / L: fast where it leaves the base, not at all at the tip. With the twist
xi of the rod there (its strains, along with the 1 of the tangent), a material point has the
velocity of the slice and (1 - x) L_dot xi in the slice's axes.
"""

import casadi as ca
import numpy as np

from chorda.describe import STRAINS, Rod
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.interval import twist
from chorda.mechanics.rods.section import Section
from chorda.mechanics.rods.slices import Slices

ROUNDING = 1e-14  # of the largest integral


def material_passing(slices: Slices, q: Expr, at: Expr, rest: Expr) -> tuple[Expr, Expr]:
    """Angular and linear velocity of the material against its slice for a unit rate of the length,
    in the slice's axes; at: the slice's fraction of the length, and the functions there."""
    m = len(slices.strains)
    values = SX(rest[:m])
    for k, of in enumerate(slices.of):
        values[of] += at[1 + k] * q[k]
    xi = (1 - at[0]) * twist(slices.strains, values)
    return xi[:3], xi[3:]


def damping(rod: Rod, section: Section, q: Expr) -> Expr:
    """The force along the rates of the coordinates, the length last, is minus this times them.

    The strain of a material point changes by phi q_dot + phi' q (1 - x) L_dot / L.
    """
    L, columns, blocks, first = q[-1], [SX(0, 1)], [SX(0, 0)], 0
    both = SX(1, 1)
    for strain in STRAINS:
        n = getattr(rod.modes, strain)
        if not n:
            continue
        own, d = q[first : first + n], section.damping[STRAINS.index(strain)]
        first += n
        d = SX(1, 1) if d is None else d
        plain, mixed, passing = _products(rod, n)
        blocks.append(d * L * plain)
        columns.append(d * (mixed @ own))
        both += d / L * (own.T @ passing @ own)
    side, block = ca.vertcat(*columns), ca.diagcat(*blocks)
    return ca.sparsify(ca.vertcat(ca.horzcat(block, side), ca.horzcat(side.T, both)))


def _products(rod: Rod, count: int) -> tuple[Expr, Expr, Expr]:
    """Integrals over x of phi phi^T, phi phi'^T (1 - x) and phi' phi'^T (1 - x)^2."""
    nodes, weights = np.polynomial.legendre.leggauss(count + 2)
    x, w = (nodes + 1) / 2, weights / 2
    phi = bases.values(rod.modes, rod.length, count, x)
    # the derivative of a polynomial of a degree below the number of nodes, from its values there
    slope = np.polynomial.legendre.legvander(nodes, count - 1)
    change = 2 * np.polynomial.legendre.legval(
        nodes, np.polynomial.legendre.legder(np.linalg.lstsq(slope, phi, rcond=None)[0])
    )
    passing = change.T * (1 - x)[:, None]

    def integral(a: bases.Array, b: bases.Array) -> Expr:
        found = (a * w[:, None]).T @ b
        rounded = np.abs(found) < ROUNDING * np.abs(found).max()
        return SX(ca.sparsify(ca.DM(np.where(rounded, 0.0, found))))

    return integral(phi, phi), integral(phi, passing), integral(passing, passing)
