"""Lines of straight pieces whose corners are rounded: pieces of them, straight or arcs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STRAIGHT = 1e-9  # [rad] corners that small are none


@dataclass(frozen=True, eq=False)
class Piece:
    """From start to end; an arc has a centre, unit vectors to its start and along it there, and the
    angle that it sweeps."""

    start: Array
    end: Array
    centre: Array | None = None
    outward: Array | None = None
    along: Array | None = None
    sweep: float = 0.0


def bent_line(points: Sequence[Sequence[float]], bend_radius: float | None) -> list[Piece]:
    """The pieces of a line through points; raises where the bends do not fit between them."""
    x = np.array(points, float)
    if len(x) < 2:
        raise ValueError(f"points: expected two or more, got {len(x)}")
    ways = np.diff(x, axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    if not np.all(lengths > 0):
        raise ValueError("points: expected each to differ from the one before it")
    ways /= lengths[:, None]
    angles = [float(np.arccos(np.clip(a @ b, -1, 1))) for a, b in pairwise(ways)]
    angles = [a if a > STRAIGHT else 0.0 for a in angles]
    if any(angles) and bend_radius is None:
        raise ValueError("bend_radius: this field is missing; the line has corners")
    if max(angles, default=0.0) > 0.99 * np.pi:
        raise ValueError("points: expected bends of less than half a turn; add points between")
    cut = [0.0, *((bend_radius or 0.0) * np.tan(a / 2) for a in angles), 0.0]
    pieces, at = list[Piece](), x[0]
    for k, (way, length) in enumerate(zip(ways, lengths, strict=True)):
        if cut[k] + cut[k + 1] >= length:
            raise ValueError(
                f"bend_radius: bends of {bend_radius:g} m need {cut[k] + cut[k + 1]:g} m between "
                f"points {k} and {k + 1}, which are {length:g} m apart; take a smaller radius"
            )
        end = x[k + 1] - cut[k + 1] * way
        pieces.append(Piece(at, end))
        at = end
        if k < len(angles) and angles[k]:
            assert bend_radius is not None
            after = ways[k + 1]
            inward = after - way * (after @ way)
            centre = end + bend_radius * inward / np.linalg.norm(inward)
            at = x[k + 1] + cut[k + 1] * after
            pieces.append(Piece(end, at, centre, (end - centre) / bend_radius, way, angles[k]))
    return pieces
