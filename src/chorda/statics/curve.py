"""The curve of equilibria over the parameter s of a path of targets: points y = (x, s), tangents.

Lengths along it count coordinates over their scales, and the parameter; forces follow.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from chorda.mechanics import Array
from chorda.numerics.newton import Solver, newton
from chorda.statics.problem import Problem
from chorda.statics.targets import between

CORRECTION = 1e-9  # over the scales: the last one of a point of the curve
LONGEST_CORRECTION = 1.0
DIFFERENCE = 1e-6  # of the parameter, for the derivative of the targets


class CurvePoint(NamedTuple):
    x: Array
    s: float


@dataclass(frozen=True, eq=False)
class Curve:
    problem: Problem
    targets: Array  # rows at even parameters from 0 to 1

    def target(self, s: float) -> Array:
        """Between the rows, and beyond their ends straight on."""
        n = len(self.targets) - 1
        k = int(np.clip(np.floor(s * n), 0, n - 1))
        ends = self.targets[k], self.targets[k + 1]
        return between(self.problem.prescription, *ends, np.array([s * n - k]))[0]

    def matrix(self, y: CurvePoint) -> tuple[Array, Array]:
        """Residual, and its derivative by (v, lam, tau, s)."""
        r, A = self.problem.evaluate(y.x, self.target(y.s))
        ends = [
            self.problem.evaluate(y.x, self.target(y.s + d))[0] for d in (-DIFFERENCE, DIFFERENCE)
        ]
        return r, np.column_stack([A, (ends[1] - ends[0]) / (2 * DIFFERENCE)])

    @cached_property
    def weights(self) -> Array:
        """For lengths: of (v, lam, tau, s)."""
        system = self.problem.system
        w = np.zeros(self.problem.nz + 1)
        w[: system.nv] = 1 / system.scales**2
        w[-1] = 1.0
        return w

    @property
    def along_path(self) -> Array:
        """The direction in which the path parameter alone grows."""
        return np.eye(1, self.problem.nz + 1, self.problem.nz)[0]

    def length(self, d: Array) -> float:
        return float(np.sqrt(np.sum(self.weights * d * d)))

    def moved(self, y: CurvePoint, d: Array) -> CurvePoint:
        return CurvePoint(self.problem.moved(y.x, d[:-1]), y.s + float(d[-1]))

    def change(self, a: CurvePoint, b: CurvePoint) -> Array:
        return np.append(self.problem.change(a.x, b.x), b.s - a.s)

    def tangent(self, y: CurvePoint, along: Array) -> Array:
        """Of unit length, in the direction of `along`."""
        _, D = self.matrix(y)
        rows = np.vstack([D, self.weights * along])
        t = np.linalg.solve(rows, np.eye(len(rows))[-1])
        return np.asarray(t / self.length(t))

    def corrected(
        self, guess: CurvePoint, along: Array, most: int = 8
    ) -> tuple[CurvePoint, int] | None:
        """The point of the curve across from a guess, and the iterations; None: none is near."""

        def evaluate(y: CurvePoint) -> tuple[Array, Solver]:
            r, D = self.matrix(y)
            off = float(np.sum(self.weights * along * self.change(guess, y)))
            rows = np.vstack([D, self.weights * along])
            return np.append(r, off), lambda r: np.linalg.solve(rows, -r)

        found = newton(
            evaluate,
            guess,
            tolerance=np.inf,
            correction_tolerance=CORRECTION,
            moved=self.moved,
            length=self.length,
            divergence=LONGEST_CORRECTION,
            trials=0,
            iterations=most,
        )
        return (found.x, found.iterations) if found.converged else None
