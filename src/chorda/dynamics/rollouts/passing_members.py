"""Members in which a solid goes through another: they end before, with the code."""

from functools import partial
from typing import Any

import numpy as np

from chorda.compile import Batch, Exit
from chorda.compile.columns import at_columns
from chorda.compile.cores import Cores
from chorda.dynamics.passing_through import PassingWatch, Rows, is_deep
from chorda.dynamics.rollouts.ending import MAX_LOOKED_AT
from chorda.dynamics.time_loop import Loop
from chorda.mechanics import Array, System
from chorda.mechanics.contacts.passing import Look, Mask, look, solids
from chorda.numerics.array_library import host

AT_ONCE = 50_000  # states
WORTH_COLUMNS = 20  # looks for each member: with more, members are faster one after the other


def may_pass(system: System) -> bool:
    """Whether two shapes that touch both have another side."""
    return bool(solids(system).any())


def end_where_solids_pass(
    loop: Loop, batch: Batch, start: Array, p: Array, jobs: int | None
) -> None:
    """Members that went through something end in the step before, with the code.

    Where normals turned between two looks, all steps of the member are looked at as those of one
    motion are; where they were not kept, it moves once more from start, states that are columns.
    """
    system = loop.system
    if not may_pass(system):
        return
    found = _turned_round(system, batch, start, p)
    room = max(1, MAX_LOOKED_AT // (batch.steps * len(start)))
    for first in range(0, len(found), room):
        some = found[first : first + room]
        every_step = batch.X[:, :, some]
        if batch.every > 1:
            every_step = _once_more(loop.kernel, batch, start, some, jobs)
        for i, m in enumerate(some):
            x = np.vstack([start[:, m], every_step[: batch.done[m], :, i]])
            watch = PassingWatch(system, batch.h, p[:, m if p.shape[1] > 1 else 0])
            passed = watch.first(x)
            if passed is not None:
                batch.code[m], batch.done[m] = Exit.PASSED_THROUGH, passed.row - 1
                batch.X[(passed.row - 1) // batch.every :, :, m] = np.nan


def _turned_round(system: System, batch: Batch, start: Array, p: Array) -> Rows:
    """Members in which a normal turned by more than a right angle since it was last not deep.

    From look to look within several steps shapes may turn with it: seen from one is enough.
    """
    n, looks = start.shape[1], len(batch.X)
    if batch.every == 1 and n * WORTH_COLUMNS <= looks:
        return np.flatnonzero(batch.code != Exit.INTERRUPTED)
    solid, found, last = solids(system), np.zeros(n, bool), _seen(system, start[None], p, n)[0]
    size = max(1, AT_ONCE // n)
    for first in range(0, looks, size):
        block = _seen(system, batch.X[first : first + size], p, n * looks)
        for k, here in enumerate(block, first + 1):
            turned = last.turned(here) if batch.every == 1 else last.turned_in_one(here)
            found |= (turned & solid).any(axis=1) & (batch.done >= k * batch.every)
            last = _newer(last, here, is_deep(here))
    if batch.every > 1:  # and the steps from there to where they failed
        found |= (batch.code != Exit.DONE) & (batch.done % batch.every > 0)
    return np.flatnonzero(found & (batch.code != Exit.INTERRUPTED))


def _seen(system: System, X: Array, p: Array, whole: int) -> list[Look]:
    """Of states (times, nx, members), a look with a row for each member at each time."""
    times, _, n = X.shape
    q = X[:, : system.nq].transpose(0, 2, 1).reshape(times * n, system.nq)
    own = np.tile(p.T, (times, 1)) if p.shape[1] > 1 else p.T
    found = look(system, q, own, partial(at_columns, system, whole=whole))
    return [found[k * n : (k + 1) * n] for k in range(times)]


def _newer(last: Look, here: Look, deep: Mask) -> Look:
    """Touch by touch what is seen here, or what was seen last where it is deep here."""
    wide = deep[:, :, None]
    return Look(
        np.where(deep, last.gap, here.gap),
        np.where(deep, last.thickness, here.thickness),
        np.where(wide, last.first, here.first),
        np.where(wide, last.second, here.second),
    )


def _once_more(kernel: Any, batch: Batch, start: Array, some: Rows, jobs: int | None) -> Array:
    """All steps of some members (steps, nx, some)."""

    def own(given: Any) -> Array:
        here = np.asarray(host(given), float)
        return np.ascontiguousarray(here[..., some] if here.shape[-1] > 1 else here)

    low, high = (np.asarray(host(x), float) for x in (batch.low, batch.high))
    given = np.ascontiguousarray(start[:, some]), own(batch.signal), own(batch.p)
    again = Batch(batch.h, batch.steps, 1, *given, low, high, batch.tolerance)
    threads = Cores(kernel, len(some), jobs)
    try:
        for _ in threads.run(again):
            pass
    finally:
        threads.close()
    return again.X
