"""Figures 1-5 of the paper, and the limit step over inertia and gains."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.catalogue import load
from chorda.mechanics import Array, assemble
from chorda.papers.panels_figure import panels
from chorda.papers.testard2023.motions import Case
from chorda.papers.testard2023.published import (
    AMPLITUDE,
    FREQUENCY,
    IMPLICIT,
    INERTIA,
    LIMITS,
    STEP,
    STEPS,
)
from chorda.papers.testard2023.study import Study
from chorda.view import colors, plot_configuration, plot_lines, plot_run

JOINT_ANGLE = 0.6  # [rad] of the X-joint that is shown
HEIGHTS = -0.085, 0.37  # [m] of the necks' pictures


def figure1(study: Study) -> Figure:
    """Figure 1: an X-joint with its springs and tendons, straight and turned."""
    system = assemble(load("neck-1"), "elastic")
    with panels(7, 3.6, 1, 2) as (figure, axes):
        for ax, angle in zip(axes, (0.0, JOINT_ANGLE), strict=True):
            plot_configuration(system, {"x1": angle}, ax=ax)
            ax.set_title(f"alpha = {angle:g} rad")
    return figure


def figure2(study: Study) -> Figure:
    """Figure 2: the necks with 3 and 4 joints, straight and where the motion turns back."""
    with panels(11, 4.6, 1, 4, width_ratios=(1, 2.6, 1, 3.1)) as (figure, axes):
        for k, n in enumerate((3, 4)):
            system = study.motions.system(n, "elastic")
            for ax, share in zip(axes[2 * k : 2 * k + 2], (0.0, 1.0), strict=True):
                bent = {f"x{j + 1}": share * a for j, a in enumerate(AMPLITUDE[n])}
                plot_configuration(system, bent, ax=ax)
                ax.set_title(f"{n} joints" if not share else "bent")
                ax.set_ylim(*HEIGHTS)
    return figure


def figure3(study: Study) -> Figure:
    """Figure 3: motion with rigid tendons, and explicit minus implicit."""
    with panels(10, 6.4, 2, 2) as (figure, axes):
        figure.suptitle("Rigid tendons, dt = 2 ms: motion, and explicit minus implicit")
        for k, n in enumerate((3, 4)):
            case, moved = Case(n, "rigid", IMPLICIT, STEP), study.motions
            time, angles, apart = moved.run(case).time, moved.angles(case), moved.schemes_apart(n)
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
            time, title = study.motions.elongation(scheme)[0], _title(scheme, step)
            change = study.motions.elasticity(3, scheme)
            plot_lines(time, _joints(change), "difference [deg]", title, ax)
    return figure


def figure5(study: Study) -> Figure:
    """Figure 5: elongation of the tendons."""
    names = [tendon.name for tendon in study.motions.system(3, "elastic").robot.tendons]
    with panels(10, 3.2, 1, 2) as (figure, axes):
        figure.suptitle("3 joints: elongation of the tendons")
        for ax, (scheme, step) in zip(axes, STEPS.items(), strict=True):
            time, stretch = study.motions.elongation(scheme)
            series = dict(zip(names, stretch.T, strict=True))
            plot_lines(time, series, "elongation [mm]", _title(scheme, step), ax)
    return figure


def _title(scheme: str, step: float) -> str:
    return f"{scheme}, dt = {step * 1e3:g} ms"


def _joints(angles: Array) -> dict[str, Array]:
    """By name [deg]."""
    return {f"joint {j + 1}": x for j, x in enumerate(np.degrees(angles).T)}


def limits(study: Study) -> Figure:
    """The explicit limit step over motor inertia and control gains, by the linearised neck."""
    with panels(10, 3.6, 1, 2) as (figure, (inertia, gains)):
        figure.suptitle("Largest stable step of explicit Euler, elastic tendons (linear)")
        for n, color, style in zip((3, 4), colors(2), ("o", "."), strict=True):
            over = study.loops.over_inertia(n, study.inertias) * 1e3
            inertia.plot(study.inertias, over, f"{style}-", c=color, label=f"{n} joints")
            for moving, line in ((False, "-"), (True, "--")):
                steps = study.loops.over_gains(n, study.frequencies, moving) * 1e3
                label = f"{n} joints, {'in motion' if moving else 'at rest'}"
                shown = np.where(steps > 0, steps, np.nan)
                gains.plot(study.frequencies, shown, style + line, c=color, label=label)
        _limit_axes(inertia, "motor inertia [kg m^2]", "constant torques, straight", "right")
        title = f"computed torque, motors of {INERTIA:g} kg m^2"
        _limit_axes(gains, "frequency of the error dynamics [rad/s]", title, "right")
        for axes, chosen in ((inertia, INERTIA), (gains, FREQUENCY)):
            axes.axvline(chosen, ymax=0.8, color="0.4", lw=1, ls=":", zorder=0)
            axes.text(chosen * 1.04, 0.012, "chosen", size=8, color="0.4")
        ticks = [3, 5, 7, 10, 15, 20, 30]
        gains.set_xticks(ticks, [str(x) for x in ticks])
        gains.set_xticks([], minor=True)
    return figure


def _limit_axes(axes: Axes, xlabel: str, title: str, side: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=xlabel, ylabel="limit step [ms]", title=title)
    axes.set_ylim(0.01, 5)
    for n, text in ((3, "paper, 3 joints"), (4, "paper, 4 joints: less than this")):
        step = LIMITS[n] * 1e3
        axes.axhline(step, color="0.6", lw=1, zorder=0)
        at = axes.get_yaxis_transform()
        x = 0.02 if side == "left" else 0.98
        axes.text(x, step * 1.07, text, size=8, color="0.4", ha=side, transform=at)
    axes.legend(loc="upper left", ncols=2)


def motion(study: Study) -> Figure:
    """The controlled motion of the 3-joint neck with elastic tendons."""
    return plot_run(study.motion).figure
