"""plot_run: a motion over time, one panel for each kind of quantity."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chorda.mechanics import Array
from chorda.mechanics.joints import Coordinate
from chorda.results import Run
from chorda.view.lines import plot_lines
from chorda.view.rod_coordinates import strain_of, tip_poses
from chorda.view.style import ROLES, colors, new_figure, save_figure, styled
from chorda.view.units import shown

WIDTH, PANEL, LINE = 7.6, 1.55, 0.165  # [inch] figure, one panel, one line of the heading
NOTHING = 1e-9  # in the unit that is shown: less is a zero with rounding errors
WORDS = ("bend", "twist", "stretch", "shear")  # of strains; the first two are angles over length
UNREACHED = 0.15  # most of the time axis that a run which stopped early leaves empty
INPUTS = {
    "motor": "motor torque",
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
        return min(max(PANEL, 0.2 + 0.125 * names), 3.0)

    @property
    def alike(self) -> bool:
        """Whether all of several curves are the same."""
        first = np.repeat(self.values[:, :1], len(self.names), 1)
        return len(self.names) > 1 and np.array_equal(self.values, first)


def plot_run(run: Run, path: str | Path | None = None) -> Figure:
    """Coordinates, tensions, elongations and inputs over time; written to `path` if given.

    Angles are in degrees, elongations in millimetres. A run that did not complete says so in
    its heading, and the time it did not reach is shaded.
    """
    panels = list(_panels(run))
    heading = _heading(run)
    heights = [panel.height for panel in panels]
    head = LINE * (len(heading) + 1.2)
    with styled():
        figure = new_figure(WIDTH, head + sum(heights) + 0.35)
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
    if path is not None:
        save_figure(figure, path)
    return figure


def _panels(run: Run) -> Iterator[Panel]:
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
        elongation = run.outputs["elongation"]
        if np.any(np.abs(elongation) > 0):  # NaN is not
            yield Panel("elongation", "m", tendons, elongation)
    for kind in dict.fromkeys(i.kind for i in system.inputs):
        rows = [k for k, i in enumerate(system.inputs) if i.kind == kind]
        names = tuple(system.inputs[k].name for k in rows)
        unit = system.inputs[rows[0]].unit
        yield Panel(INPUTS.get(kind, "input"), unit, names, run.input[:, rows])


def _kind(coordinate: Coordinate, strains: Mapping[str, str]) -> tuple[str, str]:
    """What a coordinate is, and its unit: the panel it belongs to."""
    unit = coordinate.unit
    if coordinate.name in strains:
        own = [x for x in WORDS if any(s.startswith(x) for s in strains.values())]
        return ", ".join(x for x in own if (x in WORDS[:2]) == (unit == "rad/m")), unit
    return {"rad": "angle", "m": "position", "-": "orientation"}.get(unit, "coordinate"), unit


def _tips(run: Run) -> Iterator[Panel]:
    """Where the rods' ends are, along the axes in which they move."""
    series = {
        f"{frame} {axis}": p[:, i]
        for frame, (_, p) in tip_poses(run.system, run.position, run.parameters).items()
        for i, axis in enumerate("xyz")
        if np.ptp(p[:, i]) > NOTHING
    }
    if series:
        yield Panel("place of the tip", "m", tuple(series), np.column_stack([*series.values()]))


def _draw(ax: Axes, run: Run, panel: Panel) -> None:
    view = shown(panel.unit, panel.values)
    values = view.factor * panel.values
    tints = dict(zip(panel.names, _tints(run, panel), strict=True))
    series = {name: values[:, k] for k, name in enumerate(panel.names)}
    if panel.alike:
        # curves on top of each other would look like one of them
        name = f"all {len(series)}"
        series, tints = {name: values[:, 0]}, {name: ROLES.text}
    largest = float(np.nanmax(values, initial=0.0))
    slack = panel.tension and np.nanmin(values, initial=np.inf) <= 0
    include = [-0.11 * largest] if slack else []
    if np.nanmax(np.abs(values), initial=0.0) < NOTHING:
        include = [-1.0, 1.0]
    plot_lines(run.time, series, view.label(panel.what), ax=ax, palette=tints, include=include)
    if slack:
        _shade_slack(ax)
    _shade_unreached(ax, run)


def _shade_slack(ax: Axes) -> None:
    ax.axhspan(ax.get_ylim()[0], 0, color=ROLES.grid, lw=0, zorder=0)
    place = ax.get_yaxis_transform()
    look: dict[str, Any] = {"fontsize": 7.0, "color": ROLES.quiet, "va": "top", "ha": "right"}
    ax.annotate("slack", (0.995, 0), xytext=(0, -1.5), xycoords=place,
                textcoords="offset points", **look)  # fmt: skip


def _shade_unreached(ax: Axes, run: Run) -> None:
    """The time that a run which stopped early did not reach, or the beginning of it."""
    if run.status.ok or not len(run.time):
        return
    begin, end = float(run.time[0]), float(run.time[-1])
    planned = float(run.provenance.get("duration", end))
    if planned <= end:
        return
    last = min(planned, end + UNREACHED * (end - begin)) if end > begin else planned
    ax.set_xlim(begin, last)
    ax.axvspan(end, last, fc="none", ec=ROLES.frame, hatch="////", lw=0, alpha=0.6)
    ax.axvline(end, color=ROLES.alarm, lw=1)


def _tints(run: Run, panel: Panel) -> tuple[str, ...]:
    """An actuator's input has the colour of the tendon it winds."""
    tendons = [t.name for t in run.system.robot.tendons]
    wound = {t.actuator: t.name for t in reversed(run.system.robot.tendons) if t.actuator}
    of = dict(zip(tendons, colors(len(tendons)), strict=True))
    if all(name in wound for name in panel.names):
        return tuple(of[wound[name]] for name in panel.names)
    return colors(len(panel.names))


def _heading(run: Run) -> list[str]:
    return textwrap.wrap(run.status.message, 112)


def _write_heading(ax: Axes, run: Run, lines: list[str]) -> None:
    ax.set_axis_off()
    system = run.system
    name = f"{system.robot.name}" + (f", {system.tendons} tendons" if system.robot.tendons else "")
    ax.text(0, 1, name, va="top", fontsize=12, fontweight="bold", transform=ax.transAxes)
    scheme, step = run.provenance.get("scheme"), run.provenance.get("step")
    if scheme:
        ax.text(
            1, 1, f"{scheme}, step {1e3 * step:g} ms" if step else scheme, va="top", ha="right",
            color=ROLES.quiet, transform=ax.transAxes,
        )  # fmt: skip
    color = ROLES.quiet if run.status.ok else ROLES.alarm
    ax.text(
        0, 0, "\n".join(lines), va="bottom", fontsize=8.2, color=color, linespacing=1.25,
        transform=ax.transAxes, gid="status",
    )  # fmt: skip
