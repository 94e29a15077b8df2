"""Kernels: the time loop of a scheme, compiled, or the same in CasADi's virtual machine."""

import ctypes
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import cache, compiler, source
from chorda.compile.batch import Batch
from chorda.compile.interpreted import Interpreted
from chorda.compile.job import Array, Job, Settings
from chorda.errors import CompileError

DRIVERS = ("lu.c", "driver.c", "many.c")


class Compiled:
    """A kernel in a shared library."""

    compiled = True

    def __init__(
        self, path: Path, manifest: dict[str, Any], settings: Settings, begin: float
    ) -> None:
        loaded = ctypes.CDLL(str(path))
        self._run, self._many = loaded.chorda_run, loaded.chorda_many
        self._run.restype = ctypes.c_long
        pointer, long, double = ctypes.c_void_p, ctypes.c_long, ctypes.c_double
        self._run.argtypes = [long, double, double, pointer, pointer, long, *[pointer] * 5]
        self._run.argtypes += [double, long, pointer, pointer, pointer, pointer]
        self._many.restype = None
        self._many.argtypes = [pointer, long, long, *[pointer] * 11]
        self._kept = settings.kept
        self._sizes = int(manifest["w"]) + 1, int(manifest["iw"]) + 1
        self._own = threading.local()  # work vectors: threads may run one kernel at once
        self.operations = int(manifest["operations"])
        self.build_seconds = time.perf_counter() - begin

    def run(self, job: Job, n: int, t0: float, signal: Array, X: Array, U: Array) -> int:
        stride = signal.shape[1] if signal.shape[0] > 1 else 0
        memory = job.kept.setdefault("numbers", np.zeros(self._kept))
        arrays = (job.x, signal, job.p, job.low, job.high, X, U, job.info, memory, *self._work())
        x, rows, p, low, high, states, inputs, info, kept, iw, w = (a.ctypes.data for a in arrays)
        tail = (p, low, high, states, inputs, job.tolerance, job.most, info, kept, iw, w)
        return int(self._run(n, t0, job.h, x, rows, stride, *tail))

    def many(self, batch: Batch, first: int, last: int) -> None:
        """Members first to last - 1 of a batch; threads may run different ones at once."""
        arrays = (*batch.arrays, np.zeros(self._kept + 1), *self._work())
        self._many(ctypes.byref(batch.numbers), first, last, *[a.ctypes.data for a in arrays])

    def _work(self) -> tuple[Any, Any]:
        if not hasattr(self._own, "work"):
            self._own.work = np.zeros(self._sizes[1], np.int64), np.zeros(self._sizes[0])
        made: tuple[Any, Any] = self._own.work
        return made


def build(
    recipe: bytes, settings: Settings, make: Callable[[], Mapping[str, Any]]
) -> Compiled | Interpreted:
    """The kernel of a recipe (what its functions follow from), from the cache if it is there."""
    begin = time.perf_counter()
    made: Compiled | Interpreted = library(
        recipe,
        settings.defines(),
        DRIVERS,
        make,
        lambda path, manifest: Compiled(path, manifest, settings, begin),
        lambda functions, operations: Interpreted(functions, settings, operations, begin),
    )
    return made


def library(
    recipe: bytes,
    defines: Mapping[str, int],
    drivers: Sequence[str],
    make: Callable[[], Mapping[str, Any]],
    load: Callable[[Path, dict[str, Any]], Any],
    interpret: Callable[[Mapping[str, Any], int], Any],
) -> Any:
    """Generated functions and the driver around them: from the cache, compiled, or interpreted."""
    found = compiler.find()
    compiler.announce(found)
    if found is None:
        functions = make()
        return interpret(functions, source.operations(functions))
    name = cache.key(
        recipe,
        repr(defines),
        repr(drivers),
        ca.__version__,
        found.identity,
        " ".join((*found.command, *compiler.FAST, *compiler.PLAIN, *compiler.FLAGS)),
        compiler.processor(),
        files_fingerprint(drivers),
    )
    return cache.obtain(
        name, lambda folder: _compile(make(), defines, drivers, found, folder), load
    )


def _compile(
    functions: Mapping[str, Any],
    defines: Mapping[str, int],
    drivers: Sequence[str],
    found: compiler.Compiler,
    folder: Path,
) -> dict[str, Any]:
    code = folder / "kernel.c"
    code.write_text(source.generate(functions, defines, drivers))
    operations = source.operations(functions)
    level = compiler.PLAIN if operations > source.LONG else compiler.FAST
    command = [
        *found.command,
        *level,
        *compiler.FLAGS,
        str(code),
        "-o",
        str(folder / cache.LIBRARY),
        "-lm",
    ]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if run.returncode != 0 or not (folder / cache.LIBRARY).is_file():
        said = run.stderr.strip()[:500] or "it wrote no library"
        raise CompileError(
            f"{found.command[0]} could not compile a kernel: {said}; "
            "set CHORDA_COMPILER=none to do without a compiler"
        )
    return {
        "operations": operations,
        "w": source.work(functions)["SZW"],
        "iw": source.work(functions)["SZIW"],
    }


def files_fingerprint(drivers: Sequence[str]) -> str:
    """Changes when the code that writes kernels changes."""
    from importlib.resources import files

    root = files("chorda.compile")
    return cache.key(*[root.joinpath(n).read_bytes() for n in (*drivers, "source.py", "kernel.py")])
