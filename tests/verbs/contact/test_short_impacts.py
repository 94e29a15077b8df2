"""An impact that lasts too few steps says so where longer steps miss the same rebound; one that is
right does not."""

import pickle

import casadi as ca
import pytest

import chorda
from chorda.describe import JointEffort
from chorda.results.accuracy import Accuracy
from tests.helpers.touching_robots import ball, changed

EXACT = 0.1507  # [m] below its start: as far as a ball comes back that meets with 1.98 m/s


def dropped(step, scheme, stiffness=1e6, restitution=0.5):
    robot = ball(0.2, stiffness=stiffness, restitution=restitution, impact_speed=1.98)
    system = chorda.assemble(robot)
    return chorda.simulate(system, duration=0.6, step=step, scheme=scheme, progress=False)


def highest(run):
    return float(run.position[run.time > 0.24, 0].max())


def test_a_rebound_that_all_long_steps_miss_is_reported_with_a_step_that_helps():
    run = dropped(1e-3, "implicit-euler")
    hit = run.accuracy.impact
    assert abs(highest(run) + EXACT) > 0.04
    assert run.accuracy.time.relative < 0.01  # to which longer steps are blind
    assert run.status.ok
    assert "Contact touch meets at t = 0.202 s with 2 m/s" in str(run.status)
    assert "lasts too few steps. Try step=0.0001." in str(run.status)
    assert hit.parted < 0.5 * hit.expected
    assert hit.expected == pytest.approx(0.9, rel=0.1)
    again = Accuracy.of(run.accuracy.data())
    assert again == run.accuracy
    assert pickle.loads(pickle.dumps(run.accuracy)) == run.accuracy


@pytest.mark.parametrize(
    ("scheme", "step"), [("bdf2", 2e-4), ("generalized-alpha", 1e-4), ("rk4", 2e-5)]
)
def test_a_rebound_that_is_right_is_not(scheme, step):
    run = dropped(step, scheme)
    assert highest(run) == pytest.approx(-EXACT, abs=3e-3)
    assert run.accuracy.impact is None


@pytest.mark.parametrize("step", [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3])
@pytest.mark.parametrize("stiffness", [1e5, 1e6])
def test_no_step_leaves_a_wrong_rebound_without_a_word(step, stiffness):
    run = dropped(step, "implicit-euler", stiffness)
    fine = dropped(2e-5, "rk4", stiffness)
    off = abs(highest(run) - highest(fine)) > 0.02
    assert not off or "Try step" in str(run.status) or "try step" in str(run.status)


def test_what_comes_to_rest_meets_softly_and_is_silent():
    run = dropped(2e-4, "implicit-euler", 1e4, restitution=0.05)
    assert abs(run.velocity[-1, 0]) < 0.05
    assert run.accuracy.impact is None


def pushed(**how):
    robot = ball(0.2, stiffness=1e6, restitution=0.5, impact_speed=1.98)
    push = JointEffort(name="push", joint=robot.joints[0].name)
    system = chorda.assemble(changed(robot, actuators=[push]))
    return chorda.simulate(system, duration=0.4, step=1e-3, progress=False, **how)


@pytest.mark.parametrize("kind", ["compiled", "python"])
def test_impacts_under_a_controller_are_looked_at(kind):
    """One that pulls the ball down a little: held over each step, as it was."""
    symbols = [ca.SX.sym(name) for name in "tqv"]
    law = ca.Function("law", symbols, [-0.2 - 0.1 * symbols[2]])
    control = law if kind == "compiled" else lambda t, q, v: [-0.2 - 0.1 * v[0]]
    run = pushed(control=control)
    hit = run.accuracy.impact
    assert run.accuracy.time is None
    assert hit.expected == pytest.approx(0.9, rel=0.1)
    assert hit.parted < 0.5 * hit.expected
    assert "lasts too few steps" in str(run.status)
    assert "not looked at with every=10" in str(pushed(control=control, every=10).status)
