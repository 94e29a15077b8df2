"""An episode ends where a solid goes through another within a step."""

import numpy as np
import pytest

import chorda
from chorda.describe import JointEffort
from chorda.gym import Reach, RobotEnv, RobotVectorEnv
from tests.exact.test_thin_obstacles import PLATE, SPEED, STEP, ball

TASK = Reach(target={"y": (-0.1, 0.1)})


def settings(frame_skip):
    robot = ball(PLATE).model_copy(update={"actuators": (JointEffort(name="side", joint="y"),)})
    return {
        "system": chorda.assemble(robot),
        "task": TASK,
        "limits": {"side": (-1e-3, 1e-3)},
        "step": STEP,
        "frame_skip": frame_skip,
        "scheme": "rk4",
    }


@pytest.mark.parametrize("frame_skip", [1, 13])
def test_an_episode_in_which_a_ball_steps_over_a_plate_ends_there(frame_skip):
    env = RobotEnv(**settings(frame_skip))
    env.reset(seed=1)
    still = np.zeros(1, np.float32)
    env.episodes.moving.v[0] = SPEED
    ends = [env.step(still) for _ in range(7 if frame_skip == 1 else 1)]
    assert [x[2] for x in ends[:-1]] == [False] * (len(ends) - 1)
    _, reward, terminated, _, info = ends[-1]
    assert terminated
    assert reward == -env.episodes.penalty
    assert info["status"] == "passed-through"
    env.reset(seed=2)  # nothing of it is left
    _, _, terminated, _, info = env.step(still)
    assert not terminated
    assert info["status"] == "completed"


def test_other_robots_of_the_environment_go_on():
    envs = RobotVectorEnv(3, **settings(13))
    envs.reset(seed=1)
    envs.episodes.moving.v[0] = SPEED, -SPEED, 0.0
    _, _, terminated, _, info = envs.step(np.zeros((3, 1), np.float32))
    assert terminated.tolist() == [True, False, False]
    assert info["status"].tolist() == ["passed-through", "completed", "completed"]
