"""A batch on all cores: threads, each in the compiled loop, where Python holds nobody up."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from chorda.checks import whole_number
from chorda.compile import Batch, Kernel
from chorda.numerics.processes import cores


class Cores:
    """Threads that run the members of batches."""

    def __init__(self, kernel: Kernel, members: int, jobs: int | None) -> None:
        self._kernel = kernel
        self._threads = min(workers(jobs), members) if kernel.compiled else 1
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None

    def run(self, batch: Batch, pieces: int = 1) -> Iterator[int]:
        """Runs all members, in so many pieces for each thread; yields how many are done.

        What was not begun when the caller stops asking is left out.
        """
        count = max(1, min(batch.members, self._threads * pieces))
        ends = [round(k * batch.members / count) for k in range(count + 1)]
        many = self._kernel.many
        if self._pool is None:
            for a, b in pairwise(ends):
                many(batch, a, b)
                yield b
            return
        work = [self._pool.submit(many, batch, a, b) for a, b in pairwise(ends)]
        try:
            for b, item in zip(ends[1:], work, strict=True):
                item.result()
                yield b
        finally:
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
