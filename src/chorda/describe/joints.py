"""Joints: each maps a few coordinates to the frames it carries."""

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from chorda.describe.geometry import TURN, Body, Direction, Interval, Placement
from chorda.describe.joint_base import JointBase
from chorda.describe.laws import DryFriction, SlidingFriction, check_unloaded
from chorda.describe.quantity import Number, Record, optional, quantity
from chorda.describe.rods import Rod
from chorda.describe.stops import SlidingStop, Stop, check_range

DRY = "absent: no dry friction"
BAR = "mass, centre and inertia in its frame, as from CAD; none: a slender uniform bar"
STOP = "what holds the joint at the ends of its range; none: leaving the range ends a motion"


class DenavitHartenberg(Record):
    """A link in Denavit-Hartenberg form: from its joint's axis z to the next one.

    Its far end is the frame `tip`: turned by theta about z and shifted by d along it, then shifted
    by a along x and turned by alpha about it. The joint's coordinate adds to theta (revolute) or to
    d (prismatic).

    See Also
    --------
    chain : joints from a table of them.
    Revolute : has it as its `link`.

    Examples
    --------
    >>> from chorda.describe import DenavitHartenberg
    >>> DenavitHartenberg(a=0.3).theta
    0.0
    """

    a: Number = quantity("m", "distance of the axes, along x", default=0.0, usual=(0, 20))
    alpha: Number = quantity("rad", "twist of the axes, about x", default=0.0, usual=TURN)
    d: Number = quantity("m", "offset along the joint's axis z", default=0.0, usual=(0, 20))
    theta: Number = quantity("rad", "turn about the joint's axis z", default=0.0, usual=TURN)


class _OneAxis(JointBase):
    axis: Direction = quantity(
        "-", "joint axis in the placed frame, a unit vector", default=(0, 0, 1)
    )
    body: Body | None = Field(None, description="the body it carries, if it has mass")
    link: DenavitHartenberg | None = Field(
        None, description="Denavit-Hartenberg form of the link; its far end is the frame NAME.tip"
    )

    @model_validator(mode="after")
    def _moves_about_z(self) -> "_OneAxis":
        if self.link is not None and self.axis != (0, 0, 1):
            raise ValueError(
                f"axis {list(self.axis)} is inconsistent with the Denavit-Hartenberg form of its "
                "link, whose axis is z: expected [0, 0, 1]; leave axis out and turn the joint by "
                "its placement or by the alpha of the link before it"
            )
        return self

    @model_validator(mode="after")
    def _stops_at_its_range(self) -> "_OneAxis":
        check_range(self)
        return self


class Revolute(_OneAxis):
    """One turn about an axis; its coordinate is the angle in radians.

    See Also
    --------
    Prismatic : slides.
    XJoint : rolls on crossed bars.

    Examples
    --------
    >>> from chorda.describe import Revolute
    >>> Revolute(name="knuckle", range=(-1.6, 0.1)).axis
    (0, 0, 1)
    """

    kind: Literal["revolute"] = "revolute"
    friction: Number | None = optional("N m s/rad", "viscous friction", 1e3)
    dry_friction: DryFriction | None = Field(None, description=DRY)
    stiffness: Number | None = optional("N m/rad", "torsion spring", 1e5)
    rest: Number = quantity("rad", "rest angle of the spring", default=0.0, usual=TURN)
    range: Interval | None = quantity("rad", "admissible angles", default=None)
    stop: Stop | None = Field(None, description=STOP)


class Prismatic(_OneAxis):
    """One slide along an axis; its coordinate is the displacement in metres.

    See Also
    --------
    Revolute : turns.

    Examples
    --------
    >>> from chorda.describe import Prismatic
    >>> Prismatic(name="slide", axis=(1, 0, 0), range=(-0.1, 0.1)).kind
    'prismatic'
    """

    kind: Literal["prismatic"] = "prismatic"
    friction: Number | None = optional("N s/m", "viscous friction", 1e5)
    dry_friction: SlidingFriction | None = Field(None, description=DRY)
    stiffness: Number | None = optional("N/m", "spring along the axis", 1e7)
    rest: Number = quantity("m", "rest displacement of the spring", default=0.0, usual=(0, 20))
    range: Interval | None = quantity("m", "admissible displacements", default=None)
    stop: SlidingStop | None = Field(None, description=STOP)


class Held(Record):
    """A joint that is held away from its reference configuration: a turn about its axis, a shift
    along it."""

    axis: Direction = quantity("-", "axis in the placed frame, a unit vector", default=(0, 0, 1))
    angle: Number = quantity("rad", "turn about the axis", default=0.0, usual=TURN)
    shift: Number = quantity("m", "shift along the axis", default=0.0, usual=(0, 20))


