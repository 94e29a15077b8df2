"""Continuum parallel robots: the two of Briot2022, a planar one of three legs, one with tendons.

Briot2022 prints the legs and the geometry of both robots. Its legs are straight at rest, so that
the loops are open while all coordinates are zero: they close from a guess of how the legs bulge.
The legs of the other two reach the platform as they are at rest.
"""

import math
from typing import Any

from chorda.describe import (
    Body,
    Circle,
    Closure,
    Disk,
    Fixed,
    Free,
    Modes,
    Placement,
    Point,
    Prismatic,
    Rectangle,
    Revolute,
    Robot,
    Rod,
    Sheath,
    Strains,
    Tendon,
    TensionActuator,
)
from chorda.errors import InputError

STEEL: dict[str, Any] = {
    "length": 1.0,
    "section": Circle(radius=1e-3),
    "young_modulus": 210e9,
    "shear_modulus": 82e9,
    "density": 7800.0,
}
PRINTED = {
    "gravity.*": "Briot2022, section VI: no external wrench",
    "joints.*.length": "Briot2022, section VI: L = 1 m",
    "joints.*.section.radius": "Briot2022, section VI: circular, 1 mm",
    "joints.*.young_modulus": "Briot2022, section VI: E = 210 GPa",
    "joints.*.shear_modulus": "Briot2022, section VI: G = 82 GPa",
    "joints.*.density": "Briot2022, section VI: 7800 kg/m^3",
    "joints.*.modes.intervals": "assumed: positions known within 1e-6 m for strains as on the "
    "printed paths",
    "joints.*.modes.*": "Briot2022, section VI: 3, 4 or 5 functions for each bending, no other "
    "strain",
    "joints.*.rest": "geometry: no springs at the motors",
}


def rfrfr(modes: int = 5, intervals: int = 12) -> Robot:
    """The planar RFRFR robot of Briot2022: two rods on motors, their tips on one pin.

    motor1 is the left one; angles are those of the rods' first tangents from +x. The legs bulge
    outwards from a guess such as {"leg1.bend_z0": -1, "leg2.bend_z0": 1}.

    >>> [j.name for j in rfrfr().joints]
    ['motor1', 'leg1', 'motor2', 'leg2']
    """
    functions = _functions(modes, intervals, "bend_z")
    pin = Closure(name="pin", kind="revolute", start=_tip(1), end=_tip(2))
    return Robot(
        name="rfrfr",
        title="Planar continuum parallel robot of two legs (Briot2022)",
        gravity=(0, 0, 0),
        joints=tuple(
            joint
            for k, x in ((1, -0.2), (2, 0.2))
            for joint in (
                Revolute(name=f"motor{k}", placement=Placement(position=(x, 0, 0))),
                Rod(name=f"leg{k}", parent=f"motor{k}", **STEEL, modes=functions),
            )
        ),
        closures=(pin,),
        start={"motor1": 2.59, "leg1.bend_z0": -1.0, "motor2": 0.55, "leg2.bend_z0": 1.0},
        sources=PRINTED
        | {
            "start.motor*": "Briot2022, section VI-A: where the path begins",
            "start.*": "assumed: both legs bulge outwards",
            "joints.*.placement.position.*": "Briot2022, section VI-A: motors 0.4 m apart",
        },
    )


BASE = (0, 0, 2 * math.pi / 3, 2 * math.pi / 3, -2 * math.pi / 3, -2 * math.pi / 3)  # [rad] by leg
FIRST = (5.86, 5.56, 5.86, 5.46, 5.86, 5.26)  # [rad] angles of the motors where the path begins
TOP = (-math.pi / 3, math.pi / 3, math.pi / 3, math.pi, math.pi, -math.pi / 3)


