"""Runge-Kutta methods along the rod, as data."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Tableau:
    """Butcher's tableau: a (stages, stages), b (stages), c (stages)."""

    name: str
    order: int
    a: Array
    b: Array
    c: Array

    @cached_property
    def explicit(self) -> bool:
        return bool(np.all(np.triu(self.a) == 0))


def _tableau(name: str, order: int, a: list[list[float]], b: list[float]) -> Tableau:
    A = np.array(a, float)
    return Tableau(name, order, A, np.array(b, float), A.sum(1))


R3, R15 = 3**0.5, 15**0.5
TABLEAUS = {
    t.name: t
    for t in (
        _tableau("euler", 1, [[0]], [1]),
        _tableau(
            "rk4",
            4,
            [[0, 0, 0, 0], [1 / 2, 0, 0, 0], [0, 1 / 2, 0, 0], [0, 0, 1, 0]],
            [1 / 6, 1 / 3, 1 / 3, 1 / 6],
        ),
        # collocation at Gauss points [Hairer1993, II.7]
        _tableau("gauss4", 4, [[1 / 4, 1 / 4 - R3 / 6], [1 / 4 + R3 / 6, 1 / 4]], [1 / 2, 1 / 2]),
        _tableau(
            "gauss6",
            6,
            [
                [5 / 36, 2 / 9 - R15 / 15, 5 / 36 - R15 / 30],
                [5 / 36 + R15 / 24, 2 / 9, 5 / 36 - R15 / 24],
                [5 / 36 + R15 / 30, 2 / 9 + R15 / 15, 5 / 36],
            ],
            [5 / 18, 4 / 9, 5 / 18],
        ),
    )
}


def tableau(name: str) -> Tableau:
    if name not in TABLEAUS:
        raise InputError(f"integrator: expected one of {', '.join(TABLEAUS)}, got '{name}'")
    return TABLEAUS[name]
