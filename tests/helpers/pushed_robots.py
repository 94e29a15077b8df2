"""Robots on whose frames forces and moments act that are inputs."""

from chorda.describe import Body, Point, Revolute, Robot, WrenchActuator
from tests.helpers.actuated_robots import arm

TIP = Point(frame="three", point=(0.1, -0.05, 0.2))
DEAD = WrenchActuator(name="push", at=TIP, components=("fx", "fz", "my"))
FOLLOWING = WrenchActuator(name="thrust", at=TIP, force_along=(0.6, 0, 0.8), follows=True)
TWIST = WrenchActuator(
    name="twist", at=Point(frame="two"), moment_about=(0, 0.6, 0.8), follows=True
)


def pushed_arm(*more, **fields):
    """Three joints in space, with dead and following forces and moments."""
    return arm(DEAD, FOLLOWING, TWIST, *more, **fields)


def pendulum(*actuators, mass=2.0, length=0.5, gravity=(0, -9.81, 0), **fields):
    """A point mass on a rod without mass, hanging down at 0."""
    bob = Revolute(name="swing", body=Body(mass=mass, center=(0, -length, 0)), **fields)
    return Robot(name="pendulum", gravity=gravity, joints=(bob,), actuators=actuators)


def at_bob(length=0.5, **fields):
    return WrenchActuator(name="push", at=Point(frame="swing", point=(0, -length, 0)), **fields)
