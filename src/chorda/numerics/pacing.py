"""Long work in pieces of a fifth of a second, between which Ctrl-C and progress have their turn."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Watch = Callable[[int], object]
PIECE_SECONDS = 0.2
FIRST_PIECE, MAX_PIECE, GROWTH = 64, 1_000_000, 4
FIRST_OPERATIONS = 5_000_000  # of the first piece, where they are known: fewer than 0.2 s


class Pace:
    """How much to do in the next piece, from how long the last one took."""

    def __init__(self, first: int = FIRST_PIECE) -> None:
        self.size = first

    @classmethod
    def of(cls, operations: int) -> "Pace":
        """Of pieces each of which takes so many operations, or 0 where that is not known."""
        return cls(max(1, FIRST_OPERATIONS // operations) if operations else FIRST_PIECE)

    def took(self, done: int, seconds: float) -> None:
        fitting = int(done * PIECE_SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(fitting, self.size * GROWTH, MAX_PIECE))


def pieces(count: int, watch: Watch | None = None, operations: int = 0) -> Iterator[slice]:
    """Slices that cover so many rows, one after the other.

    watch: called after each with the rows that are done; the work ends where it returns True.
    operations: that a row takes, where they are known.

    >>> [at.stop for at in pieces(70)]
    [64, 70]
    """
    pace, done = Pace.of(operations), 0
    while done < count:
        n, begin = min(pace.size, count - done), time.perf_counter()
        yield slice(done, done + n)
        done += n
        pace.took(n, time.perf_counter() - begin)
        if watch is not None and watch(done) is True:
            return


def by_columns(function: Any, *arguments: Array, watch: Watch | None = None) -> list[Array]:
    """The results of a CasADi function at many columns, which is called for some at a time.

    Each argument has a column for each call, or one column that all share. Results stand side by
    side, as CasADi puts them. watch: called after each piece with the columns that are done.

    >>> import casadi as ca
    >>> x, y = ca.SX.sym("x", 2), ca.SX.sym("y")
    >>> scaled = ca.Function("scaled", [x, y], [x * y])
    >>> by_columns(scaled, np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([[2.0]]))
    [array([[ 2.,  4.,  6.],
           [ 8., 10., 12.]])]
    """
    n = max(x.shape[1] for x in arguments)
    found: list[Array] = []
    operations = function.n_instructions() if function.is_a("SXFunction") else 0
    for at in pieces(n, watch, operations):
        results = function(*(x[:, at] if x.shape[1] == n else x for x in arguments))
        results = results if isinstance(results, tuple) else (results,)
        for k, part in enumerate(x.full() for x in results):
            wide = part.shape[1] // (at.stop - at.start)
            if not at.start:
                found.append(np.empty((len(part), wide * n)))
            found[k][:, wide * at.start : wide * at.stop] = part
    return found
