"""Smooth friction in steps that are too long for its slip speed is said; what sticks is not."""

import pytest

import chorda
from chorda.describe import ContactFriction
from tests.helpers.touching_robots import GRAVITY, MASS, block

SMOOTH = {"coefficient": 0.4}
BRISTLES = {"kind": "bristle", "coefficient": 0.4, "deflection": 1e-5, "relaxation": 1e-3}


def thrown(friction, scheme, speed=1.0):
    system = chorda.assemble(block(0.0, ContactFriction(**friction), stiffness=1e5))
    start = {"y": -MASS * GRAVITY / 1e5, "x.rate": speed}
    return chorda.simulate(system, duration=0.5, step=1e-3, scheme=scheme, initial=start)


@pytest.mark.parametrize("scheme", ["implicit-euler", "rosenbrock"])
def test_friction_that_turns_sliding_around_in_every_step_is_said(scheme):
    run = thrown(SMOOTH | {"slip_speed": 1e-4}, scheme)
    assert abs(run.velocity[-1, 0]) > 1e-4  # it should have stopped
    assert "Sliding of touch turns around" in run.status.message
    assert "a larger slip_speed" in run.status.message


@pytest.mark.parametrize("friction", [SMOOTH | {"slip_speed": 5e-3}, BRISTLES])
@pytest.mark.parametrize("scheme", ["implicit-euler", "rosenbrock"])
def test_friction_that_stops_what_slides_is_not(friction, scheme):
    run = thrown(friction, scheme)
    assert abs(run.velocity[-1, 0]) < 1e-3
    assert "turns around" not in run.status.message


def test_what_still_slides_is_not():
    run = thrown(SMOOTH | {"slip_speed": 1e-4}, "implicit-euler", speed=5.0)
    assert run.velocity[-1, 0] > 1
    assert "turns around" not in run.status.message


def test_the_size_of_a_robot_that_is_a_ball_is_that_of_the_ball():
    """On slides without length, errors are parts of it, and none is large here."""
    run = thrown(BRISTLES, "implicit-euler")
    assert run.accuracy.time.size >= 0.2
    assert "% of the robot's size" not in run.status.message
