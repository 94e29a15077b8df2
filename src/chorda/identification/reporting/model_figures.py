"""Model beside measurement, as in [Fasquelle2021, figs. 6-8], and all three in one figure."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.identification.identified import Identification
from chorda.identification.reconstruction import (
    ActuatorEffect,
    Reconstruction,
    Tensions,
    reconstruct,
)
from chorda.identification.reporting.panels import (
    MEASURED,
    WIDTH,
    broken,
    finish,
    one_legend,
    stacked,
    window,
)
from chorda.mechanics import Array
from chorda.safe_text import in_figure
from chorda.view import new_figure, styled
from chorda.view.display_units import display_unit
from chorda.view.style import CYCLE, ROLES, finished

MAX_POINTS = 1500  # in a cloud; more is ink
BINS = 12  # along the tension, for the line through a cloud
CURVES: dict[str, dict[str, Any]] = {
    "measured": MEASURED,
    "whole model": {"color": CYCLE[0], "lw": 1.4, "zorder": 3},
    "without viscous friction": {"color": CYCLE[4], "lw": 1.4, "ls": (0, (4, 2)), "zorder": 2.9},
    "without friction": {"color": CYCLE[1], "lw": 1.2, "zorder": 2.8},
    "by motor": MEASURED,
    "by law": {"color": CYCLE[0], "lw": 1.4},
}
Draw = Callable[[Axes, Array, int], None]  # axes, time, row


def plot_actuators(found: Reconstruction) -> Figure:
    """The actuators' effect on each joint: measured, and by the model with and without friction."""
    assert found.actuators is not None
    return _over_time(found.time, len(found.actuators.names), _effect(found.actuators))


def plot_tensions(found: Reconstruction) -> Figure:
    """Each tendon's tension by the motor's balance and by the tendon's law."""
    assert found.tensions is not None
    return _over_time(found.time, len(found.tensions.names), _tension(found.tensions))


def _over_time(time: Array, count: int, draw: Draw) -> Figure:
    with styled():
        figure = new_figure(WIDTH, 0.6 + 1.45 * count)
        for k, ax in enumerate(stacked(figure, count)):
            draw(ax, time, k)
        one_legend(figure, figure.axes[:1])
        figure.align_ylabels()
    return figure


def plot_tension_errors(found: Reconstruction) -> Figure:
    """The law's error against the tension by the motor, a panel each tendon."""
    assert found.tensions is not None
    count = len(found.tensions.names)
    across = min(count, 3 if count in (3, 5, 6, 9) else 2)
    with styled():
        figure = new_figure(WIDTH, 0.5 + 2.0 * -(-count // across))
        grid = figure.add_gridspec(-(-count // across), across)
        for i in range(count):
            ax = figure.add_subplot(grid[i // across, i % across])
            _error(ax, found.tensions, i, below=i + across >= count, left=i % across == 0)
        one_legend(figure, figure.axes[:1])
    return figure


def plot_identification(identification: Identification, path: str | Path | None = None) -> Figure:
    """Model beside measurement in one figure: joints, tensions, errors; written if `path` is given.

    Robots whose tensions are known only one way have the joints alone.
    """
    found = reconstruct(identification)
    actuators, tensions = found.actuators, found.tensions
    blocks: list[tuple[int, Draw]] = []
    if actuators is not None:
        blocks.append((len(actuators.names), _effect(actuators)))
    if tensions is not None:
        blocks.append((len(tensions.names), _tension(tensions)))
    rows = max((count for count, _ in blocks), default=1)
    widths = [1.3] * len(blocks) + [1.0] * (tensions is not None) or [1]
    with styled():
        figure = new_figure(max(WIDTH, 3.9 * len(widths)), 0.7 + 1.55 * rows)
        grid = figure.add_gridspec(rows, len(widths), width_ratios=widths)
        for column, (count, draw) in enumerate(blocks):
            for row, ax in enumerate(stacked(figure, count, grid, column)):
                draw(ax, found.time, row)
        if tensions is not None:
            last = len(tensions.names) - 1
            for i in range(last + 1):
                _error(figure.add_subplot(grid[i, -1]), tensions, i, below=i == last, left=True)
        if not blocks:
            ax = figure.add_subplot(grid[0, 0])
            ax.set_axis_off()
            ax.text(0, 0.5, f"{found.no_actuators}\n{found.no_tensions}", wrap=True, fontsize=8)
        one_legend(figure, figure.axes, "outside lower left", 7)
        title = f"{in_figure(identification.system.robot.name)}: model beside measurement"
        figure.suptitle(title, x=0.01, ha="left", fontsize=10.5, fontweight="bold")
    return finished(figure, path)


def _effect(actuators: ActuatorEffect) -> Draw:
    def draw(ax: Axes, time: Array, j: int) -> None:
        all_curves = {"measured": actuators.measured, **actuators.modelled}
        curves = {name: values[window(time), j] for name, values in all_curves.items()}
        shown = np.concatenate([curves["measured"], curves["whole model"]])
        view = display_unit(actuators.units[j], shown)
        _plot(ax, time[window(time)], {name: view.factor * x for name, x in curves.items()})
        finish(ax, actuators.names[j], view.label("actuators"))

    return draw


def _tension(tensions: Tensions) -> Draw:
    def draw(ax: Axes, time: Array, i: int) -> None:
        rows = window(time)
        curves = {"by motor": tensions.by_motor[rows, i], "by law": tensions.by_law[rows, i]}
        _plot(ax, time[rows], curves)
        finish(ax, tensions.names[i], "tension [N]")

    return draw


def _plot(ax: Axes, time: Array, curves: Mapping[str, Array]) -> None:
    for name, values in curves.items():
        ax.plot(*broken(time, values), label=name, **CURVES[name])
    ax.set_xlim(float(time[0]), float(time[-1]))


def _error(ax: Axes, tensions: Tensions, i: int, below: bool, left: bool) -> None:
    """below, left: whether the panel is the last of its column, and the first of its row."""
    x, error = tensions.by_motor[:, i], tensions.error[:, i]
    thin = slice(None, None, -(-len(x) // MAX_POINTS))
    ax.axhline(0, color=ROLES.frame, lw=1)
    ax.plot(
        x[thin], error[thin], "o", ms=2.6, mew=0, alpha=0.35, color=CYCLE[0], label="samples",
        rasterized=True,
    )  # fmt: skip
    ax.plot(*medians(x, error), color=CYCLE[1], lw=1.8, label="their median")
    title = f"{tensions.names[i]}: mean {np.mean(np.abs(error)):.2g} N"
    finish(ax, title, "law less motor [N]" * left)
    ax.set_xlabel("tension by motor [N]" * below)


def medians(x: Array, y: Array, bins: int = BINS) -> tuple[Array, Array]:
    """Medians of x and y along x, in bins of as many samples each."""
    parts = [part for part in np.array_split(np.argsort(x), min(bins, len(x))) if len(part)]
    return (
        np.array([np.median(x[part]) for part in parts]),
        np.array([np.median(y[part]) for part in parts]),
    )
