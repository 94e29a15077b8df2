"""Places and bodies: points fixed in frames, placements of joints, rigid bodies."""

import math
from typing import Annotated

from pydantic import AfterValidator, Field

from chorda.describe.quantity import Record, quantity

Vector = tuple[float, float, float]


def _unit_length(value: Vector) -> Vector:
    norm = math.sqrt(sum(c * c for c in value))
    if abs(norm - 1.0) > 1e-9:
        raise ValueError(
            f"expected a direction of length 1, got length {norm:g}; divide it by its length"
        )
    return value


Direction = Annotated[Vector, AfterValidator(_unit_length)]
Name = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_-]*$",
        description="letters, digits, '_' and '-', starting with a letter",
    ),
]


class Point(Record):
    """A point fixed in a frame: by its coordinates, or by the name of an anchor of that frame."""

    frame: str = Field("world", description="'world', a joint's name, or joint.frame (x1.top)")
    point: Vector | str = quantity(
        "m",
        "coordinates in the frame, or an anchor: 'origin'; X-joint base and top: 'left', 'right'",
        default="origin",
        usual=(0, 20),
    )


class Placement(Record):
    """Where a joint stands in its parent's frame: a shift, then a turn about one axis."""

    position: Vector = quantity("m", "shift in the parent's axes", default=(0, 0, 0), usual=(0, 20))
    axis: Direction = Field((0, 0, 1), description="axis of the turn, a unit vector")
    angle: float = quantity("rad", "angle of the turn", default=0.0, usual=(0, 2 * math.pi))


class Body(Record):
    """A rigid body fixed in its joint's frame."""

    mass: float = quantity("kg", "mass", positive=True, usual=(1e-6, 1e3))
    center: Vector = quantity("m", "centre of mass", default=(0, 0, 0), usual=(0, 20))
    inertia: tuple[float, float, float, float, float, float] = quantity(
        "kg m^2",
        "Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass, in the frame's axes",
        default=(0, 0, 0, 0, 0, 0),
        usual=(0, 1e3),
    )
