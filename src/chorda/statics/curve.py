"""The curve of equilibria over the share s of a path of targets: points y = (x, s) and tangents.

Lengths along it count coordinates over their scales, and the share; forces follow.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from chorda.mechanics import Array
from chorda.statics.problem import Problem
from chorda.statics.targets import between

CLOSE = 1e-9  # of a correction, over the scales
STEP = 1e-6  # of the share, for the derivative of the targets


class On(NamedTuple):
    """A point of the curve."""

    x: Array
    s: float


@dataclass(frozen=True, eq=False)
class Curve:
    problem: Problem
    targets: Array  # rows at even shares from 0 to 1

    def target(self, s: float) -> Array:
        """Between the rows, and beyond their ends straight on."""
        n = len(self.targets) - 1
        k = int(np.clip(np.floor(s * n), 0, n - 1))
        return between(
            self.problem.layout, self.targets[k], self.targets[k + 1], np.array([s * n - k])
        )[0]

    def matrix(self, y: On) -> tuple[Array, Array]:
        """Residual, and its derivative by (v, lam, tau, s)."""
        r, A = self.problem.evaluate(y.x, self.target(y.s))
        ends = [self.problem.evaluate(y.x, self.target(y.s + d))[0] for d in (-STEP, STEP)]
        return r, np.column_stack([A, (ends[1] - ends[0]) / (2 * STEP)])

    @property
    def weights(self) -> Array:
        """For lengths: of (v, lam, tau, s)."""
        system = self.problem.system
        w = np.zeros(self.problem.nz + 1)
        w[: system.nv] = 1 / system.scales**2
        w[-1] = 1.0
        return w

    def length(self, d: Array) -> float:
        return float(np.sqrt(np.sum(self.weights * d * d)))

    def moved(self, y: On, d: Array) -> On:
        return On(self.problem.moved(y.x, d[:-1]), y.s + float(d[-1]))

    def change(self, a: On, b: On) -> Array:
        return np.append(self.problem.change(a.x, b.x), b.s - a.s)

    def tangent(self, y: On, along: Array) -> Array:
        """Of unit length, in the direction of `along`."""
        _, D = self.matrix(y)
        rows = np.vstack([D, self.weights * along])
        t = np.linalg.solve(rows, np.eye(len(rows))[-1])
        return np.asarray(t / self.length(t))

    def corrected(self, guess: On, along: Array, most: int = 8) -> tuple[On, int] | None:
        """The point of the curve across from a guess, and the iterations; None: none is near."""
        y = guess
        for count in range(1, most + 1):
            r, D = self.matrix(y)
            off = float(np.sum(self.weights * along * self.change(guess, y)))
            try:
                d = np.linalg.solve(np.vstack([D, self.weights * along]), -np.append(r, off))
            except np.linalg.LinAlgError:
                return None
            size = self.length(d)
            if not np.isfinite(size) or size > 1.0:
                return None
            y = self.moved(y, d)
            if size < CLOSE:
                return y, count
        return None
