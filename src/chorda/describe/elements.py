"""What acts between points or joints: springs, dampers, loads, closures and couplings."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field, model_validator

from chorda.describe.feeding import ONE_COORDINATE
from chorda.describe.geometry import Direction, Point, Vector
from chorda.describe.names import Name
from chorda.describe.quantity import Number, Record, optional, quantity


class Spring(Record):
    """A linear spring between two points.

    See Also
    --------
    Damper : a damper alone.

    Examples
    --------
    >>> from chorda.describe import Point, Spring
    >>> Spring(name="left", start=Point(), end=Point(frame="arm"), stiffness=600.0,
    ...     free_length=0.046).stiffness
    600.0
    """

    name: Name
    start: Point
    end: Point
    stiffness: Number = quantity("N/m", "stiffness", non_negative=True, usual=(0, 1e7))
    free_length: Number = quantity("m", "length without force", non_negative=True, usual=(0, 20))
    damping: Number | None = optional("N s/m", "damping along the spring", 1e5)


class Damper(Record):
    """A viscous damper between two points.

    See Also
    --------
    Spring : may have damping, too.

    Examples
    --------
    >>> from chorda.describe import Damper, Point
    >>> Damper(name="soft", start=Point(), end=Point(frame="arm"), damping=2.0).damping
    2.0
    """

    name: Name
    start: Point
    end: Point
    damping: Number = quantity("N s/m", "damping", non_negative=True, usual=(0, 1e5))


class Load(Record):
    """A constant wrench at a point, in the world's axes or following the body.

    See Also
    --------
    WrenchActuator : as an input.
    DistributedLoad : along a rod.

    Examples
    --------
    >>> from chorda.describe import Load, Point
    >>> Load(name="weight", at=Point(frame="tip"), force=(0, -5.0, 0)).follows
    False
    """

    name: Name
    at: Point
    force: Vector = quantity("N", "force", default=(0, 0, 0), usual=(0, 1e4))
    moment: Vector = quantity("N m", "moment", default=(0, 0, 0), usual=(0, 1e4))
    follows: bool = Field(False, description="true: axes turn with the body; false: world axes")


class Closure(Record):
    """Joins two frames of the tree: the loop stays closed while the robot moves.

    See Also
    --------
    Coupling : ties coordinates.

    Examples
    --------
    >>> from chorda.describe import Closure, Point
    >>> Closure(name="loop", kind="revolute", start=Point(frame="a"), end=Point(frame="b")).kind
    'revolute'
    """

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


class Coupling(Record):
    """Ties coordinates of joints linearly, as gears do: sum of factor * coordinate = offset.

    `factors: {middle: 0.7, tip: -1}` lets the tip turn by 0.7 of what the middle one turns.

    See Also
    --------
    Closure : joins frames.

    Examples
    --------
    >>> from chorda.describe import Coupling
    >>> Coupling(name="gear", factors={"first": 1.0, "second": -2.0}).factors["second"]
    -2.0
    """

    name: Name
    factors: dict[str, Number] = Field(
        description="factor of each joint that it ties, by name: revolute, prismatic or "
        "X-joints, or ROD.length of rods that are fed",
        json_schema_extra={"unit": "rad, m, or 1 over the joint's unit"},
    )
    offset: Number | None = quantity(
        "of the sum", "what the sum stays at; none: 0", default=None, usual=(0, 1e3)
    )

    @model_validator(mode="after")
    def _ties_two(self) -> "Coupling":
        if len(self.factors) < 2 or not all(self.factors.values()):
            raise ValueError(
                f"factors: expected factors that are not 0 of two joints or more, got "
                f"{self.factors}; to hold one joint, make it of kind fixed"
            )
        return self


def check_couplings(couplings: Sequence[Coupling], joints: Mapping[str, str]) -> None:
    """Joints that are tied have one coordinate; joints: kind by name."""
    known = [name for name, kind in joints.items() if kind in ONE_COORDINATE]
    for i, coupling in enumerate(couplings):
        for name in coupling.factors:
            if name not in known:
                got = f"is of kind {joints[name]}" if name in joints else "is no joint"
                raise ValueError(
                    f"couplings.{i}.factors.{name}: '{name}' {got}; expected revolute, prismatic "
                    "or X-joints, or lengths of rods that are fed: "
                    f"{', '.join(known) or '(there are none)'}"
                )