class Fixed(JointBase):
    """No motion: adds a further frame or body.

    See Also
    --------
    Free : moves in every direction.

    Examples
    --------
    >>> from chorda.describe import Fixed, Placement
    >>> Fixed(name="bracket", parent="world", placement=Placement(position=(0.1, 0, 0))).kind
    'fixed'
    """

    kind: Literal["fixed"] = "fixed"
    body: Body | None = Field(None, description="the body it carries, if it has mass")
    held: Held | None = Field(
        None,
        description="for a joint that is held: how far it is from the reference configuration, "
        "which lengths of tendons refer to",
    )

    @property
    def standing(self) -> Placement:
        """Where it stands, with how it is held."""
        if self.held is None:
            return self.placement
        from scipy.spatial.transform import Rotation

        placed, n = self.placement, np.array(self.held.axis)
        turn = Rotation.from_rotvec(placed.angle * np.array(placed.axis))
        origin = np.array(placed.position) + self.held.shift * np.asarray(turn.apply(n))
        way = (turn * Rotation.from_rotvec(self.held.angle * n)).as_rotvec()
        angle = float(np.linalg.norm(way))
        if not angle:
            return Placement(position=(origin[0], origin[1], origin[2]))
        x, y, z = np.where(np.abs(way) < 1e-14 * angle, 0.0, way / angle).tolist()
        return Placement(position=(origin[0], origin[1], origin[2]), axis=(x, y, z), angle=angle)


class Free(JointBase):
    """Six degrees of freedom: position and orientation, as a unit quaternion.

    See Also
    --------
    Fixed : does not move.

    Examples
    --------
    >>> from chorda.describe import Body, Free
    >>> Free(name="ball", body=Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5, 0, 0, 0))).kind
    'free'
    """

    kind: Literal["free"] = "free"
    body: Body | None = Field(None, description="the body it carries")


class XJoint(JointBase):
    """An anti-parallelogram: two crossed diagonals between a base bar and a top bar.

    Its coordinate alpha [rad] is the angle of the top bar against the base bar, positive to the
    left (counter-clockwise). It carries the frames base, left_diagonal (from the base's left end),
    right_diagonal, and top, each in the middle of its bar with x along it (of a diagonal: upwards).
    A bar is slender and uniform, or has the body that is given in its frame; the base bar belongs
    to what is below.

    See Also
    --------
    Revolute : turns about a fixed axis.

    Examples
    --------
    >>> from chorda.describe import XJoint
    >>> XJoint(name="x1", diagonal_length=0.1, bar_length=0.05, diagonal_mass=0.064,
    ...     bar_mass=0.032).kind
    'x'
    """

    kind: Literal["x"] = "x"
    diagonal_length: Number = quantity(
        "m", "length of each diagonal", positive=True, usual=(1e-3, 10)
    )
    bar_length: Number = quantity(
        "m", "length of base and top bar", positive=True, usual=(1e-3, 10)
    )
    diagonal_mass: Number | None = quantity(
        "kg",
        "mass of each diagonal without a body of its own",
        default=None,
        positive=True,
        usual=(1e-6, 1e3),
    )
    bar_mass: Number | None = quantity(
        "kg",
        "mass of the top bar, unless it has a body of its own",
        default=None,
        positive=True,
        usual=(1e-6, 1e3),
    )
    left_diagonal: Body | None = Field(None, description=BAR)
    right_diagonal: Body | None = Field(None, description=BAR)
    top: Body | None = Field(None, description=BAR)
    friction: Number | None = optional(
        "N m s/rad", "viscous friction in each of the four pivots", 1e3
    )
    dry_friction: DryFriction | None = Field(
        None, description="in each of the four pivots; absent: no dry friction"
    )
    range: Interval = quantity(
        "rad", "admissible angles", default=(-math.pi, math.pi), usual=(0, math.pi)
    )
    stop: Stop | None = Field(None, description=STOP)

    @model_validator(mode="after")
    def _bars_can_close(self) -> "XJoint":
        if self.bar_length >= self.diagonal_length:
            raise ValueError(
                f"the bars cannot close: bar_length {self.bar_length:g} m is not shorter than "
                f"diagonal_length {self.diagonal_length:g} m; make the diagonals longer or the "
                "bars shorter"
            )
        check_range(self)
        check_unloaded(self.dry_friction, "an X-joint's pivots")
        return self

    @model_validator(mode="after")
    def _bars_have_masses(self) -> "XJoint":
        diagonals = self.left_diagonal, self.right_diagonal
        for field, bodies, whose in (
            ("diagonal_mass", diagonals, "left_diagonal and right_diagonal"),
            ("bar_mass", (self.top,), "top"),
        ):
            uniform = any(body is None for body in bodies)
            if uniform and getattr(self, field) is None:
                raise ValueError(
                    f"{field}: this field is missing; give the mass of a uniform bar, or a body "
                    f"for {whose}"
                )
            if not uniform and getattr(self, field) is not None:
                raise ValueError(
                    f"{field}: expected none where {whose} has a body, whose mass counts, got "
                    f"{getattr(self, field):g} kg; leave one out"
                )
        return self


Joint = Annotated[Revolute | Prismatic | Fixed | Free | XJoint | Rod, Field(discriminator="kind")]
