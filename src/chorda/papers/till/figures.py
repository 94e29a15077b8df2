"""Figures: the robot at rest, its tip over time, friction, slow cycles, work and precision."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FormatStrFormatter, NullLocator
from scipy.ndimage import maximum_filter1d

from chorda.mechanics import Array
from chorda.papers.panels_figure import panels
from chorda.papers.till.friction_study import CYCLED, DRY, INSTANTS, PERIODS, strokes
from chorda.papers.till.published import ALPHA, FAILING_STEP, Trajectory, program
from chorda.papers.till.shooting_study import begin
from chorda.papers.till.study import PAPER_CASE, Motion, Study, gauss, modes
from chorda.view import ROLES, plot_configuration, plot_lines
from chorda.view.style import CYCLE

SHOWN_STEP = 0.01  # [s] steps of the runs that are drawn beside the program's
SWING_PERIOD = 0.7  # [s] of the swing
TICKS = (3, 5, 10, 20, 50)  # [ms]
MARKS = {"strain modes": "o", "continuous": "s", "single shooting": "D"}


def static(study: Study) -> Figure:
    """At rest: rod, disks and tendon; gravity pulls down."""
    return plot_configuration(study.system, study.rest.q, tension=study.rest.tension)


def tip(study: Study) -> Figure:
    """The tip over the ramp, and how far each run is from the limit of short steps."""
    quoted, true, ours = program(), study.truth, study.run(PAPER_CASE)
    limit = true.at(true.time)
    palette = {"limit": CYCLE[0], "program": ROLES.text, "Euler 200, 50 ms": CYCLE[1]}
    with panels(8.4, 7.6, 3) as (figure, (top, middle, low)):
        for ax, k, name, title in (
            (top, 0, "x", "Tip, x (up)"),
            (middle, 2, "z", "Tip, z (along the rod)"),
        ):
            series: dict[str, Array | tuple[Array, Array]] = {
                "limit": (true.time, limit[:, k]),
                "Euler 200, 50 ms": (ours.time, ours.tip[:, k]),
                "program": quoted.tip[:, k],
            }
            dashed = ("program",)
            plot_lines(
                quoted.time, series, f"{name} [m]", title, ax, dashed=dashed, palette=palette
            )
        _errors(low, study)
    return figure


def _errors(ax: Axes, study: Study) -> None:
    """The largest distance from the limit within the last period of the swing."""
    quoted = program()
    motions: dict[str, Motion | Trajectory] = {
        "program": quoted,
        "gauss6, 50 ms": study.run(gauss(PAPER_CASE.step)),
        "gauss6, 10 ms,\nalpha -0.4": study.run(gauss(SHOWN_STEP, ALPHA)),
        "modes, 10 ms": study.run(modes(SHOWN_STEP)),
    }
    for (label, x), color in zip(motions.items(), (ROLES.text, *CYCLE[2:5]), strict=True):
        near = round(SWING_PERIOD / (x.time[1] - x.time[0]))
        error = maximum_filter1d(study.error(x.time, x.tip), near, origin=(near - 1) // 2)
        ax.semilogy(x.time, np.maximum(error, 1e-7) * 1e3, color=color, label=label)
    ax.set(xlabel="time [s]", ylabel="distance [mm]", xlim=(0, quoted.time[-1]))
    ax.set_title("Distance of the tip from the limit, largest within a swing")
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def shooting(study: Study) -> Figure:
    """Single shooting at shorter steps: where it stops, and what grows.

    Force: what the base of a step leaves at the tip of the next one.
    """
    shots = study.shooting.shots
    step = [x.step * 1e3 for x in shots]
    curves = {
        "Force left at the tip [N]": [x.left for x in shots],
        "Condition number of the search": [x.condition for x in shots],
    }
    with panels(11.0, 3.6, 1, 3) as (figure, (first, *others)):
        _stopped(first, study)
        for ax, (title, y) in zip(others, curves.items(), strict=True):
            ax.loglog(step, y, color=ROLES.frame, lw=1.2, zorder=1)
            for name, mark, color in (("completes", "o", CYCLE[0]), ("fails", "X", CYCLE[1])):
                own = [k for k, x in enumerate(shots) if x.ok == (name == "completes")]
                points = [step[k] for k in own], [y[k] for k in own]
                ax.loglog(*points, mark, color=color, ms=8, ls="", label=name)
            ax.xaxis.set_major_locator(FixedLocator(TICKS))
            ax.xaxis.set_major_formatter(FormatStrFormatter("%g"))
            ax.xaxis.set_minor_locator(NullLocator())
            ax.set(xlabel="time step [ms]", title=title)
            ax.legend()
    return figure


def _stopped(ax: Axes, study: Study) -> None:
    """The tip while the tendon is pulled, as far as single shooting comes."""
    found = study.shooting
    for k, h in enumerate((2 * FAILING_STEP, FAILING_STEP, FAILING_STEP / 2)):
        run = found.pull(h)
        time, x = begin(h) + run.time, run.tip[:, 0]
        ax.plot(time, x, color=CYCLE[k], label=f"{h * 1e3:g} ms")
        if not run.status.ok:
            ax.plot(time[-1], x[-1], "X", color=CYCLE[k], ms=9)
    nodes = found.pull(FAILING_STEP, "all-nodes")
    label = f"all nodes, {FAILING_STEP * 1e3:g} ms"
    time = begin(FAILING_STEP) + nodes.time
    ax.plot(time, nodes.tip[:, 0], color=ROLES.text, ls=":", lw=1.4, label=label)
    ax.set(xlabel="time [s]", ylabel="x [m]", title="Tip, single shooting (X: fails)")
    ax.legend()


def friction(study: Study) -> Figure:
    """Friction damps the swing; sliding friction changes the tension along the path."""
    runs, (s, along) = study.frictions.ramps, study.frictions.along
    tips = {name: run.tip[:, 0] for name, run in runs.items()}
    tensions = {f"{name} ({INSTANTS[name]:g} s)": T / T[0] for name, T in along.items()}
    with panels(8.4, 6.4, 2, height_ratios=(1.2, 1)) as (figure, (top, low)):
        plot_lines(runs["none"].time, tips, "x [m]", "Tip, x (up), by model of friction", top)
        title, xlabel = "Tension along the path, sliding friction", "along the rod [m]"
        plot_lines(s, tensions, "over tension at the base", title, low, xlabel=xlabel)
    return figure


def hysteresis(study: Study) -> Figure:
    """Slow cycles: dry friction leaves a loop.

    On the right, less the middle line of the loop without friction.
    """
    T = PERIODS[0]
    loops = {name: study.frictions.loops[name, T] for name in CYCLED}
    z, inward, outward = strokes(loops["none"].paid, loops["none"].x)
    with panels(9.4, 3.9, 1, 2) as (figure, (left, right)):
        for (name, loop), color in zip(loops.items(), CYCLE, strict=False):
            away = loop.x - np.interp(loop.paid, z, (inward + outward) / 2)
            right.plot(loop.paid * 1e3, away * 1e3, color=color, label=name)
            if name in ("none", DRY):
                left.plot(loop.paid * 1e3, loop.x * 1e3, color=color, label=name)
        left.set_title(f"Tip in a cycle of {T:g} s")
        right.set_title("The same, less the mean without friction")
        for ax in (left, right):
            ax.set(xlabel="paid-out length [mm]", ylabel="tip x [mm]")
            ax.legend()
    return figure


def precision(study: Study) -> Figure:
    """Work and precision."""
    quoted, *ours = study.points
    curves = {label: [p for p in ours if p.label == label] for label in (p.label for p in ours)}
    with panels(8.0, 4.8) as (figure, (ax,)):
        for (label, own), color in zip(curves.items(), (*CYCLE, ROLES.quiet), strict=False):
            mark = f"{MARKS[label.partition(',')[0]]}-"
            wall, error = [p.wall for p in own], [p.error * 1e3 for p in own]
            ax.loglog(wall, error, mark, color=color, ms=5, lw=1.4, label=label)
        for p in next(iter(curves.values())):
            ax.annotate(
                f"{p.step * 1e3:g} ms", (p.wall, p.error * 1e3), (-6, -3), size=7, color=CYCLE[0],
                textcoords="offset points", ha="right", va="top",
            )  # fmt: skip
        star = {"color": ROLES.text, "ms": 13, "label": quoted.label}
        ax.loglog([quoted.wall], [quoted.error * 1e3], "*", **star)
        ax.set_xlim(left=0.4 * min(p.wall for p in study.points))
        ax.set(xlabel="wall time for 25 s [s]", ylabel="largest error of the tip [mm]")
        ax.set_title("Work and precision over the ramp (left and low is good)")
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure
