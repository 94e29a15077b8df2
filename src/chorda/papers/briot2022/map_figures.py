"""Figures 6 and 12: where the robots can rest, by flooding, and where stability is lost."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from chorda.mechanics import Array
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.sheets import Mask, Sheets
from chorda.papers.briot2022.stability_study import CONSTANT, StabilityPath
from chorda.papers.briot2022.study import Study
from chorda.papers.panels_figure import panels
from chorda.statics import workspace
from chorda.view import ROLES

COLORS = {"not reached": "#f4f5f8", "stable": "#a9d0e6", "unstable": "#f3c19f"}
RED, HATCH = "#c8352b", "////"
LEAST_SHARE = 0.05  # share of the cells on either side of a line that is drawn


@dataclass(frozen=True)
class Region:
    """Ranges [m] of x and y."""

    x: tuple[float, float]
    y: tuple[float, float]
    title: str


REGIONS = {
    "rfrfr": Region((-0.9, 0.9), (-1.0, 1.04), "RFRFR: where the pin can rest"),
    "6-rfs": Region((-0.62, 0.62), (-0.5, 0.54), "6-RFS: where the platform can rest"),
}


def figure6(study: Study) -> Figure:
    """Figure 6: the RFRFR's workspace by flooding, and the path X1 to X5."""
    return _map(study.down, study.settings.cells[0])


def figure12(study: Study) -> Figure:
    """Figure 12: a slice of the 6-RFS's workspace by flooding, and the path X1 to X3."""
    return _map(study.across, study.settings.cells[1])


def flooded(study: RobotStudy, cell: float) -> Sheets:
    """From the beginning of the path on which stability is lost, with 5 modes."""
    region = REGIONS[study.case.name]
    over = {
        f"{study.case.frame}.{axis}": (*ends, round((ends[1] - ends[0]) / cell) + 1)
        for axis, ends in (("x", region.x), ("y", region.y))
    }
    found = workspace(study.at_target(5, CATALOGUE_INTERVALS), over, progress=False)
    return Sheets(found, study.case.motors)


def _map(path: StabilityPath, cell: float) -> Figure:
    """cell: [m]."""
    region, sheets = REGIONS[path.case.name], flooded(path.study, cell)
    found = sheets.workspace
    x, y = found.values
    beneath = sheets.beneath(np.array([path.case.point(float(t)) for t in np.linspace(0, 1, 101)]))
    kind = np.zeros(found.shape)
    kind[found.reached & ~beneath] = 2
    kind[found.stable()] = 1
    margin = np.where(beneath, np.nan, found.quantity(f"margin.{CONSTANT}"))
    line = bool(LEAST_SHARE < np.mean(margin[np.isfinite(margin)] < 0) < 1 - LEAST_SHARE)
    with panels(7.8, 4.8 * np.ptp(y) / np.ptp(x) + 0.5) as (figure, (ax,)):
        ax.grid(False)
        colours = ListedColormap(list(COLORS.values()))
        ax.pcolormesh(x, y, kind.T, cmap=colours, vmin=-0.5, vmax=2.5, shading="nearest")
        _hatch(ax, x, y, beneath)
        if line:
            ax.contour(
                x, y, margin.T, levels=[0.0], colors=ROLES.text, linewidths=1, linestyles=":"
            )
        ax.add_collection(LineCollection(sheets.limits(), colors=RED, lw=2.4, capstyle="round"))
        _stops(ax, path)
        ax.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=region.title)
        handles = _key(line, bool(beneath.any()))
        figure.legend(handles=handles, loc="outside right upper")
    return figure


def _hatch(ax: Axes, x: Array, y: Array, cells: Mask) -> None:
    width, height = x[1] - x[0], y[1] - y[0]
    for i, j in np.argwhere(cells).tolist():
        corner = (x[i] - width / 2, y[j] - height / 2)
        ax.add_patch(
            Rectangle(corner, width, height, fc="white", ec=ROLES.frame, hatch=HATCH, lw=0)
        )


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


def _key(line: bool, beneath: bool) -> list[Patch | Line2D]:
    labels = {
        "stable": "stable, motors locked",
        "unstable": "unstable",
        "not reached": "not reached",
    }
    handles: list[Patch | Line2D] = [
        Patch(facecolor=COLORS[kind], edgecolor=ROLES.frame, lw=0.5, label=label)
        for kind, label in labels.items()
    ]
    if beneath:
        text = "unstable, on a sheet that\nends beneath the other"
        handles.append(Patch(fc="white", ec=ROLES.frame, hatch=HATCH, lw=0.5, label=text))
    text = "an eigenvalue of the\nHessian changes sign"
    handles.append(Line2D([], [], color=RED, lw=2.4, label=text))
    if line:
        label = "limit of stability\nunder constant torque"
        handles.append(Line2D([], [], color=ROLES.text, lw=1, ls=":", label=label))
    return [*handles, Line2D([], [], color=ROLES.text, lw=1.4, label="the path from X1")]
