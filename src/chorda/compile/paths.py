"""Kernels for paths of equilibria: Newton's method compiled (path.c), or the same in Python."""

from collections.abc import Callable
from ctypes import byref, c_double, c_long, c_void_p
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from chorda.compile import source
from chorda.compile.job import Array, Exit
from chorda.compile.kept_matrix import Kept
from chorda.compile.library import Functions, Library, obtain
from chorda.compile.rests import Rests, one_by_one

DRIVERS = ("newton.c", "path.c", "rests.c")
LONGEST_STEP, QUADRATIC, SLOW_RATE, VALUES = 0.5, 1e-6, 0.2, 0.1  # see path.c


@dataclass(frozen=True)
class PathSizes:
    """Lengths of the state, of Newton's unknowns and of a row of targets."""

    nx: int
    nz: int
    nt: int

    def defines(self) -> dict[str, int]:
        return {name.upper(): value for name, value in vars(self).items()}


@dataclass(frozen=True)
class PathJob:
    """What stays the same along a path; see path.c."""

    u: Array
    p: Array
    scale: Array
    tolerance: float = 1e-9
    most: int = 25
    info: Array = field(default_factory=lambda: np.zeros(8))


class CompiledPath:
    """A kernel in a shared library."""

    compiled = True

    def __init__(self, sizes: PathSizes, library: Library) -> None:
        self._sizes, self._library, self.operations = sizes, library, library.operations
        tail = (c_long, c_double, c_long, *[c_void_p] * 4)
        self._follow = library.function("chorda_follow", c_long, c_long, *[c_void_p] * 8, *tail)
        self._evaluate = library.function("chorda_evaluate", None, *[c_void_p] * 8)
        self._rests = library.function(
            "chorda_rests", None, c_void_p, *[c_long] * 3, *[c_void_p] * 4
        )

    def follow(
        self,
        job: PathJob,
        x: Array,
        targets: Array,
        X: Array,
        matrices: Array | None,
        ahead: bool,
        counts: Array | None = None,
        tangent: Array | None = None,
    ) -> int:
        """Solve for each row of targets from x, which moves along; returns how many were.

        counts: room for the iterations of each row. tangent: room for the state that the first
        correction of the first row leads to, whole.
        """
        targets = np.ascontiguousarray(targets, float)
        given = (x, targets, job.u, job.p, job.scale, X)
        places = [a.ctypes.data for a in given]
        rooms = (None if a is None else a.ctypes.data for a in (matrices, tangent, counts))
        store, first, kept = rooms
        tail = (job.tolerance, job.most, job.info.ctypes.data, kept, *self._library.work())
        return int(self._follow(len(targets), *places, store, first, ahead, *tail))

    def evaluate(self, job: PathJob, x: Array, target: Array) -> tuple[Array, Array]:
        """Residual and matrix."""
        n = self._sizes.nz
        r, A = np.zeros(n), np.zeros((n, n))
        target = np.ascontiguousarray(target, float)
        given = (x, target, job.u, job.p, r, A)
        self._evaluate(*[a.ctypes.data for a in given], *self._library.work())
        return r, A.T

    def many(self, batch: Rests, first: int, last: int) -> None:
        """Members first to last - 1 of a batch; threads may run different ones at once."""
        room = np.zeros(batch.targets.shape[1] + batch.p.shape[1] + 1)
        at = np.array([a.ctypes.data for a in (*batch.given, *batch.found)], np.uintp)
        head = byref(batch.numbers), first, last, len(batch.near)
        self._rests(*head, at.ctypes.data, room.ctypes.data, *self._library.work())


