"""Guides of a cable: eyelets and pulleys between the ends of its path, where it may rub.

The cable is cut at a point of each guide that is fixed in the guide's frame. The parts add up to
the length, and the rate at which what lies beyond a guide gets shorter is the speed at which the
cable slides over it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import casadi as ca

from chorda.mechanics.frames import SX, Expr, cross
from chorda.mechanics.pulley_contact import Set, Stretch
from chorda.mechanics.wrapping import Path, direction_between

STRAIGHT = 1e-30  # squared sine of a turn below which the cable counts as straight


@dataclass(frozen=True, eq=False)
class Guide:
    """An element between the ends of a path."""

    element: int
    turn: Expr  # by which it turns the cable [rad]
    radius: Expr  # [m]; 0 of an eyelet


@dataclass(frozen=True, eq=False)
class Guided:
    """A cable's guides, and its lengths before, between and behind them."""

    guides: tuple[Guide, ...]
    lengths: tuple[Expr, ...]  # [m]


def guided(path: Path, parts: list[Stretch], wraps: Mapping[int, Any]) -> Guided:
    """wraps: of pulleys, by element, with their angles."""
    last, angles = path.last, {k: x.angle for k, x in wraps.items()}
    lengths = [_free(path, parts, k) for k in range(last)]
    for k in angles:
        arriving, leaving = _arcs(path, parts, k)
        if k > 0:
            lengths[k - 1] += path.elements[k].radius * arriving
        if k < last:
            lengths[k] += path.elements[k].radius * leaving
    guides = []
    for k in range(1, last):
        turn = ca.fabs(angles[k]) if k in angles else _turn(path, parts, k)
        guides.append(Guide(k, turn, path.elements[k].radius))
    return Guided(tuple(guides), tuple(lengths))


def _stretch_of(parts: list[Stretch], k: int) -> Stretch:
    """The one in which the cable runs from element k on."""
    return next(part for part in parts if part.first <= k < part.last)


def _free(path: Path, parts: list[Stretch], k: int) -> Expr:
    """Length of the free cable from element k to the next that it touches; 0 where it does not
    touch k."""
    part = _stretch_of(parts, k)

    def length(touched: Set) -> Expr:
        stops = (part.first, *touched, part.last)
        found = (path.straight(i, j) for i, j in pairwise(stops) if i == k)
        return next(found, SX(0))

    return part.pick(length)


def _arcs(path: Path, parts: list[Stretch], k: int) -> tuple[Expr, Expr]:
    """The wrap angle of a pulley before and behind a point that is fixed on its rim [rad]."""
    rest = path.wrapped_at_rest(k) / 2
    arriving = leaving = SX(0)
    if k > 0:
        part = next(x for x in parts if x.first < k <= x.last)

        def before(touched: Set) -> Expr:
            there = k == part.last or k in touched
            return rest - path.turned(k, part.before(k, touched)) if there else SX(0)

        arriving = part.pick(before)
    if k < path.last:
        part_on = _stretch_of(parts, k)

        def after(touched: Set) -> Expr:
            there = k == part_on.first or k in touched
            return rest + path.turned(k, part_on.after(k, touched)) if there else SX(0)

        leaving = part_on.pick(after)
    if k == 0:
        leaving = leaving + rest
    if k == path.last:
        arriving = arriving + rest
    return arriving, leaving


def _turn(path: Path, parts: list[Stretch], k: int) -> Expr:
    """Angle between the cable that comes to an eyelet and the cable that leaves it [rad]."""
    before = next(part for part in parts if part.last == k)
    after = _stretch_of(parts, k)
    come = before.pick(lambda s: _along(path, k, before.before(k, s), k))
    go = after.pick(lambda s: _along(path, k, k, after.after(k, s)))
    sine = ca.sqrt(ca.fmax(ca.sumsqr(cross(come, go)), STRAIGHT))  # whose slope is 0 at 0
    return ca.atan2(sine, ca.dot(come, go))


def _along(path: Path, k: int, i: int, j: int) -> Expr:
    """Direction of the free cable from i to j in the axes of the element k's frame."""
    if path.is_pulley(i) or path.is_pulley(j):
        return path.along(k, i, j)
    return direction_between(path, k, i, j)
