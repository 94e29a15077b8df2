"""What acts between points of a robot: springs, dampers, loads and closures."""

from typing import Literal

from pydantic import Field, model_validator

from chorda.describe.geometry import Direction, Point, Vector
from chorda.describe.names import Name
from chorda.describe.quantity import Number, Record, optional, quantity


class Spring(Record):
    """A linear spring between two points."""

    name: Name
    start: Point
    end: Point
    stiffness: Number = quantity("N/m", "stiffness", non_negative=True, usual=(0, 1e7))
    free_length: Number = quantity("m", "length without force", non_negative=True, usual=(0, 20))
    damping: Number | None = optional("N s/m", "damping along the spring", 1e5)


class Damper(Record):
    """A viscous damper between two points."""

    name: Name
    start: Point
    end: Point
    damping: Number = quantity("N s/m", "damping", non_negative=True, usual=(0, 1e5))


class Load(Record):
    """A constant wrench at a point, in the world's axes or following the body."""

    name: Name
    at: Point
    force: Vector = quantity("N", "force", default=(0, 0, 0), usual=(0, 1e4))
    moment: Vector = quantity("N m", "moment", default=(0, 0, 0), usual=(0, 1e4))
    follows: bool = Field(False, description="true: axes turn with the body; false: world axes")


class Closure(Record):
    """Joins two frames of the tree: the loop stays closed while the robot moves."""

    name: Name
    kind: Literal["spherical", "universal", "revolute", "fixed"] = Field(
        description="spherical: the points coincide; universal: and two axes, one of each frame, "
        "stay perpendicular; revolute: and the axes coincide; fixed: and all axes"
    )
    start: Point
    end: Point
    axis: Direction = quantity(
        "-",
        "in the start frame, a unit vector; revolute: the common axis; universal: the first",
        default=(0, 0, 1),
    )
    cross_axis: Direction | None = quantity(
        "-",
        "universal: the second axis, perpendicular to the first, in the end frame, a unit vector",
        default=None,
    )

    @model_validator(mode="after")
    def _has_its_axes(self) -> "Closure":
        if self.kind == "universal" and self.cross_axis is None:
            raise ValueError(
                "cross_axis: this field is missing; a universal closure needs the axis of the end "
                "frame that stays perpendicular to `axis` of the start frame, such as [0, 1, 0]"
            )
        if self.kind != "universal" and self.cross_axis is not None:
            raise ValueError(
                f"cross_axis: expected none for kind: {self.kind}, got {list(self.cross_axis)}; "
                "leave it out, or take kind: universal"
            )
        return self
