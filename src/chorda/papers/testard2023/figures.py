"""Figures 3-5 of the paper, and the limit step over inertia and gains."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.mechanics import Array
from chorda.papers.panels_figure import panels
from chorda.papers.testard2023.published import IMPLICIT, LIMITS
from chorda.papers.testard2023.study import CHOICE, STEP, STEPS, Case, Study
from chorda.view import colors, plot_lines, plot_run


def figure3(study: Study) -> Figure:
    """Figure 3: motion with rigid tendons, and explicit minus implicit."""
    with panels(10, 6.4, 2, 2) as (figure, axes):
        figure.suptitle("Rigid tendons, dt = 2 ms: motion, and explicit minus implicit")
        for k, n in enumerate((3, 4)):
            case = Case(n, "rigid", IMPLICIT, STEP)
            time, angles, apart = study.run(case).time, study.angles(case), study.schemes_apart(n)
            left, right = axes[2 * k : 2 * k + 2]
            plot_lines(time, _joints(angles), "angle [deg]", f"{n} joints", left)
            title = f"{n} joints: explicit - implicit"
            plot_lines(time, _joints(apart), "difference [deg]", title, right)
    return figure


def figure4(study: Study) -> Figure:
    """Figure 4: what elastic tendons change in the motion."""
    with panels(10, 3.2, 1, 2) as (figure, axes):
        figure.suptitle("3 joints: motion with elastic minus rigid tendons")
        for ax, (scheme, step) in zip(axes, STEPS.items(), strict=True):
            time, title = study.elongation(scheme)[0], f"{scheme}, dt = {step * 1e3:g} ms"
            plot_lines(time, _joints(study.elasticity(scheme)), "difference [deg]", title, ax)
    return figure


def figure5(study: Study) -> Figure:
    """Figure 5: elongation of the tendons."""
    names = [tendon.name for tendon in study.system(3, "elastic").robot.tendons]
    with panels(10, 3.2, 1, 2) as (figure, axes):
        figure.suptitle("3 joints: elongation of the tendons")
        for ax, (scheme, step) in zip(axes, STEPS.items(), strict=True):
            time, stretch = study.elongation(scheme)
            series = dict(zip(names, stretch.T, strict=True))
            title = f"{scheme}, dt = {step * 1e3:g} ms"
            plot_lines(time, series, "elongation [mm]", title, ax)
    return figure


def _joints(angles: Array) -> dict[str, Array]:
    """By name [deg]."""
    return {f"joint {j + 1}": x for j, x in enumerate(np.degrees(angles).T)}


def limits(study: Study) -> Figure:
    """The explicit limit step over motor inertia and control gains."""
    with panels(10, 3.2, 1, 2) as (figure, (inertia, gains)):
        figure.suptitle("Largest stable step of explicit Euler, elastic tendons")
        for n, color, style in zip((3, 4), colors(2), ("o-", ".--"), strict=True):
            label, steps = f"{n} joints", study.limits_over_gains(n) * 1e3
            over_inertia = study.limits_over_inertia(n) * 1e3
            inertia.plot(study.inertias, over_inertia, style, c=color, label=label)
            stable = steps > 0
            gains.plot(study.frequencies[stable], steps[stable], style, c=color, label=label)
            first = study.frequencies[~stable][0]
            gains.axvspan(first, study.frequencies[-1], color=color, alpha=0.12, lw=0)
            note = f"{n} joints: no step is stable"
            gains.text(first * 1.02, 0.011, note, rotation=90, va="bottom", size=8, color=color)
        _limit_axes(inertia, "motor inertia [kg m^2]", "constant torques", "right")
        title = f"controlled, motor inertia {CHOICE[0]:g} kg m^2"
        _limit_axes(gains, "frequency of the error dynamics [rad/s]", title, "left")
        ticks = [5, 7, 10, 15, 20, 30]
        gains.set_xticks(ticks, [str(x) for x in ticks])
        gains.set_xticks([], minor=True)
    return figure


def _limit_axes(axes: Axes, xlabel: str, title: str, side: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=xlabel, ylabel="limit step [ms]", title=title)
    axes.set_ylim(0.01, 3)
    for n, text in ((3, "paper, 3 joints"), (4, "paper, 4 joints: less than this")):
        step = LIMITS[n] * 1e3
        axes.axhline(step, color="0.6", lw=1, zorder=0)
        at = axes.get_yaxis_transform()
        x = 0.02 if side == "left" else 0.98
        axes.text(x, step * 1.07, text, size=8, color="0.4", ha=side, transform=at)
    axes.legend(loc="upper left", ncols=2)


def motion(study: Study) -> Figure:
    """The controlled motion of the 3-joint neck with elastic tendons."""
    return plot_run(study.motion)
