"""Samples of a motion, and functions of the System along them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chorda.mechanics import Array
from chorda.numerics.pacing import by_columns


@dataclass(frozen=True, eq=False)
class Samples:
    """What the equations of motion need, at n times of the reference clock."""

    time: Array
    q: Array
    v: Array
    a: Array
    u: Array

    def __len__(self) -> int:
        return len(self.time)

    @property
    def state(self) -> tuple[Array, Array, Array, Array]:
        return self.q, self.v, self.a, self.u

    def at(self, rows: Any) -> "Samples":
        return Samples(self.time[rows], *(x[rows] for x in self.state))

    def thinned(self, every: int) -> "Samples":
        return self.at(slice(None, None, every))


def along(function: Any, columns: Sequence[Array], p: Array | None = None) -> list[Array]:
    """Results (n, rows, columns) of a CasADi function at n times, some of them at once.

    The function takes one argument for each of the columns (n, k) and then p, if that is given.
    """
    n, last = len(columns[0]), [] if p is None else [p[:, None]]
    made = by_columns(function, *(x.T for x in columns), *last)
    return [x.reshape(len(x), n, x.shape[1] // n).transpose(1, 0, 2) for x in made]
