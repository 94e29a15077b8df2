"""Shapes that touch each other: on frames of bodies, on the world, and along rods."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PrivateAttr, model_validator

from chorda.describe.bent_lines import bent_line
from chorda.describe.geometry import TURN, Direction, Position, Vector
from chorda.describe.names import Label, Name
from chorda.describe.quantity import Number, Record, quantity
from chorda.surface_files import ENDINGS

ON = "frame that it is fixed in: 'world', a joint's name, or joint.frame (x1.top)"
ANCHORED = "in the frame: coordinates, or the name of an anchor"


def _radius(meaning: str = "radius") -> Number:
    found: Number = quantity("m", meaning, positive=True, usual=(1e-5, 10))
    return found


class Sphere(Record):
    """A ball.

    See Also
    --------
    Contact : which shapes touch.

    Examples
    --------
    >>> from chorda.describe import Sphere
    >>> Sphere(name="ball", frame="hand", radius=0.02).center
    'origin'
    """

    kind: Literal["sphere"] = "sphere"
    name: Name
    frame: str = Field("world", description=ON)
    center: Position = quantity("m", f"centre {ANCHORED}", default="origin", usual=(0, 20))
    radius: Number = _radius()


class Capsule(Record):
    """A cylinder with half balls at its ends: what is within a radius of a line.

    See Also
    --------
    Contact : which shapes touch.

    Examples
    --------
    >>> from chorda.describe import Capsule
    >>> Capsule(name="bone", frame="knuckle", start=(0, 0, 0), end=(0, 0.04, 0),
    ...     radius=0.006).radius
    0.006
    """

    kind: Literal["capsule"] = "capsule"
    name: Name
    frame: str = Field("world", description=ON)
    start: Position = quantity("m", f"where its line begins {ANCHORED}", usual=(0, 20))
    end: Position = quantity("m", f"where its line ends {ANCHORED}", usual=(0, 20))
    radius: Number = _radius()

    @model_validator(mode="after")
    def _has_a_line(self) -> "Capsule":
        _check_line(self)
        return self


class Plane(Record):
    """A half space: solid on one side of a plane.

    See Also
    --------
    Contact : which shapes touch.

    Examples
    --------
    >>> from chorda.describe import Plane
    >>> Plane(name="floor").normal
    (0, 1, 0)
    """

    kind: Literal["plane"] = "plane"
    name: Name
    frame: str = Field("world", description=ON)
    point: Position = quantity("m", f"on the plane, {ANCHORED}", default="origin", usual=(0, 20))
    normal: Direction = quantity(
        "-", "out of the material, in the frame, a unit vector", default=(0, 1, 0)
    )


class Box(Record):
    """A box; with a rounding, its edges and corners are round, and its size stays.

    See Also
    --------
    Contact : which shapes touch.

    Examples
    --------
    >>> from chorda.describe import Box
    >>> Box(name="block", size=(0.1, 0.05, 0.05)).rounding
    0.0
    """

    kind: Literal["box"] = "box"
    name: Name
    frame: str = Field("world", description=ON)
    center: Position = quantity("m", f"centre {ANCHORED}", default="origin", usual=(0, 20))
    size: Vector = quantity("m", "length of its edges along x, y and z", usual=(1e-5, 20))
    rounding: Number = quantity(
        "m", "radius of edges and corners", default=0.0, non_negative=True, usual=(0, 10)
    )
    axis: Direction = quantity(
        "-", "axis about which it is turned in the frame, a unit vector", default=(0, 0, 1)
    )
    angle: Number = quantity("rad", "angle by which it is turned", default=0.0, usual=TURN)

    @model_validator(mode="after")
    def _has_edges(self) -> "Box":
        if min(self.size) <= 0:
            raise ValueError(
                f"size: expected three positive lengths, got {list(self.size)}; take kind: plane "
                "for what has no thickness"
            )
        if 2 * self.rounding > min(self.size):
            raise ValueError(
                f"rounding: expected at most half the shortest edge ({min(self.size) / 2:g} m), "
                f"got {self.rounding:g} m"
            )
        return self


class Cylinder(Record):
    """A cylinder with flat ends.

    See Also
    --------
    Capsule : with round ends.

    Examples
    --------
    >>> from chorda.describe import Cylinder
    >>> Cylinder(name="post", start=(0, 0, -0.05), end=(0, 0, 0.05), radius=0.04).radius
    0.04
    """

    kind: Literal["cylinder"] = "cylinder"
    name: Name
    frame: str = Field("world", description=ON)
    start: Position = quantity("m", f"middle of one end {ANCHORED}", usual=(0, 20))
    end: Position = quantity("m", f"middle of the other end {ANCHORED}", usual=(0, 20))
    radius: Number = _radius()

    @model_validator(mode="after")
    def _has_a_line(self) -> "Cylinder":
        _check_line(self)
        return self


class RodTube(Record):
    """The surface of a rod: capsules between its slices, which are as many as the rod has.

    See Also
    --------
    Contact : which shapes touch.

    Examples
    --------
    >>> from chorda.describe import RodTube
    >>> RodTube(name="skin", rod="spine").start
    0.0
    """

    kind: Literal["rod"] = "rod"
    name: Name
    rod: str = Field(description="name of the rod")
    radius: Number | None = quantity(
        "m",
        "radius; none: the section's at the base (rectangle: half its height)",
        default=None,
        positive=True,
        usual=(1e-5, 1),
    )
    start: Number = quantity("m", "where it begins", default=0.0, non_negative=True, usual=(0, 100))
    end: Number | None = quantity(
        "m", "where it ends; none: at the rod's tip", default=None, positive=True, usual=(0, 100)
    )

    @property
    def frame(self) -> str:
        """The frame at its end."""
        return f"{self.rod}.tip"

    def span(self, length: float) -> tuple[float, float]:
        """Where it begins and ends, as fractions of the rod's length.

        Parameters
        ----------
        length : float
            Of the rod [m].

        Returns
        -------
        (float, float)
            From 0, at the base, to 1, at the tip.
        """
        return self.start / length, 1.0 if self.end is None else self.end / length


class Bore(Record):
    """The inside of a bent tube, open at both ends.

    What moves in it stays within a radius of a line of straight pieces with rounded corners. It is
    drilled through a block: beyond both ends its rim is rounded with its radius, and one radius
    further out the block has a flat face.

    See Also
    --------
    RodTube : what moves in it.

    Examples
    --------
    >>> from chorda.describe import Bore
    >>> Bore(name="hole", points=[(0, 0, 0), (0.1, 0, 0)], radius=0.004).frame
    'world'
    """

    kind: Literal["bore"] = "bore"
    name: Name
    frame: str = Field("world", description=ON)
    points: tuple[Vector, ...] = quantity(
        "m", "where its line begins, the corners, and where it ends, in the frame", usual=(0, 20)
    )
    bend_radius: Number | None = quantity(
        "m",
        "with which the line is bent at its corners; needed where there are any",
        default=None,
        positive=True,
        usual=(1e-4, 100),
    )
    radius: Number = _radius("inner radius")

    @model_validator(mode="after")
    def _is_a_line(self) -> "Bore":
        bent_line(self.points, self.bend_radius)
        return self


def _beside(file: str) -> str:
    """A path that stays in the robot's folder on every system."""
    parts = file.split("/")
    if "\\" in file or ":" in file or any(x in ("", ".", "..") for x in parts):
        raise ValueError(
            f"expected a path below the folder of the robot's file, such as meshes/arm.stl, got "
            f"'{file:.100}'; copy the mesh there, and separate folders by /"
        )
    if not file.lower().endswith(ENDINGS):
        raise ValueError(
            f"expected a file that ends in {' or '.join(ENDINGS)}, got '{file:.100}'; convert the "
            "mesh to one of these"
        )
    return file


