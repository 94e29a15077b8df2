"""Shapes that can touch, placed in one common frame: every field is a CasADi expression [m]."""

from dataclasses import dataclass

from chorda.describe.bent_lines import Piece
from chorda.mechanics.frames import Expr, Pose


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
