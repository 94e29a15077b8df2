"""Stops and couplings that cannot be are refused with field, expected, got and remedy."""

import pytest

import chorda
from chorda.errors import InputError
from tests.helpers.refusals import HINGE, X, refused, refused_robot

SLIDE = {"name": "s", "kind": "prismatic"}
STOP = {"stiffness": 10.0}


def stopped(joint=HINGE, **fields):
    return refused_robot(joints=[{**joint, **fields}])


@pytest.mark.parametrize("joint", [HINGE, SLIDE, X], ids=lambda x: x["kind"])
def test_a_stop_without_a_range_is_refused(joint):
    message = stopped(joint, stop=STOP)
    assert "joints.0.stop: a stop stands at the ends of the joint's range, and there is none" in (
        message
    )
    assert "give range: [low, high] too" in message


def test_a_range_in_the_wrong_order_is_refused():
    message = stopped(range=[1.0, -1.0], stop=STOP)
    assert "joints.0.range: expected [low, high] with low < high, got [1.0, -1.0]" in message


@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        (
            {"stiffness": -1.0},
            "joints.0.stop.stiffness: expected a number greater than 0, got -1.0",
        ),
        ({}, "joints.0.stop.stiffness: this field is missing"),
        (
            {**STOP, "damping": -1.0},
            "joints.0.stop.damping: expected a number of at least 0, got -1.0",
        ),
        (
            {**STOP, "damping": 1.0},
            "joints.0.stop.smoothing: expected a positive number beside damping 1, got none (over "
            "which the stop grows stiff [rad])",
        ),
        ({**STOP, "damping": 1.0, "smoothing": 0}, "beside damping 1, got 0"),
    ],
)
def test_a_stop_names_the_wrong_number(stop, expected):
    assert expected in stopped(range=[-1, 1], stop=stop)


def test_a_fixed_joint_takes_no_stop():
    message = stopped({"name": "f", "kind": "fixed"}, stop=STOP)
    assert "joints.0.stop: unknown field" in message


def test_ends_of_a_stop_stay_in_order_when_changed():
    hinge = {**HINGE, "range": [-1, 1], "stop": STOP, "body": {"mass": 1, "center": [1, 0, 0]}}
    system = chorda.assemble(chorda.describe.from_data({"name": "a", "joints": [hinge]}))
    message = refused(InputError, system.parameters, {"j.stop.low": 2.0})
    assert "'j.stop.low' must be smaller than 'j.stop.high', got 2, 1" in message


@pytest.mark.parametrize(
    ("factors", "expected"),
    [
        ({"j": 1.0}, "couplings.0.factors: expected factors that are not 0 of two joints or more"),
        (
            {"j": 1.0, "s": 0.0},
            "got {'j': 1.0, 's': 0.0}; to hold one joint, make it of kind fixed",
        ),
        ({"j": 1.0, "k": 1.0}, "couplings.0.factors.k: 'k' is no joint; expected revolute"),
        ({"j": 1.0, "f": 1.0}, "couplings.0.factors.f: 'f' is of kind free; expected revolute"),
    ],
)
def test_a_coupling_names_what_it_cannot_tie(factors, expected):
    joints = [HINGE, SLIDE, {"name": "f", "kind": "free"}]
    assert expected in refused_robot(
        joints=joints, couplings=[{"name": "gear", "factors": factors}]
    )
