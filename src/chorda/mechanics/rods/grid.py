"""Where a rod is looked at: intervals of integration, their Gauss points, slices with mass."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from chorda.describe import STRAINS, Rod, Sheath
from chorda.mechanics.rods import bases
from chorda.mechanics.rods.bases import Array

SAME_POINT = 1e-12  # of the length: points that count as one
SLICES_PER_TURN = 6  # of a helical tendon


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


def covered(grid: Grid, start: float, end: float) -> list[int]:
    """Slices with a weight between two fractions of the length, which are borders."""
    inside = (grid.ends > start) & (grid.ends < end) & (grid.weights > 0)
    return [int(k) for k in np.flatnonzero(inside)]


def along_tube(grid: Grid, start: float, end: float) -> list[int]:
    """All slices from one fraction of the length to another, both borders; -1: the base."""
    inside = (grid.ends > start - SAME_POINT) & (grid.ends < end + SAME_POINT)
    first = [-1] if start <= SAME_POINT else []
    return first + [int(k) for k in np.flatnonzero(inside)]


def _part(rod: Rod, fraction: float) -> float:
    """Width of the part between breaks that a point lies in."""
    ends = bases.parts(rod.modes, rod.length)
    return next(b - a for a, b in pairwise(ends) if fraction <= b)


def broken(rod: Rod, sheaths: Iterable[Sheath]) -> Rod:
    """The rod with a break of its functions where a tendon enters or ends inside it: its moment
    jumps there."""
    ends = {x for sheath in sheaths for x in (sheath.start, sheath.end) if x is not None}
    inside = {x for x in ends if SAME_POINT < x / rod.length < 1 - SAME_POINT}
    breaks = tuple(sorted(inside.union(rod.modes.breaks)))
    if breaks == rod.modes.breaks:
        return rod
    return rod.model_copy(update={"modes": rod.modes.model_copy(update={"breaks": breaks})})


def lay(rod: Rod, given: Iterable[float], turns: float = 0.0) -> Grid:
    """A grid with a slice border at each of the given fractions of the length, and slices enough
    for so many turns of a tendon over it."""
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
        inner = max(
            round((high - low) * rod.modes.intervals) - 1,
            2,
            ceil(1.5 * fraction * most),
            ceil(SLICES_PER_TURN * turns * (high - low)),
        )
        nodes, parts = np.polynomial.legendre.leggauss(inner)
        ends += [*(low + (high - low) * (nodes + 1) / 2), high]
        weights += [*((high - low) * parts / 2), 0.0]
    starts = np.array([0.0, *ends[:-1]])
    widths = np.array(ends) - starts
    gauss = np.polynomial.legendre.leggauss(rod.modes.order // 2)[0]
    points = starts[:, None] + widths[:, None] * (gauss + 1) / 2
    return Grid(np.array(ends), widths, np.array(weights), points, rod.modes.order)
