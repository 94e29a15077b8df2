"""equilibrium refuses arguments that it cannot use."""

import math

import pytest

import chorda
from chorda.errors import InputError, SolveError
from tests.helpers.refusals import refused


def refusal(system, **given):
    return refused(InputError, chorda.equilibrium, system, **given)


def test_several_kinds_are_given_by_name(neck):
    assert refusal(neck, tensions=1.0, angles=0.0) == (
        "tensions and angles: expected values by name where several are given, such as "
        "tensions={name: value}"
    )


def test_an_actuator_is_given_once(neck):
    message = refusal(neck, tensions={"left": 5.0}, angles={"motor-left": 0.1})
    assert message == "tensions.left: motor-left is given already; leave one out"


def test_nobody_is_given_a_tension_of_zero_because_it_was_not_named(neck):
    message = refusal(neck, tensions={"left": 5.0})
    assert "tensions: expected one for right1 too, which an actuator pulls" in message
    assert "angles: expected one for motor-left too" in refusal(neck, angles={"motor-right1": 0.1})


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("tensions", "right1, left"),
        ("angles", "motor-right1, motor-left"),
        ("torques", "motor-right1, motor-left"),
        ("inputs", "motor-right1, motor-left"),
    ],
)
def test_a_wrong_count_names_what_is_expected(neck, given, names):
    message = refusal(neck, **{given: [1.0, 2.0, 3.0]})
    assert message == f"{given}: expected 2 values ({names}), got 3"


@pytest.mark.parametrize("given", ["tensions", "angles", "torques", "inputs"])
def test_an_unknown_name_is_refused_with_a_suggestion(neck, given):
    wrong = "lef" if given == "tensions" else "motor-lef"
    message = refusal(neck, **{given: {wrong: 1.0}})
    assert f"{given}: '{wrong}' is not there; did you mean" in message


@pytest.mark.parametrize("value", [math.nan, math.inf, [1.0, math.nan], {"left": math.nan}])
def test_nan_and_infinity_are_refused(neck, value):
    message = refusal(neck, tensions=value)
    assert message == "tensions: expected finite numbers, got NaN or infinity"


@pytest.mark.parametrize("value", ["much", {"left": "much"}, [1.0, "much"]])
def test_values_are_numbers(neck, value):
    assert "tensions: expected numbers, got" in refusal(neck, tensions=value)


def test_motor_angles_are_no_coordinates_of_a_rigid_system(rigid_neck):
    message = refusal(rigid_neck, angles=0.0)
    assert "angles: this system has no motor coordinates" in message
    assert "assemble with tendons='elastic'" in message


def test_torques_are_for_motors():
    actuator = chorda.describe.TensionActuator(name="pull")
    neck = chorda.neck(1)
    tendon = neck.tendons[0].model_copy(update={"actuator": "pull"})
    robot = neck.model_copy(update={"actuators": (actuator,), "tendons": (tendon,)})
    assert "torques: pull are no motors; give inputs instead" in refusal(
        chorda.assemble(robot), torques=1.0
    )


def test_unknown_parameters_and_starts_are_refused_too(neck):
    assert "parameters: 'x1.mas' is not there" in refusal(neck, parameters={"x1.mas": 1.0})
    assert "initial: x1 = 4 rad is outside" in refusal(neck, initial={"x1": 4.0})
    assert "system: expected what chorda.assemble" in refusal(chorda.neck(1))


def unholdable():
    """A torque far beyond what a hinge's weight can balance."""
    describe = chorda.describe
    body = describe.Body(mass=1.0, center=(0, -0.1, 0))
    load = describe.Load(name="twist", at=describe.Point(frame="j"), moment=(0, 0, 50.0))
    hinge = describe.Revolute(name="j", body=body)
    return chorda.assemble(describe.Robot(name="r", joints=(hinge,), loads=(load,)))


def test_no_equilibrium_is_a_status_with_a_remedy():
    found = chorda.equilibrium(unholdable())
    assert found.status.code == "not-converged"
    assert not found.status.ok
    assert not found.stable
    assert "No equilibrium was found: load stepping reached" in found.status.message
    assert "initial=" in found.status.message


def test_strict_raises_where_there_is_no_equilibrium():
    with pytest.raises(SolveError, match="No equilibrium was found"):
        chorda.equilibrium(unholdable(), strict=True)
