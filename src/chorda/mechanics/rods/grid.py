"""Where a rod is looked at: intervals of integration, their Gauss points, slices with mass."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from chorda.describe import STRAINS, Rod
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.bases import Array

SAME_POINT = 1e-12  # of the length: points that count as one


@dataclass(frozen=True)
class Grid:
    """Interval k runs to ends[k]; all positions are fractions of the length.

    A slice at the end of each interval has the weight of a Gauss quadrature over the part of the
    rod that it lies in; points where parts meet have weight 0.
    """

    ends: Array  # (intervals)
    widths: Array  # (intervals)
    weights: Array  # (intervals)
    points: Array  # (intervals, points each): Gauss points of the Magnus integration
    order: int

    def at(self, fraction: float) -> int:
        """The interval that ends at a fraction of the length; -1: the base."""
        if fraction <= SAME_POINT:
            return -1
        return int(np.argmin(np.abs(self.ends - fraction)))


def _part(rod: Rod, fraction: float) -> float:
    """Width of the part between breaks that a point lies in."""
    ends = bases.parts(rod.modes, rod.length)
    return next(b - a for a, b in pairwise(ends) if fraction <= b)


def lay(rod: Rod, given: Iterable[float]) -> Grid:
    """A grid with a slice border at each of the given fractions of the length."""
    counts = [n for strain in STRAINS if (n := getattr(rod.modes, strain))]
    smooth = rod.modes.basis in ("legendre", "chebyshev", "monomial")
    most = max(counts) if smooth else 0  # functions that slices must distinguish
    borders = [0.0]
    wanted = sorted({*bases.knots(rod.modes, rod.length, counts), *given})
    for fraction in wanted:
        if fraction - borders[-1] > SAME_POINT:
            borders.append(fraction)
    ends: list[float] = []
    weights: list[float] = []
    for low, high in pairwise(borders):
        fraction = (high - low) / _part(rod, (low + high) / 2)
        inner = max(round((high - low) * rod.modes.intervals) - 1, 2, ceil(1.5 * fraction * most))
        nodes, parts = np.polynomial.legendre.leggauss(inner)
        ends += [*(low + (high - low) * (nodes + 1) / 2), high]
        weights += [*((high - low) * parts / 2), 0.0]
    starts = np.array([0.0, *ends[:-1]])
    widths = np.array(ends) - starts
    gauss = np.polynomial.legendre.leggauss(rod.modes.order // 2)[0]
    points = starts[:, None] + widths[:, None] * (gauss + 1) / 2
    return Grid(np.array(ends), widths, np.array(weights), points, rod.modes.order)
