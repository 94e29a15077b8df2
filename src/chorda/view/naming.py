"""Names beside the picture of a configuration: joints on the left, tendons on the right."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from chorda.mechanics import Array
from chorda.view.lines import spread
from chorda.view.stage import NOT_A_BODY, Stage
from chorda.view.style import ROLES

SIZE = 7.5  # [points] of the letters


def write_names(ax: Axes, stage: Stage) -> None:
    """Write them into the axes, whose limits are set, each with a thin line to what it names."""
    at, lines = stage.seen[0], stage.lines
    joints: dict[str, Array] = {}
    for line in lines:
        if line.kind not in NOT_A_BODY:
            joints.setdefault(line.name, at[line.points[0]])
    cables = [x for x in lines if x.kind == "tendon"]
    # tendons run side by side: each is named at another part of its way
    shares = (np.arange(len(cables)) + 1) / (len(cables) + 1)
    tendons = {x.name: _along(at[list(x.points)], s) for x, s in zip(cables, shares, strict=True)}
    _column(ax, joints, left=True)
    _column(ax, tendons, left=False)


def _along(way: Array, share: float) -> Array:
    """The point of a polyline (n, 2) at a share of its length."""
    reached = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    return np.array([np.interp(share * reached[-1], reached, x) for x in way.T])


def _column(ax: Axes, places: dict[str, Array], left: bool) -> None:
    if not places:
        return
    corner = np.array([ax.get_xlim()[0], ax.get_ylim()[0]])
    size = np.array([ax.get_xlim()[1], ax.get_ylim()[1]]) - corner
    wanted = (np.array(list(places.values())) - corner) / size
    height = ax.get_window_extent().height * 72 / ax.figure.dpi
    rows = spread(wanted[:, 1], 1.3 * SIZE / height)
    edge, out = (0.0, -0.015) if left else (1.0, 1.015)
    look: dict[str, Any] = {"transform": ax.transAxes, "color": ROLES.quiet, "zorder": 6.5}
    for name, (x, y), row in zip(places, wanted, rows, strict=True):
        ax.plot([edge, x], [row, y], lw=0.5, clip_on=False, **look)
        ax.plot([x], [y], marker="o", ms=2.0, **look)
        ax.text(out, row, name, fontsize=SIZE, va="center", ha="right" if left else "left", **look)
