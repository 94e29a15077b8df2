"""Pictures: the robot at rest, its tip over time, friction, slow cycles, work and precision."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.ndimage import maximum_filter1d

from chorda.papers.till.friction import CYCLED, DRY, INSTANTS, PERIODS, Frictions, strokes
from chorda.papers.till.precision import PROGRAM, Point
from chorda.papers.till.published import ALPHA, program
from chorda.papers.till.study import PAPER, Study, gauss, modes
from chorda.view import ROLES, dress, new_figure, plot_configuration, plot_lines, styled
from chorda.view.style import CYCLE

SHOWN = 0.01  # [s] steps of the runs that are drawn beside the program's
PERIOD = 0.7  # [s] of the swing
MARKS = {"strain modes": "o", "continuous": "s"}


def all_figures(study: Study, frictions: Frictions, found: list[Point]) -> dict[str, Figure]:
    return {
        "static": plot_configuration(study.system, study.rest.q, tension=study.rest.tension),
        "tip": tip_figure(study),
        "friction": friction_figure(frictions),
        "hysteresis": loop_figure(frictions),
        "precision": precision_figure(found),
    }


def tip_figure(study: Study) -> Figure:
    told, true, ours = program(), study.truth, study.run(PAPER)
    limit = true.at(true.time)
    figure = new_figure(8.4, 7.6)
    with styled():
        axes = figure.subplots(3, 1)
        for ax, k, name in ((axes[0], 0, "x"), (axes[1], 2, "z")):
            plot_lines(
                told.time,
                {
                    "limit": (true.time, limit[:, k]),
                    "Euler 200, 50 ms": (ours.time, ours.tip[:, k]),
                    "program": told.tip[:, k],
                },
                f"{name} [m]",
                f"Tip, {name}" + (" (up)" if name == "x" else " (along the rod)"),
                ax,
                dashed=("program",),
                palette={"limit": CYCLE[0], "program": ROLES.text, "Euler 200, 50 ms": CYCLE[1]},
            )
        _errors(axes[2], study)
    return figure


def _errors(ax: Axes, study: Study) -> None:
    """The largest distance from the limit within the last period of the swing."""
    told = program()
    motions = {"program": (told.time, told.tip)}
    for label, case in (
        ("gauss6, 50 ms", gauss(PAPER.step)),
        ("gauss6, 10 ms,\nalpha -0.4", gauss(SHOWN, ALPHA)),
        ("modes, 10 ms", modes(SHOWN)),
    ):
        run = study.run(case)
        motions[label] = (run.time, run.tip)
    dress(ax)
    for (label, (time, tip)), color in zip(motions.items(), (ROLES.text, *CYCLE[2:5]), strict=True):
        near = round(PERIOD / (time[1] - time[0]))
        error = maximum_filter1d(study.error(time, tip), near, origin=(near - 1) // 2)
        ax.semilogy(time, np.maximum(error, 1e-7) * 1e3, color=color, label=label)
    ax.set(xlabel="time [s]", ylabel="distance [mm]", xlim=(0, told.time[-1]))
    ax.set_title("Distance of the tip from the limit, largest within a swing")
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def friction_figure(found: Frictions) -> Figure:
    figure = new_figure(8.4, 6.4)
    with styled():
        top, low = figure.subplots(2, 1, height_ratios=(1.2, 1))
        runs = found.ramps
        plot_lines(
            runs["none"].time,
            {name: run.tip[:, 0] for name, run in runs.items()},
            "x [m]",
            "Tip, x (up), by model of friction",
            top,
        )
        s, along = found.along
        plot_lines(
            s,
            {f"{name} ({INSTANTS[name]:g} s)": T / T[0] for name, T in along.items()},
            "over tension at the base",
            "Tension along the path, sliding friction",
            low,
            xlabel="along the rod [m]",
        )
    return figure


def loop_figure(found: Frictions) -> Figure:
    """On the right, less the middle line of the loop without friction."""
    T = PERIODS[0]
    figure = new_figure(9.4, 3.9)
    with styled():
        left, right = figure.subplots(1, 2)
        z, inward, outward = strokes(found.loops["none", T].paid, found.loops["none", T].x)
        for (name, _), color in zip(CYCLED.items(), CYCLE, strict=False):
            loop = found.loops[name, T]
            away = loop.x - np.interp(loop.paid, z, (inward + outward) / 2)
            right.plot(loop.paid * 1e3, away * 1e3, color=color, label=name)
            if name in ("none", DRY):
                left.plot(loop.paid * 1e3, loop.x * 1e3, color=color, label=name)
        for ax, title in (
            (left, f"Tip in a cycle of {T:g} s"),
            (right, "The same, less the mean without friction"),
        ):
            dress(ax)
            ax.set(xlabel="paid-out length [mm]", ylabel="tip x [mm]", title=title)
            ax.legend()
    return figure


def precision_figure(found: list[Point]) -> Figure:
    figure = new_figure(8.0, 4.8)
    with styled():
        ax = figure.subplots()
        dress(ax)
        labels = list(dict.fromkeys(p.label for p in found if p.label != PROGRAM))
        for label, color in zip(labels, CYCLE, strict=False):
            points = [p for p in found if p.label == label]
            mark = MARKS[label.partition(",")[0]]
            ax.loglog(
                [p.wall for p in points],
                [p.error * 1e3 for p in points],
                f"{mark}-",
                color=color,
                ms=5,
                lw=1.4,
                label=label,
            )
        _steps(ax, [p for p in found if p.label == labels[0]], CYCLE[0])
        quoted = next(p for p in found if p.label == PROGRAM)
        ax.loglog([quoted.wall], [quoted.error * 1e3], "*", color=ROLES.text, ms=13, label=PROGRAM)
        ax.set_xlim(left=0.4 * min(p.wall for p in found))
        ax.set(xlabel="wall time for 25 s [s]", ylabel="largest error of the tip [mm]")
        ax.set_title("Work and precision over the ramp (left and low is good)")
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


def _steps(ax: Axes, points: list[Point], color: str) -> None:
    """The step beside each mark of one curve."""
    for p in points:
        ax.annotate(
            f"{p.step * 1e3:g} ms",
            (p.wall, p.error * 1e3),
            (-6, -3),
            textcoords="offset points",
            ha="right",
            va="top",
            size=7,
            color=color,
        )