def six_rfs(modes: int = 5, intervals: int = 12) -> Robot:
    """The spatial 6-RFS robot of Briot2022: six rods on motors, spherical joints at a platform.

    Legs 1 and 2 start at A1, 3 and 4 at A2, 5 and 6 at A3; they end at B3, B1, B1, B2, B2, B3. A
    motor at 0 points its leg outwards along the ground, a negative angle turns it up. The legs
    bulge outwards from a guess such as {"leg1.bend_y0": -2.5, ...} for all six.

    >>> [c.name for c in six_rfs().closures]
    ['joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6']
    """
    functions = _functions(modes, intervals, "bend_y", "bend_z")
    legs = tuple(
        joint
        for k, angle in enumerate(BASE, start=1)
        for joint in (
            Revolute(
                name=f"motor{k}",
                placement=Placement(position=_round_z(0.25, angle), angle=angle),
                axis=(0, 1, 0),
            ),
            Rod(name=f"leg{k}", parent=f"motor{k}", **STEEL, modes=functions),
        )
    )
    platform = Free(
        name="platform",
        placement=Placement(position=(0, 0, 0.7)),
        body=_plate(0.05, 0.1),
    )
    return Robot(
        name="6-rfs",
        title="Spatial continuum parallel robot of six legs (Briot2022)",
        gravity=(0, 0, 0),
        joints=(*legs, platform),
        closures=tuple(
            Closure(name=f"joint{k}", kind="spherical", start=_tip(k), end=_corner(0.1, angle))
            for k, angle in enumerate(TOP, start=1)
        ),
        start={f"motor{k}": angle for k, angle in enumerate(FIRST, start=1)}
        | {f"leg{k}.bend_y0": -2.5 for k in range(1, 7)},
        sources=PRINTED
        | {
            "start.motor*": "Briot2022, section VI-B: where the path begins",
            "start.*": "assumed: all legs bulge outwards",
            "joints.12.placement.position.*": "assumed: the platform's coordinates count from "
            "0.7 m above the base, about where it works",
            "joints.*.placement.position.*": "Briot2022, section VI-B: A1 to A3 at 0, 120 and "
            "-120 degrees, 0.25 m from the centre",
            "joints.*.placement.angle": "Briot2022, section VI-B: as A1 to A3",
            "closures.*.end.point.*": "Briot2022, section VI-B: B1 to B3 at 60, 180 and -60 "
            "degrees, 0.1 m from the centre",
            "joints.*.body.mass": "assumed: not printed; a light plate. No weight, no effect at "
            "rest",
            "joints.*.body.center.*": "assumed: not printed; the middle of the plate",
            "joints.*.body.inertia.*": "assumed: not printed; a thin disc of that mass and 0.1 m",
        },
    )


OWN = {
    "joints.*.modes.*": "assumed: as many functions as the shape needs; add some to see",
    "joints.*.body.mass": "assumed: a plate of plastic or light metal of that size",
    "joints.*.body.center.*": "geometry: the middle of the plate",
    "joints.*.body.inertia.*": "geometry: a thin disc of that mass and size",
    "closures.*.end.point.*": "geometry: corners evenly spread on the platform's circle",
    "joints.*.placement.*": "geometry: legs evenly spread around the centre, so that they reach "
    "the platform as they are at rest",
}


def three_rfr() -> Robot:
    """A planar robot on a table: three curved strips on motors, pins at a platform.

    The strips are arcs at rest that reach the platform: its position and angle (platform_x,
    platform_y, platform) and the motors' angles are zero there. The motors' turns move it in the
    plane and turn it.

    >>> [c.name for c in three_rfr().closures]
    ['pin1', 'pin2', 'pin3']
    """
    length, bend, corner = 0.35, 4.0, 0.06  # [m, rad/m, m]
    half = bend * length / 2
    chord = 2 / bend * math.sin(half)
    base = math.sqrt(chord**2 - corner**2)  # a corner lies a quarter turn ahead of its motor
    joints: list[Any] = []
    pins = []
    for k in (1, 2, 3):
        at = math.radians(120 * k - 30)
        ahead = at + math.pi / 2
        x, y, _ = _round_z(base, at)
        to_x, to_y, _ = _round_z(corner, ahead)
        start = math.atan2(to_y - y, to_x - x) - half
        joints += [
            Revolute(name=f"motor{k}", placement=Placement(position=(x, y, 0), angle=start)),
            Rod(
                name=f"leg{k}",
                parent=f"motor{k}",
                length=length,
                section=Rectangle(width=8e-4, height=0.01),
                young_modulus=205e9,
                density=7850.0,
                bend_damping=1e-4,
                rest=Strains(bend_z=(bend,)),
                modes=Modes(twist=0, bend_y=0, bend_z=5, stretch=0),
            ),
        ]
        pins.append(
            Closure(name=f"pin{k}", kind="revolute", start=_tip(k), end=_corner(corner, ahead))
        )
    joints += [
        Prismatic(name="platform_x", axis=(1, 0, 0)),
        Prismatic(name="platform_y", parent="platform_x", axis=(0, 1, 0)),
        Revolute(name="platform", parent="platform_y", body=_plate(0.1, 0.07)),
    ]
    return Robot(
        name="3-rfr",
        title="Planar continuum parallel robot of three curved legs",
        gravity=(0, 0, 0),
        joints=tuple(joints),
        closures=tuple(pins),
        sources=OWN
        | {
            "gravity.*": "assumed: a table carries the weight",
            "joints.*.length": "assumed: of the size of a laboratory's table",
            "joints.*.section.width": "assumed: a strip of spring steel, 0.8 mm thick",
            "joints.*.section.height": "assumed: 10 mm high, so that it bends in the plane alone",
            "joints.*.young_modulus": "assumed: spring steel, 205 GPa",
            "joints.*.density": "assumed: spring steel, 7850 kg/m^3",
            "joints.*.bend_damping": "assumed: 4 per cent of critical damping in the slowest mode, "
            "motors held",
            "joints.*.rest.bend_z.*": "assumed: rolled to an arc of 0.25 m radius",
            "joints.*.rest": "geometry: no springs at motors and platform",
        },
    )


