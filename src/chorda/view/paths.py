"""plot_path: configurations at rest along a path, over each other."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results import EquilibriumPath
from chorda.view.actors import DASHES, TRAIL
from chorda.view.configuration import trail_sample, widths_in
from chorda.view.overlay import draw_configuration, draw_legend, stage_axes
from chorda.view.stage import build_stage
from chorda.view.style import ORDERED, ROLES, save_figure, styled

KEY = 1.0  # [inch] for the colours, beside


def plot_path(found: EquilibriumPath, *, path: str | Path | None = None, count: int = 11) -> Figure:
    """Draw `count` configurations, evenly along the path, coloured by how far along they are.

    The first and the last are drawn in full; configurations that are unstable with what is
    actuated locked are dashed. The line is the way of the robot's end over the whole path.
    """
    if not len(found):
        raise InputError("path: has no configuration that could be drawn; its status says why")
    if count < 1:
        raise InputError(f"count: expected at least 1, got {count}")
    which = np.unique(np.linspace(0, len(found) - 1, count).round().astype(int))
    if count == 1 or len(found) == 1:
        which = np.array([len(found) - 1])
    with styled():
        stage = build_stage(found.system, found.q, found.parameters[0])
        figure, ax = stage_axes(stage, KEY)
        widths = widths_in(ax, stage)
        if stage.tip is not None:
            ax.plot(*stage.tip.T, zorder=9, **TRAIL)
        progress = _progress(found)
        for order, k in enumerate(which):
            strong = order in (0, len(which) - 1)
            color = ORDERED(progress[k]) if found.stable[k] else ROLES.alarm
            draw_configuration(
                ax, stage, widths, int(k), color, strong=strong, dashed=not found.stable[k],
                order=(10.0 if strong else 3.0) + order / len(which),
            )  # fmt: skip
        _draw_key(figure, ax, bool(np.all(found.stable[which])), stage.tip is not None)
    if path is not None:
        save_figure(figure, path)
    return figure


def _progress(found: EquilibriumPath) -> Array:
    """From 0 to 1: the share of the path, or where it turns back the number of the
    configuration."""
    share = found.parameter
    if len(share) > 1 and (share[-1] <= 0 or np.any(np.diff(share) <= 0)):
        return np.linspace(0, 1, len(share))
    return np.asarray(share / max(float(share[-1]), 1e-12))


def _draw_key(figure: Figure, ax: Axes, stable: bool, tip: bool) -> None:
    """The colours of the way, beside the picture, and what else is drawn."""
    key = figure.colorbar(
        ScalarMappable(Normalize(0, 1), ORDERED), ax=ax, shrink=0.6, aspect=22, pad=0.02
    )
    key.set_ticks([0, 1], labels=["first", "last"])
    key.outline.set_visible(False)
    samples = [trail_sample()] if tip else []
    if not stable:
        samples.append(Line2D([], [], color=ROLES.alarm, lw=1.6, ls=DASHES, label="unstable"))
    draw_legend(figure, samples)
