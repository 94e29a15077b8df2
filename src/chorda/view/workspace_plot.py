"""Workspaces as maps: one or two axes, slices of three, and a cloud in space."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.ndimage import binary_erosion

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results import Workspace
from chorda.safe_text import in_figure
from chorda.view.curves import smooth
from chorda.view.display_units import DisplayUnit, display_unit
from chorda.view.drawing import make_drawing
from chorda.view.style import CYCLE, ROLES, color_bar, dress, finished, new_figure, styled
from chorda.view.workspace_colours import NOT_REACHED, CellColours, cell_colours

MAP_WIDTH = 4.6  # [inches]
SLICE_WIDTH = 2.0  # [inches]
USUAL_RATIO = 0.8  # height over width of a map whose axes have no common scale
LONGEST_RATIO = 8.0  # the longer side of a map to one scale, over the shorter
SLICE_COUNT = 9  # at most
BLOCK_COUNT = 20_000  # cells that are drawn as blocks; more are points


def plot_workspace(
    workspace: Workspace,
    path: str | Path | None = None,
    *,
    colour: str = "stability",
    kind: str | None = None,
    cloud: bool = False,
) -> Figure:
    """Draw a workspace over its axes; of three, slices across the last.

    Parameters
    ----------
    workspace : Workspace
        As chorda.workspace returns it.
    path : str or Path, optional
        File to write (.png, .svg or .pdf).
    colour : str
        "stability", "limits", or a quantity of the workspace.
    kind : {"locked", "constant efforts"}, optional
        What the motors do where the colours show the stability: "locked" (the default) or
        "constant efforts".
    cloud : bool
        Draw the reached cells of three axes as blocks in space.

    Returns
    -------
    Figure
        The figure, which belongs to no window.

    Raises
    ------
    InputError
        The colour is not known, or the cloud has not three axes.

    See Also
    --------
    chorda.Workspace.plot : the same, of the workspace.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.load("rfrfr"))
    >>> rest = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55})
    >>> region = {"leg1.tip.x": (-0.1, 0.1, 3), "leg1.tip.y": (0.6, 0.8, 3)}
    >>> found = chorda.workspace(rest, region, progress=False)
    >>> plot_workspace(found).axes[0].get_xlabel()
    'leg1.tip.x [mm]'
    """
    dimensions = len(workspace.shape)
    if cloud and dimensions != 3:
        raise InputError(
            f"cloud: expected a workspace over 3 axes, this one has {dimensions}; plot draws it"
        )
    draw = _cloud if cloud else {1: _line, 2: _map, 3: _slices}[dimensions]
    cells = cell_colours(workspace, colour, kind)
    with styled():
        figure = draw(workspace, cells)
        figure.draw_without_rendering()  # ticks change with the size: the layout needs two turns
    return finished(figure, path)


def _cloud(workspace: Workspace, cells: CellColours) -> Figure:
    axes = [_axis(workspace, k) for k in range(3)]
    figure = new_figure(4.6 + _beside(cells), 4.6)
    ax: Any = figure.add_subplot(projection="3d")
    tints = cells.colours(cells.norm(cells.values))
    if workspace.reached.size <= BLOCK_COUNT:
        corners = np.meshgrid(*[a.edges for a in axes], indexing="ij")
        look = {"edgecolor": ROLES.bar, "lw": 0.25, "shade": False}
        ax.voxels(*corners, workspace.reached, facecolors=tints, **look)
    else:
        hidden = binary_erosion(workspace.reached)  # by reached cells all around
        outer = workspace.reached & ~hidden
        at = [x[outer] for x in np.meshgrid(*[a.values for a in axes], indexing="ij")]
        size = float(np.clip((190.0 / max(workspace.shape)) ** 2, 2.0, 160.0))
        ax.scatter(*at, c=tints[outer], s=size, marker="s", lw=0, depthshade=False)
    for axis, a in zip((ax.xaxis, ax.yaxis, ax.zaxis), axes, strict=True):
        axis.set_label_text(a.label)
        axis.set_pane_color("white")
        axis._axinfo["grid"].update(color=ROLES.grid)
        axis.set_tick_params(labelsize=7.5)
    if _to_scale(workspace, 0, 1) and _to_scale(workspace, 1, 2):
        ax.set_box_aspect([np.ptp(a.edges) for a in axes], zoom=0.88)
    ax.view_init(22, -58)
    _draw_key(figure, [ax], cells, skip=("not reached",))
    _write_title(ax, workspace)
    return figure


def _line(workspace: Workspace, cells: CellColours) -> Figure:
    """Over one axis: bands of colour, or a curve where the colour is a number."""
    x = _axis(workspace, 0)
    figure = new_figure(*((5.2, 1.6) if cells.patches else (7.2, 3.0)))
    ax = figure.add_subplot()
    dress(ax)
    if cells.patches:
        band = np.array([0.0, 1.0])
        ax.pcolormesh(x.edges, band, cells.values[None], cmap=cells.colours, norm=cells.norm)
        ax.set_yticks([])
        ax.grid(False)
        _draw_key(figure, [ax], cells)
    else:
        ax.plot(x.values, cells.values, color=CYCLE[0])
        if isinstance(cells.norm, LogNorm):
            ax.set_yscale("log")
        ax.set_ylabel(cells.label.replace(", ", ",\n"))
    ax.set(xlim=(x.edges[0], x.edges[-1]), xlabel=x.label)
    _write_title(ax, workspace)
    return figure


def _map(workspace: Workspace, cells: CellColours) -> Figure:
    x, y = (_axis(workspace, k) for k in (0, 1))
    ratio = _ratio(workspace, x, y)
    width = MAP_WIDTH * min(1.0, 1.4 / ratio)
    figure = new_figure(width + _beside(cells), np.clip(width * ratio, 2.4, 7.0) + 0.8)
    ax = figure.add_subplot()
    _draw_cells(ax, x, y, cells, cells.values)
    if _to_scale(workspace, 0, 1):
        ax.set_aspect("equal")
        _draw_start(ax, workspace, x.unit.factor)
    _draw_key(figure, [ax], cells, [_mark_start(ax, workspace, x, y)])
    _write_title(ax, workspace)
    return figure


def _slices(workspace: Workspace, cells: CellColours) -> Figure:
    x, y, z = (_axis(workspace, k) for k in range(3))
    n = len(z.values)
    chosen = np.unique(np.round(np.linspace(0, n - 1, min(n, SLICE_COUNT))).astype(int))
    columns = int(np.ceil(np.sqrt(len(chosen))))
    rows = -(-len(chosen) // columns)
    height = SLICE_WIDTH * float(np.clip(_ratio(workspace, x, y), 0.5, 1.5)) + 0.3
    figure = new_figure(SLICE_WIDTH * columns + 0.5 + _beside(cells), rows * height + 0.5)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for ax in grid[len(chosen) :]:
        ax.remove()
    panels = list(grid[: len(chosen)])
    for k, (row, ax) in enumerate(zip(chosen, panels, strict=True)):
        _draw_cells(ax, x, y, cells, cells.values[:, :, row])
        ax.set_title(f"{z.name} = {z.values[row]:.4g} {z.unit.unit}".strip(), fontsize=8.0)
        if _to_scale(workspace, 0, 1):
            ax.set_aspect("equal")
        lowest = k + columns >= len(chosen)
        ax.tick_params(labelbottom=lowest)
        ax.set(xlabel=x.label if lowest else "", ylabel=y.label if k % columns == 0 else "")
    _draw_key(figure, panels, cells)
    return figure


def _beside(cells: CellColours) -> float:
    """Width of labels and of a bar of colours [inches]; a legend adds its own."""
    return 0.9 if cells.patches else 1.5


@dataclass(frozen=True, eq=False)
class _Axis:
    name: str
    values: Array  # as shown
    edges: Array
    unit: DisplayUnit

    @property
    def label(self) -> str:
        return self.unit.label(self.name)


def _axis(workspace: Workspace, k: int) -> _Axis:
    """An axis of the map; those that are drawn to one scale have one unit."""
    x = workspace.values[k]
    others = [v for j, v in enumerate(workspace.values) if _to_scale(workspace, j, k)]
    unit = display_unit(workspace.units[k], np.concatenate([x, *others]))
    x = x * unit.factor
    half = np.diff(x) / 2 if len(x) > 1 else np.array([max(0.5, abs(x[0]) / 100)])
    edges = np.concatenate([[x[0] - half[0]], x[:-1] + half[: len(x) - 1], [x[-1] + half[-1]]])
    return _Axis(workspace.names[k], x, edges, unit)


def _to_scale(workspace: Workspace, a: int, b: int) -> bool:
    """Whether two axes are lengths of about one size: they are drawn to one scale."""
    spans = [float(np.ptp(workspace.values[k])) for k in (a, b)]
    lengths = workspace.units[a] == workspace.units[b] == "m"
    return lengths and min(spans) * LONGEST_RATIO > max(spans)


def _ratio(workspace: Workspace, x: _Axis, y: _Axis) -> float:
    """Height over width of a map of the first two axes."""
    if not _to_scale(workspace, 0, 1):
        return USUAL_RATIO
    return float(np.ptp(y.edges) / np.ptp(x.edges))


def _draw_cells(ax: Axes, x: _Axis, y: _Axis, cells: CellColours, values: npt.NDArray[Any]) -> None:
    dress(ax)
    ax.grid(False)
    ax.set_facecolor(NOT_REACHED)
    look: dict[str, Any] = {"cmap": cells.colours, "norm": cells.norm, "rasterized": True, "lw": 0}
    ax.pcolormesh(x.edges, y.edges, values.T, **look)
    ax.set(xlabel=x.label, ylabel=y.label)


def _draw_key(
    figure: Figure,
    axes: list[Any],
    cells: CellColours,
    more: Sequence[Artist] = (),
    skip: tuple[str, ...] = (),
) -> None:
    """Colours and their meaning, beside the panels; `more` after them."""
    figure.set_layout_engine("compressed", w_pad=0.1, h_pad=0.06)  # knows of panels to scale
    if not cells.patches:
        where = {"ax": axes, "shrink": 0.75, "aspect": 26, "pad": 0.02}
        color_bar(figure, cells.norm, cells.colours, cells.label, **where)
        if more:
            axes[0].legend(handles=list(more), loc="lower right")
        return
    patches = [p for p in cells.patches if not str(p.get_label()).startswith(skip)]
    legend = figure.legend(handles=[*patches, *more], loc="outside right upper")
    width, height = figure.get_size_inches()
    figure.set_size_inches(width + legend.get_window_extent().width / figure.dpi, height)


def _write_title(ax: Any, workspace: Workspace) -> None:
    name = in_figure(workspace.system.robot.name)
    ax.set_title(f"{name}: {np.sum(workspace.reached)} configurations at rest")


def _mark_start(ax: Axes, workspace: Workspace, x: _Axis, y: _Axis) -> Line2D:
    at = workspace.base[list(workspace.columns)] * [x.unit.factor, y.unit.factor]
    look: dict[str, Any] = {"marker": "o", "ms": 4.5, "mfc": "white", "mec": ROLES.text, "ls": ""}
    return ax.plot(*at, **look, mew=1.1, zorder=7, label="start")[0]


def _draw_start(ax: Axes, workspace: Workspace, factor: float) -> None:
    """A planar robot at the start, thin, where the map is of positions in its plane."""
    names = [name.rpartition(".")[2] for name in workspace.names]
    start = workspace.start[None, : workspace.system.nq]
    drawing = make_drawing(workspace.system, start, workspace.parameters)
    if names != ["x", "y"] or not drawing.in_xy_plane:
        return
    limits = ax.get_xlim(), ax.get_ylim()
    look: dict[str, Any] = {"color": ROLES.text, "zorder": 6}
    for line in drawing.bodies:
        at = drawing.projected[0][list(line.points)] * factor
        ax.plot(*(smooth(at) if line.kind == "rod" else at).T, lw=1.3, alpha=0.55, **look)
    for base in drawing.bases.values():
        ax.plot(*(drawing.project(base) * factor), marker="o", ms=3.5, alpha=0.7, **look)
    ax.set(xlim=limits[0], ylim=limits[1])
