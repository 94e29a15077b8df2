"""Shapes on the page: outlines, faces and shades of solids, half spaces, and what stands still."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from chorda.mechanics import Array
from chorda.view.bores import bore_walls
from chorda.view.camera import horizontal
from chorda.view.drawing import Drawing
from chorda.view.shape_outlines import FLATNESS, Solid, around, farthest, flat_faces, half_plane
from chorda.view.style import ROLES
from chorda.view.symbols import hatch

PATCH = 0.6  # half the side of a half space's patch over the robot's size, where it is spatial
HATCH_DEPTH = 0.02  # of the picture's larger side
SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def outlines(drawing: Drawing, solids: Iterable[Solid], k: int) -> list[Array]:
    """On the page (m, 2) [m], at the k-th time."""
    ways = around(*drawing.axes[:2])
    return [drawing.project(farthest(x.at(k), ways)[0]) for x in solids]


def faces(drawing: Drawing, solids: Iterable[Solid], k: int) -> list[Array]:
    """Flat faces and edges of meshes that are seen, on the page (m, 2) [m]; of other shapes in a
    plane outlines are enough."""
    solids = [x for x in solids if x.mesh is not None] if drawing.planar else solids
    seen = (face for x in solids for face in flat_faces(x.at(k), drawing.axes[2]))
    return [drawing.project(face) for face in seen]


def _from_behind(drawing: Drawing) -> list[Array]:
    """Outlines of obstacles (m, 2) [m], each before its faces, those nearest to the viewer last."""
    order = sorted(drawing.obstacles, key=lambda x: float(x.center[0] @ drawing.axes[2]))
    return [y for x in order for draw in (outlines, faces) for y in draw(drawing, [x], 0)]


def shades(drawing: Drawing, solids: Iterable[Solid], k: int) -> list[Array]:
    """On the floor below a spatial robot (m, 2) [m]."""
    ways = around(*horizontal(drawing.up))
    return [drawing.project(drawing.on_floor(farthest(x.at(k), ways)[0])) for x in solids]


def half_space(
    drawing: Drawing, plane: Solid, k: int, low: Array, high: Array
) -> tuple[Array, Array]:
    """What is solid within the corners of a picture (m, 2), and its edge (2, 2), or (0, 2).

    Of a planar robot it is the section; of a spatial one a patch of the plane beside the robot.
    """
    center, normal = plane.center[k], plane.edges[k, 0]
    if drawing.planar:
        across = drawing.project(normal)
        length = float(np.linalg.norm(across))
        if length < FLATNESS:  # seen from the front it is everywhere, or nowhere
            return np.zeros((0, 2)), np.zeros((0, 2))
        across = across / length
        return half_plane(across * (normal @ center) / length, across, low, high)
    a = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    a /= np.linalg.norm(a)
    b = np.cross(normal, a)
    corners = _foot(drawing, plane, k) + PATCH * drawing.size * SQUARE @ np.array([a, b])
    return drawing.project(corners), np.zeros((0, 2))


def obstacles_beside(drawing: Drawing, side: Array, axes: Array) -> list[Array]:
    """How far obstacles near a robot reach along two level axes (2, 3), at most by its size.

    side (2, n): where the robot is along these axes [m]; so is each of what is returned.
    """
    low, high = side.min(axis=1) - drawing.size, side.max(axis=1) + drawing.size
    reach = [axes @ farthest(x, np.vstack([axes, -axes]))[0].T for x in drawing.obstacles]
    near = [x for x in reach if np.all(x.max(axis=1) > low) and np.all(x.min(axis=1) < high)]
    return [np.clip(x, low[:, None], high[:, None]) for x in near]


def obstacle_bounds(drawing: Drawing, low: Array, high: Array) -> list[Array]:
    """Positions on the page [m] that a picture of a robot from low to high must show as well.

    Obstacles and half spaces count as far as they are nearer than the robot's size: a floor of
    100 m leaves the robot visible.
    """
    low, high = low - drawing.size, high + drawing.size
    found = outlines(drawing, drawing.obstacles, 0)
    found += [] if drawing.planar else shades(drawing, drawing.obstacles, 0)
    found += bore_walls(drawing)
    if drawing.framed.any():
        found += [drawing.project(_foot(drawing, x, 0))[None] for x in drawing.planes if x.fixed]
    near = [x for x in found if np.all(x.max(axis=0) > low) and np.all(x.min(axis=0) < high)]
    return [np.clip(x, low, high) for x in near]


def _foot(drawing: Drawing, plane: Solid, k: int) -> Array:
    """The point of a plane that is nearest to the middle of the motion (3) [m]."""
    shown = drawing.extents[drawing.framed].reshape(-1, 3)
    middle = (shown.min(axis=0) + shown.max(axis=0)) / 2
    normal = plane.edges[k, 0]
    return np.asarray(middle - ((middle - plane.center[k]) @ normal) * normal)


def near_robot(drawing: Drawing, solid: Solid) -> Solid:
    """A half space whose point is the nearest to the robot; other shapes as they are."""
    return replace(solid, center=_foot(drawing, solid, 0)[None]) if solid.kind == "plane" else solid


def draw_obstacles(ax: Axes, drawing: Drawing) -> list[Artist]:
    """Everything that stands still, below the robot; the limits of the axes are set.

    Returns what lies over the robot's shadow.
    """
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    low, high = np.array([left, bottom]), np.array([right, top])
    depth = HATCH_DEPTH * float(np.max(high - low))
    material, hatching = list[Array](), list[Array]()
    for plane in drawing.planes:
        if not plane.fixed or (not drawing.planar and drawing.level(plane) is not None):
            continue
        region, edge = half_space(drawing, plane, 0, low, high)
        material += [region] if len(region) else []
        hatching += hatch(edge[0], edge[1], depth) if len(edge) == 2 else []
    below = [] if drawing.planar else shades(drawing, drawing.obstacles, 0)
    over = PolyCollection(
        _from_behind(drawing),
        fc=ROLES.plate,
        ec=ROLES.ground,
        lw=0.9,
        joinstyle="round",
        zorder=1.7,
        gid="obstacles",
    )
    rim = "none" if drawing.planar else ROLES.frame
    for collection in (
        PolyCollection(material, fc=ROLES.grid, ec=rim, lw=0.8, zorder=0.8, gid="half spaces"),
        LineCollection(hatching, colors=ROLES.ground, linewidths=0.9, zorder=0.9),
        PolyCollection(below, fc=ROLES.shadow, ec="none", zorder=1.2),
        LineCollection(
            bore_walls(drawing), colors=ROLES.ground, linewidths=1.2, zorder=1.6, gid="bores"
        ),
        over,
    ):
        collection.set_in_layout(False)
        ax.add_collection(collection, autolim=False)
    return [over]
