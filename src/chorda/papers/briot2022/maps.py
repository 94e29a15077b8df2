"""Figures 6 and 12: where the robots can rest, by flooding, and where stability is at stake."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from chorda.papers.briot2022.study import AS_LOADED, Study
from chorda.papers.briot2022.walks import CONSTANT, Stop
from chorda.results import Workspace
from chorda.statics import equilibrium, workspace
from chorda.view import ROLES, dress, new_figure, styled

NOT_REACHED, STABLE, UNSTABLE, RED = "#f4f5f8", "#a9d0e6", "#f3c19f", "#c8352b"

BOTH = 0.05  # share of the cells on either side of a line that is drawn


@dataclass(frozen=True)
class Region:
    """Ranges [m] of x and y, and the inverse condition number below which cells are red."""

    x: tuple[float, float]
    y: tuple[float, float]
    red: float
    title: str


REGIONS = {
    "rfrfr": Region((-0.9, 0.9), (-1.0, 1.04), 0.02, "RFRFR: where the pin can rest"),
    "6-rfs": Region((-0.62, 0.62), (-0.5, 0.54), 0.012, "6-RFS: where the platform can rest"),
}


def flooded(study: Study, cell: float) -> Workspace:
    """From the beginning of the way on which stability is lost, with 5 modes."""
    subject, region = study.subject, REGIONS[study.subject.name]
    first = equilibrium(
        study.system(5, AS_LOADED),
        poses=subject.place(0),
        actuated=subject.motors,
        initial=study.start(5, AS_LOADED),
        strict=True,
    )
    over = {
        f"{subject.end}.{axis}": (*ends, round((ends[1] - ends[0]) / cell) + 1)
        for axis, ends in (("x", region.x), ("y", region.y))
    }
    return workspace(first, over, progress=False)


def map_figure(study: Study, found: Workspace, stops: list[Stop]) -> Figure:
    region = REGIONS[study.subject.name]
    x, y = found.values
    red = found.quantity("condition.locked") < region.red
    what = np.zeros(found.shape)
    what[found.reached] = 2
    what[found.stable()] = 1
    what[red] = 3
    ratio = np.ptp(y) / np.ptp(x)
    with styled():
        figure = new_figure(7.1, 4.6 * ratio + 0.5)
        ax = figure.add_subplot()
        dress(ax)
        ax.grid(False)
        colours = ListedColormap([NOT_REACHED, STABLE, UNSTABLE, RED])
        ax.pcolormesh(x, y, what.T, cmap=colours, vmin=-0.5, vmax=3.5, shading="nearest")
        margin = found.quantity(f"margin.{CONSTANT}")
        line = bool(BOTH < np.mean(margin[np.isfinite(margin)] < 0) < 1 - BOTH)
        if line:
            ax.contour(
                x, y, margin.T, levels=[0.0], colors=ROLES.text, linewidths=1, linestyles=":"
            )
        _way(ax, study, stops)
        ax.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=region.title)
        figure.legend(handles=_key(region, line), loc="outside right upper")
    return figure


def _way(ax: Axes, study: Study, stops: list[Stop]) -> None:
    """The way and its stops; names alternate between its sides where they are near each other."""
    places = np.array([study.subject.on_walk(stop.share) for stop in stops])
    ax.plot(*places.T, color=ROLES.text, lw=1.4)
    for k, (stop, at) in enumerate(zip(stops, places, strict=True)):
        ax.plot(*at, "o", ms=4.5, mfc="white", mec=ROLES.text, mew=1.2)
        side = 1 if k % 2 else -1
        ax.annotate(
            stop.name, at, (8 * side, 0), textcoords="offset points", size=8, weight="bold",
            ha="left" if side > 0 else "right", va="center",
            bbox={"boxstyle": "round,pad=0.12", "fc": "white", "ec": "none", "alpha": 0.75},
        )  # fmt: skip


def _key(region: Region, line: bool) -> list[Patch | Line2D]:
    handles: list[Patch | Line2D] = [
        Patch(facecolor=STABLE, label="stable, motors locked"),
        Patch(facecolor=UNSTABLE, label="unstable"),
        Patch(facecolor=RED, label=f"inverse condition of\nthe Hessian < {region.red:g}"),
        Patch(facecolor=NOT_REACHED, edgecolor=ROLES.frame, lw=0.5, label="not reached"),
    ]
    if line:
        words = "limit of stability\nunder constant torque"
        handles.append(Line2D([], [], color=ROLES.text, lw=1, ls=":", label=words))
    return [*handles, Line2D([], [], color=ROLES.text, lw=1.4, label="the way from X1")]
