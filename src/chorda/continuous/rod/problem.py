"""From a description to the continuous problem: one rod on the world, and what pulls it."""

from dataclasses import dataclass

import numpy as np

from chorda.continuous.rod.friction import Friction
from chorda.describe import Material, Robot, TensionActuator, Winch
from chorda.describe.elements import Load
from chorda.describe.laws import KelvinVoigt, Rigid, Stiffening
from chorda.describe.rods import STRAINS, Disk, Rod, Sheath
from chorda.describe.tendons import Tendon
from chorda.errors import InputError
from chorda.mechanics import Array


@dataclass(frozen=True)
class Station:
    """A place where the internal wrench jumps: tendons end, disks with mass sit, loads act."""

    at: float
    tendons: tuple[int, ...] = ()
    disks: tuple[Disk, ...] = ()
    loads: tuple[Load, ...] = ()


@dataclass(frozen=True)
class Cable:
    """A tendon: its sheath, where it ends [m], its actuator, and its length without tension [m]."""

    tendon: Tendon
    sheath: Sheath
    end: float
    input: int | None  # place among the actuators; none: tied
    pulled: bool  # the tension is prescribed, else the length
    reference: float

    @property
    def pushes(self) -> bool:
        """Whether a negative tension makes sense; what does not stretch is still a cable."""
        law = self.tendon.law
        return not isinstance(law, Rigid) and not law.one_sided

    @property
    def compliance(self) -> float:
        """Strain per newton of a cable whose length is what was paid out."""
        law = self.tendon.law
        if not isinstance(law, Material) or law.over != "free":
            return 0.0
        return 1 / (law.young_modulus * law.section)


@dataclass(frozen=True, eq=False)
class Problem:
    """What the equations are made from; stations are ordered, the last one is the tip."""

    robot: Robot
    rod: Rod
    cables: tuple[Cable, ...]
    actuators: tuple[str, ...]
    stations: tuple[Station, ...]
    rotation: Array
    origin: Array
    friction: Friction

    @property
    def size(self) -> int:
        """Length of the state: rotation, strains, velocities, and two for each tendon."""
        return 21 + 2 * len(self.cables)


def problem(robot: Robot, friction: Friction = None, moving: bool = False) -> Problem:
    """Reads and checks; what the continuous problem cannot express is refused by name."""
    if len(robot.joints) != 1 or not isinstance(robot.joints[0], Rod):
        kinds = ", ".join(f"{j.name} ({j.kind})" for j in robot.joints)
        raise InputError(f"joints: expected one rod on the world, got {kinds}; use `simulate`")
    for section in ("springs", "dampers", "closures"):
        if getattr(robot, section):
            raise InputError(
                f"{section}: the continuous problem of a rod has none; leave them out, or use "
                "`simulate` with strain modes"
            )
    rod = robot.joints[0]
    actuators = tuple(d.name for d in robot.actuators)
    cables = tuple(_cable(i, t, robot, rod, friction) for i, t in enumerate(robot.tendons))
    for i, tendon in enumerate(robot.tendons if moving else ()):
        if getattr(tendon.law, "damping", 0) or getattr(tendon.law, "damping_modulus", 0):
            raise InputError(
                f"tendons.{i}.law ({tendon.name}): damping of tendons is not part of the "
                "continuous problem in motion; leave it out, or use `simulate`"
            )
    place = rod.placement
    return Problem(
        robot,
        rod,
        cables,
        actuators,
        _stations(robot, rod, cables),
        _turned(place.axis, place.angle),
        np.array(place.position, float),
        friction,
    )


def _cable(i: int, tendon: Tendon, robot: Robot, rod: Rod, friction: Friction) -> Cable:
    where = f"tendons.{i}"
    if tendon.path or len(tendon.sheaths) != 1 or tendon.sheaths[0].start != 0:
        raise InputError(
            f"{where} ({tendon.name}): expected one sheath from the base of '{rod.name}', without "
            "points or pulleys before it; give their length as lead, or use `simulate`"
        )
    sheath, law = tendon.sheaths[0], tendon.law
    actuator = robot.named(tendon.actuator) if tendon.actuator is not None else None
    if actuator is not None and not isinstance(actuator, TensionActuator | Winch):
        raise InputError(
            f"{where}.actuator ({tendon.name}): expected a tension or winch, got a "
            f"{actuator.kind}; prescribe the motor's tension or length instead"
        )
    if getattr(law, "smoothing", None) is not None:
        raise InputError(f"{where}.law.smoothing: tensions are not rounded here; leave it out")
    free = isinstance(law, Material) and law.over == "free" and law.pretension is None
    if friction is not None and not (free or isinstance(law, Rigid)):
        raise InputError(
            f"{where}.law: friction along the path needs a rigid tendon, or a material with "
            "'over: free' and no pretension"
        )
    end = rod.length if sheath.end is None else sheath.end
    return Cable(
        tendon,
        sheath,
        end,
        None if actuator is None else [d.name for d in robot.actuators].index(actuator.name),
        isinstance(actuator, TensionActuator),
        tendon.lead + rest_length(rod, sheath, end),
    )


