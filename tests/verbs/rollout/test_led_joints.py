"""Members whose joints are led: what is not given stays where it starts, what moves starts with its
rate, and a controller is asked before closures are shut."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import JointMotion, Point, WrenchActuator
from tests.helpers.actuated_robots import arm

HOW = {"duration": 0.02, "step": 2e-3}
ANGLES = np.array([0.0, 0.3, -0.5])
PUSH = WrenchActuator(name="push", at=Point(frame="two"), components=("fx",))


@pytest.fixture(scope="module")
def led():
    return chorda.assemble(arm(JointMotion(name="m", joint="one"), PUSH, start={"one": 0.3}))


def law(system):
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", system.nq), ca.SX.sym("v", system.nv)
    return ca.Function("law", [t, q, v], [ca.SX(0.4)])


def same(found, runs):
    for m, run in enumerate(runs):
        assert np.array_equal(found.position[m], run.position[1:])
        assert np.array_equal(found.velocity[m], run.velocity[1:])


def test_a_joint_whose_motion_is_not_given_stays_where_each_member_starts(led):
    starts = [{"one": angle, "two": 0.2} for angle in ANGLES]
    found = chorda.rollout(led, **HOW, every=1, initial={"one": ANGLES, "two": 0.2})
    same(found, [chorda.simulate(led, **HOW, initial=x) for x in starts])
    assert found.position[:, -1, 0] == pytest.approx(ANGLES)
    assert found.inputs[:, 0, 0] == pytest.approx(ANGLES)


def test_it_stays_where_the_rollout_before_brought_it(led):
    time = np.linspace(0, 0.02, 11)
    moved = np.outer(ANGLES, 1 - np.cos(80 * time))
    first = chorda.rollout(led, **HOW, initial={"one": 0.0}, inputs={"m": moved})
    then = chorda.rollout(led, **HOW, initial=first, inputs={"push.fx": 0.1})
    assert then.position[:, -1, 0] == pytest.approx(first.position[:, -1, 0], abs=1e-9)
    assert np.ptp(then.position[:, -1, 0]) > 0.1


def test_the_others_start_with_the_rate_of_the_motion(led):
    time = np.linspace(0, 0.02, 11)
    moved = np.array([0.3 + np.sin(k * time) for k in (1, 2, 3)])
    found = chorda.rollout(led, **HOW, every=1, inputs={"m": moved})
    same(found, [chorda.simulate(led, **HOW, inputs={"m": row}) for row in moved])


def test_a_controller_shuts_the_closures_that_it_leads(led):
    found = chorda.rollout(led, **HOW, every=1, control=law(led), initial={"two": ANGLES})
    runs = [chorda.simulate(led, **HOW, control=law(led), initial={"two": x}) for x in ANGLES]
    same(found, runs)
    assert found.position[:, :, 0] == pytest.approx(0.4)


def test_a_force_beside_a_controller_does_not_add_where_the_joint_started(led):
    alone = chorda.simulate(led, **HOW, control=law(led))
    beside = chorda.simulate(led, **HOW, control=law(led), inputs={"push.fx": 0.0})
    assert beside.position == pytest.approx(alone.position)
