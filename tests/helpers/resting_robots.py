"""Parallel robots at rest that several tests look at, with a load that can be put on."""

import pytest

import chorda
from chorda.catalogue.parallel import rfrfr, six_rfs
from chorda.describe import Body, Load, Point, Revolute, Robot

BULGE = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
MASS, LENGTH, WEIGHT = 2.0, 0.5, 9.81  # [kg, m, m/s^2] of the pendulum
ANGLES = (5.86, 5.56, 5.86, 5.46, 5.86, 5.26)


def loaded(robot, frame):
    """With next to no load on a frame: zeros are no parameters, and tests change it."""
    least = 1e-12
    push = Load(name="push", at=Point(frame=frame), force=(least, least, 0), moment=(0, 0, least))
    return robot.model_copy(update={"loads": (push,)})


@pytest.fixture(scope="session")
def planar():
    """The RFRFR robot at the start of its printed path."""
    system = chorda.assemble(loaded(rfrfr(), "leg1.tip"))
    held = {"motor1": 2.59, "motor2": 0.55}
    return chorda.equilibrium(system, hold=held, initial=BULGE, strict=True)


@pytest.fixture(scope="session")
def spatial():
    """The 6-RFS robot with two functions for each bending, at the start of its path."""
    system = chorda.assemble(loaded(six_rfs(2), "platform"))
    held = {f"motor{k}": x for k, x in enumerate(ANGLES, start=1)}
    return chorda.equilibrium(system, hold=held, initial={"platform.z": 0.9}, strict=True)


@pytest.fixture(scope="session")
def centred(planar):
    """The RFRFR robot with its tip at (0, 0.8), motors actuated for it."""
    there = {"leg1.tip": {"x": 0.0, "y": 0.8}}
    path = chorda.follow(planar, poses=there, actuated=["motor1", "motor2"], points=5, strict=True)
    return path.at(-1)


@pytest.fixture(scope="session")
def lowered(centred):
    """Down through the middle, where stability with locked motors is lost."""
    return chorda.follow(centred, poses={"leg1.tip": {"x": 0.0, "y": -0.2}}, points=50)


@pytest.fixture(scope="session")
def pendulum():
    """A point mass on a massless bar that hangs down at rest, where its angle is 0."""
    bob = Body(mass=MASS, center=(LENGTH, 0, 0), inertia=(0, 0, 0, 0, 0, 0))
    swing = Revolute(name="swing", axis=(0, 0, 1), body=bob)
    robot = Robot(name="pendulum", gravity=(WEIGHT, 0, 0), joints=(swing,))
    return chorda.assemble(robot)
