"""Bores in pictures: the insides of bent tubes, drawn as tubes that can be seen through."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from chorda.describe import Bore
from chorda.describe.bent_lines import Piece, bent_line
from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.view.meshes import Color, Mesh, carried_along, wall

OPACITY = 0.28
WALL = 0.15  # of the tube around a bore, which has no thickness in the description, over its radius
TURN = np.pi / 36  # of an arc between two points
SIDES = 28
RIM_POINTS = 48
FLATNESS = 1e-9  # [m] what moves by less stands still


@dataclass(frozen=True, eq=False)
class BoreTube:
    """A bore at n times: points of its line (k, 3) [m] in its frame, the frame's origin (n, 3) [m]
    and axes as columns (n, 3, 3), and its radius (n) [m]."""

    name: str
    fixed: bool  # it never moves
    local: Array
    origin: Array
    R: Array
    radius: Array

    def line(self, k: int) -> Array:
        """Its line in the world (m, 3) [m] at the k-th time."""
        return np.asarray(self.origin[k] + self.local @ self.R[k].T)

    def farthest(self, directions: Array) -> Array:
        """Points (n, m, 3) [m] that are farthest along unit vectors (m, 3), or a little beyond."""
        lines = self.origin[:, None] + np.einsum("kj,nij->nki", self.local, self.R)
        best = np.argmax(lines @ directions.T, axis=1)
        found = np.take_along_axis(lines, best[..., None], axis=1)
        return np.asarray(found + (1 + WALL) * self.radius[:, None, None] * directions)

    def mesh(self, color: Color) -> Mesh:
        """The tube in its frame at the first time: its inner wall has the radius of the bore."""
        along = np.gradient(self.local, axis=0)
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        side = carried_along(along[None])[0]
        a = (2 * np.pi * np.arange(SIDES) / SIDES)[None, :, None]
        out = np.cos(a) * side[:, None] + np.sin(a) * np.cross(along, side)[:, None]
        inner, outer = (self.local[:, None] + r * out for r in self._radii)
        corners, normals = [outer, inner], [out, -out]
        for end, way in ((0, -1.0), (-1, 1.0)):
            corners += [np.stack([outer[end], inner[end]][:: int(way)])]
            normals += [np.broadcast_to(way * along[end], (2, SIDES, 3))]
        flips = (False, True, False, False)
        triangles, at = list[npt.NDArray[np.int64]](), 0
        for x, flip in zip(corners, flips, strict=True):
            own = wall(len(x), SIDES) + at
            triangles.append(own[:, ::-1] if flip else own)
            at += x.shape[0] * SIDES
        return Mesh(
            self.name,
            np.concatenate([x.reshape(-1, 3) for x in corners]),
            np.concatenate([x.reshape(-1, 3) for x in normals]),
            np.concatenate(triangles).astype(np.uint32),
            color,
        )

    @property
    def _radii(self) -> tuple[float, float]:
        return float(self.radius[0]), (1 + WALL) * float(self.radius[0])


def make_bores(system: System, q: Array, samples: Array, parameters: Array) -> tuple[BoreTube, ...]:
    """All bores at configurations q (n, nq).

    samples: configurations that show which of them move; parameters: (np), or (n, np) for each.
    """
    shapes = [x for x in system.robot.shapes if isinstance(x, Bore)]
    if not shapes:
        return ()
    frames = [x.frame for x in shapes]
    R, p = frame_poses(system, frames, q, parameters)
    first = np.atleast_2d(parameters)[0]
    turned, moved = frame_poses(system, frames, samples, first)
    spread = np.maximum(np.ptp(moved, axis=0).max(axis=1), np.ptp(turned, axis=0).max(axis=(1, 2)))
    rows = np.broadcast_to(parameters, (len(q), parameters.shape[-1]))
    names = list(system.parameter_names)
    return tuple(
        BoreTube(
            shape.name,
            bool(spread[k] < FLATNESS),
            sampled(bent_line(shape.points, shape.bend_radius)),
            p[:, k],
            R[:, k],
            rows[:, names.index(f"{shape.name}.radius")],
        )
        for k, shape in enumerate(shapes)
    )


def sampled(pieces: list[Piece]) -> Array:
    """Points (k, 3) [m] of a line: ends of straight pieces, and arcs in small turns.

    >>> sampled(bent_line([(0, 0, 0), (1, 0, 0)], None))
    array([[0., 0., 0.],
           [1., 0., 0.]])
    """
    points = [pieces[0].start]
    for x in pieces:
        if x.centre is not None and x.outward is not None and x.along is not None:
            count = max(2, int(np.ceil(x.sweep / TURN)))
            angles = x.sweep * np.arange(1, count) / count
            radius = float(np.linalg.norm(x.start - x.centre))
            turned = np.outer(np.cos(angles), x.outward) + np.outer(np.sin(angles), x.along)
            points += list(x.centre + radius * turned)
        points.append(x.end)
    return np.array(points)


def band(line: Array, radius: float) -> Array:
    """What is within a radius of a line on the page (k, 2), without its ends' roundness: (m, 2).

    Where the line points at the viewer it has no sides.
    """
    along = np.gradient(line, axis=0)
    size = np.linalg.norm(along, axis=1)
    seen = size > 1e-6 * max(float(size.max(initial=0.0)), 1e-300)
    if seen.sum() < 2:
        return np.zeros((0, 2))
    line, along = line[seen], along[seen] / size[seen, None]
    across = radius * np.column_stack([-along[:, 1], along[:, 0]])
    return np.concatenate([line + across, (line - across)[::-1]])


def mouths(tube: BoreTube, k: int) -> list[Array]:
    """The rims of both ends in the world, (m, 3) [m] each."""
    line, radius = tube.line(k), float(tube.radius[k])
    found = []
    for end, inside in ((0, 1), (-1, -2)):
        axis = line[end] - line[inside]
        axis = axis / np.linalg.norm(axis)
        a = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        a /= np.linalg.norm(a)
        turn = 2 * np.pi * np.arange(RIM_POINTS) / RIM_POINTS
        rim = np.outer(np.cos(turn), a) + np.outer(np.sin(turn), np.cross(axis, a))
        found.append(line[end] + radius * rim)
    return found


def kept_fixed(new: tuple[BoreTube, ...], old: tuple[BoreTube, ...]) -> tuple[BoreTube, ...]:
    """The same bores at other times; which of them move is known from before."""
    return tuple(replace(a, fixed=b.fixed) for a, b in zip(new, old, strict=True))
