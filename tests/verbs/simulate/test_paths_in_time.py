"""EquilibriumPath.inputs: a path of equilibria as inputs over time, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from tests.helpers.evaluate import slope

ANGLES = {"motor1": 2.59, "motor2": 0.55}


@pytest.fixture(scope="module")
def start():
    system = chorda.assemble(chorda.load("rfrfr"))
    return chorda.equilibrium(system, hold=ANGLES, strict=True)


@pytest.fixture(scope="module")
def path(start):
    return chorda.follow(start, hold={"motor1": 2.9, "motor2": 0.8}, points=10, strict=True)


def time_of(share):
    """Where 10 s^3 - 15 s^4 + 6 s^5 is the share of the path."""
    roots = np.roots([6, -15, 10, 0, 0, -share])
    return next(x.real for x in roots if abs(x.imag) < 1e-9 and -1e-9 <= x.real <= 1 + 1e-9)


def test_the_motors_pass_through_every_configuration_of_the_path(path):
    given = path.inputs(3.0)
    for k, share in enumerate(path.parameter):
        t = 3.0 * time_of(share)
        for name in ANGLES:
            row = path.system.coordinate_names.index(name)
            assert given[f"hold-{name}"](t) == pytest.approx(path.q[k, row], abs=1e-9)


def test_a_motion_along_a_path_starts_and_ends_at_rest(path):
    turn = path.inputs(3.0)["hold-motor1"]
    for t in (0.0, 3.0):
        assert slope(lambda d, t=t: turn(t + d), 1e-4) == pytest.approx(0, abs=1e-6)
    assert turn(-1.0) == turn(0.0)
    assert turn(5.0) == turn(3.0)


def test_accelerations_are_the_second_derivatives(path):
    given = path.inputs(3.0)
    turn, second = given["hold-motor2"], given["hold-motor2.acceleration"]
    for t in (0.4, 1.1, 1.7, 2.8):
        h = 1e-3
        differences = (turn(t + h) - 2 * turn(t) + turn(t - h)) / h**2
        assert second(t) == pytest.approx(differences, rel=1e-3, abs=1e-5)


def test_inputs_of_actuators_are_followed_too():
    system = chorda.assemble(chorda.load("neck-1"))
    rest = chorda.equilibrium(system, tensions=20.0, strict=True)
    path = chorda.follow(rest, tensions={system.tendons.cables[0].name: 25.0}, points=6)
    given = path.inputs(1.0)
    assert set(given) == set(system.given)
    for k, name in enumerate(system.given):
        assert given[name](0.0) == pytest.approx(path.u[0, k])
        assert given[name](1.0) == pytest.approx(path.u[-1, k])


def test_poses_that_were_prescribed_move_the_motors(start):
    tip = start.frame("leg1.tip")[0]
    pose = {"leg1.tip": {"x": tip[0] - 0.05, "y": tip[1]}}
    path = chorda.follow(start, poses=pose, actuated=["motor1", "motor2"], points=8, strict=True)
    run = chorda.simulate(
        path.system,
        duration=40.0,
        step=0.1,
        initial=path.at(0),
        inputs=path.inputs(40.0),
        strict=True,
    )
    np.testing.assert_allclose(run.position[-1], path.q[-1], atol=1e-4)


def test_a_held_value_can_be_moved_by_name(start):
    run = chorda.simulate(
        start.system,
        duration=1.0,
        step=1e-2,
        initial=start,
        inputs={"hold-motor1": lambda t: 2.59 + 0.1 * t**2},
        strict=True,
    )
    at = run.data["position"].sel(coordinate="motor1").values
    np.testing.assert_allclose(at, 2.59 + 0.1 * run.time**2, atol=1e-9)
    other = run.data["position"].sel(coordinate="motor2").values
    np.testing.assert_allclose(other, 0.55, atol=1e-9)


def test_what_a_motion_cannot_follow_is_refused(start, path):
    with pytest.raises(InputError, match="duration: expected a positive number of seconds"):
        path.inputs(0.0)
    held = {**ANGLES, "leg1.length": 1.05}
    longer = chorda.follow(start, hold=held, points=3, strict=True)
    with pytest.raises(InputError, match=r"'leg1\.length' is a parameter"):
        longer.inputs(1.0)
    back = replace(path, parameter=path.parameter[::-1])
    with pytest.raises(InputError, match="at least two configurations that never turns back"):
        back.inputs(1.0)
