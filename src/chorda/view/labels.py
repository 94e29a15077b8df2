"""Names beside pictures and at the ends of curves, moved apart where they are close."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from scipy.optimize import isotonic_regression

from chorda.mechanics import Array
from chorda.view.curves import arc_length
from chorda.view.drawing import Drawing
from chorda.view.style import ROLES

LETTER_SIZE = 7.5  # [points] beside a picture
CURVE_LETTER_SIZES = 5.0, 8.0  # [points] at the ends of curves, at least and at most


def name_ends(
    ax: Axes, curves: Mapping[str, tuple[Array, Array]], tints: Mapping[str, str]
) -> None:
    """Write each curve's name at its end, for the limits that the axes have now."""
    ends = {
        label: y[np.isfinite(y)][-1] for label, (_, y) in curves.items() if np.isfinite(y).any()
    }
    if not ends:
        return
    low, high = ax.get_ylim()
    height = 1.15 * _height(ax)  # the layout has not run yet and will make the panel higher
    smallest, largest = CURVE_LETTER_SIZES
    size = min(largest, max(smallest, height / (1.25 * len(ends))))
    wanted = np.clip((np.array(list(ends.values())) - low) / (high - low), 0.0, 1.0)
    rows = spread(wanted, 1.25 * size / height)
    for label, end, row in zip(ends, wanted, rows, strict=True):
        look: dict[str, Any] = {"transform": ax.transAxes, "color": tints[label]}
        ax.plot([1.004, 1.016, 1.028], [end, row, row], lw=0.8, clip_on=False, label="_end", **look)
        ax.text(1.036, row, label, fontsize=size, va="center", **look)


def write_names(ax: Axes, drawing: Drawing) -> None:
    """Write the joints' names on the left and the tendons' on the right of a configuration.

    The limits of the axes are set. A thin line leads from each name to what it names.
    """
    at = drawing.projected[0]
    joints: dict[str, Array] = {}
    for line in drawing.bodies:
        joints.setdefault(line.name, at[line.points[0]])
    cables = drawing.lines_of("tendon")
    # tendons run side by side: each is named at another part of its path
    parts = (np.arange(len(cables)) + 1) / (len(cables) + 1)
    tendons = {x.name: _along(at[list(x.points)], s) for x, s in zip(cables, parts, strict=True)}
    _column(ax, joints, left=True)
    _column(ax, tendons, left=False)


def _height(ax: Axes) -> float:
    """Of the axes [points]."""
    return float(ax.get_window_extent().height * 72 / ax.figure.dpi)


def _along(path: Array, part: float) -> Array:
    """The point of a polyline (n, 2) at a part of its length."""
    reached = arc_length(path)
    return np.array([np.interp(part * reached[-1], reached, x) for x in path.T])


def _column(ax: Axes, positions: dict[str, Array], left: bool) -> None:
    if not positions:
        return
    corner = np.array([ax.get_xlim()[0], ax.get_ylim()[0]])
    size = np.array([ax.get_xlim()[1], ax.get_ylim()[1]]) - corner
    wanted = (np.array(list(positions.values())) - corner) / size
    rows = spread(wanted[:, 1], 1.3 * LETTER_SIZE / _height(ax))
    edge, out, side = (0.0, -0.015, "right") if left else (1.0, 1.015, "left")
    look: dict[str, Any] = {"transform": ax.transAxes, "color": ROLES.quiet, "zorder": 6.5}
    for name, (x, y), row in zip(positions, wanted, rows, strict=True):
        ax.plot([edge, x], [row, y], lw=0.5, clip_on=False, **look)
        ax.plot([x], [y], marker="o", ms=2.0, **look)
        ax.text(out, row, name, fontsize=LETTER_SIZE, va="center", ha=side, **look)


def spread(wanted: Array, gap: float) -> Array:
    """Positions near the wanted ones, at least `gap` apart, within [0, 1] if they fit.

    >>> spread(np.array([0.5, 0.5]), 0.2)
    array([0.6, 0.4])
    """
    # from the top; where all are about the same, as given
    together = np.ptp(wanted) < 0.05
    order = np.arange(len(wanted)) if together else np.argsort(-wanted, kind="stable")
    below = gap * np.arange(len(wanted))  # the first one, at least; without it none may rise
    levels = isotonic_regression(wanted[order] + below, increasing=False).x
    out = np.empty(len(wanted))
    out[order] = np.clip(levels, below[-1], max(1.0, below[-1])) - below
    return out
