"""What stands still around a robot: ground, anchors, rails, the floor, and a scale."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from chorda.mechanics import Array
from chorda.view.curves import smooth
from chorda.view.shapes import hatch, support
from chorda.view.stage import NOT_A_BODY, Stage
from chorda.view.style import ROLES

PAD = 0.06  # of the larger extent, around everything
STRIP = 0.09  # of the height, below the picture, for the scale
TILES = 5  # of the floor under a spatial robot, about, along each side


@dataclass(frozen=True)
class Scenery:
    """Strokes and fills on the screen [m], and marks at fixed anchors (k, 2)."""

    strokes: list[Array] = field(default_factory=list)
    fills: list[Array] = field(default_factory=list)
    floor: list[Array] = field(default_factory=list)
    anchors: Array = field(default_factory=lambda: np.zeros((0, 2)))
    tile: float = 0.0  # side of the floor's tiles [m]

    def box(self, low: Array, high: Array) -> tuple[Array, Array]:
        """The corners low and high, moved apart so that everything is inside."""
        parts = np.vstack([low, high, *self.strokes, *self.fills, *self.floor, self.anchors])
        return parts.min(axis=0), parts.max(axis=0)


def build_scenery(stage: Stage) -> Scenery:
    """What a robot stands on and is tied to."""
    anchors = stage.seen[0][_anchor_rows(stage)]
    if not stage.planar:
        plates = [
            _tile(stage, base, 0.09 * stage.size, _ahead(stage, joint.name))
            for joint, base in stage.bases.items()
        ]
        floor, tile = _floor(stage)
        # posts show where above the floor an anchor hangs
        ends = stage.points[0][_anchor_rows(stage)]
        posts = [stage.screen(np.array([x, stage.dropped(x)])) for x in ends]
        return Scenery(fills=plates, floor=floor + posts, anchors=anchors, tile=tile)
    middle = (stage.box[0] + stage.box[1]) / 2
    strokes = _hatched_bars(stage, middle)
    if not strokes:
        for joint, place in stage.bases.items():
            base = stage.screen(place)
            if joint.kind == "prismatic":
                strokes += _rail(stage, joint.name, base, stage.screen(np.array(joint.axis)))
                continue
            if (ahead := _ahead(stage, joint.name)) is not None:
                strokes += _wall(base, stage.screen(ahead), 0.07 * stage.size)
                continue
            hangs = (middle - base) @ stage.screen(stage.skyward) < -0.1 * stage.size
            down = np.array([0.0, 1.0 if hangs else -1.0])
            strokes += support(base, 0.055 * stage.size, down)
    return Scenery(strokes=strokes, anchors=anchors)


def _hatched_bars(stage: Stage, middle: Array) -> list[Array]:
    """Ground along bars that never move, on the side away from the robot."""
    strokes: list[Array] = []
    for line in stage.lines:
        if line.kind == "bar" and stage.fixed[list(line.points)].all():
            a, b = stage.seen[0][line.points[0]], stage.seen[0][line.points[-1]]
            inside = (b - a)[0] * (middle - a)[1] - (b - a)[1] * (middle - a)[0]
            a, b = (a, b) if inside >= 0 else (b, a)
            wide = 0.3 * (b - a)
            depth = min(0.035 * stage.size, 0.3 * float(np.linalg.norm(b - a)))
            strokes += hatch(a - wide, b + wide, depth)
    return strokes


def _anchor_rows(stage: Stage) -> list[int]:
    """Points where tendons and springs are tied to the world and to no drawn body."""
    first = stage.points[0]
    ties = {r for x in stage.lines if x.kind in ("spring", "damper") for r in x.points}
    ties |= {r for x in stage.lines for r in x.marks}
    body = {r for x in stage.lines if x.kind not in NOT_A_BODY for r in x.points}
    solid = first[[r for r in body if stage.fixed[r]]]
    return [
        r
        for r in sorted(ties)
        if stage.fixed[r]
        and np.min(np.linalg.norm(solid - first[r], axis=1), initial=np.inf) > 1e-9
    ]


def _rail(stage: Stage, joint: str, base: Array, axis: Array) -> list[Array]:
    """The way of a slider that stands on the world, a little below it."""
    own = [x for x in stage.lines if x.name == joint and x.kind == "link"]
    if not own or not np.any(axis):
        return []
    axis = axis if axis[0] >= 0 else -axis
    axis = axis / np.linalg.norm(axis)
    way = (stage.seen[stage.usual][:, own[0].points[0]] - base) @ axis
    reach = 0.2 * stage.size
    foot = base - 0.035 * stage.size * np.array([-axis[1], axis[0]])
    low, high = min(0.0, float(way.min(initial=0))), max(0.0, float(way.max(initial=0)))
    return hatch(foot + (low - reach) * axis, foot + (high + reach) * axis, 0.022 * stage.size)


def _horizontal(stage: Stage) -> tuple[Array, Array]:
    """Two level directions along the world's axes."""
    up = stage.skyward
    ahead = np.eye(3)[int(np.argmin(np.abs(up) > 0.9))]
    ahead = ahead - up * (up @ ahead)
    ahead /= np.linalg.norm(ahead)
    return ahead, np.cross(up, ahead)


def _ahead(stage: Stage, joint: str) -> Array | None:
    """Direction (3) in which a rod leaves its base; none: the joint is no rod."""
    own = next((x for x in stage.lines if x.name == joint and x.kind == "rod"), None)
    if own is None:
        return None
    way = smooth(stage.points[0][list(own.points)])
    return np.asarray((way[1] - way[0]) / (np.linalg.norm(way[1] - way[0]) or 1.0))


