"""Functions on many points at once."""

from typing import Any

import numpy as np

from chorda.mechanics import Array


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
