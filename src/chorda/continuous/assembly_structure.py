"""What an assembly is made of: rods, rigid joints, and whether all of it lies in a plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chorda.continuous.along_rods import Indices, Rods
from chorda.describe import STRAINS, Closure, Fixed, Free, Prismatic, Revolute, Robot, Rod
from chorda.describe.contact_checks import refuse_contacts
from chorda.describe.feeding import refuse_fed
from chorda.errors import InputError
from chorda.mechanics import Array

OneAxis = Revolute | Prismatic
Rigid = Revolute | Prismatic | Fixed | Free
IN_PLANE = (2, 3, 4)  # of (turn x, y, z, shift x, y, z): what the x-y plane has
PLANAR_STRAINS = ("bend_z", "stretch", "shear_y")
POSE = ("ew", "ex", "ey", "ez", "x", "y", "z")  # coordinates of a free joint
RATES = ("wx", "wy", "wz", "vx", "vy", "vz")  # of a free joint


@dataclass(frozen=True, eq=False)
class Structure:
    """A robot, its rods and rigid joints in order; planar: nothing can leave the x-y plane."""

    robot: Robot
    rods: Rods
    joints: tuple[Rigid, ...]
    planar: bool

    @property
    def axes(self) -> tuple[OneAxis, ...]:
        return tuple(x for x in self.joints if isinstance(x, Revolute | Prismatic))

    @property
    def free(self) -> tuple[Free, ...]:
        return tuple(x for x in self.joints if isinstance(x, Free))

    @property
    def kept(self) -> Array:
        """Components of a twist or wrench that occur."""
        return np.array(IN_PLANE if self.planar else range(6))

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """Names of the rigid joints' rates: one of an axis, six of a free joint, in order."""
        of_free = [f".{x}" for x in RATES]
        ends = {"revolute": [""], "prismatic": [""], "fixed": [], "free": of_free}
        return tuple(f"{joint.name}{end}" for joint in self.joints for end in ends[joint.kind])

    @cached_property
    def axis_moves(self) -> Indices:
        """Which of the moves are those of the axes (k)."""
        return np.array([self.moves.index(joint.name) for joint in self.axes], int)

    @cached_property
    def free_moves(self) -> Indices:
        """Which of the moves are those of the free joints (k, 6)."""
        first = [self.moves.index(f"{joint.name}.{RATES[0]}") for joint in self.free]
        return np.add.outer(np.array(first, int), np.arange(6))

    @cached_property
    def move_units(self) -> Array:
        """One of each move, 1 rad or a length: the tips' kept components, then the joints."""
        slides = {joint.name for joint in self.axes if joint.kind == "prismatic"}
        shifts = [x in slides or x.rpartition(".")[2] in RATES[3:] for x in self.moves]
        tips = np.tile(self.kept >= 3, len(self.rods))
        return np.where([*tips, *shifts], self.length_scale, 1.0)

    @cached_property
    def upstream(self) -> tuple[str, ...]:
        """Joints that carry a rod's base."""
        parents = {joint.name: joint.parent for joint in self.robot.joints}
        names: list[str] = []
        for rod in self.rods.names:
            at = parents[rod]
            while at in parents:
                names.append(at)
                at = parents[at]
        return tuple(dict.fromkeys(names))

    @cached_property
    def force_scale(self) -> float:
        """A force of the rods' own size [N]: bending stiffness over length squared."""
        return float(np.max(self.rods.stiffness[:, 1:3] / self.rods.length[:, None] ** 2))

    @cached_property
    def length_scale(self) -> float:
        return float(np.max(self.rods.length))


def structure(robot: Robot) -> Structure:
    """The robot's parts, or what cannot be solved without modes, by name."""
    for section in ("tendons", "actuators", "couplings"):
        for item in getattr(robot, section):
            raise InputError(
                f"{section}.{item.name}: the continuous model of an assembly has none; expected "
                "rods, rigid joints, springs, loads and closures; take chorda.equilibrium"
            )
    refuse_contacts(robot.contacts, "the continuous model", "take chorda.equilibrium")
    for load in robot.distributed_loads:
        raise InputError(
            f"distributed_loads.{load.name}: the continuous model of an assembly has none; take "
            "chorda.equilibrium, or rod_statics for one rod"
        )
    rods, joints, soft = list[Rod](), list[Rigid](), set[str]()
    for joint in robot.joints:
        if isinstance(joint, Rod):
            _check_rod(joint, soft)
            rods.append(joint)
            soft |= {f"{joint.name}.base", f"{joint.name}.tip"}
        elif isinstance(joint, Revolute | Prismatic | Fixed | Free):
            if getattr(joint, "link", None) is not None:
                raise InputError(
                    f"{joint.name}.link: expected none, got a Denavit-Hartenberg form; place the "
                    "next joint by its placement instead"
                )
            joints.append(joint)
            if joint.parent in soft:
                soft.add(joint.name)
        else:
            raise InputError(
                f"{joint.name}: expected a rod, revolute, prismatic, fixed or free joint, got kind "
                f"'{joint.kind}'; take chorda.equilibrium"
            )
    if not rods:
        raise InputError(f"joints: '{robot.name}' has no rod; take chorda.equilibrium")
    planar = _is_planar(robot, rods)
    return Structure(robot, Rods.of(rods, robot.gravity), tuple(joints), planar)


def _check_rod(rod: Rod, soft: set[str]) -> None:
    if rod.parent in soft:
        raise InputError(
            f"{rod.name}.parent: '{rod.parent}' hangs on a rod; expected the world or rigid joints "
            "that stand on it, one rod a leg; join two rods by a closure"
        )
    if rod.taper is not None:
        raise InputError(f"{rod.name}.taper: expected none (a uniform section), got {rod.taper:g}")
    refuse_fed(rod)
    for section in ("disks", "frames"):
        if found := len(getattr(rod, section)):
            raise InputError(
                f"{rod.name}.{section}: expected none, got {found}; take chorda.equilibrium, or "
                "rod_statics for one rod"
            )


def _is_planar(robot: Robot, rods: Sequence[Rod]) -> bool:
    """Whether nothing can leave the x-y plane: then what is out of it is no unknown."""
    for joint in robot.joints:
        turned = joint.placement.angle != 0 and abs(joint.placement.axis[2]) != 1
        if turned or isinstance(joint, Free):
            return False
        if isinstance(joint, Revolute) and abs(joint.axis[2]) != 1:
            return False
        if isinstance(joint, Prismatic) and joint.axis[2] != 0:
            return False
    for rod in rods:
        for strain in STRAINS:
            occurs = getattr(rod.modes, strain) or getattr(rod.rest, strain)
            if occurs and strain not in PLANAR_STRAINS:
                return False
    return all(_stays_in_plane(closure) for closure in robot.closures)


def _stays_in_plane(closure: Closure) -> bool:
    out = [abs(x[2]) for x in (closure.axis, getattr(closure, "cross_axis", None) or (0, 0, 0))]
    if closure.kind == "revolute":
        return out[0] == 1
    return closure.kind != "universal" or (out[0] in (0, 1) and out[1] == 0)
