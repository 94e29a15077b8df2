"""Figures 6-8 of the paper."""

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.identification.reconstruction import Reconstruction, reconstruct
from chorda.identification.reporting.model_figures import plot_actuators
from chorda.identification.reporting.panels import MEASURED, WIDTH, finish, window
from chorda.papers.fasquelle2021.study import Study
from chorda.view import new_figure, styled
from chorda.view.style import CYCLE, ROLES

COLORS = dict(zip(("model 1", "model 2", "model 3", "stiffening"), CYCLE, strict=False))
BINS = 14
Draw = Callable[[Axes, str, Reconstruction, int], None]  # axes, model, what it rebuilt, tendon


def all_figures(study: Study) -> dict[str, Figure]:
    models = {s.name: s.fitted for s in study.stiffening_truth.scores}
    found = {name: reconstruct(models[name]) for name in COLORS}
    return {
        "figure6": plot_actuators(reconstruct(study.frictions["dry and viscous"])),
        "figure7": _tensions(found),
        "figure8": _errors(found),
    }


def _tensions(found: dict[str, Reconstruction]) -> Figure:
    """Tension of each cable by the motor and by the four laws."""
    return _panels(found, _tension, "time [s]", "tension [N]")


def _errors(found: dict[str, Reconstruction]) -> Figure:
    """Error of each law over the tension by the motor: its median in classes of tension."""
    return _panels(found, _error, "tension by motor [N]", "law less motor [N]")


def _panels(found: dict[str, Reconstruction], draw: Draw, xlabel: str, ylabel: str) -> Figure:
    first = next(iter(found.values())).tensions
    assert first is not None
    with styled():
        figure = new_figure(WIDTH + 1.4, 5.6)
        axes = figure.subplots(2, 2)
        for i, ax in enumerate(axes.flat):
            for name, item in found.items():
                draw(ax, name, item, i)
            finish(ax, first.names[i], ticks=5)
            if i >= 2:
                ax.set_xlabel(xlabel)
            if i % 2 == 0:
                ax.set_ylabel(ylabel)
        handles, labels = axes.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=5)
    return figure


def _tension(ax: Axes, name: str, item: Reconstruction, i: int) -> None:
    tensions, rows = item.tensions, window(item.time)
    assert tensions is not None
    if name == "model 1":
        ax.plot(item.time[rows], tensions.by_motor[rows, i], label="by motor", **MEASURED)
    ax.plot(item.time[rows], tensions.by_law[rows, i], label=name, color=COLORS[name], lw=1.2)


def _error(ax: Axes, name: str, item: Reconstruction, i: int) -> None:
    tensions = item.tensions
    assert tensions is not None
    x, error = tensions.by_motor[:, i], tensions.error[:, i]
    if name == "model 1":
        ax.axhline(0, color=ROLES.frame, lw=1)
    ax.plot(x[::4], error[::4], "o", ms=1.6, mew=0, alpha=0.25, color=COLORS[name], rasterized=True)
    parts = np.array_split(np.argsort(x), BINS)
    middle = [(np.median(x[p]), np.median(error[p])) for p in parts]
    ax.plot(*zip(*middle, strict=True), color=COLORS[name], lw=1.8, label=name)
