"""Members that pass through a solid within a step end before; members that rebound go on."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.rollouts import ending, passing_members
from chorda.results.status import OF_EXIT
from tests.exact.test_thin_obstacles import PEG, PLATE, SPEED, STEP, ball

STEPS = 13
FINE = 20  # shorter steps, in which the ball rebounds from a softer plate


def flown(robot, parts=1, aside=(0.0, 0.0, 0.0), speed=(SPEED, -SPEED, SPEED / 10), **settings):
    """The ball towards the obstacle, away from it, and too slow to meet it."""
    initial = {"x.rate": np.array(speed), "y": np.array(aside)}
    return chorda.rollout(
        chorda.assemble(robot),
        duration=STEPS * STEP,
        step=STEP / parts,
        scheme="rk4",
        initial=initial,
        **settings,
    )


@pytest.mark.parametrize("memory", [ending.MAX_LOOKED_AT, 1], ids=["every step", "few looks"])
@pytest.mark.parametrize("thin", [PLATE, PEG], ids=["plate", "peg"])
@pytest.mark.parametrize("every", [None, 1, 13])
def test_a_member_that_steps_over_a_thin_obstacle_ends_before_it(thin, every, memory, monkeypatch):
    monkeypatch.setattr(ending, "MAX_LOOKED_AT", memory)
    monkeypatch.setattr(passing_members, "MAX_LOOKED_AT", memory)
    found = flown(ball(thin, aside=0.0 if thin is PLATE else 0.001), every=every)
    assert [OF_EXIT[x] for x in found.code] == ["passed-through", "completed", "completed"]
    assert found.done.tolist() == [6, STEPS, STEPS]
    last = found.position[:, -1, 0]
    assert np.isnan(last[0])
    expected = np.array([-SPEED, SPEED / 10]) * STEPS * STEP
    assert last[1:] == pytest.approx(expected, rel=1e-9)
    if every == 1:
        assert np.isfinite(found.position[0, :6]).all()
        assert np.isnan(found.position[0, 6:]).all()


def test_a_member_ends_where_the_same_motion_alone_does():
    robot = ball(PLATE)
    alone = chorda.simulate(
        chorda.assemble(robot),
        duration=STEPS * STEP,
        step=STEP,
        scheme="rk4",
        initial={"x.rate": SPEED},
    )
    many = flown(robot)
    assert alone.status.code == OF_EXIT[many.code[0]] == "passed-through"
    assert many.done[0] == len(alone.time) - 1


@pytest.mark.parametrize("memory", [ending.MAX_LOOKED_AT, 1], ids=["every step", "few looks"])
def test_a_ball_that_rebounds_or_flies_past_is_not_called_passed_through(memory, monkeypatch):
    monkeypatch.setattr(ending, "MAX_LOOKED_AT", memory)
    plate = flown(ball(PLATE, stiffness=1e7), parts=200)
    assert plate.code.tolist() == [0, 0, 0]
    assert plate.velocity[0, -1, 0] == pytest.approx(-SPEED, rel=1e-2)
    past = flown(ball(PEG), aside=(0.02, 0.0, 0.0))
    assert past.code.tolist() == [0, 0, 0]
    assert past.position[0, -1, 0] > 0.5


def test_members_that_go_on_keep_their_code_and_are_looked_at_from_there():
    system = chorda.assemble(ball(PLATE))
    settings = {"duration": 6 * STEP, "step": STEP, "scheme": "rk4"}
    first = chorda.rollout(system, initial={"x.rate": np.array([SPEED, -SPEED])}, **settings)
    assert first.code.tolist() == [0, 0]
    second = chorda.rollout(system, initial=first, **settings)
    assert [OF_EXIT[x] for x in second.code] == ["passed-through", "completed"]
    assert second.done.tolist() == [0, 6]
    third = chorda.rollout(system, initial=second, **settings)
    assert [OF_EXIT[x] for x in third.code] == ["passed-through", "completed"]


@pytest.mark.parametrize("memory", [ending.MAX_LOOKED_AT, 1], ids=["every step", "few looks"])
def test_of_members_with_their_own_stiffness_only_the_soft_one_gives_way(memory, monkeypatch):
    monkeypatch.setattr(ending, "MAX_LOOKED_AT", memory)
    monkeypatch.setattr(passing_members, "MAX_LOOKED_AT", memory)
    own = {"hit.stiffness": np.array([1e7, 1e5, 1e7])}
    found = flown(ball(PLATE), parts=200, speed=(SPEED, SPEED, SPEED), parameters=own)
    assert [OF_EXIT[x] for x in found.code] == ["completed", "passed-through", "completed"]
    assert 0.006 / STEP < found.done[1] / 200 < 0.007 / STEP
    assert found.velocity[[0, 2], -1, 0] == pytest.approx(-SPEED, rel=1e-2)
