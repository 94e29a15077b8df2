"""Shapes that touch, in pictures: where they are, their outlines on the page, and half spaces.

A shape is what is within a radius of a box, of which edges may be missing: a ball, a capsule, a
box. Its farthest points along directions are its outline, from wherever it is seen.
"""

from dataclasses import dataclass, replace

import numpy as np

from chorda.describe import MeshFile
from chorda.mechanics import Array, System
from chorda.view.drawn_meshes import DrawnMesh, drawn_mesh

OUTLINE_POINTS = 96
TINY = 1e-12  # [m] an edge that is not there
FLATNESS = 1e-9  # [m] what moves by less stands still


@dataclass(frozen=True, eq=False)
class Solid:
    """A shape at n times: its centre (n, 3), half edges as rows (n, 3, 3) and radius (n) [m].

    Of a cylinder the first half edge is along its axis, of a plane it is the normal. Of a mesh they
    are the units of its file, along its axes.
    """

    name: str
    kind: str
    fixed: bool  # it never moves
    center: Array
    edges: Array
    radius: Array
    mesh: DrawnMesh | None = None

    def at(self, k: int) -> "Solid":
        """At the k-th time alone."""
        row = slice(k, k + 1)
        at = self.center[row], self.edges[row], self.radius[row]
        return replace(self, center=at[0], edges=at[1], radius=at[2])


def make_solids(system: System, q: Array, samples: Array, parameters: Array) -> tuple[Solid, ...]:
    """All shapes that are fixed in frames, at configurations q (n, nq).

    samples: configurations that show which of them move; parameters: (np), or (n, np) for each.
    """
    shapes = system.picture.shapes
    if not shapes:
        return ()
    found = _columns(system, q, parameters)
    moved = np.ptp(_columns(system, samples, np.atleast_2d(parameters)[0]), axis=0)
    meshes = [drawn_mesh(x) if isinstance(x, MeshFile) else None for x in shapes]
    return tuple(
        Solid(
            shape.name,
            shape.kind,
            bool(np.all(moved[k] < FLATNESS)),
            found[:, k, :3],
            found[:, k, 3:12].reshape(-1, 3, 3),
            found[:, k, 12],
            meshes[k],
        )
        for k, shape in enumerate(shapes)
        if shape.kind != "mesh" or meshes[k] is not None
    )


def _columns(system: System, q: Array, parameters: Array) -> Array:
    """Numbers (n, shapes, 13) of the shapes."""
    n, count = len(q), len(system.picture.shapes)
    if not n:
        return np.zeros((0, count, 13))
    rows = np.broadcast_to(parameters, (n, parameters.shape[-1]))
    flat = system.solids(q.T, rows.T).full()
    return np.asarray(flat.reshape(13, n, count).transpose(1, 2, 0))


def farthest(solid: Solid, directions: Array) -> Array:
    """Points (n, m, 3) [m] of a shape that are farthest along unit vectors (m, 3)."""
    if solid.mesh is not None:
        outer = solid.mesh.outermost
        best = [outer[np.argmax(outer @ (x @ directions.T), axis=0)] @ x for x in solid.edges]
        return solid.center[:, None] + np.array(best).reshape(-1, len(directions), 3)
    ahead = np.einsum("nij,mj->nmi", solid.edges, directions)
    corners = solid.center[:, None] + np.einsum(
        "nmi,nij->nmj", np.where(np.abs(ahead) > TINY, np.sign(ahead), 0.0), solid.edges
    )
    out = np.broadcast_to(directions, corners.shape)
    if solid.kind == "cylinder":
        axis = solid.edges[:, 0] / np.linalg.norm(solid.edges[:, 0], axis=1, keepdims=True)
        out = out - np.einsum("nmj,nj->nm", out, axis)[..., None] * axis[:, None]
        length = np.linalg.norm(out, axis=2, keepdims=True)
        out = np.where(length > TINY, out / np.maximum(length, TINY), 0.0)
    return np.asarray(corners + solid.radius[:, None, None] * out)


def around(right: Array, up: Array) -> Array:
    """Unit vectors (m, 3) all around in the plane of two that are at right angles."""
    angles = 2 * np.pi * np.arange(OUTLINE_POINTS) / OUTLINE_POINTS
    return np.outer(np.cos(angles), right) + np.outer(np.sin(angles), up)


def outline_of(solid: Solid, axes: Array) -> Array:
    """World points (m, 3) of the outline at the first time, seen along the last of the axes."""
    return farthest(solid.at(0), around(axes[0], axes[1]))[0]


def flat_faces(solid: Solid, viewer: Array) -> list[Array]:
    """World points (m, 3) around each flat face that is turned to the viewer; edges of a mesh."""
    center, edges, radius = solid.center[0], solid.edges[0], float(solid.radius[0])
    if solid.mesh is not None:
        return list(center + solid.mesh.lines(edges @ viewer) @ edges)
    lengths = np.linalg.norm(edges, axis=1)
    found = []
    for i in range(3):
        if lengths[i] < TINY:
            continue
        outward = edges[i] / lengths[i]
        outward = outward if outward @ viewer > 0 else -outward
        if outward @ viewer < FLATNESS:
            continue
        if solid.kind == "cylinder":
            across = np.cross(outward, np.eye(3)[int(np.argmin(np.abs(outward)))])
            across /= np.linalg.norm(across)
            rim = around(across, np.cross(outward, across))
            found.append(center + lengths[i] * outward + radius * rim)
        elif np.all(lengths > TINY):
            a, b = edges[(i + 1) % 3], edges[(i + 2) % 3]
            middle = center + (lengths[i] + radius) * outward
            found.append(middle + np.array([a + b, a - b, -a - b, b - a]))
    return found


def half_plane(point: Array, normal: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """What of a half plane lies in a rectangle: its corners (m, 2), and its edge (2, 2) or (0, 2).

    point (2) on the edge; normal (2) out of the material; low, high: corners of the rectangle. The
    edge has the material on its right.
    """
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    depth = (corners - point) @ normal
    kept, cut = list[Array](), list[Array]()
    for k in range(4):
        a, b, x, y = corners[k], corners[(k + 1) % 4], depth[k], depth[(k + 1) % 4]
        if x <= 0:
            kept.append(a)
        if (x <= 0) != (y <= 0):
            cut.append(a + (b - a) * x / (x - y))
            kept.append(cut[-1])
    edge = np.array(cut).reshape(-1, 2)
    along = np.array([normal[1], -normal[0]])
    if len(edge) == 2 and (edge[1] - edge[0]) @ along < 0:
        edge = edge[::-1]
    return np.array(kept).reshape(-1, 2), edge
