"""Actuators that no joint can have are refused with field, expected, got and remedy."""

import pytest

from tests.helpers.refusals import HINGE, refused_robot

JOINTS = [
    HINGE,
    {"name": "f", "kind": "fixed"},
    {"name": "g", "kind": "free"},
]


def refused_actuators(*actuators, **fields):
    return refused_robot(joints=JOINTS, actuators=list(actuators), **fields)


@pytest.mark.parametrize("kind", ["effort", "motion"])
@pytest.mark.parametrize(
    ("joint", "got"), [("f", "is of kind fixed"), ("g", "is of kind free"), ("h", "is no joint")]
)
def test_a_joint_that_cannot_be_moved_is_named(kind, joint, got):
    message = refused_actuators({"name": "a", "kind": kind, "joint": joint})
    assert f"actuators.0.joint: '{joint}' {got}; expected a revolute, prismatic or X-joint" in (
        message
    )
    assert "or the length of a rod that is fed: j" in message


def test_two_actuators_on_one_coordinate_are_refused():
    message = refused_actuators(
        {"name": "a", "kind": "effort", "joint": "j"},
        {"name": "b", "kind": "motion", "joint": "j"},
    )
    assert "actuators.1.joint: 'b' and 'a' both move 'j'; expected one actuator" in message


def test_a_tendon_is_not_wound_by_an_actuator_of_a_joint():
    tendon = {"name": "t", "path": [{}, {"frame": "j", "point": [1, 0, 0]}], "actuator": "a"}
    message = refused_actuators({"name": "a", "kind": "effort", "joint": "j"}, tendons=[tendon])
    assert "tendons.0.actuator: 'a' is no actuator of this robot" in message


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"inertia": 0}, "actuators.0.inertia: expected a number greater than 0, got 0"),
        ({"gear_ratio": -2}, "actuators.0.gear_ratio: expected a number greater than 0, got -2"),
        ({"friction": -1}, "actuators.0.friction: expected a number of at least 0, got -1"),
    ],
)
def test_a_motor_names_the_wrong_number(change, expected):
    motor = {"name": "m", "kind": "joint-motor", "joint": "j", "inertia": 1e-5}
    assert expected in refused_actuators(motor | change)
