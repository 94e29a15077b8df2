"""Nodes along the rod: equal intervals between the places where the internal wrench jumps."""

from dataclasses import dataclass

import numpy as np

from chorda.continuous.rod.problem import Problem
from chorda.continuous.rod.tableaus import Tableau
from chorda.errors import InputError
from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes s; at a jump two lie at one place. Between neighbours is an interval or a jump.

    starts (intervals): node from which each interval of length h runs. jumps: (node before,
    number of the station). places (intervals, stages, 1 + tendons): s and which tendons are there.
    """

    s: Array
    starts: Array
    h: Array
    jumps: tuple[tuple[int, int], ...]
    places: Array


def grid(problem: Problem, nodes: int, method: Tableau) -> Grid:
    if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 2:
        raise InputError(f"nodes: expected a whole number of at least 2, got {nodes!r}")
    L = problem.rod.length
    s, starts, h, jumps = [0.0], [], [], []
    at = 0.0
    for k, station in enumerate(problem.stations):
        if k:
            jumps.append((len(s) - 1, k - 1))
            s.append(at)
        pieces = max(1, round((nodes - 1) * (station.at - at) / L))
        for x in np.linspace(at, station.at, pieces + 1)[1:]:
            starts.append(len(s) - 1)
            h.append((station.at - at) / pieces)
            s.append(float(x))
        at = station.at
    nodes_at, H = np.array(s), np.array(h)
    first = np.array(starts)
    points = nodes_at[first][:, None] + H[:, None] * method.c
    middle = nodes_at[first] + H / 2
    there = np.array([[float(m < c.end) for c in problem.cables] for m in middle])
    there = there.reshape(len(H), 1, -1).repeat(len(method.c), 1)
    return Grid(nodes_at, first, H, tuple(jumps), np.concatenate([points[..., None], there], 2))
