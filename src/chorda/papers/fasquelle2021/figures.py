"""Figures 6-8 of the paper."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.identification.reconstruction import Reconstruction, reconstruct
from chorda.identification.reporting.model_figures import medians, plot_actuators
from chorda.identification.reporting.panels import MEASURED, WIDTH, finish, window
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.panels_figure import panels
from chorda.view.style import CYCLE, ROLES

COLORS = dict(zip(("model 1", "model 2", "model 3", "stiffening"), CYCLE, strict=False))
BINS = 14
Draw = Callable[[Axes, str, Reconstruction, int], None]  # axes, model, its reconstruction, tendon


def figure6(study: Study) -> Figure:
    """Figure 6: what the actuators do to the joints, measured and modelled."""
    return plot_actuators(reconstruct(study.frictions["dry and viscous"]))


def figure7(study: Study) -> Figure:
    """Figure 7: tension of cables that stiffen, by the motor and by each model."""
    return _by_tendon(study, _tension, "time [s]", "tension [N]")


def figure8(study: Study) -> Figure:
    """Figure 8: error of each model over the tension: it grows, but for the right law.

    Lines are medians in classes of tension.
    """
    return _by_tendon(study, _error, "tension by motor [N]", "law less motor [N]")


def _by_tendon(study: Study, draw: Draw, xlabel: str, ylabel: str) -> Figure:
    models = {s.name: s.fitted for s in study.stiffening_truth.scores}
    found = {name: reconstruct(models[name]) for name in COLORS}
    first = found["model 1"].tensions
    assert first is not None
    with panels(WIDTH + 1.4, 5.6, 2, 2) as (figure, axes):
        for i, ax in enumerate(axes):
            for name, item in found.items():
                draw(ax, name, item, i)
            finish(ax, first.names[i], ticks=5)
            ax.set(xlabel=xlabel if i >= 2 else "", ylabel="" if i % 2 else ylabel)
        handles, labels = axes[0].get_legend_handles_labels()
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
    ax.plot(*medians(x, error, BINS), color=COLORS[name], lw=1.8, label=name)
