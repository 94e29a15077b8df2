"""Shapes that can touch, placed in one common frame: every field is a CasADi expression [m]."""

from dataclasses import dataclass

import casadi as ca

from chorda.describe.bent_lines import Piece
from chorda.mechanics.frames import SX, Expr, Pose


@dataclass(frozen=True, eq=False)
class PlacedSphere:
    """All points within the radius of the centre."""

    centre: Expr  # (3)
    radius: Expr


@dataclass(frozen=True, eq=False)
class PlacedCapsule:
    """All points within the radius of the segment from start to end."""

    start: Expr  # (3)
    end: Expr  # (3)
    radius: Expr
    square: Expr | None = None  # of its length, where that does not change as it moves [m^2]

    @property
    def along(self) -> Expr:
        """From its start to its end (3)."""
        return ca.sparsify(self.end - self.start)

    @property
    def squared_length(self) -> Expr:
        return ca.sumsqr(self.along) if self.square is None else self.square


@dataclass(frozen=True, eq=False)
class PlacedPlane:
    """A half space: everything below the plane is solid."""

    point: Expr  # (3)
    normal: Expr  # (3), unit vector out of the material


@dataclass(frozen=True, eq=False)
class PlacedBox:
    """All points within `rounding` of an inner box; without rounding its edges are sharp."""

    centre: Expr  # (3)
    R: Expr  # (3 x 3), axes of the box as columns
    half: Expr  # (3), half sizes of the inner box
    rounding: Expr


@dataclass(frozen=True, eq=False)
class PlacedCylinder:
    """A solid cylinder with flat ends and sharp rims."""

    centre: Expr  # (3)
    axis: Expr  # (3), unit vector
    half_length: Expr
    radius: Expr


@dataclass(frozen=True, eq=False)
class PlacedBore:
    """The inside of a bent tube: its line in its own frame, and where that is."""

    pieces: tuple[Piece, ...]
    pose: Pose
    radius: Expr


Shape = PlacedSphere | PlacedCapsule | PlacedPlane | PlacedBox | PlacedCylinder | PlacedBore


def inner_radius(shape: Shape) -> Expr | None:
    """Of the largest ball inside a solid; None of what has no other side [m]."""
    if isinstance(shape, PlacedPlane | PlacedBore):
        return None
    if isinstance(shape, PlacedBox):
        return ca.mmin(shape.half) + shape.rounding
    if isinstance(shape, PlacedCylinder):
        return ca.fmin(shape.half_length, shape.radius)
    return shape.radius


def solid_column(shape: Shape) -> Expr:
    """A shape as numbers (13): its centre, three half edges, a radius [m].

    What is within the radius of the box that the half edges span; some of them may be zero. Of a
    cylinder the first half edge is along its axis, of a plane it is the normal.
    """
    none = SX(3, 1)
    if isinstance(shape, PlacedSphere):
        parts = shape.centre, none, none, none, shape.radius
    elif isinstance(shape, PlacedCapsule):
        middle, half = (shape.start + shape.end) / 2, (shape.end - shape.start) / 2
        parts = middle, half, none, none, shape.radius
    elif isinstance(shape, PlacedBox):
        edges = [shape.R[:, k] * shape.half[k] for k in range(3)]
        parts = shape.centre, *edges, shape.rounding
    elif isinstance(shape, PlacedPlane):
        parts = shape.point, shape.normal, none, none, SX(0)
    else:
        assert isinstance(shape, PlacedCylinder)
        parts = shape.centre, shape.axis * shape.half_length, none, none, shape.radius
    return ca.vertcat(*parts)
