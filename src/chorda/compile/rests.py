"""Many equilibria at once, each from a known one: arrays of rests.c, and the same in Python."""

import ctypes
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chorda.compile.job import Array, Exit
from chorda.numerics.continuation import continued

Whole = npt.NDArray[np.int64]
TURN = 19  # numbers of a rotation's way: an angle and two matrices


@dataclass(frozen=True)
class Steps:
    """How a member goes: longest step over the scales, how far a solution may lie from where the
    tangent points (part of the step, and always), growth of steps, the shortest one."""

    longest: float
    bend: float
    corner: float
    growth: float
    shortest: float
    tolerance: float = 1e-9
    most: int = 25


class Numbers(ctypes.Structure):
    """`Rests` of rests.c."""

    _fields_ = (
        ("whole", ctypes.c_long * 5),
        ("reals", ctypes.c_double * 6),
        ("stop", ctypes.c_void_p),
    )


@dataclass(frozen=True, eq=False)
class Rests:
    """Rows of members; see rests.c. known: states, targets and parameters of the equilibria that
    members start from, which `start` counts. targets and p: a row each, or one that all share.
    turns: ways of rotations (members, rotations, 19). scale: a large change of each unknown; near:
    what weighs each coordinate. What is found is in the other arrays.
    """

    known: tuple[Array, Array, Array]
    start: Whole
    targets: Array
    turns: Array
    p: Array
    u: Array
    scale: Array
    near: Array
    steps: Steps
    x: Array = field(init=False)
    matrices: Array = field(init=False)
    residual: Array = field(init=False)
    reached: Array = field(init=False)
    iterations: Whole = field(init=False)
    code: Whole = field(init=False)
    stop: Whole = field(init=False)

    def __post_init__(self) -> None:
        n, nz = self.members, len(self.scale)
        shapes = {"x": (n, self.known[0].shape[1]), "matrices": (n, nz, nz)}
        for name in ("x", "matrices", "residual", "reached"):
            object.__setattr__(self, name, np.zeros(shapes.get(name, (n,))))
        for name in ("iterations", "code"):
            object.__setattr__(self, name, np.zeros(n, np.int64))
        self.code[:] = Exit.INTERRUPTED  # until they have run
        object.__setattr__(self, "stop", np.zeros(1, np.int64))

    @property
    def members(self) -> int:
        return len(self.start)

    @property
    def whole(self) -> tuple[int, ...]:
        """The whole numbers of `Rests` in rests.c, behind that of parameters."""
        (_, nt), (_, np_) = self.targets.shape, self.p.shape
        strides = nt * (len(self.targets) > 1), np_ * (len(self.p) > 1)
        return self.turns.shape[1], self.steps.most, *strides

    @property
    def reals(self) -> tuple[float, ...]:
        """The other numbers there."""
        s = self.steps
        return s.tolerance, s.longest, s.bend, s.corner, s.growth, s.shortest

    @property
    def numbers(self) -> Numbers:
        return Numbers((self.p.shape[1], *self.whole), self.reals, self.stop.ctypes.data)

    @property
    def given(self) -> tuple[npt.NDArray[np.generic], ...]:
        """In the order of rests.c."""
        own = (self.targets, self.turns, self.p, self.u, self.scale, self.near)
        return (*self.known, self.start, *own)

    @property
    def found(self) -> tuple[npt.NDArray[np.generic], ...]:
        """Behind them."""
        each = (self.x, self.matrices, self.residual, self.reached, self.iterations, self.code)
        return each

    def between(self, m: int, s: float) -> tuple[Array, Array]:
        """Targets and parameters of a member at s."""
        _, t0, p0 = (x[self.start[m]] for x in self.known)
        t1, p1 = (x[m if len(x) > 1 else 0] for x in (self.targets, self.p))
        if s == 1:
            return t1, p1
        target, first = t0 + s * (t1 - t0), len(t1) - 9 * self.turns.shape[1]
        for k, turn in enumerate(self.turns[m]):
            at, a = slice(first + 9 * k, first + 9 * k + 9), s * turn[0]
            target[at] = t0[at] + np.sin(a) * turn[1:10] + (1 - np.cos(a)) * turn[10:]
        return target, p0 + s * (p1 - p0)


class Solver(Protocol):
    """What a member's way asks of Newton's method: (target, p) given, from a state."""

    def solution(self, x: Array, target: Array, p: Array, tangent: Array) -> Array | None:
        """The solution from a state, and where its first step, the tangent of the branch, leads."""

    def matrix(self, x: Array, target: Array, p: Array) -> tuple[Array, Array]:
        """Residual and matrix."""


def one_by_one(solver: Solver, counted: Array, batch: Rests, first: int, last: int) -> None:
    """rests.c in Python; counted: where the solver counts its evaluations."""
    nq, s = len(batch.near), batch.steps

    def far(a: Array, b: Array) -> float:
        return float(np.max(np.abs(b[:nq] - a[:nq]) * batch.near, initial=0.0))

    for m in range(first, last):
        if batch.stop[0]:
            return

        def reach(to: float, x: Array, m: int = m) -> Array | None:
            target, p = batch.between(m, to)
            guess = np.full(len(x), np.nan)
            found = solver.solution(x, target, p, guess)
            if found is None or not (ahead := far(x, guess)) < s.longest:
                return None
            return found if far(guess, found) <= s.bend * ahead + s.corner else None

        begin, start = counted[1], batch.known[0][batch.start[m]]
        way = continued(reach, start, first=1.0, growth=s.growth, shortest=s.shortest)
        batch.x[m], batch.reached[m] = way.state, way.parameter
        batch.iterations[m] = counted[1] - begin
        batch.code[m] = Exit.DONE if way.complete else Exit.NOT_CONVERGED
        r, A = solver.matrix(way.state, *batch.between(m, way.parameter))
        batch.matrices[m], batch.residual[m] = A.T, np.max(np.abs(r), initial=0.0)
