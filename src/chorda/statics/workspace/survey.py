"""The survey of a region: rounds of work, recorded as they are done, so that it can go on later."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from chorda.mechanics import Array
from chorda.numerics.processes import cores
from chorda.numerics.progress import Progress
from chorda.results.cells import NOT_TRIED, REACHED, Cells
from chorda.statics.problem import Problem
from chorda.statics.workspace.fronts import across_gaps, next_to_front
from chorda.statics.workspace.pieces import Finds, Surveyor, Task, telling
from chorda.statics.workspace.reaching import Spot
from chorda.statics.workspace.region import Region
from chorda.statics.workspace.workers import Alone, Crew

PATIENCE, WORTH = 2.0, 5.0  # [s] alone before others are called, if as much is left to do
FIRST = 2.0**-12  # the shortest step to the first cell, of the whole way


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
    cells: Cells
    rounds: Rounds = field(default_factory=Rounds)
    _spots: dict[int, Spot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.surveyor = Surveyor(
            self.problem, self.region.columns, (self.starts[0], self.rows[0]), self.way == "grid"
        )

    def run(
        self,
        jobs: int | None,
        stop: Callable[[], bool],
        bar: Progress,
        recorded: Callable[[], None],
    ) -> bool:
        """Until all is done (True) or it shall stop."""
        begin, before, known = time.perf_counter(), self.rounds.seconds, self.done
        hands = self._hands(jobs)
        try:
            self._seed()
            while (tasks := self._tasks()) is not None:
                for piece in hands.survey(tasks, stop):
                    self.record(piece)
                    self.rounds.seconds = before + time.perf_counter() - begin
                    bar.update(self.done)
                    recorded()
                if stop():
                    return False
                self.rounds.now += 1
                self._forget()
                if jobs is None and hands.jobs == 1 and cores() > 1:
                    spent = time.perf_counter() - begin
                    rate = max(self.done - known, 1) / spent
                    if spent > PATIENCE and (len(self.cells) - self.done) / rate > WORTH:
                        hands = self._hands(cores())
            return True
        finally:
            hands.close()

    def _hands(self, jobs: int | None) -> Alone | Crew:
        if jobs is None or jobs == 1:
            return Alone(self.surveyor)
        start = (self.starts[0], self.rows[0])
        return Crew(jobs, self.problem, self.region.columns, start, self.way == "grid")

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
            outcome = walker.reach(spot, self.region.point(cell), FIRST)
            if outcome.code == REACHED and outcome.spot is not None:
                task = Task(cell, self.region.point(cell), ((-1, outcome.spot),))
                self.record(self.surveyor.survey([task]), front=0)
            elif self.cells.code[cell] != REACHED:
                self.cells.code[cell] = outcome.code

    def record(self, finds: Finds, front: int | None = None) -> None:
        cells, now = self.cells, self.rounds.now
        self.rounds.solves += finds.solves
        for i, code in zip(finds.lost.tolist(), finds.code.tolist(), strict=True):
            cells.code[i] = telling(int(cells.code[i]), code)
        cells.tried[finds.lost] = now
        i = finds.cell
        cells.code[i] = REACHED
        cells.front[i] = now + 1 if front is None else front
        cells.parent[i], cells.jumped[i] = finds.parent, finds.jumped
        cells.state[i], cells.singularity[i] = finds.x, finds.singularity
        cells.negative[i], cells.neutral[i] = finds.negative, finds.neutral
        cells.margin[i], cells.eigenvalues[i] = finds.margin, finds.eigenvalues
        cells.tension[i], cells.residual[i] = finds.tension, finds.residual
        cells.iterations[i] = finds.iterations
        cells.condition[i], cells.strain[i] = finds.condition, finds.strain
        self._spots |= finds.spots()

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
