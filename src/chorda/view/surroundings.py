"""What stands still around a robot: ground, anchors, rails, the floor, and a scale."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from chorda.mechanics import Array
from chorda.view.camera import horizontal
from chorda.view.curves import smooth
from chorda.view.drawing import Drawing
from chorda.view.obstacles import draw_obstacles, obstacle_bounds, obstacles_beside
from chorda.view.style import ROLES, new_figure
from chorda.view.symbols import hatch, support

MARGIN = 0.06  # of the larger extent, around everything
SCALE_STRIP = 0.09  # of the height, below the picture, for the scale
THINNEST = 0.3  # a picture's shorter side over its longer
TILES = 5  # of the floor under a spatial robot, about, along each side
SCALE_LOOK: dict[str, Any] = {"va": "bottom", "color": ROLES.quiet, "fontsize": 8, "zorder": 7}
SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Surroundings:
    """Strokes and fills on the page [m], and marks at fixed anchors (k, 2)."""

    strokes: list[Array] = field(default_factory=list)
    fills: list[Array] = field(default_factory=list)
    floor: list[Array] = field(default_factory=list)
    anchors: Array = field(default_factory=lambda: np.zeros((0, 2)))
    tile: float = 0.0  # side of the floor's tiles [m]
    ground: list[Array] = field(default_factory=list)  # the floor, where it is solid


def make_surroundings(drawing: Drawing) -> Surroundings:
    """What a robot stands on and is tied to."""
    rows = _anchor_rows(drawing)
    anchors = drawing.projected[0][rows]
    if drawing.planar:
        return Surroundings(strokes=_supports(drawing), anchors=anchors)
    plates = [
        _plate(drawing, base, 0.09 * drawing.size, _rod_direction(drawing, joint.name))
        for joint, base in drawing.bases.items()
    ]
    floor, tile, square = _floor(drawing)
    ground = [square] if any(drawing.level(x) is not None for x in drawing.planes) else []
    # posts show where above the floor an anchor hangs
    ends = drawing.points[0][rows]
    posts = [drawing.project(np.array([x, drawing.on_floor(x)])) for x in ends]
    return Surroundings([], plates, floor + posts, anchors, tile, ground)


def _supports(drawing: Drawing) -> list[Array]:
    """What a planar robot stands on: hatched bars, else a rail, a clamp or a pin at each base."""
    middle = (drawing.bounds[0] + drawing.bounds[1]) / 2
    strokes = _hatched_bars(drawing, middle)
    if strokes:
        return strokes
    for joint, position in drawing.bases.items():
        base = drawing.project(position)
        if joint.kind == "prismatic":
            strokes += _rail(drawing, joint.name, base, drawing.project(np.array(joint.axis)))
        elif (direction := _rod_direction(drawing, joint.name)) is not None:
            strokes += _clamp(base, drawing.project(direction), 0.07 * drawing.size)
        else:
            hangs = (middle - base) @ drawing.project(drawing.up) < -0.1 * drawing.size
            down = np.array([0.0, 1.0 if hangs else -1.0])
            strokes += support(base, 0.055 * drawing.size, down)
    return strokes


def _hatched_bars(drawing: Drawing, middle: Array) -> list[Array]:
    """Ground along bars that never move, on the side away from the robot."""
    strokes: list[Array] = []
    for line in drawing.lines_of("bar"):
        if drawing.fixed[list(line.points)].all():
            a, b = drawing.projected[0][[line.points[0], line.points[-1]]]
            inside = (b - a)[0] * (middle - a)[1] - (b - a)[1] * (middle - a)[0]
            a, b = (a, b) if inside >= 0 else (b, a)
            wide = 0.3 * (b - a)
            depth = min(0.035 * drawing.size, 0.3 * float(np.linalg.norm(b - a)))
            strokes += hatch(a - wide, b + wide, depth)
    return strokes


def _anchor_rows(drawing: Drawing) -> list[int]:
    """Points where tendons and springs are tied to the world and to no drawn body."""
    first = drawing.points[0]
    ties = {row for x in drawing.lines_of("spring", "damper") for row in x.points}
    ties |= {row for x in drawing.lines for row in x.marks}
    body = {row for x in drawing.bodies for row in x.points}
    solid = first[[row for row in body if drawing.fixed[row]]]
    return [
        row
        for row in sorted(ties)
        if drawing.fixed[row]
        and np.min(np.linalg.norm(solid - first[row], axis=1), initial=np.inf) > 1e-9
    ]


def _rail(drawing: Drawing, joint: str, base: Array, axis: Array) -> list[Array]:
    """What a slider that stands on the world moves along, a little below it."""
    own = [x for x in drawing.lines_of("link") if x.name == joint]
    if not own or not np.any(axis):
        return []
    axis = axis if axis[0] >= 0 else -axis
    axis = axis / np.linalg.norm(axis)
    travel = (drawing.projected[drawing.framed][:, own[0].points[0]] - base) @ axis
    reach = 0.2 * drawing.size
    foot = base - 0.035 * drawing.size * np.array([-axis[1], axis[0]])
    low, high = float(travel.min(initial=0)) - reach, float(travel.max(initial=0)) + reach
    strokes = hatch(foot + low * axis, foot + high * axis, 0.022 * drawing.size)
    return strokes[:1] if drawing.solids else strokes  # beside shapes, hatched is what is touched


def _rod_direction(drawing: Drawing, joint: str) -> Array | None:
    """Direction (3) in which a rod leaves its base; none: the joint is no rod."""
    own = next((x for x in drawing.lines_of("rod") if x.name == joint), None)
    if own is None:
        return None
    start, second = smooth(drawing.points[0][list(own.points)])[:2]
    return np.asarray((second - start) / (np.linalg.norm(second - start) or 1.0))


def _clamp(base: Array, direction: Array, half: float) -> list[Array]:
    """What a rod is clamped in: hatched, across its base, on the other side."""
    across = half * np.array([direction[1], -direction[0]])
    return hatch(base - across, base + across, 0.4 * half)


def _plate(drawing: Drawing, center: Array, half: float, normal: Array | None) -> Array:
    """A square plate: level, or across a direction."""
    a, b = horizontal(drawing.up)
    if normal is not None:
        a = np.cross(normal, a if abs(normal @ a) < 0.9 else drawing.up)
        a /= np.linalg.norm(a)
        b = np.cross(normal, a)
    return drawing.project(np.array([center + half * (i * a + j * b) for i, j in SQUARE]))


def _floor(drawing: Drawing) -> tuple[list[Array], float, Array]:
    """A grid on the floor below the whole motion, the side of its tiles [m], its corners."""
    a, b = horizontal(drawing.up)
    points = drawing.extents[drawing.framed].reshape(-1, 3)
    points = np.vstack([points, *drawing.bases.values()]) if len(points) else np.zeros((1, 3))
    side = np.array([points @ a, points @ b])
    side = np.hstack([side, *obstacles_beside(drawing, side, np.array([a, b]))])
    middle = (side.max(axis=1) + side.min(axis=1)) / 2
    half = np.maximum(np.ptp(side, axis=1) / 2, 0.2 * drawing.size)
    center = middle[0] * a + middle[1] * b + drawing.floor_height * drawing.up
    tile = round_length(2 * float(np.max(half)) / TILES)
    count = np.ceil(2 * half / tile - 1e-9).astype(int)
    x, y = ((np.arange(n + 1) - n / 2) * tile for n in count)
    lines = [np.array([center + s * a + y[0] * b, center + s * a + y[-1] * b]) for s in x]
    lines += [np.array([center + x[0] * a + s * b, center + x[-1] * a + s * b]) for s in y]
    square = center + np.array(
        [s * a + t * b for s, t in ((x[0], y[0]), (x[-1], y[0]), (x[-1], y[-1]), (x[0], y[-1]))]
    )
    return [drawing.project(line) for line in lines], tile, drawing.project(square)


def picture_bounds(
    drawing: Drawing, around: Surroundings, *, scale: bool = True
) -> tuple[Array, Array]:
    """Corners of the picture [m], with a margin, and room for the scale; never a sliver."""
    parts = [*drawing.bounds, *around.strokes, *around.fills, *around.floor, around.anchors]
    everything = np.vstack([*parts, *obstacle_bounds(drawing, *drawing.bounds)])
    low, high = everything.min(axis=0), everything.max(axis=0)
    largest = float(np.max(high - low))
    middle, half = (low + high) / 2, (high - low) / 2 + MARGIN * largest
    half = np.maximum(half, THINNEST * float(np.max(half)))
    strip = np.array([0.0, SCALE_STRIP * 2 * half[1] if scale else 0.0])
    return middle - half - strip, middle + half


def new_picture(
    drawing: Drawing,
    largest: tuple[float, float],
    *,
    narrowest: float,
    beside: float = 0.0,
    metres: bool = False,
) -> Axes:
    """Axes of a new figure that fit the whole motion, with what stands still.

    largest: width and height [inch] that the picture may have. narrowest, beside: least width, and
    room for a key [inch]. metres: axes in metres, where a planar robot has a scale otherwise.
    """
    around = make_surroundings(drawing)
    low, high = picture_bounds(drawing, around, scale=not metres)
    width, height = (high - low) * np.min(np.array(largest) / (high - low))
    ax = new_figure(max(width, narrowest) + beside, height).add_subplot()
    draw_surroundings(ax, drawing, around, metres=metres)
    return ax


def draw_surroundings(
    ax: Axes, drawing: Drawing, around: Surroundings, *, metres: bool = False
) -> list[Artist]:
    """Fix the view of the axes around the whole motion and draw what stands still.

    Returns what lies over the robot's shadow.
    """
    low, high = picture_bounds(drawing, around, scale=not metres)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    for collection in (
        PolyCollection(around.ground, fc=ROLES.solid_floor, ec="none", zorder=0.9, gid="floor"),
        LineCollection(around.floor, colors=ROLES.grid, linewidths=0.9, zorder=1),
        PolyCollection(around.fills, fc=ROLES.plate, ec=ROLES.ground, zorder=1.8),
        LineCollection(around.strokes, colors=ROLES.ground, linewidths=1.1, zorder=1.8),
    ):
        collection.set_capstyle("round")
        collection.set_in_layout(False)
        ax.add_collection(collection, autolim=False)
    over = draw_obstacles(ax, drawing)
    ax.plot(*around.anchors.T, ls="", marker="s", ms=4.5, color=ROLES.ground, zorder=4.5)
    if metres:
        right, up = ("xyz"[int(np.argmax(np.abs(axis)))] for axis in drawing.axes[:2])
        ax.set(xlabel=f"{right} [m]", ylabel=f"{up} [m]")
        return over
    ax.set_axis_off()
    if drawing.planar:
        _draw_scale(ax)
    else:
        text = f"grid {_length_text(around.tile)}"
        ax.annotate(text, (0.97, 0.02), xycoords="axes fraction", ha="right", **SCALE_LOOK)
    if not drawing.in_xy_plane:
        _draw_triad(ax, drawing)
    return over


def round_length(about: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not longer [m]."""
    power = 10.0 ** np.floor(np.log10(about))
    return float(max(k * power for k in (1, 2, 5) if k * power <= about * (1 + 1e-9)))


