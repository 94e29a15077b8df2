"""From a description to the continuous problem: one rod on the world, and what pulls it."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil

import casadi as ca
import numpy as np

from chorda.continuous.rod_constants import TANGENT, RodConstants, rod_constants
from chorda.continuous.rod_symbols import sheath_offset
from chorda.continuous.sheath_friction import Friction, Simple, Sliding, counts_winch
from chorda.describe import Material, Robot, TensionActuator, Winch, WrenchActuator
from chorda.describe.contact_checks import refuse_contacts
from chorda.describe.elements import Load
from chorda.describe.feeding import refuse_fed
from chorda.describe.laws import Rigid
from chorda.describe.rods import Disk, Rod, RodFrame, Sheath
from chorda.describe.tendon_friction import Viscous
from chorda.describe.tendons_and_actuators import Tendon
from chorda.errors import InputError
from chorda.mechanics import Array
from chorda.mechanics.frames import SX
from chorda.mechanics.parameters import Parameters

GAUSS_POINTS, GAUSS_PER_TURN = 40, 8  # for the length of a path at rest


@dataclass(frozen=True)
class Station:
    """A point of the rod where the internal wrench jumps, or its slope: tendons end, disks and
    bodies sit, loads act, or begin and end."""

    at: float
    disks: tuple[Disk, ...]
    loads: tuple[Load, ...]
    bodies: tuple[RodFrame, ...] = ()


@dataclass(frozen=True)
class Cable:
    """A tendon: its sheath, where it ends [m], its actuator, and its length without tension [m]."""

    tendon: Tendon
    sheath: Sheath
    end: float
    input: int | None  # number of its actuator; None: the tendon is tied
    pulled: bool  # the tension is prescribed, else the length
    reference: float

    @property
    def pushes(self) -> bool:
        """Whether a negative tension makes sense."""
        return not self.tendon.law.one_sided

    @property
    def compliance(self) -> float:
        """Strain per newton of a cable whose length is what was paid out."""
        law = self.tendon.law
        if not isinstance(law, Material) or law.over != "free":
            return 0.0
        return 1 / (law.young_modulus * law.section)

    def given(self, inputs: Array) -> float:
        """Its actuator's input, tension [N] or length [m]; zero if it is tied."""
        return 0.0 if self.input is None else float(inputs[self.input])

    def paid_out(self, inputs: Array) -> float:
        """By its winch [m]."""
        return self.tendon.winding * self.given(inputs)

    def elongation(self, tension: float, path: float, paid: float) -> tuple[float, float, float]:
        """Under a tension [m], with its derivatives by the tension and by the path's length."""
        law = self.tendon.law
        if isinstance(law, Rigid):
            return 0.0, 0.0, 0.0
        force = tension - (law.pretension or 0.0)
        if isinstance(law, Material):
            ES = law.young_modulus * law.section
            total = self.reference if law.length is None else law.length
            unwound, free = self.tendon.lead + path, self.reference + paid
            length = {"total": total, "unwound": unwound, "free": free}[law.over]
            return force * length / ES, length / ES, force / ES if law.over == "unwound" else 0.0
        k, s = law.stiffness, getattr(law, "stiffening", 0.0)
        root = float(np.sqrt(k**2 + 4 * s * abs(force)))
        return 2 * force / (k + root), 1 / root, 0.0


@dataclass(frozen=True, eq=False)
class TendonRod:
    """What the equations are made from; stations are ordered, the last one is the tip."""

    robot: Robot
    rod: Rod
    constants: RodConstants
    cables: tuple[Cable, ...]
    stations: tuple[Station, ...]
    friction: Friction

    @property
    def size(self) -> int:
        """Length of the state: rotation, strains, velocities, and two for each tendon."""
        return 21 + 2 * len(self.cables)

    @property
    def flags(self) -> int:
        """What may be there or not at a point: tendons, and loads along the rod."""
        return len(self.cables) + len(self.robot.distributed_loads)

    @cached_property
    def turns(self) -> float:
        """How often the tendon that is wound most goes round, or the rod without load, over its
        length."""
        rest = self.constants.rest_at(np.linspace(0, 1, GAUSS_POINTS + 1))[:, :3]
        curled = float(np.mean(np.linalg.norm(rest, axis=1))) * self.rod.length / (2 * np.pi)
        return max([abs(cable.sheath.turns) for cable in self.cables] + [curled])


def _described(robot: Robot) -> Friction:
    """Friction in the sheaths as the robot's description has it; one law for all tendons."""
    laws = {
        tendon.friction if sheath.friction is None else sheath.friction
        for tendon in robot.tendons
        for sheath in tendon.sheaths
    }
    if len(laws) > 1:
        raise InputError(
            "friction: expected the same friction in all sheaths, got "
            f"{', '.join(sorted(map(repr, laws)))}; describe one for all tendons, or use `simulate`"
        )
    law = next(iter(laws), None)
    if law is None or not law.coefficient:
        return None
    if isinstance(law, Viscous):
        return Simple(law.coefficient, moment=law.moment)
    if law.deflection is not None:
        raise InputError(
            "friction: bristles are not part of the continuous problem, got deflection "
            f"{law.deflection:g} m; describe a speed instead, or use `simulate`"
        )
    return Sliding(law.coefficient, law.speed)


