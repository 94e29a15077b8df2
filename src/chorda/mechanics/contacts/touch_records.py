"""Two shapes that may touch, and what is known of a point where they do."""

from collections.abc import Sequence
from dataclasses import dataclass

from chorda.mechanics.contacts.carriers import Carried
from chorda.mechanics.frames import Expr


@dataclass(frozen=True, eq=False)
class Pair:
    """Two shapes, or parts of rods, that may touch: a label of the point, names of the shapes."""

    label: str
    shapes: tuple[str, str]
    first: Carried
    second: Carried


@dataclass(frozen=True, eq=False)
class Stuck:
    """Bristles as springs: velocities per velocity (3 x nv, in some axes), and the least stiffness
    with which they resist shifts, in these axes (3 x 3) [N/m]."""

    J: Expr
    stiffness: Expr


@dataclass(frozen=True, eq=False)
class Slope:
    """Of a force (3) across velocities J per velocity (3 x nv): -d force / d shift and -d force / d
    velocity (3 x 3), near."""

    J: Expr
    by_shift: Expr
    by_velocity: Expr


@dataclass(frozen=True, eq=False)
class Tilt:
    """How a part that tilts is stiffened by the point of a force, which moves along it: velocities
    of its end against its start per velocity (3 x nv), and the root of the stiffness along the
    normal (3) [(N/m)^0.5]."""

    J: Expr
    root: Expr


@dataclass(frozen=True, eq=False)
class TouchForce:
    """One point where a pair may touch; vectors are in world axes, of the force on the second."""

    label: str
    pair: str
    first: str  # name of the first shape
    second: str
    nodes: tuple[int, int]  # frames of both
    gap: Expr  # [m]
    rate: Expr  # of the gap [m/s]
    normal: Expr
    sides: tuple[Expr, Expr]  # the normal in the axes of both frames
    point: Expr  # [m]
    pressing: Expr  # normal force [N]
    friction: Expr  # [N]
    sliding: Expr  # velocity of the second against the first across the normal [m/s]
    coefficient: Expr | None
    slip_speed: Expr | None  # of smooth friction [m/s]
    grip: Expr  # what is left before it slides, as a part of the friction; 1: nothing is used
    J: Expr  # velocity of the second against the first per velocity (3 x nv), axes of the root
    energy: Expr  # that it stores, less what the neighbour along a rod stores there [J]
    slopes: Sequence[Slope]
    tilts: Sequence[Tilt]
    stuck: Stuck | None  # of bristles
    thickness: Expr  # of both in the middle: their inner radii [m]
    solid: bool  # whether both have another side
