"""What scans along a rod need to know of it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.rods.bases import Array
from chorda.mechanics.rods.grid import Grid
from chorda.mechanics.rods.interval import Interval


@dataclass(frozen=True, eq=False)
class Slices:
    """Intervals and slices of a rod, and the functions that its strains are made of.

    strains: those that occur; of: the strain of each coordinate, as its index in `strains`;
    phi: values of the coordinates' functions (intervals, points, coordinates). at_ends: the same
    at the slices (intervals, coordinates), of a rod that is fed: its length is the last coordinate.
    """

    grid: Grid
    strains: tuple[int, ...]
    of: tuple[int, ...]
    phi: Array
    drag: bool
    at_ends: Array | None = None

    @property
    def fed(self) -> bool:
        return self.at_ends is not None

    @property
    def key(self) -> tuple[Any, ...]:
        """Rods with the same key have the same scans."""
        tables = self.phi.tobytes(), self.grid.widths.tobytes()
        return self.strains, self.of, self.drag, self.fed, *tables

    @property
    def functions(self) -> int:
        """Of all strains."""
        return len(self.of)

    @property
    def count(self) -> int:
        """Coordinates: one for each function, and the length of a rod that is fed."""
        return self.functions + self.fed

    @property
    def intervals(self) -> int:
        return len(self.grid.ends)

    @property
    def points(self) -> int:
        return int(self.phi.shape[1])

    @property
    def rest_rows(self) -> int:
        return self.points * len(self.strains) + self.fed

    @cached_property
    def interval(self) -> Interval:
        return Interval(self.strains, self.points, self.fed)

    def table(self) -> Any:
        """A column for each interval: its part of the length, and the functions' values."""
        flat = self.phi.reshape(self.intervals, -1)
        return ca.DM(np.hstack([self.grid.widths[:, None], flat]).T)

    def combined(self, q: Expr, row: Expr) -> Expr:
        """Strains at the points of an interval: functions times coordinates."""
        out = SX.zeros(self.rest_rows)
        for at, k, value in self._entries(row):
            out[at] += value * q[k]
        return out

    def spread(self, y: Expr, row: Expr) -> Expr:
        """The transpose of `combined`."""
        out = SX.zeros(self.count)
        for at, k, value in self._entries(row):
            out[k] += value * y[at]
        return out

    def gathered(self, by_strain: Expr, row: Expr) -> Expr:
        """Columns by coordinate from columns by strain at the points of an interval."""
        out = SX(by_strain.shape[0], self.count)
        for at, k, value in self._entries(row):
            out[:, k] += by_strain[:, at] * value
        return ca.sparsify(out)

    def _entries(self, row: Expr) -> list[tuple[int, int, Expr]]:
        """Strain at a point, coordinate, and the value of its function there."""
        m, n = len(self.strains), self.functions
        found = [
            (i * m + of, k, row[1 + i * n + k])
            for i in range(self.points)
            for k, of in enumerate(self.of)
        ]
        return [*found, (self.points * m, n, SX(1))] if self.fed else found
