"""Joints that do not move."""

import numpy as np
import pytest

import chorda
from chorda.catalogue.parallel import rfrfr
from chorda.describe import (
    Body,
    Fixed,
    KelvinVoigt,
    Placement,
    Point,
    Prismatic,
    Pulley,
    Revolute,
    Robot,
    Tendon,
    dump,
    locked,
    parse,
)
from chorda.errors import InputError
from chorda.mechanics.posing import frame_poses
from tests.helpers.evaluate import lengths


@pytest.mark.parametrize("kind", [Revolute, Prismatic])
def test_frames_stay_where_the_joint_is_held(kind):
    turned = Placement(position=(0.1, 0.2, -0.3), axis=(0.6, 0, 0.8), angle=0.7)
    body = Body(mass=1.0, inertia=(1e-2, 1e-2, 1e-2, 0, 0, 0))
    first = kind(name="first", axis=(0, 0.6, 0.8), placement=turned, body=body)
    beyond = Placement(position=(0.3, 0, 0))
    last = Revolute(name="last", parent="first", placement=beyond, body=body)
    robot = Robot(name="arm", joints=(first, last), closures=())
    body = {"mass": 1.0, "inertia": (1e-2, 1e-2, 1e-2, 0, 0, 0)}
    robot = Robot(
        name="arm",
        joints=tuple(
            x.model_copy(update={"body": chorda.describe.Body(**body)}) for x in robot.joints
        ),
    )
    moving, held = chorda.assemble(robot), chorda.assemble(locked(robot, {"first": 0.4}))
    both = [
        frame_poses(system, ["first", "last"], np.array([q]), system.parameter_values)
        for system, q in ((moving, [0.4, 0.9]), (held, [0.9]))
    ]
    for x, y in zip(*both, strict=True):
        assert x == pytest.approx(y, abs=1e-12)


def test_a_planar_robot_stays_planar_and_finds_the_same_configuration():
    angles = {"motor1": 2.59, "motor2": 0.55}
    free, held = chorda.assemble(rfrfr()), chorda.assemble(locked(rfrfr(), angles))
    assert held.constraints.names == free.constraints.names == ("pin.x", "pin.y")
    wanted = chorda.equilibrium(free, hold=angles, strict=True).frame("leg1.tip")[0]
    found = chorda.equilibrium(held, strict=True).frame("leg1.tip")[0]
    assert found == pytest.approx(wanted, abs=1e-10)


def test_only_joints_with_one_coordinate_are_locked():
    with pytest.raises(InputError, match="'leg1' is no revolute or prismatic joint; expected some"):
        locked(rfrfr(), {"leg1": 0.0})
    with pytest.raises(InputError, match=r"hold.motor1: expected a finite number, got nan"):
        locked(rfrfr(), {"motor1": float("nan")})


def test_a_name_that_is_nearly_one_is_guessed():
    with pytest.raises(InputError, match=r"hold: 'motr2' .* did you mean motor2"):
        locked(rfrfr(), {"motr2": 0.0})
    with pytest.raises(InputError, match=r"hold: 'elbow' .* expected some of motor1, motor2"):
        locked(rfrfr(), {"elbow": 0.0})


@pytest.mark.parametrize("number", [np.float32(1), np.int64(1), np.float64(1), 1])
def test_any_real_number_is_a_value(number):
    assert locked(rfrfr(), {"motor1": number}) == locked(rfrfr(), {"motor1": 1.0})


@pytest.mark.parametrize("value", [True, "1", None, float("inf"), np.ones(1)])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(InputError, match=r"hold.motor1: expected a finite number, got"):
        locked(rfrfr(), {"motor1": value})


def test_what_is_locked_is_fixed():
    assert isinstance(locked(rfrfr(), {"motor1": 1.0}).joints[0], Fixed)


def arm_with_a_tied_cable(pulley):
    """Two links and an elastic cable from the ground to the second one, past the first."""
    passes = (
        Pulley(frame="second", radius=0.02, side="left")
        if pulley
        else Point(frame="first", point=(0.05, 0.25, 0))
    )
    link = Body(mass=0.2, center=(0, 0.15, 0), inertia=(0, 0, 1e-3, 0, 0, 0))
    return Robot(
        name="arm",
        joints=(
            Revolute(name="first", body=link),
            Revolute(
                name="second",
                parent="first",
                placement=Placement(position=(0, 0.3, 0)),
                body=link,
                friction=0.05,
            ),
        ),
        tendons=(
            Tendon(
                name="tie",
                path=(
                    Point(point=(0.1, 0, 0)),
                    passes,
                    Point(frame="second", point=(0.05, 0.2, 0)),
                ),
                law=KelvinVoigt(stiffness=300.0, pretension=5.0),
            ),
        ),
        gravity=(0, -9.81, 0),
    )


@pytest.mark.parametrize("pulley", [False, True])
@pytest.mark.parametrize("angle", [0.3, -0.5])
def test_lengths_of_tendons_refer_to_what_they_referred_to(pulley, angle):
    robot = arm_with_a_tied_cable(pulley)
    free, held = chorda.assemble(robot), chorda.assemble(locked(robot, {"first": angle}))
    found = chorda.equilibrium(free, hold={"first": angle}, strict=True)
    alone = chorda.equilibrium(held, strict=True)
    assert abs(found.tension[0] - 5.0) > 0.5
    assert alone.tension == pytest.approx(found.tension, rel=1e-9)
    assert alone.q[0] == pytest.approx(found.q[1], abs=1e-9)
    run = chorda.simulate(held, duration=1e-3, step=1e-3, initial=alone)
    assert run.outputs["tension"][0] == pytest.approx(found.tension, rel=1e-9)


def test_a_locked_robot_survives_its_file():
    robot = locked(arm_with_a_tied_cable(False), {"first": 0.3})
    again = parse(dump(robot))
    assert again == robot
    assert chorda.equilibrium(chorda.assemble(again)).tension == pytest.approx(
        chorda.equilibrium(chorda.assemble(robot)).tension
    )


@pytest.mark.parametrize("angle", [0.3, -0.8, 4.0, -6.0])
@pytest.mark.parametrize("leave", [True, False])
def test_a_cable_stays_wound_on_a_pulley_of_a_locked_joint(angle, leave):
    """A drum that turns with the joint winds cable up, and keeps it when the joint is locked."""
    body = Body(mass=1.0, center=(0.1, 0, 0), inertia=(1e-2, 1e-2, 1e-2, 0, 0, 0))
    hinge = Revolute(name="hinge", axis=(0, 0, -1), body=body)
    beyond = Placement(position=(0.3, 0, 0))
    last = Revolute(name="last", parent="hinge", placement=beyond, body=body)
    law = KelvinVoigt(stiffness=100.0)
    around = Pulley(frame="hinge", radius=0.03, side="right", leave=leave)
    drum = Pulley(frame="hinge", radius=0.03, side="left", wound=2.0)
    ahead, behind = Point(point=(-0.2, 0.01, 0)), Point(frame="last", point=(0.1, 0.05, 0))
    robot = Robot(
        name="arm",
        joints=(hinge, last),
        tendons=(
            Tendon(name="passing", path=(ahead, around, behind), law=law),
            Tendon(name="ending", path=(ahead, drum), law=law),
        ),
    )
    moving, held = chorda.assemble(robot), chorda.assemble(locked(robot, {"hinge": angle}))
    q = np.array([angle, 0.4])
    assert lengths(held, q[1:]) == pytest.approx(lengths(moving, q), abs=1e-12)
