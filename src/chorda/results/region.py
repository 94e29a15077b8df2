"""A region: a grid over one to three prescribed quantities."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Region:
    """A grid of rows of targets: `base`, with `values` of each name in its column."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: tuple[Array, ...]
    columns: tuple[int, ...]  # of the names in a row of targets
    base: Array  # the row of targets, but for these

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(x) for x in self.values)

    @property
    def count(self) -> int:
        return int(np.prod(self.shape))

    def points(self, cells: Sequence[int]) -> Array:
        """The values of cells (n, axes), which count in C order."""
        at = np.unravel_index(np.asarray(cells, np.intp), self.shape)
        return np.stack([x[i] for x, i in zip(self.values, at, strict=True)], axis=-1)

    def point(self, cell: int) -> Array:
        return np.asarray(self.points([cell])[0])

    def nearest(self, row: Array) -> int:
        """The cell that is nearest to a row of targets, along each of its axes."""
        return int(np.ravel_multi_index(self.index_near(row[list(self.columns)]), self.shape))

    def index_near(self, wanted: Iterable[float]) -> tuple[int, ...]:
        """The index of the cell that is nearest to a value of each name."""
        both = zip(self.values, wanted, strict=True)
        return tuple(int(np.argmin(np.abs(v - x))) for v, x in both)

    def row(self, *index: int) -> Array:
        """The targets of a cell."""
        target = self.base.copy()
        target[list(self.columns)] = [x[i] for x, i in zip(self.values, index, strict=True)]
        return target
