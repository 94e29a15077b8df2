"""What a joint kind is to the assembler: coordinates in, frames and twists out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import casadi as ca

from chorda.mechanics.dry_friction import DryLaw, dry_law
from chorda.mechanics.frames import SX, Expr, Pose, vector
from chorda.mechanics.parameters import Parameters
from chorda.mechanics.rods.rubbing_sheaths import RubbingSheath
from chorda.mechanics.rods.soft import Soft
from chorda.mechanics.stop_forces import StopModel

SAME_DEPTH = 50  # operations deep to which rates of pivots are compared


@dataclass(frozen=True)
class Coordinate:
    """One generalized coordinate: an angle, a displacement, a quaternion's component."""

    name: str
    unit: str
    rest: float = 0.0
    low: float = -float("inf")
    high: float = float("inf")
    kind: str = "joint"
    scale: float = 1.0  # a large change of it, in its unit
    stops: bool = False  # a stop holds it at the ends of its range
    farthest: float = float("inf")  # beyond which, with a stop, a motion cannot go either way

    @property
    def admissible(self) -> tuple[float, float]:
        """Values between which it stays: its range, or what a stop cannot be pushed beyond."""
        return (-self.farthest, self.farthest) if self.stops else (self.low, self.high)


@dataclass(frozen=True)
class Inertia:
    """A rigid body in its frame: mass, centre, and inertia about the centre in the frame's axes."""

    mass: Expr
    center: Expr
    matrix: Expr


@dataclass(frozen=True)
class Carried:
    """A frame that a joint moves, seen from the joint's base frame.

    With joint velocities v the frame's angular velocity is `angular @ v` and the velocity of its
    origin `linear @ v`, both in the base's axes.
    """

    name: str
    pose: Pose
    angular: Expr
    linear: Expr
    body: Inertia | None = None


@dataclass(frozen=True, eq=False)
class Bristles:
    """Bristles in those pivots (rows of `pivots`) that turn at one rate, bent by z."""

    name: str
    z: Expr
    pivots: tuple[int, ...]


@dataclass(frozen=True)
class JointModel:
    """A joint in symbols: q its coordinates, v its velocities, both columns."""

    carried: tuple[Carried, ...]
    q: Expr = field(default_factory=lambda: SX(0, 1))
    v: Expr = field(default_factory=lambda: SX(0, 1))
    coordinates: tuple[Coordinate, ...] = ()
    velocities: tuple[tuple[str, str], ...] = ()
    kinematics: Expr = field(default_factory=lambda: SX(0, 0))  # q_dot = kinematics @ v
    pivots: Expr = field(default_factory=lambda: SX(0, 0))  # rates of its pivots = pivots @ v
    pivot_friction: Expr = field(default_factory=lambda: SX(0))  # viscous
    dry: DryLaw | None = None  # dry friction in each of its pivots
    bristles: tuple["Bristles", ...] = ()  # where that has any: one for each rate
    spring_energy: Expr = field(default_factory=lambda: SX(0))
    held: Expr = field(default_factory=lambda: SX(0, 1))  # parameters, zero in the reference
    held_turn: tuple[Expr, Expr] | None = None  # axis in its base, and angle, of one that is held
    quaternion: bool = False  # its first four coordinates are a quaternion
    anchors: dict[tuple[str, str], Expr] = field(default_factory=dict)
    lines: tuple[tuple[str, tuple[tuple[str, Expr], ...]], ...] = ()  # kind, (frame, point)...
    stop: StopModel | None = None  # at the ends of its range
    damping: Expr | None = None  # generalized force = -damping @ v
    soft: Soft | None = None  # a rod
    proxy_of: "JointModel | None" = None  # the rod that this joint is a proxy of
    tightness: Callable[[dict[str, Expr]], Expr] | None = None  # tensions by name -> stiffness
    sheaths: dict[str, Expr] = field(default_factory=dict)  # lengths of tendons in it, by name
    insides: dict[str, tuple[Expr, ...]] = field(default_factory=dict)  # points along them
    rubbing: Callable[[str], RubbingSheath] | None = None  # one of them, by name, with friction
    # of a rod that is fed and touches, by slice: twist of its material against the slice, in the
    # slice's axes, for a unit rate of the length
    passing: dict[int, Expr] = field(default_factory=dict)


Build = Callable[[Any, Parameters], JointModel]


def body_inertia(name: str, body: Any, par: Parameters) -> Inertia | None:
    """Symbols of a described body."""
    if body is None:
        return None
    xx, yy, zz, xy, xz, yz = [
        0.0
        if value == 0
        else par.scalar(f"{name}.inertia.{axes}", value, "kg m^2", signed=axes[0] != axes[1])
        for axes, value in zip(("xx", "yy", "zz", "xy", "xz", "yz"), body.inertia, strict=True)
    ]
    matrix = ca.horzcat(vector(xx, xy, xz), vector(xy, yy, yz), vector(xz, yz, zz))
    mass = par.scalar(f"{name}.mass", body.mass, "kg", positive=True)
    return Inertia(mass, par.vector(f"{name}.center", body.center, "m"), matrix)


def dry_pivots(joint: Any, pivots: Expr, par: Parameters) -> dict[str, Any]:
    """Fields of a model that has dry friction in its pivots."""
    if joint.dry_friction is None:
        return {}
    law = dry_law(joint.name, joint.dry_friction, par)
    if not law.bristles:
        return {"dry": law}
    alike: list[list[int]] = []
    for row in range(pivots.shape[0]):
        same = (x for x in alike if ca.is_equal(pivots[x[0], :], pivots[row, :], SAME_DEPTH))
        group = next(same, None)
        if group is None:
            alike.append([row])
        else:
            group.append(row)
    ends = [""] if len(alike) == 1 else [str(k + 1) for k in range(len(alike))]
    names = [f"{joint.name}.bristle{end}" for end in ends]
    found = (Bristles(x, SX.sym(x), tuple(y)) for x, y in zip(names, alike, strict=True))
    return {"dry": law, "bristles": tuple(found)}