class MeshFile(Record):
    """A surface from a file, for pictures alone: it touches nothing, and has no mass.

    See Also
    --------
    Box : a shape that can touch.

    Examples
    --------
    >>> from chorda.describe import MeshFile
    >>> MeshFile(name="cover", frame="arm", file="cover.stl", scale=1e-3).convex
    True
    """

    kind: Literal["mesh"] = "mesh"
    name: Name
    frame: str = Field("world", description=ON)
    file: Annotated[Label, AfterValidator(_beside)] = Field(
        description="STL or OBJ, beside the robot's file or in a folder below: meshes/arm.stl"
    )
    scale: Number = quantity(
        "-", "metres per unit of the file: 0.001 for mm", default=1.0, positive=True
    )
    position: Position = quantity(
        "m", f"where the file's origin is {ANCHORED}", default="origin", usual=(0, 20)
    )
    axis: Direction = quantity(
        "-", "axis about which it is turned in the frame, a unit vector", default=(0, 0, 1)
    )
    angle: Number = quantity("rad", "angle by which it is turned", default=0.0, usual=TURN)
    convex: bool = Field(True, description="draw the convex hull, which has few triangles")
    _folder: Path | None = PrivateAttr(default=None)  # of the file that the robot came from

    def model_post_init(self, context: Any, /) -> None:
        """Remember the folder of the robot's file.

        Parameters
        ----------
        context : dict or None
            Of pydantic's validation: the folder is its entry "folder".
        """
        if isinstance(context, dict):
            self._folder = context.get("folder")

    def __eq__(self, other: object) -> bool:
        """Descriptions are equal wherever they were read."""
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def model_copy(self, **options: Any) -> "MeshFile":
        """Copy it with some fields changed; its file stays where it is.

        Parameters
        ----------
        **options : dict
            update: fields by name; deep: whether values are copied, too.

        Returns
        -------
        MeshFile
            The copy, checked like a new one.
        """
        made = super().model_copy(**options)
        made._folder = self._folder
        return made

    @property
    def folder(self) -> Path:
        """In which the file is looked for: that of the robot's file, else the current folder."""
        return Path() if self._folder is None else self._folder


