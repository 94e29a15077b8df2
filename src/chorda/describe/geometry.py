"""Geometry: points fixed in frames, placements of joints, rigid bodies."""

import math
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Discriminator, Field, Tag, field_validator

from chorda.checks import NEARLY_UNIT
from chorda.describe.quantity import Number, Record, quantity

ROUNDING = 0.01  # of moments of inertia that were printed with two or three digits
ROUNDED = 1e-9  # what a direction's length may be off by and stay as it is written
TURN = (0, 2 * math.pi)  # usual angles
Vector = tuple[Number, Number, Number]


def _unit_length(value: Vector) -> Vector:
    """As given within rounding, scaled where digits were cut; the rule of quaternions."""
    norm = math.hypot(*value)
    if abs(norm - 1.0) <= ROUNDED:
        return value
    if not abs(norm - 1.0) <= NEARLY_UNIT:
        remedy = "divide it by its length" if norm else "write it like [0, 0, 1]"
        raise ValueError(f"expected a direction of length 1, got length {norm:.9g}; {remedy}")
    x, y, z = (c / norm for c in value)
    return x, y, z


def _low_to_high(value: tuple[float, float]) -> tuple[float, float]:
    if value[0] >= value[1]:
        raise ValueError(
            f"expected [low, high] with low < high, got {list(value)}; exchange or widen them"
        )
    return value


def _coordinates_or_anchor(value: Any) -> str:
    return "anchor" if isinstance(value, str) else "coordinates"


Direction = Annotated[Vector, AfterValidator(_unit_length)]
Interval = Annotated[tuple[Number, Number], AfterValidator(_low_to_high)]
Position = Annotated[
    Annotated[Vector, Tag("coordinates")] | Annotated[str, Tag("anchor")],
    Discriminator(_coordinates_or_anchor),
]


class Point(Record):
    """A point fixed in a frame: by its coordinates, or by the name of an anchor of that frame.

    See Also
    --------
    Eyelet : with friction.
    Pulley : with a radius.

    Examples
    --------
    >>> from chorda.describe import Point
    >>> Point(frame="x1.top", point="left").frame
    'x1.top'
    """

    frame: str = Field("world", description="'world', a joint's name, or joint.frame (x1.top)")
    point: Position = quantity(
        "m",
        "coordinates in the frame, or an anchor: 'origin'; X-joint base and top: 'left', 'right'",
        default="origin",
        usual=(0, 20),
    )


class Placement(Record):
    """Where a joint stands in its parent's frame: a shift, then a turn about one axis.

    See Also
    --------
    Point : a point in a frame.

    Examples
    --------
    >>> from chorda.describe import Placement
    >>> Placement(position=(0, 0.045, 0)).axis
    (0, 0, 1)
    """

    position: Vector = quantity("m", "shift in the parent's axes", default=(0, 0, 0), usual=(0, 20))
    axis: Direction = quantity("-", "axis of the turn, a unit vector", default=(0, 0, 1))
    angle: Number = quantity("rad", "angle of the turn", default=0.0, usual=TURN)


class Body(Record):
    """A rigid body fixed in its joint's frame.

    See Also
    --------
    Revolute : carries one.

    Examples
    --------
    >>> from chorda.describe import Body
    >>> Body(mass=0.1, center=(0, 0.05, 0), inertia=(1e-4, 1e-5, 1e-4, 0, 0, 0)).mass
    0.1
    """

    mass: Number = quantity("kg", "mass", positive=True, usual=(1e-6, 1e3))
    center: Vector = quantity("m", "centre of mass", default=(0, 0, 0), usual=(0, 20))
    inertia: tuple[Number, Number, Number, Number, Number, Number] = quantity(
        "kg m^2",
        "Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass, in the frame's axes",
        default=(0, 0, 0, 0, 0, 0),
        usual=(0, 1e3),
    )

    @field_validator("inertia")
    @classmethod
    def _resists_every_turn(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        xx, yy, zz, xy, xz, yz = value
        moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if moments[0] < -1e-9 * abs(moments[2]):
            raise ValueError(
                f"expected principal moments of at least 0, got {moments[0]:g}; "
                "check signs and order"
            )
        if moments[1] <= 1e-9 * moments[2]:
            return value  # planar: only the moment about the axis that it turns about is given
        if moments[2] > (moments[0] + moments[1]) * (1 + ROUNDING):
            raise ValueError(
                f"expected principal moments of which none is larger than the other two together, "
                f"got {moments[0]:g}, {moments[1]:g}, {moments[2]:g}: no body has such; check "
                "units and order, and that they are about the centre of mass"
            )
        return value
