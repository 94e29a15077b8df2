"""Maps by flooding, sheet by sheet: which cells are joined, and where a Hessian changes its sign.

Equilibria over the plane are a surface that folds and winds: two ways of flooding can reach one
cell, or two that are neighbours, on different sheets of it. Between these no line is drawn.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh
from scipy.ndimage import label

from chorda.mechanics import Array
from chorda.results import Workspace
from chorda.results.cells import REACHED
from chorda.statics.hessians import hessians
from chorda.statics.problem import Problem
from chorda.statics.workspace.reaching import Walker

Mask = npt.NDArray[np.bool_]
SMALL_STEP = 0.3  # over the scales: cells that differ by less are taken as joined
SAME_SOLUTION = 1e-4  # over the scales: one solution
Segment = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Sheets:
    """A workspace of two axes, with its motors locked.

    turning: names of the coordinates that count turns, which do not make another configuration.
    """

    workspace: Workspace
    turning: tuple[str, ...]

    @cached_property
    def problem(self) -> Problem:
        w = self.workspace
        return Problem(w.system, w.prescription, w.u, w.parameters)

    @cached_property
    def joined(self) -> tuple[Mask, Mask]:
        """Whether each cell is on one sheet with the next one along x, and along y."""
        shape = self.workspace.shape
        along_x, along_y = (np.zeros((shape[0] - (axis == 0), shape[1] - (axis == 1)), bool)
                            for axis in (0, 1))  # fmt: skip
        number = np.arange(shape[0] * shape[1]).reshape(shape)
        for mask, first, second in (
            (along_x, number[:-1], number[1:]),
            (along_y, number[:, :-1], number[:, 1:]),
        ):
            pairs = zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)
            mask[...] = np.reshape([self._same(a, b) for a, b in pairs], mask.shape)
        return along_x, along_y

    @cached_property
    def _bent(self) -> npt.NDArray[np.intp]:
        names = self.workspace.system.coordinate_names
        return np.array([k for k, name in enumerate(names) if name not in self.turning])

    def _apart(self, x: Array, y: Array) -> float:
        scale = np.array([c.scale for c in self.workspace.system.coordinates])
        return float(np.max((np.abs(x - y)[: len(scale)] / scale)[self._bent]))

    def _same(self, a: int, b: int) -> bool:
        """Whether the branch leads from one cell to the other."""
        cells = self.workspace.cells
        if cells.code[a] != REACHED or cells.code[b] != REACHED:
            return False
        if self._apart(cells.state[a], cells.state[b]) < SMALL_STEP:
            return True
        start = self._walker.spot(cells.state[a].copy(), self.workspace.point(a))
        found = self._walker.reach(start, self.workspace.point(b)).spot
        return found is not None and self._apart(found.x, cells.state[b]) < SAME_SOLUTION

    @cached_property
    def _walker(self) -> Walker:
        return Walker(self.problem, self.workspace.columns, self.workspace.base)

    @cached_property
    def shares(self) -> Array:
        """The two smallest eigenvalues of the Hessian over the elastic stiffness (nx, ny, 2)."""
        w = self.workspace
        cells = np.flatnonzero(w.cells.code == REACHED)
        rows = np.array([w.row(*map(int, np.unravel_index(cell, w.shape))) for cell in cells])
        found = np.full((len(w.cells), 2), np.nan)
        found[cells] = stiffness_shares(self.problem, w.cells.state[cells], rows)[:, :2]
        return found.reshape(*w.shape, 2)

    @cached_property
    def edges(self) -> Mask:
        """Cells that have a reached neighbour on another sheet."""
        reached, found = self.workspace.reached, np.zeros(self.workspace.shape, bool)
        along_x, along_y = self.joined
        torn_x = reached[:-1] & reached[1:] & ~along_x
        torn_y = reached[:, :-1] & reached[:, 1:] & ~along_y
        found[:-1] |= torn_x
        found[1:] |= torn_x
        found[:, :-1] |= torn_y
        found[:, 1:] |= torn_y
        return found

    def beneath(self, path: Array) -> Mask:
        """Unstable regions that end at another sheet, and that a path (n, 2) does not enter."""
        w = self.workspace
        regions, count = label(w.reached & ~w.stable())
        entered = {int(regions[w.index_near(point)]) for point in path}
        torn = set(np.unique(regions[self.edges]).tolist())
        left = [k for k in range(1, count + 1) if k in torn - entered]
        return np.asarray(np.isin(regions, left))

    def limits(self) -> list[Segment]:
        """Where an eigenvalue changes its sign, as segments: independent of all scales."""
        (x, y), (along_x, along_y) = self.workspace.values, self.joined
        segments: list[Segment] = []
        for k in range(2):
            z = self.shares[:, :, k]
            whole = along_x[:, :-1] & along_x[:, 1:] & along_y[:-1] & along_y[1:]
            for i, j in np.argwhere(whole).tolist():
                corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1), (i, j)]
                points = []
                for a, b in pairwise(corners):
                    if z[a] * z[b] < 0:
                        t = z[a] / (z[a] - z[b])
                        points.append((x[a[0]] + t * (x[b[0]] - x[a[0]]),
                                       y[a[1]] + t * (y[b[1]] - y[a[1]])))  # fmt: skip
                segments += zip(points[::2], points[1::2], strict=True)
        return segments


def stiffness_shares(problem: Problem, X: Array, targets: Array) -> Array:
    """What is left of the legs' elastic stiffness along each move, motors locked (n, moves).

    Eigenvalues of the Hessian over the elastic energy of the same moves: numbers that depend
    neither on units nor on the basis of strains, 1 without forces and 0 where stability is lost.
    """
    system = problem.system
    nv, nq, nc = system.nv, system.nq, system.nc
    H, T, moves = hessians(problem, problem.linearised(X, targets)[1], "locked")
    free = X[:1].copy()
    free[:, nq : nq + nc] = 0.0  # without forces in the closures, what resists is elastic
    scale = system.scales[moves]
    K = -problem.linearised(free, targets[:1])[1][0, :nv, :nv]
    K = K[np.ix_(moves, moves)] * np.outer(scale, scale)
    return np.array([eigh(h, t.T @ K @ t, eigvals_only=True) for h, t in zip(H, T, strict=True)])
