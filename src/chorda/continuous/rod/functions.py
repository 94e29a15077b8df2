"""Functions on many points at once, compiled where there is a compiler."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import cache, compiler, source
from chorda.errors import CompileError
from chorda.mechanics import Array


def compiled(*functions: Any) -> tuple[Any, ...]:
    """The same functions from a shared library of the cache; as they are without a compiler."""
    found = compiler.find()
    compiler.announce(found)
    if found is None:
        return functions
    work = sum(source.operations({f.name(): f}) for f in functions)
    level = compiler.PLAIN if work > source.LONG else compiler.FAST
    flags = (*level, *compiler.FLAGS)
    name = cache.key(
        *[f.serialize() for f in functions],
        ca.__version__,
        found.identity,
        " ".join((*found.command, *flags)),
        compiler.processor(),
    )

    def make(folder: Path) -> dict[str, Any]:
        generator = ca.CodeGenerator("kernel.c", {"with_header": False})
        for f in functions:
            generator.add(f)
        with tempfile.TemporaryDirectory() as aside:
            generator.generate(aside + "/")
            (folder / "kernel.c").write_text((Path(aside) / "kernel.c").read_text())
        library = folder / cache.LIBRARY
        command = [*found.command, *flags, str(folder / "kernel.c"), "-o", str(library), "-lm"]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if run.returncode != 0:
            raise CompileError(
                f"{found.command[0]} could not compile a kernel: {run.stderr.strip()[:500]}; "
                "set CHORDA_COMPILER=none to do without a compiler"
            )
        return {}

    def load(library: Path, _: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(ca.external(f.name(), str(library)) for f in functions)

    return cache.obtain(name, make, load)


class Batch:
    """A function of `varying` inputs at n points and of others that they share.

    Results are (points, entries) and are overwritten by the next call. A matrix comes by columns.
    """

    def __init__(self, function: Any, points: int, varying: int) -> None:
        shared = list(range(varying, function.n_in()))
        mapped = function.map(f"{function.name()}_map", "serial", points, shared, [])
        self.arguments = [
            np.zeros((points, function.numel_in(i)) if i < varying else function.numel_in(i))
            for i in range(function.n_in())
        ]
        self.results = [np.zeros((points, function.numel_out(i))) for i in range(function.n_out())]
        self._buffer, self._run = mapped.buffer()
        for i, a in enumerate(self.arguments):
            self._buffer.set_arg(i, a.data)
        for i, a in enumerate(self.results):
            self._buffer.set_res(i, a.data)

    def __call__(self, *arguments: Array) -> list[Array]:
        for mine, given in zip(self.arguments, arguments, strict=True):
            mine[...] = given.reshape(mine.shape)
        self._run()
        return self.results
