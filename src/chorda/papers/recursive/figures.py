"""Figures 10-14, and the difference of both models over the stiffness."""

import numpy as np
from matplotlib.figure import Figure

from chorda.papers.panels_figure import panels
from chorda.papers.recursive.published import PRETENSIONS
from chorda.papers.recursive.study import STIFFNESSES, Case, Study
from chorda.view import ROLES, plot_lines
from chorda.view.style import CYCLE

MODELS = {"with O+": Case(True, PRETENSIONS[0]), "without O+": Case(False, PRETENSIONS[0])}
PRETENSIONED = {f"{T:g} N": Case(True, T) for T in PRETENSIONS}
TENDONS = ("t_31", "t_32")


def figure10(study: Study) -> Figure:
    """Figure 10: the joint with and without O+."""
    return _angles(study, MODELS)


def figure11(study: Study) -> Figure:
    """Figure 11: tensions with and without O+."""
    return _tensions(study, MODELS)


def figure12(study: Study) -> Figure:
    """Figure 12: the joint with two pretensions."""
    return _angles(study, PRETENSIONED)


def figures13_14(study: Study) -> Figure:
    """Figures 13 and 14: tensions with two pretensions."""
    return _tensions(study, PRETENSIONED)


def _angles(study: Study, cases: dict[str, Case]) -> Figure:
    runs = {name: study.run(case) for name, case in cases.items()}
    time = next(iter(runs.values())).time
    series = {"wanted": np.sin(time), **{name: x.position[:, 0] for name, x in runs.items()}}
    with panels(8, 3.2) as (figure, (ax,)):
        plot_lines(time, series, "angle [rad]", "Joint angle", ax)
    return figure


def _tensions(study: Study, cases: dict[str, Case]) -> Figure:
    time = study.run(next(iter(cases.values()))).time
    with panels(8, 5.2, 2) as (figure, axes):
        for k, ax in enumerate(axes):
            series = {name: study.tension(case)[:, k] for name, case in cases.items()}
            plot_lines(time, series, "tension [N]", f"Tendon {k + 1} ({TENDONS[k]})", ax)
            ax.axhline(0, color=ROLES.quiet, lw=0.8)
    return figure


def stiffness(study: Study) -> Figure:
    """Both models get alike as the tendons get stiffer."""
    with panels(6.4, 3.4) as (figure, (ax,)):
        ax.loglog(STIFFNESSES, study.differences(), "o-", color=CYCLE[0], lw=1.6)
        ax.set(xlabel="stiffness [N/m]", ylabel="difference [rad]")
        ax.set_title("With O+ less without: largest difference of the angle")
    return figure
