"""Chunks of points computed on this machine: in this process, or in several."""

from collections.abc import Generator, Mapping, Sequence

import numpy as np

from chorda.numerics.processes import Death, cores
from chorda.numerics.workers import Stop, Workers
from chorda.sweeps.computing import Piece, Rows, Work

SHORT_WORK = 3.0  # [s] that are not worth other processes


def pieces(
    jobs: int | None, seconds: float, work: Work, sizes: Mapping[int, int], rows: Rows, stop: Stop
) -> Generator[tuple[int, Piece], None, None]:
    """Pairs (chunk, piece), in the order in which they get done.

    jobs: how many processes; none: all cores, where the work at so many seconds a point is long.
    sizes: points in each chunk. The points of a chunk that ends its process again and again are
    computed one by one, so that a failure is that of a point.
    """
    if jobs is None:
        jobs = cores() if seconds * sum(sizes.values()) > SHORT_WORK else 1
    again = []
    with Workers(min(jobs, len(sizes)), work) as pool:
        for k, piece in pool.results(((k, rows(k)) for k in sizes), stop):
            if not isinstance(piece, Death):
                yield k, piece
            elif sizes[k] == 1:
                yield k, _lost(work, piece)
            else:
                again.append(k)
        for k in again:
            points = enumerate(rows(k)[:, None])
            found = {
                i: _lost(work, piece) if isinstance(piece, Death) else piece
                for i, piece in pool.results(points, stop)
            }
            if len(found) == sizes[k]:  # else it was stopped
                yield k, _joined([found[i] for i in range(len(found))])


def _lost(work: Work, death: Death) -> Piece:
    """Of a point that has no result because its process ended."""
    return work.failed(f"the process that computed this point ended with code {death.code}")


def _joined(pieces: Sequence[Piece]) -> Piece:
    return Piece(
        {name: np.concatenate([x.arrays[name] for x in pieces]) for name in pieces[0].arrays},
        [code for x in pieces for code in x.codes],
        [message for x in pieces for message in x.messages],
    )