def tendon_rod(robot: Robot, friction: Friction = None, moving: bool = False) -> TendonRod:
    """Reads and checks; what the continuous problem cannot express is refused by name."""
    if friction is not None and not isinstance(friction, Simple | Sliding):
        raise InputError(
            f"friction: expected Simple(...), Sliding(...) or None, got {friction!r:.60}"
        )
    if friction is None and moving:
        friction = _described(robot)
    if len(robot.joints) != 1 or not isinstance(robot.joints[0], Rod):
        kinds = ", ".join(f"{j.name} ({j.kind})" for j in robot.joints)
        raise InputError(f"joints: expected one rod on the world, got {kinds}; use `simulate`")
    for section in ("springs", "dampers", "closures"):
        if getattr(robot, section):
            raise InputError(
                f"{section}: the continuous problem of a rod has none; leave them out, or use "
                "`simulate` with strain modes"
            )
    refuse_contacts(robot.contacts, "the continuous problem of a rod", "take chorda.simulate")
    for i, actuator in enumerate(robot.actuators):
        if isinstance(actuator, WrenchActuator):
            raise InputError(
                f"actuators.{i} ({actuator.name}): forces on frames are no inputs of the "
                "continuous problem; give a load, or use `simulate`"
            )
    rod = robot.joints[0]
    refuse_fed(rod)
    constants = rod_constants(rod)
    for i, tendon in enumerate(robot.tendons if moving else ()):
        if getattr(tendon.law, "damping", 0) or getattr(tendon.law, "damping_modulus", 0):
            raise InputError(
                f"tendons.{i}.law ({tendon.name}): damping of tendons is not part of the "
                "continuous problem in motion; leave it out, or use `simulate`"
            )
    cables = tuple(
        _cable(f"tendons.{i}", tendon, robot, constants, friction)
        for i, tendon in enumerate(robot.tendons)
    )
    return TendonRod(robot, rod, constants, cables, _stations(robot, rod, cables), friction)


def _cable(
    where: str, tendon: Tendon, robot: Robot, constants: RodConstants, friction: Friction
) -> Cable:
    if tendon.path or len(tendon.sheaths) != 1 or tendon.sheaths[0].start != 0:
        raise InputError(
            f"{where} ({tendon.name}): expected one sheath from the base of "
            f"'{robot.joints[0].name}', without points or pulleys before it; give their length as "
            "lead, or use `simulate`"
        )
    sheath, law = tendon.sheaths[0], tendon.law
    names = [d.name for d in robot.actuators]
    number = None if tendon.actuator is None else names.index(tendon.actuator)
    actuator = None if number is None else robot.actuators[number]
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
    if counts_winch(friction) and isinstance(actuator, TensionActuator):
        raise InputError(
            "friction.counted_from: 'actuator' needs the length that a winch pays out, but "
            f"'{actuator.name}' of {where} ({tendon.name}) is a tension; give it a winch, or use "
            "'attachment'"
        )
    end = constants.length if sheath.end is None else sheath.end
    reference = tendon.lead + _rest_length(constants, sheath, end)
    return Cable(tendon, sheath, end, number, isinstance(actuator, TensionActuator), reference)


def _rest_length(constants: RodConstants, sheath: Sheath, end: float) -> float:
    """Of the path in a rod without load [m]."""
    points = max(GAUSS_POINTS, ceil(GAUSS_PER_TURN * abs(sheath.turns)))
    x, weight = np.polynomial.legendre.leggauss(points)
    at = (x + 1) / 2 * end / constants.length
    strain = constants.rest_at(at) + TANGENT
    r, r1, _ = offsets(constants.length, sheath, at)
    speed = np.linalg.norm(strain[:, 3:] + np.cross(strain[:, :3], r) + r1, axis=1)
    return float(weight @ speed) / 2 * end


def offsets(length: float, sheath: Sheath, at: Array) -> list[Array]:
    """r, r' and r'' of a sheath at fractions (n) of the length, (n, 3) each [m, -, 1/m]."""
    par, x = Parameters(), SX.sym("x")
    found = sheath_offset(sheath, "sheath", par)(x * length, length)
    function = ca.Function("offsets", [x, ca.vertcat(SX(0, 1), *par.symbols)], found)
    return [value.full().T for value in function.map(len(at))(at[None], par.values)]


def _stations(robot: Robot, rod: Rod, cables: tuple[Cable, ...]) -> tuple[Station, ...]:
    frames = {f"{rod.name}.tip": rod.length} | {f"{rod.name}.{x.name}": x.at for x in rod.marks}
    loads: dict[float, list[Load]] = {}
    for i, load in enumerate(robot.loads):
        if isinstance(load.at.point, str) and load.at.point != "origin":
            raise InputError(f"loads.{i}.at: a rod has no anchor '{load.at.point}'")
        if load.at.frame in frames:  # else on the world or the base: nothing moves
            loads.setdefault(frames[load.at.frame], []).append(load)
    heavy = [d for d in rod.disks if d.mass]
    bodies = [x for x in rod.frames if x.body is not None]
    where = {c.end for c in cables} | {d.at for d in heavy} | {x.at for x in bodies} | loads.keys()
    spans = [(load.start, load.end) for load in robot.distributed_loads]
    where |= {x for span in spans for x in span if x is not None} | {rod.length}
    return tuple(
        Station(
            at,
            tuple(d for d in heavy if d.at == at),
            tuple(loads.get(at, ())),
            tuple(x for x in bodies if x.at == at),
        )
        for at in sorted(where)
        if at > 0
    )
