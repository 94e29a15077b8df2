"""plot_run: a motion over time, one panel for each kind of quantity."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.describe import Rod
from chorda.mechanics import Array, System
from chorda.mechanics.joints import Coordinate
from chorda.numerics.ctrl_c import interruptible
from chorda.results import Run
from chorda.safe_text import in_figure
from chorda.view.display_units import display_unit
from chorda.view.lines import plot_lines
from chorda.view.strain_names import strain_of
from chorda.view.style import ROLES, colors, finished, new_figure, styled

FIGURE_WIDTH, PANEL_HEIGHT, LINE_HEIGHT = 7.6, 1.55, 0.165  # [inch] the last of the heading
LINE_LENGTH = 112  # letters of the heading
ROUNDING_ERROR = 1e-9  # in the unit that is shown
STRAIN_WORDS = ("bend", "twist", "stretch", "shear")  # the first two are angles over length
UNREACHED_PART = 0.15  # largest part of the time axis that a run which stopped early leaves empty
UNIT_WORDS = {"rad": "angle", "m": "position", "-": "orientation"}
INPUT_WORDS = {
    "motor": "motor torque",
    "joint-motor": "motor torque",
    "tension": "tension, given",
    "winch": "length, given",
    "rate": "rate of the length",
}


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity in one SI unit: values (n, k), a name for each column."""

    what: str
    unit: str
    names: tuple[str, ...]
    values: Array
    tension: bool = False

    @property
    def height(self) -> float:
        """Inches: enough for the names of all curves, one below the other."""
        names = 1 if self.alike else len(self.names)
        return min(max(PANEL_HEIGHT, 0.2 + 0.125 * names), 3.0)

    @property
    def alike(self) -> bool:
        """Whether all of several curves are the same."""
        first = np.repeat(self.values[:, :1], len(self.names), 1)
        return len(self.names) > 1 and np.array_equal(self.values, first)


@interruptible()
def plot_run(run: Run, path: str | Path | None = None) -> Figure:
    """Draw coordinates, tensions, elongations and inputs over time.

    Angles are in degrees, elongations in millimetres. The heading of a run that did not complete
    has its message, and the time that it did not reach is shaded.

    Parameters
    ----------
    run
        The motion.
    path
        File to write (.png, .svg or .pdf).

    Returns
    -------
    Figure
        The figure, which belongs to no window.

    Examples
    --------
    >>> import chorda
    >>> neck = chorda.assemble(chorda.load("neck-1"))
    >>> run = chorda.simulate(neck, duration=0.02, step=2e-3, initial={"x1": 0.3})
    >>> [ax.get_ylabel() for ax in plot_run(run).axes[1:3]]
    ['angle [°]', 'tension [N]']
    """
    panels = list(run_panels(run))
    heading = textwrap.wrap(run.status.message, LINE_LENGTH)
    heights = [panel.height for panel in panels]
    head = LINE_HEIGHT * (len(heading) + 1.2)
    with styled():
        figure = new_figure(FIGURE_WIDTH, head + sum(heights) + 0.35)
        grid = figure.add_gridspec(1 + len(panels), 1, height_ratios=[head, *heights])
        _write_heading(figure.add_subplot(grid[0]), run, heading)
        first: Axes | None = None
        for row, panel in enumerate(panels, start=1):
            ax = figure.add_subplot(grid[row], sharex=first)
            first = first or ax
            _draw(ax, run, panel)
            if row < len(panels):
                ax.tick_params(labelbottom=False)
                ax.set_xlabel("")
        figure.align_ylabels()
    return finished(figure, path)


def run_panels(run: Run) -> Iterator[Panel]:
    """What a run is plotted by."""
    system = run.system
    yield from _tips(run)
    strains = strain_of(system)
    kinds = [(_kind(c, strains), i) for i, c in enumerate(system.coordinates) if c.kind != "motor"]
    for what, unit in dict.fromkeys(kind for kind, _ in kinds):
        rows = [i for own, i in kinds if own == (what, unit)]
        names = tuple(system.coordinate_names[i] for i in rows)
        yield Panel(what, unit, names, run.position[:, rows])
    tendons = tuple(t.name for t in system.robot.tendons)
    if tendons:
        yield Panel("tension", "N", tendons, run.outputs["tension"], tension=True)
        if "segment_tension" in run.outputs:
            labels = next(o.labels for o in system.outputs if o.name == "segment_tension")
            yield Panel("tension along it", "N", labels, run.outputs["segment_tension"])
        elongation = run.outputs["elongation"]
        if np.any(np.abs(elongation) > 0):  # NaN is not
            yield Panel("elongation", "m", tendons, elongation)
    for kind, unit in dict.fromkeys((i.kind, i.unit) for i in system.inputs):
        rows = [k for k, i in enumerate(system.inputs) if (i.kind, i.unit) == (kind, unit)]
        names = tuple(system.inputs[k].name for k in rows)
        word = "motor voltage" if unit == "V" else INPUT_WORDS.get(kind, "input")
        yield Panel(word, unit, names, run.input[:, rows])


