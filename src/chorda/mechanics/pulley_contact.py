"""Which pulleys a cable touches where it may leave some of them.

Between two elements that hold the cable (points, drums, pulleys with a guard) it may touch any set
of the pulleys that it may leave. It is taut around exactly one set: no pulley of the set has a
negative wrap angle, and every other one would have, were the cable laid around it. The length is
then continuous with its first derivative: where a set gives way to the next, both have the same
tangents.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise

import casadi as ca

from chorda.mechanics.frames import SX, Expr
from chorda.mechanics.wrapping import Path

Set = tuple[int, ...]


@dataclass(frozen=True)
class Stretch:
    """The cable between two neighbours that hold it, with the pulleys between that it may leave."""

    path: Path
    first: int
    last: int
    sets: tuple[Set, ...]  # of touched pulleys, largest first
    taut: tuple[Expr, ...]  # whether it is the set's turn; for all but the last set

    @property
    def between(self) -> range:
        return range(self.first + 1, self.last)

    def pick(self, value: Callable[[Set], Expr], without: int | None = None) -> Expr:
        """The value for the set that is touched; `without`: out of the sets that lack a pulley."""
        which = [k for k, touched in enumerate(self.sets) if without not in touched]
        result = value(self.sets[which[-1]])
        for k in reversed(which[:-1]):
            result = ca.if_else(self.taut[k], value(self.sets[k]), result)
        return ca.sparsify(result)

    def touches(self, k: int) -> Expr:
        """1 where the cable touches pulley k, else 0."""
        return ca.densify(self.pick(lambda touched: SX(float(k in touched))))

    def straight(self) -> Expr:
        """Length of the free cable between the elements that are touched [m]."""

        def between(touched: Set) -> Expr:
            stops = pairwise((self.first, *touched, self.last))
            return sum((self.path.straight(i, j) for i, j in stops), SX(0))

        return self.pick(between)

    def before(self, k: int, touched: Set) -> int:
        """The element that the cable comes from to reach (or pass) k."""
        return max(x for x in (self.first, *touched) if x < k)

    def after(self, k: int, touched: Set) -> int:
        """The element that the cable goes to from (or past) k."""
        return min(x for x in (*touched, self.last) if x > k)


def stretch(path: Path, first: int, last: int) -> Stretch:
    between = range(first + 1, last)
    sets = tuple(s for size in range(len(between), -1, -1) for s in combinations(between, size))
    made = Stretch(path, first, last, sets, ())
    return Stretch(path, first, last, sets, tuple(_taut(made, s) for s in sets[:-1]))


def _taut(between: Stretch, touched: Set) -> Expr:
    taut = SX(1)
    for k in between.between:
        angle = between.path.wrap(k, between.before(k, touched), between.after(k, touched))
        wraps = angle >= 0
        taut = ca.logic_and(taut, wraps if k in touched else ca.logic_not(wraps))
    return taut


def stretches(path: Path) -> list[Stretch]:
    """The path cut at the elements that hold the cable."""
    holding = [k for k in range(path.last + 1) if not path.may_leave(k)]
    return [stretch(path, a, b) for a, b in pairwise(holding)]
