"""Inputs and controllers are refused where their count, names or numbers are wrong."""

import math

import casadi as ca
import numpy as np
import pytest

import chorda
from tests.helpers.refusals import refused_motion


@pytest.mark.parametrize(
    ("inputs", "shape"),
    [
        ([1.0, 2.0, 3.0], "(3,)"),
        (np.zeros((11, 3)), "(11, 3)"),
        (np.zeros((11, 2, 1)), "(11, 2, 1)"),
        (lambda t: [t, t, t], "(11, 3)"),
    ],
)
def test_a_wrong_number_of_inputs_names_those_there_are(neck, inputs, shape):
    message = refused_motion(neck, inputs=inputs)
    assert "inputs: expected 2 inputs (motor-right1, motor-left)" in message
    assert f"got an array of shape {shape}" in message


def test_rows_over_time_match_the_times(neck):
    message = refused_motion(neck, inputs=np.zeros((5, 2)))
    assert "inputs: expected 1 row or 11 rows (one for each time), got 5" in message


@pytest.mark.parametrize(
    "inputs",
    [
        math.nan,
        [0.1, math.inf],
        {"motor-left": math.nan},
        lambda t: [0.0, math.nan if t > 0.005 else 0.0],
        {"motor-left": lambda t: math.inf},
    ],
)
def test_nan_and_infinity_are_refused(neck, inputs):
    assert (
        refused_motion(neck, inputs=inputs)
        == "inputs: expected finite numbers, got NaN or infinity"
    )


def test_an_unknown_input_suggests_the_nearest(neck):
    message = refused_motion(neck, inputs={"motor-lft": 0.1})
    assert message.startswith("inputs: 'motor-lft' is not there; did you mean motor-left")


@pytest.mark.parametrize(
    "inputs",
    [
        "strong",
        ["a", "b"],
        {"motor-left": "strong"},
        lambda t: "strong",
        lambda t: [0.0] * (1 + (t > 0.005)),
    ],
)
def test_inputs_are_numbers(neck, inputs):
    message = refused_motion(neck, inputs=inputs)
    assert message.startswith("inputs")
    assert "expected numbers, got" in message


@pytest.mark.parametrize(
    "inputs",
    [
        {"motor-left": "-0.02"},
        {"motor-left": lambda t: "-0.02"},
        {"motor-left": np.array(["-0.02"] * 11, object)},
        ["-0.02", 0.0],
        lambda t: [0.0, "-0.02"],
        "-0.02",
    ],
)
def test_text_is_no_number_though_it_looks_like_one(neck, inputs):
    message = refused_motion(neck, inputs=inputs)
    assert message.startswith("inputs")
    assert "expected numbers, got text, " in message
    assert "write them without quotes" in message


def test_a_column_by_name_has_one_value_or_one_for_each_time(neck):
    message = refused_motion(neck, inputs={"motor-left": [1.0, 2.0]})
    assert "inputs.motor-left: expected 1 or 11 values, got an array of shape (2,)" in message


def test_inputs_and_control_together_are_refused(neck):
    message = refused_motion(neck, inputs=0.1, control=lambda t, q, v: [0.0, 0.0])
    assert message == "inputs: give either inputs or control, not both"


@pytest.mark.parametrize("scheme", ["implicit-euler", "cvodes"])
def test_a_controller_gives_as_many_numbers_as_there_are_inputs(neck, scheme):
    assert "control: expected 2 inputs (motor-right1, motor-left), got 1" in refused_motion(
        neck, control=lambda t, q, v: [0.0], scheme=scheme
    )


@pytest.mark.parametrize("scheme", ["implicit-euler", "cvodes"])
def test_a_controller_that_returns_nan_is_stopped_at_that_time(neck, scheme):
    def law(t, q, v):
        return [0.0, math.nan if t > 0.0045 else 0.0]

    message = refused_motion(neck, control=law, scheme=scheme)
    assert message == "control: returned NaN or infinity at t = 0.005 s"


def test_a_controller_returns_numbers(neck):
    message = refused_motion(neck, control=lambda t, q, v: ["pull", "pull"])
    assert "control: expected numbers, got ['pull', 'pull']" in message


def test_a_controller_is_something_to_call(neck):
    message = refused_motion(neck, control="pd")
    assert message == "control: expected a controller or a function of (t, q, v), got 'pd'"


def test_an_error_inside_a_python_controller_is_not_hidden(neck):
    with pytest.raises(ZeroDivisionError):
        chorda.simulate(neck, duration=0.01, step=1e-3, control=lambda t, q, v: 1 / 0)


def function(*sizes, result=2):
    return ca.Function("law", [ca.SX.sym("x", n) for n in sizes], [ca.SX.zeros(result)])


def test_a_casadi_controller_of_wrong_sizes_is_refused(neck):
    assert "expected a function of (t, q, v) or (t, q, v, p), got 1" in refused_motion(
        neck, control=function(1)
    )
    assert "control: expected 2 inputs (motor-right1, motor-left), got 3" in refused_motion(
        neck, control=function(1, 3, 3, result=3)
    )
    assert "control: expected arguments of sizes 1, 3, 3, got 1, 7, 3" in refused_motion(
        neck, control=function(1, 7, 3)
    )


@pytest.mark.parametrize("scheme", ["implicit-euler", "cvodes"])
def test_a_python_controller_acts_under_every_integrator(neck, scheme):
    run = chorda.simulate(
        neck, duration=0.01, step=1e-3, scheme=scheme, control=lambda t, q, v: [0.01, -0.02 + t]
    )
    assert np.allclose(run.input[:-1, 0], 0.01)
    assert np.allclose(run.input[:-1, 1], -0.02 + run.time[:-1])


@pytest.mark.parametrize("scheme", ["implicit-euler", "cvodes"])
def test_every_nth_step_is_kept_under_every_integrator(neck, scheme):
    how = {"duration": 0.01, "step": 1e-3, "scheme": scheme, "initial": {"x1": 0.1}}
    run, whole = chorda.simulate(neck, **how, every=5), chorda.simulate(neck, **how)
    assert np.allclose(run.time, [0, 0.005, 0.01])
    assert run.position == pytest.approx(whole.position[::5], abs=1e-12)
