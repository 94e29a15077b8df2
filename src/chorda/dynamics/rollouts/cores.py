"""A batch on all cores: threads, each in the compiled loop, where Python holds nobody up."""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from chorda.compile import Batch, Kernel
from chorda.errors import InputError
from chorda.numerics.processes import cores
from chorda.numerics.progress import Progress

PIECES = 8  # for each thread: uneven members even out, and the bar moves


def run(kernel: Kernel, batch: Batch, jobs: int | None, progress: Progress) -> float:
    """Runs all members; seconds it took."""
    jobs = workers(jobs) if kernel.compiled else 1
    pieces = max(1, min(batch.members, jobs * PIECES))
    ends = [round(k * batch.members / pieces) for k in range(pieces + 1)]
    begin = time.perf_counter()
    if jobs == 1:
        for a, b in pairwise(ends):
            kernel.many(batch, a, b)
            progress.update(b)
        return time.perf_counter() - begin
    with ThreadPoolExecutor(jobs) as pool:
        work = [pool.submit(kernel.many, batch, a, b) for a, b in pairwise(ends)]
        for b, item in zip(ends[1:], work, strict=True):
            item.result()
            progress.update(b)
    return time.perf_counter() - begin


def workers(jobs: int | None) -> int:
    """How many threads: all cores that this process may use, where nothing is said."""
    if jobs is None:
        return cores()
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise InputError(f"jobs: expected a whole number of at least 1, got {jobs!r}")
    return jobs
