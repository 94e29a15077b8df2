"""The loop in time: chunks of steps inside a kernel, and between them the bar and Ctrl-C."""

import time as clock
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from chorda.compile import Exit, Job, Kernel
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.between_rows import BetweenRows
from chorda.dynamics.passing_through import Passed, PassingWatch
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interrupts
from chorda.numerics.pacing import MAX_PIECE, Pace, Watch
from chorda.statics import winding_limits as winding
from chorda.statics.loop_checks import Opened, opened
from chorda.statics.rigid_tendons import Pushing, first_push

MAX_SPEED = 1e7  # [rad/s or m/s] a velocity beyond this is a divergence
Past = winding.Past | Passed | Opened | Pushing
CHUNK_BYTES = 32_000_000  # of a chunk of which not all is kept


class Loop(Protocol):
    """A kernel and the states that it starts from."""

    @property
    def system(self) -> System: ...
    @property
    def kernel(self) -> Kernel: ...
    def start(self, h: float, q: Array, v: Array, u: Array, p: Array) -> Array:
        """The state (nx, members) before the first step of h [s], which u are the inputs of."""
        ...

    def constants(self, p: Array) -> Array:
        """What the kernel takes for its parameters."""
        ...


@dataclass(frozen=True, eq=False)
class Motion:
    """States (rows, nx) and inputs (rows, nu) of the steps that are kept, and how it ended.

    done: steps that were completed; last: the state and the inputs after them. refused: the state
    that left its bounds; tried: the inputs of the last step that was tried; past: the cable that
    turned too far, the solid that went through another, the loop that came apart, the rigid tendon
    that would push; info: counts, see
    driver.c.
    """

    X: Array
    U: Array
    done: int
    last: tuple[Array, Array]
    info: Array
    interrupted: bool
    past: Past | None
    refused: Array | None
    tried: Array

    @property
    def exit(self) -> Exit:
        return Exit(int(self.info[0]))


def started(
    loop: Loop, q: Array, v: Array, u: Array, p: Array, step: float, tolerance: float
) -> Job:
    """The job of a motion from (q, v), of which u are the first inputs."""
    x = loop.start(step, q, v, u, p).ravel()
    return Job(step, x, loop.constants(p), *bounds(loop.system, len(x)), tolerance)


def advance(
    loop: Loop,
    job: Job,
    steps: int,
    actuation: Actuation,
    watch: Watch | None = None,
    every: int = 1,
    pace: Pace | None = None,
    between: BetweenRows | None = None,
) -> Motion:
    """Run a job for so many steps.

    watch: called between chunks with the steps done; the motion ends where it returns True.
    every: each so-many-th step is kept; all of a chunk are looked at for loops and cables. pace: of
    a compiled kernel whose steps are known to be short. between: looks at all steps for contacts.
    """
    system, kernel, h = loop.system, loop.kernel, job.h
    kept = _Kept.of(steps, every, len(job.x), system.nu)
    last = (job.x.copy(), actuation.after(0, np.zeros(system.nu)))
    kept.X[0], kept.U[0] = last
    done, stop = 0, False
    pace = (pace or Pace()) if kernel.compiled else Pace(1)
    refused, tried = None, np.zeros(system.nu)
    past: Past | None = None
    p = job.p[: system.p.numel()]
    passing = PassingWatch(system, h, p)
    with interrupts() as seen:
        try:
            while done < steps and not job.info[0] and past is None and not stop:
                n = min(pace.size, steps - done, kept.room) if actuation.python is None else 1
                rows = actuation.rows(done, n, done * h, job.x)
                X, U = kept.rows(done, n)
                X[0] = last[0]
                begin = clock.perf_counter()
                ran = kernel.run(job, n, done * h, rows, X[1:], U)
                tried = U[min(ran, n - 1)].copy()
                refused = X[ran + 1].copy() if ran < n else None
                used = last[1] if done else U[0].copy()
                U[ran] = actuation.after(done + ran, U[ran - 1] if ran else used)
                past = winding.beyond(system, X[: ran + 1], h, p)
                past = past or passing.first(X[: ran + 1])
                past = past or opened(system, X[: ran + 1], actuation.led(U[: ran + 1]), p)
                past = past or _first_push(loop, actuation, X, U, p, ran, done)
                if past is not None:
                    ran = past.row - 1
                    U[ran] = actuation.after(done + ran, U[ran - 1] if ran else used)
                kept.keep(done, X[: ran + 1], U[: ran + 1])
                if between is not None:
                    between.look(done, X[: ran + 1], U[: ran + 1])
                done, last = done + ran, (X[ran].copy(), U[ran].copy())
                pace.took(n, clock.perf_counter() - begin)
                stop = (watch is not None and watch(done) is True) or bool(seen)
        except KeyboardInterrupt:
            stop = True
    left = job.info[0] == Exit.OUT_OF_BOUNDS and past is None
    X, U = kept.until(done)
    return Motion(X, U, done, last, job.info, stop, past, refused if left else None, tried)


def _first_push(
    loop: Loop, actuation: Actuation, X: Array, U: Array, p: Array, ran: int, done: int
) -> Pushing | None:
    """A rigid tendon that would push in a chunk; its last row has no new inputs of a controller, so
    that with one it is looked at as the first of the next chunk."""
    if actuation.controlled:
        return first_push(loop.system, X[: max(ran, 1)], U, p, 0)
    return first_push(loop.system, X[: ran + 1], U, p, int(done > 0))


@dataclass(frozen=True, eq=False)
class _Kept:
    """Rows that are kept; where not all are, chunks are computed in a place of their own."""

    every: int
    X: Array
    U: Array
    chunk: tuple[Array, Array] | None

    @classmethod
    def of(cls, steps: int, every: int, nx: int, nu: int) -> "_Kept":
        count, room = steps // every + 1, max(2, CHUNK_BYTES // (8 * (nx + nu)))
        room = min(room, steps + 1)
        X, U = np.empty((count, nx)), np.zeros((count, nu))
        chunk = None if every == 1 else (np.empty((room, nx)), np.zeros((room, nu)))
        return cls(every, X, U, chunk)

    @property
    def room(self) -> int:
        """The most steps of a chunk."""
        return MAX_PIECE if self.chunk is None else len(self.chunk[0]) - 1

    def rows(self, done: int, n: int) -> tuple[Array, Array]:
        """Where the states and inputs of n steps go, and before them where they begin."""
        if self.chunk is None:
            return self.X[done : done + n + 1], self.U[done : done + n + 1]
        return self.chunk[0][: n + 1], self.chunk[1][: n + 1]

    def keep(self, done: int, X: Array, U: Array) -> None:
        """What is kept of a chunk that began after so many steps."""
        if self.chunk is not None:
            first = -done % self.every
            at = slice((done + first) // self.every, (done + len(X) - 1) // self.every + 1)
            self.X[at], self.U[at] = X[first :: self.every], U[first :: self.every]

    def until(self, done: int) -> tuple[Array, Array]:
        count = done // self.every + 1
        return self.X[:count], self.U[:count]


def bounds(system: System, nx: int) -> tuple[Array, Array]:
    """What a state may be; beyond it a motion has diverged or left its ranges."""
    low, high = np.full(nx, -np.inf), np.full(nx, np.inf)
    nq, nv = system.nq, system.nv
    ends = [c.admissible for c in system.coordinates]
    low[:nq] = [max(least, -MAX_SPEED) for least, _ in ends]
    high[:nq] = [min(most, MAX_SPEED) for _, most in ends]
    low[nq : nq + nv], high[nq : nq + nv] = -MAX_SPEED, MAX_SPEED
    return low, high
