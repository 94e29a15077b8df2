"""Parts of motors in files: written, read, and refused with field, expected, got and remedy."""

import pytest

from chorda.describe import JointMotor, Motor, Robot, dump, parse
from tests.helpers.actuated_robots import wheel
from tests.helpers.refusals import HINGE, refused_robot

MOTOR = {"name": "m", "kind": "joint-motor", "joint": "j", "inertia": 1e-5}
WINDING = {"resistance": 2.0, "torque_constant": 0.05}


def refused_motor(**parts):
    return refused_robot(joints=[HINGE], actuators=[MOTOR | parts])


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"max_torque": -1}, "actuators.0.max_torque: expected a number greater than 0, got -1"),
        ({"max_speed": 0}, "actuators.0.max_speed: expected a number greater than 0, got 0"),
        ({"max_current": -2}, "actuators.0.max_current: expected a number greater than 0, got -2"),
        (
            {"max_current": 2},
            "torque_constant: expected one beside max_current 2 A, got none; give torque_constant",
        ),
        (
            {"max_speed": 100},
            "max_torque: expected the torque at rest beside max_speed 100 rad/s",
        ),
        (
            {"winding": WINDING, "torque_constant": 0.1},
            "torque_constant: the winding has one, 0.05 N m/A, got 0.1 beside it; leave it out",
        ),
        (
            {"winding": WINDING, "max_torque": 1, "max_speed": 100},
            "give winding.max_voltage instead: 5 V have that no-load speed",
        ),
        (
            {"winding": {"resistance": 0, "torque_constant": 0.1}},
            "actuators.0.winding.resistance: expected a number greater than 0, got 0",
        ),
        (
            {"winding": {"resistance": 1}},
            "actuators.0.winding.torque_constant",
        ),
        (
            {"backlash": {"gap": -0.1, "stiffness": 1}},
            "actuators.0.backlash.gap: expected a number of at least 0, got -0.1",
        ),
        (
            {"backlash": {"gap": 0.1, "stiffness": 1, "damping": 2}},
            "smoothing: expected a positive number beside damping 2, got none",
        ),
    ],
)
def test_a_part_that_cannot_be_is_named(parts, expected):
    assert expected in refused_motor(**parts)


def test_a_motor_on_tendons_has_no_backlash_and_the_remedy_is_given():
    motor = {"name": "m", "kind": "motor", "inertia": 1e-5, "drum_radius": 0.01}
    tendon = {"name": "t", "path": [{}, {"frame": "j", "point": [1, 0, 0]}], "actuator": "m"}
    message = refused_robot(
        joints=[HINGE],
        actuators=[motor | {"backlash": {"gap": 0.1, "stiffness": 1}}],
        tendons=[tendon],
    )
    assert "backlash: expected none on a motor that winds tendons" in message
    assert "a joint-motor with backlash on it" in message


def test_a_robot_with_all_parts_is_written_and_read_again():
    motor = JointMotor(
        name="m",
        joint="wheel",
        inertia=1e-5,
        max_torque=0.2,
        max_current=3.0,
        winding={**WINDING, "back_emf_constant": 0.06, "max_voltage": 12.0},
        backlash={"gap": 0.01, "stiffness": 40.0, "damping": 0.1, "smoothing": 1e-3},
    )
    robot = Robot(name="r", joints=(wheel(),), actuators=(motor,))
    assert parse(dump(robot)) == robot


def test_limits_of_both_kinds_of_motors_are_parameters_in_their_units():
    fields = {"max_torque": 0.2, "max_speed": 10.0, "max_current": 3.0, "torque_constant": 0.1}
    assert all(set(fields) <= set(x.model_fields) for x in (Motor, JointMotor))
