"""The start of a motion is refused where it makes no sense."""

import math

import numpy as np
import pytest

import chorda
from chorda.errors import InputError


def refusal(system, initial):
    with pytest.raises(InputError) as caught:
        chorda.simulate(system, duration=0.01, step=1e-3, initial=initial)
    return str(caught.value)


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
