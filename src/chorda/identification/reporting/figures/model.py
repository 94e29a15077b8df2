"""Model beside measurement, as in [Fasquelle2021, figs. 6-8], and all three in one figure."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.identification.identification import Identification
from chorda.identification.reconstruction import Actuators, Tensions
from chorda.identification.reporting.figures.panels import (
    MEASURED,
    WIDTH,
    broken,
    few_ticks,
    head,
    one_legend,
    window,
)
from chorda.identification.reporting.rebuilt import Rebuilt, rebuilt
from chorda.mechanics import Array
from chorda.view import new_figure, save_figure, styled
from chorda.view.display_units import display_unit
from chorda.view.style import CYCLE, ROLES

PANEL = 1.45  # [inch]
MOST_POINTS = 1500  # in a cloud; more is ink
BINS = 12  # along the tension, for the line through a cloud
MODELS: dict[str, dict[str, Any]] = {
    "whole model": {"color": CYCLE[0], "lw": 1.4},
    "without viscous friction": {"color": CYCLE[4], "lw": 1.4, "ls": (0, (4, 2))},
    "without friction": {"color": CYCLE[1], "lw": 1.2},
}


def plot_actuators(found: Rebuilt) -> Figure:
    """The actuators' effect on each joint: measured, and by the model with and without friction."""
    actuators = found.actuators
    assert actuators is not None
    return _over_time(actuators.names, lambda ax, j: _actuator(ax, found.time, actuators, j))


def plot_tensions(found: Rebuilt) -> Figure:
    """Each tendon's tension by the motor's balance and by the tendon's law."""
    tensions = found.tensions
    assert tensions is not None
    return _over_time(tensions.names, lambda ax, i: _tension(ax, found.time, tensions, i))


def _over_time(names: tuple[str, ...], draw: Callable[[Axes, int], None]) -> Figure:
    """A panel for each name above the other, one axis of time."""
    with styled():
        figure = new_figure(WIDTH, 0.6 + PANEL * len(names))
        panels = _column(figure, len(names))
        for k, ax in enumerate(panels):
            draw(ax, k)
        panels[-1].set_xlabel("time [s]")
        one_legend(figure, panels[:1])
        figure.align_ylabels()
    return figure


