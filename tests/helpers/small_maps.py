"""A small region, its limits, and whether two maps of it are the same."""

import numpy as np

OVER = {"leg1.tip.x": (-1.05, 1.05, 15), "leg1.tip.y": (-1.05, 1.05, 15)}
LIMITS = {"stress": 1.2e9, "motor1": (0.5, 3.5), "motor2.effort": 0.4}


def equal(a, b):
    """By array: the same to the last bit."""
    theirs = b.cells.arrays()
    return {
        name: np.array_equal(x, theirs[name], equal_nan=x.dtype.kind == "f")
        for name, x in a.cells.arrays().items()
    }
