"""Solids that a motion carries through each other within a step: it ends before, and says so.

Most steps are short beside what touches. So not every state of a motion is looked at, but as many
as it takes that nothing can have passed from one side to the other, and back, between two of them.
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.mechanics.contacts.passing import Look, Mask, least_gaps, look, solids
from chorda.numerics.pacing import by_columns
from chorda.results import Code, Status

Rows = np.typing.NDArray[np.intp]
SURE = 2.0  # times as far as they seem to, points may move between two looks
AT_ONCE = 4096  # states
DEEP = 0.5  # of the thickness: deeper inside, a normal may turn little by little
SHORT = 0.25  # of the thickness: so far a pair may move in a step


@dataclass(frozen=True)
class Passed:
    """What went through what, and the row of the motion that is on the other side.

    moved: how far the pair moved in that step [m]; thickness: of both in the middle [m].
    """

    what: str
    row: int
    step: float
    moved: float
    thickness: float

    def status(self, where: str) -> Status:
        """where: words in the middle of a sentence."""
        return Status(Code.PASSED_THROUGH, f"{self.what} {where}. {self._remedy()}")

    def _remedy(self) -> str:
        thick = f"the {self.thickness * 1e3:.3g} mm that they are thick to their middles"
        if self.moved < SHORT * self.thickness:
            return (
                f"Steps are short beside {thick}, so the contact gave way: raise its stiffness, so "
                "that it bears what presses them."
            )
        shorter = float(f"{SHORT * self.step * min(1.0, self.thickness / self.moved):.1g}")
        return (
            f"In a step of {self.step:g} s they moved by {self.moved * 1e3:.3g} mm against each "
            f"other, which is not short beside {thick}: take a smaller step, such as {shorter:g} s."
        )


class PassingWatch:
    """Looks at one chunk of a motion after the other."""

    def __init__(self, system: System, h: float, p: Array) -> None:
        self._system, self._h, self._p = system, h, p
        self._solid = solids(system)
        self._before: Look | None = None  # touch by touch, the last look that was not deep

    def first(self, x: Array) -> Passed | None:
        """The first row of a chunk in which something is on the other side of what it was before;
        row 0 is the last one of the chunk before."""
        if not self._solid.any():
            return None
        for first in range(0, len(x) - 1, AT_ONCE):
            found = self._among(x[first : first + AT_ONCE + 1], first)
            if found is not None:
                return found
        return None

    def _among(self, x: Array, first: int) -> Passed | None:
        x = x[np.isfinite(x).all(axis=1)]
        if len(x) < 2:
            return None
        system, nq = self._system, self._system.nq
        q, v = x[:, :nq], np.abs(x[:, nq : nq + system.nv])
        way = self._h * np.maximum(v[1:], v[:-1])
        rows, seen = _looked_at(system, q, way, self._p)
        before = seen[:1] if self._before is None else self._before
        all_seen = before.with_rows(seen)
        turned, adjacent = self._turned(all_seen)
        for k in np.flatnonzero(turned.any(axis=1)):
            row, through = int(rows[k + 1]), turned[k] & ~adjacent[k]
            if not through.any():
                row, through = self._between(_kept(all_seen[: k + 2]), q, rows[k : k + 2])
            if through.any():
                touch = int(np.argmax(through))
                return self._passed(touch, first + row, q[row - 1 : row + 1], way[row - 1])
        self._before = _kept(all_seen)
        return None

    def _turned(self, seen: Look) -> tuple[Mask, Mask]:
        """From the third look on: which touches have turned round since they were last not deep,
        and of which that was at the look before."""
        n = len(seen.gap)
        last = _not_deep(seen)[1:-1]
        turned = self._solid & seen.of_each(last).turned(seen[2:])
        return turned, last == np.arange(1, n - 1)[:, None]

    def _between(self, before: Look, q: Array, ends: Array) -> tuple[int, Mask]:
        """The row between two looks, and which touches the step to it leads through."""
        near = before.with_rows(look(self._system, q[ends[0] : ends[1] + 1], self._p))
        turned, adjacent = self._turned(near)
        for i in np.flatnonzero(turned.any(axis=1)):
            row = int(ends[0] + i + 1)
            through = turned[i]
            if (through & adjacent[i]).any():
                least = least_gaps(self._system, q[row - 1], q[row], self._p)
                through = through & (~adjacent[i] | (least < 0))
            if through.any():
                return row, through
        return int(ends[1]), np.zeros_like(self._solid)

    def _passed(self, touch: int, row: int, q: Array, way: Array) -> Passed:
        """q: before the step and after it; way: how far velocities lead in it."""
        pair = self._system.touches[touch]
        return Passed(
            f"'{pair.second}' went through '{pair.first}' (contact '{pair.label}')",
            row,
            self._h,
            float(np.max(_reach(self._system, q, self._p)[:, touch] @ way)),
            float(look(self._system, q[:1], self._p).thickness[0, touch]),
        )


def _not_deep(seen: Look) -> Rows:
    """Touch by touch, the last look up to each that is not deep; 0 if none is (n, touches)."""
    rows = np.arange(len(seen.gap))[:, None]
    return np.asarray(np.maximum.accumulate(np.where(is_deep(seen), 0, rows), axis=0))


def is_deep(seen: Look) -> Mask:
    """Where normals may turn little by little."""
    return np.asarray(seen.gap < -DEEP * seen.thickness)


def _kept(seen: Look) -> Look:
    """Touch by touch, the last look that is not deep."""
    return seen.of_each(_not_deep(seen)[-1:])


def _looked_at(system: System, q: Array, way: Array, p: Array) -> tuple[Array, Look]:
    """Rows, and what is seen there. way (n - 1, nv): how far velocities lead in each step."""
    solid, far = solids(system), np.vstack([np.zeros(way.shape[1]), np.cumsum(way, axis=0)])
    rows = np.array([0, len(q) - 1])
    seen, reach = look(system, q[rows], p), _reach(system, q[rows], p)
    while True:
        a, b = slice(None, -1), slice(1, None)
        length = far[rows[b]] - far[rows[a]]
        moved = np.einsum("ktj,kj->kt", np.maximum(reach[a], reach[b]), length)
        apart = np.maximum(seen.gap, 0)
        free = apart[a] + apart[b] + seen.thickness[a] / 2
        unsure = ((SURE * moved > free) & solid).any(axis=1) & (np.diff(rows) > 1)
        if not unsure.any():
            return rows, seen
        more = (rows[a] + rows[b])[unsure] // 2
        order = np.argsort(np.concatenate([rows, more]))
        rows = np.concatenate([rows, more])[order]
        seen = seen.with_rows(look(system, q[more], p))[order]
        reach = np.concatenate([reach, _reach(system, q[more], p)])[order]


def _reach(system: System, q: Array, p: Array) -> Array:
    """How fast the points of each touch move against each other for each velocity, at
    configurations that are rows (n, touches, nv)."""
    n, nv = len(system.touches), system.nv

    def make() -> Any:
        each = [ca.sqrt(ca.sum1(x.J * x.J)) for x in system.touches]
        wide = [ca.horzcat(x, ca.SX(1, nv - x.shape[1])) for x in each]
        return system.function("reach", "q p", ca.densify(ca.vec(ca.vertcat(*wide).T)))

    found = by_columns(system.once("reach", make), q.T, p[:, None])[0]
    return np.asarray(found.T.reshape(-1, n, nv))
