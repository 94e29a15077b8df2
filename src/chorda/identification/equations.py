"""Linear equations W theta = y along a motion."""

from dataclasses import dataclass

from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Equations:
    """W (n, rows, unknowns) and y (n, rows); names and units of the rows."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    W: Array
    y: Array
