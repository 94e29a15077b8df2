"""Forces on frames that make no sense are refused with field, expected, got and remedy."""

import pytest

from tests.helpers.refusals import HINGE, refused_robot


def refused(**fields):
    actuator = {"name": "push", "kind": "wrench", "at": {"frame": "j"}} | fields
    return refused_robot(joints=[HINGE], actuators=[actuator])


@pytest.mark.parametrize(
    ("fields", "got"),
    [
        ({}, "got none"),
        ({"components": ["fx"], "force_along": [1, 0, 0]}, "got components and force_along"),
    ],
)
def test_one_of_three_ways_is_expected(fields, got):
    message = refused(**fields)
    assert "expected one of components, force_along, moment_about" in message
    assert got in message


def test_a_component_is_named_once():
    assert "components: expected each once" in refused(components=["fx", "fx"])


def test_the_world_is_not_pushed():
    message = refused(components=["fx"], at={"frame": "world"})
    assert "a force on the world moves nothing" in message


def test_a_frame_that_is_not_there_is_named():
    message = refused(components=["fx"], at={"frame": "k"})
    assert "actuators.0.at.frame: 'k' is no frame of this robot" in message


def test_a_tendon_is_not_wound_by_a_force():
    tendon = {"name": "t", "path": [{}, {"frame": "j", "point": [1, 0, 0]}], "actuator": "push"}
    push = {"name": "push", "kind": "wrench", "at": {"frame": "j"}, "components": ["fx"]}
    message = refused_robot(joints=[HINGE], actuators=[push], tendons=[tendon])
    assert "tendons.0.actuator: 'push' is no actuator of this robot" in message
