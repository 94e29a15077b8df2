"""Figures 6-8 of the paper."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.identification.reconstruction import Tensions, reconstruct
from chorda.identification.reporting.model_figures import medians
from chorda.identification.reporting.panels import MEASURED, WIDTH, finish, window
from chorda.mechanics import Array
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.panels_figure import panels
from chorda.view.style import CYCLE, ROLES

COLORS = dict(zip(("model 1", "model 2", "model 3", "stiffening"), CYCLE, strict=False))
BINS = 14
FRICTION_STYLES: dict[str, dict[str, Any]] = {
    "no friction": {"color": CYCLE[1], "lw": 1.2},
    "dry and viscous friction": {"color": CYCLE[0], "lw": 1.6},
    "dry friction only": {"color": CYCLE[4], "lw": 1.4, "ls": (0, (4, 2))},
}
Draw = Callable[[Axes, str, Array, Tensions, int], None]  # axes, model, times, tensions, tendon


def figure6(study: Study) -> Figure:
    """Figure 6: Z f of each joint, measured, and by eq. 51 with dry and viscous friction, with dry
    friction identified alone, and without friction, by Chorda's estimator."""
    both, dry = (reconstruct(study.frictions[x]) for x in ("dry and viscous", "dry only"))
    assert both.actuators is not None
    assert dry.actuators is not None
    modelled = {
        "no friction": dry.actuators.modelled["without friction"],
        "dry and viscous friction": both.actuators.modelled["whole model"],
        "dry friction only": dry.actuators.modelled["whole model"],
    }
    rows = window(both.time)
    with panels(WIDTH, 5.6, 3, sharex=True) as (figure, axes):
        for j, ax in enumerate(axes):
            measured = both.actuators.measured[rows, j]
            ax.plot(both.time[rows], measured, label="measured", **MEASURED)
            for name, curve in modelled.items():
                ax.plot(dry.time[rows], curve[rows, j], label=name, **FRICTION_STYLES[name])
            finish(ax, f"joint {j + 1}", "Z f [N m]")
        axes[-1].set_xlabel("time [s]")
        axes[-1].set_xlim(both.time[rows][0], both.time[rows][-1])
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=4)
        figure.align_ylabels()
    return figure


def figure7(study: Study) -> Figure:
    """Figure 7: tension of cables that stiffen, by the motor and by each model, fitted by the
    paper's estimator."""
    return _by_tendon(study, _tension, "time [s]", "tension [N]")


def figure8(study: Study) -> Figure:
    """Figure 8: error of each model over the tension, cables that stiffen, fitted by the paper's
    estimator; lines are medians in classes of tension."""
    return _by_tendon(study, _error, "tension by motor [N]", "motor less law [N]")


def _by_tendon(study: Study, draw: Draw, xlabel: str, ylabel: str) -> Figure:
    fits = {name: study.estimator(name)(study.stiffening_log) for name in COLORS}
    found = {name: (fit.samples.time, fit.tensions) for name, fit in fits.items()}
    with panels(WIDTH + 1.4, 5.6, 2, 2) as (figure, axes):
        for i, ax in enumerate(axes):
            for name, (time, tensions) in found.items():
                draw(ax, name, time, tensions, i)
            finish(ax, f"cable {i + 1} ({found['model 1'][1].names[i]})", ticks=5)
            ax.set(xlabel=xlabel if i >= 2 else "", ylabel="" if i % 2 else ylabel)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=5)
    return figure


def _tension(ax: Axes, name: str, time: Array, tensions: Tensions, i: int) -> None:
    rows = window(time)
    if name == "model 1":
        ax.plot(time[rows], tensions.by_motor[rows, i], label="by motor", **MEASURED)
    ax.plot(time[rows], tensions.by_law[rows, i], label=name, color=COLORS[name], lw=1.2)


def _error(ax: Axes, name: str, _: Array, tensions: Tensions, i: int) -> None:
    x, error = tensions.by_motor[:, i], -tensions.error[:, i]
    if name == "model 1":
        ax.axhline(0, color=ROLES.frame, lw=1)
    ax.plot(x[::4], error[::4], "o", ms=1.6, mew=0, alpha=0.25, color=COLORS[name], rasterized=True)
    ax.plot(*medians(x, error, BINS), color=COLORS[name], lw=1.8, label=name)
