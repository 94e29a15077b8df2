"""Loads against virtual work by hand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import Body, Load, Placement, Point, Prismatic, Revolute, Robot
from tests.helpers.evaluate import forces
from tests.helpers.robots import unit

AXIS = np.array(unit(1, -2, 3))
POINT, FORCE, MOMENT = (
    np.array([0.3, 0.1, -0.2]),
    np.array([2.0, -1.0, 3.0]),
    np.array([0.4, 0.5, -0.6]),
)
TURN, SHIFT = Rotation.from_rotvec([0.0, 0.6, 0.0]), np.array([0.1, 0.2, 0.3])


def hinge(follows, force=(0, 0, 0), moment=(0, 0, 0)):
    load = Load(
        name="load",
        at=Point(frame="h", point=tuple(POINT)),
        force=force,
        moment=moment,
        follows=follows,
    )
    placement = Placement(position=tuple(SHIFT), axis=(0, 1, 0), angle=0.6)
    joint = Revolute(
        name="h",
        axis=tuple(AXIS),
        placement=placement,
        body=Body(mass=1, inertia=(1, 1, 1, 0, 0, 0)),
    )
    return chorda.assemble(Robot(name="h", gravity=(0, 0, 0), joints=(joint,), loads=(load,)))


@pytest.mark.parametrize("angle", [0.0, 0.9, -2.0])
@pytest.mark.parametrize("follows", [False, True])
def test_force_and_moment_turn_a_hinge_by_their_torque_about_its_axis(angle, follows):
    axis = TURN.apply(AXIS)
    turned = TURN * Rotation.from_rotvec(AXIS * angle)
    arm = turned.apply(POINT)
    force, moment = (turned.apply(x) if follows else x for x in (FORCE, MOMENT))
    _, F = forces(hinge(follows, force=tuple(FORCE)), [angle])
    assert F[0] == pytest.approx(axis @ np.cross(arm, force), rel=1e-12)
    _, F = forces(hinge(follows, moment=tuple(MOMENT)), [angle])
    assert F[0] == pytest.approx(axis @ moment, rel=1e-12)


def test_following_force_turns_a_hinge_alike_at_every_angle():
    system = hinge(True, force=tuple(FORCE), moment=tuple(MOMENT))
    values = [forces(system, [angle])[1][0] for angle in np.linspace(-3, 3, 7)]
    assert np.allclose(values, values[0], rtol=1e-12)


def test_force_pushes_a_slide_and_a_moment_does_not():
    load = Load(
        name="load",
        at=Point(frame="s", point=tuple(POINT)),
        force=tuple(FORCE),
        moment=tuple(MOMENT),
    )
    joint = Prismatic(name="s", axis=tuple(AXIS), body=Body(mass=1))
    system = chorda.assemble(Robot(name="s", gravity=(0, 0, 0), joints=(joint,), loads=(load,)))
    assert forces(system, [0.3])[1][0] == pytest.approx(FORCE @ AXIS, rel=1e-12)


def test_hanging_arm_turns_into_the_direction_of_gravity_and_load_together():
    """Equilibrium: the resultant torque of weight at the centre and force at the tip vanishes."""
    load = Load(name="wind", at=Point(frame="h", point=(0, -0.8, 0)), force=(4.0, 0, 0))
    body = Body(mass=1.5, center=(0, -0.4, 0), inertia=(0, 0, 0.02, 0, 0, 0))
    robot = Robot(name="arm", joints=(Revolute(name="h", body=body),), loads=(load,))
    found = chorda.equilibrium(chorda.assemble(robot))
    assert found.q[0] == pytest.approx(np.arctan2(4.0 * 0.8, 1.5 * 9.81 * 0.4), rel=1e-9)
    assert found.stable
