"""Files with meshes, written byte by byte from their definitions."""

import itertools
import struct

import numpy as np
from scipy.spatial import ConvexHull

CUBE = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
RING = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]  # an L, counter-clockwise


def cube_triangles():
    hull = ConvexHull(CUBE)
    triangles = hull.simplices.copy()
    for k, (a, b, c) in enumerate(CUBE[triangles]):
        if np.cross(b - a, c - a) @ hull.equations[k, :3] < 0:
            triangles[k] = triangles[k][::-1]
    return triangles


def binary_stl(title=b"made by hand"):
    each = [struct.pack("<12fH", 0, 0, 0, *CUBE[t].ravel(), 0) for t in cube_triangles()]
    return title.ljust(80) + struct.pack("<I", len(each)) + b"".join(each)


def text_stl():
    lines = ["solid cube"]
    for t in cube_triangles():
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x:g} {y:g} {z:g}" for x, y, z in CUBE[t]]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid cube", ""]).encode()


def angle_obj(relative=False):
    """An L of height 1 and volume 3, of which the convex hull has 3.5."""
    shift = -13 if relative else 0
    lines = [f"v {x} {y} {z}" for z in (0, 1) for x, y in RING]
    faces = [(1, 2, 3, 4), (1, 4, 5, 6), (7, 8, 9, 10), (7, 10, 11, 12)]
    faces = [x[::-1] if x[0] == 1 else x for x in faces]
    faces += [(i, i % 6 + 1, i % 6 + 7, i + 6) for i in range(1, 7)]
    lines += ["f " + " ".join(f"{k + shift}/1/1" for k in face) for face in faces]
    return "\n".join(["# an angle", "o angle", *lines, ""]).encode()


def volume(corners, triangles):
    """Inside a closed surface that is counter-clockwise from outside."""
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)
