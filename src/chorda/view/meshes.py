"""Surfaces of a robot's shape: tubes along curves, and disks, as triangles."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chorda.mechanics import Array

TUBE_SIDES = 16
Color = tuple[float, float, float, float]  # red, green, blue, opacity; sRGB from 0 to 1


@dataclass(frozen=True, eq=False)
class Mesh:
    """Corners (n, 3) [m], outward normals (n, 3), triangles (k, 3) counter-clockwise outside."""

    name: str
    corners: Array
    normals: Array
    triangles: npt.NDArray[np.uint32]
    color: Color


def tube(name: str, path: Array, radius: float, color: Color, sides: int = TUBE_SIDES) -> Mesh:
    """A round tube along a curve (n, 3) [m], closed at its ends."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = carried_along(along[None])[0]
    a = (2 * np.pi * np.arange(sides) / sides)[None, :, None]
    out = np.cos(a) * side[:, None] + np.sin(a) * np.cross(along, side)[:, None]
    return closed_rings(name, color, path[:, None] + radius * out, out, along[0], along[-1])


def disk(name: str, rim: Array, thickness: float, color: Color) -> Mesh:
    """A flat cylinder around a rim (n, 3) [m]: half of the thickness on each side."""
    center = rim.mean(axis=0)
    out = (rim - center) / np.linalg.norm(rim - center, axis=1, keepdims=True)
    axis = np.cross(out[0], out[1])
    axis /= np.linalg.norm(axis)
    rings = np.stack([rim - thickness / 2 * axis, rim + thickness / 2 * axis])
    return closed_rings(name, color, rings, np.stack([out, out]), axis, axis)


def closed_rings(
    name: str, color: Color, rings: Array, normals: Array, start: Array, end: Array
) -> Mesh:
    """A wall through rings of corners (r, s, 3), between lids across start and end (3)."""
    parts = [
        (rings.reshape(-1, 3), normals.reshape(-1, 3), wall(*rings.shape[:2])),
        _lid(rings[0][::-1], -start),
        _lid(rings[-1], end),
    ]
    corners, outward, triangles = zip(*parts, strict=True)
    offsets = np.cumsum([0, *(len(x) for x in corners[:-1])])
    shifted = [x + offset for x, offset in zip(triangles, offsets, strict=True)]
    indices = np.vstack(shifted).astype(np.uint32)
    return Mesh(name, np.vstack(corners), np.vstack(outward), indices, color)


def carried_along(along: Array) -> Array:
    """Unit vectors across curves with tangents (c, n, 3) that turn about them as little as
    possible."""
    side = np.empty_like(along)
    first = along[:, 0]
    last = np.cross(first, np.eye(3)[np.argmin(np.abs(first), axis=1)])
    for k in range(along.shape[1]):
        t = along[:, k]
        last = last - t * np.sum(last * t, axis=1, keepdims=True)
        last = last / np.linalg.norm(last, axis=1, keepdims=True)
        side[:, k] = last
    return side


def wall(rings: int, sides: int) -> npt.NDArray[np.int64]:
    """Triangles between rings of corners, one after the other."""
    k, i = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing="ij")
    a, b = k * sides + i, k * sides + (i + 1) % sides
    c, d = a + sides, b + sides
    return np.concatenate([np.stack([a, b, d], -1), np.stack([a, d, c], -1)]).reshape(-1, 3)


def _lid(ring: Array, normal: Array) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Corners, normals, triangles of a flat end; the ring is counter-clockwise about the normal."""
    n = len(ring)
    fan = np.stack([np.zeros(n - 2, int), np.arange(1, n - 1), np.arange(2, n)], -1)
    return ring, np.repeat(normal[None], n, 0), fan
