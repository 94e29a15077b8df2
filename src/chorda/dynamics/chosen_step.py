"""Steps for an accuracy: the motion in some steps and in half of them, until both agree.

The duration is cut into intervals. Where the two motions part fastest, intervals get more steps;
explicit schemes, whose steps stability limits, have equal ones.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from chorda.checks import number
from chorda.dynamics.actuation import Actuation
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.longer_steps import apart
from chorda.dynamics.outcome import explained
from chorda.dynamics.schemes import REFERENCE, find
from chorda.dynamics.time_error import difference, error_in_time
from chorda.dynamics.time_loop import Motion, advance, started
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.plurals import many
from chorda.results import Code, Status
from chorda.results.accuracy import ErrorInTime

INTERVALS = 200  # where no step of the output is given
MAX_ROUNDS = 16
LARGEST_COUNT = 4_000_000  # steps of the last motion
AIM = 0.5  # of the accuracy: what new steps are made for
MOST_MORE, MOST_LESS = 16, 4  # times as many steps, or as few, as the round before had
LEAST_SHARE = 1e-3  # of the mean: no interval counts as without error
Counts = npt.NDArray[np.int64]


def check_accuracy(accuracy: Any, scheme: str, inputs: Any, control: Any) -> float:
    """The accuracy [m], if steps can be chosen for it."""
    found = number("accuracy", accuracy, above=0, unit="metres")
    if scheme == REFERENCE or find(scheme).adaptive:
        raise InputError(
            f"accuracy: scheme '{scheme}' chooses its own steps by its tolerance; give tolerance, "
            "or another scheme"
        )
    if control is not None:
        raise InputError(
            "accuracy: the output of a controller is held over each step, which is its sampling "
            "time; give step"
        )
    each = inputs.values() if hasattr(inputs, "values") else [inputs]
    least = 1 if hasattr(inputs, "values") else 2
    if any(not callable(x) and np.ndim(x) >= least for x in each):
        raise InputError(
            "accuracy: inputs are rows for the times of a step; give them as functions of time, "
            "such as lambda t: np.interp(t, times, values), or give step"
        )
    return found


@dataclass(frozen=True, eq=False)
class Intervals:
    """A motion to be made in intervals [s] of some steps each.

    over: the inputs at times. start: q and v.
    """

    loop: SchemeLoop
    over: Callable[[Array], Actuation]
    start: tuple[Array, Array]
    p: Array
    tolerance: float
    length: float
    count: int

    def motion(self, counts: Counts) -> tuple[Motion, float]:
        """With so many steps in each interval, and a row for each; the last step's length [s]."""
        system, loop = self.loop.system, self.loop
        actuation = self.over(self._times(counts))
        q, v = self.start
        found: Motion | None = None
        h = self.length
        for first, n, count in _equal(counts):
            at, h = int(np.sum(counts[:first])), self.length / n
            given = actuation
            if len(actuation.signal) > 1:
                given = replace(actuation, signal=actuation.signal[at : at + count * n + 1])
            job = started(loop, q, v, given.first(q, v, self.p), self.p, h, self.tolerance)
            piece = advance(loop, job, count * n, given, every=n)
            found = piece if found is None else _joined(found, piece)
            if piece.done < count * n or piece.interrupted:
                break
            x = piece.last[0]
            q, v = x[: system.nq].copy(), x[system.nq : system.nq + system.nv].copy()
        assert found is not None
        return found, h

    def _times(self, counts: Counts) -> Array:
        starts = self.length * np.arange(len(counts))
        each = [t + self.length / n * np.arange(n) for t, n in zip(starts, counts, strict=True)]
        return np.concatenate([*each, [self.length * len(counts)]])


def _equal(counts: Counts) -> Iterator[tuple[int, int, int]]:
    """Neighbours with equal counts: the first interval, its count, how many there are."""
    first = 0
    for n, group in groupby(counts.tolist()):
        count = len(list(group))
        yield first, n, count
        first += count


