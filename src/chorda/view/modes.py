"""plot_mode: a configuration at rest, and where it would first give way."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from chorda.mechanics import Array
from chorda.statics.stability import Stability
from chorda.view.configuration import widths_in
from chorda.view.overlay import draw_configuration, draw_legend, stage_axes
from chorda.view.stage import build_stage, world_points
from chorda.view.style import CYCLE, ROLES, save_figure, styled

SEEN = 0.12  # of the robot's size, how far the largest displacement is drawn
SMALL = 1e-4  # of a scale: a displacement that is still linear


def plot_mode(found: Stability, kind: str = "locked", *, path: str | Path | None = None) -> Figure:
    """Draw the configuration in full, and displaced to both sides along the critical mode of one
    kind.

    The size of the displacement is chosen to be seen; closures stay shut.
    """
    verdict, rest = found[kind], found.equilibrium
    with styled():
        rows = [rest.q, *(found.displaced(x, kind) for x in _amounts(found, kind))]
        stage = build_stage(rest.system, np.array(rows), rest.parameters)
        figure, ax = stage_axes(stage)
        widths = widths_in(ax, stage)
        sides = list(zip(CYCLE, ("along the mode", "against it"), strict=False))
        for k, (color, _) in enumerate(sides[: len(rows) - 1], start=1):
            draw_configuration(ax, stage, widths, k, color, strong=False)
        draw_configuration(ax, stage, widths, 0, ROLES.bar, strong=True, order=10.0)
        samples = [Line2D([], [], color=ROLES.bar, lw=2.4, label=f"at rest, {verdict.stability}")]
        samples += [Line2D([], [], color=c, lw=1.4, label=name) for c, name in sides]
        if len(rows) > 1:
            draw_legend(figure, samples)
        ax.set_title(f"Critical mode, {kind}")
    if path is not None:
        save_figure(figure, path)
    return figure


def _amounts(found: Stability, kind: str) -> tuple[float, ...]:
    """How far to go along the mode and against it; none: nothing that is drawn moves."""
    rest = found.equilibrium
    if not any(found[kind].mode.values()):
        return ()
    rows = np.array([rest.q, found.displaced(SMALL, kind)])
    first, moved = world_points(rest.system, rows, rest.parameters)
    size, way = _size(first), float(np.max(np.linalg.norm(moved - first, axis=1), initial=0.0))
    if way < 1e-9 * size:
        return ()
    amount = SEEN * size * SMALL / way
    return amount, -amount


def _size(points: Array) -> float:
    return float(np.max(np.ptp(points, axis=0), initial=0.0)) or 1.0
