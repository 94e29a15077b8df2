"""Rods: soft joints whose coordinates are modes of their strains."""

import math
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from chorda.describe.feeding import Feeder, check_fed
from chorda.describe.geometry import Body, Vector
from chorda.describe.joint_base import JointBase
from chorda.describe.names import Name
from chorda.describe.quantity import Number, Record, optional, quantity
from chorda.describe.tendon_friction import SheathFriction

STRAINS = ("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")


def _listed(value: Any) -> Any:
    return value if isinstance(value, list | tuple | dict | str) else (value,)


Polynomial = Annotated[tuple[Number, ...], BeforeValidator(_listed)]


class Circle(Record):
    """A solid round section.

    See Also
    --------
    Rod : has it as its `section`.
    Tube : with a hole.
    Rectangle : with corners.

    Examples
    --------
    >>> from chorda.describe import Circle
    >>> Circle(radius=0.001).kind
    'circle'
    """

    kind: Literal["circle"] = "circle"
    radius: Number = quantity("m", "radius", positive=True, usual=(1e-5, 1))


class Tube(Record):
    """A round section with a hole.

    See Also
    --------
    Circle : without a hole.

    Examples
    --------
    >>> from chorda.describe import Tube
    >>> Tube(radius=0.001, inner_radius=0.0008).kind
    'tube'
    """

    kind: Literal["tube"] = "tube"
    radius: Number = quantity("m", "outer radius", positive=True, usual=(1e-5, 1))
    inner_radius: Number = quantity("m", "inner radius", positive=True, usual=(1e-5, 1))

    @model_validator(mode="after")
    def _has_a_wall(self) -> "Tube":
        if self.inner_radius >= self.radius:
            raise ValueError(
                f"inner_radius {self.inner_radius:g} m is not smaller than the outer radius "
                f"{self.radius:g} m; exchange them, or take kind: circle"
            )
        return self


class Rectangle(Record):
    """A rectangular section: width along its y, height along its z.

    See Also
    --------
    Circle : a round section.
    Rod : has it as its `section`.

    Examples
    --------
    >>> from chorda.describe import Rectangle
    >>> Rectangle(width=0.01, height=0.001).kind
    'rectangle'
    """

    kind: Literal["rectangle"] = "rectangle"
    width: Number = quantity("m", "extent along y", positive=True, usual=(1e-5, 1))
    height: Number = quantity("m", "extent along z", positive=True, usual=(1e-5, 1))


Section = Annotated[Circle | Tube | Rectangle, Field(discriminator="kind")]


def _strain(unit: str, meaning: str) -> Any:
    return quantity(unit, f"{meaning}: a number, or [c0, c1, ...]", default=None, usual=(0, 1e3))


class Strains(Record):
    """A value for each strain of a rod, in local axes: x is the tangent.

    A number, or a polynomial over the fraction of the length.

    See Also
    --------
    Rod : has it as its `rest`.

    Examples
    --------
    >>> from chorda.describe import Strains
    >>> Strains(bend_z=(2.0,)).bend_z
    (2.0,)
    """

    twist: Polynomial | None = _strain("rad/m", "turn about x per length")
    bend_y: Polynomial | None = _strain("rad/m", "turn about y per length")
    bend_z: Polynomial | None = _strain("rad/m", "turn about z per length")
    stretch: Polynomial | None = _strain("-", "elongation along x per length")
    shear_y: Polynomial | None = _strain("-", "shift along y per length")
    shear_z: Polynomial | None = _strain("-", "shift along z per length")


def _count(default: int) -> Any:
    return Field(default, ge=0, le=60, json_schema_extra={"unit": "-"})