def _length_text(length: float) -> str:
    return f"{length:g} m" if length >= 1 else f"{1e3 * length:g} mm"


def _draw_scale(ax: Axes) -> None:
    """A bar of known length in the lower right corner."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    length = round_length(0.25 * (right - left))
    x, y = right - 0.04 * (right - left), low + 0.02 * (high - low)
    ax.plot([x - length, x], [y, y], color=ROLES.quiet, lw=2, solid_capstyle="butt", zorder=7)
    above: dict[str, Any] = {"xytext": (0, 3), "textcoords": "offset points", "ha": "center"}
    ax.annotate(_length_text(length), (x - length / 2, y), **above, **SCALE_LOOK)


def _draw_triad(ax: Axes, drawing: Drawing) -> None:
    """The world's axes in the lower left corner; one that points at the viewer is left out."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    length = 0.09 * min(right - left, high - low)
    tips = drawing.project(length * np.eye(3))
    corner = np.array([left, low]) + 0.5 * length
    origin = corner - np.minimum(tips.min(axis=0), 0)
    look: dict[str, Any] = {"color": ROLES.quiet, "zorder": 7}
    for name, tip in zip("xyz", tips, strict=True):
        if not np.any(tip):
            continue
        ax.plot(*np.array([origin, origin + tip]).T, lw=1.2, **look)
        x, y = origin + 1.3 * tip
        ax.text(x, y, name, ha="center", va="center", fontsize=8, **look)
