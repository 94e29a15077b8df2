"""Smooth friction in steps that are too long for it, as a sentence.

Where friction stops what slides, a step that is long beside the slip speed carries it beyond, and
the next one back: from then on sliding turns around all the time, and never sticks.
"""

from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns

LOOKED_AT = 1000  # last steps
TURNS, WINDOW = 8, 20  # so many in so many steps are no sliding to and fro


def chattering(system: System, q: Array, v: Array, u: Array, p: Array) -> str:
    """Of a motion whose steps are rows: which contacts turn around in most; empty where none
    does."""
    rubbing = [x for x in system.touches if x.slip_speed is not None]
    if not rubbing or len(q) <= TURNS + 1:
        return ""

    def make() -> Any:
        columns = [
            ca.vertcat(*[x.sliding for x in rubbing]),
            ca.vertcat(*[x.slip_speed for x in rubbing]),
            ca.vertcat(*[x.pressing for x in rubbing]),
        ]
        return system.function("chattering", "q v u p", *map(ca.densify, columns))

    function = system.once("chattering", make)
    last = slice(-LOOKED_AT, None)
    found = by_columns(function, q[last].T, v[last].T, u[last].T, p[:, None])
    sliding, slow, N = (x.T for x in found)
    sliding = sliding.reshape(len(sliding), len(rubbing), 3)
    with np.errstate(invalid="ignore"):
        moves = (np.linalg.norm(sliding, axis=2) > slow) & (N > 0)
        turns = (np.sum(sliding[1:] * sliding[:-1], axis=2) < 0) & moves[1:] & moves[:-1]
    before = np.vstack([np.zeros((1, len(rubbing)), int), np.cumsum(turns, axis=0)])
    width = min(WINDOW, len(turns))
    most = np.max(before[width:] - before[:-width], axis=0)
    names = [x.label for x, count in zip(rubbing, most, strict=True) if count >= TURNS]
    if not names:
        return ""
    return (
        f"Sliding of {', '.join(names)} turns around every step or two, faster than its "
        "slip_speed: friction would stop it, and the step is too long for that. Take a smaller "
        "step, a larger slip_speed, or friction of kind: bristle."
    )
