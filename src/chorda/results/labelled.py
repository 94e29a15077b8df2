"""A matrix of numbers that says what its rows and columns are."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.mechanics import Array
from chorda.results.table import Table

ROUNDING = 1e-13  # of the largest entry


@dataclass(frozen=True, eq=False)
class Labelled:
    """values (rows, columns): what changes in each row per unit of each column.

    NumPy takes it for the array that it holds.

    >>> turn = Labelled(np.array([[2.0]]), ("x",), ("motor",), ("m",), ("rad",))
    >>> turn["x", "motor"], bool(np.linalg.norm(turn) > 1)
    (2.0, True)
    """

    values: Array
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_units: tuple[str, ...]
    column_units: tuple[str, ...]

    def __getitem__(self, at: tuple[str, str]) -> float:
        row, column = at
        return float(self.values[self.rows.index(row), self.columns.index(column)])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype) if copy or dtype else self.values

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    @property
    def T(self) -> "Labelled":
        """Transposed, with its labels."""
        return Labelled(self.values.T, self.columns, self.rows, self.column_units, self.row_units)

    def table(self, title: str = "") -> Table:
        """For print."""
        header = ("", *(f"{n} [{u}]" for n, u in zip(self.columns, self.column_units, strict=True)))
        lines = tuple(
            (f"{name} [{unit}]", *texts(row, self.values))
            for name, unit, row in zip(self.rows, self.row_units, self.values, strict=True)
        )
        return Table(title, header, lines)

    def __str__(self) -> str:
        return str(self.table())


def texts(values: Array, among: Array) -> list[str]:
    """Numbers with a few digits; what rounding left of a zero, among larger ones, is a zero.

    >>> texts(np.array([1.0, 2e-17]), np.array([[1.0]]))
    ['1', '0']
    """
    least = ROUNDING * float(np.nanmax(np.abs(among), initial=0.0))
    return [f"{0.0 if abs(x) < least else x:.4g}" for x in values]
