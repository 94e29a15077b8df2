"""A piece of a survey: cells to reach, each from solved ones, and what is found there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chorda.describe import dump, parse
from chorda.mechanics import Array, assemble
from chorda.results.cells import NO_CONVERGENCE, NOT_TRIED, REACHED
from chorda.results.spectra import KINDS
from chorda.statics.hessians import spectra
from chorda.statics.problem import Problem
from chorda.statics.solutions import tensions
from chorda.statics.workspace.peaks import gauges
from chorda.statics.workspace.reaching import Outcome, Spot, Walker, distance_to_singularity


@dataclass(frozen=True, eq=False)
class Task:
    """A cell at a point of the region, and where to come from, best first."""

    cell: int
    point: Array
    parents: tuple[tuple[int, Spot], ...]
    near: bool = True  # the parents are its neighbours


class Piece(tuple[Task, ...]):
    """Tasks of one call. Between processes they travel as few large arrays: many small ones take
    longer to send than to solve."""

    def __reduce__(self) -> tuple[Any, ...]:
        heads = [(task.cell, [cell for cell, _ in task.parents], task.near) for task in self]
        spots = [spot for task in self for _, spot in task.parents]
        columns = zip(*((s.x, s.point, s.tangent, s.sign) for s in spots), strict=True)
        return _unpacked, (heads, *map(np.array, ([task.point for task in self], *columns)))


def _unpacked(heads: Sequence[Any], points: Array, *columns: Array) -> Piece:
    spots = map(Spot, *columns)
    return Piece(
        Task(cell, point, tuple((parent, next(spots)) for parent in parents), near)
        for (cell, parents, near), point in zip(heads, points, strict=True)
    )


@dataclass(frozen=True, eq=False)
class Findings:
    """What became of the cells of a piece: those that were reached, row by row, and the others.

    columns: of `Cells`, by name, at those that were reached.
    """

    solves: int
    lost: Any  # cells that were not reached, and
    code: Any  # why
    cell: Any
    point: Array
    tangent: Array
    sign: Array
    columns: dict[str, Any]

    def spots(self) -> dict[int, Spot]:
        x = self.columns["state"]
        rows = zip(self.cell.tolist(), x, self.point, self.tangent, self.sign, strict=True)
        return {cell: Spot(*rest) for cell, *rest in rows}


class Surveyor:
    """Reaches cells and judges them. leaps: whether any branch will do."""

    def __init__(
        self, problem: Problem, columns: tuple[int, ...], start: tuple[Array, Array], leaps: bool
    ) -> None:
        x, row = start
        self.problem, self.walker, self.leaps = problem, Walker(problem, columns, row), leaps
        self.gauges = gauges(problem.system, problem.p)
        self._more = columns, start, leaps
        self._start, self._first = x, problem.evaluate(x, row)[1]
        self.moves = spectra(problem, x[None], self._first[None], "locked").moves

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets the robot's description and assembles the system anew."""
        problem, system = self.problem, self.problem.system
        model = dump(system.robot), system.mode, problem.prescription, problem.u, problem.p
        return _assembled, (model, *self._more)

    def survey(self, tasks: Sequence[Task]) -> Findings:
        kept: list[tuple[Task, int, Outcome]] = []
        lost: list[tuple[int, int]] = []
        solves = 0
        for task in tasks:
            parent, outcome = self._try(task)
            solves += outcome.solves
            if outcome.code == REACHED:
                kept.append((task, parent, outcome))
            else:
                lost.append((task.cell, outcome.code))
        return self._judged(kept, lost, solves)

    def _try(self, task: Task) -> tuple[int, Outcome]:
        why, solves = NOT_TRIED, 0
        for leap in (False, True) if self.leaps else (False,):
            for parent, spot in task.parents:
                if leap:
                    outcome = self.walker.leap(spot, task.point, task.near)
                elif task.near:
                    outcome = self.walker.reach(spot, task.point)
                else:
                    continue
                solves += outcome.solves
                if outcome.code == REACHED:
                    return parent, replace(outcome, solves=solves)
                why = clearer(why, outcome.code)
        return -1, Outcome(why, solves=solves)

    def _judged(
        self,
        kept: Sequence[tuple[Task, int, Outcome]],
        lost: Sequence[tuple[int, int]],
        solves: int,
    ) -> Findings:
        n, nx, axes = len(kept), self.problem.nx, len(self.walker.columns)
        spots = [outcome.spot for _, _, outcome in kept if outcome.spot is not None]
        # the start is judged along: how many closures count then never depends on the piece
        A = np.array([self._first, *(outcome.matrix for _, _, outcome in kept)])
        x = np.array([spot.x for spot in spots]).reshape(n, nx)
        X = np.vstack([self._start, x])
        found = [spectra(self.problem, X, A, kind) for kind in KINDS]
        q = x[:, : self.problem.system.nq]
        failed = np.array(lost, np.int64).reshape(-1, 2)
        return Findings(
            solves=solves,
            lost=failed[:, 0],
            code=failed[:, 1],
            cell=np.array([task.cell for task, _, _ in kept], np.int64),
            point=np.array([spot.point for spot in spots]).reshape(n, axes),
            tangent=np.array([spot.tangent for spot in spots]).reshape(n, nx, axes),
            sign=np.array([spot.sign for spot in spots]),
            columns={
                "parent": [parent for _, parent, _ in kept],
                "jumped": [outcome.jumped for _, _, outcome in kept],
                "residual": [outcome.residual for _, _, outcome in kept],
                "iterations": [outcome.iterations for _, _, outcome in kept],
                "state": x,
                "singularity": distance_to_singularity(self.problem, A[1:]),
                "negative": np.array([v.negative for v in found]).T[1:],
                "neutral": np.array([v.neutral for v in found]).T[1:],
                "growth": np.array([v.leading.real for v in found]).T[1:],
                "swing": np.array([v.leading.imag for v in found]).T[1:],
                "margin": np.array([v.margin for v in found]).T[1:],
                "condition": np.array([_inverse_condition(v.eigenvalues) for v in found]).T[1:],
                "strain": np.array([g.peak(q) for g in self.gauges]).reshape(len(self.gauges), n).T,
                "eigenvalues": found[0].eigenvalues[1:],
                "tension": tensions(self.problem, x)[2],
            },
        )


def _assembled(model: tuple[Any, ...], *more: Any) -> Surveyor:
    robot, tendons, prescription, u, p = model
    return Surveyor(Problem(assemble(parse(robot, "robot"), tendons), prescription, u, p), *more)


def clearer(known: int, new: int) -> int:
    """Of two reasons why a cell was not reached, the more informative one."""
    return known if new == NO_CONVERGENCE and known != NOT_TRIED else new


def _inverse_condition(eigenvalues: Array) -> Array:
    size = np.abs(eigenvalues)
    if not size.shape[1]:
        return np.ones(len(size))
    most = np.max(size, axis=1)
    return np.asarray(np.min(size, axis=1) / np.where(most > 0, most, 1))
