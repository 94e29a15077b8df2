"""A mass that slides, and a pendulum, against stops."""

from chorda.describe import Body, Prismatic, Revolute, Robot, SlidingStop, Stop

MASS, ARM, INERTIA = 2.0, 0.3, 0.05  # [kg, m, kg m^2]


def sliding_mass(gravity=(0, 0, 0), high=0.1, **stop):
    """A mass of 2 kg along x, between stops at -0.5 m and `high`."""
    joint = Prismatic(
        name="mass",
        axis=(1, 0, 0),
        body=Body(mass=MASS),
        range=(-0.5, high),
        stop=SlidingStop(**stop) if stop else None,
    )
    return Robot(name="bouncing", gravity=gravity, joints=(joint,))


def pendulum(ends=(-1.0, 1.0), **stop):
    """A pendulum that hangs along -y at the angle 0, between stops."""
    body = Body(mass=MASS, center=(0, -ARM, 0), inertia=(0, 0, INERTIA, 0, 0, 0))
    joint = Revolute(name="arm", body=body, range=ends, stop=Stop(**stop))
    return Robot(name="struck", joints=(joint,))
