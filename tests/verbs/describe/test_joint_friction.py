"""Friction that cannot be is refused with field, expected, got and remedy."""

import pytest

from tests.helpers.refusals import HINGE, X, refused_robot

SLIDE = {"name": "s", "kind": "prismatic"}


@pytest.mark.parametrize(
    ("joint", "law", "expected"),
    [
        (HINGE, {"torque": -1.0}, "dry_friction.torque: expected a number of at least 0, got -1.0"),
        (X, {"torque": 1.0, "slope": 0}, "dry_friction.slope: expected a number greater than 0"),
        (SLIDE, {"torque": 1.0}, "dry_friction.torque: unknown field"),
        (SLIDE, {}, "dry_friction.force: this field is missing; add it (friction force [N])"),
        (
            HINGE,
            {"torque": 1.0, "breakaway": 2.0},
            "dry_friction.stribeck_rate: this field is missing; Stribeck's effect needs breakaway "
            "[N m] and stribeck_rate [rad/s]: give both or none",
        ),
        (
            SLIDE,
            {"force": 1.0, "stribeck_rate": 2.0},
            "dry_friction.breakaway: this field is missing",
        ),
        (
            HINGE,
            {"torque": 1.0, "breakaway": 0.5, "stribeck_rate": 0.1},
            "dry_friction.breakaway: expected at least torque 1 N m, got 0.5 N m; friction falls",
        ),
    ],
)
def test_the_wrong_number_of_friction_is_named(joint, law, expected):
    assert f"joints.0.{expected}" in refused_robot(joints=[{**joint, "dry_friction": law}])