def _joined(a: Motion, b: Motion) -> Motion:
    info = b.info.copy()
    info[[1, 2, 5]] += a.info[[1, 2, 5]]
    X, U = (np.concatenate([x[:-1], y]) for x, y in ((a.X, b.X), (a.U, b.U)))
    return replace(b, X=X, U=U, done=a.done + b.done, info=info)


def to_accuracy(motions: Intervals, accuracy: float) -> tuple[Motion, Status, ErrorInTime | None]:
    """The motion whose points are known to `accuracy` [m], how it ended, and its estimate."""
    loop, order = motions.loop, motions.loop.scheme.order
    counts = np.ones(motions.count, dtype=np.int64)
    best: ErrorInTime | None = None
    for rounds in range(MAX_ROUNDS):
        coarse, h = motions.motion(counts)
        fine, h_fine = coarse, h
        if not coarse.interrupted:
            fine, h_fine = motions.motion(2 * counts)
        most = 4 * int(np.sum(counts)) > LARGEST_COUNT or rounds == MAX_ROUNDS - 1
        through = len(coarse.X) == len(fine.X) == motions.count + 1
        if fine.interrupted or (not through and (most or rounds > MAX_ROUNDS // 2)):
            done = round(motions.length * (len(fine.X) - 1) / h_fine)
            ended = replace(fine, done=done)
            return fine, explained(loop, ended, int(np.sum(2 * counts)), h_fine, motions.p), None
        if not through:
            counts = 2 * counts
            continue
        q, other = (x.X[:, : loop.system.nq] for x in (fine, coarse))
        shortest = motions.length / int(np.max(2 * counts))
        best = error_in_time(difference(loop.system, q, other, motions.p), shortest, order, 2)
        if best.position <= accuracy or most:
            break
        off = apart(loop.system, q, other)
        counts = _more(counts, off, best, accuracy, varies=loop.scheme.implicit)
    assert best is not None
    return fine, _status(best, accuracy, 2 * counts, motions), best


def _more(counts: Counts, off: Array, found: ErrorInTime, accuracy: float, varies: bool) -> Counts:
    """Steps of the intervals whose errors add up to what is aimed at, as few as that takes."""
    k, ratio = found.order, AIM * accuracy / found.position
    if not varies:
        wanted = counts * ratio ** (-1 / k)
    else:
        parting = np.max(np.abs(np.diff(off, axis=0)), axis=1)
        error = parting + LEAST_SHARE * np.mean(parting) + 1e-300
        weight = (error * counts**k) ** (1 / (k + 1))
        wanted = weight * (np.sum(weight) / (ratio * np.sum(error))) ** (1 / k)
    wanted = np.clip(wanted, np.maximum(1, counts / MOST_LESS), MOST_MORE * counts)
    new = 2 ** np.ceil(np.log2(wanted) - 1e-9).astype(np.int64)
    return np.asarray(2 * counts if np.all(new <= counts) else new)


def _status(found: ErrorInTime, accuracy: float, counts: Counts, motions: Intervals) -> Status:
    steps, short, long = (
        int(np.sum(counts)),
        motions.length / int(np.max(counts)),
        motions.length / int(np.min(counts)),
    )
    end = motions.length * motions.count
    between = f"of {short:g} s" if short == long else f"between {short:g} and {long:g} s"
    done = f"Completed {many(steps, 'step')} to t = {end:g} s."
    if found.position <= accuracy:
        return Status(
            Code.COMPLETED,
            f"{done} Steps {between} were chosen for an accuracy of {accuracy:g} m; the estimated "
            f"error is {found.position:.1g} m.",
        )
    return Status(
        Code.NOT_CONVERGED,
        f"{done} The accuracy of {accuracy:g} m is not reached: with steps {between} the estimated "
        f"error is {found.position:.1g} m. Try a scheme of higher order, or a shorter duration.",
    )
