"""Continuum robots: Till's rod with one tendon, two segments with six, one with a helical tendon.

The rod of Till and its tendon are printed to the last number but for the disks' size.
"""

import math

from chorda.describe import (
    Circle,
    Disk,
    KelvinVoigt,
    Material,
    Modes,
    Placement,
    Rigid,
    Robot,
    Rod,
    Sheath,
    Tendon,
    TensionActuator,
    Winch,
)

ALONG_Z = Placement(axis=(0, 1, 0), angle=-math.pi / 2)  # the rod's x is the world's z
DOWN = Placement(axis=(0, 1, 0), angle=math.pi / 2)

L, RADIUS, MASS = 0.7144, 0.00135 / 2, 0.034  # of Till's rod [m, m, kg]
PLANAR = Modes(twist=0, bend_y=6, bend_z=0, stretch=3, shear_z=3, order=6)
SPATIAL = Modes(twist=3, bend_y=6, bend_z=6, stretch=3, shear_y=3, shear_z=3, order=6)
PRINTED = {
    "gravity.*": "Till, independent parameters: g = -9.81 m/s^2 along x, across the rod",
    "joints.*.length": "Till, independent parameters: L = 0.7144 m",
    "joints.*.section.radius": "Till, independent parameters: rad = 0.00135 m / 2",
    "joints.*.young_modulus": "Till, independent parameters: E = 207e9 Pa (G = E / 2.6)",
    "joints.*.density": "Till, dependent parameters: total_mass / (L A), total_mass = 0.034 kg",
    "joints.*.bend_damping": "Till, independent parameters: Bbt = 5e-4 N m^2 s (shear and stretch "
    "have none: Bse = 0)",
    "joints.*.twist_damping": "Till, independent parameters: Bbt = 5e-4 N m^2 s",
    "joints.*.drag.*": "Till, independent parameters: C = 1e-4 kg/m^2",
    "joints.*.disks.*.at": "Till, storing of results: nodes (N - 1) j / 7, here without rounding",
    "joints.*.disks.*.radius": "assumed: not printed, only drawn; 2 mm beyond the tendon",
    "tendons.*.sheaths.*.z.*": "Till, independent parameters: tendon_offset = 0.01506 m along +x",
    "tendons.*.sheaths.*.y.*": "geometry: the tendon lies in the plane of gravity",
    "tendons.*.sheaths.*.turns": "Till, after the parameters: constant offset",
    "tendons.*.sheaths.*.start": "geometry: from the base plate",
    "tendons.*.lead": "Till, independent parameters: base_to_motor = 0.0518 m",
}
CORD = {
    "tendons.*.law.young_modulus": "Till, independent parameters: compliance = 1e-4 /N, which is "
    "1 / (young_modulus section)",
    "tendons.*.law.section": "assumed: 1 mm^2; only young_modulus times section counts",
    "tendons.*.law.damping_modulus": "Till, length error: the tendon has no damping",
}


def till(*, spatial: bool = False, tension: bool = False) -> Robot:
    """The robot of Till's chapter: a horizontal steel rod, lifted by one tendon above it.

    The world's axes are Till's: the rod runs along z, gravity along -x. The winch's input is z(t),
    or with `tension` a force. The planar model moves in the x-z plane; the spatial one may also
    bend aside and twist.

    >>> till().joints[0].disks[-1].at
    0.7144
    """
    rod = Rod(
        name="rod",
        placement=ALONG_Z,
        length=L,
        section=Circle(radius=RADIUS),
        young_modulus=207e9,
        density=MASS / (L * math.pi * RADIUS**2),
        bend_damping=5e-4,
        twist_damping=5e-4,
        drag=(1e-4, 1e-4, 1e-4),
        modes=SPATIAL if spatial else PLANAR,
        disks=tuple(Disk(name=f"disk{j}", at=L * j / 7, radius=0.017) for j in range(1, 8)),
    )
    cable = Material(young_modulus=1e10, section=1e-6, over="free", one_sided=True)
    words = ["Steel rod lifted by one tendon", "spatial" * spatial, "tension given" * tension]
    return Robot(
        name="till" + "-spatial" * spatial + "-tension" * tension,
        title=", ".join(filter(None, words)) + " (Till)",
        gravity=(-9.81, 0, 0),
        joints=(rod,),
        actuators=(TensionActuator(name="winch") if tension else Winch(name="winch"),),
        tendons=(
            Tendon(
                name="tendon",
                sheaths=(Sheath(rod="rod", z=-0.01506),),
                lead=0.0518,
                law=Rigid() if tension else cable,
                actuator="winch",
            ),
        ),
        sources=MODES | (PRINTED if tension else PRINTED | CORD),
    )


