"""Samples of a motion, and functions of the System along them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.mechanics import Array


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
    """Results (n, rows, columns) of a CasADi function at n times.

    The function takes one argument for each of the columns (n, k) and then p, if that is given; or
    it is the map of such a function over n times.
    """
    n = len(columns[0])
    mapped = function.map(n) if function.size2_in(0) == 1 else function
    last = [] if p is None else [np.repeat(p[:, None], n, 1)]
    made = mapped.call([x.T for x in columns] + last)
    return [x.full().reshape(x.size1(), n, x.size2() // n).transpose(1, 0, 2) for x in made]
