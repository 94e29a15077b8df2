"""Springs as coils and dampers as cylinders, between points that move."""

from dataclasses import dataclass

import numpy as np

from chorda.mechanics import Array

TURNS, TURN_POINTS = 7, 10
STRAIGHT = 0.12  # part of the length at either end
CYLINDER = (0.0, 0.34, 0.34, 0.66, 0.66, 1.0)  # where a damper's radius changes
THIN_PART = 0.25  # of a damper's radius: its rod


@dataclass(frozen=True)
class Link:
    """A spring, or a damper, as a tube through `count` points."""

    spring: bool

    @property
    def count(self) -> int:
        return TURNS * TURN_POINTS + 3 if self.spring else len(CYLINDER)

    def radii(self, width: float, wire: float) -> Array:
        """Of the tube [m]; width: of the whole."""
        if self.spring:
            return np.full(self.count, wire)
        return width / 2 * np.array([THIN_PART, THIN_PART, 1, 1, THIN_PART, THIN_PART])

    def placed(self, ends: Array, width: float) -> Array:
        """Points (n, count, 3) between ends (n, 2, 3)."""
        start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
        if not self.spring:
            return start[:, None] + np.array(CYLINDER)[None, :, None] * way[:, None]
        length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
        along = way / length
        aside = np.eye(3)[int(np.argmin(np.abs(along[0])))] if len(along) else np.eye(3)[0]
        a = np.cross(along, aside)
        a /= np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-12)
        b = np.cross(along, a)
        s = np.linspace(STRAIGHT, 1 - STRAIGHT, TURNS * TURN_POINTS + 1)
        turn = 2 * np.pi * TURNS * np.linspace(0, 1, len(s))
        round_ = np.cos(turn)[:, None] * a[:, None] + np.sin(turn)[:, None] * b[:, None]
        coil = start[:, None] + s[None, :, None] * way[:, None] + width / 2 * round_
        return np.concatenate([ends[:, :1], coil, ends[:, 1:]], axis=1)