class InterpretedPath:
    """path.c in Python: same arguments, same results."""

    compiled = False

    def __init__(self, functions: Functions) -> None:
        self._f, self.operations = functions, source.operations(functions)

    def follow(
        self,
        job: PathJob,
        x: Array,
        targets: Array,
        X: Array,
        matrices: Array | None,
        ahead: bool,
        counts: Array | None = None,
        tangent: Array | None = None,
    ) -> int:
        kept = Kept()
        for k, target in enumerate(targets):
            guess = x.copy()
            if ahead and k > 2:
                guess = 3 * X[k - 1] - 3 * X[k - 2] + X[k - 3]
            before = job.info[1]
            job.info[0], guess = self._reach(job, guess, target, kept, None if k else tangent)
            if counts is not None:
                counts[k] = job.info[1] - before
            if job.info[0]:
                return k
            x[:] = X[k] = guess
            if matrices is not None:
                r, A = self.evaluate(job, x, target)
                matrices[k] = A.T
                job.info[4] = np.max(np.abs(r), initial=0.0)
        return len(targets)

    def _reach(
        self, job: PathJob, x: Array, target: Array, kept: Kept, tangent: Array | None
    ) -> tuple[int, Array]:
        renew, last = kept.made == 0, 0.0
        weight = np.array([1 / s if s else 0.0 for s in job.scale])
        for k in range(job.most):
            job.info[1] += 1
            if renew:
                r, A = self.evaluate(job, x, target)
                job.info[2] += 1
                if not kept.keep(A, 1.0):
                    return Exit.SINGULAR, x
            else:
                r = self._f["residual"](x, target, job.u, job.p).full().ravel()
            d, size = kept.correct(r, weight)
            size = max(size, _unsettled(x, d, weight)) if np.isfinite(size) else size
            job.info[3] = size
            if not np.isfinite(size):
                kept.made = 0.0
                return Exit.OUT_OF_BOUNDS, x
            if not renew and size > (SLOW_RATE * last if last > 0 else LONGEST_STEP):
                renew, last = True, 0.0
                continue
            if tangent is not None and k == 0:
                tangent[:] = self._f["moved"](x, -d).full().ravel()
            part = LONGEST_STEP / size if size > LONGEST_STEP else 1.0
            x = self.moved(x, -part * d)
            if size <= job.tolerance or (renew and size <= QUADRATIC):
                return Exit.DONE, x
            renew, last = size > LONGEST_STEP, size
        kept.made = 0.0
        return Exit.NOT_CONVERGED, x

    def reached(self, job: PathJob, x: Array, target: Array, tangent: Array) -> Array | None:
        """The solution from a state, by itself, and where its first step leads."""
        ended, x = self._reach(job, x, target, Kept(), tangent)
        return None if ended else x

    def moved(self, x: Array, change: Array) -> Array:
        return np.asarray(self._f["moved"](x, change).full().ravel())

    def evaluate(self, job: PathJob, x: Array, target: Array) -> tuple[Array, Array]:
        r, A = self._f["balance"](x, target, job.u, job.p)
        return r.full().ravel(), A.full()

    def many(self, batch: Rests, first: int, last: int) -> None:
        """rests.c in Python."""
        tolerance, most = batch.steps.tolerance, batch.steps.most
        job = PathJob(batch.u, batch.p[0], batch.scale, tolerance, most)
        one_by_one(_Solver(self, job), job.info, batch, first, last)


def _unsettled(x: Array, d: Array, weight: Array) -> float:
    """Corrections of unknowns that are compared with themselves."""
    change, own = np.abs(d)[weight < 0], np.abs(x[len(x) - len(d) :])[weight < 0]
    return float(VALUES * np.max(change / (change + np.maximum(1.0, own)), initial=0.0))


class _Solver:
    """Newton's method as `rests` asks for it."""

    def __init__(self, kernel: InterpretedPath, job: PathJob) -> None:
        self._kernel, self._job = kernel, job

    def matrix(self, x: Array, target: Array, p: Array) -> tuple[Array, Array]:
        return self._kernel.evaluate(replace(self._job, p=p), x, target)

    def solution(self, x: Array, target: Array, p: Array, tangent: Array) -> Array | None:
        return self._kernel.reached(replace(self._job, p=p), x, target, tangent)


PathKernel = CompiledPath | InterpretedPath


def build_path(recipe: bytes, sizes: PathSizes, make: Callable[[], Functions]) -> PathKernel:
    """The kernel of a recipe; `make` gives balance (x, target, u, p -> r, A), residual (the same
    -> r) and moved (x, change -> x)."""
    kinds = partial(CompiledPath, sizes), InterpretedPath
    return obtain(recipe, sizes.defines(), DRIVERS, make, *kinds)
