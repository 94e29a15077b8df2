"""How accurate a rod at rest is with its nodes, and more of them until it is as asked for."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chorda.continuous.lifted_rod import LiftedRod
from chorda.continuous.rod_grid import Pieces, doubled, halved, is_aliased
from chorda.mechanics import Array
from chorda.numerics.newton import Outcome
from chorda.numerics.richardson import extrapolated_error, finer_until
from chorda.results.space_accuracy import SpaceAccuracy

MAX_NODES = 10_000
FINER = 0.75  # a grid with at least this part of the intervals is no coarser one
ROUNDING = 1e-10  # of the length: what rounding and the tolerance may leave
REMEDY = "more nodes (nodes=, or accuracy= in metres)"


@dataclass(frozen=True, eq=False)
class OnGrid:
    """A solution on a grid, and the part of the loads that it has."""

    rod: LiftedRod
    out: Outcome[Array]
    load: float

    @property
    def pieces(self) -> Pieces:
        return self.rod.pieces

    def at(self, s: Array) -> Array:
        """Positions (k, 3) of nodes at these points."""
        rows = [int(np.argmin(np.abs(self.rod.grid.s - x))) for x in s]
        return self.rod.positions(self.out.value)[rows]


Solve = Callable[[Pieces, OnGrid], OnGrid | None]  # on a grid, from a solution on another one


def node_accuracy(found: OnGrid, coarser: list[OnGrid], solve: Solve) -> SpaceAccuracy:
    """The error of a solution, from coarser ones: those that are known, or else are solved for.

    coarser: with half and with a quarter of the intervals, as far as they are known.
    """
    problem = found.rod.problem
    length, name = problem.rod.length, problem.rod.name
    ladder = list(coarser)
    while len(ladder) < 2:
        last = ladder[-1] if ladder else found
        few = halved(last.pieces)
        if sum(few) > FINER * sum(last.pieces) or (step := solve(few, last)) is None:
            break
        ladder.append(step)
    if ladder:
        fine, middle, coarse = found, ladder[0], ladder[1] if len(ladder) > 1 else None
    elif (finer := solve(doubled(found.pieces), found)) is not None:
        fine, middle, coarse = finer, found, None
    else:
        unknown = np.full(2, np.inf)
        return SpaceAccuracy((f"{name}.tip", name), unknown, np.zeros(2), False, length, REMEDY)
    s = _shared([x.rod.grid.s for x in (fine, middle, coarse) if x is not None], length)
    errors, reliable = extrapolated_error(
        fine.at(s),
        middle.at(s),
        None if coarse is None else coarse.at(s),
        found.rod.method.order,
        ROUNDING * length,
    )
    error = np.array([errors[-1], np.max(errors)])
    reliable = reliable and not is_aliased(problem, found.pieces)
    return SpaceAccuracy((f"{name}.tip", name), error, error, reliable, length, REMEDY)


def _shared(nodes: list[Array], length: float) -> Array:
    """Points that all grids have: stations, the tip, and nodes between them."""
    s = np.unique(nodes[-1])
    common = [np.min(np.abs(s[:, None] - other), axis=1) < ROUNDING * length for other in nodes]
    return np.asarray(s[np.all(common, axis=0)])


def refined_nodes(found: OnGrid, asked: float, solve: Solve) -> tuple[OnGrid, SpaceAccuracy, bool]:
    """With twice the nodes until the error is as small as asked for, and whether it is."""
    return finer_until(
        found,
        error=lambda x, coarser: node_accuracy(x, coarser, solve),
        finer=lambda x: None if 2 * sum(x.pieces) >= MAX_NODES else solve(doubled(x.pieces), x),
        is_enough=lambda x: x.reliable and not x.is_large(asked),
    )
