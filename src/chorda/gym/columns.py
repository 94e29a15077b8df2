"""A CasADi function for many members at once, in arrays that are made once."""

from typing import Any

import numpy as np

from chorda.mechanics import Array


class Columns:
    """Takes and gives arrays (size, members); the function has one dense result."""

    def __init__(self, function: Any, count: int) -> None:
        self._function = function.map(count) if count > 1 else function
        self._buffer, self._run = self._function.buffer()
        sizes = [function.size1_in(i) for i in range(function.n_in())]
        self._arguments = [np.zeros((count, size)) for size in sizes]
        self._result = np.zeros((count, function.size1_out(0)))
        for i, array in enumerate(self._arguments):
            if array.size:
                self._buffer.set_arg(i, array.data)
        self._buffer.set_res(0, self._result.data)

    def __call__(self, *columns: Array) -> Array:
        for own, given in zip(self._arguments, columns, strict=True):
            own[:] = given.T
        self._run()
        return self._result.T.copy()
