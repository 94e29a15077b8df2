"""A batch on all cores: threads, each in the compiled loop, where Python holds nobody up."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from chorda.checks import whole_number
from chorda.numerics.processes import cores

POLL_INTERVAL = 0.1  # [s] between two looks at `stop`


class Members(Protocol):
    """A batch; once `stop` is not 0, members end before their next step."""

    @property
    def members(self) -> int: ...
    @property
    def stop(self) -> "np.typing.NDArray[np.int64]": ...


class Cores:
    """Threads that run the members of batches by `kernel.many(batch, first, last)`.

    beside: whether they do so where there is only one too, so that it can be stopped.
    """

    def __init__(self, kernel: Any, members: int, jobs: int | None, beside: bool = False) -> None:
        self._kernel = kernel
        self._threads = min(workers(jobs), members) if kernel.compiled else 1
        alone = self._threads == 1 and not beside
        self._pool = None if alone else ThreadPoolExecutor(self._threads)

    def run(
        self, batch: Members, pieces: int = 1, stop: Callable[[], bool] | None = None
    ) -> Iterator[int]:
        """Runs all members, in so many pieces for each thread; yields how many are done.

        What was not begun when the caller stops asking is left out, and members that are on their
        way end at their next step; so they do once `stop()` is true.
        """
        count = max(1, min(batch.members, self._threads * pieces))
        ends = [round(k * batch.members / count) for k in range(count + 1)]
        many = self._kernel.many
        batch.stop[0] = 0
        if self._pool is None:
            for a, b in pairwise(ends):
                many(batch, a, b)
                yield b
            return
        work = [self._pool.submit(many, batch, a, b) for a, b in pairwise(ends)]
        try:
            for b, item in zip(ends[1:], work, strict=True):
                while stop is not None and wait((item,), POLL_INTERVAL).not_done:
                    batch.stop[0] = int(stop())
                item.result()
                yield b
        finally:
            batch.stop[0] = 1
            running = [item for item in work if not item.cancel()]
            for item in running:
                item.result()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def workers(jobs: int | None) -> int:
    """How many threads: all cores that this process may use, where no number is given."""
    return cores() if jobs is None else whole_number("jobs", jobs)
