"""What makes sense field by field must make sense together."""

import pytest

from tests.helpers.refusals import HINGE, X, refused_robot


def test_a_name_is_used_once_across_the_whole_robot():
    message = refused_robot(joints=[HINGE, HINGE])
    assert "joints.1.name: 'j' is already the name of joints.0; names are unique" in message
    message = refused_robot(loads=[{"name": "j", "at": {}}])
    assert "loads.0.name: 'j' is already the name of joints.0" in message


@pytest.mark.parametrize("name", ["world", "tension"])
def test_reserved_words_are_no_names(name):
    assert f"'{name}' is already the name of" in refused_robot(joints=[{**HINGE, "name": name}])


def test_a_parent_must_be_a_frame_of_an_earlier_joint():
    message = refused_robot(joints=[{**HINGE, "parent": "k"}, {**HINGE, "name": "k"}])
    assert "joints.0.parent: 'k' is no frame of an earlier joint; expected one of world" in message
    message = refused_robot(joints=[X, {**HINGE, "parent": "x1"}])
    assert "joints.1.parent: 'x1' is no frame" in message
    assert "x1.top" in message


@pytest.mark.parametrize(
    ("section", "item", "path"),
    [
        ("loads", {"name": "n", "at": {"frame": "k"}}, "loads.0.at"),
        (
            "springs",
            {"name": "n", "start": {}, "end": {"frame": "k"}, "stiffness": 1, "free_length": 1},
            "springs.0.end",
        ),
        (
            "dampers",
            {"name": "n", "start": {"frame": "k"}, "end": {}, "damping": 1},
            "dampers.0.start",
        ),
        (
            "closures",
            {"name": "n", "kind": "fixed", "start": {}, "end": {"frame": "k"}},
            "closures.0.end",
        ),
        ("tendons", {"name": "n", "path": [{}, {"frame": "k"}]}, "tendons.0.path.1"),
    ],
)
def test_a_point_must_be_in_a_frame_of_the_robot(section, item, path):
    message = refused_robot(**{section: [item]})
    assert f"{path}.frame: 'k' is no frame of this robot; expected one of world, j" in message


@pytest.mark.parametrize(
    ("joint", "frame"), [(HINGE, "j"), ({**HINGE, "name": "top"}, "top"), (X, "x1.top")]
)
def test_an_anchor_must_be_one_of_its_frame(joint, frame):
    message = refused_robot(
        joints=[joint], loads=[{"name": "n", "at": {"frame": frame, "point": "low"}}]
    )
    assert f"loads.0.at.point: 'low' is no anchor of {frame}; expected coordinates or" in message


def test_a_hinge_named_top_has_no_anchors_of_an_x_joint():
    top = {**HINGE, "name": "top"}
    message = refused_robot(
        joints=[top], loads=[{"name": "n", "at": {"frame": "top", "point": "left"}}]
    )
    assert "'left' is no anchor of top" in message


def test_a_tendon_must_name_a_actuator_that_is_there():
    tendon = {"name": "t", "path": [{}, {"frame": "j"}], "actuator": "m"}
    assert "tendons.0.actuator: 'm' is no actuator of this robot" in refused_robot(tendons=[tendon])
    actuator = {"name": "n", "kind": "tension"}
    assert "expected one of n" in refused_robot(tendons=[tendon], actuators=[actuator])


def test_a_actuator_must_wind_a_tendon():
    message = refused_robot(actuators=[{"name": "m", "kind": "tension"}])
    assert "actuators.0: 'm' winds no tendon; name it in a tendon's field 'actuator'" in message


@pytest.mark.parametrize("path", [[], [{"frame": "j"}]])
def test_a_tendon_runs_through_two_points_at_least(path):
    message = refused_robot(tendons=[{"name": "t", "path": path}])
    assert f"tendons.0.path: expected at least two points, got {len(path)}" in message
    assert "where it is attached" in message
