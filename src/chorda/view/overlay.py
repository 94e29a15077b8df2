"""Several configurations of a robot in one picture: each in a colour of its own."""

from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from chorda.mechanics import Array
from chorda.view.actors import DASHES, SOLID, Actors, Widths
from chorda.view.scenery import PAD, Scenery, build_scenery, draw_scenery, extent
from chorda.view.stage import Stage
from chorda.view.style import ROLES, new_figure

LARGEST = (6.2, 5.4)  # [inch]
STRONG, FAINT = 3.6, 1.3  # [points] of lines: configurations lie over each other
CLEAR = (1.0, 1.0, 1.0, 0.0)


def stage_axes(stage: Stage, beside: float = 0.0) -> tuple[Figure, Axes]:
    """A figure that fits all configurations, with `beside` inches for a key: the ground, and axes
    in
    metres where the robot is planar."""
    scenery = build_scenery(stage)
    low, high = _corners(stage, scenery)
    width, height = (high - low) * np.min(np.array(LARGEST) / (high - low))
    figure = new_figure(max(float(width), 2.6) + beside, float(height))
    ax = figure.add_subplot()
    if stage.planar:
        _draw_plane(ax, stage, scenery)
    else:
        draw_scenery(ax, stage, scenery)
    return figure, ax


def _corners(stage: Stage, scenery: Scenery) -> tuple[Array, Array]:
    """Of the picture; axes need no room for a scale."""
    if not stage.planar:
        return extent(stage, scenery)
    low, high = scenery.box(*stage.box)
    middle, half = (low + high) / 2, (high - low) / 2
    half = np.maximum(half, 0.3 * float(np.max(half))) + PAD * float(np.max(high - low))
    return middle - half, middle + half


def _draw_plane(ax: Axes, stage: Stage, scenery: Scenery) -> None:
    low, high = _corners(stage, scenery)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    right, up = (int(np.argmax(np.abs(axis))) for axis in stage.axes[:2])
    ax.set(xlabel=f"{'xyz'[right]} [m]", ylabel=f"{'xyz'[up]} [m]")
    ground = LineCollection(scenery.strokes, colors=ROLES.ground, linewidths=1.1, zorder=1.8)
    ax.add_collection(ground, autolim=False)


def draw_legend(figure: Figure, samples: list[Line2D]) -> None:
    """Below the picture, where no configuration can be."""
    if samples:
        figure.legend(handles=samples, loc="outside lower center", ncols=len(samples))


def draw_configuration(
    ax: Axes,
    stage: Stage,
    widths: Widths,
    k: int,
    color: Any,
    *,
    strong: bool,
    dashed: bool = False,
    order: float = 0.0,
) -> None:
    """The k-th configuration; those that are not strong are thin lines without joints."""
    most = STRONG if strong else FAINT
    widths = replace(widths, bar=min(widths.bar, most), rod=min(widths.rod, most))
    actors = Actors(ax, stage, widths, None)
    actors.show(k)
    halo: Any = "white" if strong and not dashed else CLEAR
    count = len(actors.bars.get_segments()) // 2
    actors.bars.set_color([to_rgba(x) for _ in range(count) for x in (halo, color)])
    actors.bars.set_linestyle([DASHES if dashed else SOLID] * (2 * count))
    actors.bars.set_capstyle("butt" if dashed else "round")
    actors.plates.set_facecolor(to_rgba(color, 0.25 if strong else 0.12))
    actors.plates.set_edgecolor(to_rgba(color, 0.4))
    for marks in (actors.pivots, actors.dots, actors.sliders):
        marks.set(mec=color, visible=strong)
    actors.shadow.set_visible(strong)
    actors.tendons.set_color(ROLES.spring)
    for quiet in (actors.springs, actors.tendons, actors.eyelets, actors.disks, actors.pulleys):
        quiet.set_visible(strong)
    for artist in actors.artists:
        artist.set_zorder(artist.get_zorder() + order)
