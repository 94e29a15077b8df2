"""CasADi functions at many points at once, compiled where there is a compiler."""

from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import cache
from chorda.compile.job import Array
from chorda.compile.library import Library, obtain


def compiled(*functions: Any) -> tuple[Any, ...]:
    """The same functions from a library; as they are without a compiler."""
    named = {f.name(): f for f in functions}
    recipe = cache.key(*[f.serialize() for f in functions]).encode()

    def load(library: Library) -> tuple[Any, ...]:
        return tuple(ca.external(name, str(library.path)) for name in named)

    return obtain(recipe, {}, (), lambda: named, load, lambda _: functions)


class Pointwise:
    """A function of the first `varying` inputs (None: all) at n points, which share the others.

    Results are (points, entries) and are overwritten by the next call. A matrix comes by columns.
    """

    def __init__(self, function: Any, points: int, varying: int | None = None) -> None:
        shared = list(range(function.n_in()))[varying:] if varying is not None else []
        mapped = function.map(f"{function.name()}_map", "serial", points, shared, [])
        self.arguments = [
            np.zeros(function.numel_in(i) if i in shared else (points, function.numel_in(i)))
            for i in range(function.n_in())
        ]
        self.results = [np.zeros((points, function.numel_out(i))) for i in range(function.n_out())]
        self._buffer, self._run = mapped.buffer()
        for i, a in enumerate(self.arguments):
            if a.size:
                self._buffer.set_arg(i, a.data)
        for i, a in enumerate(self.results):
            self._buffer.set_res(i, a.data)

    def __call__(self, *arguments: Array) -> list[Array]:
        for mine, given in zip(self.arguments, arguments, strict=True):
            mine[...] = given.reshape(mine.shape)
        self._run()
        return self.results

    def columns(self, *arguments: Array) -> Array:
        """The only result (entries, points) of arguments (size, points), as an array of its own."""
        return self(*[x.T for x in arguments])[0].T.copy()