class Modes(Record):
    """How many functions describe each strain; 0: that strain does not occur.

    `auto` lets Chorda choose how many, and how many intervals, of the strains that occur: those
    that are named, or else both bends, twist and stretch, less what leaves the plane of a planar
    robot.

    See Also
    --------
    Rod : has it as its `modes`.

    Examples
    --------
    >>> from chorda.describe import Modes
    >>> Modes(bend_z=3, bend_y=0, twist=0, stretch=0).bend_z
    3
    """

    auto: bool = Field(
        False, description="choose the numbers of functions and intervals for an accuracy"
    )
    accuracy: Number | None = quantity(
        "m",
        "error at the tips that is asked for: auto chooses for it, equilibria report where they "
        "miss it; none: a thousandth of the longest rod with auto",
        default=None,
        positive=True,
        usual=(1e-9, 0.1),
    )
    twist: int = _count(2)
    bend_y: int = _count(5)
    bend_z: int = _count(5)
    stretch: int = _count(2)
    shear_y: int = _count(0)
    shear_z: int = _count(0)
    basis: Literal["legendre", "chebyshev", "monomial", "piecewise", "bspline"] = Field(
        "legendre",
        description="functions over the length; piecewise: constant on equal parts; bspline: "
        "cubic where there are enough of them",
    )
    breaks: tuple[Number, ...] = quantity(
        "m",
        "positions where strains may jump: each part between them has its own functions; ends of "
        "tendons inside the rod are breaks by themselves",
        default=(),
        usual=(0, 100),
    )
    intervals: int = Field(
        12,
        ge=1,
        le=400,
        description="over the whole length, for integration along the rod",
        json_schema_extra={"unit": "-"},
    )
    order: Literal[4, 6] = Field(6, description="of the integration along the rod (Magnus)")


def _chosen(value: Any) -> Any:
    if isinstance(value, str) and value == "auto":
        return Modes(auto=True)
    if isinstance(value, str):
        raise ValueError(
            f"expected auto, or a mapping of fields such as {{bend_y: 5}}, got {value!r}"
        )
    return value


ChosenModes = Annotated[
    Modes, BeforeValidator(_chosen, json_schema_input_type=Modes | Literal["auto"])
]


class Disk(Record):
    """A round disk across a rod: it guides tendons and has mass. Its frame is ROD.NAME.

    See Also
    --------
    Rod : has it in its `disks`.

    Examples
    --------
    >>> from chorda.describe import Disk
    >>> Disk(name="end", at=0.3, radius=0.012, mass=0.005).at
    0.3
    """

    name: Name
    at: Number = quantity("m", "position along the rod", non_negative=True, usual=(0, 100))
    radius: Number = quantity("m", "radius", positive=True, usual=(1e-4, 1))
    mass: Number | None = quantity("kg", "mass", default=None, positive=True, usual=(1e-6, 1e3))


class RodFrame(Record):
    """A frame at a position along a rod, ROD.NAME: for loads, springs, joints, and a body there.

    See Also
    --------
    Disk : with a mass and a radius.

    Examples
    --------
    >>> from chorda.describe import RodFrame
    >>> RodFrame(name="middle", at=0.15).body is None
    True
    """

    name: Name
    at: Number = quantity("m", "position along the rod", non_negative=True, usual=(0, 100))
    body: Body | None = Field(None, description="the body that sits there, if it has mass")


