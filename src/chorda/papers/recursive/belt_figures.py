"""Endless tendons: the motion of an arm with belts, and both runs of each belt."""

from matplotlib.figure import Figure

from chorda.papers.panels_figure import panels
from chorda.papers.recursive.belts import BELTS
from chorda.papers.recursive.study import Study
from chorda.view import ROLES, plot_lines
from chorda.view.style import CYCLE

SHOWN_EVERY = 10  # samples from one that is drawn to the next


def belts(study: Study) -> Figure:
    """Endless tendons: joints, and the tensions of both runs, whose mean is the pretension."""
    run = study.belts.run()
    time = run.time[::SHOWN_EVERY]
    names = ("joint1", "joint2", "stage")
    angles = {name: run.position[::SHOWN_EVERY, k] for k, name in enumerate(names)}
    with panels(8.8, 9.2, 4) as (figure, (top, *axes)):
        plot_lines(time, angles, "angle [rad]", "Joints and the intermediate pulley (stage)", top)
        for ax, (name, ends) in zip(axes, BELTS.items(), strict=True):
            x = study.belts.belt(name)
            series = {f"{name}-{k + 1}": x.tension[::SHOWN_EVERY, k] for k in (0, 1)}
            tints = dict(zip(series, CYCLE, strict=False))
            title = f"Both runs of {name}: {ends[0]} to {ends[1]}"
            plot_lines(time, series, "tension [N]", title, ax, palette=tints)
            ax.axhline(x.pretension, color=ROLES.quiet, lw=0.8, ls="--")
    return figure
