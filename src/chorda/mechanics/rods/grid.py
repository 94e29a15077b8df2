"""Where a rod is looked at: intervals of integration, their Gauss points, slices with mass."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from chorda.describe import STRAINS, Rod
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.bases import Array

SAME = 1e-12  # of the length: places that count as one


@dataclass(frozen=True)
class Grid:
    """Interval k runs to ends[k]; all places are shares of the length.

    A slice at the end of each interval has the weight of a Gauss quadrature over the part of the
    rod that it lies in; places where parts meet have weight 0.
    """

    ends: Array  # (intervals)
    widths: Array  # (intervals)
    weights: Array  # (intervals)
    points: Array  # (intervals, points each): Gauss points of the Magnus integration
    order: int

    def at(self, share: float) -> int:
        """The interval that ends at a place; -1: the base."""
        if share <= SAME:
            return -1
        return int(np.argmin(np.abs(self.ends - share)))


def _part(rod: Rod, share: float) -> float:
    """Width of the part between breaks that a place lies in."""
    ends = bases.parts(rod.modes, rod.length)
    return next(b - a for a, b in pairwise(ends) if share <= b)


def lay(rod: Rod, places: Iterable[float]) -> Grid:
    """A grid with a slice border at each of the given shares of the length."""
    counts = [n for strain in STRAINS if (n := getattr(rod.modes, strain))]
    smooth = rod.modes.basis in ("legendre", "chebyshev", "monomial")
    most = max(counts) if smooth else 0  # functions that slices must tell apart
    borders = [0.0]
    wanted = sorted({*bases.knots(rod.modes, rod.length, counts), *places})
    for share in wanted:
        if share - borders[-1] > SAME:
            borders.append(share)
    ends: list[float] = []
    weights: list[float] = []
    for low, high in pairwise(borders):
        share = (high - low) / _part(rod, (low + high) / 2)
        inner = max(round((high - low) * rod.modes.intervals) - 1, 2, ceil(1.5 * share * most))
        nodes, shares = np.polynomial.legendre.leggauss(inner)
        ends += [*(low + (high - low) * (nodes + 1) / 2), high]
        weights += [*((high - low) * shares / 2), 0.0]
    starts = np.array([0.0, *ends[:-1]])
    widths = np.array(ends) - starts
    gauss = np.polynomial.legendre.leggauss(rod.modes.order // 2)[0]
    points = starts[:, None] + widths[:, None] * (gauss + 1) / 2
    return Grid(np.array(ends), widths, np.array(weights), points, rod.modes.order)
