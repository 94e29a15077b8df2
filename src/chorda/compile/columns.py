"""A CasADi function at many columns: compiled and on all cores where that pays off."""

from ctypes import c_long, c_void_p
from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from chorda.compile import cache, compiler, source
from chorda.compile.cores import Cores
from chorda.compile.job import Array
from chorda.compile.library import Library, obtain
from chorda.mechanics import System
from chorda.numerics.array_library import library
from chorda.numerics.pacing import Watch, by_columns

DRIVERS = ("newton.c", "columns.c")
WORTH_COMPILING = 20_000_000  # operations: what takes longer interpreted than compiled
SCANNED = 10  # times that a function with scans inside runs what it calls, about


@dataclass(frozen=True, eq=False)
class Columns:
    """Arguments (size, members or 1) and results (size, members); see columns.c."""

    members: int
    arguments: tuple[Array, ...]
    results: tuple[Array, ...]
    stop: "np.typing.NDArray[np.int64]" = field(default_factory=lambda: np.zeros(1, np.int64))


class CompiledColumns:
    """A function in a shared library."""

    compiled = True

    def __init__(self, library: Library) -> None:
        self._library = library
        head = (c_long, c_long, c_long, *[c_void_p] * 5)
        self._run = library.function("chorda_columns", None, *head, *[c_void_p] * 2)

    def many(self, batch: Columns, first: int, last: int) -> None:
        """Columns first to last - 1; threads may run different ones at once."""
        arrays = (*batch.arguments, *batch.results)
        sizes = np.array([len(x) for x in arrays], np.int64)
        shared = np.array([x.shape[1] == 1 for x in batch.arguments], np.int64)
        places = np.array([x.ctypes.data for x in arrays], np.uintp)
        room = np.zeros(int(sizes.sum()) + 1)
        at = [x.ctypes.data for x in (sizes, shared, places, room, batch.stop)]
        self._run(first, last, batch.members, *at, *self._library.work())


def at_columns(
    system: System,
    function: Any,
    *arguments: Array,
    watch: Watch | None = None,
    whole: int = 0,
) -> list[Array]:
    """As `numerics.pacing.by_columns`, of a function of a system, which keeps what is compiled.

    Few columns are interpreted: compiling would take longer. whole: how many there are in all,
    where these are a piece. Where an argument is on a GPU, all happens there.
    """
    if (cp := library(*arguments)) is not np:
        from chorda.compile.device_columns import at_columns_there  # it stands on this file

        return at_columns_there(cp, system, function, *map(cp.asarray, arguments))
    n = max(x.shape[1] for x in arguments)
    found = compiler.find()
    if found is None or max(n, whole) * _work(function) < WORTH_COMPILING:
        return by_columns(function, *arguments, watch=watch)
    kernel = system.once(("columns", function, found), lambda: _built(function))
    if kernel is None:
        return by_columns(function, *arguments, watch=watch)
    shapes = [function.size_out(k) for k in range(function.n_out())]
    batch = Columns(
        n,
        tuple(np.ascontiguousarray(x, float) for x in arguments),
        tuple(np.empty((rows * wide, n)) for rows, wide in shapes),
    )
    threads = Cores(kernel, n, None)
    try:
        for done in threads.run(batch, 4):
            if watch is not None:
                watch(done)
    finally:
        threads.close()
    both = zip(batch.results, shapes, strict=True)
    return [x if wide == 1 else side_by_side(x, wide) for x, (_, wide) in both]


def _work(function: Any) -> int:
    """Operations of one column."""
    return source.operations({"": function}) * (SCANNED if function.get_function() else 1)


def _built(function: Any) -> CompiledColumns | None:
    """None where the compiler takes too long."""
    recipe = cache.key(function.serialize()).encode()
    made: CompiledColumns | None = obtain(
        recipe,
        counts(function),
        DRIVERS,
        lambda: densified(function),
        CompiledColumns,
        lambda _: None,
    )
    return made


def counts(function: Any) -> dict[str, int]:
    """What columns.c asks for."""
    return {"NIN": function.n_in(), "NOUT": function.n_out()}


def densified(function: Any) -> dict[str, Any]:
    """The function as columns.c calls it, with all entries of its results."""
    inputs = function.sx_in() if function.is_a("SXFunction") else function.mx_in()
    results = [ca.densify(x) for x in function.call(inputs)]
    return {"column": ca.Function("chorda_column", inputs, results)}


def side_by_side(entries: Array, wide: int) -> Array:
    """Matrices (rows * wide, n), each column by column, as CasADi puts them."""
    n = entries.shape[1]
    return entries.reshape(wide, -1, n).transpose(1, 2, 0).reshape(-1, n * wide)
