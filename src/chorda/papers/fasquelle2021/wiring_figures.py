"""Figures 1 and 2 of the paper: how the cables run around the pulleys."""

from matplotlib.figure import Figure

from chorda.mechanics import assemble
from chorda.papers.fasquelle2021.study import Study
from chorda.papers.fasquelle2021.wiring import one_joint
from chorda.papers.panels_figure import panels
from chorda.view import plot_configuration

ANGLE = 0.5  # [rad] of the joints that are bent
HEIGHTS = -0.07, 0.29  # [m] of the pictures of the manipulator
CASES = {
    "cases 1 and 2: on the sides": ("case1", "case2"),
    "case 3: from outside": ("case3",),
    "case 4: along the diagonal": ("case4",),
}


def figure1(study: Study) -> Figure:
    """Figure 1: the cables of the manipulator around its pulleys, straight and bent."""
    with panels(8, 4.6, 1, 2, width_ratios=(1, 2)) as (figure, axes):
        for ax, angle in zip(axes, (0.0, ANGLE), strict=True):
            plot_configuration(study.system, dict.fromkeys(("x1", "x2", "x3"), angle), ax=ax)
            ax.set_title(f"alpha = {angle:g} rad")
            ax.set_ylim(*HEIGHTS)
    return figure


def figure2(study: Study) -> Figure:
    """Figure 2: one joint with the cables of the four wiring cases."""
    robot = one_joint()
    with panels(9, 3.6, 1, 3) as (figure, axes):
        for ax, (title, names) in zip(axes, CASES.items(), strict=True):
            tendons = tuple(x for x in robot.tendons if x.name in names)
            pulled = {x.actuator for x in tendons}
            actuators = tuple(x for x in robot.actuators if x.name in pulled)
            shown = robot.model_copy(update={"tendons": tendons, "actuators": actuators})
            plot_configuration(assemble(shown), {"x": ANGLE}, ax=ax)
            ax.set_title(title)
    return figure
