"""Nodes along a rod: equal intervals between the stations, and how many."""

from dataclasses import dataclass
from math import ceil

import numpy as np

from chorda.checks import whole_number
from chorda.continuous.tendon_rod import TendonRod
from chorda.mechanics import Array
from chorda.numerics.runge_kutta_steps import Tableau

NODES_PER_TURN = 12  # of a helical sheath, and of a rod that is curled without load
ALIASED = 4  # nodes a turn with which a helix may look like another one

Pieces = tuple[int, ...]  # intervals between stations


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes s: equal intervals between the stations. At a jump two nodes lie at one point; between
    neighbours is an interval or a jump.

    starts (N): node from which each interval of length h (N) runs. jumps: (node before, number of
    the station). points (stages, N, 1 + flags): s, which tendons are there, and
    which loads along the rod.
    """

    s: Array
    starts: Array
    h: Array
    jumps: tuple[tuple[int, int], ...]
    points: Array


def pieces(problem: TendonRod, nodes: int | None, usual: int) -> Pieces:
    """Intervals between the stations for so many nodes; if not given: the usual number, and more
    where sheaths or the rod itself go round."""
    if nodes is None:
        nodes = max(usual, 1 + ceil(NODES_PER_TURN * problem.turns))
    whole_number("nodes", nodes, 2)
    ends = [0.0, *(station.at for station in problem.stations)]
    parts = np.diff(ends) / problem.rod.length
    return tuple(max(1, round((nodes - 1) * part)) for part in parts)


def halved(of: Pieces) -> Pieces:
    return tuple(max(1, round(n / 2)) for n in of)


def doubled(of: Pieces) -> Pieces:
    return tuple(2 * n for n in of)


def is_aliased(problem: TendonRod, of: Pieces) -> bool:
    """Whether there are so few nodes that they may not see each turn of a helix."""
    return sum(of) < ALIASED * problem.turns


def grid(problem: TendonRod, of: Pieces, method: Tableau) -> Grid:
    s, starts, h, jumps, at = [0.0], list[int](), list[float](), [], 0.0
    for k, (station, count) in enumerate(zip(problem.stations, of, strict=True)):
        if k:
            jumps.append((len(s) - 1, k - 1))
            s.append(at)
        starts += range(len(s) - 1, len(s) - 1 + count)
        h += [(station.at - at) / count] * count
        s += np.linspace(at, station.at, count + 1)[1:].tolist()
        at = station.at
    nodes_at, first, H = np.array(s), np.array(starts), np.array(h)
    ends = np.array([c.end for c in problem.cables])
    spans = [x.span(problem.rod.length) for x in problem.robot.distributed_loads]
    low, high = problem.rod.length * np.array(spans).reshape(-1, 2).T
    middle = (nodes_at[first] + H / 2)[:, None]
    points = np.empty((len(method.c), len(H), 1 + problem.flags))
    points[..., 0] = nodes_at[first] + method.c[:, None] * H
    points[..., 1 : 1 + len(ends)] = middle < ends
    points[..., 1 + len(ends) :] = (middle > low) & (middle < high)
    return Grid(nodes_at, first, H, tuple(jumps), points)