class Rod(JointBase):
    """A rod that bends, twists, stretches and shears: from its base along the local x.

    Strains are angular first: twist about x, bend about y and z [rad/m], stretch along x, shear
    along y and z [-]. Frames: NAME.tip, and NAME.DISK or NAME.FRAME of each disk and frame.

    See Also
    --------
    Modes : its functions.
    Sheath : tendons in it.

    Examples
    --------
    >>> from chorda.describe import Circle, Rod
    >>> Rod(name="arm", length=0.3, section=Circle(radius=1e-3), young_modulus=6e10,
    ...     density=6450).modes.bend_z
    5
    """

    kind: Literal["rod"] = "rod"
    length: Number = quantity("m", "length", positive=True, usual=(1e-3, 100))
    section: Section
    taper: Number | None = quantity(
        "-",
        "size of the section at the tip over that at the base, linear between; none: uniform",
        default=None,
        positive=True,
        usual=(0.01, 100),
    )
    young_modulus: Number = quantity("Pa", "Young's modulus", positive=True, usual=(1e3, 1e12))
    shear_modulus: Number | None = quantity(
        "Pa", "shear modulus; none: E / 2.6", default=None, positive=True, usual=(1e3, 1e12)
    )
    density: Number = quantity("kg/m^3", "density", positive=True, usual=(10, 5e4))
    bend_damping: Number | None = optional("N m^2 s", "moment per rate of bend", 1e3)
    twist_damping: Number | None = optional("N m^2 s", "moment per rate of twist", 1e3)
    stretch_damping: Number | None = optional("N s", "force per rate of stretch", 1e6)
    shear_damping: Number | None = optional("N s", "force per rate of shear", 1e6)
    drag: Vector | None = quantity(
        "kg/m^2",
        "force per length over velocity squared, along the local x, y and z, each by itself",
        default=None,
        usual=(0, 1e3),
    )
    rest: Strains = Field(
        Strains(),
        description="strains without load",
    )
    modes: ChosenModes = Modes()
    disks: tuple[Disk, ...] = ()
    frames: tuple[RodFrame, ...] = Field(
        (), description="further frames along the rod, with bodies or without"
    )
    fed: Feeder | None = Field(
        None,
        description="feeds the rod out of its base: its length is then a coordinate, NAME.length, "
        "that starts at `length`; none: the length is a parameter",
    )

    @property
    def marks(self) -> tuple[Disk | RodFrame, ...]:
        """What has a frame of its own along the rod."""
        return (*self.disks, *self.frames)

    @field_validator("drag")
    @classmethod
    def _resists(cls, value: Vector | None) -> Vector | None:
        if value is not None and min(value) < 0:
            raise ValueError(f"expected numbers of at least 0, got {list(value)}; air resists")
        return value

    @field_validator("rest")
    @classmethod
    def _runs_on(cls, value: Strains) -> Strains:
        c = value.stretch or (0.0,)
        if min(c[0], sum(c)) <= -1:
            raise ValueError(
                f"expected a stretch above -1 (-0.1: a tenth shorter), got {list(c)}; the rod "
                "would run backwards"
            )
        return value

    @model_validator(mode="after")
    def _lies_on_itself(self) -> "Rod":
        m = self.modes
        if not any(getattr(m, strain) for strain in STRAINS):
            raise ValueError(
                "modes: a rod without modes cannot move; give at least one strain a function"
            )
        for where, at in (
            *((f"disks.{i}.at", disk.at) for i, disk in enumerate(self.disks)),
            *((f"frames.{i}.at", frame.at) for i, frame in enumerate(self.frames)),
            *((f"modes.breaks.{i}", at) for i, at in enumerate(m.breaks)),
        ):
            if not 0 <= at <= self.length:
                raise ValueError(
                    f"{where}: {at:g} m is beyond the rod, which is {self.length:g} m long"
                )
        names = [x.name for x in self.marks]
        if len({*names, "tip", "base"}) < len(names) + 2:
            section = "frames" if self.frames else "disks"
            raise ValueError(f"{section}: names must differ, and from tip and base, got {names}")
        check_fed(self)
        return self


class Sheath(Record):
    """A part of a tendon's path inside a rod: from `start` to `end` along it.

    At the fraction X of the rod's length it lies at (y(X), z(X)) in the section's plane, turned
    about the tangent by `turns` whole turns over the length: parallel (y, z numbers), converging
    or curved (polynomials) or helical.

    See Also
    --------
    Tendon : has them in its `sheaths`.
    Capstan : its friction.

    Examples
    --------
    >>> from chorda.describe import Sheath
    >>> Sheath(rod="spine", y=0.01).offset(0.5)
    (0.01, 0.0)
    """

    rod: str = Field(description="name of the rod")
    y: Polynomial = quantity(
        "m", "offset along y: a number, or [c0, c1, ...]", default=(0.0,), usual=(0, 1)
    )
    z: Polynomial = quantity(
        "m", "offset along z: a number, or [c0, c1, ...]", default=(0.0,), usual=(0, 1)
    )
    turns: Number = quantity("-", "turns over the rod's length", default=0.0, usual=(0, 100))
    start: Number = quantity("m", "where it enters", default=0.0, non_negative=True, usual=(0, 100))
    end: Number | None = quantity(
        "m", "where it ends; none: at the rod's tip", default=None, positive=True, usual=(0, 100)
    )
    friction: SheathFriction | None = Field(
        None, description="of the cable in this sheath, instead of the tendon's; none: the tendon's"
    )

    def offset(self, fraction: float) -> tuple[float, float]:
        """Where it is in the section, at a fraction of the rod's length.

        Parameters
        ----------
        fraction : float
            From 0, at the base, to 1, at the tip.

        Returns
        -------
        (float, float)
            Local coordinates y and z [m].
        """
        y, z = (sum(c * fraction**k for k, c in enumerate(x)) for x in (self.y, self.z))
        a = 2 * math.pi * self.turns * fraction
        return y * math.cos(a) - z * math.sin(a), y * math.sin(a) + z * math.cos(a)