def elongation(
    cable: Cable, tension: float, path: float, paid: float
) -> tuple[float, float, float]:
    """Under a tension, with its derivatives by the tension and by the length of the path [m]."""
    law = cable.tendon.law
    if isinstance(law, Rigid):
        return 0.0, 0.0, 0.0
    force = tension - (law.pretension or 0.0)
    if isinstance(law, Material):
        ES = law.young_modulus * law.section
        if law.over == "unwound":
            length = cable.tendon.lead + path
            return force * length / ES, length / ES, force / ES
        total = law.length if law.length is not None else cable.reference
        length = cable.reference + paid if law.over == "free" else total
        return force * length / ES, length / ES, 0.0
    k = law.stiffness
    if isinstance(law, KelvinVoigt):
        return force / k, 1 / k, 0.0
    assert isinstance(law, Stiffening)
    root = float(np.sqrt(k**2 + 4 * law.stiffening * abs(force)))
    return 2 * force / (k + root), 1 / root, 0.0


def rest_length(rod: Rod, sheath: Sheath, end: float) -> float:
    """Of the path in a rod without load [m]."""
    x, weight = np.polynomial.legendre.leggauss(40)
    at = (x + 1) / 2 * end / rod.length
    u, v = np.zeros((40, 3)), np.zeros((40, 3))
    v[:, 0] = 1
    for k, strain in enumerate(STRAINS):
        c = getattr(rod.rest, strain)
        if c is not None:
            (u if k < 3 else v)[:, k % 3] += np.polynomial.polynomial.polyval(at, c)
    r, r1, _ = offsets(rod, sheath, at)
    speed = np.linalg.norm(v + np.cross(u, r) + r1, axis=1)
    return float(weight @ speed) / 2 * end


def offsets(rod: Rod, sheath: Sheath, at: Array) -> tuple[Array, Array, Array]:
    """r, r' and r'' of a sheath at shares of the length, (n, 3) each [m, -, 1/m]."""
    poly = np.polynomial.polynomial
    a = 2j * np.pi * sheath.turns
    y, z = (np.atleast_1d(np.array(c, float)) for c in (sheath.y, sheath.z))
    n = max(len(y), len(z))
    c = np.pad(y, (0, n - len(y))) + 1j * np.pad(z, (0, n - len(z)))  # y + i z, turned by exp
    c0, c1, c2 = (poly.polyval(at, poly.polyder(c, k) if k < n else [0]) for k in range(3))
    e = np.exp(a * at)
    r = (c0 * e, (c1 + a * c0) * e / rod.length, (c2 + 2 * a * c1 + a**2 * c0) * e / rod.length**2)
    return tuple(np.stack([0 * at, x.real, x.imag], 1) for x in r)  # type: ignore[return-value]


def _stations(robot: Robot, rod: Rod, cables: tuple[Cable, ...]) -> tuple[Station, ...]:
    disks = {f"{rod.name}.{d.name}": d for d in rod.disks}
    acts: dict[float, list[Load]] = {}
    for i, load in enumerate(robot.loads):
        if isinstance(load.at.point, str) and load.at.point != "origin":
            raise InputError(f"loads.{i}.at: a rod has no anchor '{load.at.point}'")
        if load.at.frame == f"{rod.name}.tip":
            at = rod.length
        elif load.at.frame in disks:
            at = disks[load.at.frame].at
        else:
            continue  # on the world or the base: nothing moves
        acts.setdefault(at, []).append(load)
    heavy = [d for d in rod.disks if d.mass]
    places = {c.end for c in cables} | {d.at for d in heavy} | acts.keys() | {rod.length}
    return tuple(
        Station(
            at,
            tuple(i for i, c in enumerate(cables) if c.end == at),
            tuple(d for d in heavy if d.at == at),
            tuple(acts.get(at, ())),
        )
        for at in sorted(places)
        if at > 0
    )


def _turned(axis: tuple[float, float, float], angle: float) -> Array:
    """Rotation matrix about a unit axis (Rodrigues)."""
    x, y, z = axis
    S = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * S + (1 - np.cos(angle)) * S @ S)
