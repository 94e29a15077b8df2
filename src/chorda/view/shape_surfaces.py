"""Surfaces of shapes that touch, as triangles: rounded boxes of all kinds, cylinders, planes."""

import numpy as np

from chorda.mechanics import Array
from chorda.view.meshes import Color, Mesh, closed_rings, tube
from chorda.view.shape_outlines import TINY, Solid

QUARTER_POINTS = 9  # along a quarter of a turn
CYLINDER_SIDES = 48


def surface(solid: Solid, patch: float, color: Color) -> Mesh:
    """The surface at the first time; patch: half the side [m] of a square for a half space."""
    center, edges, radius = solid.center[0], solid.edges[0], float(solid.radius[0])
    if solid.mesh is not None:
        found = solid.mesh
        corners = center + found.surface.corners[found.surface.triangles].reshape(-1, 3) @ edges
        normals = np.repeat(found.normals @ edges / np.linalg.norm(edges[0]), 3, axis=0)
        index = np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
        return Mesh(solid.name, corners, normals, index, color)
    if solid.kind == "plane":
        return _square(solid.name, center, patch * solid_axes(edges[None])[0], color)
    if solid.kind == "cylinder":
        ends = np.array([center - edges[0], center + edges[0]])
        return tube(solid.name, ends, radius, color, CYLINDER_SIDES)
    return _rounded_box(solid.name, center, edges, radius, color)


def solid_axes(edges: Array) -> Array:
    """Right-handed unit vectors as rows (n, 3, 3) for half edges (n, 3, 3) at n times: the last
    along the first edge, if there is one. Those that no edge determines turn as little as they can.
    """
    found, across = np.empty_like(edges), np.zeros(3)
    for k, (first, second, _) in enumerate(edges):
        long, wide = np.linalg.norm(first), np.linalg.norm(second)
        c = first / long if long > TINY else np.array([0.0, 0.0, 1.0])
        a = second if wide > TINY else across - c * (c @ across)
        if np.linalg.norm(a) <= TINY:
            a = np.cross(c, np.eye(3)[int(np.argmin(np.abs(c)))])
        across = a / np.linalg.norm(a)
        found[k] = across, np.cross(c, across), c
    return found


def _square(name: str, center: Array, axes: Array, color: Color) -> Mesh:
    """Seen from the side to which the last of the axes points."""
    a, b, normal = axes
    corners = center + np.array([-a - b, a - b, a + b, b - a])
    outward = np.repeat(normal[None] / np.linalg.norm(normal), 4, axis=0)
    return Mesh(name, corners, outward, np.array([[0, 1, 2], [0, 2, 3]], np.uint32), color)


def _rounded_box(name: str, center: Array, edges: Array, radius: float, color: Color) -> Mesh:
    """What is within a radius of a box: an eighth of a ball at each corner, and what is between.

    Where a quarter ends, the next begins with the same normal: flat faces are flat.
    """
    axes, half = solid_axes(edges[None])[0], np.linalg.norm(edges[[1, 2, 0]], axis=1)
    quarter = np.linspace(0, np.pi / 2, QUARTER_POINTS)
    turn = (quarter + np.pi / 2 * np.arange(4)[:, None]).ravel()
    side = np.repeat([(1, 1), (-1, 1), (-1, -1), (1, -1)], QUARTER_POINTS, axis=0)
    rise = np.concatenate([quarter - np.pi / 2, quarter])
    end = np.repeat([-1.0, 1.0], QUARTER_POINTS)
    level = np.cos(rise)[:, None]
    out = np.stack([level * np.cos(turn), level * np.sin(turn), np.sin(rise)[:, None] + 0 * turn])
    corner = np.stack(np.broadcast_arrays(*side.T, end[:, None]))
    local = half[:, None, None] * corner + radius * out
    rings, normals = (np.einsum("irs,ij->rsj", x, axes) for x in (local, out))
    mesh = closed_rings(name, color, center + rings, normals, axes[2], axes[2])
    return _without_slivers(mesh)


def _without_slivers(mesh: Mesh) -> Mesh:
    """Without triangles that have no area: where edges or radii are zero."""
    a, b, c = (mesh.corners[mesh.triangles[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    kept = mesh.triangles[area > 1e-12 * area.max()]
    used, at = np.unique(kept, return_inverse=True)
    triangles = at.reshape(kept.shape).astype(np.uint32)
    return Mesh(mesh.name, mesh.corners[used], mesh.normals[used], triangles, mesh.color)
