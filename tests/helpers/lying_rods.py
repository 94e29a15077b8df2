"""A rod that falls flat on a table."""

from chorda.describe import (
    Box,
    Capsule,
    Circle,
    Contact,
    ContactFriction,
    Modes,
    Prismatic,
    Revolute,
    Robot,
    Rod,
    RodTube,
)


def lying_rod(table):
    """A soft rod that slides up and down and turns, above a table."""
    radius = 0.005
    below = -radius - 0.1
    tables = {
        "box": Box(name="table", center=(0.2, below, 0), size=(1, 0.2, 0.4)),
        "capsule": Capsule(name="table", start=(-0.3, below, 0), end=(0.7, below, 0), radius=0.1),
    }
    rod = Rod(
        name="rod",
        parent="turn",
        length=0.4,
        section=Circle(radius=radius),
        young_modulus=5e6,
        density=1200.0,
        bend_damping=1e-4,
        modes=Modes(twist=0, bend_y=0, bend_z=4, stretch=0, intervals=8),
    )
    law = {"stiffness": 2e3, "dissipation": 2.0, "friction": ContactFriction(coefficient=0.3)}
    return Robot(
        name="lying",
        joints=[
            Prismatic(name="y", axis=(0, 1, 0)),
            Revolute(name="turn", parent="y", axis=(0, 0, 1)),
            rod,
        ],
        shapes=[RodTube(name="skin", rod="rod"), tables[table]],
        contacts=[Contact(name="lies", first="table", second="skin", **law)],
    )
