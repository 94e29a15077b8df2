"""The surfaces of a robot at the first of its configurations, and how each moves over them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.colors import to_rgba
from scipy.spatial import ConvexHull

from chorda.describe import Rod
from chorda.mechanics import Array
from chorda.view.artists import arms_of, diameter, solid_bodies
from chorda.view.bores import OPACITY
from chorda.view.curves import smooth
from chorda.view.drawing import Drawing
from chorda.view.meshes import Color, Mesh, disk, tube
from chorda.view.moving_parts import Poses, along, rigid
from chorda.view.obstacles import near_robot
from chorda.view.shape_items import Item, items
from chorda.view.shape_surfaces import surface
from chorda.view.style import ROLES
from chorda.view.tension_look import one_sided, tension_colors, tension_scale

TENDON_RATIO, CABLE_RATIO = 0.4, 0.3  # a tendon's radius over that of the thinnest rod, or bar
DISK_RATIO = 0.12  # a disk's thickness over its radius
BAR_RATIO = 0.045  # radius of what has none in the description, over the usual length of bodies
BAR_BOUNDS = 0.006, 0.02  # of that radius over the robot's size
CROWD = 8  # tendons that have room; more are thinner


@dataclass(frozen=True, eq=False)
class Part:
    """A surface, and its motion."""

    mesh: Mesh
    poses: Poses


def parts(drawing: Drawing, tension: Array) -> Iterator[Part]:
    """Surfaces of rods, disks, tendons, bodies and shapes; tension (tendons) [N]: the colours."""
    robot = drawing.system.robot
    rods = {x.name: diameter(x) / 2 for x in robot.joints if isinstance(x, Rod)}
    thick = body_radius(drawing)
    cable = TENDON_RATIO * min(rods.values()) if rods else CABLE_RATIO * thick
    cable /= max(len(robot.tendons) / CROWD, 1.0) ** 0.5
    shades = tension_colors(tension, tension_scale(tension), one_sided(drawing.system)).tolist()
    tendons = {t.name: (t, tuple(c)) for t, c in zip(robot.tendons, shades, strict=True)}
    grey, clear = to_rgba(ROLES.bar), to_rgba(ROLES.plate, 0.7)
    solid, arms = solid_bodies(drawing), arms_of(drawing)
    for name, rows in solid.items():
        yield _body(f"{name}.body", drawing.points[:, rows], thick, to_rgba(ROLES.plate))
    for item in items(drawing):
        at = item.points
        if item.kind == "disk":
            radius = float(np.linalg.norm(at[0, 1] - at[0, 0]))
            mesh = disk(item.name, at[0, 1:], DISK_RATIO * radius, clear)
            yield Part(mesh, rigid(at))
        elif item.kind == "tendon":
            tendon, color = tendons[item.name]
            curved = bool(tendon.sheaths) and not tendon.path
            yield _tube(item, cable, color, curved)
        elif item.kind == "rod":
            yield _tube(item, rods[item.name], grey, True)
        elif item.line not in arms or item.line.name not in solid:
            if _length(at[0]) > 0:
                yield _tube(item, thick, grey, False)
            else:
                yield _body(item.name, at, 1.5 * thick, grey)  # a body without extent
    for shape in drawing.solids:
        shade = to_rgba(ROLES.plate) if shape.fixed else to_rgba(ROLES.bar, 0.35)
        mesh = surface(near_robot(drawing, shape), drawing.size, shade)
        corners = shape.center[:, None] + np.concatenate([0 * shape.edges[:, :1], shape.edges], 1)
        yield Part(mesh, rigid(np.concatenate([corners, 2 * shape.center[:, None] - corners], 1)))
    for bore in drawing.bores:
        mesh = bore.mesh(to_rgba(ROLES.bore, OPACITY))
        at, turn = bore.origin, bore.R
        placed = replace(
            mesh, corners=at[0] + mesh.corners @ turn[0].T, normals=mesh.normals @ turn[0].T
        )
        ways = np.concatenate([turn, -turn], axis=2).transpose(0, 2, 1)
        yield Part(placed, rigid(at[:, None] + drawing.size * ways))


def body_radius(drawing: Drawing) -> float:
    """Of bars and links [m]: as they are drawn on pictures, in proportion to their length."""
    lengths = [x for line in drawing.bodies if (x := drawing.length(line)) > 0]
    low, high = (ratio * drawing.size for ratio in BAR_BOUNDS)
    return float(np.clip(BAR_RATIO * np.median(lengths), low, high)) if lengths else high


def _tube(item: Item, radius: float, color: Color, curved: bool) -> Part:
    paths = np.array([smooth(x) for x in item.points]) if curved else item.points
    if item.kind == "tendon" and not curved:
        paths = _apart(paths)
    mesh, rings = tube(item.name, paths[0], radius, color), paths.shape[1]
    sides = len(mesh.corners) // (rings + 2)
    lids = [np.zeros(sides), np.full(sides, rings - 1)]
    return Part(mesh, along(paths, np.concatenate([np.repeat(np.arange(rings), sides), *lids])))


def _apart(paths: Array) -> Array:
    """Points that never coincide with the one before (n, k, 3): a tube needs a direction."""
    gaps = np.linalg.norm(np.diff(paths, axis=1), axis=2).min(axis=0)
    kept = np.concatenate([[True], gaps > 1e-9 * _length(paths[0])])
    return paths[:, kept] if kept.sum() > 1 else paths[:, [0, -1]]


def _length(path: Array) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _body(name: str, points: Array, radius: float, color: Color) -> Part:
    """The smallest convex solid that is a radius away from points (n, k, 3)."""
    golden = (1 + 5**0.5) / 2
    way = np.array([(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)])
    way = np.vstack([way, way[:, [1, 2, 0]], way[:, [2, 0, 1]]]) / np.hypot(1, golden)
    way = np.vstack([way, *(x for a in way for b in way if 0.1 < (x := a + b) @ x < 3.0)])
    way = np.unique(np.round(way / np.linalg.norm(way, axis=1, keepdims=True), 9), axis=0)
    cloud = (points[0][:, None] + radius * way).reshape(-1, 3)
    hull = ConvexHull(cloud)
    faces = hull.simplices
    a, b, c = (cloud[faces[:, k]] for k in range(3))
    outward = hull.equations[:, :3]
    turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), outward) < 0
    faces[turned] = faces[turned][:, ::-1]
    corners = cloud[faces].reshape(-1, 3)
    index = np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
    return Part(Mesh(name, corners, np.repeat(outward, 3, axis=0), index, color), rigid(points))
