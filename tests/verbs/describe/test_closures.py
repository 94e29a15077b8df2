"""Closures say something new: not within a body, not across a hinge, not the same twice."""

import pytest

from chorda.describe import from_data
from chorda.errors import DescriptionError
from tests.helpers.refusals import refused

STEEL = {"young_modulus": 2e11, "density": 7800, "section": {"kind": "circle", "radius": 1e-3}}
LEGS = [
    {"name": f"leg{k}", "kind": "rod", "length": 1, **STEEL, "placement": {"position": [k, 0, 0]}}
    for k in (1, 2, 3)
]
PLATFORM = [
    {"name": "platform", "kind": "free", "body": {"mass": 1}},
    {"name": "corner", "kind": "fixed", "parent": "platform", "placement": {"position": [1, 0, 0]}},
]
HINGE = [{"name": "arm", "kind": "revolute", "link": {"a": 0.5}, "body": {"mass": 1}}]


def robot(*closures, joints=(*LEGS, *PLATFORM, *HINGE)):
    data = [
        {"name": f"c{k}", "kind": kind, "start": _point(start), "end": _point(end)}
        for k, (kind, start, end) in enumerate(closures)
    ]
    return from_data({"name": "r", "joints": list(joints), "closures": data}, "robot")


def _point(place):
    frame, *point = place.split()
    return {"frame": frame} | ({"point": [float(x) for x in point]} if point else {})


def refusal(*closures, **fields):
    return refused(DescriptionError, robot, *closures, **fields)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("leg1.tip", "leg1.tip"),
        ("leg1.tip", "leg1.tip 0 0 0.1"),
        ("world", "leg1.base"),
        ("leg1.base", "leg2.base"),
        ("corner", "platform 1 0 0"),
        ("arm", "arm.tip"),
    ],
)
def test_frames_of_one_body_are_not_joined(start, end):
    message = refusal(("spherical", start, end))
    expected = f"closures.0.end.frame: expected a frame that moves against '{start.split()[0]}'"
    assert expected in message
    assert "which is fixed to it; a closure joins two bodies" in message


def test_disks_at_the_ends_of_a_rod_belong_to_them():
    disks = [{"name": "top", "at": 1, "radius": 0.1}, {"name": "low", "at": 0, "radius": 0.1}]
    joints = [{**LEGS[0], "disks": disks}, *PLATFORM]
    for end, other in (("leg1.top", "leg1.tip"), ("leg1.low", "world")):
        assert "which is fixed to it" in refusal(("fixed", end, other), joints=joints)


@pytest.mark.parametrize("end", ["arm", "arm.tip", "arm 0 0.2 0"])
def test_a_closure_does_not_lock_the_hinge_that_carries_it(end):
    message = refusal(("spherical", "leg1.base", end))
    assert "closures.0: 'c0' joins 'leg1.base' and 'arm" in message
    assert "which the revolute joint 'arm' already joins; to lock that joint, make it of" in message


@pytest.mark.parametrize("kinds", [("spherical", "spherical"), ("fixed", "revolute")])
@pytest.mark.parametrize(
    "again", [("leg1.tip", "platform"), ("corner", "leg1.tip"), ("leg1.tip", "platform 1 0 0")]
)
def test_a_leg_is_joined_to_a_platform_once(kinds, again):
    message = refusal((kinds[0], "leg1.tip", "platform"), (kinds[1], *again))
    assert f"closures.1: 'c1' joins '{again[0]}' and '{again[1].split()[0]}'" in message
    assert "which 'c0' already joins; two closures between the same bodies say" in message


def test_three_tips_are_held_together_by_two_closures():
    two = [("spherical", "leg1.tip", "leg2.tip"), ("spherical", "leg2.tip 0 0 0", "leg3.tip")]
    assert len(robot(*two).closures) == 2
    message = refusal(*two, ("spherical", "leg3.tip", "leg1.tip"))
    assert "closures.2: 'c2' joins a point of 'leg3.tip' to one of 'leg1.tip', which" in message
    assert "already hold together by way of others; leave it out" in message


def test_legs_meet_each_other_a_platform_and_their_own_base():
    """A rod bent until its tip meets its base is a ring; three corners make a loop of bodies."""
    assert robot(("fixed", "leg1.tip", "leg1.base"))
    assert robot(
        ("spherical", "leg1.tip", "platform"),
        ("spherical", "leg2.tip", "corner"),
        ("spherical", "leg1.tip 0 0.1 0", "leg2.tip 0 0.1 0"),
        ("spherical", "platform 0 1 0", "world"),
    )
