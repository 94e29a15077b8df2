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
    phi: values of the coordinates' functions (intervals, points, coordinates).
    """

    grid: Grid
    strains: tuple[int, ...]
    of: tuple[int, ...]
    phi: Array
    drag: bool

    @property
    def key(self) -> tuple[Any, ...]:
        """Rods with the same key have the same scans."""
        return self.strains, self.of, self.drag, self.phi.tobytes(), self.grid.widths.tobytes()

    @property
    def count(self) -> int:
        return len(self.of)

    @property
    def intervals(self) -> int:
        return len(self.grid.ends)

    @property
    def points(self) -> int:
        return int(self.phi.shape[1])

    @property
    def rest_rows(self) -> int:
        return self.points * len(self.strains)

    @cached_property
    def interval(self) -> Interval:
        return Interval(self.strains, self.points)

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
        m, n = len(self.strains), self.count
        return [
            (i * m + of, k, row[1 + i * n + k])
            for i in range(self.points)
            for k, of in enumerate(self.of)
        ]
