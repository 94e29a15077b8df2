"""Functions over a rod's length: those that its strains are made of (a basis is a table of values),
and polynomials with parameters for coefficients. All are over the fraction of the length.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.polynomial.chebyshev import chebder, chebvander
from numpy.polynomial.legendre import legder, leggauss, legvander

from chorda.describe import Modes
from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.parameters import Parameters

Array = npt.NDArray[np.float64]
CUBIC_DEGREE = 3


def _piecewise(x: Array, count: int) -> Array:
    part = np.clip((x * count).astype(int), 0, count - 1)
    return np.eye(count)[part]


def _bspline(x: Array, count: int) -> Array:
    from scipy.interpolate import BSpline

    degree = min(CUBIC_DEGREE, count - 1)
    inner = np.linspace(0, 1, count - degree + 1)
    knots = np.concatenate([np.zeros(degree), inner, np.ones(degree)])
    return np.asarray(BSpline.design_matrix(np.clip(x, 0, 1), knots, degree).toarray())


def _spline_slopes(x: Array, count: int) -> Array:
    from scipy.interpolate import BSpline

    degree = min(CUBIC_DEGREE, count - 1)
    if degree == 0:
        return np.zeros((len(x), count))
    inner = np.linspace(0, 1, count - degree + 1)
    knots = np.concatenate([np.zeros(degree), inner, np.ones(degree)])
    return np.asarray(BSpline(knots, np.eye(count), degree).derivative()(np.clip(x, 0, 1)))


def _series_slopes(vander: Any, derivative: Any, x: Array, count: int) -> Array:
    """Of a series over 2 x - 1."""
    if count == 1:
        return np.zeros((len(x), 1))
    return np.asarray(2 * vander(2 * x - 1, count - 2) @ derivative(np.eye(count)))


SLOPES: dict[str, Callable[[Array, int], Any]] = {
    "legendre": lambda x, count: _series_slopes(legvander, legder, x, count),
    "chebyshev": lambda x, count: _series_slopes(chebvander, chebder, x, count),
    "monomial": lambda x, count: np.stack([k * x ** max(k - 1, 0) for k in range(count)], axis=1),
    "piecewise": lambda x, count: np.zeros((len(x), count)),
    "bspline": _spline_slopes,
}
BASES: dict[str, Callable[[Array, int], Any]] = {
    "legendre": lambda x, count: legvander(2 * x - 1, count - 1),
    "chebyshev": lambda x, count: chebvander(2 * x - 1, count - 1),
    "monomial": lambda x, count: np.vander(x, count, increasing=True),
    "piecewise": _piecewise,
    "bspline": _bspline,
}


def values(modes: Modes, length: float, count: int, x: Sequence[float] | Array) -> Array:
    """Values at fractions x of the length: (fractions, functions); `count` of them on each part."""
    return _on_parts(BASES, modes, length, count, x, 0)


def slopes(modes: Modes, length: float, count: int, x: Sequence[float] | Array) -> Array:
    """Derivatives of the same by the fraction of the length, jumps apart."""
    return _on_parts(SLOPES, modes, length, count, x, 1)


def _on_parts(
    table: dict[str, Callable[[Array, int], Any]],
    modes: Modes,
    length: float,
    count: int,
    x: Sequence[float] | Array,
    order: int,
) -> Array:
    x = np.asarray(x, float)
    ends = parts(modes, length)
    columns = []
    for low, high in pairwise(ends):
        inside = (x >= low) & ((x < high) | (high == 1.0))
        local = np.clip((x - low) / (high - low), 0, 1)
        columns.append(table[modes.basis](local, count) * inside[:, None] / (high - low) ** order)
    return np.hstack(columns)


def parts(modes: Modes, length: float) -> list[float]:
    """Fractions of the length at which strains may jump, both ends included."""
    return sorted({0.0, 1.0, *(at / length for at in modes.breaks)})


def knots(modes: Modes, length: float, counts: Sequence[int]) -> list[float]:
    """Fractions at which a function is not smooth."""
    found = set(parts(modes, length))
    ends = parts(modes, length)
    for count in counts:
        pieces = count if modes.basis == "piecewise" else 1
        if modes.basis == "bspline":
            pieces = count - min(CUBIC_DEGREE, count - 1)
        for low, high in pairwise(ends):
            found.update(np.linspace(low, high, pieces + 1).tolist())
    return sorted(found)


def products(modes: Modes, length: float, count: int, weight: Callable[[Array], Array]) -> Array:
    """The matrix of integrals of weight times two functions over the fraction of the length."""
    x, w = [], []
    smooth = knots(modes, length, [count])
    nodes, weights = leggauss(count + CUBIC_DEGREE + 3)
    for low, high in pairwise(smooth):
        x.append(low + (high - low) * (nodes + 1) / 2)
        w.append((high - low) * weights / 2)
    at = np.concatenate(x)
    phi = values(modes, length, count, at)
    gram = phi.T @ (phi * (np.concatenate(w) * weight(at))[:, None])
    return np.where(np.abs(gram) < 1e-14 * np.abs(gram).max(), 0.0, gram)


@dataclass(frozen=True)
class Polynomial:
    """c0 + c1 x + ..., whose zeros are structure."""

    coefficients: Sequence[Expr]

    def at(self, x: float | Expr) -> Expr:
        return sum((c * x**k for k, c in enumerate(self.coefficients)), SX(0))

    def slope(self, x: float | Expr) -> Expr:
        return sum((k * c * x ** (k - 1) for k, c in enumerate(self.coefficients) if k), SX(0))

    def bend(self, x: float | Expr) -> Expr:
        """The slope's slope."""
        each = enumerate(self.coefficients)
        return sum((k * (k - 1) * c * x ** (k - 2) for k, c in each if k > 1), SX(0))


def polynomial(name: str, values: Sequence[float], unit: str, par: Parameters) -> Polynomial:
    """Its parameters are NAME0, NAME1, ..."""
    each = enumerate(values)
    return Polynomial(
        [SX(0) if c == 0 else par.scalar(f"{name}{k}", c, unit, signed=True) for k, c in each]
    )