def _wall(base: Array, ahead: Array, half: float) -> list[Array]:
    """What a rod is clamped in: hatched, across its base, on the other side."""
    across = half * np.array([ahead[1], -ahead[0]])
    return hatch(base - across, base + across, 0.4 * half)


def _tile(stage: Stage, center: Array, half: float, normal: Array | None) -> Array:
    """A square plate: level, or across a direction."""
    a, b = _horizontal(stage)
    if normal is not None:
        a = np.cross(normal, a if abs(normal @ a) < 0.9 else stage.skyward)
        a /= np.linalg.norm(a)
        b = np.cross(normal, a)
    a, b = half * a, half * b
    return stage.screen(np.array([center + i * a + j * b for i, j in SQUARE]))


SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _floor(stage: Stage) -> tuple[list[Array], float]:
    """A grid on the floor below the whole motion, and the side of its tiles [m]."""
    a, b = _horizontal(stage)
    points = stage.points[stage.usual].reshape(-1, 3)
    points = np.vstack([points, *stage.bases.values()]) if len(points) else np.zeros((1, 3))
    side = np.array([points @ a, points @ b])
    middle = (side.max(axis=1) + side.min(axis=1)) / 2
    half = np.maximum(np.ptp(side, axis=1) / 2, 0.2 * stage.size)
    center = middle[0] * a + middle[1] * b + stage.level * stage.skyward
    tile = _round_length(2 * float(np.max(half)) / TILES)
    count = np.ceil(2 * half / tile - 1e-9).astype(int)
    x, y = ((np.arange(n + 1) - n / 2) * tile for n in count)
    lines = [np.array([center + s * a + y[0] * b, center + s * a + y[-1] * b]) for s in x]
    lines += [np.array([center + x[0] * a + s * b, center + x[-1] * a + s * b]) for s in y]
    return [stage.screen(line) for line in lines], tile


def extent(stage: Stage, scenery: Scenery) -> tuple[Array, Array]:
    """Corners of the picture [m], with a margin and room for the scale; never a sliver."""
    low, high = scenery.box(*stage.box)
    size = high - low
    middle, half = (low + high) / 2, size / 2 + PAD * float(np.max(size))
    half = np.maximum(half, 0.3 * float(np.max(half)))
    strip = np.array([0.0, STRIP * 2 * half[1]])
    return middle - half - strip, middle + half


def draw_scenery(ax: Axes, stage: Stage, scenery: Scenery) -> None:
    """Fix the view of the axes around the whole motion and draw what stands still."""
    low, high = extent(stage, scenery)
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_aspect("equal")
    ax.set_axis_off()
    for collection in (
        LineCollection(scenery.floor, colors=ROLES.grid, linewidths=0.9, zorder=1),
        PolyCollection(scenery.fills, fc=ROLES.plate, ec=ROLES.ground, zorder=1.8),
        LineCollection(scenery.strokes, colors=ROLES.ground, linewidths=1.1, zorder=1.8),
    ):
        collection.set_capstyle("round")
        collection.set_in_layout(False)
        ax.add_collection(collection, autolim=False)
    ax.plot(*scenery.anchors.T, ls="", marker="s", ms=4.5, color=ROLES.ground, zorder=4.5)
    if stage.planar:
        _draw_scale(ax)
    else:
        _draw_tile_size(ax, scenery.tile)
    if not stage.upright:
        _draw_triad(ax, stage)


def _round_length(about: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not longer [m]."""
    power = 10.0 ** np.floor(np.log10(about))
    return float(max(k * power for k in (1, 2, 5) if k * power <= about * (1 + 1e-9)))


def _length_text(length: float) -> str:
    return f"{length:g} m" if length >= 1 else f"{1e3 * length:g} mm"


def _draw_scale(ax: Axes) -> None:
    """A bar of known length in the lower right corner."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    length = _round_length(0.25 * (right - left))
    x, y = right - 0.04 * (right - left), low + 0.02 * (high - low)
    ax.plot([x - length, x], [y, y], color=ROLES.quiet, lw=2, solid_capstyle="butt", zorder=7)
    ax.annotate(
        _length_text(length), (x - length / 2, y), xytext=(0, 3), textcoords="offset points",
        ha="center", va="bottom", color=ROLES.quiet, fontsize=8,
    )  # fmt: skip


def _draw_tile_size(ax: Axes, tile: float) -> None:
    """How large the floor's tiles are, in the lower right corner."""
    ax.annotate(
        f"grid {_length_text(tile)}", (0.97, 0.02), xycoords="axes fraction",
        ha="right", va="bottom", color=ROLES.quiet, fontsize=8, zorder=7,
    )  # fmt: skip


def _draw_triad(ax: Axes, stage: Stage) -> None:
    """The world's axes in the lower left corner; one that points at the viewer is left out."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    length = 0.09 * min(right - left, high - low)
    tips = stage.screen(length * np.eye(3))
    corner = np.array([left, low]) + 0.5 * length
    origin = corner - np.minimum(tips.min(axis=0), 0)
    look: dict[str, Any] = {"color": ROLES.quiet, "zorder": 7}
    for name, tip in zip("xyz", tips, strict=True):
        if not np.any(tip):
            continue
        ax.plot(*np.array([origin, origin + tip]).T, lw=1.2, **look)
        x, y = origin + 1.3 * tip
        ax.text(x, y, name, ha="center", va="center", fontsize=8, **look)