Shape = Annotated[
    Sphere | Capsule | Plane | Box | Cylinder | RodTube | Bore | MeshFile,
    Field(discriminator="kind"),
]


def _check_line(shape: Capsule | Cylinder) -> None:
    if shape.start == shape.end:
        raise ValueError(
            f"end: expected another point than start, got {shape.end} twice; take kind: sphere for "
            "a ball"
        )


def free_lines(shapes: Iterable[Shape]) -> tuple[str, ...]:
    """Names of capsules and cylinders no end of which is an anchor: their ends are parameters."""
    return tuple(
        x.name
        for x in shapes
        if isinstance(x, Capsule | Cylinder)
        and all(p == "origin" or not isinstance(p, str) for p in (x.start, x.end))
    )


def positions(shape: Shape) -> Iterator[tuple[str, Position]]:
    """The points of a shape that are fixed in its frame, by field."""
    for field in ("center", "start", "end", "point", "position"):
        if not isinstance(shape, RodTube) and hasattr(shape, field):
            yield field, getattr(shape, field)


def breadth(shape: Shape) -> float:
    """How far a solid reaches, as described [m]; 0 of what has no end, and of rods."""
    if isinstance(shape, Sphere):
        return 2 * float(shape.radius)
    if isinstance(shape, Box):
        return float(sum(x**2 for x in shape.size)) ** 0.5
    if isinstance(shape, Capsule | Cylinder):
        ends = [x for x in (shape.start, shape.end) if not isinstance(x, str)]
        apart = (a - b for a, b in zip(*ends, strict=True)) if len(ends) == 2 else ()
        return float(sum(x**2 for x in apart)) ** 0.5 + 2 * float(shape.radius)
    return 0.0
