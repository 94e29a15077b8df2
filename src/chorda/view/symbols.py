"""Symbols on the page: zigzags for springs, dashpots, hatched ground, arrows, outlines."""

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from chorda.mechanics import Array

PEN_UP = np.full((1, 2), np.nan)  # begins a new line
COILS = 7
ROUND_CORNERS = 24


def _frame(a: Array, b: Array) -> tuple[Array, Array, float]:
    """Direction from a to b, the direction to its left, and the distance."""
    length = float(np.hypot(*(b - a)))
    along = (b - a) / length if length > 0 else np.array([1.0, 0.0])
    return along, np.array([-along[1], along[0]]), length


def zigzag(a: Array, b: Array, width: float) -> Array:
    """A spring from a to b (2 coordinates each), `width` from crest to crest."""
    _, across, _ = _frame(a, b)
    at = np.concatenate([[0.0, 0.12], 0.12 + 0.76 * (np.arange(2 * COILS) + 0.5) / (2 * COILS)])
    at = np.concatenate([at, [0.88, 1.0]])
    side = np.zeros(len(at))
    side[2:-2] = np.where(np.arange(2 * COILS) % 2, -0.5, 0.5)
    return np.asarray(a + at[:, None] * (b - a) + width * side[:, None] * across)


def dashpot(a: Array, b: Array, width: float) -> Array:
    """A damper from a to b: a rod with a piston in an open cylinder."""
    along, across, length = _frame(a, b)
    half = across * width / 2
    box = along * min(0.22 * length, 1.2 * width)
    middle = (a + b) / 2
    low, high = middle - box, middle + box
    cylinder = [high - half, low - half, low + half, high + half]
    piston = [middle - half * 0.8, middle + half * 0.8]
    return np.vstack([a, low, PEN_UP, *cylinder, PEN_UP, *piston, PEN_UP, middle, b])


def hatch(a: Array, b: Array, depth: float) -> list[Array]:
    """Ground along a-b: its edge, and strokes to the right, seen from a to b."""
    along, left, length = _frame(a, b)
    strokes = max(round(length / (0.85 * depth)), 4) if depth > 0 else 0
    feet = a + (np.arange(strokes) + 0.75)[:, None] / max(strokes, 1) * length * along
    slant = -left * depth - along * depth * 0.7
    return [np.array([a, b]), *(np.array([foot, foot + slant]) for foot in feet)]


def support(pivot: Array, size: float, down: Array) -> list[Array]:
    """A pin on the ground: a triangle below the pivot, and hatched ground under it."""
    right = np.array([-down[1], down[0]])
    foot = pivot + down * size
    legs = np.array([foot - 0.62 * size * right, pivot, foot + 0.62 * size * right])
    wide = size * right if down[1] < 0 else -size * right
    return [legs, *hatch(foot - wide, foot + wide, 0.42 * size)]


def arrow(a: Array, b: Array, width: float) -> Array:
    """An arrow from a to b (2 coordinates each) with a shaft of a width, as a polygon (7, 2)."""
    along, left, length = _frame(a, b)
    head = min(4.5 * width, 0.6 * length)
    shaft, wing = min(width, 0.25 * head) / 2 * left, 0.4 * head * left
    neck = b - head * along
    return np.array([a + shaft, neck + shaft, neck + wing, b, neck - wing, neck - shaft, a - shaft])


def around(points: Array, radius: float) -> Array:
    """Outline of the smallest convex body that is a radius away from points on the page (n, 2)."""
    turn = 2 * np.pi * np.arange(ROUND_CORNERS) / ROUND_CORNERS
    circle = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    good = points[np.isfinite(points).all(axis=1)]
    return outline((good[:, None] + circle).reshape(-1, 2)) if len(good) else np.zeros((0, 2))


def outline(points: Array) -> Array:
    """Convex outline of points in the plane (n, 2), counter-clockwise."""
    ordered = np.unique(points, axis=0)
    try:
        return np.asarray(ordered[ConvexHull(ordered).vertices])
    except QhullError:  # all on one line
        return ordered[[0, -1]]
