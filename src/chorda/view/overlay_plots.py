"""Several configurations in one picture: along a path of equilibria, or beside a critical mode."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results import EquilibriumPath
from chorda.statics.stability import Stability
from chorda.view.artists import TRAIL, RobotArtists, trail_lines
from chorda.view.drawing import Drawing, make_drawing, world_points
from chorda.view.style import BESIDE, CYCLE, ORDERED, ROLES, color_bar, finished, styled
from chorda.view.surroundings import new_picture
from chorda.view.tension_look import DASHES, SOLID

LARGEST = 6.2, 5.4  # [inch]
BAR_WIDTH = 1.0  # [inch] for the colours, beside
FULL_WIDTH, THIN_WIDTH = 3.6, 1.3  # [points] of lines: configurations lie over each other
DISPLACEMENT = 0.12  # of the robot's size, how far the largest displacement is drawn
SMALL_AMOUNT = 1e-4  # of a mode: a displacement that is still linear
CLEAR = (1.0, 1.0, 1.0, 0.0)


def plot_path(found: EquilibriumPath, *, path: str | Path | None = None, count: int = 11) -> Figure:
    """Draw configurations along a path of equilibria, coloured by how far along they are.

    The first and the last are drawn in full; configurations that are unstable with what is
    actuated locked are dashed. The line is the path of the robot's tip.

    Parameters
    ----------
    found : EquilibriumPath
        The path, as chorda.follow returns it.
    path : str or Path, optional
        File to write (.png, .svg or .pdf).
    count : int
        How many configurations to draw, evenly along the path.

    Returns
    -------
    Figure
        The figure, which belongs to no window.

    Raises
    ------
    InputError
        The path has no configuration, or the count is none.

    See Also
    --------
    chorda.EquilibriumPath.plot : the same, of the path.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55})
    >>> path = chorda.follow(rest, hold={"motor1": 3.0}, points=10)
    >>> figure = plot_path(path, count=3)
    >>> figure.axes[0].get_xlabel()
    'x [m]'
    """
    if not len(found):
        raise InputError("path: has no configuration that could be drawn; its status gives why")
    if count < 1:
        raise InputError(f"count: expected at least 1, got {count}")
    last = len(found) - 1
    which = np.unique(np.linspace(last if count == 1 else 0, last, count).round().astype(int))
    with styled():
        drawing = make_drawing(found.system, found.q, found.parameters)
        figure, ax = _new_overlay(drawing, BAR_WIDTH)
        progress = _progress(found)
        samples: list[Line2D] = []
        if drawing.tip is not None:
            ax.plot(*drawing.tip.T, zorder=9, **TRAIL)
            samples += trail_lines().values()
        if not np.all(found.stable[which]):
            samples.append(Line2D([], [], color=ROLES.alarm, lw=1.6, ls=DASHES, label="unstable"))
        for order, k in enumerate(which):
            full, stable = order in (0, len(which) - 1), bool(found.stable[k])
            color = ORDERED(progress[k]) if stable else ROLES.alarm
            draw_configuration(
                ax, drawing, int(k), color, full=full, dashed=not stable,
                order=(10.0 if full else 3.0) + order / len(which),
            )  # fmt: skip
        bar = color_bar(figure, Normalize(0, 1), ORDERED, ax=ax, **BESIDE)
        bar.set_ticks([0, 1], labels=["first", "last"])
        draw_legend(figure, samples)
    return finished(figure, path)


def _progress(found: EquilibriumPath) -> Array:
    """From 0 to 1: the path parameter, or where it turns back the configuration's number."""
    s = found.parameter
    if len(s) > 1 and (s[-1] <= 0 or np.any(np.diff(s) <= 0)):
        return np.linspace(0, 1, len(s))
    return np.asarray(s / max(float(s[-1]), 1e-12))


