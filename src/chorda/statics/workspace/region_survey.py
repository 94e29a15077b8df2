"""The survey of a region: rounds of work, recorded as they are done, so that it can go on later."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np

from chorda.errors import SolveError
from chorda.mechanics import Array
from chorda.numerics.processes import Death, cores
from chorda.numerics.progress import Progress
from chorda.numerics.workers import Stop, Workers
from chorda.results.cells import NOT_TRIED, REACHED, Cells
from chorda.results.region import Region
from chorda.statics.problem import Problem
from chorda.statics.workspace.fronts import across_gaps, next_to_front
from chorda.statics.workspace.pieces import Findings, Piece, Surveyor, Task, clearer
from chorda.statics.workspace.reaching import Spot

MIN_ALONE, MIN_REST = 2.0, 5.0  # [s] of work in this process before others help with the rest
MIN_PIECE, MAX_PIECE = 4, 32  # cells
FIRST_STEP = 2.0**-12  # the shortest step to the first cell, of the whole way


@dataclass
class Rounds:
    """How far a survey is: round k starts from front k, and what it reaches is front k + 1."""

    now: int = 0
    gap: int = -1  # the last round that went across gaps
    gap_before: int = -1
    solves: int = 0
    seconds: float = 0.0


@dataclass(eq=False)
class Survey:
    """A region that fills. way: "flooding" or "grid"."""

    problem: Problem
    region: Region
    starts: Sequence[Array]  # states
    rows: Sequence[Array]  # their targets
    way: str
    rounds: Rounds = field(default_factory=Rounds)
    _spots: dict[int, Spot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.surveyor = Surveyor(
            self.problem, self.region.columns, (self.starts[0], self.rows[0]), self.way == "grid"
        )
        widths = (
            len(self.surveyor.gauges),
            self.surveyor.moves,
            len(self.problem.system.robot.tendons),
        )
        self.cells = Cells.blank(self.region.count, self.problem.nx, *widths)

    def run(
        self, jobs: int | None, stop: Stop, bar: Progress, recorded: Callable[[], None]
    ) -> bool:
        """Until all is done (True) or it shall stop."""
        begin, before, known = time.perf_counter(), self.rounds.seconds, self.done
        with ExitStack() as stack:
            pool = stack.enter_context(Workers(jobs or 1, self.surveyor.survey))
            self._seed()
            while (tasks := self._tasks()) is not None:
                for findings in _surveyed(pool, tasks, stop):
                    self.record(findings)
                    self.rounds.seconds = before + time.perf_counter() - begin
                    bar.update(self.done)
                    recorded()
                if stop():
                    return False
                self.rounds.now += 1
                self._forget()
                if jobs is None and pool.count == 1 and cores() > 1:
                    spent = time.perf_counter() - begin
                    rate = max(self.done - known, 1) / spent
                    if spent > MIN_ALONE and (len(self.cells) - self.done) / rate > MIN_REST:
                        pool = stack.enter_context(Workers(cores(), self.surveyor.survey))
            return True

    @property
    def done(self) -> int:
        return int(np.sum(self.cells.code != NOT_TRIED))

    def _tasks(self) -> list[Task] | None:
        """What is left of this round; none where there is nothing to start from."""
        cells, rounds = self.cells, self.rounds
        if np.any(cells.front == rounds.now):
            return next_to_front(self.region, cells, rounds.now, self.spot)
        if self.way != "grid":
            return None
        if rounds.gap != rounds.now:
            last = int(np.max(cells.front, initial=-1))
            if last <= rounds.gap or np.all(cells.code == REACHED):
                return None
            rounds.gap_before, rounds.gap = rounds.gap, rounds.now
        return across_gaps(self.region, cells, rounds.now, rounds.gap_before, self.spot)

    def _seed(self) -> None:
        """The cells nearest to the starts."""
        if np.any(self.cells.front >= 0):
            return
        for x, row in zip(self.starts, self.rows, strict=True):
            walker = self.surveyor.walker
            cell = self.region.nearest(row)
            spot = walker.spot(x, row[list(self.region.columns)])
            outcome = walker.reach(spot, self.region.point(cell), FIRST_STEP)
            if outcome.code == REACHED and outcome.spot is not None:
                task = Task(cell, self.region.point(cell), ((-1, outcome.spot),))
                self.record(self.surveyor.survey([task]), front=0)
            elif self.cells.code[cell] != REACHED:
                self.cells.code[cell] = outcome.code

    def record(self, findings: Findings, front: int | None = None) -> None:
        cells, now = self.cells, self.rounds.now
        self.rounds.solves += findings.solves
        for i, code in zip(findings.lost.tolist(), findings.code.tolist(), strict=True):
            cells.code[i] = clearer(int(cells.code[i]), code)
        cells.tried[findings.lost] = now
        i = findings.cell
        cells.code[i] = REACHED
        cells.front[i] = now + 1 if front is None else front
        for name, rows in findings.columns.items():
            getattr(cells, name)[i] = rows
        self._spots |= findings.spots()

    def spot(self, cell: int) -> Spot:
        """A reached cell with its tangent."""
        if cell not in self._spots:
            x, point = self.cells.state[cell].copy(), self.region.point(cell)
            self._spots[cell] = self.surveyor.walker.spot(x, point)
        return self._spots[cell]

    def _forget(self) -> None:
        """Tangents of the fronts that are done."""
        now = self.rounds.now
        self._spots = {i: s for i, s in self._spots.items() if self.cells.front[i] == now}


def _surveyed(pool: Workers, tasks: Sequence[Task], stop: Stop) -> Iterator[Findings]:
    size = MAX_PIECE
    if pool.count > 1:
        size = min(MAX_PIECE, max(MIN_PIECE, len(tasks) // (4 * pool.count)))
    pieces = [Piece(tasks[i : i + size]) for i in range(0, len(tasks), size)]
    for _, findings in pool.results(enumerate(pieces), stop):
        if isinstance(findings, Death):
            raise SolveError(
                f"jobs: two worker processes ended on the same cells, with code {findings.code} "
                "(out of memory?); take fewer jobs, jobs=1 works in this process alone"
            )
        yield findings
