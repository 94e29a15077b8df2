"""Solids that a step carries through each other, and how much of a step keeps them apart.

In a step that leads through, the normal between two solids turns by more than a right angle, seen
from both, and they overlap somewhere on the straight way in the coordinates. What goes around turns
the normal too, and what is pressed in, but not beyond the middle, overlaps.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics.system import System
from chorda.numerics import Array
from chorda.numerics.pacing import by_columns

Mask = np.typing.NDArray[np.bool_]
Columns = Callable[[Any, Array, Array], list[Array]]  # as `by_columns`
LOOKS, ZOOMS = 17, 5  # at the straight way, and at ever shorter parts of it where gaps are least
PRESSED = 0.02  # of the thickness: a step at rest presses no deeper, or to twice of what it was
MAX_SHORTENING = 40
TINY = 1e-12  # [m or N] that is none


@dataclass(frozen=True, eq=False)
class Look:
    """Touches of configurations, a row for each: gaps and thicknesses (n, touches) [m], and the
    normals in the axes of both shapes (n, touches, 3)."""

    gap: Array
    thickness: Array
    first: Array
    second: Array

    def __getitem__(self, rows: Any) -> "Look":
        return Look(*(getattr(self, x.name)[rows] for x in fields(self)))

    def of_each(self, rows: Any) -> "Look":
        """Rows (n, touches) of each touch."""
        return self[rows, np.arange(self.gap.shape[1])]

    def with_rows(self, more: "Look") -> "Look":
        """Further configurations behind these."""
        pairs = ((getattr(self, x.name), getattr(more, x.name)) for x in fields(self))
        return Look(*(np.concatenate(pair) for pair in pairs))

    def turned(self, other: "Look") -> Mask:
        """By more than a right angle, seen from both shapes."""
        first, second = self._turned(other)
        return np.asarray(first & second)

    def turned_in_one(self, other: "Look") -> Mask:
        """By more than a right angle, seen from one shape at least; the other may have turned."""
        first, second = self._turned(other)
        return np.asarray(first | second)

    def _turned(self, other: "Look") -> tuple[Mask, Mask]:
        first = np.sum(self.first * other.first, axis=-1) < 0
        return first, np.sum(self.second * other.second, axis=-1) < 0


def look(system: System, q: Array, p: Array, columns: Columns | None = None) -> Look:
    """At configurations that are rows; parameters are those of all, or a row for each.

    columns: what evaluates a function of many columns, if not `by_columns`.
    """

    def make() -> Any:
        x = system.touches
        results = [
            ca.vertcat(*[y.gap for y in x]),
            ca.vertcat(*[y.thickness for y in x]),
            *(ca.vertcat(*[y.sides[k] for y in x]) for k in (0, 1)),
        ]
        return system.function("sides", "q p", *map(ca.densify, results))

    function = system.once("sides", make)
    found = (columns or by_columns)(function, q.T, np.atleast_2d(p).T)
    gap, thickness, first, second = (x.T for x in found)
    return Look(gap, thickness, *(x.reshape(*gap.shape, 3) for x in (first, second)))


def solids(system: System) -> Mask:
    """Which touches are between shapes that both have another side."""
    return np.array([x.solid for x in system.touches], bool)


def passed(system: System, start: Array, end: Array, p: Array) -> Mask:
    """Which touches the straight way from one configuration to another leads through."""
    ends = look(system, np.array([start, end]), p)
    found = solids(system) & ends[0].turned(ends[1])
    return found & (least_gaps(system, start, end, p) < 0) if found.any() else found


def leapt(system: System, starts: Array, ends: Array, p: Array) -> Mask:
    """Which of many straight ways (n, nq) lead through something; parameters (n, np)."""
    found = np.zeros(len(starts), bool)
    if len(starts) and solids(system).any():
        turned = look(system, starts, p).turned(look(system, ends, p))
        for i in np.flatnonzero((solids(system) & turned).any(axis=1)):
            found[i] = passed(system, starts[i], ends[i], p[i]).any()
    return found


def least_gaps(system: System, start: Array, end: Array, p: Array) -> Array:
    """Of each touch on the straight way from one configuration to another [m]."""
    gaps = system.once("gaps-alone", lambda: system.function("gaps", "q p", system.touch_gap))
    n = len(system.touches)
    low, high, least = np.zeros(n), np.ones(n), np.full(n, np.inf)
    for _ in range(ZOOMS):  # gaps of convex shapes that do not turn are convex on the way
        s = low + np.linspace(0, 1, LOOKS)[:, None] * (high - low)
        way = start + s.reshape(-1, 1) * (end - start)
        found = by_columns(gaps, way.T, p[:, None])[0].T.reshape(LOOKS, n, n)
        own = found[:, np.arange(n), np.arange(n)]
        k = np.argmin(own, axis=0)
        least = np.minimum(least, own[k, np.arange(n)])
        step = (high - low) / (LOOKS - 1)
        low, high = np.maximum(low, low + (k - 1) * step), np.minimum(high, low + (k + 1) * step)
    return least


def kept_apart(
    system: System, q: Array, after: Callable[[float], Array], p: Array, work: float
) -> float:
    """The part of a step at rest that leads through no solid and presses none in much deeper.

    after: part of the step -> the configuration after it. work: of the forces along all of it [J].
    What a step does not see coming it shall only just meet: so deep that the contact bears what
    drives the step, as its force does that work over the way on which the gap shrinks.
    """
    if not system.touches:
        return 1.0
    here, solid, part = look(system, q[None], p)[0], solids(system), 1.0
    most: Array | None = None
    for _ in range(MAX_SHORTENING):
        end = after(part)
        there = look(system, end[None], p)[0]
        if most is None:
            most = _enough(system, here, there, end, p, work)
        deep = -there.gap > 2 * most
        leaps = solid & here.turned(there)
        if leaps.any() and not deep.any():
            leaps &= least_gaps(system, q, end, p) < 0
        if not (deep.any() or leaps.any()):
            break
        share = 0.5 if leaps.any() else 1.0
        if deep.any():
            share = min(
                share, float(np.min((here.gap + most)[deep] / (here.gap - there.gap)[deep]))
            )
        part *= max(share, 0.1)
    return part


def _enough(system: System, here: Look, there: Look, end: Array, p: Array, work: float) -> Array:
    """How deep shapes may get in a step that would lead from here to there [m]."""
    pressing = system.once("pressing", lambda: _pressing(system))
    N, depth = pressing(end, p).full().ravel(), np.maximum(-there.gap, 0)
    bearing = work / np.maximum(here.gap - there.gap, TINY)
    met = depth * np.minimum(1.0, bearing / np.maximum(N, TINY))
    return np.maximum(np.minimum(PRESSED * here.thickness, met), -2 * here.gap)


def _pressing(system: System) -> Any:
    """(q, p) -> normal forces at rest."""
    N = ca.vertcat(*[x.pressing for x in system.touches])
    still = ca.substitute(N, system.v, ca.SX.zeros(system.nv))
    return system.function("pressing", "q p", ca.densify(still))
