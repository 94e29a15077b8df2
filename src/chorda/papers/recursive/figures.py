"""Figures 10-14, and the difference of both models over the stiffness."""

import numpy as np
from matplotlib.figure import Figure

from chorda.mechanics import Array
from chorda.papers.recursive.study import PRETENSIONS, STIFFNESSES, Case, differences, run, tension
from chorda.view import new_figure, plot_lines, styled
from chorda.view.style import CYCLE

LOW, HIGH = PRETENSIONS
MODELS = {"with O+": Case(True, LOW), "without O+": Case(False, LOW)}
PRESSED = {f"{T:g} N": Case(True, T) for T in PRETENSIONS}
TENDONS = ("t_31", "t_32")


def all_figures() -> dict[str, Figure]:
    time = run(Case(True, LOW)).time
    wanted = {"wanted": np.sin(time)}
    return {
        "figure10": _angles(time, wanted | {k: run(c).position[:, 0] for k, c in MODELS.items()}),
        "figure11": _tensions(time, MODELS),
        "figure12": _angles(time, wanted | {k: run(c).position[:, 0] for k, c in PRESSED.items()}),
        "figures13-14": _tensions(time, PRESSED),
        "stiffness": _stiffness(),
    }


def _angles(time: Array, series: dict[str, Array]) -> Figure:
    figure = new_figure(8, 3.2)
    with styled():
        ax = figure.subplots()
        plot_lines(ax=ax, time=time, series=series, ylabel="angle [rad]", title="Joint angle")
    return figure


def _tensions(time: Array, cases: dict[str, Case]) -> Figure:
    figure = new_figure(8, 5.2)
    with styled():
        for k, ax in enumerate(figure.subplots(2, 1)):
            plot_lines(
                ax=ax,
                time=time,
                series={name: tension(case)[:, k] for name, case in cases.items()},
                ylabel="tension [N]",
                title=f"Tendon {k + 1} ({TENDONS[k]})",
            )
            ax.axhline(0, color="#8894a4", lw=0.8)
    return figure


def _stiffness() -> Figure:
    figure = new_figure(6.4, 3.4)
    with styled():
        ax = figure.subplots()
        ax.loglog(STIFFNESSES, differences(), "o-", color=CYCLE[0], lw=1.6)
        ax.set_xlabel("stiffness [N/m]")
        ax.set_ylabel("difference [rad]")
        ax.set_title("With O+ less without: largest difference of the angle")
    return figure
