"""Walls of bores that stand still, to scale: the outline of a bent tube, and of its mouths."""

from collections.abc import Iterator

import numpy as np

from chorda.describe.bent_lines import Piece, bent_line
from chorda.describe.shapes import Bore
from chorda.mechanics import Array
from chorda.mechanics.posing import frame_poses
from chorda.view.drawing import Drawing
from chorda.view.shape_outlines import FLATNESS, around

ARC_POINTS = 24


def bore_walls(drawing: Drawing) -> list[Array]:
    """Curves on the page (m, 2) [m]: of each bore both sides, and its mouths where they are seen.

    Seen from anywhere, a tube reaches as far as its radius from the line in its middle.
    """
    return [wall for bore in drawing.system.robot.shapes for wall in _walls(drawing, bore)]


def _walls(drawing: Drawing, bore: object) -> Iterator[Array]:
    if not isinstance(bore, Bore):
        return
    pose = _resting(drawing, bore.frame)
    if pose is None:
        return
    R, origin = pose
    pieces = bent_line(bore.points, bore.bend_radius)
    line = origin + np.vstack([_along(x) for x in pieces]) @ R.T
    values = dict(zip(drawing.system.parameter_names, drawing.parameters, strict=True))
    radius = float(values[f"{bore.name}.radius"])
    page = drawing.project(line)
    moves = np.linalg.norm(np.diff(page, axis=0), axis=1) > FLATNESS
    page = page[np.concatenate([[True], moves])]
    if len(page) > 1:
        ways = np.gradient(page, axis=0)
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        out = radius * np.column_stack([-ways[:, 1], ways[:, 0]])
        yield page + out
        yield page - out
    if not drawing.planar or len(page) < 2:
        for at, way in ((line[0], line[1] - line[0]), (line[-1], line[-1] - line[-2])):
            first = np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])
            first /= np.linalg.norm(first)
            second = np.cross(way, first) / np.linalg.norm(way)
            ring = at + radius * around(first, second)
            yield drawing.project(np.vstack([ring, ring[:1]]))


def _along(piece: Piece) -> Array:
    """Points of a straight piece or an arc (m, 3)."""
    if piece.centre is None:
        return np.array([piece.start, piece.end])
    assert piece.outward is not None
    assert piece.along is not None
    angles = np.linspace(0, piece.sweep, ARC_POINTS)[:, None]
    size = float(np.linalg.norm(piece.start - piece.centre))
    found: Array = piece.centre + size * (
        np.cos(angles) * piece.outward + np.sin(angles) * piece.along
    )
    return found


def _resting(drawing: Drawing, frame: str) -> tuple[Array, Array] | None:
    """Rotation and origin of a frame that never moves; None of others."""
    if frame == "world":
        return np.eye(3), np.zeros(3)
    system = drawing.system
    elsewhere = system.rest + 0.1 * np.cos(np.arange(system.nq))
    q = np.array([system.rest, elsewhere])
    R, p = frame_poses(system, [frame], q, np.atleast_2d(drawing.parameters)[0])
    still = np.ptp(R, axis=0).max() < FLATNESS and np.ptp(p, axis=0).max() < FLATNESS
    return (R[0, 0], p[0, 0]) if still else None
