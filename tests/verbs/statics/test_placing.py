"""Frames put somewhere: orientations, and places that say nothing or cannot be."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chorda
from chorda.catalogue.parallel import six_rfs
from chorda.errors import InputError
from chorda.statics.branch import state_of
from chorda.statics.follow import problem_from
from chorda.statics.prescribe import read
from chorda.statics.targets import row

MOTORS = [f"motor{k}" for k in range(1, 7)]
PAIR = ["motor1", "motor2"]


@pytest.fixture(scope="module")
def pair():
    return chorda.assemble(chorda.load("rfrfr"))


@pytest.fixture(scope="module")
def six():
    return chorda.assemble(six_rfs(modes=3, intervals=8))


@pytest.fixture(scope="module")
def upright(six):
    place = {"platform": {"x": 0, "y": 0, "z": 0.8, "rotation": np.eye(3)}}
    return chorda.equilibrium(six, poses=place, actuated=MOTORS, strict=True)


def about_x(degrees):
    return Rotation.from_euler("x", degrees, degrees=True)


@pytest.mark.parametrize("degrees", [30, 60, 179, 180])
def test_an_orientation_is_reached_or_the_way_to_it_told(six, upright, degrees):
    w, x, y, z = np.roll(about_x(degrees).as_quat(), 1)
    place = {"platform": {"x": 0, "y": 0, "z": 0.8, "rotation": [w, x, y, z]}}
    found = chorda.equilibrium(six, poses=place, actuated=MOTORS, initial=upright)
    R = Rotation.from_matrix(found.frame("platform")[1])
    left = np.degrees((about_x(degrees) * R.inv()).magnitude())
    if found.status.ok:
        assert left < 1e-6
    else:
        assert found.status.code == "stopped"
        assert left > 1
    assert found.status.ok == (degrees <= 60)


def test_newtons_matrix_is_the_derivative_of_the_residual(six, upright):
    place = {"platform": {"x": 0.02, "y": 0, "z": 0.78, "rotation": about_x(40).as_matrix()}}
    request = read(six, upright.parameters, poses=place)
    problem, values = problem_from(upright, request, MOTORS)
    x, target = state_of(problem, upright), row(values)
    _, A = problem.evaluate(x, target)
    rng = np.random.default_rng(0)
    for _ in range(3):
        move = 1e-6 * rng.normal(size=problem.nz)
        both = [problem.evaluate(problem.moved(x, s * move), target)[0] for s in (-1, 1)]
        assert (both[1] - both[0]) / 2 == pytest.approx(A @ move, abs=1e-11)


def test_places_that_say_the_same_or_cannot_be_are_named(pair):
    same = {"leg1.tip": {"x": 0}, "leg2.tip": {"x": 0}}
    found = chorda.equilibrium(pair, poses=same, actuated=PAIR)
    assert found.status.code == "undetermined"
    assert "leg1.tip.x, leg2.tip.x" in found.status.message
    for z in (0.0, 0.1):
        found = chorda.equilibrium(pair, poses={"leg1.tip": {"x": 0, "z": z}}, actuated=PAIR)
        assert found.status.code == "undetermined"
        assert "configuration: leg1.tip.z cannot be moved" in found.status.message


def test_a_place_out_of_reach_is_told_without_a_known_configuration_too(pair):
    found = chorda.equilibrium(pair, poses={"leg1.tip": {"x": 0, "y": 1.8}}, actuated=PAIR)
    assert found.status.code == "stopped"
    assert found.frame("leg1.tip")[0] == pytest.approx(found.frame("leg2.tip")[0], abs=1e-9)
    assert found.frame("leg1.tip")[0][1] == pytest.approx(np.sqrt(1 - 0.04), abs=1e-3)


def test_a_parameter_is_held_and_actuated_as_what_it_can_be(pair):
    first = chorda.equilibrium(pair, hold={"motor1": 2.59, "motor2": 0.55}, strict=True)
    with pytest.raises(InputError, match=r"'leg1.length' must not be negative"):
        chorda.follow(first, hold={"leg1.length": -0.1})


def test_stability_that_is_lost_where_branches_cross_is_located(pair):
    """Both motors pushed alike: the mirror image is lost where the crooked branch begins."""
    first = chorda.equilibrium(pair, hold={"motor1": 2.59, "motor2": 0.55}, strict=True)
    pushed = chorda.equilibrium(pair, efforts=first.efforts, initial=first, strict=True)
    path = chorda.follow(pushed, efforts={"motor1": 1.0, "motor2": -1.0}, points=20)
    assert path.stability["constant efforts"].negative[-1] == 1
    assert [x.kind for x in path.changes].count("constant efforts") == 1
    assert "constant motor1.effort, motor2.effort" in chorda.stability(pushed)["locked"].sentence


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"hold": [1, 2]}, "hold: expected a mapping"),
        ({"hold": {"motor1": "2.5"}}, "hold.motor1: expected a finite number, got '2.5'"),
        (
            {"poses": {"leg1.tip": {"x": 0}}, "actuated": "motor1"},
            "actuated: expected a list of names",
        ),
        ({"hold": {"motor1": 1}, "actuated": ["motor1", "motor1"]}, "'motor1' is named twice"),
    ],
)
def test_what_is_prescribed_wrongly_is_told(pair, wrong, told):
    with pytest.raises(InputError, match=told):
        chorda.equilibrium(pair, **wrong)
