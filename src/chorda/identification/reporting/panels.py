"""What the panels of these figures share: a readable stretch of time, ticks, one legend."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from chorda.mechanics import Array
from chorda.view.style import CYCLE, ROLES

WIDTH = 7.6  # [inch]
WINDOW = 12.0  # [s] of a motion that can be read in one panel
MEASURED: dict[str, Any] = {"color": "#aab4c0", "lw": 3.4}  # wide and pale: models lie on it
WELL, POOR, NEITHER = CYCLE[0], CYCLE[1], ROLES.quiet

Rows = npt.NDArray[np.bool_]


def window(time: Array, seconds: float = WINDOW) -> Rows:
    """The middle of a long record; all of one that is hardly longer."""
    begin, end = float(time[0]), float(time[-1])
    if end - begin <= 1.25 * seconds:
        return np.ones(len(time), bool)
    start = (begin + end - seconds) / 2
    return np.asarray((time >= start) & (time <= start + seconds))


def broken(time: Array, values: Array) -> tuple[Array, Array]:
    """A curve that does not bridge gaps: NaN is put where samples are missing."""
    step = np.diff(time)
    at = np.flatnonzero(step > 2.5 * np.median(step)) + 1 if len(step) else np.zeros(0, int)
    return np.insert(time, at, np.nan), np.insert(np.asarray(values, float), at, np.nan)


def stacked(figure: Figure, count: int, grid: Any = None, column: int = 0) -> list[Axes]:
    """Panels above each other that share the axis of time, in a column of a grid."""
    grid = figure.add_gridspec(count, 1) if grid is None else grid
    panels: list[Axes] = []
    for row in range(count):
        share = panels[0] if panels else None
        panels.append(figure.add_subplot(grid[row, column], sharex=share))
        panels[-1].tick_params(labelbottom=row == count - 1)
    panels[-1].set_xlabel("time [s]")
    return panels


def finish(ax: Axes, title: str, ylabel: str = "", ticks: int = 4) -> None:
    """The name of what a panel shows, small and above it on the left; few ticks."""
    ax.set_title(title, fontsize=8.5, pad=3)
    if ylabel:
        ax.set_ylabel(ylabel)
    if ticks:
        ax.yaxis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))


def one_legend(
    figure: Figure,
    panels: Sequence[Axes],
    where: Literal["outside upper left", "outside lower left"] = "outside upper left",
    across: int = 5,
    markers: float = 2.0,
) -> None:
    """One legend of everything that the panels name, each once, above or below them."""
    named: dict[str, Any] = {}
    for ax in panels:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    made = figure.legend(
        list(named.values()), list(named), loc=where, ncols=across,
        handlelength=2.0, markerscale=markers,
    )  # fmt: skip
    for drawn in made.legend_handles:
        if drawn is not None:
            drawn.set_alpha(1.0)  # a single point of a cloud would hardly be seen
