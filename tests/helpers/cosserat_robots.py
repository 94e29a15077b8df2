"""Till's robot, and a rod that has everything the continuous problem knows."""

import math

from chorda.describe import (
    Circle,
    Disk,
    Load,
    Material,
    Placement,
    Point,
    Robot,
    Rod,
    Sheath,
    Strains,
    Tendon,
    TensionActuator,
    Winch,
)

LENGTH, RADIUS, OFFSET = 0.7144, 0.000675, 0.01506


def till(compliance=1e-4, **changes):
    """The robot of the chapter; compliance per newton."""
    rod = Rod(
        name="rod",
        length=LENGTH,
        section=Circle(radius=RADIUS),
        young_modulus=207e9,
        density=0.034 / (LENGTH * math.pi * RADIUS**2),
        bend_damping=5e-4,
        twist_damping=5e-4,
        drag=(1e-4, 1e-4, 1e-4),
        placement=Placement(axis=(0, 1, 0), angle=-math.pi / 2),
    )
    tendon = Tendon(
        name="tendon",
        actuator="winch",
        lead=0.0518,
        law=Material(young_modulus=1e6 / compliance, section=1e-6, over="free", one_sided=True),
        sheaths=(Sheath(rod="rod", z=-OFFSET),),
    )
    fields = {"name": "till", "gravity": (-9.81, 0, 0), "joints": (rod,), "tendons": (tendon,)}
    return Robot(**fields | {"actuators": (Winch(name="winch"),)} | changes)


def ramp(t):
    """Paid-out length over time of the chapter."""
    pulled, t1, t2, t3, t4 = -0.01619, 3.652, 3.967, 17.63, 17.94
    if t1 < t <= t2:
        return pulled * (t - t1) / (t2 - t1)
    if t2 < t <= t3:
        return pulled
    return pulled * (1 - (t - t3) / (t4 - t3)) if t3 < t <= t4 else 0.0


def smooth(t):
    """A pull with two derivatives."""
    return -0.008 * math.sin(math.pi * t) ** 2 * t


def everything():
    """Taper, rest strains, disks with mass, tendons of all routings, one that ends early, loads."""
    rod = Rod(
        name="rod",
        length=0.4,
        section=Circle(radius=1.2e-3),
        taper=0.7,
        young_modulus=60e9,
        density=6500,
        bend_damping=2e-4,
        twist_damping=3e-4,
        stretch_damping=1e-2,
        shear_damping=1e-2,
        drag=(1e-3, 2e-3, 3e-3),
        rest=Strains(twist=0.3, bend_y=(0.5, 1.0), bend_z=-0.4, stretch=(0.0, 1e-4)),
        disks=(
            Disk(name="low", at=0.13, radius=0.02, mass=0.01),
            Disk(name="high", at=0.4, radius=0.02, mass=0.005),
        ),
        placement=Placement(position=(0.1, 0.2, 0.3), axis=(0.6, 0.0, 0.8), angle=0.7),
    )
    sheaths = {
        "parallel": Sheath(rod="rod", y=0.01),
        "converging": Sheath(rod="rod", y=(-0.012, 0.004), z=(0.003, 0.0, 0.002)),
        "helical": Sheath(rod="rod", z=0.011, turns=0.8),
        "short": Sheath(rod="rod", y=0.005, z=-0.009, end=0.25),
    }
    return Robot(
        name="everything",
        gravity=(0.5, -9.0, 1.0),
        joints=(rod,),
        actuators=tuple(TensionActuator(name=f"pull-{name}") for name in sheaths),
        tendons=tuple(
            Tendon(name=name, actuator=f"pull-{name}", sheaths=(sheath,))
            for name, sheath in sheaths.items()
        ),
        loads=(
            Load(name="push", at=Point(frame="rod.tip", point=(0, 0.01, 0)), force=(0.1, 0, 0.2)),
            Load(
                name="twisting",
                at=Point(frame="rod.low"),
                force=(0.05, 0.1, 0),
                moment=(0.01, 0, 0.02),
                follows=True,
            ),
        ),
    )


PULLS = {"pull-parallel": 4.0, "pull-converging": 2.0, "pull-helical": 3.0, "pull-short": 2.5}


def beam(moment=(0, 0, 0), force=(0, 0, 0), gravity=(0, 0, 0), **fields):
    """A cantilever along x with a load at its tip."""
    rod = {"length": 1.0, "section": Circle(radius=2e-3), "young_modulus": 2e11, "density": 7800}
    return Robot(
        name="beam",
        gravity=gravity,
        joints=(Rod(name="rod", **rod | fields),),
        loads=(Load(name="load", at=Point(frame="rod.tip"), force=force, moment=moment),),
    )


def arc(angle=2.0):
    """A thick rod that rests in an arc, with a tendon inside it along its axis."""
    rod = Rod(
        name="rod",
        length=1.0,
        section={"kind": "circle", "radius": 0.02},
        young_modulus=2e11,
        density=7800,
        bend_damping=50.0,
        rest=Strains(bend_z=angle),
        placement=Placement(axis=(0, 0, 1), angle=0.3),
    )

    material = Material(young_modulus=1e9, section=1e-6, over="free", one_sided=True)
    return Robot(
        name="arc",
        gravity=(0, 0, 0),
        joints=(rod,),
        actuators=(Winch(name="winch"),),
        tendons=(Tendon(name="t", actuator="winch", law=material, sheaths=(Sheath(rod="rod"),)),),
    )
