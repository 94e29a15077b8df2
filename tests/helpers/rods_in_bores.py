"""Fed rods in bores: a curved one that its bore leads along a circle, and what to hold it against.

Of a chain of stiff links the energy is found by Newton's method in plain numpy: links turn against
each other with the stiffness of the rod, and points that leave the middle of a round tube, or enter
a round post, are pushed back.
"""

from chorda.describe import (
    Body,
    Bore,
    Circle,
    Contact,
    ContactFriction,
    JointMotion,
    Load,
    Modes,
    Placement,
    Point,
    Prismatic,
    Revolute,
    Robot,
    Rod,
    RodTube,
)

BEND, CLEARANCE, RADIUS = 0.1, 0.0005, 0.0002  # [m] of the bore's line; beside the wire; its own


def on_a_circle(friction="smooth", functions=5, slices=10):
    """A wire, curved as its bore is, on the bore's outer wall.

    Its feeder slides across the bore and turns, so that the wire is led by the bore alone. At its
    tip it is pushed back with 1 N along its tangent.
    """
    law = {"coefficient": 0.3, "slip_speed": 1e-4}
    if friction == "bristle":
        law = {"coefficient": 0.3, "kind": "bristle", "deflection": 1e-5, "relaxation": 1e-3}
    start = Placement(position=(0, -CLEARANCE, 0))
    wire = Rod(
        name="wire",
        parent="pivot",
        length=0.07,
        section=Circle(radius=RADIUS),
        young_modulus=6e10,
        density=6450.0,
        bend_damping=1e-5,
        rest={"bend_z": 1 / wire_radius(1)},
        modes=Modes(bend_z=functions, bend_y=0, twist=0, stretch=0, intervals=slices),
        fed={"range": (0.05, 0.2)},
    )
    light = Body(mass=1e-3, inertia=(1e-7, 1e-7, 1e-7, 0, 0, 0))
    line = ((-0.01, 0, 0), (BEND, 0, 0), (BEND, BEND + 0.05, 0))
    return Robot(
        name="fed",
        gravity=(0, 0, 0),
        joints=[
            Prismatic(name="slide", axis=(0, 1, 0), placement=start, body=Body(mass=1e-3)),
            Revolute(name="pivot", parent="slide", body=light),
            wire,
        ],
        actuators=[JointMotion(name="feed", joint="wire.length")],
        loads=[Load(name="back", at=Point(frame="wire.tip"), force=(-1, 0, 0), follows=True)],
        shapes=[
            RodTube(name="skin", rod="wire"),
            Bore(name="tube", points=line, bend_radius=BEND, radius=RADIUS + CLEARANCE),
        ],
        contacts=[
            Contact(
                name="inside",
                first="tube",
                second="skin",
                stiffness=1e5,
                friction=ContactFriction(**law),
            )
        ],
    )


def wire_radius(side):
    """Of the circle that the wire lies on, on the outer wall (1) or the inner one (-1) [m]."""
    return BEND + side * CLEARANCE
