"""A motion in fixed steps, made again in others, and how far two motions are apart."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from chorda.compile import Job
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.time_loop import Motion, advance, started
from chorda.mechanics import Array, System
from chorda.numerics.pacing import Pace

ROWS_COMPARED = 400  # times at which coordinates are compared
NEWTON_PART = 1e-4  # of a difference: what Newton's method may leave in a step
LOOSEST = 1e-4  # tolerance of Newton's method
LOOKS = 2  # at the difference on the way, each after twice as many steps as the one before
FEW_ITERATIONS = 2.5  # a step: with so few, a looser tolerance saves none
MOST_BYTES = 64_000_000  # of all steps of a motion of which not all are kept


@dataclass(frozen=True, eq=False)
class Pair:
    """Two motions at the same times: rows q (n, nq), and how many steps lie between two of them.

    largest, moving (n): how far any coordinate is apart over its scale, and any but motors'.
    """

    a: Array
    b: Array
    between: int
    largest: Array
    moving: Array

    @classmethod
    def of(cls, system: System, a: Array, b: Array, between: int = 1) -> "Pair":
        off, moving = np.ascontiguousarray(np.abs(apart(system, a, b)).T), scales(system)[1]
        largest = np.max(off, axis=0)
        same = len(moving) == len(off)
        return cls(a, b, between, largest, largest if same else np.max(off[moving], axis=0))

    def until(self, steps: int) -> "Pair":
        """In the first steps alone."""
        n = steps // self.between + 1
        return Pair(self.a[:n], self.b[:n], self.between, self.largest[:n], self.moving[:n])


@dataclass(frozen=True)
class Stepped:
    """A motion in fixed steps h [s] that went to its end from q and v, and how it was made."""

    loop: SchemeLoop
    actuation: Actuation
    motion: Motion
    start: tuple[Array, Array]
    p: Array
    h: float
    tolerance: float
    every: int

    def whole(self) -> "Stepped":
        """With all steps kept: the motion is made again, unless it is too long for that."""
        if self.every == 1 or not fits_whole(self.motion):
            return self
        job, given = self._begun(self.actuation.signal, self.h)
        return replace(self, motion=self._advanced(job, self.motion.done, given, 1), every=1)

    def shorter(self, parts: int, rows: int) -> Pair:
        """The first rows beside those of the motion in steps that are cut into parts."""
        job, given = self._begun(self._cut(0, rows * self.every, parts), self.h / parts)
        other = self._advanced(job, parts * rows * self.every, given, parts * self.every)
        return self._beside(other.X, self.every)

    def again(self, first: int, last: int, parts: int) -> tuple[Array, Array]:
        """States and inputs of the rows from one to another, from the first of them in steps that
        are cut into parts; of a motion of which all are kept. What a controller gave is held over
        each step, as it was."""
        system = self.loop.system
        q, v = np.split(self.motion.X[first, : system.nq + system.nv], [system.nq])
        there = replace(self, start=(q, v))
        if self.actuation.controlled:
            signal = np.repeat(self.motion.U[first : last + 1], parts, axis=0)
            signal = signal[: parts * (last - first) + 1]
            alone = Actuation(system, signal)
            there = replace(there, loop=SchemeLoop(system, self.loop.scheme), actuation=alone)
        else:
            signal = self._cut(first, last, parts)
        job, given = there._begun(signal, self.h / parts)
        other = there._advanced(job, parts * (last - first), given, parts)
        return other.X, other.U

    def _cut(self, first: int, last: int, parts: int) -> Array:
        """The signal from one row to another in parts of steps."""
        signal = self.actuation.signal
        if len(signal) == 1:
            return signal
        at = np.arange(first * parts, last * parts + 1) / parts
        between = np.zeros((len(at), signal.shape[1]))
        for k, values in enumerate(signal.T):
            between[:, k] = np.interp(at, np.arange(len(signal)), values)
        return between

    def longer(self, ratio: int, steps: int, size: float | None = None) -> Pair | None:
        """The motion, or its first steps, beside the one in longer steps; None where the longer
        ones do not go through.

        size: of the differences, where it is known. Newton's method stops at a small part of it:
        if all that it leaves in hundreds of steps added up, it would hardly show. Where it is not
        known, it is what was seen on the way.
        """
        signal, every = self.actuation.signal, lcm(ratio, self.every)
        every *= max(1, steps // every // ROWS_COMPARED)
        job, given = self._begun(signal[::ratio] if len(signal) > 1 else signal, self.h * ratio)
        n = steps // ratio
        many = self.motion.info[1] > FEW_ITERATIONS * self.motion.done
        looks = many and size is None and self.loop.scheme.iterates
        job = self._looser(job, size or 0.0)
        rows, done = [job.x[None].copy()], 0
        for end in _ends(n, -(-n // 2**LOOKS) if looks else n, every // ratio):
            piece = given
            if len(given.signal) > 1:
                piece = replace(given, signal=given.signal[done : end + 1])
            part = self._advanced(job, end - done, piece, every // ratio)
            rows.append(part.X[1:])
            done += part.done
            if done < end:
                break
            if end < n:
                seen = self._beside(np.concatenate(rows), every)
                job = self._looser(job, float(np.max(seen.moving)))
        X = np.concatenate(rows)
        if done * ratio <= steps - ratio or len(X) < 2:
            return None
        return self._beside(X, every)

    def _begun(self, signal: Array, h: float) -> tuple[Job, Actuation]:
        given = replace(self.actuation, signal=np.ascontiguousarray(signal))
        first = given.first(*self.start, self.p)
        return started(self.loop, *self.start, first, self.p, h, self.tolerance), given

    def _advanced(self, job: Job, steps: int, given: Actuation, every: int) -> Motion:
        pace = Pace.of(self.loop.kernel.operations)
        return advance(self.loop, job, steps, given, every=every, pace=pace)

    def _looser(self, job: Job, size: float) -> Job:
        return replace(job, tolerance=max(self.tolerance, min(LOOSEST, NEWTON_PART * size)))

    def _beside(self, X: Array, between: int) -> Pair:
        """Rows of another motion beside those of this one, so many steps apart."""
        kept, nq = self.motion.X[:: between // self.every], self.loop.system.nq
        return Pair.of(self.loop.system, kept[: len(X), :nq], X[: len(kept), :nq], between)


def fits_whole(motion: Motion) -> bool:
    """Whether all steps of a motion have room in the memory."""
    return 8 * (motion.done + 1) * (motion.X.shape[1] + motion.U.shape[1]) <= MOST_BYTES


def _ends(steps: int, first: int, every: int) -> Iterator[int]:
    """Where pieces of so many steps end, with whole rows: the next as long as all before it."""
    end = -(-max(first, 1) // every) * every
    while end < steps:
        yield end
        end *= 2
    yield steps


def apart(system: System, a: Array, b: Array) -> Array:
    """Of two motions, rows q (n, nq): differences of the coordinates over their scales."""
    return np.asarray((a - b) / scales(system)[0])


def scales(system: System) -> tuple[Array, list[int]]:
    """Scales of the coordinates, and which of them are no motors and no states of first order, of
    which the motion shows what counts; all where there are no others."""

    def make() -> tuple[Array, list[int]]:
        moving = [i for i, c in enumerate(system.coordinates) if c.kind not in ("motor", "state")]
        size = [1.0 if c.kind == "state" else c.scale for c in system.coordinates]
        return np.array(size), moving or list(range(system.nq))

    return system.once("coordinate-scales", make)
