"""Figures 6 and 12: where the robots can rest, by flooding, and where stability is at stake."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from chorda.papers.briot2022.published import SINGULAR
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.stability_study import CONSTANT, StabilityPath
from chorda.papers.briot2022.study import Study
from chorda.papers.panels_figure import panels
from chorda.results import Workspace
from chorda.statics import workspace
from chorda.view import ROLES

COLORS = {
    "not reached": "#f4f5f8",
    "stable": "#a9d0e6",
    "unstable": "#f3c19f",
    "singular": "#c8352b",
}
LEAST_SHARE = 0.05  # share of the cells on either side of a line that is drawn


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


RED_NOTE = (
    "Figures 6 and 12 paint red where the Hessian's inverse condition number is below "
    f"{SINGULAR['rfrfr']:g} and {SINGULAR['6-rfs']:g}. With the coordinates here the strips of "
    "such configurations are thinner than the cells of the maps, and red is below "
    f"{REGIONS['rfrfr'].red:g} and {REGIONS['6-rfs'].red:g}: the same lines, broad enough to be "
    "seen."
)


def figure6(study: Study) -> Figure:
    """Figure 6: the RFRFR's workspace by flooding, and the path X1 to X5."""
    return _map(study.down, study.settings.cells[0])


def figure12(study: Study) -> Figure:
    """Figure 12: a slice of the 6-RFS's workspace by flooding, and the path X1 to X3."""
    return _map(study.across, study.settings.cells[1])


def _flooded(study: RobotStudy, cell: float) -> Workspace:
    """From the beginning of the path on which stability is lost, with 5 modes."""
    region = REGIONS[study.case.name]
    over = {
        f"{study.case.frame}.{axis}": (*ends, round((ends[1] - ends[0]) / cell) + 1)
        for axis, ends in (("x", region.x), ("y", region.y))
    }
    return workspace(study.at_target(5, CATALOGUE_INTERVALS), over, progress=False)


def _map(path: StabilityPath, cell: float) -> Figure:
    """cell: [m]."""
    region, found = REGIONS[path.case.name], _flooded(path.study, cell)
    x, y = found.values
    kind = np.zeros(found.shape)
    kind[found.reached] = 2
    kind[found.stable()] = 1
    kind[found.quantity("condition.locked") < region.red] = 3
    margin = found.quantity(f"margin.{CONSTANT}")
    line = bool(LEAST_SHARE < np.mean(margin[np.isfinite(margin)] < 0) < 1 - LEAST_SHARE)
    with panels(7.1, 4.6 * np.ptp(y) / np.ptp(x) + 0.5) as (figure, (ax,)):
        ax.grid(False)
        colours = ListedColormap(list(COLORS.values()))
        ax.pcolormesh(x, y, kind.T, cmap=colours, vmin=-0.5, vmax=3.5, shading="nearest")
        if line:
            ax.contour(
                x, y, margin.T, levels=[0.0], colors=ROLES.text, linewidths=1, linestyles=":"
            )
        _stops(ax, path)
        ax.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=region.title)
        figure.legend(handles=_key(region, line), loc="outside right upper")
    return figure


def _stops(ax: Axes, path: StabilityPath) -> None:
    """The path and its stops; names alternate between its sides where they are near each other."""
    points = np.array([path.case.point(stop.t) for stop in path.stops])
    ax.plot(*points.T, color=ROLES.text, lw=1.4)
    for k, (stop, at) in enumerate(zip(path.stops, points, strict=True)):
        ax.plot(*at, "o", ms=4.5, mfc="white", mec=ROLES.text, mew=1.2)
        side = 1 if k % 2 else -1
        ax.annotate(
            stop.name, at, (8 * side, 0), textcoords="offset points", size=8, weight="bold",
            ha="left" if side > 0 else "right", va="center",
            bbox={"boxstyle": "round,pad=0.12", "fc": "white", "ec": "none", "alpha": 0.75},
        )  # fmt: skip


def _key(region: Region, line: bool) -> list[Patch | Line2D]:
    labels = {
        "stable": "stable, motors locked",
        "unstable": "unstable",
        "singular": f"inverse condition of\nthe Hessian < {region.red:g}",
        "not reached": "not reached",
    }
    handles: list[Patch | Line2D] = [
        Patch(facecolor=COLORS[kind], edgecolor=ROLES.frame, lw=0.5, label=label)
        for kind, label in labels.items()
    ]
    if line:
        label = "limit of stability\nunder constant torque"
        handles.append(Line2D([], [], color=ROLES.text, lw=1, ls=":", label=label))
    return [*handles, Line2D([], [], color=ROLES.text, lw=1.4, label="the path from X1")]
