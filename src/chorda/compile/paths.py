"""Kernels for paths of equilibria: Newton's method compiled (path.c), or the same in Python."""

import ctypes
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

from chorda.compile.job import Array, Exit
from chorda.compile.kernel import library

LONGEST, NEAR, SLOW = 0.5, 1e-6, 0.2  # see path.c


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


class PathKernel(Protocol):
    compiled: bool
    operations: int
    build_seconds: float

    def follow(
        self,
        job: PathJob,
        x: Array,
        targets: Array,
        X: Array,
        matrices: Array | None,
        ahead: bool,
        counts: Array | None = None,
    ) -> int:
        """Solve for each row of targets from x, which moves along; returns how many were.

        counts: room for the iterations of each row.
        """
        ...

    def evaluate(self, job: PathJob, x: Array, target: Array) -> tuple[Array, Array]:
        """Residual and matrix."""
        ...


class CompiledPath:
    compiled = True

    def __init__(
        self, path: Path, manifest: dict[str, Any], sizes: PathSizes, begin: float
    ) -> None:
        loaded = ctypes.CDLL(str(path))
        pointer, long, double = ctypes.c_void_p, ctypes.c_long, ctypes.c_double
        self._follow, self._evaluate = loaded.chorda_follow, loaded.chorda_evaluate
        self._follow.restype = long
        self._follow.argtypes = [long, *[pointer] * 7, long, double, long, *[pointer] * 4]
        self._evaluate.restype = None
        self._evaluate.argtypes = [pointer] * 8
        self._sizes = sizes
        self._room = int(manifest["w"]) + 1, int(manifest["iw"]) + 1
        self._own = threading.local()  # work vectors: threads may run one kernel at once
        self.operations = int(manifest["operations"])
        self.build_seconds = time.perf_counter() - begin

    def _work(self) -> tuple[int, int]:
        if not hasattr(self._own, "work"):
            self._own.work = np.zeros(self._room[1], np.int64), np.zeros(self._room[0])
        return tuple(x.ctypes.data for x in self._own.work)

    def follow(
        self,
        job: PathJob,
        x: Array,
        targets: Array,
        X: Array,
        matrices: Array | None,
        ahead: bool,
        counts: Array | None = None,
    ) -> int:
        targets = np.ascontiguousarray(targets, float)
        given = (x, targets, job.u, job.p, job.scale, X)
        places = [a.ctypes.data for a in given]
        store = None if matrices is None else matrices.ctypes.data
        kept = None if counts is None else counts.ctypes.data
        tail = (job.tolerance, job.most, job.info.ctypes.data, kept, *self._work())
        return int(self._follow(len(targets), *places, store, ahead, *tail))

    def evaluate(self, job: PathJob, x: Array, target: Array) -> tuple[Array, Array]:
        n = self._sizes.nz
        r, A = np.zeros(n), np.zeros((n, n))
        target = np.ascontiguousarray(target, float)
        given = (x, target, job.u, job.p, r, A)
        self._evaluate(*[a.ctypes.data for a in given], *self._work())
        return r, A.T


class InterpretedPath:
    """path.c in Python: same arguments, same results."""

    compiled = False

    def __init__(self, functions: Mapping[str, Any], operations: int, begin: float) -> None:
        self._f, self.operations = functions, operations
        self.build_seconds = time.perf_counter() - begin

    def follow(
        self,
        job: PathJob,
        x: Array,
        targets: Array,
        X: Array,
        matrices: Array | None,
        ahead: bool,
        counts: Array | None = None,
    ) -> int:
        kept: list[Any] = []
        for k, target in enumerate(targets):
            guess = x.copy()
            if ahead and k > 2:
                guess = 3 * X[k - 1] - 3 * X[k - 2] + X[k - 3]
            before = job.info[1]
            job.info[0], guess = self._reach(job, guess, target, kept)
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

    def _reach(self, job: PathJob, x: Array, target: Array, kept: list[Any]) -> tuple[int, Array]:
        renew, last, large = not kept, 0.0, job.scale > 0
        for _ in range(job.most):
            job.info[1] += 1
            if renew:
                r, A = self.evaluate(job, x, target)
                job.info[2] += 1
                kept.clear()
                if not np.all(np.isfinite(A)):
                    return Exit.OUT_OF_BOUNDS, x
                lu, pivots, singular = dgetrf(A)
                if singular:
                    return Exit.SINGULAR, x
                kept[:] = lu, pivots
            else:
                r = self._f["residual"](x, target, job.u, job.p).full().ravel()
            d = dgetrs(*kept, r)[0]
            size = float(np.max(np.abs(d[large]) / job.scale[large], initial=0.0))
            job.info[3] = size
            if not np.isfinite(size):
                kept.clear()
                return Exit.OUT_OF_BOUNDS, x
            if not renew and (size > SLOW * last if last > 0 else size > LONGEST):
                renew, last = True, 0.0
                continue
            part = LONGEST / size if size > LONGEST else 1.0
            x = self._f["moved"](x, -part * d).full().ravel()
            if size <= job.tolerance or (renew and size <= NEAR):
                return Exit.DONE, x
            renew, last = size > LONGEST, size
        kept.clear()
        return Exit.NOT_CONVERGED, x

    def evaluate(self, job: PathJob, x: Array, target: Array) -> tuple[Array, Array]:
        r, A = self._f["balance"](x, target, job.u, job.p)
        return r.full().ravel(), A.full()


def build_path(
    recipe: bytes, sizes: PathSizes, make: Callable[[], Mapping[str, Any]]
) -> PathKernel:
    """The kernel of a recipe; `make` gives balance (x, target, u, p -> r, A), residual (the same
    -> r) and moved (x, change -> x)."""
    begin = time.perf_counter()
    made: PathKernel = library(
        recipe,
        sizes.defines(),
        ("lu.c", "path.c"),
        make,
        lambda path, manifest: CompiledPath(path, manifest, sizes, begin),
        lambda functions, operations: InterpretedPath(functions, operations, begin),
    )
    return made