MODES = {"joints.*.modes.*": "assumed: as many functions as the shape needs; add some to see"}
OWN = {
    "gravity.*": "assumed: the robot hangs down",
    "joints.*.length": "assumed: of the size of a continuum robot for a laboratory's table",
    "joints.*.section.radius": "assumed: a wire of 1 mm, as backbones of that size have",
    "joints.*.young_modulus": "assumed: superelastic NiTi before its plateau, 50 to 80 GPa",
    "joints.*.shear_modulus": "assumed: NiTi, Poisson's ratio 0.33",
    "joints.*.density": "assumed: NiTi, 6450 kg/m^3",
    "joints.*.bend_damping": "assumed: 3 to 7 per cent of critical damping in the slowest mode",
    "joints.*.twist_damping": "assumed: as for bending",
    "joints.*.stretch_damping": "assumed: the stretch of the rod dies out within milliseconds",
    "joints.*.disks.*.at": "geometry: evenly spaced, the last one at the tip",
    "joints.*.disks.*.radius": "assumed: room for the tendons' holes",
    "joints.*.disks.*.mass": "assumed: a printed disk of that radius, 3 mm thick, 1200 kg/m^3",
    "tendons.*.sheaths.*.y.*": "geometry: tendons evenly spread on a circle",
    "tendons.*.sheaths.*.z.*": "geometry: tendons evenly spread on a circle",
    "tendons.*.sheaths.*.turns": "geometry: parallel to the rod",
    "tendons.*.sheaths.*.start": "geometry: from the base of each rod",
}
NITI = {"young_modulus": 6e10, "shear_modulus": 2.26e10, "density": 6450.0}
DAMPED = {"bend_damping": 1e-5, "twist_damping": 1e-5, "stretch_damping": 10.0}


def continuum_2x3() -> Robot:
    """Two segments of 0.12 m in series, three tendons each, hanging down.

    near1 to near3 end at the first segment's tip, far1 to far3 run on to the second one's; the
    six lie 60 degrees apart on a circle, those of a segment 120 degrees.

    >>> [len(t.sheaths) for t in continuum_2x3().tendons]
    [1, 1, 1, 2, 2, 2]
    """
    length, offset = 0.12, 0.008
    rods = tuple(
        Rod(
            name=name,
            parent=parent,
            placement=placement,
            length=length,
            section=Circle(radius=0.0005),
            **NITI,
            **DAMPED,
            modes=Modes(twist=1, bend_y=3, bend_z=3, stretch=1, intervals=8),
            disks=_disks(4, length, 0.01),
        )
        for name, parent, placement in (
            ("near", "world", DOWN),
            ("far", "near.tip", Placement()),
        )
    )
    ways = [("near", k, 120.0 * k, ["near"]) for k in range(3)]
    ways += [("far", k, 120.0 * k + 60, ["near", "far"]) for k in range(3)]
    law = KelvinVoigt(stiffness=2e4, damping=2.0, pretension=2.0, one_sided=True)
    return Robot(
        name="continuum-2x3",
        title="Continuum robot of 2 segments with 3 tendons each",
        gravity=(0, 0, -9.81),
        joints=rods,
        actuators=tuple(Winch(name=f"winch-{name}{k + 1}") for name, k, *_ in ways),
        tendons=tuple(
            Tendon(
                name=f"{name}{k + 1}",
                sheaths=tuple(_parallel(rod, offset, angle) for rod in along),
                law=law,
                actuator=f"winch-{name}{k + 1}",
            )
            for name, k, angle, along in ways
        ),
        sources=MODES
        | OWN
        | {
            "tendons.*.law.stiffness": "assumed: that of a thin steel cable of that length",
            "tendons.*.law.damping": "assumed: small, 0.1 ms times the stiffness",
            "tendons.*.law.pretension": "assumed: keeps all six taut where the robot hangs",
        },
    )


def helical() -> Robot:
    """A rod with a tendon that winds once around it, and two parallel ones.

    Pulled, the helical tendon bends the rod into a spatial curve and twists it, which no parallel
    tendon does.

    >>> [t.sheaths[0].turns for t in helical().tendons]
    [1.0, 0.0, 0.0]
    """
    length, offset = 0.2, 0.008
    rod = Rod(
        name="rod",
        placement=DOWN,
        length=length,
        section=Circle(radius=0.0005),
        **NITI,
        **DAMPED,
        modes=Modes(twist=3, bend_y=5, bend_z=5, stretch=2),
        disks=_disks(8, length, 0.01),
    )
    sheaths = {
        "helix": Sheath(rod="rod", y=offset, turns=1.0),
        "left": _parallel("rod", offset, 90),
        "right": _parallel("rod", offset, 270),
    }
    return Robot(
        name="helical",
        title="Continuum robot with one helical and two parallel tendons",
        gravity=(0, 0, -9.81),
        joints=(rod,),
        actuators=tuple(TensionActuator(name=f"pull-{name}") for name in sheaths),
        tendons=tuple(
            Tendon(name=name, sheaths=(sheath,), actuator=f"pull-{name}")
            for name, sheath in sheaths.items()
        ),
        sources=MODES
        | OWN
        | {"tendons.*.sheaths.*.turns": "assumed: one turn, or none for those that are parallel"},
    )


RODS = {
    "till": till,
    "till-spatial": lambda: till(spatial=True),
    "till-tension": lambda: till(tension=True),
    "continuum-2x3": continuum_2x3,
    "helical": helical,
}


def _disks(count: int, length: float, radius: float) -> tuple[Disk, ...]:
    """Printed disks, 3 mm thick, up to the tip."""
    mass = float(f"{1200 * 0.003 * math.pi * radius**2:.2g}")
    return tuple(
        Disk(name=f"disk{j}", at=length * j / count, radius=radius, mass=mass)
        for j in range(1, count + 1)
    )


def _parallel(rod: str, offset: float, degrees: float) -> Sheath:
    a = math.radians(degrees)
    return Sheath(rod=rod, y=round(offset * math.cos(a), 9), z=round(offset * math.sin(a), 9))
