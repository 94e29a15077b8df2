"""What an assembly is made of: rods, rigid joints, and whether all of it lies in a plane."""

import math
from dataclasses import dataclass

import numpy as np

from chorda.describe import (
    STRAINS,
    Closure,
    Fixed,
    Free,
    Prismatic,
    Rectangle,
    Revolute,
    Robot,
    Rod,
    Tube,
)
from chorda.errors import InputError
from chorda.mechanics import Array

OneAxis = Revolute | Prismatic
Rigid = Revolute | Prismatic | Fixed | Free
IN_PLANE = (2, 3, 4)  # of (turn x, y, z, shift x, y, z): what the x-y plane has
PLANAR_STRAINS = ("bend_z", "stretch", "shear_y")


@dataclass(frozen=True, eq=False)
class Fibre:
    """A rod without modes: its compliance is zero for strains that do not occur.

    compliance and stiffness by strain (6); rest (6, degree + 1): coefficients over the share of
    the length, the unit tangent included; weight (3) [N/m] in the world.
    """

    name: str
    length: float
    stiffness: Array
    compliance: Array
    rest: Array
    weight: Array

    def rest_at(self, share: Array) -> Array:
        """Strains without load (..., 6) at shares of the length."""
        powers = np.asarray(share)[..., None] ** np.arange(self.rest.shape[1])
        return np.asarray(powers @ self.rest.T)


@dataclass(frozen=True, eq=False)
class Structure:
    """A robot, its rods and rigid joints in order; planar: nothing can leave the x-y plane."""

    robot: Robot
    fibres: tuple[Fibre, ...]
    rods: tuple[Rod, ...]
    joints: tuple[Rigid, ...]
    planar: bool

    @property
    def axes(self) -> tuple[OneAxis, ...]:
        return tuple(x for x in self.joints if isinstance(x, Revolute | Prismatic))

    @property
    def free(self) -> tuple[Free, ...]:
        return tuple(x for x in self.joints if isinstance(x, Free))

    @property
    def kept(self) -> tuple[int, ...]:
        """Components of a twist or wrench that occur."""
        return IN_PLANE if self.planar else tuple(range(6))

    @property
    def moves(self) -> tuple[str, ...]:
        """Names of the rigid joints' rates: one of an axis, six of a free joint, in order."""
        names: list[str] = []
        for joint in self.joints:
            if isinstance(joint, Free):
                names += [f"{joint.name}.{x}" for x in ("wx", "wy", "wz", "vx", "vy", "vz")]
            elif not isinstance(joint, Fixed):
                names.append(joint.name)
        return tuple(names)

    @property
    def upstream(self) -> tuple[str, ...]:
        """Joints that carry a rod's base."""
        parents = {joint.name: joint.parent for joint in self.joints}
        names: list[str] = []
        for rod in self.rods:
            at = rod.parent
            while at in parents:
                names.append(at)
                at = parents[at]
        return tuple(dict.fromkeys(names))

    @property
    def force_scale(self) -> float:
        """A force of the rods' own size [N]: bending stiffness over length squared."""
        return max(float(np.max(f.stiffness[1:3])) / f.length**2 for f in self.fibres)

    @property
    def length_scale(self) -> float:
        return max(f.length for f in self.fibres)


def structure(robot: Robot) -> Structure:
    """The robot's parts, or what cannot be solved without modes, by name."""
    for section in ("tendons", "actuators"):
        for item in getattr(robot, section):
            raise InputError(
                f"{section}.{item.name}: the continuous model of an assembly has none; expected "
                "rods, rigid joints, springs, loads and closures; take chorda.equilibrium"
            )
    rods, joints, soft = [], [], set[str]()
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
    gravity = np.array(robot.gravity, float)
    fibres = tuple(_fibre(rod, gravity) for rod in rods)
    return Structure(robot, fibres, tuple(rods), tuple(joints), _is_planar(robot, rods))


def _check_rod(rod: Rod, soft: set[str]) -> None:
    if rod.parent in soft:
        raise InputError(
            f"{rod.name}.parent: '{rod.parent}' hangs on a rod; expected the world or rigid joints "
            "that stand on it, one rod a leg; join two rods by a closure"
        )
    if rod.taper is not None:
        raise InputError(f"{rod.name}.taper: expected none (a uniform section), got {rod.taper:g}")
    if rod.disks:
        raise InputError(f"{rod.name}.disks: expected none, got {len(rod.disks)}")


def _fibre(rod: Rod, gravity: Array) -> Fibre:
    area, Iy, Iz, J = _moments(rod)
    E = rod.young_modulus
    G = E / 2.6 if rod.shear_modulus is None else rod.shear_modulus
    stiffness = np.array([G * J, E * Iy, E * Iz, E * area, G * area, G * area])
    occurs = np.array([getattr(rod.modes, strain) > 0 for strain in STRAINS])
    given = [getattr(rod.rest, strain) or (0.0,) for strain in STRAINS]
    rest = np.zeros((6, max(map(len, given))))
    for row, values in zip(rest, given, strict=True):
        row[: len(values)] = values
    rest[3, 0] += 1.0
    return Fibre(
        name=rod.name,
        length=rod.length,
        stiffness=stiffness,
        compliance=occurs / stiffness,
        rest=rest,
        weight=rod.density * area * gravity,
    )


def _moments(rod: Rod) -> tuple[float, float, float, float]:
    """Area, moments of area about y and z, torsion constant."""
    section = rod.section
    if isinstance(section, Rectangle):
        w, h = section.width, section.height
        thin = min(w, h) / max(w, h)
        J = max(w, h) * min(w, h) ** 3 * (1 / 3 - 0.21 * thin * (1 - thin**4 / 12))
        return w * h, w * h**3 / 12, h * w**3 / 12, J
    hole = section.inner_radius if isinstance(section, Tube) else 0.0
    I = math.pi * (section.radius**4 - hole**4) / 4  # noqa: E741
    return math.pi * (section.radius**2 - hole**2), I, I, 2 * I


def _is_planar(robot: Robot, rods: list[Rod]) -> bool:
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
