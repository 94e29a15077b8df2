"""Workspaces as maps: one or two axes, slices of three, and a cloud in space."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.results import Workspace
from chorda.view.curves import smooth
from chorda.view.stage import NOT_A_BODY, build_stage
from chorda.view.style import CYCLE, ROLES, dress, new_figure, save_figure, styled
from chorda.view.units import Shown, shown
from chorda.view.workspace_colours import NOT_REACHED, Paint, painted

SIDE = 4.6  # [inches] of a map
FLATTEST = 8.0  # the longer side of a map to one scale, over the shorter
MOST_SLICES = 9
MOST_BLOCKS = 20_000  # cells that are drawn as blocks; more are points


def plot_workspace(
    workspace: Workspace,
    path: str | Path | None = None,
    *,
    colour: str = "stability",
    kind: str = "locked",
) -> Figure:
    """The workspace over its axes; of three, slices across the last. Written to `path` if given.

    colour: "stability", "limits", or a quantity of the workspace.
    """
    paint = painted(workspace, colour, kind)
    with styled():
        dimensions = len(workspace.shape)
        draw = {1: _line, 2: _map, 3: _slices}[dimensions]
        figure = draw(workspace, paint)
        figure.draw_without_rendering()  # ticks change with the size: the layout needs two turns
    if path is not None:
        save_figure(figure, path)
    return figure


def _map(workspace: Workspace, paint: Paint) -> Figure:
    x, y = (_axis(workspace, k) for k in (0, 1))
    places = _same_kind(workspace, 0, 1)
    ratio = np.ptp(y.edges) / np.ptp(x.edges) if places else 0.8
    width = SIDE * min(1.0, 1.4 / ratio)
    figure = new_figure(width + _beside(paint), np.clip(width * ratio, 2.4, 7.0) + 0.8)
    ax = figure.add_subplot()
    _paint(ax, x, y, paint, paint.values)
    if places:
        ax.set_aspect("equal")
        _configuration(ax, workspace, x.scale.factor)
    _key(figure, [ax], paint, [_mark_start(ax, workspace, x, y)])
    _title(ax, workspace)
    return figure


def _slices(workspace: Workspace, paint: Paint) -> Figure:
    x, y, z = (_axis(workspace, k) for k in range(3))
    n = len(z.values)
    chosen = np.unique(np.round(np.linspace(0, n - 1, min(n, MOST_SLICES))).astype(int))
    columns = int(np.ceil(np.sqrt(len(chosen))))
    rows = -(-len(chosen) // columns)
    places = _same_kind(workspace, 0, 1)
    ratio = np.ptp(y.edges) / np.ptp(x.edges) if places else 0.8
    height = 2.0 * float(np.clip(ratio, 0.5, 1.5)) + 0.3
    figure = new_figure(2.0 * columns + 0.5 + _beside(paint), rows * height + 0.5)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for ax in grid.ravel()[len(chosen) :]:
        ax.remove()
    for k, ax in zip(chosen, grid.ravel(), strict=False):
        _paint(ax, x, y, paint, paint.values[:, :, k])
        ax.set_title(f"{z.name} = {z.values[k]:.4g} {z.scale.unit}".strip(), fontsize=8.0)
        if places:
            ax.set_aspect("equal")
    for k, ax in enumerate(grid.ravel()[: len(chosen)]):
        lowest = k + columns >= len(chosen)
        ax.tick_params(labelbottom=lowest)
        ax.set(xlabel=x.label if lowest else "", ylabel=y.label if k % columns == 0 else "")
    _key(figure, list(grid.ravel()[: len(chosen)]), paint)
    return figure


def _line(workspace: Workspace, paint: Paint) -> Figure:
    """Over one axis: bands of colour, or a curve where the colour is a number."""
    x = _axis(workspace, 0)
    figure = new_figure(*((5.2, 1.6) if paint.patches else (7.2, 3.0)))
    ax = figure.add_subplot()
    dress(ax)
    if paint.patches:
        mesh = np.array([0.0, 1.0])
        ax.pcolormesh(x.edges, mesh, paint.values[None], cmap=paint.colours, norm=paint.norm)
        ax.set_yticks([])
        ax.grid(False)
        _key(figure, [ax], paint)
    else:
        ax.plot(x.values, paint.values, color=CYCLE[0])
        if isinstance(paint.norm, LogNorm):
            ax.set_yscale("log")
        ax.set_ylabel(paint.label.replace(", ", ",\n"))
    ax.set_xlim(x.edges[0], x.edges[-1])
    ax.set_xlabel(x.label)
    _title(ax, workspace)
    return figure


def _beside(paint: Paint) -> float:
    """Width of labels and of a bar of colours [inches]; a legend adds its own."""
    return 0.9 if paint.patches else 1.5


def plot_cloud(
    workspace: Workspace,
    path: str | Path | None = None,
    *,
    colour: str = "stability",
    kind: str = "locked",
) -> Figure:
    """Reached cells of three axes as blocks in space; written to `path` if given."""
    if len(workspace.shape) != 3:
        raise InputError(
            f"cloud: expected a workspace over 3 axes, this one has {len(workspace.shape)}; "
            "plot draws it"
        )
    paint = painted(workspace, colour, kind)
    axes = [_axis(workspace, k) for k in range(3)]
    with styled():
        figure = new_figure(4.6 + _beside(paint), 4.6)
        ax: Any = figure.add_subplot(projection="3d")
        tints = paint.colours(paint.norm(paint.values))
        if workspace.reached.size <= MOST_BLOCKS:
            corners = np.meshgrid(*[a.edges for a in axes], indexing="ij")
            look = {"edgecolor": ROLES.bar, "lw": 0.25, "shade": False}
            ax.voxels(*corners, workspace.reached, facecolors=tints, **look)
        else:
            outer = _skin(workspace.reached)
            at = [x[outer] for x in np.meshgrid(*[a.values for a in axes], indexing="ij")]
            size = float(np.clip((190.0 / max(workspace.shape)) ** 2, 2.0, 160.0))
            ax.scatter(*at, c=tints[outer], s=size, marker="s", lw=0, depthshade=False)
        for axis, a in zip((ax.xaxis, ax.yaxis, ax.zaxis), axes, strict=True):
            axis.set_label_text(a.label)
            axis.set_pane_color("white")
            axis._axinfo["grid"].update(color=ROLES.grid)
            axis.set_tick_params(labelsize=7.5)
        if _same_kind(workspace, 0, 1) and _same_kind(workspace, 1, 2):
            ax.set_box_aspect([np.ptp(a.edges) for a in axes], zoom=0.88)
        ax.view_init(22, -58)
        _key(figure, [ax], paint, skip=("not reached",))
        _title(ax, workspace)
        figure.draw_without_rendering()
    if path is not None:
        save_figure(figure, path)
    return figure


def _skin(reached: npt.NDArray[np.bool_]) -> Any:
    """Reached cells that can be seen: some neighbour is not reached, or outside."""
    padded = np.pad(reached, 1)
    hidden = np.ones_like(reached)
    for axis in range(reached.ndim):
        for side in (-1, 1):
            hidden &= np.roll(padded, side, axis)[(slice(1, -1),) * reached.ndim]
    return reached & ~hidden


# Their parts --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Axis:
    name: str
    values: Array  # as shown
    edges: Array
    scale: Shown

    @property
    def label(self) -> str:
        return self.scale.label(self.name)


def _axis(workspace: Workspace, k: int) -> _Axis:
    x = workspace.values[k]
    scale = shown(workspace.units[k], np.concatenate([x, *_others(workspace, k)]))
    x = x * scale.factor
    half = np.diff(x) / 2
    edges = np.concatenate([[x[0] - (half[0] if half.size else 0.5)], x[:-1] + half])
    edges = np.append(edges, x[-1] + (half[-1] if half.size else 0.5))
    return _Axis(workspace.names[k], x, edges, scale)


def _others(workspace: Workspace, k: int) -> list[Array]:
    """Values of the axes that share a scale with this one."""
    return [v for j, v in enumerate(workspace.values) if _same_kind(workspace, j, k)]


def _same_kind(workspace: Workspace, a: int, b: int) -> bool:
    """Whether two axes are lengths of about one size: they are drawn to one scale."""
    spans = [float(np.ptp(workspace.values[k])) for k in (a, b)]
    lengths = workspace.units[a] == workspace.units[b] == "m"
    return lengths and min(spans) * FLATTEST > max(spans)


def _paint(ax: Axes, x: _Axis, y: _Axis, paint: Paint, values: npt.NDArray[Any]) -> None:
    dress(ax)
    ax.grid(False)
    ax.set_facecolor(NOT_REACHED)
    ax.pcolormesh(
        x.edges, y.edges, values.T, cmap=paint.colours, norm=paint.norm, rasterized=True, lw=0
    )
    ax.set(xlabel=x.label, ylabel=y.label)


def _key(
    figure: Figure,
    axes: list[Any],
    paint: Paint,
    more: Sequence[Artist] = (),
    skip: tuple[str, ...] = (),
) -> None:
    """Colours and their meaning, beside the panels; `more` after them."""
    patches = [p for p in paint.patches if not str(p.get_label()).startswith(skip)]
    figure.set_layout_engine("compressed", w_pad=0.1, h_pad=0.06)  # knows of panels to scale
    if not paint.patches:
        bar = figure.colorbar(
            ScalarMappable(paint.norm, paint.colours), ax=axes, shrink=0.75, aspect=26, pad=0.02
        )
        bar.set_label(paint.label)
        bar.outline.set_visible(False)
        if more:
            axes[0].legend(handles=list(more), loc="lower right")
        return
    legend = figure.legend(handles=[*patches, *more], loc="outside right upper")
    width, height = figure.get_size_inches()
    figure.set_size_inches(width + legend.get_window_extent().width / figure.dpi, height)


def _title(ax: Any, workspace: Workspace) -> None:
    ax.set_title(
        f"{workspace.system.robot.name}: {np.sum(workspace.reached)} configurations at rest"
    )


def _mark_start(ax: Axes, workspace: Workspace, x: _Axis, y: _Axis) -> Line2D:
    at = workspace.base[list(workspace.columns)] * [x.scale.factor, y.scale.factor]
    look: dict[str, Any] = {"marker": "o", "ms": 4.5, "mfc": "white", "mec": ROLES.text, "ls": ""}
    return ax.plot(*at, **look, mew=1.1, zorder=7, label="start")[0]


def _configuration(ax: Axes, workspace: Workspace, factor: float) -> None:
    """A planar robot at the start, thin, where the map is of places in its plane."""
    names = [name.rpartition(".")[2] for name in workspace.names]
    stage = build_stage(
        workspace.system, workspace.start[None, : workspace.system.nq], workspace.parameters
    )
    if not stage.planar or names != ["x", "y"] or not stage.upright:
        return
    limits = ax.get_xlim(), ax.get_ylim()
    for line in stage.lines:
        if line.kind not in NOT_A_BODY:
            way = stage.points[0][list(line.points)][:, :2] * factor
            way = smooth(way) if line.kind == "rod" else way
            ax.plot(*way.T, color=ROLES.text, lw=1.3, alpha=0.55, zorder=6)
    for base in stage.bases.values():
        ax.plot(*(base[:2] * factor), marker="o", ms=3.5, color=ROLES.text, alpha=0.7, zorder=6)
    ax.set(xlim=limits[0], ylim=limits[1])
