"""Known equilibria that many others are reached from, in rows."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results import Equilibrium, EquilibriumBatch, EquilibriumPath
from chorda.statics.branch import state_of
from chorda.statics.follow import checked
from chorda.statics.problem import Problem
from chorda.statics.targets import actual

Several = EquilibriumPath | EquilibriumBatch
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Known:
    """rows: which of several there are equilibria; parameters: of these."""

    start: Equilibrium | Several
    rows: Whole
    first: Equilibrium
    parameters: Array

    def __len__(self) -> int:
        return len(self.rows)

    def states(self, problem: Problem) -> tuple[Array, Array]:
        """States in a problem, and the rows of targets that they fulfil."""
        start = self.start
        if isinstance(start, Several) and problem.prescription == start.prescription:
            columns = (start.q, start.multipliers, start.unknowns)
            x = np.hstack([column[self.rows] for column in columns])
            return x, np.ascontiguousarray(start.targets[self.rows])
        each = [start.at(int(i)) for i in self.rows] if isinstance(start, Several) else [start]
        x = np.array([state_of(problem, one) for one in each])
        return x, np.array([actual(problem, one) for one in x])

    def nearest(self, own: Array, targets: Array, p: Array, members: int) -> Whole:
        """For each member the known equilibrium with targets and parameters nearest to its own,
        each over the extent that it has among those that are known."""
        if len(self) == 1:
            return np.zeros(members, np.int64)
        from scipy.spatial import cKDTree

        known = np.hstack([own, self.parameters])
        wanted = np.hstack([np.broadcast_to(x, (members, x.shape[1])) for x in (targets, p)])
        extent = np.ptp(known, axis=0)
        varies = extent > 0
        scale = np.where(varies, extent, 1.0)[varies]
        found = cKDTree(known[:, varies] / scale).query(wanted[:, varies] / scale)[1]
        return np.asarray(found, np.int64)


def known_starts(start: object) -> Known:
    """One equilibrium, or those of a path or a batch."""
    if not isinstance(start, Several):
        one = checked(start)
        return Known(one, np.zeros(1, np.int64), one, one.parameters[None])
    every = np.arange(len(start), dtype=np.int64)
    rows = every if isinstance(start, EquilibriumPath) else every[start.ok]
    if not len(rows):
        raise InputError("start: expected at least one equilibrium, got a batch without any")
    p = start.parameters if len(start.parameters) == 1 else start.parameters[rows]
    p = np.ascontiguousarray(np.broadcast_to(p, (len(rows), p.shape[1])))
    return Known(start, rows, start.at(int(rows[0])), p)
