"""plot_run: a motion over time, one panel for each kind of quantity."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec

from chorda.checks import flag
from chorda.errors import InputError
from chorda.mechanics import System
from chorda.numerics.ctrl_c import interruptible
from chorda.plurals import many
from chorda.results import Run
from chorda.safe_text import in_figure
from chorda.view.curve_groups import MANY_CURVES, grouped, shortened
from chorda.view.display_units import DisplayUnit, display_unit
from chorda.view.lines import plot_lines
from chorda.view.plotted import Plotted
from chorda.view.run_quantities import Curves, chosen, overview
from chorda.view.style import ROLES, colors, finished, new_figure, styled

FIGURE_WIDTH, PANEL_HEIGHT, LINE_HEIGHT = 7.6, 1.55, 0.165  # [inch] the last of the heading
COLUMNS, SMALL_HEIGHT = 3, 1.25  # of small multiples
LABEL_LENGTH = 24  # letters beside a panel of the least height
LINE_LENGTH, TITLE_LENGTH = 112, 32  # letters of the heading, and of a small panel's title
ROUNDING_ERROR = 1e-9  # in the unit that is shown
UNREACHED_PART = 0.15  # largest part of the time axis that a run which stopped early leaves empty


@interruptible()
def plot_run(
    run: Run,
    path: str | Path | None = None,
    *,
    what: str | Sequence[str] | None = None,
    ax: Axes | Sequence[Axes] | None = None,
    together: bool = False,
) -> Plotted:
    """Draw quantities over time, in units that people read.

    Where a quantity has more than twelve curves they are divided into groups by their names, a
    small panel each, on one scale. The heading of a run that did not complete has its message, and
    the time that it did not reach is shaded.

    Parameters
    ----------
    run : Run
        The motion.
    path : str or Path, optional
        File to write (.png, .svg or .pdf).
    what : str or sequence of str, optional
        Quantities as in `run.data` ("position", "velocity", "input", "tension" ...), "energy",
        "tip" of rods, or "frame:x1" for where frames are. After a colon is a selection of curves:
        "tension:left*". By default coordinates, tensions, elongations and inputs.
    ax : Axes or sequence of Axes, optional
        Axes to draw into, one for each panel; without them, those of a new figure.
    together : bool
        Draw all curves of a quantity in one panel, however many there are.

    Returns
    -------
    Plotted
        The axes, by number and by name: `plotted["tension"]`; `plotted.figure` belongs to no
        window.

    Raises
    ------
    InputError
        A quantity is not there, or there are not as many axes as panels.

    See Also
    --------
    chorda.Run.plot : the same, of the run.
    plot_lines : curves of your own.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> run = chorda.simulate(neck, duration=0.2, step=2e-3, initial={"x1": 0.3})
    >>> [ax.get_ylabel() for ax in plot_run(run)][:2]
    ['angle [°]', 'tension [N]']
    >>> plot_run(run, what=["tension:left", "velocity"]).names
    ('tension', 'velocity')
    """
    flag("together", together)
    panels = list(overview(run)) if what is None else chosen(run, what)
    names = _names(panels)
    if ax is not None:
        plotted = _into(run, dict(zip(names, panels, strict=True)), ax)
    else:
        plotted = _sheet(run, dict(zip(names, panels, strict=True)), what is None, together)
    finished(plotted.figure, path)
    return plotted


def _names(panels: Sequence[Curves]) -> list[str]:
    """A name for each panel: that of its quantity, with more where it has several panels."""
    own = [x.name for x in panels]
    longer = [x.name if own.count(x.name) == 1 else f"{x.name}: {x.what}" for x in panels]
    return [
        x if longer.count(x) == 1 else f"{x} ({longer[: k + 1].count(x)})"
        for k, x in enumerate(longer)
    ]


def _into(run: Run, panels: dict[str, Curves], ax: Axes | Sequence[Axes]) -> Plotted:
    """Into axes that are there."""
    axes = [ax] if isinstance(ax, Axes) else list(np.ravel(np.asarray(ax, object)))
    if not all(isinstance(x, Axes) for x in axes):
        raise InputError(f"ax: expected axes of matplotlib, got {ax!r:.60}")
    if len(axes) != len(panels):
        raise InputError(
            f"ax: expected {many(len(panels), 'axes', 'axes')}, one for each of "
            f"{', '.join(panels)}, got {len(axes)}; choose with what=[...]"
        )
    with styled():
        for own, panel in zip(axes, panels.values(), strict=True):
            _draw(own, run, panel, display_unit(panel.unit, panel.values))
    figure = axes[0].get_figure(root=True)
    assert isinstance(figure, Figure)
    return Plotted(figure, dict(zip(panels, axes, strict=True)))


def _sheet(run: Run, panels: dict[str, Curves], headed: bool, together: bool) -> Plotted:
    """Into a new figure, one panel below the other."""
    groups = {
        name: grouped(x.labels)
        if len(x.labels) > MANY_CURVES and not together and not x.alike
        else {}
        for name, x in panels.items()
    }
    heading = textwrap.wrap(run.status.message, LINE_LENGTH) if headed else []
    heights = [
        SMALL_HEIGHT * -(-len(groups[name]) // COLUMNS) if groups[name] else _height(x)
        for name, x in panels.items()
    ]
    head = LINE_HEIGHT * (len(heading) + 1.2)
    with styled():
        figure = new_figure(FIGURE_WIDTH, head + sum(heights) + 0.35)
        grid = figure.add_gridspec(1 + len(panels), 1, height_ratios=[head, *heights])
        _write_heading(figure.add_subplot(grid[0]), run, heading)
        axes: dict[str, Axes] = {}
        last = ""
        for row, (name, panel) in enumerate(panels.items(), start=1):
            if groups[name]:
                axes |= _multiples(figure, grid[row], run, name, panel, groups[name])
                last = ""
                continue
            unit = display_unit(panel.unit, panel.values)
            above = axes.get(last)
            axes[name] = ax = figure.add_subplot(grid[row], sharex=above)
            _draw(ax, run, panel, unit)
            if above is not None:
                above.tick_params(labelbottom=False)
                above.set_xlabel("")
            last = name
        figure.align_ylabels([axes[name] for name in panels if name in axes])
    return Plotted(figure, axes)


def _multiples(
    figure: Figure,
    place: SubplotSpec,
    run: Run,
    name: str,
    panel: Curves,
    groups: dict[str, list[int]],
) -> dict[str, Axes]:
    """A small panel for each group of curves, on one scale."""
    unit = display_unit(panel.unit, panel.values)
    rows, scale = -(-len(groups) // COLUMNS), _scale(panel, unit)
    grid = place.subgridspec(rows, COLUMNS)
    made: dict[str, Axes] = {}
    for k, (group, columns) in enumerate(groups.items()):
        first = next(iter(made.values()), None)
        ax = figure.add_subplot(grid[k // COLUMNS, k % COLUMNS], sharex=first, sharey=first)
        _draw(ax, run, panel.only(columns), unit, scale)
        ax.set_title(_fitting(group), fontsize=8, loc="left", color=ROLES.quiet, pad=2)
        ax.set_ylabel(_axis_label(panel, unit) if k % COLUMNS == 0 and rows == 1 else "")
        bottom = k + COLUMNS >= len(groups)
        ax.tick_params(labelleft=k % COLUMNS == 0, labelbottom=bottom)
        ax.set_xlabel(ax.get_xlabel() if bottom else "")
        made[f"{name}: {group}"] = ax
    if rows > 1:
        middle = made[f"{name}: {list(groups)[COLUMNS * (rows // 2)]}"]
        middle.set_ylabel(_axis_label(panel, unit))
    return made


def _fitting(title: str) -> str:
    return title if len(title) <= TITLE_LENGTH else f"{title[: TITLE_LENGTH - 1]}…"


def _scale(panel: Curves, unit: DisplayUnit) -> list[float]:
    """Values that the vertical axes of all groups show."""
    values = unit.factor * panel.values[np.isfinite(panel.values)]
    low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 1.0)
    room = 0.06 * (high - low)
    return [low - max(room, 0.11 * high if panel.slack else 0.0), high + room]


def _axis_label(panel: Curves, unit: DisplayUnit) -> str:
    """In two lines where one would be longer than the panel is high."""
    label = unit.label(panel.what)
    return label if len(label) <= LABEL_LENGTH else label.replace(" [", "\n[")


def _height(panel: Curves) -> float:
    """Inches: enough for the names of all curves, one below the other."""
    names = 1 if panel.alike else len(panel.labels)
    return min(max(PANEL_HEIGHT, 0.2 + 0.125 * names), 3.0)


def _draw(
    ax: Axes, run: Run, panel: Curves, unit: DisplayUnit, scale: Sequence[float] = ()
) -> None:
    """Into axes; scale: what the vertical axis of one of several small panels shows."""
    small = bool(scale)
    values = unit.factor * panel.values
    names = shortened(panel.labels) if small else panel.labels
    shades = dict(zip(names, tints(run.system, panel), strict=True))
    series = {name: values[:, k] for k, name in enumerate(names)}
    if panel.alike and not small:
        # curves on top of each other would look like one of them
        name = f"all {len(series)}"
        series, shades = {name: values[:, 0]}, {name: ROLES.text}
    largest = float(np.nanmax(values, initial=0.0))
    include = list(scale) or ([-0.11 * largest] if panel.slack else [])
    if np.nanmax(np.abs(values), initial=0.0) < ROUNDING_ERROR:
        include = [-1.0, 1.0]
    span = np.ptp(run.time) if len(run.time) else 0.0
    clock = display_unit("s", np.array([span]))
    label = _axis_label(panel, unit)
    time = clock.factor * run.time
    plot_lines(
        time, series, label, ax=ax, xlabel=clock.label("time"), palette=shades, include=include
    )
    if panel.slack or panel.pushing:
        _shade_below_zero(ax, panel)
    _shade_unreached(ax, run, clock.factor)


def _shade_below_zero(ax: Axes, panel: Curves) -> None:
    """One-sided tendons are slack there, two-sided ones push."""
    ax.axhspan(ax.get_ylim()[0], 0, color=ROLES.grid, lw=0, zorder=0)
    words = ["slack"] * panel.slack + ["pushing"] * panel.pushing
    look: dict[str, Any] = {"fontsize": 7.0, "color": ROLES.quiet, "va": "top", "ha": "right"}
    where: dict[str, Any] = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points"}
    ax.annotate(", ".join(words), (0.995, 0), xytext=(0, -1.5), **where, **look)


def _shade_unreached(ax: Axes, run: Run, factor: float) -> None:
    """The time that a run which stopped early did not reach, or the beginning of it."""
    if run.status.ok or not len(run.time):
        return
    begin, end = factor * float(run.time[0]), factor * float(run.time[-1])
    planned = factor * float(run.provenance.get("duration", run.time[-1]))
    if planned <= end:
        return
    last = min(planned, end + UNREACHED_PART * (end - begin)) if end > begin else planned
    ax.set_xlim(begin, last)
    ax.axvspan(end, last, fc="none", ec=ROLES.frame, hatch="////", lw=0, alpha=0.6)
    ax.axvline(end, color=ROLES.alarm, lw=1)


def tints(system: System, panel: Curves) -> tuple[str, ...]:
    """A tendon has one colour everywhere, and an actuator's input that of the tendon it winds."""
    tendons = [t.name for t in system.robot.tendons]
    if len(panel.labels) > MANY_CURVES or len(tendons) > MANY_CURVES:
        return colors(len(panel.labels))
    wound = {t.actuator: t.name for t in reversed(system.robot.tendons) if t.actuator}
    own = wound | {name: name for name in tendons}
    of = dict(zip(tendons, colors(len(tendons)), strict=True))
    if all(name in own for name in panel.labels):
        return tuple(of[own[name]] for name in panel.labels)
    return colors(len(panel.labels))


def _write_heading(ax: Axes, run: Run, lines: list[str]) -> None:
    ax.set_axis_off()
    system = run.system
    name = system.robot.name + (f", {system.mode} tendons" if system.robot.tendons else "")
    look: dict[str, Any] = {"transform": ax.transAxes}
    ax.text(0, 1, in_figure(name), va="top", fontsize=12, fontweight="bold", **look)
    scheme, step = run.provenance.get("scheme"), run.provenance.get("step")
    if scheme:
        text = f"{scheme}, step {1e3 * step:g} ms" if step else scheme
        ax.text(1, 1, text, va="top", ha="right", color=ROLES.quiet, **look)
    look |= {"color": ROLES.quiet if run.status.ok else ROLES.alarm, "linespacing": 1.25}
    ax.text(0, 0, in_figure("\n".join(lines)), va="bottom", fontsize=8.2, gid="status", **look)
