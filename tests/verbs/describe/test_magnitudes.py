"""Numbers that are possible but unusual get a warning that asks for the unit."""

import warnings

import pytest

from chorda.describe import Body, Free, Placement, Revolute, Robot, XJoint, chain
from chorda.errors import MagnitudeWarning
from tests.helpers.refusals import X


def x_robot(**changes):
    return Robot(name="r", joints=(XJoint(**{**X, **changes}),))


def test_a_bar_of_100_m_is_a_warning_that_asks_for_the_unit():
    with pytest.warns(MagnitudeWarning) as caught:
        robot = x_robot(bar_length=100.0, diagonal_length=200.0)
    text = [str(w.message) for w in caught]
    assert text[1] == (
        "r: joints.0.bar_length = 100 m is outside the usual 0.001 to 10 m; is the unit right?"
    )
    assert robot.joints[0].bar_length == 100.0


def test_a_mass_in_grams_is_a_warning():
    with pytest.warns(MagnitudeWarning, match=r"joints.0.bar_mass = 32000 kg"):
        x_robot(bar_mass=32_000.0)


def test_nested_and_vector_numbers_are_looked_at_too():
    with pytest.warns(MagnitudeWarning, match=r"joints.0.body.center.1 = 300 m"):
        Robot(name="r", joints=(Free(name="j", body=Body(mass=1.0, center=(0, 300, 0))),))
    with pytest.warns(MagnitudeWarning, match=r"gravity.1 = -9810 m/s\^2"):
        Robot(name="r", joints=(Revolute(name="j"),), gravity=(0, -9810, 0))


def test_angles_in_degrees_and_lengths_in_millimetres_are_warnings():
    joints = chain([(300, 90, -200, 180)], placement=Placement(angle=45))
    with pytest.warns(MagnitudeWarning) as caught:
        Robot(name="r", joints=joints)
    text = [str(w.message) for w in caught]
    for number in ("placement.angle = 45 rad", "link.a = 300 m", "link.alpha = 90 rad",
                   "link.d = -200 m", "link.theta = 180 rad"):  # fmt: skip
        assert any(f"joints.0.{number} is outside the usual" in x for x in text)


def test_usual_numbers_and_zeros_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x_robot(friction=0.0)