def _kind(coordinate: Coordinate, strains: Mapping[str, str]) -> tuple[str, str]:
    """What a coordinate is, and its unit: the panel it belongs to."""
    unit = coordinate.unit
    if coordinate.kind == "state":
        return ("current" if unit == "A" else "bristles' deflection"), unit
    if coordinate.name not in strains:
        return UNIT_WORDS.get(unit, "coordinate"), unit
    own = [x for x in STRAIN_WORDS if any(s.startswith(x) for s in strains.values())]
    return ", ".join(x for x in own if (x in STRAIN_WORDS[:2]) == (unit == "rad/m")), unit


def _tips(run: Run) -> Iterator[Panel]:
    """Where the rods' ends are, along the axes in which they move."""
    series = {
        f"{rod.name}.tip {axis}": x
        for rod in run.system.robot.joints
        if isinstance(rod, Rod)
        for axis, x in zip("xyz", run.frame(f"{rod.name}.tip")[0].T, strict=True)
        if np.ptp(x) > ROUNDING_ERROR
    }
    if series:
        yield Panel("position of the tip", "m", tuple(series), np.column_stack([*series.values()]))


def _draw(ax: Axes, run: Run, panel: Panel) -> None:
    unit = display_unit(panel.unit, panel.values)
    values = unit.factor * panel.values
    shades = dict(zip(panel.names, tints(run.system, panel), strict=True))
    series = {name: values[:, k] for k, name in enumerate(panel.names)}
    if panel.alike:
        # curves on top of each other would look like one of them
        name = f"all {len(series)}"
        series, shades = {name: values[:, 0]}, {name: ROLES.text}
    largest = float(np.nanmax(values, initial=0.0))
    slack = panel.tension and np.nanmin(values, initial=np.inf) <= 0
    include = [-0.11 * largest] if slack else []
    if np.nanmax(np.abs(values), initial=0.0) < ROUNDING_ERROR:
        include = [-1.0, 1.0]
    plot_lines(run.time, series, unit.label(panel.what), ax=ax, palette=shades, include=include)
    if slack:
        _shade_slack(ax)
    _shade_unreached(ax, run)


def _shade_slack(ax: Axes) -> None:
    ax.axhspan(ax.get_ylim()[0], 0, color=ROLES.grid, lw=0, zorder=0)
    look: dict[str, Any] = {"fontsize": 7.0, "color": ROLES.quiet, "va": "top", "ha": "right"}
    where: dict[str, Any] = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points"}
    ax.annotate("slack", (0.995, 0), xytext=(0, -1.5), **where, **look)


def _shade_unreached(ax: Axes, run: Run) -> None:
    """The time that a run which stopped early did not reach, or the beginning of it."""
    if run.status.ok or not len(run.time):
        return
    begin, end = float(run.time[0]), float(run.time[-1])
    planned = float(run.provenance.get("duration", end))
    if planned <= end:
        return
    last = min(planned, end + UNREACHED_PART * (end - begin)) if end > begin else planned
    ax.set_xlim(begin, last)
    ax.axvspan(end, last, fc="none", ec=ROLES.frame, hatch="////", lw=0, alpha=0.6)
    ax.axvline(end, color=ROLES.alarm, lw=1)


def tints(system: System, panel: Panel) -> tuple[str, ...]:
    """Colours of curves; an actuator's input has that of the tendon it winds."""
    tendons = [t.name for t in system.robot.tendons]
    wound = {t.actuator: t.name for t in reversed(system.robot.tendons) if t.actuator}
    of = dict(zip(tendons, colors(len(tendons)), strict=True))
    if all(name in wound for name in panel.names):
        return tuple(of[wound[name]] for name in panel.names)
    return colors(len(panel.names))


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