def plot_mode(found: Stability, kind: str = "locked", *, path: str | Path | None = None) -> Figure:
    """Draw a configuration in full, and displaced to both sides along its critical mode.

    The size of the displacement is chosen to be seen; closures stay shut.

    Parameters
    ----------
    found : Stability
        The stability of an equilibrium, as chorda.stability returns it.
    kind : {"locked", "constant efforts"}
        What the motors do: "locked" or "constant efforts".
    path : str or Path, optional
        File to write (.png, .svg or .pdf).

    Returns
    -------
    Figure
        The figure, which belongs to no window.

    See Also
    --------
    chorda.stability : finds the mode.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55})
    >>> figure = plot_mode(chorda.stability(rest), "constant efforts")
    >>> figure.axes[0].get_xlabel()
    'x [m]'
    """
    rest = found.equilibrium
    with styled():
        rows = [rest.q, *(found.displaced(x, kind) for x in _amounts(found, kind))]
        drawing = make_drawing(rest.system, np.array(rows), rest.parameters)
        figure, ax = _new_overlay(drawing)
        samples = [
            Line2D([], [], color=ROLES.bar, lw=2.4, label=f"at rest, {found[kind].stability}")
        ]
        for k, label in enumerate(("along the mode", "against it")[: len(rows) - 1]):
            draw_configuration(ax, drawing, k + 1, CYCLE[k], full=False)
            samples.append(Line2D([], [], color=CYCLE[k], lw=1.4, label=label))
        draw_configuration(ax, drawing, 0, ROLES.bar, full=True, order=10.0)
        if len(rows) > 1:
            draw_legend(figure, samples)
        ax.set_title(f"Critical mode, {kind}")
    return finished(figure, path)


def _amounts(found: Stability, kind: str) -> tuple[float, ...]:
    """How far to go along the mode and against it; none: nothing that is drawn moves."""
    rest = found.equilibrium
    if not any(found[kind].mode.values()):
        return ()
    rows = np.array([rest.q, found.displaced(SMALL_AMOUNT, kind)])
    first, moved = world_points(rest.system, rows, rest.parameters)
    size = float(np.max(np.ptp(first, axis=0), initial=0.0)) or 1.0
    distance = float(np.max(np.linalg.norm(moved - first, axis=1), initial=0.0))
    if distance < 1e-9 * size:
        return ()
    amount = DISPLACEMENT * size * SMALL_AMOUNT / distance
    return amount, -amount


def _new_overlay(drawing: Drawing, beside: float = 0.0) -> tuple[Figure, Axes]:
    """A figure, and axes in metres where the robot is planar."""
    ax = new_picture(drawing, LARGEST, narrowest=2.6, beside=beside, metres=drawing.planar)
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure, ax


def draw_legend(figure: Figure, samples: list[Line2D]) -> None:
    """Below the picture, where no configuration can be."""
    if samples:
        figure.legend(handles=samples, loc="outside lower center", ncols=len(samples))


def draw_configuration(
    ax: Axes,
    drawing: Drawing,
    k: int,
    color: Any,
    *,
    full: bool,
    dashed: bool = False,
    order: float = 0.0,
) -> None:
    """The k-th configuration in one colour; unless it is in full, thin lines without joints."""
    robot = RobotArtists(ax, drawing, widest=FULL_WIDTH if full else THIN_WIDTH)
    robot.show(k)
    halo: Any = "white" if full and not dashed else CLEAR
    robot.bars.set_color([to_rgba(x) for _ in robot.drawn_bars for x in (halo, color)])
    robot.bars.set_linestyle(DASHES if dashed else SOLID)
    robot.bars.set_capstyle("butt" if dashed else "round")
    robot.plates.set(
        facecolor=to_rgba(color, 0.25 if full else 0.12), edgecolor=to_rgba(color, 0.4)
    )
    robot.tendons.set_color(ROLES.spring)
    for marks in (robot.pivots, robot.dots, robot.sliders):
        marks.set(mec=color)
    for artist in robot.artists:
        artist.set_zorder(artist.get_zorder() + order)
        artist.set_visible(full or artist in (robot.bars, robot.plates))
