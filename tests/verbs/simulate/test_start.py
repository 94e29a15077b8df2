"""The start of a motion is refused where it makes no sense."""

import math

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from tests.helpers.refusals import refused_motion


def refusal(system, initial):
    return refused_motion(system, initial=initial)


def test_an_unknown_coordinate_is_named_with_those_there_are(neck):
    assert "initial: 'x9' is not there; known: x1, motor-right1" in refusal(neck, {"x9": 0.1})
    assert "did you mean motor-left" in refusal(neck, {"motor-lft": 0.1})


@pytest.mark.parametrize("initial", [{"x1": 4.0}, [4.0, 0, 0]])
def test_a_coordinate_outside_its_range_is_refused(neck, initial):
    message = refusal(neck, initial)
    assert "initial: x1 = 4 rad is outside its range -3.14159 to 3.14159 rad" in message


@pytest.mark.parametrize(
    "initial", [{"x1": math.nan}, {"x1.rate": math.inf}, [math.nan, 0, 0], {"tension": math.nan}]
)
def test_nan_and_infinity_are_refused(neck, initial):
    assert "initial: " in refusal(neck, initial)
    assert "finite number" in refusal(neck, initial)


@pytest.mark.parametrize("initial", [{"x1": "left"}, {"tension": "much"}, "rest", ["a"], object()])
def test_a_start_is_made_of_numbers(neck, initial):
    assert "expected numbers, got" in refusal(neck, initial)


def test_a_coordinate_is_one_number(neck):
    assert "initial.x1: expected one number, got 2" in refusal(neck, {"x1": [0.1, 0.2]})


def test_a_wrong_count_says_the_right_one(neck):
    message = refusal(neck, [0.1, 0.2])
    assert "initial: expected 3 coordinates, or 6 with the velocities, got 2 numbers" in message
    assert "initial.tension: expected 1 or 2 values, got 3" in refusal(neck, {"tension": [1, 2, 3]})


def test_a_run_of_another_system_is_refused(neck, rigid_neck):
    run = chorda.simulate(rigid_neck, duration=0.01, step=1e-3)
    assert "made for a system of 1 coordinates, this one has 3" in refusal(neck, run)


def test_a_run_goes_on_where_another_ended(neck):
    whole = chorda.simulate(neck, duration=0.02, step=1e-3, initial={"x1": 0.1})
    half = chorda.simulate(neck, duration=0.01, step=1e-3, initial={"x1": 0.1})
    rest = chorda.simulate(neck, duration=0.01, step=1e-3, initial=half)
    assert np.array_equal(rest.position, whole.position[10:])


def test_tensions_that_tied_segments_cannot_be_wound_to_are_refused_by_name():
    system = chorda.assemble(chorda.load("recursive-1"))
    message = refusal(system, {"tension": 3.0})
    assert "initial.tension: these cannot be wound to it: tendon6-2 (it is tied" in message
    assert "tendon7-2" in message
    assert "tendon6-1" not in message
    assert "20 N instead of 3 N" in message


def test_tensions_that_two_sides_of_a_belt_cannot_have_are_refused_by_name():
    message = refusal(chorda.assemble(chorda.load("belt-arm")), {"tension": 3.0})
    assert "belt1-1 (motor1 winds belt1-2 too, which would need another angle" in message
    assert "belt3-1 (it is tied" in message


@pytest.mark.parametrize(
    ("name", "tension"), [("recursive-1", [30, 20, 20, 20, 20]), ("belt-arm", 30.0)]
)
def test_tensions_that_tendons_have_already_are_no_reason_to_refuse(name, tension):
    system = chorda.assemble(chorda.load(name))
    run = chorda.simulate(system, duration=0.002, step=1e-3, initial={"tension": tension})
    assert run.outputs["tension"][0] == pytest.approx(
        np.broadcast_to(tension, run.outputs["tension"].shape[1])
    )


def test_tensions_by_tendon_leave_the_others():
    system = chorda.assemble(chorda.load("recursive-1"))
    start = {"tension": {"tendon5-1": 3.0}}
    run = chorda.simulate(system, duration=0.002, step=1e-3, initial=start)
    assert run.outputs["tension"][0] == pytest.approx([3, 20, 20, 20, 20])
    assert "initial.tension: 'tendon9' is not there" in refusal(system, {"tension": {"tendon9": 1}})
    assert "cannot be wound" in refusal(system, {"tension": {"tendon6-2": 1.0}})


def test_one_sided_tendons_cannot_start_pushing():
    system = chorda.assemble(chorda.load("finger-2n"))
    message = refusal(system, {"tension": -3.0})
    assert "tendon 'flexor1' pulls and cannot push: expected 0 N or more, got -3 N" in message
    with pytest.raises(InputError, match="tensions: tendon 'flexor1' pulls and cannot push"):
        chorda.equilibrium(system, tensions=-3.0)
