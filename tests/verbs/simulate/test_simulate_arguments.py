"""simulate refuses arguments that it cannot use: which one, what was expected, what came."""

import math

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from tests.helpers.refusals import refused_motion


@pytest.mark.parametrize("name", ["step", "duration"])
@pytest.mark.parametrize("value", [0, -1e-3, math.nan, math.inf, "1", None, True, 1j])
def test_times_are_positive_seconds(neck, name, value):
    message = refused_motion(neck, **{name: value})
    expected = f"{name}: expected a positive number of seconds, got {value!r}"
    assert message.removesuffix("; give step, or accuracy") == expected


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_numbers_of_numpy_are_numbers(neck, kind):
    run = chorda.simulate(neck, duration=kind(1), step=kind(1), scheme="implicit-euler")
    assert len(run.time) == 2


def test_a_step_longer_than_the_duration_is_refused(neck):
    message = refused_motion(neck, step=1.0)
    assert message.startswith("step: 1 s is longer than the duration 0.01 s; make it smaller")


def test_more_steps_than_fit_in_memory_are_refused_before_they_are_made(neck):
    message = refused_motion(neck, duration=1e12)
    assert "step: 0.001 s makes 1e+15 steps" in message
    assert "make it larger" in message


@pytest.mark.parametrize("every", [0, -1, 1.5, "2", None])
def test_every_is_a_whole_number(neck, every):
    assert f"every: expected a whole number of at least 1, got {every!r}" in refused_motion(
        neck, every=every
    )


@pytest.mark.parametrize("tolerance", [0, -1e-8, 1, 2.0, math.nan, math.inf, "small"])
@pytest.mark.parametrize("scheme", ["rk45", "cvodes", "implicit-euler-converged"])
def test_a_tolerance_is_between_0_and_1(neck, tolerance, scheme):
    message = refused_motion(neck, tolerance=tolerance, scheme=scheme)
    assert message == f"tolerance: expected a finite number above 0 and below 1, got {tolerance!r}"


@pytest.mark.parametrize("scheme", ["implicit-eulr", "", 4])
def test_an_unknown_scheme_lists_those_there_are(neck, scheme):
    message = refused_motion(neck, scheme=scheme)
    assert message.startswith(f"scheme: '{scheme}' is not known; expected one of")
    assert "implicit-euler" in message
    assert "cvodes" in message


def test_an_unknown_parameter_suggests_the_nearest(neck):
    message = refused_motion(neck, parameters={"x1.bar_mas": 1.0})
    assert message.startswith("parameters: 'x1.bar_mas' is not there; did you mean x1.bar_mass")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_parameter_is_finite(neck, value):
    message = refused_motion(neck, parameters={"x1.bar_mass": value})
    assert f"parameters: 'x1.bar_mass' must be a finite number, got {value}" in message


@pytest.mark.parametrize("value", ["heavy", None, [[1], [2, 3]], object()])
def test_a_parameter_is_a_number(neck, value):
    assert "parameters" in refused_motion(neck, parameters={"x1.bar_mass": value})


def test_a_robot_in_place_of_its_system_says_what_to_do():
    robot = chorda.neck(1)
    expected = "system: expected what chorda.assemble(robot) returns, got <Robot neck-1"
    assert expected in refused_motion(robot)
    with pytest.raises(InputError, match=r"robot: expected what chorda.load returns, got 'neck-3'"):
        chorda.assemble("neck-3")


def test_tendons_are_elastic_or_rigid():
    with pytest.raises(InputError, match="tendons: expected 'elastic' or 'rigid', got 'soft'"):
        chorda.assemble(chorda.neck(1), tendons="soft")


def test_a_joint_that_moves_no_mass_is_refused_by_name():
    robot = chorda.describe.Robot(name="r", joints=(chorda.describe.Revolute(name="hinge"),))
    with pytest.raises(InputError, match=r"r: no mass moves with hinge.rate; give the joint"):
        chorda.assemble(robot)


def test_a_robot_in_which_nothing_moves_is_refused():
    robot = chorda.describe.Robot(name="r", joints=(chorda.describe.Fixed(name="post"),))
    with pytest.raises(InputError, match="r: nothing can move"):
        chorda.assemble(robot)
