"""Figures 4, 5, 9, 10, 11: paths and errors; and how the modes converge."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from chorda.mechanics import Array
from chorda.papers.briot2022.study import MODES, Study
from chorda.view import dress, new_figure, plot_configuration, plot_path, styled
from chorda.view.style import CYCLE

MARKS = {"RFRFR": "o", "6-RFS": "s"}
Curves = dict[str, Array]


def path_figure(study: Study) -> Figure:
    """Eleven of the 51 configurations with 5 modes."""
    return plot_path(study.path(5), count=11)


def robot_figure(study: Study) -> Figure:
    """Where the path begins."""
    return plot_configuration(study.system(5), study.start(5).q)


def mode_errors(study: Study) -> Figure:
    curves = {f"{n} modes": study.error(n) for n in MODES}
    return _errors([("position error [m]", "Modes against the continuous model", curves)])


def element_errors(study: Study, counts: tuple[int, ...]) -> Figure:
    curves = {f"{n} elements": study.element_error(n) for n in counts}
    title = "Finite differences against the continuous model"
    return _errors([("position error [m]", title, curves)])


def pose_errors(study: Study) -> Figure:
    """Position and angle of the platform."""
    places = {f"{n} modes": study.error(n) for n in MODES}
    angles = {f"{n} modes": np.degrees(study.turn_error(n)) for n in MODES}
    return _errors(
        [
            ("position error [m]", "Position of the platform", places),
            ("angular error [deg]", "Orientation of the platform", angles),
        ]
    )


def _errors(panels: list[tuple[str, str, Curves]]) -> Figure:
    with styled():
        figure = new_figure(7.6, 3.2 * len(panels))
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for ax, (label, title, curves) in zip(axes, panels, strict=True):
            dress(ax)
            for (name, error), color in zip(curves.items(), CYCLE, strict=False):
                ax.semilogy(np.maximum(error, 1e-12), color=color)
                ax.annotate(
                    name, (len(error) - 1, error[-1]), (6, 0), textcoords="offset points",
                    color=color, va="center", size=8, annotation_clip=False,
                )  # fmt: skip
            ax.set(ylabel=label, title=title, xlim=(0, len(error) - 1))
        axes[-1].set_xlabel("configuration along the path")
    return figure


def convergence_figure(
    errors: dict[str, tuple[list[int], list[float]]],
    crossings: dict[str, tuple[list[int], list[float]]],
) -> Figure:
    """Left the largest error on the printed path, right of where stability is lost."""
    with styled():
        figure = new_figure(9.0, 3.9)
        left, right = figure.subplots(1, 2)
        for ax, curves, label, title in (
            (left, errors, "largest error [m]", "Position on the printed path"),
            (right, crossings, "error of y [m]", "Where stability is lost"),
        ):
            dress(ax)
            for (name, (modes, error)), color in zip(curves.items(), CYCLE, strict=False):
                mark = MARKS[name.partition(",")[0]]
                ax.semilogy(modes, error, f"{mark}-", color=color, ms=4.5, lw=1.4, label=name)
            ax.set(xlabel="modes for each bending of a leg", ylabel=label, title=title)
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
            ax.legend()
    return figure