def plot_tension_errors(found: Rebuilt) -> Figure:
    """The law's error against the tension by the motor, a panel each tendon."""
    tensions = found.tensions
    assert tensions is not None
    count = len(tensions.names)
    across = min(count, 3 if count in (3, 5, 6, 9) else 2)
    with styled():
        figure = new_figure(WIDTH, 0.5 + 2.0 * -(-count // across))
        grid = figure.add_gridspec(-(-count // across), across)
        panels = [figure.add_subplot(grid[i // across, i % across]) for i in range(count)]
        for i, ax in enumerate(panels):
            _error(ax, tensions, i)
            if i + across >= count:
                ax.set_xlabel("tension by motor [N]")
            if i % across == 0:
                ax.set_ylabel("law less motor [N]")
        one_legend(figure, panels[:1])
    return figure


def plot_identification(identification: Identification, path: str | Path | None = None) -> Figure:
    """Model beside measurement in one figure: joints, tensions, errors; written if `path` is given.

    Robots whose tensions are known only one way have the joints alone.
    """
    found = rebuilt(identification)
    blocks = [x for x in (found.actuators, found.tensions) if x is not None]
    rows = max((len(x.names) for x in blocks), default=1)
    kinds = [k for k, x in ((0, found.actuators), (1, found.tensions), (2, found.tensions)) if x]
    with styled():
        figure = new_figure(max(WIDTH, 3.9 * len(kinds)), 0.7 + 1.55 * rows)
        grid = figure.add_gridspec(
            rows, max(len(kinds), 1), width_ratios=[(1.3, 1.3, 1.0)[k] for k in kinds] or [1]
        )
        for column, kind in enumerate(kinds):
            _block(figure, grid, column, kind, found)
        if not kinds:
            _nothing(figure.add_subplot(grid[0, 0]), found)
        one_legend(figure, figure.axes, "outside lower left", 7)
        figure.suptitle(
            f"{identification.system.robot.name}: model beside measurement",
            x=0.01,
            ha="left",
            fontsize=10.5,
            fontweight="bold",
        )
    if path is not None:
        save_figure(figure, path)
    return figure


def _block(figure: Figure, grid: object, column: int, kind: int, found: Rebuilt) -> None:
    """A column of the figure that shows all."""
    item = found.actuators if kind == 0 else found.tensions
    assert item is not None
    for row in range(len(item.names)):
        ax = figure.add_subplot(grid[row, column])  # type: ignore[index]
        if isinstance(item, Actuators):
            _actuator(ax, found.time, item, row)
        elif kind == 1:
            _tension(ax, found.time, item, row)
        else:
            _error(ax, item, row)
            ax.set_ylabel("law less motor [N]")
        if row == len(item.names) - 1:
            ax.set_xlabel("tension by motor [N]" if kind == 2 else "time [s]")
        elif kind < 2:
            ax.tick_params(labelbottom=False)


def _nothing(ax: Axes, found: Rebuilt) -> None:
    ax.set_axis_off()
    ax.text(0, 0.5, f"{found.why_no_actuators}\n{found.why_no_tensions}", wrap=True, fontsize=8)


def _column(figure: Figure, count: int) -> list[Axes]:
    """Panels above each other with one axis of time."""
    grid = figure.add_gridspec(count, 1)
    panels: list[Axes] = []
    for row in range(count):
        panels.append(figure.add_subplot(grid[row], sharex=panels[0] if panels else None))
        if row < count - 1:
            panels[-1].tick_params(labelbottom=False)
    return panels


def _actuator(ax: Axes, time: Array, actuators: Actuators, j: int) -> None:
    rows = window(time)
    all_values = np.concatenate(
        [actuators.measured[rows, j], actuators.modelled["whole model"][rows, j]]
    )
    view = display_unit(actuators.units[j], all_values)
    ax.plot(
        *broken(time[rows], view.factor * actuators.measured[rows, j]), label="measured", **MEASURED
    )
    for order, (name, values) in enumerate(actuators.modelled.items()):
        curve = broken(time[rows], view.factor * values[rows, j])
        ax.plot(*curve, label=name, zorder=3 - 0.1 * order, **MODELS[name])
    head(ax, actuators.names[j])
    ax.set_ylabel(view.label("actuators"))
    ax.set_xlim(float(time[rows][0]), float(time[rows][-1]))
    few_ticks(ax)


def _tension(ax: Axes, time: Array, tensions: Tensions, i: int) -> None:
    rows = window(time)
    ax.plot(*broken(time[rows], tensions.by_motor[rows, i]), label="by motor", **MEASURED)
    ax.plot(*broken(time[rows], tensions.by_law[rows, i]), label="by law", color=CYCLE[0], lw=1.4)
    head(ax, tensions.names[i])
    ax.set_ylabel("tension [N]")
    ax.set_xlim(float(time[rows][0]), float(time[rows][-1]))
    few_ticks(ax)


def _error(ax: Axes, tensions: Tensions, i: int) -> None:
    x, error = tensions.by_motor[:, i], tensions.error[:, i]
    thin = slice(None, None, -(-len(x) // MOST_POINTS))
    ax.axhline(0, color=ROLES.frame, lw=1)
    ax.plot(
        x[thin], error[thin], "o", ms=2.6, mew=0, alpha=0.35, color=CYCLE[0], label="samples",
        rasterized=True,
    )  # fmt: skip
    ax.plot(*_middle(x, error), color=CYCLE[1], lw=1.8, label="their median")
    head(ax, f"{tensions.names[i]}: mean {np.mean(np.abs(error)):.2g} N")
    few_ticks(ax)


def _middle(x: Array, y: Array) -> tuple[Array, Array]:
    """Median of y along x, in bins of as many samples each."""
    order = np.argsort(x)
    parts = [part for part in np.array_split(order, min(BINS, len(x))) if len(part)]
    return (
        np.array([np.median(x[part]) for part in parts]),
        np.array([np.median(y[part]) for part in parts]),
    )
