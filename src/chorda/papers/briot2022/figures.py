"""Figures 4, 5, 9, 10, 11: paths and errors; and how the modes converge."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from chorda.mechanics import Array
from chorda.papers.briot2022.published import NAMES
from chorda.papers.briot2022.robot_study import MODES
from chorda.papers.briot2022.study import Study
from chorda.papers.panels_figure import panels
from chorda.view import plot_configuration, plot_path
from chorda.view.style import CYCLE

SHOWN_CONFIGURATIONS = 11  # of the 51 configurations of a path
MARKS = {"RFRFR": "o", "6-RFS": "s"}


def figure4(study: Study) -> Figure:
    """Figure 4: the RFRFR's path, 5 modes in each leg."""
    return plot_path(study.planar.path(5), count=SHOWN_CONFIGURATIONS)


def figure5a(study: Study) -> Figure:
    """Figure 5a: error of the modes over the 51 configurations."""
    curves = {f"{n} modes": study.planar.error(n) for n in MODES}
    return _errors([("position error [m]", "Modes against the continuous model", curves)])


def figure5b(study: Study) -> Figure:
    """Figure 5b: error of finite differences over the 51 configurations."""
    counts = study.settings.elements
    curves = {f"{n} elements": study.planar.element_error(n) for n in counts}
    title = "Finite differences against the continuous model"
    return _errors([("position error [m]", title, curves)])


def figure9(study: Study) -> Figure:
    """Figure 9: the 6-RFS where its path begins."""
    return plot_configuration(study.spatial.system(5), study.spatial.start(5).q)


def figure10(study: Study) -> Figure:
    """Figure 10: the 6-RFS's path, 5 modes for each bending of a leg."""
    return plot_path(study.spatial.path(5), count=SHOWN_CONFIGURATIONS)


def figure11(study: Study) -> Figure:
    """Figure 11: errors of the platform's pose over the 51 configurations."""
    positions = {f"{n} modes": study.spatial.error(n) for n in MODES}
    angles = {f"{n} modes": np.degrees(study.spatial.turn_error(n)) for n in MODES}
    return _errors(
        [
            ("position error [m]", "Position of the platform", positions),
            ("angular error [deg]", "Orientation of the platform", angles),
        ]
    )


def _errors(rows: list[tuple[str, str, dict[str, Array]]]) -> Figure:
    """Label, title and curves of each panel."""
    with panels(7.6, 3.2 * len(rows), len(rows), sharex=True) as (figure, axes):
        for ax, (label, title, curves) in zip(axes, rows, strict=True):
            for (name, error), color in zip(curves.items(), CYCLE, strict=False):
                ax.semilogy(np.maximum(error, 1e-12), color=color)
                ax.annotate(
                    name, (len(error) - 1, error[-1]), (6, 0), textcoords="offset points",
                    color=color, va="center", size=8, annotation_clip=False,
                )  # fmt: skip
            ax.set(ylabel=label, title=title, xlim=(0, len(error) - 1))
        axes[-1].set_xlabel("configuration along the path")
    return figure


def convergence(study: Study) -> Figure:
    """How fast the modes converge to the continuous model.

    Left the largest error on the printed path, right of y where stability is lost.
    """
    errors = {
        NAMES[robot.case.name]: [(n, robot.error(n).max()) for n in modes]
        for robot, modes in study.converging
    }
    changes = {
        one.label: [(n, abs(y - one.true)) for n, y in one.found]
        for path, modes in study.changing
        for one in path.changes(modes)
    }
    with panels(9.0, 3.9, 1, 2) as (figure, (left, right)):
        for ax, curves, label, title in (
            (left, errors, "largest error [m]", "Position on the printed path"),
            (right, changes, "error of y [m]", "Where stability is lost"),
        ):
            for (name, points), color in zip(curves.items(), CYCLE, strict=False):
                mark = f"{MARKS[name.partition(',')[0]]}-"
                ax.semilogy(*np.transpose(points), mark, color=color, ms=4.5, lw=1.4, label=name)
            ax.set(xlabel="modes for each bending of a leg", ylabel=label, title=title)
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
            ax.legend()
    return figure


def singularities(study: Study) -> Figure:
    """Singularities along the 6-RFS's path, and the errors of its motors (Table V)."""
    path = study.singular[1]
    error = np.degrees(study.spatial.inverse_error(5)) * 1e3
    with panels(7.6, 5.6, 2, sharex=True) as (figure, (top, low)):
        for kind, color in zip(path.kinds, CYCLE, strict=False):
            top.semilogy(path.steps, path.distances(kind), ".-", color=color, label=kind)
        for k, color in zip((5, 0), CYCLE, strict=False):
            low.semilogy(error[:, k], color=color, label=f"motor {k + 1}")
        for ax in (top, low):
            if path.singular_point:
                ax.axvline(path.singular_point.step, color=CYCLE[0], lw=0.9, ls=":")
            ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        top.set(ylabel="distance", title="Distances from singularities, 0 at one")
        low.set(ylabel="error [mdeg]", title="Errors of the motor angles with 5 modes")
        low.set(xlabel="configuration along the path", xlim=(0, len(error) - 1))
    return figure
