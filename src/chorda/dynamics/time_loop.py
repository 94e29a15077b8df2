"""The loop in time: chunks of steps inside a kernel, and between them the bar and Ctrl-C."""

import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from chorda.compile import Exit, Job, Kernel
from chorda.dynamics.actuation import Actuation
from chorda.mechanics import Array, System
from chorda.numerics.progress import interrupts
from chorda.statics import winding_limits as winding
from chorda.statics.loop_checks import Opened, opened

MAX_SPEED = 1e7  # [rad/s or m/s] a velocity beyond this is a divergence
CHUNK_SECONDS = 0.2  # of work between two looks at the progress bar and Ctrl-C
Watch = Callable[[int], object]
FIRST_CHUNK, MAX_CHUNK, CHUNK_GROWTH = 64, 1_000_000, 4


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
    """States (done + 1, nx) and inputs (done + 1, nu), and why there are no more.

    refused: the state that left its bounds; tried: the inputs of the last step that was tried;
    past: the cable that turned too far, or the loop that came apart; info: counts, see driver.c.
    """

    X: Array
    U: Array
    info: Array
    interrupted: bool
    past: winding.Past | Opened | None
    refused: Array | None
    tried: Array

    @property
    def done(self) -> int:
        """Steps that were completed."""
        return len(self.X) - 1

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
    loop: Loop, job: Job, steps: int, actuation: Actuation, watch: Watch | None = None
) -> Motion:
    """Run a job for so many steps.

    watch: called between chunks with the steps done; the motion ends where it returns True.
    """
    system, kernel, h = loop.system, loop.kernel, job.h
    X, U = np.empty((steps + 1, len(job.x))), np.zeros((steps + 1, system.nu))
    X[0] = job.x
    done, chunk, stop = 0, FIRST_CHUNK if kernel.compiled else 1, False
    past: winding.Past | Opened | None = None
    p = job.p[: system.p.numel()]
    with interrupts() as seen:
        try:
            while done < steps and not job.info[0] and past is None and not stop:
                n = min(chunk, steps - done) if actuation.python is None else 1
                rows = actuation.rows(done, n, done * h, job.x)
                begin = clock.perf_counter()
                ran = kernel.run(job, n, done * h, rows, X[done + 1 : done + 1 + n], U[done:])
                seen_rows = slice(done, done + ran + 1)
                past = winding.beyond(system, X[seen_rows], h, p)
                past = past or opened(system, X[seen_rows], U[seen_rows], p)
                done += ran if past is None else past.row - 1
                spent = max(clock.perf_counter() - begin, 1e-6)
                fitting = int(chunk * CHUNK_SECONDS / spent)
                chunk = max(1, min(fitting, chunk * CHUNK_GROWTH, MAX_CHUNK))
                stop = (watch is not None and watch(done) is True) or bool(seen)
        except KeyboardInterrupt:
            stop = True
        except RuntimeError:  # CasADi's word for a second Ctrl-C while it evaluates
            if not seen:
                raise
            stop = True
    left = job.info[0] == Exit.OUT_OF_BOUNDS and done < steps
    refused, tried = X[done + 1] if left else None, U[min(done, steps - 1)].copy()
    U[done] = actuation.after(done, U)
    return Motion(X[: done + 1], U[: done + 1], job.info, stop, past, refused, tried)


def bounds(system: System, nx: int) -> tuple[Array, Array]:
    """What a state may be; beyond it a motion has diverged or left its ranges."""
    low, high = np.full(nx, -np.inf), np.full(nx, np.inf)
    nq, nv = system.nq, system.nv
    low[:nq] = [max(c.low, -MAX_SPEED) for c in system.coordinates]
    high[:nq] = [min(c.high, MAX_SPEED) for c in system.coordinates]
    low[nq : nq + nv], high[nq : nq + nv] = -MAX_SPEED, MAX_SPEED
    return low, high
