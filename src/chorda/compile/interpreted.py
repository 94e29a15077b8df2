"""The loop of driver.c in Python around CasADi's virtual machine: where there is no compiler."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chorda.compile import source
from chorda.compile.batch import Batch
from chorda.compile.job import Array, Exit, Job, Settings
from chorda.compile.kept_matrix import Kept

SLOW_RATE, ROUNDING, MATRIX_LIFE = 0.3, 1e4, 8  # see driver.c, as for these:
LAST_ATTEMPT, WHOLE, LEAST_PART = 4, 6, 0.015625
OLD, FRESH, FULL = range(3)


class Interpreted:
    """Same arguments, same results and same `info` as the compiled kernel."""

    compiled = False

    def __init__(self, settings: Settings, functions: Mapping[str, Any]) -> None:
        self._f, self._s = functions, settings
        self.operations = source.operations(functions)

    def run(
        self,
        job: Job,
        n: int,
        t0: float,
        signal: Array,
        X: Array,
        U: Array,
        stop: Sequence[int] | Any = (0,),
    ) -> int:
        x, h, p, info = job.x, job.h, job.p, job.info
        info[0] = 0
        varies = signal.shape[0] > 1
        for k in range(n):
            if stop[0]:
                info[0] = Exit.INTERRUPTED
                return k
            u0 = signal[k] if varies else signal[0]
            u1 = signal[k + 1] if varies else signal[0]
            if self._s.control:
                u0 = u1 = _column(self._f["control"](t0 + k * h, x, u0, p))
            U[k] = u0
            if self._s.adaptive:
                after = self._adapt(job, u0, u1)
            else:
                after, _ = self._advance(job, x, h, u0, u1)
            X[k] = after
            if not info[0] and not _inside(after, job):
                info[0] = Exit.OUT_OF_BOUNDS
            if info[0]:
                return k
            x[:] = after
        return n

    def many(self, batch: Batch, first: int, last: int) -> None:
        """Members first to last - 1, one after the other."""
        for m in range(first, last):
            own = batch.signal[:, :, m if batch.signal.shape[2] > 1 else 0]
            p = batch.p[:, m if batch.p.shape[1] > 1 else 0]
            x = batch.x[:, m].copy()
            job = Job(batch.h, x, p.copy(), batch.low, batch.high, batch.tolerance, batch.most)
            X = np.zeros((batch.steps, len(x)))
            U = np.zeros((batch.steps, self._s.nu))
            n = self.run(job, batch.steps, 0.0, np.ascontiguousarray(own), X, U, batch.stop)
            batch.done[m], batch.code[m] = n, int(job.info[0])
            kept = X[batch.every - 1 : n : batch.every]
            batch.X[: len(kept), :, m] = kept
            batch.x[:, m] = job.x

    def _advance(self, job: Job, x: Array, h: float, u0: Array, u1: Array) -> tuple[Array, Array]:
        info = job.info
        arguments = [x, h, u0, u1, job.p]
        if self._s.newton:
            newton = self._reusing if self._s.reuses else self._exact
            z, change = newton(job, arguments)
            info[4] = max(info[4], change)
            if change > job.tolerance:
                info[0] = Exit.NOT_CONVERGED
            arguments.append(z)
        out = self._f["after"](*arguments)
        return (
            (_column(out[0]), _column(out[1])) if self._s.adaptive else (_column(out), np.zeros(0))
        )

    def _exact(self, job: Job, arguments: list[Any]) -> tuple[Array, float]:
        """Newton's method with the exact matrix in each iteration: z and its last change."""
        z, change, damping = _column(self._f["guess"](*arguments)), np.inf, _Damping()
        for _ in range(LAST_ATTEMPT * job.most):
            better, size = self._f["better"](*arguments, z)
            change, d = float(size), z - _column(better)
            job.info[1] += 1
            job.info[5] += 1
            part = damping.part_of(z, d, change)
            z = z - part * d
            if np.isnan(change) or (change <= job.tolerance and part == 1):
                break
        return z, change

    def _reusing(self, job: Job, arguments: list[Any]) -> tuple[Any, float]:
        """The same with the matrix of earlier steps, made anew where that does not do."""
        kept: Kept = job.kept.setdefault("matrix", Kept())
        for how in range(OLD if kept.made == arguments[1] else FRESH, FULL + 1):
            z, change = self._iterate(how, kept, job, arguments)
            if change <= job.tolerance:
                break
        return (z + change if np.isnan(change) else z), change

    def _iterate(self, how: int, kept: Kept, job: Job, arguments: list[Any]) -> tuple[Array, float]:
        z, info = _column(self._f["guess"](*arguments)), job.info
        size, last, renew, left, fresh = 0.0, 0.0, how != OLD, MATRIX_LIFE, False
        part, damping = 1.0, _Damping()
        for _ in range(LAST_ATTEMPT * job.most if how == FULL else job.most):
            r, weight = map(_column, self._f["residual"](*arguments, z))
            info[1] += 1
            if renew:
                info[5] += 1
                if not kept.keep(self._f["matrix"](*arguments, z).full(), arguments[1]):
                    return z, np.inf
                last, left, fresh = last if how == FULL else 0.0, MATRIX_LIFE, True
            d, size = kept.correct(r, weight)
            if how == FULL:
                part = damping.part_of(z, d, size)
            z = z - part * d
            if not size > job.tolerance and part == 1:
                break
            if fresh and last > 0 and last / 2 < size <= ROUNDING * job.tolerance:
                return z, job.tolerance  # as small as rounding allows
            left -= 1
            renew = how == FULL
            if how != FULL and last > 0:
                rate = size / last
                if rate >= 1:
                    break
                renew = rate > SLOW_RATE or size * rate**left > job.tolerance
            last = size
        return z, size

    def _adapt(self, job: Job, u0: Array, u1: Array) -> Array:
        H, x, info = job.h, job.x, job.info
        done, h, x = 0.0, float(info[3]) if info[3] > 0 else H, x.copy()
        while done < H:
            step = min(h, H - done)
            last = done + step >= H * (1 - 1e-12)
            if last:
                step = H - done
            ua, ub = (u0 + (u1 - u0) * s / H for s in (done, done + step))
            after, error = self._advance(job, x, step, ua, ub)
            with np.errstate(all="ignore"):
                scale = job.tolerance * (1 + np.maximum(np.abs(x), np.abs(after)))
                norm = float(np.sqrt(np.mean((error / scale) ** 2)))
            if not norm <= 1:
                info[2] += 1
                h = step * (
                    max(0.1, 0.9 * norm ** (-1 / self._s.order)) if np.isfinite(norm) else 0.1
                )
                if h < 1e-12 * H:
                    info[0] = Exit.STEP_UNDERFLOW
                    return x
                continue
            if not _inside(after, job):
                info[0] = Exit.OUT_OF_BOUNDS
                return after
            x = after
            done = H if last else done + step
            info[1] += 1
            factor = 0.9 * norm ** (-1 / self._s.order) if norm > 0 else 5.0
            if not last or factor < 1:
                h = step * min(5.0, max(0.2, factor))
        info[3] = h
        return x


class _Damping:
    """part_of of driver.c."""

    def __init__(self) -> None:
        self._k, self._part, self._last = 0, 1.0, 0.0
        self._before: Array = np.zeros(0)

    def part_of(self, z: Array, d: Array, size: float) -> float:
        """The part to take of a correction d of z: less where it turns back on the one before, or
        is more than twice as large."""
        if self._k >= WHOLE:
            scale = 1 + np.abs(z)
            back = float(np.sum(d / scale * (self._before / scale))) < 0
            less = back or size > 2 * self._last
            self._part = max(self._part / 2, LEAST_PART) if less else min(1.5 * self._part, 1.0)
        self._before, self._last, self._k = d, size, self._k + 1
        return self._part


def _column(x: Any) -> Array:
    return np.asarray(x.full() if hasattr(x, "full") else x, float).ravel()


def _inside(x: Array, job: Job) -> bool:
    return bool(np.all((x >= job.low) & (x <= job.high)))
