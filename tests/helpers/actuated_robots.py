"""Arms with actuators on their joints."""

from chorda.describe import Body, Prismatic, Revolute, Robot

BODY = Body(mass=0.5, center=(0.1, 0.02, 0), inertia=(1e-3, 2e-3, 2.5e-3, 0, 0, 0))


def wheel(inertia=2e-3, **fields):
    return Revolute(name="wheel", body=Body(mass=1, inertia=(0, 0, inertia, 0, 0, 0)), **fields)


def arm(*actuators, **fields):
    """Three joints in space: two turn, about axes that cross, and one slides."""
    joints = (
        Revolute(name="one", body=BODY, friction=0.02),
        Revolute(
            name="two",
            parent="one",
            axis=(0, 1, 0),
            placement={"position": (0.2, 0, 0)},
            body=BODY,
        ),
        Prismatic(name="three", parent="two", axis=(0.6, 0.8, 0), body=BODY),
    )
    return Robot(name="arm", joints=joints, actuators=actuators, **fields)