def tendon_parallel() -> Robot:
    """A spatial parallel robot moved by tendons: three wires hang a platform from a ceiling.

    The wires are clamped above and lean inwards; spherical joints join them to the platform. Along
    each run three tendons through disks, a to c, the first on the outside; their tensions bend
    the wires and so move the platform.

    >>> [t.name for t in tendon_parallel().tendons][:4]
    ['tendon1a', 'tendon1b', 'tendon1c', 'tendon2a']
    """
    length, above, below, offset = 0.3, 0.1, 0.05, 0.008  # [m]
    lean = math.asin((above - below) / length)
    joints: list[Any] = []
    tendons, balls = [], []
    for k in (1, 2, 3):
        at = math.radians(120 * (k - 1))
        joints += [
            Fixed(name=f"foot{k}", placement=Placement(position=_round_z(above, at), angle=at)),
            Rod(
                name=f"leg{k}",
                parent=f"foot{k}",
                placement=Placement(axis=(0, 1, 0), angle=math.pi / 2 + lean),
                length=length,
                section=Circle(radius=0.0008),
                young_modulus=6e10,
                shear_modulus=2.26e10,
                density=6450.0,
                bend_damping=1e-4,
                twist_damping=1e-4,
                modes=Modes(twist=1, bend_y=4, bend_z=4, stretch=0),
                disks=tuple(
                    Disk(name=f"disk{j}", at=length * j / 6, radius=0.01, mass=0.0011)
                    for j in range(1, 7)
                ),
            ),
        ]
        balls.append(
            Closure(name=f"ball{k}", kind="spherical", start=_tip(k), end=_corner(below, at))
        )
        for letter, around in zip("abc", (0, 120, 240), strict=True):
            a = math.radians(around)
            y, z = round(offset * math.sin(a), 9), round(offset * math.cos(a), 9)
            tendons.append(
                Tendon(
                    name=f"tendon{k}{letter}",
                    sheaths=(Sheath(rod=f"leg{k}", y=y, z=z),),
                    actuator=f"pull{k}{letter}",
                )
            )
    platform = Free(
        name="platform",
        placement=Placement(position=(0, 0, -length * math.cos(lean))),
        body=_plate(0.06, 0.06),
    )
    return Robot(
        name="tendon-parallel",
        title="Spatial continuum parallel robot of three legs with three tendons each",
        gravity=(0, 0, -9.81),
        joints=(*joints, platform),
        closures=tuple(balls),
        actuators=tuple(TensionActuator(name=str(t.actuator)) for t in tendons),
        tendons=tuple(tendons),
        sources=OWN
        | {
            "gravity.*": "assumed: the robot hangs down",
            "joints.*.length": "assumed: of the size of a laboratory's table",
            "joints.*.section.radius": "assumed: a wire of 1.6 mm, as backbones of that size have",
            "joints.*.young_modulus": "assumed: superelastic NiTi before its plateau, 50 to 80 GPa",
            "joints.*.shear_modulus": "assumed: NiTi, Poisson's ratio 0.33",
            "joints.*.density": "assumed: NiTi, 6450 kg/m^3",
            "joints.*.bend_damping": "assumed: 2 per cent of critical damping in the slowest mode",
            "joints.*.twist_damping": "assumed: as for bending",
            "joints.*.disks.*.at": "geometry: evenly spaced, the last one at the tip",
            "joints.*.disks.*.radius": "assumed: room for the tendons' holes",
            "joints.*.disks.*.mass": "assumed: a printed disk of that radius, 3 mm thick, "
            "1200 kg/m^3",
            "tendons.*.sheaths.*.y.*": "geometry: tendons evenly spread on a circle",
            "tendons.*.sheaths.*.z.*": "geometry: tendons evenly spread on a circle",
            "tendons.*.sheaths.*.turns": "geometry: parallel to the wire",
            "tendons.*.sheaths.*.start": "geometry: from the ceiling",
        },
    )


PARALLEL = {
    "rfrfr": rfrfr,
    "6-rfs": six_rfs,
    "3-rfr": three_rfr,
    "tendon-parallel": tendon_parallel,
}


def _functions(count: int, intervals: int, *strains: str) -> Modes:
    """As many Legendre functions for each of the strains, none for the others."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 30:
        raise InputError(f"modes: expected a whole number from 1 to 30, got {count!r:.60}")
    none = dict.fromkeys(("twist", "bend_y", "bend_z", "stretch"), 0)
    return Modes(**(none | dict.fromkeys(strains, count)), intervals=intervals)


def _tip(leg: int) -> Point:
    return Point(frame=f"leg{leg}.tip")


def _corner(radius: float, angle: float) -> Point:
    return Point(frame="platform", point=_round_z(radius, angle))


def _round_z(radius: float, angle: float) -> tuple[float, float, float]:
    """A point on a circle about z, without what rounding leaves of zeros."""
    return round(radius * math.cos(angle), 15) + 0.0, round(radius * math.sin(angle), 15) + 0.0, 0.0


def _plate(mass: float, radius: float) -> Body:
    """A thin round plate across z."""
    flat = float(f"{mass * radius**2 / 4:.3g}")
    return Body(mass=mass, inertia=(flat, flat, 2 * flat, 0, 0, 0))
