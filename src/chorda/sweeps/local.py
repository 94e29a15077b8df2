"""Chunks of points computed on this machine: in this process, or in several."""

from collections.abc import Callable, Generator, Sequence

import numpy as np

from chorda.mechanics import Array
from chorda.numerics.processes import Death
from chorda.numerics.workers import Stop, Workers
from chorda.sweeps.computing import Piece, Work


def pieces(
    jobs: int, work: Work, chunks: Sequence[int], rows: Callable[[int], Array], stop: Stop
) -> Generator[tuple[int, Piece], None, None]:
    """Pairs (chunk, piece), in the order in which they get done.

    The points of a chunk that ends its process again and again are computed one by one, so that a
    failure is that of a point.
    """
    again = []
    with Workers(jobs, work) as pool:
        for k, piece in pool.results(((k, rows(k)) for k in chunks), stop):
            if not isinstance(piece, Death):
                yield k, piece
            elif len(rows(k)) == 1:
                yield k, _lost(work, piece)
            else:
                again.append(k)
        for k in again:
            points = enumerate(rows(k)[:, None])
            found = {
                i: _lost(work, piece) if isinstance(piece, Death) else piece
                for i, piece in pool.results(points, stop)
            }
            if len(found) == len(rows(k)):  # else it was stopped
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
