"""Which cells come next, and from where: a front that moves outward from the start."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from chorda.results.cells import REACHED, Cells
from chorda.results.region import Region
from chorda.statics.workspace.pieces import Task
from chorda.statics.workspace.reaching import Spot

Spots = Callable[[int], Spot]
Indices = npt.NDArray[np.intp]


def neighbours(cells: Indices, shape: tuple[int, ...]) -> tuple[Indices, Indices]:
    """Pairs (cell, neighbour) along the axes."""
    at = np.array(np.unravel_index(cells, shape))
    first, second = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for axis, n in enumerate(shape):
        for side in (-1, 1):
            there = at.copy()
            there[axis] += side
            inside = (there[axis] >= 0) & (there[axis] < n)
            first.append(cells[inside])
            second.append(np.ravel_multi_index(tuple(there[:, inside]), shape))
    return np.concatenate(first), np.concatenate(second)


def next_to_front(region: Region, cells: Cells, front: int, spots: Spots) -> list[Task]:
    """Cells beside those that were reached in the round before.

    Of several neighbours the one farthest from a singularity is asked first, so that the order of
    work does not matter.
    """
    here = np.flatnonzero((cells.front == front) & (cells.code == REACHED))
    start, to = neighbours(here, region.shape)
    open_ = (cells.code[to] != REACHED) & (cells.tried[to] != front)
    start, to = start[open_], to[open_]
    order = np.lexsort((start, -cells.singularity[start], to))
    tasks: dict[int, list[int]] = {}
    for a, b in zip(start[order].tolist(), to[order].tolist(), strict=True):
        tasks.setdefault(b, []).append(a)
    points = region.points(list(tasks))
    return [
        Task(cell, point, tuple((a, spots(a)) for a in parents))
        for (cell, parents), point in zip(tasks.items(), points, strict=True)
    ]


def across_gaps(region: Region, cells: Cells, front: int, before: int, spots: Spots) -> list[Task]:
    """All cells that are left, each from the nearest one that was reached before this round, then
    from those of the starts.

    before: the round that did so before; where the nearest cell is still the same, it is not asked
    again.
    """
    from scipy.spatial import cKDTree

    known = np.flatnonzero((cells.code == REACHED) & (cells.front <= front))
    left = np.flatnonzero((cells.code != REACHED) & (cells.tried != front))
    if not len(known) or not len(left):
        return []
    at = np.array(np.unravel_index(known, region.shape)).T
    tree, k = cKDTree(at), min(8, len(known))
    wanted = np.array(np.unravel_index(left, region.shape)).T
    far, rows = (np.asarray(x).reshape(len(left), k) for x in tree.query(wanted, k))
    tasks, starts = [], np.flatnonzero(cells.front == 0).tolist()
    for cell, d, near in zip(left.tolist(), far, rows, strict=True):
        best = min(zip(d.round(6).tolist(), known[near].tolist(), strict=True))[1]
        if cells.front[best] > before:
            parents = dict.fromkeys((best, *starts))
            asked = tuple((a, spots(a)) for a in parents)
            tasks.append(Task(cell, region.point(cell), asked, near=False))
    return tasks
