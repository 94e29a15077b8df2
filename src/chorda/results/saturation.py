"""How long the limits of motors and controllers acted along a motion, as a sentence."""

from collections.abc import Sequence

import numpy as np

from chorda.mechanics import Array, System
from chorda.results.events import Watched, watched

ROUNDING = 1e-9  # of the largest value: a limit that is met exactly cuts nothing off


def saturation(
    system: System, q: Array, v: Array, u: Array, p: Array, others: Sequence[tuple[Watched, Array]]
) -> str:
    """Which limits acted, and in which part of the times; empty where none did.

    others: what a controller watches, with the signal that it was fed with at each time.
    """
    each = []
    for of, signal in ((watched(system)[1], u), *others):
        left = np.nan_to_num(of.values(q, v, signal, p))  # NaN where a controller found nothing
        rounding = ROUNDING * np.max(np.abs(left), axis=0, initial=0.0)
        parts = np.mean(left < -rounding, axis=0) if len(left) else np.zeros(len(of.names))
        each += [
            f"{name} ({word.removeprefix('reached ')}, {100 * part:.3g} % of the time)"
            for name, word, part in zip(of.names, of.below, parts, strict=True)
            if part > 0
        ]
    return f"At their limits: {', '.join(each)}." if each else ""
