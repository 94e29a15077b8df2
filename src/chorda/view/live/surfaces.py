"""Surfaces of a whole scene at one configuration: triangles that stay, corners that move.

What has one colour is one surface, so that a picture is a few arrays.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.colors import to_rgba

from chorda.mechanics import Array
from chorda.view.live.page_colors import line_colors
from chorda.view.meshes import carried_along, wall
from chorda.view.scene import Body, Curve, Scene

SIDES = 10  # of a tube
ROUND = np.array([[0.0, 1.0], [0.38, 0.92], [0.71, 0.71], [0.92, 0.38]])  # radius, height of an end
FLAT = np.array([[0.0, 0.0], [1.0, 0.0]])
ROUNDED_KINDS = ("bar", "link")
TINY = 1e-12  # [m]
Color = tuple[float, float, float, float]
DASH, GAP = 0.022, 0.018  # of a slack tendon, over the robot's size


@dataclass(frozen=True, eq=False)
class Tubes:
    """Curves with as many points each, and ends alike."""

    curves: tuple[Curve, ...]
    ends: Array

    def corners(self, anchors: Array) -> Array:
        """(n, 3) [m], curve by curve."""
        first = self.curves[0]
        points = np.stack([anchors[x.first : x.first + first.count] for x in self.curves])
        radii = np.stack([x.radii for x in self.curves])
        along = np.gradient(points, axis=1)
        size = np.linalg.norm(along, axis=2, keepdims=True)
        along = np.where(size > TINY, along / np.maximum(size, TINY), [0.0, 0.0, 1.0])
        radii = radii * (size.max(axis=1) > TINY)
        for end, way in ((0, -1.0), (-1, 1.0)):
            t, r = along[:, end], radii[:, end]
            caps = self.ends if end == 0 else self.ends[::-1]
            off = way * caps[:, 1][None, :, None] * r[:, None, None] * t[:, None]
            rings = points[:, end][:, None] + off, caps[:, 0] * r[:, None]
            same = np.repeat(t[:, None], len(caps), axis=1)
            order = (0, 1) if end == 0 else (1, 0)
            points = _joined(rings[0], points, order)
            radii = _joined(rings[1], radii, order)
            along = _joined(same, along, order)
        side = carried_along(along)
        other = np.cross(along, side)
        a = 2 * np.pi * np.arange(SIDES) / SIDES
        out = np.cos(a)[:, None] * side[:, :, None] + np.sin(a)[:, None] * other[:, :, None]
        return np.asarray(points[:, :, None] + radii[..., None, None] * out).reshape(-1, 3)

    @property
    def triangles(self) -> npt.NDArray[np.int64]:
        rings = self.curves[0].count + 2 * len(self.ends)
        one = wall(rings, SIDES)
        offsets = rings * SIDES * np.arange(len(self.curves))
        return np.concatenate([one + k for k in offsets])


@dataclass(frozen=True, eq=False)
class Ribbon:
    """A rod with a rectangular section."""

    curve: Curve

    def corners(self, anchors: Array) -> Array:
        """(n, 3) [m]: four at each point."""
        c = self.curve
        points = anchors[c.first : c.first + c.count]
        y = anchors[c.sides : c.sides + c.count] - points
        z = np.cross(np.gradient(points, axis=0), y)
        z *= (c.radii / np.maximum(np.linalg.norm(z, axis=1), TINY))[:, None]
        return np.stack(
            [points + y + z, points - y + z, points - y - z, points + y - z], 1
        ).reshape(-1, 3)

    @property
    def triangles(self) -> npt.NDArray[np.int64]:
        last = 4 * (self.curve.count - 1)
        ends = [[0, 2, 1], [0, 3, 2], [last, last + 1, last + 2], [last, last + 2, last + 3]]
        return np.concatenate([wall(self.curve.count, 4), np.array(ends)])


@dataclass(frozen=True, eq=False)
class Solids:
    """Bodies, each with its own corners in units of its axes."""

    bodies: tuple[Body, ...]

    def corners(self, anchors: Array) -> Array:
        found = []
        for x in self.bodies:
            origin = anchors[x.first]
            found.append(origin + x.mesh.corners @ (anchors[x.first + 1 : x.first + 4] - origin))
        return np.concatenate(found)

    @property
    def triangles(self) -> npt.NDArray[np.int64]:
        offsets = np.cumsum([0, *(len(x.mesh.corners) for x in self.bodies)])
        each = [x.mesh.triangles + k for x, k in zip(self.bodies, offsets, strict=False)]
        return np.concatenate(each).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Surface:
    """All that has one colour."""

    name: str
    color: Color
    parts: tuple[Tubes | Ribbon | Solids, ...]

    def corners(self, anchors: Array) -> npt.NDArray[np.float32]:
        return np.concatenate([x.corners(anchors) for x in self.parts]).astype(np.float32)

    def triangles(self, anchors: Array) -> npt.NDArray[np.uint32]:
        offsets = np.cumsum([0, *(len(x.corners(anchors)) for x in self.parts)])
        each = [x.triangles + k for x, k in zip(self.parts, offsets, strict=False)]
        return np.concatenate(each).astype(np.uint32)


def surfaces(scene: Scene) -> tuple[Surface, ...]:
    """Of everything but tendons, which are lines that change their colours."""
    found: dict[tuple[str, Color], list[Tubes | Ribbon | Solids]] = {}
    groups: dict[tuple[str, str, int, bool], list[Curve]] = {}
    for x in scene.curves:
        if x.sides >= 0:
            found.setdefault(("rods", to_rgba(x.color)), []).append(Ribbon(x))
        elif x.tendon < 0:
            kind = "forces" if x.kind == "force" else "robot"
            key = kind, x.color, x.count, x.kind in ROUNDED_KINDS
            groups.setdefault(key, []).append(x)
    for (kind, color, _, rounded), curves in groups.items():
        tubes = Tubes(tuple(curves), ROUND if rounded else FLAT)
        found.setdefault((kind, to_rgba(color)), []).append(tubes)
    bodies: dict[tuple[str, Color], list[Body]] = {}
    for body in scene.bodies:
        bodies.setdefault((body.kind, body.mesh.color), []).append(body)
    for whose, each in bodies.items():
        found.setdefault(whose, []).append(Solids(tuple(each)))
    return tuple(
        Surface(f"{name}-{k}", color, tuple(parts))
        for k, ((name, color), parts) in enumerate(found.items())
    )


def tendon_segments(
    scene: Scene, anchors: Array, tension: Array, colors: Array, hangs: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """Lines (n, 2, 3) and their colours (n, 2, 3): tendons that hang are dashed."""
    lines, shades = [np.zeros((0, 2, 3))], [np.zeros((0, 3))]
    for x in scene.curves:
        if x.tendon < 0:
            continue
        at = anchors[x.first : x.first + x.count]
        each = dashes(at, scene.drawing.size) if hangs[x.tendon] else np.stack([at[:-1], at[1:]], 1)
        lines.append(each)
        shades.append(np.repeat(colors[x.tendon, :3][None], len(each), axis=0))
    paint = np.repeat(np.concatenate(shades)[:, None], 2, axis=1)
    return np.concatenate(lines).astype(np.float32), line_colors(paint)


def dashes(points: Array, size: float) -> Array:
    """Pieces (n, 2, 3) of a line through points, of one length and one distance."""
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    starts = np.arange(0.0, max(length[-1], TINY), (DASH + GAP) * size)
    ends = np.minimum(starts + DASH * size, length[-1])
    both = [np.column_stack([np.interp(s, length, x) for x in points.T]) for s in (starts, ends)]
    return np.stack(both, axis=1)


def _joined(a: Array, b: Array, order: tuple[int, int]) -> Array:
    return np.concatenate([(a, b)[k] for k in order], axis=1)
