"""From one cell to the next: a step along the tangent, and Newton's method from there.

A solution that is far from what the tangent foretells may lie on another branch: such a step is
taken again in shorter ones, until they agree or are too short. Where shapes begin or cease to
touch, the branch has a corner, and the tangents of both ends foretell it. Where the determinant of
the problem's matrix changes its sign, a singularity lies between: no step goes across. Each cell
lies on the branch of the one it was reached from; around a hole the branch can come back on another
sheet of solutions, and neighbours are then not joined. A cell to which a cable would have turned
too far about a pulley is not reached (winding_limits.py).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array
from chorda.numerics.continuation import continued
from chorda.results.cells import JUMPED, NO_CONVERGENCE, REACHED, SINGULAR, WOUND
from chorda.statics import winding_limits as winding
from chorda.statics.branch_end import NEAR_SINGULAR, to_singularity
from chorda.statics.problem import Problem

SHORTEST_STEP = 2.0**-6  # of the way between two cells
LONGEST_STEP = 1.0  # change of a coordinate, over its scale
LARGEST_BEND = 0.5  # of a step: how far a solution may lie from what the tangent foretells
ROUNDING = 1e-6  # over the scales: as good as there


@dataclass(frozen=True, eq=False)
class Spot:
    """A solution, with how it moves along the region's axes, and its determinant's sign."""

    x: Array
    point: Array  # values of the region's names
    tangent: Array  # (nx, axes)
    sign: float


@dataclass(frozen=True, eq=False)
class Outcome:
    code: int
    spot: Spot | None = None
    matrix: Array | None = None
    jumped: bool = False
    solves: int = 0
    residual: float = 0.0
    iterations: int = 0


class Walker:
    """Takes steps in one problem; `base` is the row of targets outside the region's columns."""

    def __init__(self, problem: Problem, columns: tuple[int, ...], base: Array) -> None:
        self.problem, self.columns, self.base = problem, list(columns), base
        n = problem.nz
        self._units = np.eye(n)[[problem.row_of_target(k) for k in self.columns]]
        system = problem.system
        self._curved = system.nq != system.nv
        self._scale = np.array([c.scale for c in system.coordinates])
        self._kernel = problem.kernel
        self._X, self._M = np.zeros((1, problem.nx)), np.zeros((1, n, n))
        self.solves, self.iterations, self.residual = 0, 0, 0.0

    def row(self, point: Array) -> Array:
        target = self.base.copy()
        target[self.columns] = point
        return target

    def spot(self, x: Array, point: Array, A: Array | None = None) -> Spot:
        """A solution with its tangent: A dx = d(target)."""
        from scipy.linalg.lapack import dgetrf, dgetrs

        if A is None:
            A = self.problem.evaluate(x, self.row(point))[1]
        lu, pivots, singular = dgetrf(A)
        diagonal = np.diag(lu)
        swaps = int(np.sum(pivots != np.arange(len(A))))
        sign = float(np.prod(np.sign(diagonal))) * (-1) ** swaps
        if singular:
            return Spot(x, point, np.zeros((len(x), len(self.columns))), 0.0)
        # one by one: several right-hand sides at once wake the threads of BLAS
        tangent = np.array([dgetrs(lu, pivots, unit)[0] for unit in self._units]).T
        if self._curved:
            nq, nv = self.problem.system.nq, self.problem.system.nv
            N = self.problem.system.kinematics(x[:nq]).full()
            tangent = np.vstack([N @ tangent[:nv], tangent[nv:]])
        return Spot(x, point, tangent, sign)

    def solve(self, guess: Array, point: Array, most: int) -> Spot | None:
        self.solves += 1
        job = self.problem.job(most=most)
        row = self.row(point)[None]
        solved = self._kernel.follow(job, guess.copy(), row, self._X, self._M, False) == 1
        self.iterations += int(job.info[1])
        if not solved:
            return None
        self.residual = float(job.info[4])
        return self.spot(self._X[0].copy(), point, self._M[0].T)

    @property
    def matrix(self) -> Array:
        """Newton's matrix at the last solution."""
        return self._M[0].T.copy()

    def reach(self, start: Spot, point: Array, shortest: float = SHORTEST_STEP) -> Outcome:
        """On the branch of `start`, all the way or not at all."""
        before, why = (self.solves, self.iterations), NO_CONVERGENCE

        def step(parameter: float, spot: Spot) -> Spot | None:
            nonlocal why
            aim = point if parameter == 1 else start.point + parameter * (point - start.point)
            found, why = self._step(spot, aim, why)
            return found

        way = continued(step, start, first=1.0, growth=1.6, shortest=shortest)
        if way.complete:
            return self._outcome(REACHED, before, way.state)
        last = way.state
        ahead = last.x + last.tangent @ (point - last.point)
        if self._wound(ahead, self.problem.parts(last.x)[0]):  # lengths jump between here and there
            return self._outcome(WOUND, before)
        A = self.problem.evaluate(last.x, self.row(last.point))[1]
        if to_singularity(self.problem, A)[0] < NEAR_SINGULAR:
            why = SINGULAR
        return self._outcome(why, before)

    def leap(self, start: Spot, point: Array, near: bool) -> Outcome:
        """Any solution that Newton's method finds from `start`."""
        before = self.solves, self.iterations
        along = start.tangent @ (point - start.point)
        for guess in (start.x + along, start.x) if near else (start.x,):
            if np.all(np.isfinite(guess)) and (found := self.solve(guess, point, most=25)):
                return self._outcome(REACHED, before, found, jumped=True)
        return self._outcome(NO_CONVERGENCE, before)

    def _outcome(
        self, code: int, before: tuple[int, int], spot: Spot | None = None, jumped: bool = False
    ) -> Outcome:
        solves, iterations = self.solves - before[0], self.iterations - before[1]
        if spot is not None and self._wound(spot.x, self.problem.system.rest):
            code, spot = WOUND, None
        matrix = None if spot is None else self.matrix
        return Outcome(code, spot, matrix, jumped, solves, self.residual, iterations)

    def _wound(self, x: Array, start: Array) -> bool:
        """Whether a cable turns too far on the straight way to a solution from a configuration."""
        q, _, tau = self.problem.parts(x)
        p = self.problem.inputs_and_parameters(tau)[1]
        return winding.on_the_way(self.problem.system, start, q, p) is not None

    def _step(self, a: Spot, point: Array, why: int) -> tuple[Spot | None, int]:
        move = a.tangent @ (point - a.point)
        nq = len(self._scale)
        size = float(np.max(np.abs(move[:nq]) / self._scale))
        if not size < LONGEST_STEP:
            return None, why
        guess = a.x + move
        b = self.solve(guess, point, most=10)
        if b is None:
            return None, NO_CONVERGENCE
        off = float(np.max(np.abs(b.x[:nq] - guess[:nq]) / self._scale))
        if a.sign != b.sign:
            return None, SINGULAR
        if self._wound(b.x, a.x[:nq]):
            return None, WOUND
        near = off <= LARGEST_BEND * size + ROUNDING or self._corner(a, b, size, off)
        return (b, REACHED) if near else (None, JUMPED)

    def _corner(self, a: Spot, b: Spot, size: float, off: float) -> bool:
        """Whether shapes begin or cease to touch between two solutions, and one of both is where
        the tangents point that meet there: a branch has a corner there, however short a step is."""
        system, nq = self.problem.system, len(self._scale)
        if not system.touches or np.array_equal(self._touching(a), self._touching(b)):
            return False
        back = b.tangent @ (a.point - b.point)
        other = float(np.max(np.abs(back[:nq]) / self._scale))
        off_back = float(np.max(np.abs(a.x[:nq] - b.x[:nq] - back[:nq]) / self._scale))
        longer = max(size, other)
        return longer < LONGEST_STEP and min(off, off_back) <= LARGEST_BEND * longer + ROUNDING

    def _touching(self, spot: Spot) -> npt.NDArray[np.bool_]:
        q, _, tau = self.problem.parts(spot.x)
        u, p = self.problem.inputs_and_parameters(tau)
        still = np.zeros(self.problem.system.nv)
        return np.asarray(self.problem.system.touch_gaps(q, still, u, p).full() < 0)


def distance_to_singularity(problem: Problem, matrices: Array) -> Array:
    """Inverse condition numbers of Newton's matrices, columns in the coordinates' scales and rows
    over their largest entries."""
    values = np.linalg.svd(problem.scaled(matrices), compute_uv=False)
    return np.asarray(values[:, -1] / values[:, 0])
