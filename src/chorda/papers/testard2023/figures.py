"""Figures 3-5 of the paper, and the limit step over inertia and gains."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.mechanics import Array
from chorda.papers.report import Table, row, verdict
from chorda.papers.testard2023 import limits
from chorda.papers.testard2023.motions import AMPLITUDE, EXPLICIT, IMPLICIT, Case, Necks
from chorda.results import Run
from chorda.view import colors, new_figure, plot_lines, styled

DEGREE = 180 / np.pi


def _joints(run: Run, n: int) -> Array:
    return run.position[:, :n]


def _at(run: Run, times: Array, n: int) -> Array:
    """Joint angles at other times (the steps differ between the schemes)."""
    return np.column_stack([np.interp(times, run.time, run.position[:, j]) for j in range(n)])


def _by_joint(values: Array) -> dict[str, Array]:
    return {f"joint {j + 1}": values[:, j] for j in range(values.shape[1])}


def panels(rows: int, title: str) -> tuple[Figure, list[list[Axes]]]:
    """A figure of rows of two panels."""
    figure = new_figure(10, 3.2 * rows)
    with styled():
        axes = figure.subplots(rows, 2, squeeze=False)
        figure.suptitle(title)
    return figure, [list(line) for line in axes]


def figure3(necks: Necks) -> tuple[Figure, list[tuple[str, ...]]]:
    """Motion of both necks with rigid tendons, and explicit minus implicit."""
    figure, axes = panels(2, "Rigid tendons, dt = 2 ms: motion, and explicit minus implicit")
    rows = []
    for line, n in enumerate((3, 4)):
        explicit = necks.run(Case(n, "rigid", EXPLICIT, 2e-3)).run
        implicit = necks.run(Case(n, "rigid", IMPLICIT, 2e-3)).run
        difference = _joints(explicit, n) - _joints(implicit, n)
        plot_lines(
            ax=axes[line][0],
            time=implicit.time,
            series=_by_joint(_joints(implicit, n) * DEGREE),
            ylabel="angle [deg]",
            title=f"{n} joints",
        )
        plot_lines(
            ax=axes[line][1],
            time=implicit.time,
            series=_by_joint(difference * DEGREE),
            ylabel="difference [deg]",
            title=f"{n} joints: explicit - implicit",
        )
        share = float(np.max(np.abs(difference))) / max(AMPLITUDE[n])
        rows.append(
            row(
                f"figure 3, {n} joints: |explicit - implicit| / amplitude",
                "negligible",
                f"{share:.2e}",
                verdict(share < 0.01, "it is more than 1 % of the amplitude"),
            )
        )
    return figure, rows


def figure4(necks: Necks) -> tuple[Figure, list[tuple[str, ...]]]:
    """What elasticity changes in the motion, by both schemes."""
    figure, axes = panels(1, "3 joints: motion with elastic minus rigid tendons")
    worst = {}
    for k, (scheme, step) in enumerate(((IMPLICIT, 2e-3), (EXPLICIT, 4e-4))):
        rigid = necks.run(Case(3, "rigid", scheme, step)).run
        elastic = necks.run(Case(3, "elastic", scheme, step)).run
        difference = _joints(elastic, 3) - _joints(rigid, 3)
        plot_lines(
            ax=axes[0][k],
            time=elastic.time,
            series=_by_joint(difference * DEGREE),
            ylabel="difference [deg]",
            title=f"{scheme}, dt = {step * 1e3:g} ms",
        )
        worst[scheme] = float(np.max(np.abs(difference)))
    ratio, share = worst[IMPLICIT] / worst[EXPLICIT], max(worst.values()) / max(AMPLITUDE[3])
    return figure, [
        row(
            "figure 4: difference by implicit / by explicit",
            "similar",
            ratio,
            verdict(0.5 < ratio < 2, "they differ by more than a factor of 2"),
        ),
        row(
            "figure 4: |elastic - rigid| / amplitude",
            "negligible",
            f"{share:.2e}",
            verdict(share < 0.01, "it is more than 1 % of the amplitude"),
        ),
    ]


def figure5(necks: Necks) -> tuple[Figure, list[tuple[str, ...]]]:
    """Elongation of the tendons, by both schemes."""
    figure, axes = panels(1, "3 joints: elongation of the tendons")
    found: dict[str, Array] = {}
    time: Array = np.zeros(0)
    for k, (scheme, step) in enumerate(((IMPLICIT, 2e-3), (EXPLICIT, 4e-4))):
        run = necks.run(Case(3, "elastic", scheme, step)).run
        names = [t.name for t in run.system.robot.tendons]
        stretch = run.outputs["elongation"] * 1e3
        plot_lines(
            ax=axes[0][k],
            time=run.time,
            series={name: stretch[:, i] for i, name in enumerate(names)},
            ylabel="elongation [mm]",
            title=f"{scheme}, dt = {step * 1e3:g} ms",
        )
        found[scheme] = (
            stretch
            if k == 0
            else np.column_stack(
                [np.interp(time, run.time, stretch[:, i]) for i in range(stretch.shape[1])]
            )
        )
        time = run.time if k == 0 else time
    settled = time > 0.5
    apart = float(np.max(np.abs(found[IMPLICIT] - found[EXPLICIT])[settled]))
    size = float(np.max(found[IMPLICIT]))
    return figure, [
        row(
            "figure 5: |implicit - explicit| / largest elongation",
            "alike in the plot",
            f"{apart / size:.2e}",
            verdict(apart < 0.02 * size, "they differ by more than 2 %"),
        )
    ]


def figure_limits(found: dict[str, dict[int, Array]]) -> Figure:
    """The explicit limit step over motor inertia and over control gains."""
    figure, ((inertia, gains),) = panels(
        1, "Largest stable step of explicit Euler, elastic tendons"
    )
    with styled():
        for n, color, style in zip((3, 4), colors(2), ("o-", ".--"), strict=True):
            label = f"{n} joints"
            inertia.plot(limits.INERTIAS, found["inertia"][n] * 1e3, style, c=color, label=label)
            steps = found["gains"][n] * 1e3
            stable = steps > 0
            gains.plot(limits.FREQUENCIES[stable], steps[stable], style, c=color, label=label)
            first = limits.FREQUENCIES[~stable][0]
            gains.axvspan(first, limits.FREQUENCIES[-1], color=color, alpha=0.12, lw=0)
            note = f"{n} joints: no step is stable"
            gains.text(first * 1.02, 0.011, note, rotation=90, va="bottom", size=8, color=color)
        _limit_axes(inertia, "motor inertia [kg m^2]", "constant torques", "right")
        title = f"controlled, motor inertia {limits.MEETS[0]:g} kg m^2"
        _limit_axes(gains, "frequency of the error dynamics [rad/s]", title, "left")
        ticks = [5, 7, 10, 15, 20, 30]
        gains.set_xticks(ticks, [str(x) for x in ticks])
        gains.set_xticks([], minor=True)
    return figure


def _limit_axes(axes: Axes, xlabel: str, title: str, side: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=xlabel, ylabel="limit step [ms]", title=title)
    axes.set_ylim(0.01, 3)
    for step, text in ((0.4, "paper, 3 joints"), (0.025, "paper, 4 joints: less than this")):
        axes.axhline(step, color="0.6", lw=1, zorder=0)
        at = axes.get_yaxis_transform()
        x = 0.02 if side == "left" else 0.98
        axes.text(x, step * 1.07, text, size=8, color="0.4", ha=side, transform=at)
    axes.legend(loc="upper left", ncols=2)


def all_figures(
    necks: Necks, found: dict[str, dict[int, Array]]
) -> tuple[dict[str, Figure], Table]:
    """The figures by name, and what they say as rows with verdicts."""
    figures: dict[str, Figure] = {}
    rows: list[tuple[str, ...]] = []
    for name, make in (("figure3", figure3), ("figure4", figure4), ("figure5", figure5)):
        figures[name], more = make(necks)
        rows += more
    figures["limits"] = figure_limits(found)
    return figures, Table(
        "Figures 3-5: what they show", ("quantity", "paper", "Chorda", "verdict"), tuple(rows)
    )
