"""Two rods that cross, one of them beside bodies of all kinds."""

import numpy as np

from chorda.describe import (
    Body,
    Box,
    Capsule,
    Circle,
    Contact,
    Cylinder,
    Modes,
    Placement,
    Plane,
    Prismatic,
    Revolute,
    Robot,
    Rod,
    RodTube,
    Sphere,
)

MATTER = {"young_modulus": 1e8, "density": 1000.0, "bend_damping": 1e-5}


def crossing(friction=None, exponent=1, dissipation=1.0, intervals=6):
    """A rod on a hinge, above a floor and beside a can, a peg and a ball that slide; another one
    lies across it, beside a box."""
    section = Circle(radius=0.004)
    light = Body(mass=0.1, inertia=(1e-4, 1e-4, 1e-4, 0, 0, 0))
    across = Placement(position=(0.15, -0.15, 0.009), angle=np.pi / 2)
    rods = [
        Rod(
            name="a",
            parent="hinge",
            length=0.3,
            modes=Modes(bend_y=3, bend_z=3, twist=2, stretch=1, intervals=intervals),
            section=section,
            **MATTER,
        ),
        Rod(
            name="b",
            length=0.3,
            placement=across,
            modes=Modes(bend_z=2, bend_y=3, twist=0, stretch=0, intervals=5),
            section=section,
            **MATTER,
        ),
    ]
    shapes = [
        RodTube(name="skin-a", rod="a"),
        RodTube(name="skin-b", rod="b"),
        Capsule(
            name="peg", frame="arm", start=(-0.04, 0.03, -0.1), end=(-0.04, 0.03, 0.1), radius=0.01
        ),
        Box(name="box", center=(0.2, 0, -0.05), size=(0.05, 0.06, 0.07), rounding=0.005),
        Cylinder(name="can", start=(0.1, 0.05, -0.05), end=(0.1, 0.06, 0.05), radius=0.02),
        Sphere(name="ball", frame="arm", center=(0.01, 0, 0.02), radius=0.03),
        Plane(name="floor", point=(0, 0, -0.01), normal=(0, 0, 1)),
    ]
    pairs = [
        ("skin-b", "skin-a"),
        ("peg", "skin-a"),
        ("box", "skin-b"),
        ("can", "skin-a"),
        ("ball", "skin-a"),
        ("floor", "skin-a"),
    ]
    law = {"stiffness": 1e4, "exponent": exponent, "dissipation": dissipation, "friction": friction}
    return Robot(
        name="crossing",
        joints=[
            Revolute(name="hinge", axis=(0, 1, 0), body=light),
            Prismatic(
                name="arm", axis=(0, 0, 1), placement=Placement(position=(0.1, 0, 0.02)), body=light
            ),
            *rods,
        ],
        shapes=shapes,
        contacts=[Contact(name=f"on-{x}", first=x, second=y, **law) for x, y in pairs],
    )
