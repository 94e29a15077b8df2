"""Robots of rods for tests, and their ways."""

import math

import numpy as np

from chorda.catalogue.parallel import rfrfr, six_rfs
from chorda.describe import (
    Body,
    Circle,
    Closure,
    Fixed,
    Load,
    Modes,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Robot,
    Rod,
    Strains,
)

EI = 210e9 * math.pi * 1e-12 / 4  # of the rods below [N m^2]
PLANE = Modes(twist=0, bend_y=0, bend_z=10, stretch=0)
STEEL = {"section": Circle(radius=1e-3), "young_modulus": 210e9, "density": 7800}

# of Briot2022: motor angles at both ends of the printed ways
TWO_FROM, TWO_TO = np.array([2.59, 0.55]), np.array([5.76, 3.67])
SIX_FROM = np.array([5.86, 5.56, 5.86, 5.46, 5.86, 5.26])
SIX_TO = np.array([7.95, 7.65, 4.29, 3.89, 3.77, 3.17])
TWO = rfrfr(modes=10)
SIX = six_rfs(modes=8)
TWO_MOTORS = ("motor1", "motor2")
SIX_MOTORS = tuple(f"motor{k}" for k in range(1, 7))
TWO_BULGE = {"leg1.bend_z": -1.0, "leg2.bend_z": 1.0}
SIX_BULGE = {f"leg{k}.bend_y": -2.0 for k in range(1, 7)}


def two_angles(t):
    """At t of 0 to 50 of the printed way."""
    return dict(zip(TWO_MOTORS, (TWO_FROM + (TWO_TO - TWO_FROM) * t / 50).tolist(), strict=True))


def six_angles(t):
    return dict(zip(SIX_MOTORS, (SIX_FROM + (SIX_TO - SIX_FROM) * t / 50).tolist(), strict=True))


def cantilever(modes=PLANE, **load):
    """A rod of 1 m, clamped, with a load at its tip."""
    loads = [Load(name="load", at=Point(frame="rod.tip"), **load)]
    rod = Rod(name="rod", length=1.0, modes=modes, **STEEL)
    return Robot(name="cantilever", gravity=(0, 0, 0), joints=[rod], loads=loads)


def column(force, hinged):
    """A rod on a slider that pushes along it; its base is clamped, or hinged."""
    hinge = [Revolute(name="hinge")] if hinged else [Fixed(name="hinge")]
    rod = Rod(name="rod", parent="hinge", length=1.0, modes=PLANE, **STEEL)
    slider = Prismatic(name="slider", axis=(1, 0, 0), placement=Placement(position=(1, 0, 0)))
    ends = {"start": Point(frame="rod.tip"), "end": Point(frame="slider")}
    return Robot(
        name="column",
        gravity=(0, 0, 0),
        joints=[*hinge, rod, slider],
        closures=[Closure(name="pin", kind="revolute", **ends)],
        loads=[Load(name="push", at=Point(frame="slider"), force=(-force, 0, 0))],
    )


def loaded_platform():
    """Three legs in the plane that also stretch and shear, a heavy platform and a load on it."""
    strains = Modes(twist=0, bend_y=0, bend_z=9, stretch=4, shear_y=3, intervals=20)
    material = {"section": Circle(radius=1.5e-3), "young_modulus": 100e9, "density": 4000}
    joints, pins = [], []
    bases = ((-0.5, 0), (0.5, 0), (0, 0.9))
    corners = ((-0.1, -0.05), (0.1, -0.05), (0, 0.1))
    kinds = ("revolute", "fixed", "spherical")
    for k, (base, corner, kind) in enumerate(zip(bases, corners, kinds, strict=True)):
        joints += [
            Revolute(name=f"motor{k}", placement=Placement(position=(*base, 0))),
            Rod(name=f"leg{k}", parent=f"motor{k}", length=0.55, modes=strains, **material),
        ]
        end = Point(frame="platform", point=(*corner, 0))
        pins.append(Closure(name=f"pin{k}", kind=kind, start=Point(frame=f"leg{k}.tip"), end=end))
    joints += [
        Prismatic(name="x", axis=(1, 0, 0)),
        Prismatic(name="y", parent="x", axis=(0, 1, 0)),
        Revolute(name="platform", parent="y", body=Body(mass=0.05, center=(0.01, 0.02, 0))),
    ]
    at = Point(frame="platform", point=(0.1, 0, 0))
    load = Load(name="load", at=at, force=(0.3, -0.2, 0), moment=(0, 0, 0.02))
    return Robot(name="loaded", joints=joints, closures=pins, loads=[load])


def hand(follows):
    """A bent and twisted rod with all strains on a slide and a motor, and a hand at its tip."""
    rod = Rod(
        name="rod",
        parent="motor",
        length=0.8,
        section=Circle(radius=1.5e-3),
        young_modulus=100e9,
        density=4000,
        modes=Modes(twist=6, bend_y=8, bend_z=8, stretch=4, shear_y=3, shear_z=3, intervals=20),
        rest=Strains(bend_y=(1.0, -0.5), bend_z=0.7, twist=0.3),
    )
    palm = Placement(position=(0.05, 0.02, 0), axis=(1, 0, 0), angle=0.4)
    heavy = Body(mass=0.02, center=(0.03, 0, 0.01))
    at = Point(frame="hand", point=(0, 0.1, 0))
    moment = (0.01, 0, 0.02)
    return Robot(
        name="hand",
        gravity=(0, 0, -9.81),
        joints=[
            Prismatic(name="slide", placement=Placement(position=(0.1, 0, 0))),
            Revolute(
                name="motor",
                parent="slide",
                axis=(0, 1, 0),
                body=Body(mass=0.1, center=(0.05, 0, 0)),
            ),
            rod,
            Fixed(name="hand", parent="rod.tip", placement=palm, body=heavy),
        ],
        loads=[Load(name="load", at=at, force=(0.1, 0.2, 0), moment=moment, follows=follows)],
    )
