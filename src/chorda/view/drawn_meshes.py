"""Meshes from files, as pictures need them: hulls, and the edges at which surfaces bend."""

import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.spatial import ConvexHull, QhullError

from chorda.describe import MeshFile
from chorda.mechanics import Array
from chorda.surface_files import Surface, read_below

SHARP = np.cos(np.deg2rad(30))  # a surface that bends by more has an edge there
MOST_EDGES = 2000  # the longest that are drawn as lines


@dataclass(frozen=True, eq=False)
class DrawnMesh:
    """Triangles with an area in units of the file, and the corners of their convex hull (h, 3)."""

    surface: Surface
    outermost: Array

    @cached_property
    def normals(self) -> Array:
        """Unit vectors (k, 3) across triangles."""
        return _across(self.surface)

    @cached_property
    def _shared(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Edges (e, 2), and the two triangles at each (e, 2); the same twice at a rim."""
        triangles = self.surface.triangles
        sides = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        edges, first, at = np.unique(sides, axis=0, return_index=True, return_inverse=True)
        last = np.empty(len(edges), np.int64)
        last[at.ravel()] = np.arange(len(sides))
        return edges, np.stack([first, last], axis=1) // 3

    def lines(self, viewer: Array) -> Array:
        """Ends (m, 2, 3) of edges to draw, seen from a direction in the file's axes: rims, sharp
        ones in front, and those beyond which the surface turns away."""
        edges, beside = self._shared
        faced = self.normals @ viewer > 0
        a, b = beside.T
        bent = np.sum(self.normals[a] * self.normals[b], axis=1) < SHARP
        drawn = (a == b) | (faced[a] != faced[b]) | (bent & (faced[a] | faced[b]))
        ends = self.surface.corners[edges[drawn]]
        long = np.argsort(-np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))
        return np.asarray(ends[long[:MOST_EDGES]])


def drawn_mesh(shape: MeshFile) -> DrawnMesh | None:
    """What a shape's file holds; nothing, with a warning, where the file is no longer there.

    A robot's file with a mesh that is missing is refused, but a motion stays useful elsewhere.
    """
    path = shape.folder / shape.file
    if not path.exists():
        warnings.warn(
            f"shapes.{shape.name}.file: {path} does not exist, so that the mesh is not drawn; put "
            "the file there",
            stacklevel=2,
        )
        return None
    about = path.stat()
    return _read(shape.folder.resolve(), shape.file, shape.name, shape.convex, about.st_mtime_ns)


@lru_cache(maxsize=32)
def _read(folder: Path, file: str, name: str, convex: bool, _: int) -> DrawnMesh:
    """The last argument is when the file changed."""
    surface = read_below(folder, file, f"shapes.{name}.file")
    try:
        hull = ConvexHull(surface.corners)
    except QhullError:  # flat: it is its own outline, and has no hull
        return DrawnMesh(surface, surface.corners)
    outermost = surface.corners[hull.vertices]
    if not convex:
        return DrawnMesh(surface, outermost)
    triangles = hull.simplices.astype(np.int64)
    turned = (
        np.sum(_across(Surface(surface.corners, triangles)) * hull.equations[:, :3], axis=1) < 0
    )
    triangles[turned] = triangles[turned][:, ::-1]
    used, at = np.unique(triangles, return_inverse=True)
    return DrawnMesh(Surface(surface.corners[used], at.reshape(-1, 3)), outermost)


def _across(surface: Surface) -> Array:
    a, b, c = (surface.corners[surface.triangles[:, k]] for k in range(3))
    out = np.cross(b - a, c - a)
    return np.asarray(out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-300))
